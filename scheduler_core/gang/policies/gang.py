"""Gang scheduling on the Ousterhout matrix, from plain gang scheduling to adaptive SCOJO."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from scheduler_core.errors import ParameterError
from scheduler_core.policy import Policy, parameter

if TYPE_CHECKING:
    from scheduler_core.contracts import Schedule, Workload
    from scheduler_core.policy import Progress

GANG = {"level": 5}
ADAPTIVE = {"level": 2, "queue": "priority"}
WA_FA = {"adapt": True, "eliminate_fragmentation": True}


@dataclass(frozen=True)
class Gang(Policy):
    """Gang scheduling: jobs are packed into slots that take turns on the machine's processors.

    **Matrix.** A *slot* (row of the Ousterhout matrix) is a set of jobs on disjoint processors. Slots stand in the
    order of their creation; one that holds no job is removed; there are at most ``level``. A job holds its processors
    in one slot (in several with ``fill``), and they need not be contiguous: it gets the lowest-numbered free ones of
    its slot. Slots have stable numbers: a new one takes the lowest number not in use.

    **Time.** All times are whole microseconds. While L slots take turns, each has the share 1 / L of the time, or 1 /
    (L (1 + switch_cost)) when ``switch_slows`` and L > 1. Turns are fluid: the *slot clock* of
    :data:`scheduler_core.contracts.LEVELS_COLUMNS` advances by floor(length x share) over a maximal interval of equal
    level and share. A job that holds N processors works at the rate r(N) per unit of slot clock. Work asked is w =
    min(run time, estimate). A segment (an interval in which a job's slots, processors and rate do not change) that
    begins at slot clock v with work w left and a stall s due ends the job at slot clock v + s + ceil(w / r); if it is
    broken off at slot clock v', with u = min(s, v' - v) of the stall done, its work is floor(r (v' - v - u)), at most
    w - 1, and s - u is still due. The job finishes at the first microsecond at which the slot clock has reached its
    end.

    **Speed-up** (rates; three-point curve). A rigid job runs on n = `size` processors at rate 1. Others run on n_min
    <= N <= n_max (columns `size_min`, `size_max`; where a column is missing max(1, n // 2) and min(processors, 2 n),
    at least n), and speed-up is 0.80 N at n_min, 0.65 N at n, 0.50 N at n_max, linear between; the rate is S(N) /
    S(n), as one division of whole numbers:
    N = n: 1;
    N < n: (80 n_min (n - n_min) + (65 n - 80 n_min) (N - n_min)) / (65 n (n - n_min));
    N > n: (65 n (n_max - n) + (50 n_max - 65 n) (N - n)) / (65 n (n_max - n)). n_max is never taken above the
    processors of the machine.

    **Passes.** Submissions and completions are acted on only at *slice boundaries*. The slice is ``slice_s``
    (``fixed``), or slice_s x level / L (``scaled``; rounded down to the microsecond, L at least 1). Boundaries lie
    whole slices after the last pass at which the length of the slice changed (time 0 at first). An event at t is acted
    on at the first boundary >= t; with slice_s = 0 at t itself. Everything up to a boundary is one pass at time p:

    1. Jobs finished by p leave the matrix; slots left empty are removed. Jobs submitted by p join the queue's end.
    2. With ``adapt``, if reconfiguration_s has passed since this step was last done (or it never was): the load is
       classified, then running malleable jobs are resized (see *Adaptation*).
    3. The queue is served from its head: the head is placed at its target size if a slot takes it (see *Packing*);
       stop at the first that cannot be placed.
    4. Jobs after the blocked head are backfilled.
    5. With ``eliminate_fragmentation``: for each slot in order, jobs placed in it in this pass that are moldable, in
       order of placement, grow by min(free processors of the slot, n_max - N); then, for each slot in order, those
       that are malleable and of class medium, likewise.
    6. The level becomes the number of slots. (The rates of steps 3 to 5 use none of it; the slot clock does from p
       on.)

    A job's start is the pass that placed it. Its finish is exact, its processors are free from the next pass on.

    **Queue.** ``fcfs``: by submission, then position. ``priority``: short 10, medium 5, long 0 (column `class`; where
    missing by estimate, up to short_s short, up to medium_s medium), higher first, then as fcfs. With ``aging_s`` a
    waiting job's priority is min(10, own + 5 floor((p - submission) / aging)).

    **Packing** of one job at a target size, among slots in order: ``first_fit``: the first with enough free
    processors. ``best_fit``: the one with fewest free among those with enough; ties the first. If none, a new slot at
    the end, unless there are ``level`` already. ``one_job``: always a new slot. ``memory_fit`` and
    ``memory_best_fit``: a job's memory (`memory_kb` a processor; 0 if null) is held on its processors as long as it is
    in the matrix; a processor is a *candidate* in a slot if it is free there and has that much memory left
    (Machine.memory_kb; 0: unlimited). A slot needs as many candidates as the job's size. ``memory_best_fit``: the slot
    with fewest free processors, ties the first, and there the lowest-numbered candidates. ``memory_fit``: in each slot
    take the candidates with most memory left (ties lowest number); B = max / sum over all processors of memory left
    after that (1 / processors when the sum is 0); choose the smallest B, then fewest free processors, then the first
    slot. A new slot counts as one with all processors free: with ``new_slot="last_resort"`` only if no existing slot
    takes the job, with ``always`` it competes (it comes last) whenever there are fewer than ``level`` (both memory
    packings). With unlimited memory both packings still apply, B being 0 for all. ``first_fit_decreasing``: as
    first_fit for a single placement, and re-packs.

    **Re-packing** (migration): ``repack="arrivals"``: in a pass with a submission, after step 1 the matrix is emptied
    and all its jobs are packed again by the packing rule in order of submission, then position (before step 2).
    ``changes``: in every pass, at the very end (after step 5, before 6), and in order of size, largest first, then
    position, for first_fit_decreasing (which implies it); in order of submission, then position, for other packings.
    Slots are numbered 0, 1, ... in order of creation after a re-packing; processors are the lowest free. Re-packing
    costs nothing. It goes with none of ``adapt``, ``eliminate_fragmentation`` and the memory packings, nor do these
    with those.

    **Fill**: in every pass, after re-packing (steps 1 to 5 do not see the copies): earlier copies are dropped; for
    each slot in order, each job of the matrix in the order of (re-)packing (without re-packing: of placement) that is
    not in the slot gets a copy there if it has enough free processors (with ``repack="never"``: if its own processors
    are all free there). A job with c places works at rate c r; its work is shared among them evenly, the first slots
    (in order) having what is left over.

    **Backfilling** (times in slot clock, v now; predictions from estimates: a segment's expected end is v + s +
    ceil((estimate - work done before the segment) / r), a candidate's length d = ceil(estimate / r)). Candidates are
    the jobs after the head in queue order, at their target sizes; only existing slots are used for ``head`` and
    ``all``.

    * ``greedy``: each candidate is placed if the packing rule finds a slot. (Huang's EB; skip-over.)
    * ``head``: nobody delays the head (Huang's B; EASY's rule). For each slot its *shadow*: the earliest expected end
      at which, with those that end by then, it has enough free processors for the head at its target size. Let s be
      the slot with the smallest shadow t (ties the first), and extra its free processors at t, all ends up to and at t
      counted, less the head's. A candidate is placed in the first slot with enough free processors that is not s, or
      is s and the candidate ends by t (v + d <= t) or needs no more than extra; in the last case, if it does not end
      by t, extra shrinks by its size.
    * ``all``: nobody delays any earlier job. Free processors of each slot over future slot clock follow from the
      expected ends. Each job, from the head on, the first ``backfill_depth`` of the queue, takes the earliest interval
      of its length d, over all slots (ties the first slot), in which the slot has enough throughout; one whose
      interval begins now is placed.

    **Adaptation** (SCOJO). *Classify*: very short jobs (estimate below reconfiguration_s) need nothing. Needed is the
    sum of the current sizes of running jobs (``demand="optimum"``: of their optima) and of the optima of queued jobs.
    Over all malleable jobs, running or queued, let *increase* be the sum of (n_max - N) / 2, N the current size or,
    queued, the optimum. The load is *low* if needed + increase < processors; else *high* if needed > processors x
    level; else normal. Between classifications it stays; it begins normal; without ``adapt`` it is always normal.
    *Target size* of a queued job: its optimum n; if not rigid and the load is low ceil((n_max - n) / 2) + n, if high
    floor((n - n_min) / 2) + n_min. *Resizing* (slots in order, jobs of a slot in order of placement; not with
    ``resize_running`` off): load high: a running malleable job of N shrinks to floor((N - n_min) / 2) + n_min if that
    is less, giving up its highest-numbered processors. Low: it grows to min(N + free processors of its slot,
    ceil((n_max - N) / 2) + N). Each resizing by D processors makes a stall of round(reconfiguration_cost_s x D x 10^6)
    microseconds of slot clock due.

    **Sizing**: with ``sizing="efficiency"`` the target size of a job that is not rigid is always the largest N, n_min <=
    N <= n_max, at which S(N) / N is at least ``efficiency`` (to four decimals), or n_min if there is none: what measuring
    its efficiency as it runs would find at once. It goes with none of ``adapt``, ``eliminate_fragmentation``,
    re-packing and ``partitions``. (Huang 2004, section 6.2, on Corbalan; threshold and ideal measurement are choices.)

    **Partitions**: with ``partitions`` K > 1 the machine is cut into K parts, the first ones larger by one where it does
    not divide evenly, and everything above holds in each by itself: queue, slots, slot clock, passes. Jobs that fit
    into some part go to the parts in turn, in order of submission, then position, parts too small for a job being
    passed over (the next job's turn begins after the part taken). The column `cluster` is the part, 0 the first;
    processors keep their numbers in the machine, part after part. Counters are sums over parts. It goes with neither
    ``adapt`` nor ``eliminate_fragmentation``. (da Silva 2000, section 3.4.4; the round robin is a choice.)

    **Rejected** is a job larger than the machine (than all parts) and, under the memory packings, one that needs more
    memory than a processor has. Such jobs make no pass. Nulls in `class`, `size_min` and `size_max` count as missing.

    **Arithmetic.** Shares, rates and what is computed from them are double-precision, one operation after the other,
    then rounded down or up as stated. A segment goes on as long as slot, processors (where named) and rate stay the
    same. With ``fill`` every row of the schedule has the rate r, not c r.

    Counters: ``passes``; ``backfilled`` (placed by step 4); ``resizings`` and ``resized_processors`` (step 2);
    ``slots_opened`` (steps 3 and 4); ``busy_us``, ``idle_us``: processor-microseconds of slot clock with and without a
    job between the first start and the last finish (idle also counts processors x time at level 0); ``resizing_us``:
    stalls x the larger size; ``low_us``, ``normal_us``, ``high_us``: time by load from first start to last finish.
    """

    name: ClassVar[str] = "gang"
    label: ClassVar[str] = "Gang"
    source: ClassVar[str] = (
        "Huang, Adaptive space-time sharing with SCOJO, M.Sc. thesis, University of Windsor, 2004, chapter 6; "
        "da Silva, doctoral thesis, Universite Paris VI, 2000, sections 3.4, 4.4, 5.3 and 5.4"
    )
    presets: ClassVar[dict[str, tuple[str, dict[str, Any]]]] = {
        "scojo_fcfs": ("FCFS", GANG),
        "scojo_fcfs_b": ("FCFS-B", {**GANG, "backfill": "head"}),
        "scojo_pri_b": ("PRI-B", {**GANG, "queue": "priority", "backfill": "head"}),
        "scojo_pri_eb": ("PRI-EB", {**GANG, "queue": "priority", "backfill": "greedy"}),
        "scojo_pri_wa_fa": ("PRI-WA-FA", {**ADAPTIVE, **WA_FA}),
        "scojo_pri_b_wa": ("PRI-B-WA", {**ADAPTIVE, "backfill": "head", "adapt": True}),
        "scojo_pri_b_fa": ("PRI-B-FA", {**ADAPTIVE, "backfill": "head", "eliminate_fragmentation": True}),
        "scojo_fcfs_b_wa_fa": ("FCFS-B-WA-FA", {"level": 2, "backfill": "head", **WA_FA}),
        "scojo_pri_eb_wa_fa": ("PRI-EB-WA-FA", {**ADAPTIVE, "backfill": "greedy", **WA_FA}),
        "scojo_pri_b_wa_fa": ("PRI-B-WA-FA", {**ADAPTIVE, "backfill": "head", **WA_FA}),
        "variable_partitioning": ("Variable partitioning", {"level": 1, "slice_s": 0.0}),
        "adaptive_partitioning": (
            "Adaptive partitioning",
            {"level": 1, "slice_s": 0.0, "adapt": True, "resize_running": False},
        ),
        "simple_gang": ("Simple gang", {"packing": "one_job", "level": "unlimited", "slice": "fixed"}),
    }

    packing: str = parameter(
        "first_fit",
        "which slot a job goes to",
        choices=("first_fit", "best_fit", "first_fit_decreasing", "memory_fit", "memory_best_fit", "one_job"),
    )
    new_slot: str = parameter(
        "last_resort", "when the memory packings consider a new slot", choices=("last_resort", "always")
    )
    repack: str = parameter(
        "never", "when all jobs are packed anew (migration)", choices=("never", "arrivals", "changes")
    )
    fill: bool = parameter(False, "whether jobs also run in other slots in which they fit")
    level: int | str = parameter(
        5, "most slots that take turns: the multiprogramming level", unit="slots", choices=("unlimited",), minimum=1
    )
    slice_s: float = parameter(2.0, "length of a slice; 0: events are acted on at once", unit="s", minimum=0)
    slice: str = parameter(
        "scaled", "whether slices grow as slots become fewer, so that a cycle stays", choices=("scaled", "fixed")
    )
    switch_cost: float = parameter(0.1, "cost of a context switch, as part of a turn", minimum=0, maximum=1)
    switch_slows: bool = parameter(False, "whether context switches slow progress; else they are only accounted for")
    queue: str = parameter("fcfs", "order of the queue", choices=("fcfs", "priority"))
    short_s: float = parameter(180.0, "longest estimate of a short job, where no class is given", unit="s", minimum=0)
    medium_s: float = parameter(
        3600.0, "longest estimate of a medium job, where no class is given", unit="s", minimum=0
    )
    aging_s: float | str = parameter(
        "off", "wait that raises a job's priority by 5", unit="s", choices=("off",), minimum=0.000001
    )
    backfill: str = parameter(
        "none", "who may overtake the blocked head of the queue", choices=("none", "head", "all", "greedy")
    )
    backfill_depth: int | str = parameter(
        "all", "jobs of the queue that take part in backfill='all'", unit="jobs", choices=("all",), minimum=1
    )
    adapt: bool = parameter(False, "whether sizes follow the load (workload adaptation, WA)")
    resize_running: bool = parameter(True, "whether adaptation resizes running malleable jobs")
    eliminate_fragmentation: bool = parameter(False, "whether jobs just placed grow into free processors (FA)")
    demand: str = parameter(
        "current", "sizes of running jobs that the load is classified by", choices=("current", "optimum")
    )
    reconfiguration_s: float = parameter(
        300.0, "shortest time between two adaptations; shorter jobs are very short", unit="s", minimum=0
    )
    reconfiguration_cost_s: float = parameter(0.0001, "stall for each processor given or taken", unit="s", minimum=0)
    sizing: str = parameter(
        "load",
        "what the size of a job at its start follows: the load, or its efficiency",
        choices=("load", "efficiency"),
    )
    efficiency: float = parameter(
        0.7, "least speed-up a processor of jobs for sizing='efficiency'", minimum=0.0001, maximum=1
    )
    partitions: int = parameter(
        1, "parts of the machine with gang scheduling by itself in each", unit="partitions", minimum=1
    )
    name_processors: bool = parameter(
        True, "whether the schedule names each job's processors; off: it only counts them, where packing allows"
    )

    @property
    def repacks(self) -> str:
        """When jobs are re-packed: first fit decreasing does at every change."""
        return "changes" if self.packing == "first_fit_decreasing" else self.repack

    def validate(self) -> None:
        """Refuse settings that do not go together."""
        self.validate_sizes()
        memory = self.packing in ("memory_fit", "memory_best_fit")
        if self.short_s > self.medium_s:
            raise ParameterError(
                f"gang: short_s must not exceed medium_s; found {self.short_s:g} and {self.medium_s:g}"
            )
        if self.level == "unlimited" and self.slice == "scaled" and self.slice_s > 0:
            raise ParameterError(
                "gang: slice='scaled' needs a level; set slice='fixed' or slice_s=0 for unlimited slots"
            )
        if self.repacks != "never" and (self.adapt or self.eliminate_fragmentation or memory):
            raise ParameterError(
                "gang: re-packing goes with none of adapt, eliminate_fragmentation and a memory packing; "
                f"found repack={self.repack!r}, packing={self.packing!r}"
            )
        if memory and (self.adapt or self.eliminate_fragmentation):
            raise ParameterError(
                f"gang: packing={self.packing!r} goes with neither adapt nor eliminate_fragmentation: sizes would change"
            )
        if self.fill and (self.adapt or self.eliminate_fragmentation or memory):
            raise ParameterError(
                f"gang: fill goes with none of adapt, eliminate_fragmentation and a memory packing; found {self.packing!r}"
            )
        if self.adapt and self.level == "unlimited":
            raise ParameterError("gang: adapt classifies the load against a level; found level='unlimited'")
        if self.repacks != "never" and self.level != "unlimited":
            raise ParameterError("gang: re-packing needs level='unlimited', or a job could lose its place")
        if self.backfill in ("head", "all") and (memory or self.packing in ("one_job", "first_fit_decreasing")):
            raise ParameterError(
                f"gang: backfill={self.backfill!r} is defined for first_fit and best_fit; found packing={self.packing!r}"
            )

    def validate_sizes(self) -> None:
        """Refuse what would change sizes in two ways, or past the end of a partition."""
        adapts = self.adapt or self.eliminate_fragmentation
        if self.sizing == "efficiency" and (adapts or self.repacks != "never" or self.partitions > 1):
            raise ParameterError(
                "gang: sizing='efficiency' goes with none of adapt, eliminate_fragmentation, re-packing and partitions"
            )
        if self.partitions > 1 and adapts:
            raise ParameterError(
                f"gang: partitions={self.partitions} goes with neither adapt nor eliminate_fragmentation: "
                "a job's bounds would depend on its partition"
            )

    def simulate(self, workload: Workload, progress: Progress | None = None) -> Schedule:
        """Run the policy."""
        from scheduler_core.gang.composition import run_partitions
        from scheduler_core.gang.engine import Setting, run

        if self.partitions > 1:
            return run_partitions(self, workload, progress)
        return run(self, workload, progress, Setting(self))
