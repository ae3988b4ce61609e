"""From a workload and a policy of this family to a schedule: clusters under one clock, and the tables of the grid."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scheduler_core.errors import ParameterError

if TYPE_CHECKING:
    from scheduler_core.contracts import Schedule, Workload
    from scheduler_core.grid.policies.grid import Grid
    from scheduler_core.policy import Progress


def run(policy: Grid, workload: Workload, progress: Progress | None = None) -> Schedule:
    """Simulate a workload on a grid; the one way in for the policies of this family."""
    raise ParameterError(f"{policy.name}: clusters do not keep bookings yet, so that no workload can be run")
