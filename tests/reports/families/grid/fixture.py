"""A schedule of a grid, worked by hand: two clusters in slices, local jobs, and a workflow whose slots slide."""

import json
from pathlib import Path
from typing import Any

import polars as pl

from scheduler_core.contracts import (
    ALLOCATIONS_COLUMNS,
    JOBS_COLUMNS,
    Cluster,
    JobClass,
    Machine,
    Schedule,
    Workload,
    write_replications,
)
from scheduler_core.contracts.companions import EDGES_COLUMNS, TASKS_COLUMNS
from scheduler_core.contracts.workload import WORKLOAD_COLUMNS
from scheduler_core.grid.family import FAMILY
from tests.reports import run_folders
from tests.reports.families import stores

SECOND = 1_000_000
MACHINE = Machine(clusters=(Cluster(8, name="Arve"), Cluster(4, speed=1.0, name="Rhone")), name="two clusters")
CLASSES = ("short", "medium", "long")
MEDIUM, LONG = 1, 2

JOBS = (
    # job, submission, run time, size, home (None: a task), class
    (1, 0, 70, 4, 0, "long"),
    (2, 0, 30, 2, 1, "medium"),
    (3, 10, 30, 4, 0, "medium"),
    (11, 5, 20, 4, None, "medium"),
    (12, 5, 20, 2, None, "medium"),
    (13, 5, 20, 2, None, "medium"),
    (14, 5, 20, 2, None, "medium"),
    (15, 5, 20, 4, None, "medium"),
)
EDGES = ((1, 2), (1, 3), (1, 4), (2, 5), (3, 5), (4, 5))
"""The workflow forks and joins; data take 10 s from a cluster to the other."""
TRANSFER = 10
SLICES = tuple(
    (begin, end, kind)
    for at in (0, 100, 200)
    for begin, end, kind in ((at, at + 40, MEDIUM), (at + 40, at + 100, LONG))
)
SWITCH = 5
"""Both clusters: 100 s, of which 40 are medium and 60 long; each slice begins with 5 s of switching."""

HELD = (
    # job, begin, end, processors (numbered through both clusters), cluster, slot
    (1, 45, 100, range(4), 0, LONG),
    (1, 145, 160, range(4), 0, LONG),
    (2, 5, 35, range(8, 10), 1, MEDIUM),
    (3, 10, 40, range(4, 8), 0, MEDIUM),
    (11, 5, 25, range(4), 0, MEDIUM),
    (12, 25, 40, range(2), 0, MEDIUM),
    (12, 105, 110, range(2), 0, MEDIUM),
    (13, 35, 40, range(10, 12), 1, MEDIUM),
    (13, 105, 120, range(10, 12), 1, MEDIUM),
    (14, 45, 65, range(8, 10), 1, LONG),
    (15, 130, 140, range(4), 0, MEDIUM),
    (15, 205, 215, range(4), 0, MEDIUM),
)
RESERVATIONS = (
    # task, cluster, rank, earliest, from, start, finish, latest, expected, ready, freed
    (1, 0, 60.0, 5, 5, 5, 25, 25, 5, 5, 5),
    (2, 0, 40.0, 5, 25, 25, 105, 105, 25, 25, 5),
    (3, 1, 40.0, 15, 35, 35, 120, 120, 35, 35, 15),
    (4, 1, 40.0, 15, 35, 105, 125, 125, 35, 35, 15),
    (5, 0, 20.0, 135, 135, 205, 225, 225, 135, 130, 130),
)
CANDIDATES = (
    # task, cluster, from, start, finish, earliest, latest, chosen
    (1, 0, 5, 5, 25, 5, 25, True), (1, 1, 5, 5, 25, 5, 25, False),
    (2, 0, 25, 25, 105, 5, 105, True), (2, 1, 35, 105, 125, 15, 125, False),
    (3, 0, 25, 125, 205, 5, 205, False), (3, 1, 35, 35, 120, 15, 120, True),
    (4, 0, 25, 125, 205, 5, 205, False), (4, 1, 35, 105, 125, 15, 125, True),
    (5, 0, 135, 205, 225, 135, 225, True), (5, 1, 135, 205, 225, 135, 225, False),
)  # fmt: skip
SLIDES = (
    # job, at, start, finish, cause
    (11, 5, 5, 25, "booked"), (12, 5, 25, 105, "booked"), (13, 5, 35, 120, "booked"), (14, 5, 105, 125, "booked"),
    (15, 5, 205, 225, "booked"), (14, 45, 45, 65, "room"), (15, 65, 135, 220, "room"), (15, 120, 130, 215, "freed"),
)  # fmt: skip
ARRIVALS = (
    # from, to, from cluster, to cluster, sent, arrived
    (1, 2, 0, 0, 25, 25), (1, 3, 0, 1, 25, 35), (1, 4, 0, 1, 25, 35),
    (2, 5, 0, 0, 110, 110), (3, 5, 1, 0, 120, 130), (4, 5, 1, 0, 65, 75),
)  # fmt: skip
PROMISES = ((1, 0, 0, 170), (2, 1, 0, 40), (3, 0, 10, 35))
"""Job, cluster, when it was made, latest finish: the promise to job 3 is not kept."""


def table(name: str, rows: list[dict[str, Any]]) -> pl.DataFrame:
    """Make a table of the family from rows whose times are in seconds."""
    columns = FAMILY.tables[name].columns
    made = [
        {key: round(value * SECOND) if key.endswith("_us") else value for key, value in row.items()} for row in rows
    ]
    return pl.DataFrame(made, schema=columns)


def named(columns: str, rows: tuple[tuple[Any, ...], ...], **same: Any) -> list[dict[str, Any]]:
    """Name the values of rows."""
    return [{**same, **dict(zip(columns.split(), row, strict=True))} for row in rows]


def jobs_table(held: tuple[tuple[Any, ...], ...] = HELD) -> pl.DataFrame:
    """Return the jobs and what became of them."""
    rows = []
    for job, submit, run, size, home, kind in JOBS:
        own = [row for row in held if row[0] == job]
        rows.append((job, submit * SECOND, run * SECOND, run * SECOND, size, own[0][1] * SECOND, own[-1][2] * SECOND, size,
                     own[0][4], len(own) - 1, "finished", home, kind))  # fmt: skip
    columns = {**JOBS_COLUMNS, "home": pl.Int16, "class": JobClass}
    return pl.DataFrame(rows, schema=columns, orient="row").sort("submit_us", "job")


def allocations_table(held: tuple[tuple[Any, ...], ...] = HELD) -> pl.DataFrame:
    """Return who held which processors when."""
    rows = [
        (job, begin * SECOND, end * SECOND, len(ids), list(ids), cluster, slot, 1.0, (end - begin) * SECOND)
        for job, begin, end, ids, cluster, slot in held
    ]
    return pl.DataFrame(rows, schema=ALLOCATIONS_COLUMNS, orient="row")


def booked_tables() -> dict[str, pl.DataFrame]:
    """Return the tables of the family for the schedule with reservations."""
    columns = "task cluster rank earliest_us from_us start_us finish_us latest_us expected_us ready_us freed_us"
    booked = named(columns, RESERVATIONS, workflow=7, made_us=5)
    for row in booked:
        row["rank"] *= SECOND
    return {
        **common_tables(),
        "promises": table("promises", named("job cluster made_us finish_us", PROMISES, group=0, clock_us=0)),
        "reservations": table("reservations", [{**row, "job": 10 + row["task"]} for row in booked]),
        "slides": table("slides", named("job at_us start_us finish_us cause", SLIDES)),
    }


def common_tables() -> dict[str, pl.DataFrame]:
    """Return the tables of the family without reservations."""
    asked = named("task cluster from_us start_us finish_us earliest_us latest_us chosen", CANDIDATES, workflow=7)
    empty = {name: pl.DataFrame(schema=declared.columns) for name, declared in FAMILY.tables.items()}
    slices = [
        {"cluster": cluster, "begin_us": begin, "end_us": end, "class": CLASSES[kind], "overhead_us": SWITCH}
        for cluster in (0, 1)
        for begin, end, kind in SLICES
    ]
    columns = "from_task to_task from_cluster to_cluster sent_us arrived_us"
    return {
        **empty,
        "slices": table("slices", slices),
        "candidates": table("candidates", [{**row, "job": 10 + row["task"]} for row in asked]),
        "arrivals": table("arrivals", named(columns, ARRIVALS, workflow=7)),
    }


def schedule(booked: bool = True) -> Schedule:
    """Return the schedule; without bookings the tasks happened to run at the same times."""
    parameters = {"tasks": "reserved" if booked else "when_ready", "local": "pect"}
    note = {"policy": {"name": "grid", "parameters": parameters, "source": "by hand"}, "counters": {}}
    tables = booked_tables() if booked else common_tables()
    return Schedule(jobs_table(), allocations_table(), MACHINE, note, FAMILY, tables=tables)


def counted() -> Schedule:
    """Return the schedule under space sharing, in which clusters only count processors."""
    held = tuple(
        (job, begin, end, ids, cluster, 0) for job, begin, end, ids, cluster, _ in HELD if job not in (1, 12, 13, 15)
    )
    held += (
        (1, 40, 110, range(4), 0, 0),
        (12, 25, 45, range(2), 0, 0),
        (13, 35, 55, range(2), 1, 0),
        (15, 75, 95, range(4), 0, 0),
    )
    parameters = {"tasks": "reserved", "local": "easy"}
    note = {"policy": {"name": "grid", "parameters": parameters, "source": "by hand"}, "counters": {}}
    allocations = allocations_table(held).with_columns(pl.lit(None, dtype=pl.List(pl.Int32)).alias("processor_ids"))
    tables = {
        **booked_tables(),
        "slices": common_tables()["slices"].clear(),
        "promises": booked_tables()["promises"].clear(),
    }
    return Schedule(jobs_table(held), allocations, MACHINE, note, FAMILY, tables=tables)


def workload() -> Workload:
    """Return the workload: local jobs, and a workflow."""
    rows = [(job, at * SECOND, run * SECOND, run * SECOND, size, home, kind) for job, at, run, size, home, kind in JOBS]
    jobs = pl.DataFrame(rows, schema={**WORKLOAD_COLUMNS, "home": pl.Int16, "class": JobClass}, orient="row")
    tasks = [(10 + task, 7, task) for task in range(1, 6)]
    edges = [(7, begin, end, 0, TRANSFER * SECOND) for begin, end in EDGES]
    companions = {
        "tasks": pl.DataFrame(tasks, schema=TASKS_COLUMNS, orient="row"),
        "edges": pl.DataFrame(edges, schema=EDGES_COLUMNS, orient="row"),
    }
    return Workload(jobs.sort("submit_us", "job"), MACHINE, {"source": "by hand"}, companions)


def write_workload(root: Path, name: str) -> None:
    """Write the workload as the pipeline does."""
    write_replications(root / "workloads" / f"{name}.parquet", [workload()])


def write_measured_runs(root: Path, name: str, runs: dict[str, Schedule]) -> dict[str, Any]:
    """Write the workload and its runs with all that the store reads of them; return the study of these cells."""
    write_workload(root, name)
    jobs = [(at, run, run, size) for _, at, run, size, _, _ in sorted(JOBS, key=lambda job: (job[1], job[0]))]
    for policy, made in runs.items():
        folder = root / "runs" / name / policy
        run_folders.write_run(root, name, policy, [jobs], [[0.0] * len(jobs)])
        note = json.loads((folder / "run.json").read_text())
        stores.write_tables(folder, made)
        told = {"policy": made.run["policy"], "family": made.family.name, "machine": made.machine.as_dict()}
        (folder / "run.json").write_text(json.dumps({**note, **told}))
    described = run_folders.study([(name, policy) for policy in runs])
    for policy in runs:
        described["policies"][policy]["family"] = "grid"
    return json.loads(json.dumps(described))


RUNS = {"relaxed": schedule, "ready": lambda: schedule(booked=False), "easy": counted}
"""Schedules of the store by policy."""


def write_store(root: Path) -> Path:
    """Write a store of the workload under all policies."""
    return stores.write_store(root, "gridded", {("flow", policy): make() for policy, make in RUNS.items()})
