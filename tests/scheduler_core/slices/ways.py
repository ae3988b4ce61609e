"""Slices: the oracle, and how a schedule is compared with it and with what was worked out by hand."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from scheduler_core.contracts import Schedule
from scheduler_core.slices.family import TABLES
from tests.oracles.slices.oracle import Held, Outcome, Result, simulate
from tests.scheduler_core.examples import Case
from tests.scheduler_core.scenario import us
from tests.scheduler_core.subjects import Ways

ELSEWHERE = frozenset({"pect", "pect_o", "bottom_line"})
"""Policies whose parameters need not all be shown by a scenario: the drawn examples show that they decide."""

Stretch = tuple[float, float, int, str]
"""An allocation: begin and end in seconds, slot, processors as digits."""

Row = tuple[Any, ...]


def by_oracle(case: Case) -> Result:
    """Let the oracle schedule an example."""
    return simulate(case.jobs, case.processors, case.policy)


def in_form(case: Case, schedule: Schedule) -> Result:
    """Put an engine's schedule into the oracle's form, which speaks of jobs by their positions in the workload."""
    positions = {job.job: position for position, job in enumerate(case.jobs)}

    def rows_of(table: str) -> list[Row]:
        frame = schedule.tables[table]
        assert frame.schema == pl.Schema(TABLES[table].columns)
        if "job" in frame.columns:
            frame = frame.with_columns(pl.col("job").replace_strict(positions, return_dtype=pl.Int64))
        return frame.drop("placements", strict=False).rows()

    jobs = schedule.jobs.select("start_us", "finish_us", "preemptions", "outcome").rows()
    held = schedule.allocations.select("job", "begin_us", "end_us", "slot", "processor_ids").rows()
    allocations = sorted(Held(positions[row[0]], *row[1:4], tuple(sorted(row[4]))) for row in held)
    counters = {name: value for name, value in schedule.run["counters"].items() if name != "placements"}
    tables = {name: rows_of(name) for name in TABLES}
    return Result([Outcome(*row) for row in jobs], allocations, counters=counters, **tables)


WAYS = Ways(by_oracle, in_form)


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


def in_us(rows: Sequence[Row], columns: tuple[int, ...]) -> list[Row]:
    """Return rows with some columns in microseconds."""
    return [tuple(us(value) if place in columns else value for place, value in enumerate(row)) for row in rows]


def assert_worked(case: Case, found: Result, worked: Worked) -> None:
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
