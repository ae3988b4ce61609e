"""Plans of the oracles: lists of uses, from which free processors at any time are summed."""

from collections.abc import Sequence
from typing import NamedTuple


class Use(NamedTuple):
    """Processors taken from ``begin`` until just before ``end``, on the clock of the plan."""

    begin: int
    end: int
    size: int


def free_at(processors: int, uses: Sequence[Use], moment: int) -> int:
    """Count the processors free at a moment; below 0 where more were given away than there are."""
    return processors - sum(use.size for use in uses if use.begin <= moment < use.end)


def fits(processors: int, uses: Sequence[Use], begin: int, length: int, size: int) -> bool:
    """Tell whether so many processors are free throughout a stretch."""
    moments = [begin, *(use.begin for use in uses if begin < use.begin < begin + length)]
    return all(free_at(processors, uses, moment) >= size for moment in moments)


def earliest(processors: int, uses: Sequence[Use], not_before: int, length: int, size: int) -> int:
    """Return the earliest time from which so many processors are free for so long.

    It is the first possible moment or one at which something taken ends: otherwise a moment earlier would do as well.
    """
    moments = sorted({not_before, *(use.end for use in uses if use.end > not_before)})
    return next(moment for moment in moments if fits(processors, uses, moment, length, size))


def earliest_within(
    processors: int, uses: Sequence[Use], within: tuple[int, int], length: int, size: int
) -> int | None:
    """Return the earliest time in [first, last) from which the size is free for the length, or until the last if sooner."""
    first, last = within
    moments = sorted({first, *(use.end for use in uses if first < use.end < last)})
    return next((m for m in moments if fits(processors, uses, m, min(length, last - m), size)), None)


def stretches(processors: int, uses: Sequence[Use], begin: int, size: int) -> list[tuple[int, int | None]]:
    """List the longest stretches from ``begin`` on in which so many processors are free; the last one has no end."""
    moments = sorted({begin, *(m for use in uses for m in (use.begin, use.end) if m > begin)})
    found: list[tuple[int, int | None]] = []
    opened: int | None = None
    for moment in moments:
        free = free_at(processors, uses, moment) >= size
        if free and opened is None:
            opened = moment
        if not free and opened is not None:
            found.append((opened, moment))
            opened = None
    return [*found, (opened, None)] if opened is not None else found
