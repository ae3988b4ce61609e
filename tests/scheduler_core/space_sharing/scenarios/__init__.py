"""All hand-worked scenarios of the space-sharing family."""

from __future__ import annotations

from tests.scheduler_core.space_sharing.scenario import WORKED, Scenario
from tests.scheduler_core.space_sharing.scenarios import (
    easy_candidates,
    easy_instants,
    easy_queue,
    easy_reservation,
    list_scheduling,
    planned,
)

__all__ = ["SCENARIOS", "Scenario"]

PARTS = (
    list_scheduling,
    easy_instants,
    easy_reservation,
    easy_candidates,
    easy_queue,
    planned,
)

SCENARIOS: dict[str, tuple[Scenario, str]] = {
    name: WORKED[name] for part in PARTS for name in vars(part) if name in WORKED
}
"""Name -> (scenario, docstring with its Gantt charts)."""
