"""Concurrent Gang: its oracle, and how a schedule is compared with it and with what was worked out by hand."""

from dataclasses import dataclass, field
from typing import Any

import polars as pl

from scheduler_core.concurrent_gang.family import TABLES
from scheduler_core.contracts import Schedule
from tests.oracles.concurrent_gang import oracle
from tests.oracles.concurrent_gang.tables import ConcurrentSchedule
from tests.scheduler_core.examples import Case
from tests.scheduler_core.scenario import us
from tests.scheduler_core.subjects import Ways

ELSEWHERE = {"concurrent_gang"}
"""Parameters need not each be shown by a scenario: that each decides a schedule the drawn examples show."""

COMPARED = tuple(name for name in ConcurrentSchedule.__dataclass_fields__ if name in TABLES)


def by_oracle(case: Case) -> ConcurrentSchedule:
    """Let the oracle of the policy schedule an example."""
    return without_pace(oracle.schedule(case.policy, case.jobs, case.processors))


def in_form(case: Case, schedule: Schedule) -> ConcurrentSchedule:
    """Put an engine's schedule into the oracle's form."""
    columns = ("job", "start_us", "finish_us", "processors", "outcome")
    jobs = {job: tuple(rest) for job, *rest in schedule.jobs.select(columns).rows()}
    slot = pl.col("slot") if case.policy.front == "matrix" else pl.lit(None)
    held = schedule.allocations.select("job", slot, "begin_us", "end_us", "processor_ids", "work_us").rows()
    allocations = [(*row[:4], tuple(row[4]), row[5]) for row in held]
    tables: dict[str, Any] = {name: schedule.tables[name].rows() for name in COMPARED}
    found = ConcurrentSchedule(jobs=jobs, allocations=allocations, counters=dict(schedule.run["counters"]), **tables)
    return without_pace(found)


def without_pace(found: ConcurrentSchedule) -> ConcurrentSchedule:
    """Leave out how many slices were run at once: nothing else may tell."""
    found.counters.pop("fast_slices", None)
    return found


WAYS = Ways(by_oracle, in_form)


@dataclass(frozen=True)
class Worked:
    """What was worked out by hand.

    ``times`` are start and finish of every job in seconds, None for a rejected one, a finish of None for an unfinished one.
    ``tables`` are rows of tables as they must be, ``counters`` those that were worked out. ``drawn`` is what each processor
    does within the window of the trace: activities with the job, as in :func:`drawing`.
    """

    times: tuple[tuple[float | None, float | None] | None, ...] = ()
    drawn: tuple[str, ...] = ()
    tables: dict[str, list[tuple[Any, ...]]] = field(default_factory=dict)
    counters: dict[str, int] = field(default_factory=dict)


LETTERS = {"compute": "c", "send": "s", "receive": "r", "spin": "w", "switch": "x", "blocked": "-", "empty": "."}


def drawing(found: ConcurrentSchedule) -> tuple[str, ...]:
    """Draw the trace: for each processor, what it does, with its length in microseconds.

    ``c2:300`` is 300 us of computing for job 2; s and r send and receive, w waits spinning, x switches to the job; ``-`` is
    idle beside an owner that is blocked, ``.`` idle without owner; a stroke stands where a row begins with a slice that goes on.
    """
    processors = sorted({row[0] for row in found.trace})
    return tuple(
        " ".join(
            f"{LETTERS[activity]}{'' if job is None else job}{'' if by != 'local' else '*'}:{(end - begin) / 1000:g}"
            for number, begin, end, activity, job, _, by in found.trace
            if number == processor
        )
        for processor in processors
    )


def assert_worked(case: Case, found: ConcurrentSchedule, worked: Worked) -> None:
    """Hold a schedule against what was worked out by hand."""
    for number, times in enumerate(worked.times, start=1):
        expected = (None, None) if times is None else tuple(None if time is None else us(time) for time in times)
        assert found.jobs[number][:2] == expected, f"job {number}"
    if worked.drawn:
        assert drawing(found) == worked.drawn
    for name, rows in worked.tables.items():
        assert getattr(found, name) == rows, name
    assert {name: found.counters[name] for name in worked.counters} == worked.counters
