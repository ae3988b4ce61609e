"""The grid: the oracle, and how a schedule is compared with it and with what was worked out by hand."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from scheduler_core.contracts import Schedule
from scheduler_core.grid.family import TABLES
from tests.oracles.grid.oracle import LOCAL, Result, simulate
from tests.oracles.grid.workload import Edge, Site, Workflow
from tests.scheduler_core.grid.cases import GridCase
from tests.scheduler_core.scenario import Scenario, us
from tests.scheduler_core.subjects import Ways

ELSEWHERE = frozenset({"grid"})
"""The policy whose parameters need not all be shown by a scenario: the drawn examples show that they decide."""


def by_oracle(case: GridCase) -> Result:
    """Let the oracle schedule an example."""
    return simulate(case.policy, case.grid)


def in_form(case: GridCase, schedule: Schedule) -> Result:
    """Put an engine's schedule into the oracle's form."""
    columns = ("cluster", "start_us", "finish_us", "preemptions", "outcome")
    jobs = {row[0]: row[1:] for row in schedule.jobs.select("job", *columns).rows()}
    columns = ("job", "begin_us", "end_us", "cluster", "slot", "processor_ids")
    held = schedule.allocations.select(*columns).rows()
    allocations = sorted((*row[:5], tuple(sorted(row[5])) if row[5] is not None else None) for row in held)

    def rows_of(table: str) -> list[tuple[Any, ...]]:
        frame = schedule.tables[table]
        assert frame.schema == pl.Schema(TABLES[table].columns)
        return frame.rows()

    counted = (*COUNTERS, *LOCAL) if case.policy.local == "pect" else COUNTERS
    counters = {name: schedule.run["counters"][name] for name in counted}
    return Result(jobs, allocations, counters=counters, **{name: rows_of(name) for name in TABLES})


WAYS = Ways(by_oracle, in_form)


@dataclass(frozen=True)
class GridScenario(Scenario):
    """A scenario of the grid: ``homes`` are the clusters of local jobs, by number; ``workflows`` the jobs and edges of each.

    An edge has the time its data take between two clusters.
    """

    sites: tuple[Site, ...] = ()
    homes: Mapping[int, int] = field(default_factory=dict)
    workflows: tuple[tuple[tuple[int, ...], Mapping[Edge, float]], ...] = ()

    def case(self, call: str) -> GridCase:
        """Return the scenario under one of its policies."""
        jobs = {job.job: job for job in self.job_list()}
        flows = tuple(
            Workflow(number, tuple(jobs[job] for job in tasks), {edge: us(time) for edge, time in edges.items()})
            for number, (tasks, edges) in enumerate(self.workflows, start=1)
        )
        inner = {"sites": self.sites, "homes": self.homes, "workflows": flows}
        return GridCase(list(jobs.values()), self.processors, self.policy(call), **inner)


@dataclass(frozen=True)
class Worked:
    """What was worked out by hand, times in seconds; what is None was not.

    ``runs`` are cluster, start and finish of every job, None for a rejected one; ``frames`` are EST, ST, SST, PRT and LFT of
    reservations, by job; ``slides`` are (time, start, finish, cause), by job; ``counters`` some of them.
    """

    runs: tuple[tuple[int, float, float] | None, ...]
    frames: Mapping[int, tuple[float, float, float, float, float]] = field(default_factory=dict)
    slides: Mapping[int, tuple[tuple[float, float, float, str], ...]] = field(default_factory=dict)
    counters: Mapping[str, int] = field(default_factory=dict)


def assert_worked(case: GridCase, found: Result, worked: Worked) -> None:
    """Hold a schedule against what was worked out by hand."""
    runs = {job.job: run and (run[0], us(run[1]), us(run[2])) for job, run in zip(case.jobs, worked.runs, strict=True)}
    assert {job: None if row[1] is None else row[:3] for job, row in found.jobs.items()} == runs
    frames = {row[2]: row[6:11] for row in found.reservations if row[2] in worked.frames}
    assert frames == {job: tuple(map(us, frame)) for job, frame in worked.frames.items()}
    for job, slides in worked.slides.items():
        expected = [(*map(us, slide[:3]), slide[3]) for slide in slides]
        assert [row[1:] for row in found.slides if row[0] == job] == expected
    assert {name: found.counters[name] for name in worked.counters} == worked.counters


COUNTERS = (
    *("workflows", "rejected_workflows", "tasks", "predictions", "bookings", "slides_up", "slides_down", "lost_slots"),
    "late_tasks",
)
"""What is counted by the grid."""
