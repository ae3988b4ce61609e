"""Words for times and jobs in explanations and charts."""

from __future__ import annotations

from collections.abc import Sequence

from scheduler_core.common.units import MICROSECONDS
from scheduler_core.declarations.words import counted

SHOWN = 5
"""Jobs that a sentence names."""

UNITS = (("days", 86_400, 4 * 86_400), ("h", 3600, 2 * 3600), ("min", 60, 5 * 60), ("s", 1, 0))
"""Units of an axis: name, seconds, and the least span that is shown in them."""


def unit_of(span_s: float) -> tuple[str, int]:
    """Return the unit of an axis and its seconds."""
    return next((name, seconds) for name, seconds, least in UNITS if span_s >= least)


def lasting(us: int) -> str:
    """Return a length of time: ``17 h 26 min``, ``5 min 3 s``, below a minute in seconds with three digits.

    The diagrams of schedules write it alike. It is rounded before it is split into units: 59 min 59.6 s are ``1 h``.
    """
    length, sign = abs(us) / MICROSECONDS, "-" if us < 0 else ""
    if (brief := float(f"{length:.3g}")) < 60:
        return f"{sign}{brief:g} s"
    (large, small), units = divmod(int(length + 0.5), 60), ("min", "s")
    if large >= 60:
        (large, small), units = divmod(int(length / 60 + 0.5), 60), ("h", "min")
    return f"{sign}{large:,} {units[0]}" + (f" {small} {units[1]}" if small else "")


def instant(us: int) -> str:
    """Return a time since the workload's zero: ``day 3, 04:05``, and ``day 3, 04:05:06`` where its seconds are not zero."""
    minutes, seconds = divmod(us // MICROSECONDS, 60)
    days, minute = divmod(minutes, 24 * 60)
    return f"day {days}, {minute // 60:02}:{minute % 60:02}" + (f":{seconds:02}" if seconds else "")


def free_of(free: int, processors: int, place: str = "") -> str:
    """Return how many processors are free: ``1 of 128 processors is free``; ``place`` is put behind "processors"."""
    return f"{free:,} of {counted(processors, 'processor')}{place} {'is' if free == 1 else 'are'} free"


def named(jobs: Sequence[int]) -> str:
    """Return the first numbers of some jobs in brackets; empty for none."""
    more = f" and {len(jobs) - SHOWN:,} more" if len(jobs) > SHOWN else ""
    return f" ({', '.join(map(str, jobs[:SHOWN]))}{more})" if jobs else ""


def listed(words: Sequence[object]) -> str:
    """Return words as a list in a sentence: ``1, 2 and 3``; empty for none."""
    return " and ".join(filter(None, [", ".join(map(str, words[:-1])), *map(str, words[-1:])]))
