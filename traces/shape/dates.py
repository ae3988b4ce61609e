"""The part of a log between two dates in the machine's time zone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, timezone
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from scheduler_core.common.errors import ParameterError
from scheduler_core.common.units import MICROSECONDS
from traces.swf_header import known_zone

if TYPE_CHECKING:
    from scheduler_core.contracts import Workload

KEYS = ("from", "to")
"""Keys of the first and the last day."""


@dataclass(frozen=True)
class Dates:
    """Whole days from ``first`` to ``last``, both included."""

    first: date
    last: date

    @classmethod
    def build(cls, values: Mapping[str, Any]) -> Dates:
        """Return the dates under the keys ``from`` and ``to``.

        Raise :class:`ParameterError` when a date is missing or invalid, or the last day is before the first.
        """
        first, last = (read_date(key, values.get(key)) for key in KEYS)
        if last < first:
            raise ParameterError(f"to: the last day, {last}, comes before the first, {first}")
        return cls(first, last)

    def step(self) -> dict[str, str]:
        """Return the dates as text, for a workload's provenance."""
        return {"from": self.first.isoformat(), "to": self.last.isoformat()}


def read_date(key: str, value: Any) -> date:
    """Return a date such as 1996-06-25."""
    if value is None:
        raise ParameterError(f"{key}: is missing; days are bounded by two dates, from and to")
    try:
        return date.fromisoformat(value)
    except (TypeError, ValueError):
        raise ParameterError(f"{key}: expected a date such as 1996-06-25; found {value!r}") from None


def between_dates(log: Workload, dates: Dates | None) -> Workload:
    """Return the jobs submitted on the days from one date to another, in local time of the machine; without dates, all.

    The log's header gives the time zone or its offset. Submission times do not change. Raise :class:`ParameterError` when the
    log does not say when it began, or no job was submitted on those days.
    """
    import polars as pl

    if dates is None:
        return log
    clock = log.provenance.get("clock")
    source = log.provenance.get("source", "")
    if clock is None:
        raise ParameterError(f"the header of {source} does not say when the log begins (; UnixStartTime: ...)")
    named = known_zone(clock["zone"])
    zone = ZoneInfo(clock["zone"]) if named else timezone(timedelta(seconds=clock["utc_offset_s"]))
    begin_us, end_us = (
        (int(datetime.combine(day, time(), zone).timestamp()) - clock["start_s"]) * MICROSECONDS
        for day in (dates.first, dates.last + timedelta(days=1))
    )
    kept = log.jobs.filter((pl.col("submit_us") >= begin_us) & (pl.col("submit_us") < end_us))
    if kept.is_empty():
        spans = (clock["start_s"] + log.jobs["submit_us"][place] // MICROSECONDS for place in (0, -1))
        there = " to ".join(datetime.fromtimestamp(second, UTC).astimezone(zone).date().isoformat() for second in spans)
        raise ParameterError(f"no job of {source} was submitted from {dates.first} to {dates.last}; it has {there}")
    return log.transformed(kept, {"step": "dates", **dates.step()})
