"""Closed hours of a log: the hours of the week in which the site starts no job, none of a queue, or none over a limit.

A night queue by day, a limit for jobs by day and maintenance on one day of the week look like this. They are learned from the
starts that the log recorded (:mod:`~traces.shape.weekly_starts`): of all jobs together, of each queue, and of the jobs that ask
for more than a limit. Limits that are tried are estimates that users often ask for (:data:`POPULAR`); jobs from one limit to the
next are due, and no longer job may start, either. Hours are local, by the log's own time zone.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from scheduler_core.common.errors import ContractError
from traces.shape.closing import over, with_closing
from traces.shape.hours import hours_written

if TYPE_CHECKING:
    import numpy as np

    from scheduler_core.contracts import Workload

POPULAR = 0.02
"""The least share of jobs that ask for exactly a time which is tried as a limit, and that ask for more, up to the next limit."""


def with_closed_hours(workload: Workload) -> Workload:
    """Return a log with its closed hours, in which no policy starts a job to which they are closed.

    Raise :class:`ContractError` when the log records no waits, or not the time of the day.
    """
    return with_closing(workload, learned_closing(workload), "closed_hours")


def learned_closing(workload: Workload) -> dict[str, str]:
    """Return the closed hours of a log as :func:`~traces.shape.closing.closing_named` reads them, by the jobs they are closed to.

    Hours closed to all jobs are not named again for some of them, and jobs of queues with closed hours set no limit. Raise
    :class:`ContractError` when the log records no waits, or not the time of the day.
    """
    import numpy as np

    from traces.shape.weekly_starts import Starts

    if "recorded_wait_us" not in workload.jobs.columns:
        raise ContractError("closed hours: the log records no waits (field 3 of SWF); leave closed hours out")
    known = workload.jobs.drop_nulls("recorded_wait_us")
    if known.is_empty():
        return {}
    starts = Starts(known, workload)
    found = {"all": starts.closed_to(np.full(known.height, fill_value=True))}
    in_closed_queue = np.zeros(known.height, bool)
    if "queue" in known.columns:
        queues = known["queue"].fill_null(-1).to_numpy()
        for queue in np.unique(queues[queues >= 0]):
            found[str(queue)] = starts.closed_to(queues == queue) & ~found["all"]
            in_closed_queue |= found[str(queue)].any() & (queues == queue)
    estimates = known["estimate_us"].to_numpy()
    covered = found["all"]
    limits = limits_asked(estimates[~in_closed_queue])
    for limit_us, next_us in pairwise([*limits, estimates.max()]):
        longer = (estimates > limit_us) & ~in_closed_queue
        closed = starts.closed_to(longer & (estimates <= next_us), longer) & ~covered
        found[over(limit_us)] = closed
        covered = covered | closed
    return {whom: hours_written(closed.nonzero()[0].tolist()) for whom, closed in found.items() if closed.any()}


def limits_asked(estimates: np.ndarray) -> list[int]:
    """Return the times that are tried as limits, in order: popular estimates, with enough jobs from each to the next."""
    import numpy as np

    popular, asked = np.unique(estimates, return_counts=True)
    limits: list[int] = []
    above = 0
    for time, jobs in zip(popular[::-1].tolist(), asked[::-1].tolist(), strict=True):
        if jobs >= POPULAR * len(estimates) <= above:
            limits.insert(0, time)
            above = 0
        above += jobs
    return limits
