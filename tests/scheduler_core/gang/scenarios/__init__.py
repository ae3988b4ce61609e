"""All hand-worked scenarios of gang scheduling."""

from __future__ import annotations

from tests.scheduler_core.gang.scenario import WORKED, Scenario
from tests.scheduler_core.gang.scenarios import adaptation, matrix, packing, queue

__all__ = ["SCENARIOS", "Scenario"]

PARTS = (matrix, packing, queue, adaptation)

SCENARIOS: dict[str, Scenario] = {name: WORKED[name] for part in PARTS for name in vars(part) if name in WORKED}
"""Name -> scenario."""
