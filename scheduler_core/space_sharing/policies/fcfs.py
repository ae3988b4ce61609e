"""First come, first served."""

from dataclasses import dataclass
from typing import ClassVar

from scheduler_core.declarations.parameters import same_as
from scheduler_core.space_sharing.policy import Shared, SpaceSharingPolicy


@dataclass(frozen=True)
class Fcfs(SpaceSharingPolicy):
    """First come, first served: jobs start in the order of submission; one that does not fit holds up all behind it.

    In a pass the head of the queue is started while it fits on the free processors; then the pass ends.

    ``user_jobs`` and ``user_processor_h`` are ceilings for each user. A job that would exceed one is passed over: it holds no
    reservation and delays nobody. A user without a running job may always start one
    (:class:`~scheduler_core.space_sharing.policy.SpaceSharingPolicy` has the whole definition).

    Cost: n log r for n jobs of which r run at once, because the running jobs are a heap by their ends.
    """

    name: ClassVar[str] = "fcfs"
    label: ClassVar[str] = "FCFS"
    source: ClassVar[str] = (
        "Schwiegelshohn and Yahyapour, Analysis of first-come-first-serve parallel job scheduling, SODA 1998"
    )

    user_jobs: int | str = same_as(Shared, "user_jobs")
    user_processor_h: float | str = same_as(Shared, "user_processor_h")
