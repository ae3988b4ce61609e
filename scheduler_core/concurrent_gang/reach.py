"""The limits of Concurrent Gang: it counts nanoseconds in 64 bits, so some times that suit other families are too long."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from scheduler_core.common.errors import ContractError
from scheduler_core.common.units import MICROSECONDS
from scheduler_core.concurrent_gang.state import LATEST

if TYPE_CHECKING:
    from collections.abc import Mapping

LATEST_US = LATEST // 1000
"""A time that a run can reach."""

MOST_WORK_US = 2**62 // 1000
"""What the tasks of a job may take together."""


def check_times(jobs: pl.DataFrame, companions: Mapping[str, pl.DataFrame]) -> None:
    """Raise :class:`ContractError` for a job that is submitted too late, or whose tasks take too long, to be counted.

    ``jobs`` are those that take part. Sums are those of double precision, which are near enough: limits are far below the end
    of int64.
    """
    size, run = pl.col("size").cast(pl.Float64), pl.min_horizontal("runtime_us", "estimate_us").cast(pl.Float64)
    refuse(jobs.select("job", time=pl.col("submit_us").cast(pl.Float64)), LATEST_US, "is submitted at")
    refuse(jobs.select("job", time=run), LATEST_US, "takes")
    refuse(jobs.select("job", time=run * size), MOST_WORK_US, "takes, all its tasks together,")
    if "programs" in companions:
        programs = companions["programs"].group_by("job").agg(time=pl.col("time_us").cast(pl.Float64).sum())
        refuse(programs.join(jobs, on="job", how="semi"), LATEST_US, "takes, by its program,")


def refuse(times: pl.DataFrame, limit_us: int, what: str) -> None:
    """Raise :class:`ContractError` when a time of a job is longer than the limit, with the longest of them."""
    longest = times.sort("time", "job", descending=[True, False]).head(1)
    for job, time in longest.filter(pl.col("time") > limit_us).rows():
        raise ContractError(
            f"concurrent_gang: job {job} {what} {time / MICROSECONDS:,.0f} s, and a run, which counts nanoseconds, can count to "
            f"{limit_us // MICROSECONDS:,} s; correct the job, or leave it out"
        )
