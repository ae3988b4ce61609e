"""Windows of a workload: whole weeks, with warm-up and cool-down."""

from __future__ import annotations

import polars as pl

from scheduler_core.contracts import WORKLOAD_OPTIONAL, Workload
from scheduler_core.errors import ParameterError
from scheduler_core.units import MICROSECONDS

WEEK_US = 7 * 24 * 3600 * MICROSECONDS
"""Microseconds in a week."""


def weeks(workload: Workload, first: int, count: int, warm_up: int = 0, cool_down: int = 0) -> Workload:
    """Keep the jobs submitted in ``count`` whole weeks, and in the weeks before and after that frame them.

    Weeks are counted from 1 and begin at the workload's origin (for a log, the time its header gives as start), not at
    its first job. The column ``phase`` says which jobs are to be measured: ``warm_up`` fills the machine before them,
    ``cool_down`` keeps it busy after them. Submissions keep their distance from the workload's origin.

    Parameters
    ----------
    first
        The first measured week, from 1.
    count
        Measured weeks.
    warm_up, cool_down
        Weeks kept before and after the measured ones.

    Raises
    ------
    ParameterError
        When a number is out of range, or the weeks reach beyond the workload.
    """
    for name, value, least in (
        ("first", first, 1),
        ("count", count, 1),
        ("warm_up", warm_up, 0),
        ("cool_down", cool_down, 0),
    ):
        if type(value) is not int or value < least:
            raise ParameterError(f"weeks: {name} must be a whole number of at least {least}; found {value!r}")
    if first - warm_up < 1:
        raise ParameterError(
            f"weeks: a warm-up of {warm_up} before week {first} begins before week 1; expected first > warm_up"
        )
    if not len(workload):
        return workload
    last = first + count - 1 + cool_down
    weeks_there = workload.jobs["submit_us"][-1] // WEEK_US + 1
    if last > weeks_there:
        raise ParameterError(f"weeks: the window ends with week {last}; the workload has {weeks_there} weeks")
    week = pl.col("submit_us") // WEEK_US + 1
    kept = workload.jobs.filter(week.is_between(first - warm_up, last)).with_columns(phase=phase(week, first, count))
    values = {"first": first, "count": count, "warm_up": warm_up, "cool_down": cool_down}
    return workload.transformed(kept, {"step": "weeks", **values})


def phase(week: pl.Expr, first: int, count: int) -> pl.Expr:
    """Give the phase of a job submitted in ``week``."""
    return (
        pl.when(week < first)
        .then(pl.lit("warm_up"))
        .when(week >= first + count)
        .then(pl.lit("cool_down"))
        .otherwise(pl.lit("measured"))
        .cast(WORKLOAD_OPTIONAL["phase"])
    )
