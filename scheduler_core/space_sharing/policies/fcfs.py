"""First come, first served."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from scheduler_core.policy import Policy

if TYPE_CHECKING:
    from scheduler_core.contracts import Schedule, Workload
    from scheduler_core.policy import Progress


@dataclass(frozen=True)
class Fcfs(Policy):
    """First come, first served: jobs start in the order of submission; one that does not fit holds up all behind it.

    In a pass the head of the queue is started while it fits on the free processors; then the pass ends.
    """

    name: ClassVar[str] = "fcfs"
    label: ClassVar[str] = "FCFS"
    source: ClassVar[str] = (
        "Schwiegelshohn and Yahyapour, Analysis of first-come-first-serve parallel job scheduling, SODA 1998"
    )

    def simulate(self, workload: Workload, progress: Progress | None = None) -> Schedule:
        """Run the policy."""
        from scheduler_core.space_sharing.engine import Settings, run

        return run(self, workload, Settings(), progress)
