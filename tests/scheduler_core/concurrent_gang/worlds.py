"""Runs of Concurrent Gang for tests of its engine: a world without jobs, and jobs with their applications."""

from collections.abc import Sequence
from typing import Any

import polars as pl

from scheduler_core.concurrent_gang.family import FAMILY
from scheduler_core.concurrent_gang.layout import make_world
from scheduler_core.concurrent_gang.state import World
from scheduler_core.contracts import WORKLOAD_COLUMNS, Machine, Workload
from scheduler_core.contracts.applications import APPLICATIONS_COLUMNS, PROGRAMS_COLUMNS
from scheduler_core.declarations.policy import get_policy
from scheduler_core.stepping.engine_shell import Shell
from tests.scheduler_core.scenario import us

BURST_US = 4_000


def applications(words: Sequence[str], **columns: Any) -> pl.DataFrame:
    """Return what the tasks of jobs do, with bursts of 4 ms; job 1 has seed 1, and so on."""
    count = len(words)
    bursts = dict.fromkeys(("io", "messages", "supersteps", "irregular", "barriers"), BURST_US)
    table = {
        "job": list(range(1, count + 1)),
        "application": list(words),
        "seed": list(range(1, count + 1)),
        "burst_us": [bursts.get(word, 0) for word in words],
        "disk_us": [BURST_US if word == "io" else 0 for word in words],
        "spread": ["exponential"] * count,
        "imbalance": [0.0] * count,
        "most_tasks": [6 if word == "irregular" else 0 for word in words],
        **columns,
    }
    return pl.DataFrame(table, schema=APPLICATIONS_COLUMNS)


def workload(
    words: Sequence[str], sizes: Sequence[int], processors: int, programs: pl.DataFrame | None = None, **columns: Any
) -> Workload:
    """Return jobs of 0.3 s that are submitted at once, unless the columns of seconds say otherwise."""
    count = len(words)
    submit, runtime = (columns.pop(name, [value] * count) for name, value in (("submit", 0.0), ("runtime", 0.3)))
    jobs = {
        "job": list(range(1, count + 1)),
        "submit_us": [us(time) for time in submit],
        "runtime_us": [us(time) for time in runtime],
        "estimate_us": [us(time) for time in runtime],
        "size": list(sizes),
    }
    companions = {"applications": applications(words, **columns)}
    companions |= {} if programs is None else {"programs": programs}
    return Workload(pl.DataFrame(jobs, schema=WORKLOAD_COLUMNS), Machine(processors), companions=companions)


def empty_world(processors: int) -> World:
    """Return what a run without jobs works on."""
    policy: Any = get_policy("cg_gang")
    return make_world(policy, Shell(FAMILY, policy, workload([], [], processors)))


Statement = tuple[str, float]
"""A statement with its milliseconds, or the number of its message; a barrier has 0."""


def programs_workload(programs: Sequence[Sequence[Sequence[Statement]]], processors: int) -> Workload:
    """Return jobs that follow programs, given statement by statement for each task; all are submitted at once."""
    rows = [
        (job, task, step, word, us(value / 1000) if timed else 0, 0 if timed else int(value))
        for job, tasks in enumerate(programs, start=1)
        for task, statements in enumerate(tasks)
        for step, (word, value) in enumerate(statements)
        for timed in [word in ("compute", "disk")]
    ]
    written = pl.DataFrame(rows, schema=PROGRAMS_COLUMNS, orient="row")
    return workload(["program"] * len(programs), [len(tasks) for tasks in programs], processors, written)
