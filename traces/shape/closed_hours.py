"""Closed hours of queues: the hours of the day in which the site starts no job of a queue, such as a night queue by day.

They are learned from the starts that a log recorded, for working days and weekends apart, in 48 hours of the week. A queue is
*due* in an hour of a day if one of its jobs waits when the hour begins. Its usual rate is the share of due hours in which one of
its jobs starts, over the hours of the week in which it starts at least as often as on average; closed hours are not among these.
An hour of the week is closed if two things hold:

* at the usual rate, at least :data:`LEAST_EXPECTED` starts were expected, one per due hour at most: seeing none is no chance;
* the queue started jobs in at most :data:`MOST_STARTED` of that number of hours: operators start single jobs at any time.

Only odd weeks are counted, so that even weeks can test what was learned. Hours are local, by the log's own time zone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scheduler_core.common.errors import ContractError
from scheduler_core.common.units import HOUR_US, MICROSECONDS, WEEK_US

if TYPE_CHECKING:
    import numpy as np
    import polars as pl

    from scheduler_core.contracts import Workload

LEAST_EXPECTED = 10
"""The least number of starts that were expected in an hour of the week that is found closed."""

MOST_STARTED = 0.1
"""The largest share of them that the log recorded."""


def with_closed_hours(workload: Workload) -> Workload:
    """Return a log with the closed hours of its queues, in which no policy starts a job of the queue.

    Raise :class:`ContractError` when the log records no waits, no queues, or not the time of the day.
    """
    table = closed_hours_of(workload)
    step = {"step": "closed_hours", "queues": table["queue"].unique().sort().to_list()}
    return workload.transformed(workload.jobs, step, companions={"closed_hours": table})


def closed_hours_of(workload: Workload) -> pl.DataFrame:
    """Return the closed hours of a log's queues up to its last start: ``queue, begin_us, end_us``, in order.

    Raise :class:`ContractError` when the log records no waits, no queues, or not the time of the day.
    """
    import polars as pl

    from scheduler_core.contracts.companions import CLOSED_HOURS_COLUMNS

    for column, words in (("recorded_wait_us", "waits (field 3 of SWF)"), ("queue", "queues (field 15 of SWF)")):
        if column not in workload.jobs.columns:
            raise ContractError(f"closed hours: the log records no {words}; leave closed hours out")
    known = workload.jobs.select(
        "queue", "submit_us", start_us=pl.col("submit_us") + pl.col("recorded_wait_us")
    ).drop_nulls()
    if known.is_empty():
        return pl.DataFrame(schema=CLOSED_HOURS_COLUMNS)
    begins, kinds = hours_of(workload, known["start_us"].max())  # type: ignore[arg-type]
    found = [
        (queue, *period)
        for (queue,), jobs in known.sort("queue").group_by("queue", maintain_order=True)
        for period in periods(begins, closed_kinds(jobs, begins, kinds)[kinds])
    ]
    return pl.DataFrame(found, schema=CLOSED_HOURS_COLUMNS, orient="row")


def hours_of(workload: Workload, last_us: int) -> tuple[np.ndarray, np.ndarray]:
    """Return begins of the local hours of a log up to a time, and the kind of each: its hour, plus 24 at weekends.

    Raise :class:`ContractError` when the log does not state when it begins.
    """
    import numpy as np
    import polars as pl

    clock = workload.provenance.get("clock")
    if clock is None:
        raise ContractError(
            "closed hours: the log does not tell the time of the day; expected `; UnixStartTime:` in its header"
        )
    first_us = -((clock["start_s"] + clock["utc_offset_s"]) * MICROSECONDS % HOUR_US)
    begins = np.arange(first_us, last_us + 1, HOUR_US)
    zone = clock["zone"] if not clock["zone"].startswith("UTC") else ""
    ahead_s = clock["start_s"] + (0 if zone else clock["utc_offset_s"])
    times = pl.Series(begins + ahead_s * MICROSECONDS).cast(pl.Datetime("us"))
    local = times.dt.replace_time_zone("UTC").dt.convert_time_zone(zone) if zone else times
    kinds = local.dt.hour().cast(pl.Int64) + 24 * (local.dt.weekday() > 5).cast(pl.Int64)
    return begins, kinds.to_numpy()


def closed_kinds(jobs: pl.DataFrame, begins: np.ndarray, kinds: np.ndarray) -> np.ndarray:
    """Return whether each of the 48 hours of the week is closed for the jobs of one queue."""
    import numpy as np

    submits, starts = (np.sort(jobs[name].to_numpy()) for name in ("submit_us", "start_us"))
    odd = begins // WEEK_US % 2 == 1
    started_before, started_by = np.searchsorted(starts, begins), np.searchsorted(starts, begins + HOUR_US)
    due = odd & (np.searchsorted(submits, begins) > started_before)
    started = odd & (started_by > started_before)
    due_hours, hits, hours = (np.bincount(kinds[which], minlength=48) for which in (due, due & started, started))
    usual = hits * due.sum() >= due_hours * (due & started).sum()
    expected = due_hours * (hits[usual].sum() / max(due_hours[usual].sum(), 1))
    closed: np.ndarray = (expected >= LEAST_EXPECTED) & (hours <= MOST_STARTED * expected)
    return closed


def periods(begins: np.ndarray, closed: np.ndarray) -> list[tuple[int, int]]:
    """Return begin and end of every period of closed hours, from the log's zero on."""
    import numpy as np

    change = np.diff(np.concatenate([[0], closed.astype(np.int8), [0]]))
    ends = np.concatenate([begins, [begins[-1] + HOUR_US]])
    first, last = ends[np.nonzero(change == 1)[0]], ends[np.nonzero(change == -1)[0]]
    return [(max(int(begin), 0), int(end)) for begin, end in zip(first, last, strict=True) if end > 0]
