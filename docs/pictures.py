"""The ten jobs of the documentation under every policy and preset of space sharing, drawn by the program."""

from __future__ import annotations

from pathlib import Path

import slotwise as sw
from scheduler_core.declarations.policy import Policy, family_of
from slotwise.decisions.gantt import draw, gantt

TEN_JOBS = Path(__file__).parent / "examples" / "ten.swf"


def drawn_policies() -> dict[str, type[Policy]]:
    """Return the policies and presets of space sharing by name."""
    kinds = [kind for kind in sw.policies().values() if family_of(kind) == "space_sharing"]
    return {name: kind for kind in kinds for name in (kind.name, *kind.presets)}


def draw_all(folder: Path) -> None:
    """Draw the schedule of the ten jobs under every policy and preset of space sharing: ``<name>.svg``."""
    folder.mkdir(parents=True, exist_ok=True)
    workload = sw.read_log(TEN_JOBS)
    for name in drawn_policies():
        draw(gantt(sw.simulate(workload, name)), folder / f"{name}.svg")
