"""Hours of the week: how they are written and told, and when they are by a log's own time zone."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from itertools import groupby
from typing import TYPE_CHECKING

from scheduler_core.common.errors import ContractError, ParameterError
from scheduler_core.common.units import HOUR_US, MICROSECONDS

if TYPE_CHECKING:
    import numpy as np

    from scheduler_core.contracts import Workload

DAYS = {
    "mon": "Mondays",
    "tue": "Tuesdays",
    "wed": "Wednesdays",
    "thu": "Thursdays",
    "fri": "Fridays",
    "sat": "Saturdays",
    "sun": "Sundays",
}
"""The days of the week, in order, in words."""

SEVERAL_DAYS = {range(5): "workdays", range(5, 7): "weekends"}
"""Days of the week that have a name together."""

HOURS_OF_DAY, HOURS_OF_WEEK = 24, 168

WRITTEN = re.compile(
    rf"(?:(workdays|weekends|(?:{'|'.join(DAYS)})(?:-(?:{'|'.join(DAYS)}))?):)?([0-9]{{1,2}})-([0-9]{{1,2}})"
)


def hours_of_week(text: str) -> list[int]:
    """Return the hours of the week that a text names, in order: ``8-18``, ``workdays:8-18`` or ``mon-wed:0-6+sun:0-24``.

    They count from Monday, 0:00. The hours ``18-8`` are those from 0 to 8 and from 18 to 24 of each day.

    Raise :class:`ParameterError` for anything else, and for all hours of the week.
    """
    hours: set[int] = set()
    for part in text.split("+"):
        found = WRITTEN.fullmatch(part)
        begin, end = (int(found[2]), int(found[3])) if found else (0, 0)
        days = days_named(found[1]) if found else []
        if not days or begin == end or max(begin, end) > HOURS_OF_DAY:
            raise ParameterError(
                f"expected hours of the day from 0 to 24, such as 8-18, workdays:8-18 or tue:8-12+sun:0-24; found {text!r}"
            )
        day = range(begin, end) if begin < end else (*range(end), *range(begin, HOURS_OF_DAY))
        hours.update(HOURS_OF_DAY * number + hour for number in days for hour in day)
    if len(hours) == HOURS_OF_WEEK:
        raise ParameterError(f"hours closed at {text} never open; name fewer hours, or leave the jobs out")
    return sorted(hours)


def days_named(text: str | None) -> range:
    """Return the days of the week that a word names, such as ``tue``, ``mon-thu`` or ``weekends``; without one, all."""
    for days, name in SEVERAL_DAYS.items():
        if name == text:
            return days
    first, _, last = (text or "mon-sun").partition("-")
    numbers = list(DAYS)
    return range(numbers.index(first), numbers.index(last or first) + 1)


def hours_written(hours: Collection[int]) -> str:
    """Return hours of the week as :func:`hours_of_week` reads them."""
    of_days = [
        [hour % HOURS_OF_DAY for hour in sorted(hours) if hour // HOURS_OF_DAY == day] for day in range(len(DAYS))
    ]
    parts = []
    for own, same in groupby(range(len(DAYS)), key=of_days.__getitem__):
        days = list(same)
        parts += [f"{days_written(range(days[0], days[-1] + 1))}{begin}-{end}" for begin, end in stretches(own)]
    return "+".join(parts)


def days_written(days: range) -> str:
    """Return days of the week as they stand before their hours; nothing for all."""
    if len(days) == len(DAYS):
        return ""
    first, last = (list(DAYS)[day] for day in (days[0], days[-1]))
    return f"{SEVERAL_DAYS.get(days, first if first == last else f'{first}-{last}')}:"


def stretches(hours: Collection[int]) -> Iterator[tuple[int, int]]:
    """Yield begin and end of the stretches of hours of one day, in order; one over midnight ends before it begins."""
    found = []
    for _, group in groupby(enumerate(hours), key=lambda pair: pair[1] - pair[0]):
        stretch = [hour for _, hour in group]
        found.append((stretch[0], stretch[-1] + 1))
    if len(found) > 1 and found[0][0] == 0 and found[-1][1] == HOURS_OF_DAY:
        found[0] = found.pop()[0], found[0][1]
    yield from found


def hours_words(text: str) -> str:
    """Return hours of the week in words: ``from 8 to 18 on workdays``."""
    said = []
    for days, parts in groupby(text.split("+"), key=lambda part: part.rpartition(":")[0]):
        hours = [part.rpartition(":")[2] for part in parts]
        when = [] if hours == ["0-24"] else [f"from {', '.join(hours).replace('-', ' to ')}"]
        on = [f"on {' to '.join(DAYS.get(day, day) for day in days.split('-'))}"] if days else []
        said.append(" ".join([*when, *on]))
    return " and ".join(said)


def hours_of(workload: Workload, last_us: int) -> tuple[np.ndarray, np.ndarray]:
    """Return begins of the local hours of a log up to a time, and which hour of the week each is, from Monday, 0:00.

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
    hours = local.dt.hour().cast(pl.Int64) + HOURS_OF_DAY * (local.dt.weekday().cast(pl.Int64) - 1)
    return begins, hours.to_numpy()


def periods(begins: np.ndarray, closed: np.ndarray) -> list[tuple[int, int]]:
    """Return begin and end of every period of closed hours, from the log's zero on."""
    import numpy as np

    change = np.diff(np.concatenate([[0], closed.astype(np.int8), [0]]))
    ends = np.concatenate([begins, [begins[-1] + HOUR_US]])
    first, last = ends[np.nonzero(change == 1)[0]], ends[np.nonzero(change == -1)[0]]
    return [(max(int(begin), 0), int(end)) for begin, end in zip(first, last, strict=True) if end > 0]
