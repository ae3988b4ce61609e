"""Waits of jobs in hours, the groups they are looked at in, and how well two series of waits agree."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from scheduler_core.common.units import MICROSECONDS
from scheduler_core.runs.summary import BOUND_S

if TYPE_CHECKING:
    from scheduler_core.contracts import Schedule, Workload

HOUR_US = 3600 * MICROSECONDS
DAY_US = 24 * HOUR_US
WEEK_US = 7 * DAY_US

LEAST_JOBS_OF_A_WEEK = 10
"""Weeks with fewer jobs are left out of correlations: their mean wait says little."""

SIZES = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096)
RUN_TIMES = {"to 1 min": 60, "to 10 min": 600, "to 1 h": 3600, "to 6 h": 21_600, "to 24 h": 86_400}

NUMBERED = ("user", "group", "queue", "partition")
"""Groups that are numbers of the log."""


def waits_of(schedule: Schedule) -> pl.DataFrame:
    """Return ``job, wait_h, response_h, slowdown`` of the jobs that ended; ``slowdown`` is the bounded one (10 s).

    The wait is the response time less the run time, so a preempted job waits while it is suspended, too.
    """
    jobs = schedule.jobs.filter(pl.col("finish_us").is_not_null())
    run = pl.min_horizontal("runtime_us", "estimate_us")
    response = pl.col("finish_us") - pl.col("submit_us")
    bound_us = round(BOUND_S * MICROSECONDS)
    return jobs.select(
        "job",
        wait_h=(response - run) / HOUR_US,
        response_h=response / HOUR_US,
        slowdown=pl.max_horizontal(response / pl.max_horizontal(run, pl.lit(bound_us)), pl.lit(1.0)),
    )


def clock_of(workload: Workload) -> int | None:
    """Return the local time of day at a workload's zero, in microseconds; None when no header states it."""
    clock = workload.provenance.get("clock")
    return None if clock is None else (clock["start_s"] + clock["utc_offset_s"]) * MICROSECONDS % DAY_US


def grouped(jobs: pl.DataFrame, clock_us: int | None) -> pl.DataFrame:
    """Return jobs with a column for each of :data:`slotwise.planning.KINDS` that they have.

    ``week`` counts from the clock's zero. ``hour`` is the hour of submission in local time, without summer time; it requires
    ``clock_us`` (:func:`clock_of`). ``size`` and ``run time`` are classes.
    """
    limits = [limit * MICROSECONDS for limit in RUN_TIMES.values()]
    sizes = ["1", *[str(high) if high == low + 1 else f"{low + 1}–{high}" for low, high in pairwise(SIZES)]]
    return jobs.with_columns(
        pl.col("size")
        .bin_intervals(list(SIZES), right_closed=True, labels=[*sizes, f"over {SIZES[-1]}"])
        .alias("size"),
        pl.col("runtime_us")
        .bin_intervals(limits, right_closed=True, labels=[*RUN_TIMES, "over 24 h"])
        .alias("run time"),
        week=pl.col("submit_us") // WEEK_US,
        **({} if clock_us is None else {"hour": (pl.col("submit_us") + clock_us) % DAY_US // HOUR_US}),
    )


def has_groups(table: pl.DataFrame, kind: str) -> bool:
    """Return whether jobs state at least two groups of a kind."""
    return kind in table.columns and table[kind].drop_nulls().n_unique() > 1


def group_means(table: pl.DataFrame, kind: str, columns: Mapping[str, str]) -> pl.DataFrame:
    """Return ``kind, jobs`` and the mean of each group of jobs in the columns: new name by old name.

    Sums are made in the order of job numbers. Those of a parallel group-by differ in their last digits from run to run.
    """
    kept = table.select("job", kind, *columns).drop_nulls(kind).sort("job")
    numbers = kept[kind].to_physical().to_numpy()
    _, first, places = np.unique(numbers, return_index=True, return_inverse=True)
    jobs = np.bincount(places)
    means = {new: np.bincount(places, kept[old].to_numpy()) / jobs for old, new in columns.items()}
    return pl.DataFrame({kind: kept[kind].gather(first), "jobs": jobs, **means})


def with_enough_jobs(weeks: pl.DataFrame) -> pl.DataFrame:
    """Return the weeks of a table of :func:`group_means` that have enough jobs (:data:`LEAST_JOBS_OF_A_WEEK`)."""
    return weeks.filter(pl.col("jobs") >= LEAST_JOBS_OF_A_WEEK)


def ranks(values: np.ndarray) -> np.ndarray:
    """Return the rank of each value; equal values share the mean of their ranks."""
    return pl.Series(values).rank().to_numpy()


def correlation(one: np.ndarray, other: np.ndarray) -> float | None:
    """Return the correlation of two series, such as of their :func:`ranks`; None for fewer than three values or equal ones."""
    if len(one) < 3 or any(values.min() == values.max() for values in (one, other)):
        return None
    return float(np.corrcoef(one, other)[0, 1])
