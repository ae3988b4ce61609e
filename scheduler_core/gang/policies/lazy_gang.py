"""Lazy gang scheduling: gangs run on until another job has waited too long."""

from dataclasses import dataclass
from typing import ClassVar

from scheduler_core.declarations.parameters import parameter, same_as
from scheduler_core.gang.facts import GangFacts
from scheduler_core.gang.matrix_policy import MatrixPolicy
from scheduler_core.gang.policy import GangPolicy, Setting


@dataclass(frozen=True)
class LazyGang(GangPolicy):
    """Lazy gang scheduling: a job that has waited too long preempts others, which resume later.

    One job at most is on a processor, and jobs run at their `size` whatever their flexibility (rate 1), on the
    lowest-numbered free processors. Time, work and segments are those of the family (:mod:`scheduler_core.gang`) at level 1
    with slice 0.

    **Classes.** A job's class is the column `class`; where that is missing, by estimate: up to and with ``short_limit_s`` short,
    up to and with ``medium_limit_s`` medium, else long. Its *longest wait* is ``short_wait_s``, ``medium_wait_s`` or
    ``long_wait_s``. Its *least run* is memory_kb / 1024 x ``run_s_per_mb`` seconds (`memory_kb` per processor, 0 if null),
    rounded to the microsecond, at least 1.

    **Passes.** A waiting job is *overdue* from (its submission or, if it has run, its last preemption) + longest wait on. A
    running job is *preemptable* from (the time it was last put on its processors) + least run on. A pass is made at every
    submission and completion, whenever a waiting job becomes overdue and, while any job waits, whenever a running job
    becomes preemptable. In a pass at time p:

    1. Jobs finished leave. Jobs submitted join the queue's end, in order of submission, then position.
    2. The jobs of the queue, in order (as it was when this step began), that are overdue: if its size is free, the job
       starts. Else, if free processors and those of all preemptable jobs together suffice, jobs are preempted one by one
       until its size is free, and it starts: of the preemptable ones always that of the lowest priority (long, then
       medium, then short), among equals the one put on its processors last. A job preempted joins the queue's head.
       Else no job is preempted and the pass ends here: the others wait.
    3. The head of the queue starts if its size is free, and so on; stop at the first for which it is not.

    A preempted job keeps the work it has done, and goes on with the rest on whatever processors it then gets. The
    column `preemptions` counts how often; a job preempted in step 2 that starts again in step 3 of the same pass counts.

    A job larger than the machine is rejected. Counters are those of the family; ``slots_opened`` counts the times the machine was
    taken into use.

    The thesis gives the rule in four sentences and no numbers; it names interactive and debug jobs (short waits) and
    batch jobs (very long ones). The three classes and their waits, the order among the overdue and of preemption, strict
    service behind an overdue job, memory per processor, and resuming on other processors are choices made here.

    Cost: p (r + log q) for p passes, q waiting and r running jobs, because a pass goes through the running jobs; the waiting ones
    are kept by when they are overdue. Where the queue does not grow, p is proportional to n: at load 0.5 of the Lublin model, 4
    passes and 1.7 allocations per job in 100,000 jobs and in a million. At load 0.8 the queue grows throughout the run, and
    jobs are preempted more often: 6 passes and 4 allocations per job in 10,000 jobs, 11 and 18 in 100,000.
    """

    name: ClassVar[str] = "lazy_gang"
    label: ClassVar[str] = "Lazy gang"
    source: ClassVar[str] = "da Silva, doctoral thesis, Universite Paris VI, 2000, section 3.4.4"

    short_wait_s: float = parameter(300.0, "longest wait of a short job", unit="s", minimum=0.000001)
    medium_wait_s: float = parameter(3600.0, "longest wait of a medium job", unit="s", minimum=0.000001)
    long_wait_s: float = parameter(86400.0, "longest wait of a long job", unit="s", minimum=0.000001)
    run_s_per_mb: float = parameter(
        1.0, "time a job runs before it may be preempted, per MB of memory per processor", unit="s/MB", minimum=0
    )
    short_limit_s: float = same_as(MatrixPolicy, "short_limit_s")
    medium_limit_s: float = same_as(MatrixPolicy, "medium_limit_s")

    def validate(self) -> None:
        """Refuse classes that are out of order."""
        self.refuse_above("short_limit_s", "medium_limit_s")

    def facts(self) -> GangFacts:
        """Return the facts that the checker's rules need."""
        return GangFacts(most_slots=1, suspends=True)

    def setting(self, processors: int) -> Setting:
        """Return what the policy asks of the engine."""
        return Setting("lazy", **self.values())
