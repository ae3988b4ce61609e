"""Closed hours of a log: the hours of the week in which the site starts no job, none of a queue, or none over a limit.

A night queue by day, a limit for jobs by day and maintenance on one day of the week look like this. They are learned from the
starts that the log recorded: of all jobs together, of each queue, and of the jobs that ask for more than a limit, each in the 168
hours of the week. Some jobs are *due* in an hour if one of them waits when the hour begins. Their usual rate is the share of due
hours in which one of them starts, over the hours of the week in which they start at least as often as on average; closed hours
are not among these. An hour of the week is closed to them if two things hold:

* at the usual rate, at least :data:`LEAST_EXPECTED` due hours with a start were expected, and the log records at most
  :data:`MOST_STARTED` of that number: operators start single jobs at any time;
* at the usual rate, so few have a chance of at most :data:`LARGEST_CHANCE`.

Hours are also counted together on all working days and at all weekends, where they are more. Limits that are tried are estimates
that users often ask for (:data:`POPULAR`).

Only odd weeks are counted, so that even weeks can test what was learned. Hours are local, by the log's own time zone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scheduler_core.common.errors import ContractError
from scheduler_core.common.units import HOUR_US, WEEK_US
from traces.shape.closing import with_closing
from traces.shape.hours import HOURS_OF_DAY, HOURS_OF_WEEK, hours_of, hours_written

if TYPE_CHECKING:
    import numpy as np
    import polars as pl

    from scheduler_core.contracts import Workload

LEAST_EXPECTED = 6
"""The least number of due hours with a start that were expected in an hour of the week that is found closed."""

MOST_STARTED = 0.1
"""The largest share of them that the log recorded."""

LARGEST_CHANCE = 1e-6
"""The largest chance of so few in an hour of the week that is found closed."""

POPULAR = 0.02
"""The least share of jobs that ask for exactly a time which is tried as a limit."""


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
    import polars as pl

    if "recorded_wait_us" not in workload.jobs.columns:
        raise ContractError("closed hours: the log records no waits (field 3 of SWF); leave closed hours out")
    start = pl.col("submit_us") + pl.col("recorded_wait_us")
    known = workload.jobs.with_columns(start_us=start).filter(start.is_not_null())
    if known.is_empty():
        return {}
    begins, hours = hours_of(workload, known["start_us"].max())  # type: ignore[arg-type]
    found = {"all": closed_of(known, begins, hours)}
    if "queue" in known.columns:
        for (queue,), jobs in known.drop_nulls("queue").sort("queue").group_by("queue", maintain_order=True):
            found[str(queue)] = closed_of(jobs, begins, hours) & ~found["all"]
    closed_queues = [int(whom) for whom, closed in found.items() if whom != "all" and closed.any()]
    others = known.filter(~pl.col("queue").is_in(closed_queues).fill_null(value=False)) if closed_queues else known
    asked = others.group_by("estimate_us").len().filter(pl.col("len") >= POPULAR * others.height).sort("estimate_us")
    covered = found["all"]
    for limit_us in asked["estimate_us"].to_list():
        closed = closed_of(others.filter(pl.col("estimate_us") > limit_us), begins, hours) & ~covered
        found[f"over{limit_us / HOUR_US:.10g}h"] = closed
        covered = covered | closed
    return {whom: hours_written(closed.nonzero()[0].tolist()) for whom, closed in found.items() if closed.any()}


def closed_of(jobs: pl.DataFrame, begins: np.ndarray, hours: np.ndarray) -> np.ndarray:
    """Return whether each hour of the week is closed to some jobs; ``hours`` has that of each hour that begins at ``begins``."""
    import numpy as np

    submits, starts = (np.sort(jobs[name].to_numpy()) for name in ("submit_us", "start_us"))
    odd = begins // WEEK_US % 2 == 1
    started_before, started_by = np.searchsorted(starts, begins), np.searchsorted(starts, begins + HOUR_US)
    due = odd & (np.searchsorted(submits, begins) > started_before)
    hit = due & (started_by > started_before)
    week = np.arange(HOURS_OF_WEEK)
    alike = week % HOURS_OF_DAY + HOURS_OF_DAY * (week >= 5 * HOURS_OF_DAY)  # on working days, at weekends
    closed: np.ndarray = (
        closed_kinds(hours[due], hours[hit]) | closed_kinds(alike[hours[due]], alike[hours[hit]])[alike]
    )
    return closed


def closed_kinds(due: np.ndarray, hit: np.ndarray) -> np.ndarray:
    """Return which kinds of hours are closed, from the kinds of all due hours and of those with a start."""
    import numpy as np
    from scipy.special import bdtr

    count, hits = (np.bincount(kinds, minlength=HOURS_OF_WEEK) for kinds in (due, hit))
    usual = hits * len(due) >= count * len(hit)
    rate = hits[usual].sum() / max(count[usual].sum(), 1)
    expected = rate * count
    few: np.ndarray = (expected >= LEAST_EXPECTED) & (hits <= MOST_STARTED * expected)
    return few & (bdtr(hits, count, rate) <= LARGEST_CHANCE)
