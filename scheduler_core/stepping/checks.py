"""What a local scheduler refuses to do, and where a job stands among those to come."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

import polars as pl

from scheduler_core.common.errors import ParameterError
from scheduler_core.stepping.local_scheduler import Job

if TYPE_CHECKING:
    import numpy as np


def check_job(job: Job, processors: int, now_us: int) -> None:
    """Raise :class:`ParameterError` when a job cannot be submitted to a machine of so many processors at this time."""
    if job.submit_us < now_us:
        raise ParameterError(
            f"job {job.job}: submitted at {job.submit_us} us, when the scheduler is at {now_us} us already"
        )
    if not 1 <= job.size <= processors:
        raise ParameterError(f"job {job.job}: expected 1 to {processors} processors; found {job.size}")
    if job.runtime_us < 1 or job.estimate_us < 1:
        raise ParameterError(
            f"job {job.job}: run time and estimate must be positive; found {job.runtime_us} and {job.estimate_us} us"
        )


def check_jobs(jobs: pl.DataFrame, processors: int, now_us: int) -> None:
    """Raise :class:`ParameterError` for the first of many jobs that cannot be submitted; see :func:`check_job`."""
    refused = jobs.filter(
        (pl.col("submit_us") < now_us)
        | ~pl.col("size").is_between(1, processors)
        | (pl.min_horizontal("runtime_us", "estimate_us") < 1)
    )
    for row in refused.select("job", "submit_us", "runtime_us", "estimate_us", "size").head(1).rows():
        check_job(Job(*row), processors, now_us)


def place_among(coming: np.ndarray, first: int, last: int, job: Job) -> int:
    """Return the place of a job among jobs to come, rows ``first`` to ``last``: by submission, then number."""
    submit, number = coming["submit"], coming["job"]
    own = job.submit_us, job.job
    return first + bisect_left(range(first, last), own, key=lambda k: (submit[k], number[k]))


def check_booking(job: Job, processors: int, now_us: int) -> None:
    """Raise :class:`ParameterError` when a job cannot be booked on a machine of so many processors at this time."""
    check_job(job, processors, now_us)
    if job.submit_us != now_us:
        raise ParameterError(f"job {job.job}: expected its submission at {now_us} us; found {job.submit_us}")


def check_release(job: int, before_us: int | None, earliest_us: int) -> None:
    """Raise :class:`ParameterError` when a job cannot be released with this earliest start.

    ``before_us`` is its earliest start so far; None: it is not booked here, or was released before.
    """
    if before_us is None:
        raise ParameterError(f"job {job}: expected one that is booked here and was not released")
    if earliest_us > before_us:
        raise ParameterError(f"job {job}: expected an earliest start by {before_us} us; found {earliest_us}")


def check_time(until_us: int, now_us: int) -> None:
    """Raise :class:`ParameterError` when a scheduler is asked to go back in time."""
    if until_us < now_us:
        raise ParameterError(f"expected a time from {now_us} us on, where the scheduler is; found {until_us}")
