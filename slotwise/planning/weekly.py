"""How busy a machine is, and how many jobs wait, week by week."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from slotwise.planning.waits import HOUR_US, WEEK_US

if TYPE_CHECKING:
    from scheduler_core.contracts import Schedule

OWN_PROCESSORS = "space_sharing"
"""The family in which a job keeps its processors from its start to its end."""


def weeks_of_schedule(schedule: Schedule) -> pl.DataFrame:
    """Return ``week, utilisation, queue`` of a schedule (:func:`weeks_of`)."""
    jobs = schedule.jobs.filter(pl.col("finish_us").is_not_null())
    wait_us = jobs.select("submit_us", end_us="start_us")
    if schedule.family.name == OWN_PROCESSORS:
        busy = jobs.select(begin_us="start_us", end_us="finish_us", processors="processors")
    else:
        held = schedule.allocations.filter(pl.col("end_us") > pl.col("begin_us"))
        worked = pl.col("work_us") / (pl.col("end_us") - pl.col("begin_us"))  # less than 1 where slots take turns
        busy = held.select("begin_us", "end_us", processors=pl.col("processors") * worked)
    return weeks_of(wait_us, busy, schedule.machine.processors)


def recorded_weeks(known: pl.DataFrame, processors: int) -> pl.DataFrame:
    """Return ``week, utilisation, queue`` of what a log recorded (:func:`weeks_of`), of its jobs with a recorded wait."""
    start, run = pl.col("submit_us") + pl.col("recorded_wait_us"), pl.min_horizontal("runtime_us", "estimate_us")
    busy = known.select(begin_us=start, end_us=start + run, processors="size")
    return weeks_of(known.select("submit_us", end_us=start), busy, processors)


def weeks_of(waiting: pl.DataFrame, busy: pl.DataFrame, processors: int) -> pl.DataFrame:
    """Return ``week, utilisation, queue``: the share of ``processors`` in use, and the mean number of waiting jobs.

    Weeks count from the log's zero and reach from the first submission to the last; both ends may be parts of weeks. ``waiting``
    has ``submit_us, end_us`` of each job's wait, ``busy`` has ``begin_us, end_us, processors`` of all processors in use.
    """
    submit_us = waiting["submit_us"].to_numpy()
    first, last = int(submit_us.min()), int(submit_us.max())
    weeks = range(first // WEEK_US, last // WEEK_US + 1)
    edges = [first, *[week * WEEK_US for week in weeks[1:]], last]
    lengths = [(after - before) / HOUR_US for before, after in pairwise(edges)]
    used, waited = np.array(busy["processors"], dtype=float), np.ones(waiting.height)
    in_use = between(edges, busy["begin_us"].to_numpy(), busy["end_us"].to_numpy(), used)
    queue = between(edges, submit_us, waiting["end_us"].to_numpy(), waited)
    rows = [
        (week, busy_h / (length * processors), queue_h / length)
        for week, length, busy_h, queue_h in zip(weeks, lengths, in_use, queue, strict=True)
        if length > 0
    ]
    return pl.DataFrame(rows, schema={"week": pl.Int64, "utilisation": pl.Float64, "queue": pl.Float64}, orient="row")


def between(edges: list[int], begin_us: np.ndarray, end_us: np.ndarray, number: np.ndarray) -> np.ndarray:
    """Return the hours that periods last between consecutive edges (microseconds), each times its number."""
    length_us = end_us - begin_us
    until = [(np.clip(edge - begin_us, 0, length_us) / HOUR_US * number).sum() for edge in edges]
    return np.diff(until)
