"""Queues that are closed at stated hours of the day, such as a night queue on working days."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from scheduler_core.common.errors import ParameterError

if TYPE_CHECKING:
    import polars as pl

    from scheduler_core.contracts import Workload

WRITTEN = re.compile("(?:(workdays|weekends):)?([0-9]{1,2})-([0-9]{1,2})")
FIRST_HOURS = {None: (0, 24), "workdays": (0,), "weekends": (24,)}
"""The first of the 48 hours of the week of each kind of day, as :mod:`traces.shape.closed_hours` numbers them."""


def closing_named(text: str) -> dict[int, str]:
    """Return hours by number of a queue, as one word gives them: ``2=workdays:8-18,3=0-6``.

    Raise :class:`ParameterError` for anything else.
    """
    found = {}
    for part in text.split(","):
        queue, _, hours = part.partition("=")
        if not (queue.isascii() and queue.isdecimal()) or int(queue) in found:
            raise ParameterError(
                f"expected the number of each queue and its hours, such as 2=workdays:8-18,3=0-6; found {text!r}"
            )
        hours_of_week(hours)
        found[int(queue)] = hours
    return found


def hours_of_week(text: str) -> list[int]:
    """Return the hours of the week that a text names, such as ``8-18`` or ``workdays:8-18``.

    They are h on working days and 24 + h at weekends. The hours ``18-8`` are those from 0 to 8 and from 18 to 24 of each day.

    Raise :class:`ParameterError` for anything else, and for all hours of the week.
    """
    found = WRITTEN.fullmatch(text)
    begin, end = (int(found[2]), int(found[3])) if found else (0, 0)
    if not found or begin == end or max(begin, end) > 24:
        raise ParameterError(
            f"expected hours of the day from 0 to 24, such as 8-18, workdays:8-18 or weekends:0-24; found {text!r}"
        )
    day = range(begin, end) if begin < end else (*range(end), *range(begin, 24))
    hours = [first + hour for first in FIRST_HOURS[found[1]] for hour in day]
    if len(hours) == 48:
        raise ParameterError(f"a queue closed at {text} never opens; name fewer hours, or leave its jobs out")
    return hours


def closing_words(closing: Mapping[int, str], verb: str = "") -> str:
    """Return in words when queues are closed: ``queue 2 closed from 8 to 18 on workdays``, or with a verb, such as `` is``."""
    said = []
    for queue, text in closing.items():
        days, _, hours = text.rpartition(":")
        when = "" if hours == "0-24" else f" from {hours.replace('-', ' to ')}"
        said.append(f"queue {queue}{verb} closed{when}{f' on {days}' if days else ''}")
    return " and ".join(said)


def with_closing(workload: Workload, closing: Mapping[int, str]) -> Workload:
    """Return the jobs of a workload whose queues are closed at hours of the day: no policy starts a job of the queue then.

    ``closing`` has hours by number of a queue, as :func:`hours_of_week` reads them, in the log's own time zone. Queues stay
    closed at these hours for a year after the last submission. Closed hours that the workload has already stay closed.

    Raise :class:`ParameterError` when no job is of a queue, and :class:`ContractError` when the workload does not tell the time
    of the day.
    """
    import polars as pl

    from scheduler_core.contracts.companions import CLOSED_HOURS_COLUMNS
    from traces.shape.closed_hours import hours_of, periods
    from traces.shape.selection import refuse_other_queues
    from traces.shape.windows import AFTERWARDS_US

    refuse_other_queues(workload, closing)
    begins, kinds = hours_of(workload, workload.jobs["submit_us"].max() + AFTERWARDS_US)  # type: ignore[operator, arg-type]
    rows = [
        (queue, *period)
        for queue, hours in sorted(closing.items())
        for period in periods(begins, pl.Series(kinds).is_in(hours_of_week(hours)).to_numpy())
    ]
    given = pl.DataFrame(rows, schema=CLOSED_HOURS_COLUMNS, orient="row")
    table = merged_periods([workload.companions.get("closed_hours", given), given])
    step = {"step": "close", "hours": {str(queue): text for queue, text in sorted(closing.items())}}
    return workload.transformed(workload.jobs, step, companions={"closed_hours": table})


def merged_periods(tables: list[pl.DataFrame]) -> pl.DataFrame:
    """Return periods of queues as one table, in order, those of a queue that overlap or touch as one."""
    import polars as pl

    table = pl.concat(tables).sort("queue", "begin_us")
    ended = pl.col("end_us").cum_max().shift(1).over("queue")
    apart = table.with_columns(period=(pl.col("begin_us") > ended).fill_null(True).cum_sum())
    merged = apart.group_by("queue", "period", maintain_order=True).agg(
        pl.col("begin_us").min(), pl.col("end_us").max()
    )
    return merged.drop("period")
