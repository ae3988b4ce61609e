"""What a hand-worked scenario of gang scheduling is, and how a schedule is compared with it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tests.oracles.gang.oracle import GangSchedule, Job

Times = tuple[float, float] | None

JOB_NUMBERS = "0123456789ABCDEFGHIJ"


def us(seconds: float) -> int:
    """Give whole microseconds."""
    return round(seconds * 1_000_000)


@dataclass(frozen=True)
class Asked:
    """A job of a scenario, times in seconds; ``more`` are the oracle's further fields."""

    submit: float
    runtime: float
    size: int
    estimate: float | None = None
    more: dict[str, Any] = field(default_factory=dict)


def asked(submit: float, runtime: float, size: int, *, estimate: float | None = None, **more: Any) -> Asked:
    """Describe a job; its estimate is its run time where none is given."""
    return Asked(submit, runtime, size, estimate, more)


@dataclass(frozen=True)
class Worked:
    """What was worked out by hand, in seconds.

    ``times`` are start and finish of every job, None for a rejected one. ``matrices`` draw the Ousterhout matrix just
    after an instant: a row a slot, by number; a column a processor; the job's number where it is, ``.`` where free.
    ``sizes`` are the sizes of a job's segments in order; ``levels`` (begin, end, slots); ``work`` the work of a job's
    segments in order, in microseconds; ``counters`` those that were worked out.
    """

    times: tuple[Times, ...]
    matrices: dict[float, tuple[str, ...]] = field(default_factory=dict)
    sizes: dict[int, tuple[int, ...]] = field(default_factory=dict)
    work: dict[int, tuple[int, ...]] = field(default_factory=dict)
    levels: tuple[tuple[float, float, int], ...] | None = None
    counters: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Scenario:
    """A few jobs on a small machine, and what becomes of them under each policy, by the call a study writes."""

    processors: int
    jobs: tuple[Asked, ...]
    schedules: dict[str, Worked]
    memory: int = 0

    def job_list(self) -> list[Job]:
        """Give the jobs, numbered from 1, in microseconds."""
        return [
            Job(number, us(j.submit), us(j.runtime), us(j.estimate or j.runtime), j.size, **j.more)
            for number, j in enumerate(self.jobs, start=1)
        ]


def times_of(found: GangSchedule, worked: Worked) -> tuple[dict[int, Any], dict[int, Any]]:
    """Give start and finish of every job, found and worked out."""
    expected = {
        number: None if times is None else (us(times[0]), us(times[1]))
        for number, times in enumerate(worked.times, start=1)
    }
    return {job: times and times[:2] for job, times in found.jobs.items()}, expected


def drawing(found: GangSchedule, processors: int, instant: float) -> tuple[str, ...]:
    """Draw the Ousterhout matrix of a schedule just after an instant."""
    there = [segment for segment in found.segments if segment.begin <= us(instant) < segment.end]
    rows = [["."] * processors for _ in range(1 + max((segment.slot for segment in there), default=-1))]
    for segment in there:
        for processor in segment.processors:
            assert rows[segment.slot][processor] == ".", "two jobs on one processor of a slot"
            rows[segment.slot][processor] = JOB_NUMBERS[segment.job]
    return tuple("".join(row) for row in rows)


WORKED: dict[str, Scenario] = {}
"""Every scenario by name."""


def scenario(worked: Callable[[], Scenario]) -> Callable[[], Scenario]:
    """Enter a scenario into :data:`WORKED`."""
    WORKED[worked.__name__] = worked()
    return worked
