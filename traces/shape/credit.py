"""Queues that are served before others: their jobs are credited with waiting time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from scheduler_core.common.errors import ParameterError
from scheduler_core.common.units import seconds_to_us
from traces.shape.selection import refuse_other_queues

if TYPE_CHECKING:
    from scheduler_core.contracts import Workload

MOST_H = 100_000
"""The most hours, about eleven years: enough to serve a queue before all others."""


def with_credit(workload: Workload, hours: Mapping[int, float]) -> Workload:
    """Return the jobs, those of some queues credited with waiting time: hours by number of the queue.

    The order of submission takes such a job as submitted so much earlier; negative hours set it back. Raise
    :class:`ParameterError` when the workload has no job of a queue, or for more than :data:`MOST_H` hours.
    """
    import polars as pl

    refuse_other_queues(workload, hours)
    for queue, credit in hours.items():
        if not abs(credit) <= MOST_H:
            raise ParameterError(
                f"queue credit: expected at most {MOST_H:,} hours, more or less; found {credit:g} for queue {queue}"
            )
    credits_us = {queue: seconds_to_us(3600 * credit) for queue, credit in hours.items()}
    credit_us = pl.col("queue").replace_strict(credits_us, default=0, return_dtype=pl.Int64).fill_null(0)
    step = {"step": "queue_credit", "hours": {str(queue): float(credit) for queue, credit in sorted(hours.items())}}
    return workload.transformed(workload.jobs.with_columns(credit_us=credit_us), step)
