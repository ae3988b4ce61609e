"""What a hand-worked scenario of slices is, and how a schedule is compared with it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.oracles.slices.oracle import Asked, Result

Stretch = tuple[float, float, int, str]
"""An allocation: begin and end in seconds, slot, processors as digits."""

Row = tuple[Any, ...]


def us(seconds: float) -> int:
    """Give whole microseconds."""
    return round(seconds * 1_000_000)


def asked(submit: float, runtime: float, size: int, *, estimate: float | None = None, of: str | None = None) -> Asked:
    """Describe a job, times in seconds; its estimate is its run time where none is given."""
    return Asked(us(submit), us(runtime), us(runtime if estimate is None else estimate), size, of)


@dataclass(frozen=True)
class Worked:
    """What was worked out by hand, times in seconds; what is None was not.

    ``times`` are start and finish of every job, None for a rejected one; ``held`` the allocations of some jobs; ``slices``
    rows (class, begin, end); ``promises`` (job, made, group, clock, finish); ``groups`` (class, formed, ended, long-wide
    jobs, orders, nodes, pruned, pruned leaves, heuristic's slowdown, slowdown); ``members`` the jobs of each group;
    ``improvements`` (group, part, orders, slowdown); ``counters`` some of them.
    """

    times: tuple[tuple[float, float] | None, ...]
    held: dict[int, tuple[Stretch, ...]] = field(default_factory=dict)
    slices: tuple[Row, ...] | None = None
    promises: tuple[Row, ...] | None = None
    groups: tuple[Row, ...] | None = None
    members: tuple[tuple[int, ...], ...] | None = None
    improvements: tuple[Row, ...] | None = None
    counters: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Scenario:
    """A few jobs on a small machine, and what becomes of them under each policy, by the call a study writes."""

    processors: int
    jobs: tuple[Asked, ...]
    schedules: dict[str, Worked]


def in_us(rows: Sequence[Row], columns: tuple[int, ...]) -> list[Row]:
    """Give rows with some columns in microseconds."""
    return [tuple(us(value) if place in columns else value for place, value in enumerate(row)) for row in rows]


def assert_worked(found: Result, worked: Worked) -> None:
    """Hold a schedule against what was worked out by hand."""
    times = [times and (us(times[0]), us(times[1])) for times in worked.times]
    assert [None if job.start is None else (job.start, job.finish) for job in found.jobs] == times
    for job, stretches in worked.held.items():
        expected = [(us(b), us(e), slot, tuple(map(int, processors))) for b, e, slot, processors in stretches]
        assert [tuple(held[1:]) for held in found.allocations if held.position == job] == expected
    if worked.slices is not None:
        assert [(row[3], *row[1:3]) for row in found.slices] == in_us(worked.slices, (1, 2))
    if worked.promises is not None:
        assert [(row[0], *row[2:]) for row in found.promises] == in_us(worked.promises, (1, 3, 4))
    if worked.groups is not None:
        assert [(*row[2:5], *row[6:]) for row in found.groups] == in_us(worked.groups, (1, 2))
    if worked.members is not None:
        numbers = sorted({row[1] for row in found.members})
        assert tuple(tuple(r[3] for r in found.members if r[1] == n) for n in numbers) == worked.members
    if worked.improvements is not None:
        assert [row[1:] for row in found.improvements] == list(worked.improvements)
    assert {name: found.counters[name] for name in worked.counters} == worked.counters


WORKED: dict[str, Scenario] = {}
"""Every scenario by name."""


def scenario(worked: Callable[[], Scenario]) -> Callable[[], Scenario]:
    """Enter a scenario into :data:`WORKED`."""
    WORKED[worked.__name__] = worked()
    return worked
