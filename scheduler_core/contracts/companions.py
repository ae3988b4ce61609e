"""Tables that a workload may carry beside its jobs; most families read none of them, and ignore what they do not need."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import polars as pl

from scheduler_core.contracts.tables import check_columns, check_complete, check_rules
from scheduler_core.errors import ContractError

TOLERANCE = 1e-9  # of fractions that add up to 1 in double precision

TASKS_COLUMNS: dict[str, Any] = {
    "job": pl.Int64,  # the job that is a workflow
    "task": pl.Int64,  # number of the task within its job
    "runtime_us": pl.Int64,  # run time on `size` dedicated processors of speed 1, > 0
    "estimate_us": pl.Int64,  # what the scheduler is told, > 0
    "size": pl.Int32,  # processors asked, >= 1
}
"""Tasks of the jobs that are workflows: a row per task, in order of job and task."""

EDGES_COLUMNS: dict[str, Any] = {
    "job": pl.Int64,
    "from_task": pl.Int64,  # the task that must be done first
    "to_task": pl.Int64,  # the task that waits for its data; its number is higher, so that there is no cycle
    "data_kb": pl.Int64,  # data to move from the one to the other, >= 0
}
"""Which task waits for which: a row per pair, in order of job, first and second task."""

REQUESTS_COLUMNS: dict[str, Any] = {
    "request": pl.Int64,  # number of the request, unique
    "submit_us": pl.Int64,  # when it is made
    "earliest_us": pl.Int64,  # earliest begin, not before it is made
    "latest_us": pl.Int64,  # latest end
    "length_us": pl.Int64,  # for how long, > 0; it fits between earliest begin and latest end
    "size": pl.Int32,  # processors asked, >= 1
}
"""Reservations that are asked for: a row per request, in the order in which they are made."""

BEHAVIOUR_COLUMNS: dict[str, Any] = {
    "job": pl.Int64,
    "cpu": pl.Float64,  # fraction of its time alone in which the job computes
    "network": pl.Float64,  # fraction in which it communicates
    "disk": pl.Float64,  # fraction in which it reads or writes
}
"""What jobs do with their time: a row per job, in order of job; the fractions add up to at most 1."""


@dataclass(frozen=True)
class Companion:
    """A companion table: its columns, the columns that tell its rows apart and order them, and what rows must not be.

    ``of_jobs``: whether its rows belong to jobs of the workload.
    """

    columns: Mapping[str, Any]
    key: tuple[str, ...]
    broken: Mapping[str, pl.Expr]
    of_jobs: bool = True


def unordered(*key: str) -> pl.Expr:
    """Return whether a row does not come after the one before it, by its key."""
    later: pl.Expr = pl.lit(False)
    for name in reversed(key):
        later = (pl.col(name) > pl.col(name).shift(1)) | ((pl.col(name) == pl.col(name).shift(1)) & later)
    return ~later.fill_null(True)


COMPANIONS: dict[str, Companion] = {
    "tasks": Companion(
        TASKS_COLUMNS,
        ("job", "task"),
        {
            "runtime_us is not positive": pl.col("runtime_us") <= 0,
            "estimate_us is not positive": pl.col("estimate_us") <= 0,
            "size is below 1": pl.col("size") < 1,
        },
    ),
    "edges": Companion(
        EDGES_COLUMNS,
        ("job", "from_task", "to_task"),
        {
            "to_task is not higher than from_task": pl.col("to_task") <= pl.col("from_task"),
            "data_kb is negative": pl.col("data_kb") < 0,
        },
    ),
    "requests": Companion(
        REQUESTS_COLUMNS,
        ("submit_us", "request"),
        {
            "submit_us is negative": pl.col("submit_us") < 0,
            "a number is used twice": pl.col("request").is_duplicated(),
            "earliest_us is before submit_us": pl.col("earliest_us") < pl.col("submit_us"),
            "length_us is not positive": pl.col("length_us") <= 0,
            "length_us does not fit between earliest_us and latest_us": (
                pl.col("latest_us") - pl.col("earliest_us") < pl.col("length_us")
            ),
            "size is below 1": pl.col("size") < 1,
        },
        of_jobs=False,
    ),
    "behaviour": Companion(
        BEHAVIOUR_COLUMNS,
        ("job",),
        {
            "a fraction is outside 0 to 1": ~pl.all_horizontal(
                pl.col(name).is_between(0, 1) for name in ("cpu", "network", "disk")
            ),
            "fractions add up to more than 1": pl.sum_horizontal("cpu", "network", "disk") > 1 + TOLERANCE,
        },
    ),
}
"""Every companion table by name."""


def check_companions(jobs: pl.DataFrame, companions: Mapping[str, pl.DataFrame]) -> None:
    """Raise :class:`ContractError` when a companion table of a workload breaks a column or an invariant."""
    for name, table in companions.items():
        if name not in COMPANIONS:
            raise ContractError(f"workload: there is no companion table '{name}'; known: {', '.join(COMPANIONS)}")
        declared, what = COMPANIONS[name], f"workload: table '{name}'"
        check_columns(table, declared.columns, what)
        check_complete(table.select(*declared.columns), what)
        order = {f"rows are not in the order of {', '.join(declared.key)}": unordered(*declared.key)}
        unknown = {"the job is none of the workload's": ~pl.col("job").is_in(jobs["job"].implode())}
        check_rules(table, {**(unknown if declared.of_jobs else {}), **order, **declared.broken}, what)
    check_edges(companions)


def check_edges(companions: Mapping[str, pl.DataFrame]) -> None:
    """Raise :class:`ContractError` when an edge joins a task that the job does not have."""
    if "edges" not in companions:
        return
    edges = companions["edges"]
    tasks = companions.get("tasks", pl.DataFrame(schema=TASKS_COLUMNS)).select("job", "task")
    for end in ("from_task", "to_task"):
        lost = edges.join(tasks, left_on=["job", end], right_on=["job", "task"], how="anti")
        if lost.height:
            raise ContractError(
                f"workload: table 'edges': {end} is no task of its job in {lost.height} of {edges.height} rows"
            )


def of_jobs(companions: Mapping[str, pl.DataFrame], jobs: pl.DataFrame) -> dict[str, pl.DataFrame]:
    """Return the companion tables with the rows of these jobs alone, and all rows of those that belong to no job."""
    return {
        name: table.filter(pl.col("job").is_in(jobs["job"].implode())) if COMPANIONS[name].of_jobs else table
        for name, table in companions.items()
    }
