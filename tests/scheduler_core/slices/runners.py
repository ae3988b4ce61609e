"""Two ways to run a policy of slices on a list of jobs: the oracle and the engine."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Sequence
from typing import Any

import polars as pl

from scheduler_core import simulate
from scheduler_core.contracts import SLICE_TABLES, WORKLOAD_COLUMNS, WORKLOAD_OPTIONAL, Machine, Schedule, Workload
from scheduler_core.policy import Policy
from tests.oracles.slices.oracle import Asked, Held, Outcome, Result
from tests.oracles.slices.oracle import simulate as by_oracle

Runner = Callable[[Sequence[Asked], int, Policy], Result]

ENGINE_EXISTS = importlib.util.find_spec("scheduler_core.slices.engine") is not None


def number_of(position: int) -> int:
    """Number a job: rising with its position, and not to be mistaken for it."""
    return 3 * position + 7


def position_of(number: int) -> int:
    """Give the position of a job from its number."""
    return (number - 7) // 3


def workload_of(jobs: Sequence[Asked], processors: int) -> Workload:
    """Make a workload of the jobs, which are in the order of submission."""
    rows = [(number_of(position), *job[:4]) for position, job in enumerate(jobs)]
    table = pl.DataFrame(rows, schema=WORKLOAD_COLUMNS, orient="row")
    classes = [job.job_class for job in jobs]
    if any(classes):
        table = table.with_columns(pl.Series("class", classes, dtype=WORKLOAD_OPTIONAL["class"]))
    return Workload(table, Machine(processors))


def rows_of(schedule: Schedule, table: str) -> list[tuple[Any, ...]]:
    """Give the rows of a table, jobs by position."""
    frame = schedule.tables[table]
    assert frame.schema == pl.Schema(SLICE_TABLES[table])
    if "job" in frame.columns:
        frame = frame.with_columns(((pl.col("job") - 7) // 3).alias("job"))
    return frame.drop("placements", strict=False).rows()


def in_oracles_form(schedule: Schedule) -> Result:
    """Put an engine's schedule into the oracle's form."""
    jobs = schedule.jobs.select("start_us", "finish_us", "preemptions", "outcome").rows()
    held = schedule.allocations.select("job", "begin_us", "end_us", "slot", "processor_ids").rows()
    allocations = sorted(Held(position_of(row[0]), *row[1:4], tuple(sorted(row[4]))) for row in held)
    tables = {name: rows_of(schedule, name) for name in SLICE_TABLES}
    counters = {name: value for name, value in schedule.run["counters"].items() if name != "placements"}
    return Result([Outcome(*row) for row in jobs], allocations, counters=counters, **tables)


def by_engine(jobs: Sequence[Asked], processors: int, policy: Policy) -> Result:
    """Run the engine and give its schedule in the oracle's form."""
    return in_oracles_form(simulate(workload_of(jobs, processors), policy))


RUNNERS: dict[str, Runner] = {"oracle": by_oracle, "engine": by_engine}
