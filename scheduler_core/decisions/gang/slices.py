"""When gang scheduling acts, and in which order jobs wait: slice boundaries and priorities, as the family's page says."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from scheduler_core.common.units import seconds_to_us
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
        at, lengths = [0], [slice_at(facts, 0)]
        for (begin, level), (following, _) in zip(changes, [*changes[1:], (None, 0)], strict=True):
            length = slice_at(facts, level)
            if begin != following and length != lengths[-1]:
                at.append(begin)
                lengths.append(length)
        self.at, self.length = np.array(at), np.array(lengths)

    def after(self, times: np.ndarray) -> np.ndarray:
        """Return the first boundaries at or after instants."""
        # A length in force from an instant on was set by the pass at this instant, which is a boundary.
        last = np.searchsorted(self.at, times, side="right") - 1
        at, length = self.at[last], self.length[last]
        found: np.ndarray = at - (at - times) // length * length
        return found


def slice_at(facts: GangFacts, level: int) -> int:
    """Return the length of a time slice while so many slots take turns; 1 where events are acted on at once."""
    if not facts.slice_us:
        return 1
    return facts.slice_us if facts.cycle_slots is None else facts.slice_us * facts.cycle_slots // max(level, 1)


def level_at(levels: pl.DataFrame, now: int) -> int:
    """Return how many slots take turns at an instant; 0 while nothing runs."""
    row = levels.filter((pl.col("begin_us") <= now) & (pl.col("end_us") > now))
    return int(row["level"][0]) if row.height else 0


class Queue:
    """Jobs by their places in the workload: when they wait, and in which order."""

    def __init__(self, jobs: pl.DataFrame, values: dict[str, Any], boundaries: Boundaries) -> None:
        """Find the boundary at which each job joins the queue; ``values`` are the parameters of the policy."""
        self.jobs, self.values, self.boundaries = jobs, values, boundaries
        self.submit, self.start = (jobs[name].to_numpy() for name in ("submit_us", "start_us"))
        self.joined = boundaries.after(self.submit)

    @cached_property
    def kind(self) -> np.ndarray:
        """The number of each job's class: as stated, else by its estimate."""
        short, medium = (seconds_to_us(self.values[f"{name}_limit_s"]) for name in ("short", "medium"))
        estimate = self.jobs["estimate_us"].to_numpy()
        kind = (estimate > short).astype(np.int64) + (estimate > medium)
        if "class" not in self.jobs.columns:
            return kind
        stated = self.jobs["class"].to_physical().cast(pl.Int64).fill_null(-1).to_numpy()
        return np.where(stated < 0, kind, stated)

    def priorities(self, places: np.ndarray, now: int) -> np.ndarray:
        """Return the priorities of jobs that wait, as the family's page says."""
        aging = self.values["aging_s"]
        raised = 0 if aging == "off" else (now - self.submit[places]) // seconds_to_us(aging)
        return np.minimum(TOP, STEP * (LINES - 1 - self.kind[places] + raised))

    def ahead(self, own: int, others: np.ndarray, now: int) -> tuple[int, int]:
        """Return how many of the others that wait at an instant are before a job, and the place of the head of the queue."""
        waiting = others[(self.start[others] > now) & (self.joined[others] <= now)]
        before = waiting < own
        if self.values.get("queue") == "priority":
            (mine,), theirs = self.priorities(np.array([own]), now), self.priorities(waiting, now)
            before = (theirs > mine) | ((theirs == mine) & before)
            first = waiting[before & (theirs == theirs.max(initial=mine))]
        else:
            first = waiting[before]
        return int(before.sum()), int(first.min()) if len(first) else own
