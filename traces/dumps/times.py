"""Clocks of dumps: times of a zone, durations, and the hour that a clock shows twice."""

import re
from collections.abc import Iterable
from datetime import UTC, datetime, tzinfo
from functools import lru_cache
from pathlib import Path
from zoneinfo import ZoneInfo

from scheduler_core.common.errors import LogError, ParameterError
from traces.dumps.attempt import Instant, Unreadable

NOTHING = frozenset(("", "unknown", "none", "n/a", "invalid", "null", "nan", "nat"))
"""How dumps write that there is no time, in lower case."""

NO_LIMIT = frozenset(("unlimited", "infinite", "partition_limit", *NOTHING))
"""How dumps write that no run time was requested, in lower case."""

DURATION = re.compile(r"(?:(\d+)-)?(?:(\d+):)?(\d+):(\d+)(?:[.,]\d*)?", re.ASCII)
WORDED = re.compile(
    r"(?=P?T?\d)P?(?:(\d+) ?d(?:ays?)?[ ,]*)?T?(?:(\d+) ?h(?:(?:ou)?rs?)?[ ,]*)?(?:(\d+) ?m(?:in(?:ute)?s?)?[ ,]*)?"
    r"(?:(\d+)(?:[.,]\d*)? ?s(?:ec(?:ond)?s?)?)?",
    re.ASCII | re.IGNORECASE,
)
"""A duration with units: 1d 3h, 2 hours, 3h 50m 39s, P1DT3H."""

DAYS_AND_CLOCK = re.compile(r"(\d+) days?,? +(?=\d+:\d+:)", re.ASCII | re.IGNORECASE)
"""How Python and databases begin a duration of a day and more: 1 day, 3:00:00."""

NUMBER = re.compile(r"\d{1,11}(?:\.\d*|,(?!\d{3}$)\d*)?", re.ASCII)
"""A number of seconds, with a decimal point or a decimal comma; three digits after a comma may be thousands."""

EPOCH = re.compile(r"(\d{1,11}|\d{13}|\d{16}|\d{19})(?:\.\d*)?", re.ASCII)
PARTS = {13: 10**3, 16: 10**6, 19: 10**9}
"""Parts of a second in a time since 1970, by its digits; with fewer digits, it is in seconds."""

DATE = re.compile(r"(\d{1,2})([./])(\d{1,2})\2(\d{4}|(?<=\.)\d{2})(?:[ T]+(\d{1,2})(?=:)|$)", re.ASCII)
"""A date that ends in the year, and the hour after it. With dots, the day is first, and the year may have two digits. With
slashes, the month may be first."""

HALF_OF_DAY = re.compile(r" ?([AP])M$", re.ASCII | re.IGNORECASE)

MONTH_FIRST = {"": None, "day-first": False, "month-first": True}
"""Whether the month is first in dates with slashes, by the word of the option; None to find out."""

LATEST = 4_102_444_800
"""The latest time, the year 2100, in seconds since 1970."""

LONGEST = 10**10
"""The longest duration, in seconds."""


def zone_of(name: str) -> tzinfo:
    """Return a time zone by its name, such as ``Europe/Berlin``; raise :class:`ParameterError` for an unknown name."""
    if name == "UTC":
        return UTC
    try:
        return ZoneInfo(name)
    except (KeyError, OSError, ValueError) as error:
        raise ParameterError(
            f"--timezone: no time zone is known as {name!r}; expected a name such as Europe/Berlin or UTC"
        ) from error


class Clock:
    """Reads times of a zone; the same text is read once. ``met_local`` says whether any text was a local time.

    ``dates`` is a word of :data:`MONTH_FIRST`; :meth:`learn_dates` finds out what an empty one leaves open.
    """

    def __init__(self, zone: tzinfo, dates: str = "") -> None:
        self.zone = zone
        self.month_first = MONTH_FIRST[dates]
        self.met_local = False
        self.read = lru_cache(maxsize=100_000)(self._read)

    def learn_dates(self, path: Path, texts: Iterable[tuple[int, str]]) -> None:
        """Find out which comes first in dates with slashes, the day or the month, by the numbers above 12.

        ``texts`` are times as written, each with its line. Raise :class:`LogError` when the numbers do not tell, or contradict
        each other.
        """
        if self.month_first is not None:
            return
        found: dict[bool | None, str] = {}  # the first date that has the month first, the day first, or may have either
        for line, text in texts:
            date = DATE.match(text.strip())
            if date and date[2] == "/":
                month_first = None if int(date[1]) <= 12 >= int(date[3]) else int(date[3]) > 12
                found.setdefault(month_first, f"{text.strip()[:40]} in line {line:,}")
        if True in found and False in found:
            raise LogError(
                f"{path}: {found[False]} has the day first, and {found[True]} the month; state with --dates day-first or "
                "--dates month-first what they mean, and lines with other dates are rejected"
            )
        if list(found) == [None]:
            raise LogError(
                f"{path}: {found[None]} may have the day or the month first, and so may all its dates; state with --dates "
                "day-first or --dates month-first what they mean"
            )
        self.month_first = True in found

    def _read(self, text: str, pattern: str = "") -> tuple[Instant | None, bool, bool]:
        """Return the instants of a text (None for none), whether it is local time, and whether the clock skipped it.

        Seconds, milliseconds, microseconds or nanoseconds since 1970, ISO 8601, 31.01.2024 08:00:00, 1/31/2024 8:00 AM, or
        ``pattern`` of :meth:`datetime.datetime.strptime`. Fractions of a second are dropped. Raise :class:`Unreadable` for other
        texts, and for times before 1970 or after 2100.
        """
        text = text.strip()
        if text.casefold() in NOTHING:
            return None, False, False
        try:
            if epoch := EPOCH.fullmatch(text):
                seconds = int(epoch[1]) // PARTS.get(len(epoch[1]), 1)
                return self._bounded((seconds,), text), False, False
            local = (
                datetime.strptime(text, pattern)
                if pattern
                else datetime.fromisoformat(iso_of(text, bool(self.month_first)))
            )
            self.met_local = self.met_local or local.tzinfo is None
            if local.tzinfo is not None or self.zone is UTC:
                aware = local if local.tzinfo is not None else local.replace(tzinfo=UTC)
                return self._bounded((int(aware.timestamp() // 1),), text), local.tzinfo is None, False
            both = [int(local.replace(tzinfo=self.zone, fold=fold).timestamp() // 1) for fold in (0, 1)]
        except (OverflowError, ValueError) as error:
            raise Unreadable("bad_time", text) from error
        skipped = both[0] > both[1]
        return self._bounded((both[0],) if skipped else tuple(dict.fromkeys(both)), text), True, skipped

    def _bounded(self, instants: Instant, text: str) -> Instant | None:
        """Return instants between 1970 and 2100; None for zero, as some dumps write no time."""
        if instants[0] == 0:
            return None
        if not 0 < instants[0] <= instants[-1] <= LATEST:
            raise Unreadable("bad_time", text)
        return instants


def iso_of(text: str, month_first: bool) -> str:
    """Return as ISO 8601 a time whose date ends in the year or has slashes; other texts stay as they are.

    Raise ValueError for 13:00 PM.
    """
    date = DATE.match(text)
    if not date:
        return text.replace("/", "-", 2)
    first, between, second, year, hour = date.groups()
    month, day = (first, second) if between == "/" and month_first else (second, first)
    written = f"{f'20{year}'[-4:]}-{month:0>2}-{day:0>2}"
    if hour is None:
        return written
    rest = text[date.end() :]
    if half := HALF_OF_DAY.search(rest):
        if not 1 <= int(hour) <= 12:
            raise ValueError(text)
        hour, rest = str(int(hour) % 12 + 12 * (half[1] in "Pp")), rest[: half.start()]
    return f"{written}T{hour:0>2}{rest}"


@lru_cache(maxsize=10_000)
def duration(text: str) -> int | None:
    """Return the whole seconds of ``D-HH:MM:SS``, ``HH:MM:SS``, ``MM:SS`` or ``MM:SS.mmm``, or of ``1d 3h``; None for nothing.

    Raise :class:`Unreadable` for another text.
    """
    text = text.strip()
    if text.casefold() in NOTHING:
        return None
    written = DAYS_AND_CLOCK.sub(r"\1-", text)
    if "-" in text and ":" not in text:
        written += ":00:00"
    elif re.fullmatch(r"\d+-\d+:\d+", text, re.ASCII):
        written += ":00"
    match = DURATION.fullmatch(written) or WORDED.fullmatch(text)
    if not match or len(text) > 40:
        raise Unreadable("bad_time", text[:40])
    days, hours, minutes, seconds = (int(part or 0) for part in match.groups())
    return bounded_duration(((days * 24 + hours) * 60 + minutes) * 60 + seconds, text)


@lru_cache(maxsize=10_000)
def whole_seconds(text: str, unit: int = 1) -> int | None:
    """Return a number of units of ``unit`` seconds in seconds; None where there is nothing."""
    text = text.strip()
    if text.casefold() in NOTHING:
        return None
    if not NUMBER.fullmatch(text):
        raise Unreadable("bad_time", text[:40])
    return bounded_duration(int(float(text.replace(",", ".")) * unit), text)


@lru_cache(maxsize=10_000)
def limit(text: str, unit: int = 0) -> int | None:
    """Return a requested run time in seconds, a duration or (with ``unit``) a number of units; None without a limit."""
    if text.strip().casefold() in NO_LIMIT:
        return None
    return whole_seconds(text, unit) if unit else duration(text)


def bounded_duration(seconds: int, text: str) -> int:
    """Return a duration that is not too long."""
    if seconds > LONGEST:
        raise Unreadable("bad_time", text[:40])
    return seconds
