"""All hand-worked scenarios of the space-sharing family."""

from __future__ import annotations

import scenarios_easy_candidates
import scenarios_easy_instants
import scenarios_easy_queue
import scenarios_easy_reservation
import scenarios_list
import scenarios_planned
from scenario import WORKED, Scenario

__all__ = ["SCENARIOS", "Scenario"]

PARTS = (
    scenarios_list,
    scenarios_easy_instants,
    scenarios_easy_reservation,
    scenarios_easy_candidates,
    scenarios_easy_queue,
    scenarios_planned,
)

SCENARIOS: dict[str, tuple[Scenario, str]] = {
    name: WORKED[name] for part in PARTS for name in vars(part) if name in WORKED
}
"""Name -> (scenario, docstring with its Gantt charts)."""
