"""The ten jobs of the documentation under every policy and preset of space sharing, drawn by the program."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import slotwise as sw
from scheduler_core.declarations.policy import family_of
from slotwise.decisions.gantt import gantt

TEN_JOBS = Path(__file__).parent / "examples" / "ten.swf"


@cache
def drawn_schedules() -> dict[str, dict[str, sw.Run]]:
    """Return the schedules to draw of each policy of space sharing: its own, and those of its presets that differ from it."""
    workload = sw.read_log(TEN_JOBS)
    found = {}
    for name, kind in sw.policies().items():
        if family_of(kind) == "space_sharing":
            own = sw.simulate(workload, name)
            presets = {preset: sw.simulate(workload, preset) for preset in kind.presets}
            differing = {word: made for word, made in presets.items() if not made.jobs.equals(own.jobs)}
            found[name] = {name: own, **differing}
    return found


def draw_all(folder: Path) -> None:
    """Draw these schedules: ``<name of the policy or preset>.svg``."""
    folder.mkdir(parents=True, exist_ok=True)
    for schedules in drawn_schedules().values():
        for name, schedule in schedules.items():
            gantt(schedule).save(folder / f"{name}.svg")
