"""Where slots are that are kept free until the latest finish, on clusters in slices: each gives way only to kept ones before it.

As the clock takes along slots whose tasks may not start yet, they come to stand in each other's way. Then they are placed again,
in the order of bookings: each gets the earliest reading that started jobs and slots before it leave, from its begin or the clock
on.
"""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import polars as pl

from scheduler_core.checker.evidence import column_of
from scheduler_core.checker.grid.class_plans import processors_in, taken_by_jobs
from scheduler_core.checker.grid.clusters import ClustersInSlices
from scheduler_core.checker.slices.evidence import CLASSES, expanded
from scheduler_core.common.units import NEVER_US

Span = tuple[int, int, int]
"""From which reading of a class's clock to which a job takes how many processors."""


class Taken:
    """The processors taken at readings of a class's clock: a step function."""

    def __init__(self, spans: list[Span]) -> None:
        self.times, self.used = [-1], [0]
        for span in spans:
            self.take(*span)

    def take(self, low: int, high: int, size: int) -> None:
        """Take processors from one reading to another."""
        first, last = self.step_at(low), self.step_at(high)
        for step in range(first, last):
            self.used[step] += size

    def step_at(self, time: int) -> int:
        """Make a step begin at a reading; return its number."""
        step = bisect_right(self.times, time) - 1
        if self.times[step] < time:
            step += 1
            self.times.insert(step, time)
            self.used.insert(step, self.used[step - 1])
        return step

    def earliest(self, since: int, length: int, most: int) -> int:
        """Return the earliest reading, from another on, from which no more than ``most`` are taken for a time."""
        step, begin = bisect_right(self.times, since) - 1, since
        while step < len(self.times) and self.times[step] < begin + length:
            if self.used[step] > most:
                begin = self.times[step + 1] if step + 1 < len(self.times) else NEVER_US
            step += 1
        return begin


@dataclass(frozen=True)
class Moment:
    """A time at which kept slots of a class move: what its started jobs take, and the kept slots just before, in order."""

    clock: int
    processors: int
    taken: Taken
    waiting: list[tuple[int, int, int]]  # the row of each slot, its size and estimate
    moved: dict[int, list[int]]  # the rows of the slides at that time, by the row of the slot before


def with_latest_places(laid: ClustersInSlices, rows: pl.DataFrame) -> pl.DataFrame:
    """Return slides with ``most``, the latest reading of kept slots that move; null for others.

    Readings that were hidden become known where those of all kept slots before are: a slot that is not at its bound is where it
    was placed again.
    """
    low, high, shown, hidden = (rows[name].to_list() for name in ("low", "high", "shown", "hidden"))
    most: list[int | None] = [None] * rows.height
    for moment in moments_of_moves(laid, rows.with_columns(row=pl.int_range(pl.len()))):
        sure, taken = True, moment.taken
        for row, size, estimate in moment.waiting:
            place = taken.earliest(max(high[row], moment.clock), estimate, moment.processors - size)
            sure = sure and (low[row] == high[row] or high[row] <= moment.clock)
            for slide in moment.moved.get(row, ()):
                most[slide] = place
                if hidden[slide] and place >= low[slide]:
                    known = sure and (place <= shown[slide] or shown[slide] == high[slide])
                    high[slide] = min(high[slide], place)
                    low[slide] = high[slide] if known else low[slide]
            taken.take(place if sure else max(low[row], moment.clock), place + estimate, size)
    columns = {"low": low, "high": high, "most": most}
    return rows.with_columns(pl.Series(name, values, dtype=pl.Int64) for name, values in columns.items())


def moments_of_moves(laid: ClustersInSlices, rows: pl.DataFrame) -> Iterator[Moment]:
    """Return the times at which kept slots may have moved down, class by class, in order."""
    kept = (pl.col("number") > 0) & (pl.col("at_us") <= pl.col("latest_us"))
    down = pl.col("hidden") | (pl.col("low") > pl.max_horizontal(pl.col("high").shift(1).over("job"), "clock"))
    for kind in CLASSES:
        own = rows.filter(pl.col("kind") == kind)
        moments = np.unique(column_of(own.filter(kept & down), "at_us"))
        taken, waiting = spans_before(laid, kind, moments), kept_before(own, moments)
        moved: dict[tuple[int, int], list[int]] = defaultdict(list)
        for job, at, row in own.filter(kept).select("job", "at_us", "row").iter_rows():
            moved[job, at].append(row)
        clock, processors = laid.class_time.clock(np.full(len(moments), kind), moments), processors_in(laid, moments)
        for number, at in enumerate(moments.tolist()):
            slots = waiting[number]
            slides = {row: moved[job, at] for row, job, _, _ in slots if (job, at) in moved}
            order = [(row, size, estimate) for row, _, size, estimate in slots]
            yield Moment(int(clock[number]), int(processors[number]), Taken(taken[number]), order, slides)


def spans_before(laid: ClustersInSlices, kind: int, moments: np.ndarray) -> dict[int, list[Span]]:
    """Return what jobs that started before some moments take of a class's plan then, by the number of the moment."""
    jobs = taken_by_jobs(laid.class_time, kind, moments)
    jobs = jobs.filter(jobs["since_us"] < pl.Series(moments[column_of(jobs, "moment")]))
    found: dict[int, list[Span]] = defaultdict(list)
    for moment, low, high, size in jobs.select("moment", "low", "high", "size").iter_rows():
        found[moment].append((low, high, size))
    return found


def kept_before(rows: pl.DataFrame, moments: np.ndarray) -> dict[int, list[tuple[int, int, int, int]]]:
    """Return the kept slots of waiting tasks just before some moments: row, job, size and estimate, in the order of bookings."""
    since = pl.col("at_us") + (pl.col("cause") != "booked")
    until = pl.min_horizontal("next_us", "begin_us", "latest_us")
    rows = rows.sort("place").with_columns(since=since, until=until)
    row, moment = expanded(
        np.searchsorted(moments, column_of(rows, "since")),
        np.searchsorted(moments, column_of(rows, "until"), side="right") - 1,
    )
    found: dict[int, list[tuple[int, int, int, int]]] = defaultdict(list)
    slots = rows.select("row", "job", "size", "estimate_us").rows()
    for slot, number in zip(row.tolist(), moment.tolist(), strict=True):
        found[number].append(slots[slot])
    return found
