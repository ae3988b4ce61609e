"""Overflow is ruled out once, when a workload is created: no schedule of it can exceed int64."""

import math
from fractions import Fraction

import polars as pl

from scheduler_core.common.errors import ContractError
from scheduler_core.common.units import MICROSECONDS, NEVER_US

LARGEST = 2**63 - 1
"""The largest int64."""

SAFE = 0.999
"""The part of a limit up to which a sum in double precision proves that the exact sum is within it."""

NAMED = 3
"""The most jobs that an error names, the largest first."""


def check_reach(jobs: pl.DataFrame, stretch: float, transfers_us: int) -> None:
    """Raise :class:`ContractError` when times or work of a schedule could exceed int64.

    * Time: the last submission plus all run times (or estimates, if longer), one after another, stay below the time that stands
      for "never". Each counts ``stretch`` times, for jobs that slow each other down and for slow clusters; all transfers of
      workflows' data add ``transfers_us``. A policy that leaves the machine idle, or runs jobs below full speed, takes its own
      factor longer. The limit is some hundred thousand years, so this matters to no log.
    * Work: run times (up to the estimate) times sizes add up to at most int64.
    * Area: no job's estimate (or run time, if longer) times its size exceeds int64, because orders of the queue use it.
    """
    if jobs.is_empty():
        return
    run, estimate, size = pl.col("runtime_us"), pl.col("estimate_us"), pl.col("size")
    longest, shortest = pl.max_horizontal(run, estimate), pl.min_horizontal(run, estimate)
    exact = {"time": longest, "work": shortest, "area": longest}
    times_size = {"work", "area"}
    floats = {
        name: value.cast(pl.Float64) * (size.cast(pl.Float64) if name in times_size else stretch)
        for name, value in exact.items()
    }
    last = jobs["submit_us"].max()
    rough = jobs.select(
        floats["time"].sum() + float(last) + float(transfers_us),  # type: ignore[arg-type]
        floats["work"].sum().alias("work"),
        floats["area"].max().alias("area"),
    ).row(0)
    if all(value <= SAFE * limit for value, limit in zip(rough, (NEVER_US, LARGEST, LARGEST), strict=True)):
        return
    rows = jobs.select("job", "submit_us", size=size, longest=longest, shortest=shortest).rows(named=True)
    time = rows[-1]["submit_us"] + transfers_us + math.ceil(Fraction(stretch) * sum(row["longest"] for row in rows))
    if time >= NEVER_US:
        slowed = f" and each slowed down by up to {stretch:g}," if stretch > 1 else ""
        what = f"run times or estimates, one after the other,{slowed}"
        refuse(what, time, NEVER_US, {r["job"]: r["longest"] for r in rows})
    work = {row["job"]: row["shortest"] * row["size"] for row in rows}
    if sum(work.values()) > LARGEST:
        refuse("run times x sizes, added up,", sum(work.values()), LARGEST, work)
    area = {row["job"]: row["longest"] * row["size"] for row in rows}
    if max(area.values()) > LARGEST:
        refuse("the estimate (or run time) x size of a job", max(area.values()), LARGEST, area)


def check_capacity(jobs: pl.DataFrame, processors: int, what: str) -> None:
    """Raise :class:`ContractError` when processors x time from first start to last finish exceeds int64.

    Idle processor time is counted up to that product. ``jobs`` is the table of a schedule.
    """
    begin, end = jobs.select(pl.col("start_us").min(), pl.col("finish_us").max()).row(0)
    if begin is not None and (end - begin) * processors > LARGEST:
        raise ContractError(
            f"{what} counts busy and idle processor-time, and {processors:,} processors x "
            f"{(end - begin) // MICROSECONDS:,} s from first start to last finish are more than it can count to "
            f"({LARGEST // MICROSECONDS:,} s); take a part of the jobs, or a smaller machine"
        )


def refuse(what: str, reached: int, limit: int, of_jobs: dict[int, int]) -> None:
    """Raise the error of a sum over its limit, with the jobs that contribute most."""
    largest = sorted(of_jobs, key=lambda job: (-of_jobs[job], job))[:NAMED]
    named = ", ".join(f"job {job} ({of_jobs[job] // MICROSECONDS:,} s)" for job in largest)
    raise ContractError(
        f"workload: {what} reach {reached // MICROSECONDS:,} s, and a schedule can count no further than "
        f"{limit // MICROSECONDS:,} s; most of it have {named}; correct these jobs, or leave them out"
    )
