"""Words for times and jobs in explanations and charts."""

from __future__ import annotations

from collections.abc import Sequence

from scheduler_core.common.units import MICROSECONDS
from scheduler_core.declarations.words import counted, span

SHOWN = 5
"""Jobs that a sentence names."""

UNITS = (("days", 86_400, 4 * 86_400), ("h", 3600, 2 * 3600), ("min", 60, 5 * 60), ("s", 1, 0))
"""Units of an axis: name, seconds, and the least span that is shown in them."""


def unit_of(span_s: float) -> tuple[str, int]:
    """Return the unit of an axis and its seconds."""
    return next((name, seconds) for name, seconds, least in UNITS if span_s >= least)


def lasting(us: int) -> str:
    """Return a length of time as people say it, below a minute with three digits."""
    seconds = us / MICROSECONDS
    return span(seconds if abs(seconds) >= 60 else float(f"{seconds:.3g}"))


def instant(us: int) -> str:
    """Return a time since the workload's zero: ``day 3, 04:05:06``."""
    seconds = us // MICROSECONDS
    days, rest = divmod(seconds, 86_400)
    return f"day {days}, {rest // 3600:02}:{rest % 3600 // 60:02}:{rest % 60:02}"


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
