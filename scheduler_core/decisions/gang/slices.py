"""When gang scheduling acts, and in which order jobs wait: slice boundaries and priorities, as the family's page says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from scheduler_core.common.units import seconds_to_us
from scheduler_core.contracts import JobClass
from scheduler_core.gang.queue import STEP, TOP
from scheduler_core.gang.state import LINES

if TYPE_CHECKING:
    from scheduler_core.gang.facts import GangFacts


class Boundaries:
    """The slice boundaries of a schedule, from its table ``levels``: the instants at which submissions and ends are acted on."""

    def __init__(self, facts: GangFacts, levels: pl.DataFrame) -> None:
        """Find the passes at which the length of the slice changed, from which boundaries are counted."""
        changes = [(0, 0)]
        for begin, end, level in levels.sort("begin_us").select("begin_us", "end_us", "level").iter_rows():
            changes += [(begin, level), (end, 0)]
        self.at, self.length = [0], [slice_at(facts, 0)]
        for (begin, level), (following, _) in zip(changes, [*changes[1:], (None, 0)], strict=True):
            length = slice_at(facts, level)
            if begin != following and length != self.length[-1]:
                self.at.append(begin)
                self.length.append(length)

    def after(self, now: int) -> int:
        """Return the first boundary at or after an instant."""
        # A length in force from ``now`` on was set by the pass at ``now``, which is a boundary.
        last = int(np.searchsorted(self.at, now, side="right")) - 1
        return self.at[last] - (self.at[last] - now) // self.length[last] * self.length[last]


def slice_at(facts: GangFacts, level: int) -> int:
    """Return the length of a time slice while so many slots take turns; 1 where events are acted on at once."""
    if not facts.slice_us:
        return 1
    return facts.slice_us if facts.cycle_slots is None else facts.slice_us * facts.cycle_slots // max(level, 1)


def level_at(levels: pl.DataFrame, now: int) -> int:
    """Return how many slots take turns at an instant; 0 while nothing runs."""
    row = levels.filter((pl.col("begin_us") <= now) & (pl.col("end_us") > now))
    return int(row["level"][0]) if row.height else 0


def priority_at(row: dict[str, Any], values: dict[str, Any], now: int) -> int:
    """Return the priority of a job that waits, as the family's page says."""
    short, medium = (seconds_to_us(values[f"{name}_limit_s"]) for name in ("short", "medium"))
    estimate = row["estimate_us"]
    stated = row.get("class")
    kind = JobClass.categories.to_list().index(stated) if stated else int(estimate > short) + int(estimate > medium)
    raised = 0 if values["aging_s"] == "off" else (now - row["submit_us"]) // seconds_to_us(values["aging_s"])
    return min(TOP, STEP * (LINES - 1 - kind + raised))
