"""Two ways to run gang scheduling on a list of jobs: the oracle and the engine."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import polars as pl

from scheduler_core import simulate
from scheduler_core.contracts import WORKLOAD_COLUMNS, WORKLOAD_OPTIONAL, Machine, Schedule, Workload
from scheduler_core.policy import Policy
from tests.oracles.gang.oracle import GangSchedule, Job, Level, Segment
from tests.oracles.gang.oracle import schedule as oracle

Runner = Callable[[Policy, list[Job], int, int], GangSchedule]

OPTIONAL = {
    "flexibility": lambda job: job.flexibility,
    "size_min": lambda job: job.size_min,
    "size_max": lambda job: job.size_max,
    "class": lambda job: job.job_class,
    "memory_kb": lambda job: job.memory,
}
"""Optional columns of a workload that gang scheduling reads, and where the oracle's jobs keep them."""


def optional_columns(jobs: list[Job]) -> dict[str, list[Any]]:
    """Give the optional columns that say anything; a workload of rigid jobs has no column for it."""
    columns = {name: [get(job) for job in jobs] for name, get in OPTIONAL.items()}
    plain = {"flexibility": {"rigid"}}
    return {name: values for name, values in columns.items() if set(values) - plain.get(name, {None})}


def workload_of(jobs: list[Job], processors: int, memory: int) -> Workload:
    """Make a workload of the jobs, which are in the order of submission, then job number."""
    required = [(job.job, job.submit, job.runtime, job.estimate, job.size) for job in jobs]
    table = pl.DataFrame(required, schema=WORKLOAD_COLUMNS, orient="row")
    more = [pl.Series(n, values, dtype=WORKLOAD_OPTIONAL[n]) for n, values in optional_columns(jobs).items()]
    return Workload(table.with_columns(more), Machine(processors, memory_kb=memory))


def in_oracles_form(schedule: Schedule) -> GangSchedule:
    """Put an engine's schedule into the oracle's form."""
    columns = ("job", "start_us", "finish_us", "processors", "outcome")
    jobs = {
        job: None if outcome == "rejected" else (start, finish, processors)
        for job, start, finish, processors, outcome in schedule.jobs.select(columns).rows()
    }
    rows = schedule.allocations.select(
        *("job", "slot", "begin_us", "end_us", "processor_ids", "rate", "work_us", "turn_us", "overhead_us")
    ).rows()
    segments = sorted(Segment(*row[:4], tuple(sorted(row[4])), *row[5:]) for row in rows)
    assert schedule.levels is not None
    levels = schedule.levels.select("begin_us", "end_us", "level", "share").rows()
    return GangSchedule(jobs, segments, [Level(*row) for row in levels], dict(schedule.run["counters"]))


def engine(policy: Policy, jobs: list[Job], processors: int, memory: int = 0) -> GangSchedule:
    """Run the engine and give its schedule in the oracle's form."""
    return in_oracles_form(simulate(workload_of(jobs, processors, memory), policy))


RUNNERS: dict[str, Runner] = {"oracle": oracle, "engine": engine}
