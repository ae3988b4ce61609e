"""The parameters that gang scheduling and adaptive SCOJO share."""

from dataclasses import dataclass

from scheduler_core.common.units import seconds_to_us
from scheduler_core.declarations.parameters import parameter
from scheduler_core.gang.facts import GangFacts
from scheduler_core.gang.policy import GangPolicy


@dataclass(frozen=True)
class MatrixPolicy(GangPolicy):
    """A policy on the Ousterhout matrix: its slots, its queue and which jobs may overtake the head, as the family's page says."""

    packing: str = parameter("first_fit", "which slot a job goes to", choices=("first_fit", "best_fit"))
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
    short_limit_s: float = parameter(
        180.0, "longest estimate of a short job, where no class is given", unit="s", minimum=0
    )
    medium_limit_s: float = parameter(
        3600.0, "longest estimate of a medium job, where no class is given", unit="s", minimum=0
    )
    aging_s: float | str = parameter(
        "off", "wait that raises a job's priority by 5", unit="s", choices=("off",), minimum=0.000001
    )
    backfill: str = parameter(
        "none", "which jobs may overtake the blocked head of the queue", choices=("none", "head", "all", "greedy")
    )
    backfill_depth: int | str = parameter(
        "all", "jobs of the queue that take part in backfill='all'", unit="jobs", choices=("all",), minimum=1
    )
    name_processors: bool = parameter(
        True, "whether the schedule names each job's processors; off: it only counts them, where packing allows"
    )

    def validate(self) -> None:
        """Refuse classes that are out of order."""
        self.refuse_above("short_limit_s", "medium_limit_s")

    def facts(self) -> GangFacts:
        """Return the facts that the checker's rules need about the matrix and its time slices."""
        level = None if isinstance(self.level, str) else self.level
        return GangFacts(
            most_slots=level,
            slice_us=seconds_to_us(self.slice_s),
            cycle_slots=level if self.slice == "scaled" else None,
            lost_to_switches=self.switch_cost if self.switch_slows else 0.0,
            keeps_slot=True,
        )
