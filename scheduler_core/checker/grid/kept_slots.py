"""Where slots are that are kept free until the latest finish, on clusters in slices: each gives way only to kept ones before it.

As the clock takes along slots whose tasks may not start yet, they come to stand in each other's way. Then they are placed again,
in the order of bookings: each gets the earliest reading that started jobs and slots before it leave, from its begin or the clock
on. These are some hundred placements per task, so they are compiled. A moment with k slots and jobs costs O(k^2).
"""

from typing import NamedTuple

import numpy as np
import polars as pl

from scheduler_core.checker.evidence import column_of
from scheduler_core.checker.grid.class_plans import processors_in, taken_by_jobs
from scheduler_core.checker.grid.clusters import ClustersInSlices
from scheduler_core.checker.slices.evidence import CLASSES, expanded
from scheduler_core.common.units import NEVER_US
from scheduler_core.kernel.jit import kernel, kernel_entry


class Taken(NamedTuple):
    """The processors taken at readings of a class's clock: a step function. ``steps`` has one entry, the number of its steps."""

    times: np.ndarray
    used: np.ndarray
    steps: np.ndarray


class Moments(NamedTuple):
    """Times at which kept slots of a class move. Entries m of ``spans`` and ``slots`` are the first span and slot of moment m."""

    clock: np.ndarray
    processors: np.ndarray
    spans: np.ndarray
    slots: np.ndarray


class Spans(NamedTuple):
    """What started jobs take: from which reading of the clock to which, how many processors."""

    low: np.ndarray
    high: np.ndarray
    size: np.ndarray


class Slots(NamedTuple):
    """Kept slots just before each moment, in the order of bookings: their rows, and the rows of their slides at that moment."""

    row: np.ndarray
    first_slide: np.ndarray
    slides: np.ndarray


class Rows(NamedTuple):
    """Columns of slides; ``low``, ``high`` and ``most`` are filled in. ``most`` is -1 where nothing is known."""

    size: np.ndarray
    estimate: np.ndarray
    shown: np.ndarray
    hidden: np.ndarray
    low: np.ndarray
    high: np.ndarray
    most: np.ndarray


@kernel
def step_before(time: int, taken: Taken) -> int:
    """Return the number of the step in which a reading lies."""
    low, high = 0, taken.steps[0] - 1
    while low < high:
        middle = (low + high + 1) >> 1
        if taken.times[middle] <= time:
            low = middle
        else:
            high = middle - 1
    return low


@kernel
def step_at(time: int, taken: Taken) -> int:
    """Make a step begin at a reading; return its number."""
    step = step_before(time, taken)
    if taken.times[step] < time:
        step += 1
        for later in range(taken.steps[0], step, -1):
            taken.times[later], taken.used[later] = taken.times[later - 1], taken.used[later - 1]
        taken.times[step], taken.used[step] = time, taken.used[step - 1]
        taken.steps[0] += 1
    return step


@kernel
def take(low: int, high: int, size: int, taken: Taken) -> None:
    """Take processors from one reading to another."""
    first = step_at(low, taken)
    for step in range(first, step_at(high, taken)):
        taken.used[step] += size


@kernel
def earliest(since: int, length: int, most: int, taken: Taken) -> int:
    """Return the earliest reading, from another on, from which no more than ``most`` are taken for a time."""
    step, begin = step_before(since, taken), since
    while step < taken.steps[0] and taken.times[step] < begin + length:
        if taken.used[step] > most:
            begin = taken.times[step + 1] if step + 1 < taken.steps[0] else NEVER_US
        step += 1
    return begin


@kernel_entry
def place_again(moments: Moments, spans: Spans, slots: Slots, rows: Rows, taken: Taken) -> None:
    """Place the kept slots of every moment again, in order; note in ``rows`` where those that move can be at the latest."""
    for moment in range(len(moments.clock)):
        clock, sure = moments.clock[moment], True
        taken.times[0], taken.used[0], taken.steps[0] = -1, 0, 1
        for k in range(moments.spans[moment], moments.spans[moment + 1]):
            take(spans.low[k], spans.high[k], spans.size[k], taken)
        for k in range(moments.slots[moment], moments.slots[moment + 1]):
            row = slots.row[k]
            low, high, size, estimate = rows.low[row], rows.high[row], rows.size[row], rows.estimate[row]
            place = earliest(max(high, clock), estimate, moments.processors[moment] - size, taken)
            sure = sure and (low == high or high <= clock)
            for entry in range(slots.first_slide[k], slots.first_slide[k + 1]):
                slide = slots.slides[entry]
                rows.most[slide] = place
                if rows.hidden[slide] and place >= rows.low[slide]:
                    known = sure and (place <= rows.shown[slide] or rows.shown[slide] == rows.high[slide])
                    rows.high[slide] = min(rows.high[slide], place)
                    if known:
                        rows.low[slide] = rows.high[slide]
            take(place if sure else max(rows.low[row], clock), place + estimate, size, taken)


def with_latest_places(laid: ClustersInSlices, rows: pl.DataFrame) -> pl.DataFrame:
    """Return slides with ``most``, the latest reading of kept slots that move; null for others.

    Readings that were hidden become known where those of all kept slots before are: a slot that is not at its bound is where it
    was placed again.
    """
    size, estimate, shown = (column_of(rows, name).astype(np.int64) for name in ("size", "estimate_us", "shown"))
    low, high = (column_of(rows, name).astype(np.int64) for name in ("low", "high"))
    hidden, most = column_of(rows, "hidden").astype(np.bool_), np.full(rows.height, -1)
    filled = Rows(size, estimate, shown, hidden, low, high, most)
    kept = (pl.col("number") > 0) & (pl.col("at_us") <= pl.col("latest_us"))
    down = pl.col("hidden") | (pl.col("low") > pl.max_horizontal(pl.col("high").shift(1).over("job"), "clock"))
    numbered = rows.with_columns(row=pl.int_range(pl.len()), kept=kept)
    for kind in CLASSES:
        own = numbered.filter(pl.col("kind") == kind)
        times = np.unique(column_of(own.filter(kept & down), "at_us"))
        moment, spans = spans_before(laid, kind, times)
        slot_moment, slots = kept_before(own, times)
        edges = np.arange(len(times) + 1)
        clock = laid.class_time.clock(np.full(len(times), kind), times).astype(np.int64)
        processors = processors_in(laid, times).astype(np.int64)
        begins = np.searchsorted(moment, edges), np.searchsorted(slot_moment, edges)
        longest = 2 * int(sum(np.diff(part).max(initial=0) for part in begins)) + 8
        taken = Taken(np.zeros(longest, np.int64), np.zeros(longest, np.int64), np.zeros(1, np.int64))
        place_again(Moments(clock, processors, *begins), spans, slots, filled, taken)
    found = pl.Series("low", low), pl.Series("high", high), pl.Series("most", most).replace(-1, None)
    return rows.with_columns(*found)


def spans_before(laid: ClustersInSlices, kind: int, moments: np.ndarray) -> tuple[np.ndarray, Spans]:
    """Return what jobs that started before some moments take of a class's plan then, by the number of the moment."""
    jobs = taken_by_jobs(laid.class_time, kind, moments)
    jobs = jobs.filter(jobs["since_us"] < pl.Series(moments[column_of(jobs, "moment")])).sort("moment")
    low, high, size = (column_of(jobs, name).astype(np.int64) for name in ("low", "high", "size"))
    return column_of(jobs, "moment"), Spans(low, high, size)


def kept_before(rows: pl.DataFrame, moments: np.ndarray) -> tuple[np.ndarray, Slots]:
    """Return the kept slots of waiting tasks just before some moments, by the number of the moment, in the order of bookings."""
    since = pl.col("at_us") + (pl.col("cause") != "booked")
    until = pl.min_horizontal("next_us", "begin_us", "latest_us")
    stands = rows.sort("place").with_columns(since=since, until=until)
    slot, moment = expanded(
        np.searchsorted(moments, column_of(stands, "since")),
        np.searchsorted(moments, column_of(stands, "until"), side="right") - 1,
    )
    order = np.argsort(moment, kind="stable")
    slots = stands[slot[order]].select("row", "job", moment=pl.Series(moment[order])).with_row_index("entry")
    slides = rows.filter(pl.col("kept") & pl.col("at_us").is_in(moments))
    slides = slides.select("job", slide="row", moment=pl.Series(np.searchsorted(moments, column_of(slides, "at_us"))))
    pairs = slots.select("entry", "job", "moment").join(slides, on=["job", "moment"]).sort("entry", "slide")
    first = np.searchsorted(column_of(pairs, "entry"), np.arange(slots.height + 1))
    row, slide = (column_of(table, name).astype(np.int64) for table, name in ((slots, "row"), (pairs, "slide")))
    return column_of(slots, "moment"), Slots(row, first, slide)
