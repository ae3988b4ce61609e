"""Partitioning in space: jobs share the machine's processors, not their time."""

from dataclasses import dataclass
from typing import ClassVar

from scheduler_core.common.errors import ParameterError
from scheduler_core.common.units import MICROSECONDS
from scheduler_core.declarations.parameters import parameter
from scheduler_core.gang.facts import GangFacts, Partitions
from scheduler_core.gang.policy import GangPolicy, Setting, equal_parts, halved_parts


@dataclass(frozen=True)
class Partitioning(GangPolicy):
    """Partitioning in space: equipartition, folding, compression and static partitions, with one job per processor.

    Time, segments, stalls, speed-up and the bounds n_min <= N <= n_max of jobs that are not rigid are those of the family
    (:mod:`scheduler_core.gang`) at level 1 with slice 0: a pass at every submission or completion. In a pass, jobs finished
    leave, jobs submitted join the queue (FCFS: by submission, then position), then ``rule`` decides. A rigid job always has its
    size n, a moldable job keeps the size it starts with, a malleable job may have another at every pass. For the rules but
    ``static`` a pass first plans sizes, going by *the list*: running jobs in order of placement, then those admitted in this
    pass, in queue order. F is the number of free processors of the plan.

    * ``equipartition``: each job of the list has a fewest: n (rigid), its current size (moldable that runs), else
      n_min. The head is admitted while the fewest of all, its own included, add up to no more than the machine; stop at
      the first that is not. Then each job has its fewest, and as long as processors are left, the job with fewest
      processors among those below their most (n; current size; else n_max), ties the first of the list, gets one more.
    * ``folding``: a partition is what a malleable job of the list has. The head's fewest f is n (rigid) or n_min, its
      most m is n or n_max. If F >= f it is admitted with min(F, m). Else the largest partition N (ties the first of the
      list; there may be none) can give d = min(floor(N / 2), N - its n_min, m - F); if F + d >= f it gives d, and the
      head is admitted with min(F + d, m). Else the head waits, and so do all behind it. If then no job waits, partitions
      are unfolded: while F > 0, the smallest partition below its n_max (ties the first) grows by min(N, F, n_max - N).
    * ``compress``: the head asks for n. Those that can shrink are malleable jobs of the list, and moldable ones admitted
      in this pass; each by s = min(floor(N / 2), N - n_min). If F and all s together fall short of the head's fewest (n
      if rigid, else n_min) it waits, and so do all behind it. Else they shrink in the order of the list, each by min(s,
      n - F) while F < n, and the head is admitted with min(F, n). No job ever grows.
    * ``static``: the machine is cut into ``partitions`` parts: ``cut="equal"``: all equal, the first larger by one where
      it does not divide evenly; ``halves``: each takes half of what those before left, rounded up, the last the rest.
      The head takes the smallest free part with at least n processors (ties the first) and holds the first n of it, at
      rate 1 whatever its flexibility; the others are wasted. If there is none it waits, and so do all behind it.

    After the plan, running jobs shrink (in order of placement; the highest-numbered processors go), admitted jobs start
    on the lowest-numbered free ones, running jobs grow (in order; the lowest-numbered). A running job resized by D
    processors, over the whole pass, has a stall of round(reconfiguration_cost_s x D x 10^6) microseconds of slot clock due.

    A job larger than the machine (``static``: than the largest part) is rejected. Counters are those of the family;
    ``slots_opened`` counts the times the machine was taken into use (0 for ``static``).

    Sources (a sentence each): equipartition, after each arrival and departure all processors are shared as equally as
    possible among running jobs (Huang 2004, chapter 4, McCann); folding, a new job gets half of the largest current
    partition (chapter 4); compress, running and already scheduled jobs are compressed and the freed processors given to
    new jobs (section 6.2, Corbalan); static, a job takes the smallest free partition that is large enough and wastes the
    rest (section 2.3). Choices made here: bounds, rigid and moldable jobs, FCFS, who is first among equals, that at most
    half is given up and only what is needed, unfolding, that compressed jobs stay so, and ``partitions`` and ``cut`` (the
    smallest part that is large enough, section 2.3, makes a difference only with parts of several sizes: ``halves``).
    """

    name: ClassVar[str] = "partitioning"
    label: ClassVar[str] = "Partitioning"
    source: ClassVar[str] = (
        "Huang, Adaptive space-time sharing with SCOJO, M.Sc. thesis, University of Windsor, 2004, "
        "section 2.3, chapter 4 and section 6.2"
    )
    presets: ClassVar[dict[str, tuple[str, dict[str, object]]]] = {
        "equipartition": ("Equipartition", {"rule": "equipartition"}),
        "folding": ("Folding", {"rule": "folding"}),
        "compression": ("Compression", {"rule": "compress"}),
        "static_partitioning": ("Static partitioning", {"rule": "static"}),
    }

    rule: str = parameter(
        "equipartition", "who gets how many processors", choices=("equipartition", "folding", "compress", "static")
    )
    reconfiguration_cost_s: float = parameter(0.0001, "stall per processor given or taken", unit="s", minimum=0)
    partitions: int = parameter(4, "parts of the machine for rule='static'", unit="partitions", minimum=1)
    cut: str = parameter(
        "equal", "how the machine is cut for rule='static': evenly, or by halves", choices=("equal", "halves")
    )

    def facts(self) -> GangFacts:
        """Return the facts that the checker's rules need."""
        fixed = self.rule == "static"
        return GangFacts(
            most_slots=1,
            resizes_at_start=not fixed,
            resizes_running=not fixed,
            stall_us=self.reconfiguration_cost_s * MICROSECONDS,
            keeps_slot=True,
            partitions=Partitions(self.partitions, halves=self.cut == "halves", one_job=True) if fixed else None,
        )

    def setting(self, processors: int) -> Setting:
        """Return what the policy asks of the engine.

        Raise :class:`ParameterError` when a fixed partition would be empty.
        """
        fixed = self.rule == "static"
        parts: tuple[int, ...] = ()
        if fixed:
            cut = equal_parts if self.cut == "equal" else halved_parts
            parts = tuple(cut(processors, self.partitions))
            if parts[-1] < 1:
                raise ParameterError(
                    f"partitioning: {self.partitions} partitions (cut={self.cut!r}) leave one empty on "
                    f"{processors} processors; give fewer partitions"
                )
        return Setting(self.rule, fill=fixed, parts=parts, reconfiguration_cost_s=self.reconfiguration_cost_s)
