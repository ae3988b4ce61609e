"""Adaptive SCOJO: gang scheduling in which the sizes of jobs follow the load."""

from dataclasses import dataclass, replace
from typing import Any, ClassVar

from scheduler_core.common.units import MICROSECONDS, seconds_to_us
from scheduler_core.declarations.parameters import parameter
from scheduler_core.gang.facts import GangFacts
from scheduler_core.gang.matrix_policy import MatrixPolicy

WA, NO_WA = {"sizing": "load"}, {"sizing": "optimum"}
FA, NO_FA = {"eliminate_fragmentation": True}, {"eliminate_fragmentation": False}
PRI, FCFS = {"level": 2, "queue": "priority"}, {"level": 2, "queue": "fcfs"}


@dataclass(frozen=True)
class Scojo(MatrixPolicy):
    """Adaptive SCOJO: gang scheduling that chooses the sizes of moldable and malleable jobs by the load.

    The matrix, its slot clock, segments, passes, the queue, packing, backfilling, bounds and speed-up are those of the family
    (:mod:`scheduler_core.gang`; ``python -m pydoc scheduler_core.gang`` shows that page). A rigid job always has its `size` n, a
    moldable job keeps the size it starts with, a malleable job may be resized while it runs.

    **A pass** at time p:

    1. Jobs finished by p leave the matrix; slots left empty are removed. Jobs submitted by p join the queue.
    2. *Workload adaptation*, with ``sizing="load"`` or ``"load_at_start"``, if ``reconfiguration_s`` has passed since it was last
       done (or it never was): the load is classified; with ``"load"`` running malleable jobs are resized.
    3. The queue is served from its head: the head is placed at its target size if the packing rule finds a slot; stop at
       the first job that cannot be placed.
    4. Jobs behind the blocked head are backfilled, at their target sizes.
    5. With ``eliminate_fragmentation``: for each slot in order, jobs placed in it in this pass that are moldable, in order of
       placement, grow by min(free processors of the slot, n_max - N); then, for each slot in order, those that are malleable
       and of class medium, likewise.
    6. The level becomes the number of slots. (The rates of steps 3 to 5 use none of it.)

    **The load.** A job is very short if its estimate is below ``reconfiguration_s``. The running jobs need the sum of the
    current sizes (``demand="optimum"``: of the n) of those that are not very short, and the queued jobs likewise the sum of
    their n. With ``very_short="mean"`` the running jobs, and likewise the queued jobs, need floor(sum x jobs / jobs that are
    not very short), or nothing if all are very short. *Needed* is what both need. *Increase* is the sum over all malleable
    jobs, very short or not, running or queued, of (n_max - N) / 2, with N the current size or, for a queued job, n. The load
    is *low* if needed + increase < processors; else *high* if needed > processors x ``load_level`` (``"level"``: the
    ``level``); else normal. Between classifications it stays; it begins normal, and without workload adaptation it is always
    normal.

    **Target sizes** of queued jobs that are not rigid, by ``sizing``:

    * ``load`` and ``load_at_start``: n; if the load is low ceil((n_max - n) / 2) + n, if high floor((n - n_min) / 2) + n_min.
    * ``optimum``: n.
    * ``efficiency``: the largest N, n_min <= N <= n_max, at which S(N) / N is at least ``efficiency`` (to four decimals), or
      n_min if there is none: what measuring its efficiency as it runs would find at once.

    **Resizing** (slots in order, jobs of a slot in order of placement). Load high: a running malleable job of N shrinks to
    floor((N - n_min) / 2) + n_min if that is less, giving up its highest-numbered processors. Low: it grows to min(N + free
    processors of its slot, ceil((n_max - N) / 2) + N). Each resizing by D processors makes a stall of
    round(``reconfiguration_cost_s`` x D x 10^6) microseconds of slot clock due.

    **Rejected** is a job larger than the machine. Such jobs make no pass.

    Sources: Huang 2004, sections 6.6 (speed-up), 6.7 (priorities), 6.9 (adaptation), 6.11 (backfilling) and 6.2 (efficiency, on
    Corbalan), table 7-1 (``reconfiguration_s``). Chosen here: the threshold of efficiency and that it is measured ideally; that
    very short jobs need nothing. Section 6.9.1 says that "both estimations exclude very short jobs"; but its N_jobs "represents
    the number of jobs", all of them, which is ``very_short="mean"``.
    """

    name: ClassVar[str] = "scojo"
    label: ClassVar[str] = "Adaptive SCOJO"
    source: ClassVar[str] = (
        "Huang, Adaptive space-time sharing with SCOJO, M.Sc. thesis, University of Windsor, 2004, chapter 6"
    )
    presets: ClassVar[dict[str, tuple[str, dict[str, Any]]]] = {
        "scojo_pri_wa_fa": ("PRI-WA-FA", {**PRI, "backfill": "none", **WA, **FA}),
        "scojo_pri_b_wa": ("PRI-B-WA", {**PRI, "backfill": "all", **WA, **NO_FA}),
        "scojo_pri_b_fa": ("PRI-B-FA", {**PRI, "backfill": "all", **NO_WA, **FA}),
        "scojo_fcfs_b_wa_fa": ("FCFS-B-WA-FA", {**FCFS, "backfill": "all", **WA, **FA}),
        "scojo_pri_eb_wa_fa": ("PRI-EB-WA-FA", {**PRI, "backfill": "greedy", **WA, **FA}),
        "scojo_pri_b_wa_fa": ("PRI-B-WA-FA", {**PRI, "backfill": "all", **WA, **FA}),
        "adaptive_partitioning": (
            "Adaptive partitioning",
            {"level": 1, "queue": "fcfs", "slice_s": 0.0, "backfill": "none", "sizing": "load_at_start", **NO_FA},
        ),
    }

    level: int = parameter(2, "most slots that take turns: the multiprogramming level", unit="slots", minimum=1)
    queue: str = parameter("priority", "order of the queue", choices=("priority", "fcfs"))
    backfill: str = parameter(
        "all", "which jobs may overtake the blocked head of the queue", choices=("all", "head", "none", "greedy")
    )
    sizing: str = parameter(
        "load",
        "what the sizes of jobs that are not rigid follow: the load at all times (WA), the load at their start, "
        "nothing, or their efficiency",
        choices=("load", "load_at_start", "optimum", "efficiency"),
    )
    efficiency: float = parameter(
        0.7, "least speed-up per processor of jobs for sizing='efficiency'", minimum=0.0001, maximum=1
    )
    eliminate_fragmentation: bool = parameter(True, "whether jobs just placed grow into free processors (FA)")
    demand: str = parameter(
        "current", "sizes of running jobs that the load is classified by", choices=("current", "optimum")
    )
    very_short: str = parameter(
        "nothing",
        "processors that very short jobs need when the load is classified: nothing, or the mean of the others",
        choices=("nothing", "mean"),
    )
    load_level: int | str = parameter(
        "level",
        "slots whose processors jobs must need together for the load to be high",
        unit="slots",
        choices=("level",),
        minimum=1,
    )
    reconfiguration_s: float = parameter(
        300.0, "shortest time between two adaptations; shorter jobs are very short", unit="s", minimum=0
    )
    reconfiguration_cost_s: float = parameter(0.0001, "stall per processor given or taken", unit="s", minimum=0)

    def facts(self) -> GangFacts:
        """Return the facts that the checker's rules need."""
        return replace(
            super().facts(),
            resizes_at_start=self.sizing != "optimum" or self.eliminate_fragmentation,
            resizes_running=self.sizing == "load",
            resize_apart_us=seconds_to_us(self.reconfiguration_s),
            stall_us=self.reconfiguration_cost_s * MICROSECONDS,
        )
