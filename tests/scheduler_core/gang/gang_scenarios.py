"""All hand-worked scenarios of gang scheduling."""

from __future__ import annotations

import gang_scenarios_adaptation
import gang_scenarios_matrix
import gang_scenarios_packing
import gang_scenarios_queue
from gang_scenario import WORKED, Scenario

__all__ = ["SCENARIOS", "Scenario"]

PARTS = (gang_scenarios_matrix, gang_scenarios_packing, gang_scenarios_queue, gang_scenarios_adaptation)

SCENARIOS: dict[str, Scenario] = {name: WORKED[name] for part in PARTS for name in vars(part) if name in WORKED}
"""Name -> scenario."""
