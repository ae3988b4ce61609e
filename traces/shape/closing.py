"""Hours of the week that are closed to jobs: to those of a queue, to those longer than a limit, or to all."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from scheduler_core.common.errors import ParameterError
from scheduler_core.common.units import HOUR_US, MICROSECONDS
from traces.shape.hours import hours_of, hours_of_week, hours_words, periods

if TYPE_CHECKING:
    from scheduler_core.contracts import Workload

EXAMPLE = "2=workdays:8-18,over4h=mon-fri:7-16,all=tue:8-12"


def closing_named(text: str) -> dict[str, str]:
    """Return hours by the jobs to which they are closed, as one word gives them: ``2=workdays:8-18,over4h=7-16,all=tue:8-12``.

    Jobs are those of a queue, by its number; those that ask for over so many hours; or all. Raise :class:`ParameterError` for
    anything else.
    """
    found: dict[str, str] = {}
    for part in text.split(","):
        whom, _, hours = part.partition("=")
        closed_to(whom)
        if whom in found:
            raise ParameterError(
                f"expected the hours of {whom} once, joined by +, such as {whom}=tue:8-12+thu:8-12; found {text!r}"
            )
        hours_of_week(hours)
        found[whom] = hours
    return found


def closed_to(whom: str) -> tuple[int, int]:
    """Return the queue and the limit in microseconds (:data:`~scheduler_core.contracts.companions.CLOSED_TO`) of some jobs.

    Limits are rounded to whole seconds. Raise :class:`ParameterError` unless ``whom`` is a queue's number, ``over4h`` or ``all``.
    """
    from scheduler_core.contracts.companions import EVERY_QUEUE

    limit = re.fullmatch(r"over([0-9]{1,6}(?:\.[0-9]{1,12})?)h", whom)
    if limit:
        return EVERY_QUEUE, round(3600 * float(limit[1])) * MICROSECONDS
    if whom == "all":
        return EVERY_QUEUE, 0
    if re.fullmatch("[0-9]{1,9}", whom):
        return int(whom), 0
    raise ParameterError(
        f"expected the number of a queue, all, or jobs over so many hours, and their hours, such as {EXAMPLE}; found {whom!r}"
    )


def over(limit_us: int) -> str:
    """Return the jobs over a limit of whole seconds as :func:`closed_to` reads them."""
    return f"over{str(round(limit_us / HOUR_US, 6)).removesuffix('.0')}h"


def closing_words(closing: Mapping[str, str], *, clause: bool = False) -> str:
    """Return in words when hours are closed: ``queue 2 closed from 8 to 18``; as a ``clause``, ``queue 2 is closed``."""
    return " and ".join(f"{whom_words(whom, clause)} {hours_words(hours)}" for whom, hours in closing.items())


def whom_words(whom: str, clause: bool) -> str:
    """Return in words to which jobs hours are closed, as the beginning of a clause or of the name of a scenario."""
    queue, limit_us = closed_to(whom)
    if queue >= 0:
        return f"queue {queue} {'is ' if clause else ''}closed"
    limit = f"{limit_us / HOUR_US:.4g} h"
    if clause:
        return f"no job over {limit} starts" if limit_us else "no job starts"
    return f"no starts of jobs over {limit}" if limit_us else "no starts"


def with_closing(workload: Workload, closing: Mapping[str, str], step: str = "close") -> Workload:
    """Return the jobs of a workload with hours of the week in which no policy starts some of them.

    ``closing`` has hours, as :func:`hours_of_week` reads them, by the jobs to which they are closed (:func:`closed_to`), in the
    log's own time zone. They stay closed for a year after the last submission. Hours that the workload has closed already stay
    closed. ``step`` names the change in the workload's provenance.

    Raise :class:`ParameterError` when no job is of a queue, and :class:`ContractError` when the workload does not tell the time
    of the day.
    """
    import polars as pl

    from scheduler_core.contracts.companions import CLOSED_HOURS_COLUMNS, CLOSED_TO, EVERY_QUEUE, merged_periods
    from traces.shape.selection import refuse_other_queues
    from traces.shape.windows import AFTERWARDS_US

    asked = sorted((*closed_to(whom), whom) for whom in closing)
    refuse_other_queues(workload, [queue for queue, *_ in asked if queue != EVERY_QUEUE])
    rows = []
    if asked:
        begins, hours = hours_of(workload, workload.jobs["submit_us"].max() + AFTERWARDS_US)  # type: ignore[operator, arg-type]
        rows = [
            (*key, *period)
            for *key, whom in asked
            for period in periods(begins, pl.Series(hours).is_in(hours_of_week(closing[whom])).to_numpy())
        ]
    given = pl.DataFrame(rows, schema=CLOSED_HOURS_COLUMNS, orient="row")
    table = merged_periods(pl.concat([workload.companions.get("closed_hours", given), given]), *CLOSED_TO)
    made = {"step": step, "hours": {whom: closing[whom] for *_, whom in asked}}
    return workload.transformed(workload.jobs, made, companions={"closed_hours": table})
