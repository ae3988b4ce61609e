"""Workflows: jobs that are tasks of a whole and wait for one another's data; their companion tables.

A **workflow** is an acyclic graph of tasks with one root (the task without predecessors) and one exit (the task without
successors). Each task is a job with its own row in ``jobs``: run time, estimate, size and submission. All tasks of a workflow
have one submission. Changes to the jobs of a workload keep workflows whole (:func:`whole_workflows`).

``run_times`` is the *computational matrix*: run times of a task on each cluster. A task without rows there has its job's run
time at speed 1. ``transfers`` is the *communicational matrix*: times to move data. An edge without rows there takes the time in
``edges`` between two different clusters, and no time within one.
"""

from collections.abc import Mapping
from typing import Any

import polars as pl

from scheduler_core.common.errors import ContractError
from scheduler_core.contracts.tables import refuse_rows

TASKS_COLUMNS: dict[str, Any] = {
    "job": pl.Int64,  # the job that is this task; no job is two tasks
    "workflow": pl.Int64,  # number of the workflow
    "task": pl.Int64,  # number of the task within its workflow: 1, 2, ...
}
"""The tasks of workflows: a row per task, in order of workflow and task."""

EDGES_COLUMNS: dict[str, Any] = {
    "workflow": pl.Int64,
    "from_task": pl.Int64,  # the task that must be done first
    "to_task": pl.Int64,  # the task that waits for its data; its number is higher, so there is no cycle
    "data_kb": pl.Int64,  # data to move from the one to the other, >= 0
    "transfer_us": pl.Int64,  # how long they take between two clusters if `transfers` has no rows for the edge, >= 0
}
"""Which task waits for which: a row per pair, in order of workflow, first and second task."""

TRANSFERS_COLUMNS: dict[str, Any] = {
    "workflow": pl.Int64,
    "from_task": pl.Int64,
    "to_task": pl.Int64,
    "from_cluster": pl.Int16,  # where the first task ran
    "to_cluster": pl.Int16,  # where the second runs; it may be the same cluster
    "time_us": pl.Int64,  # how long the data take, >= 0
}
"""The communicational matrix: for each edge in it, a row for every ordered pair of clusters."""

RUN_TIMES_COLUMNS: dict[str, Any] = {
    "job": pl.Int64,
    "cluster": pl.Int16,
    "runtime_us": pl.Int64,  # run time of the job there, > 0
}
"""The computational matrix: for each job in it, a row for every cluster."""

EDGE = ("workflow", "from_task", "to_task")
"""Columns that name an edge."""

NO_TASKS = pl.DataFrame(schema=TASKS_COLUMNS)
"""The tasks of a workload without workflows."""

MOST_NAMED = 5
"""The most tasks that an error names."""


def check_workflows(jobs: pl.DataFrame, companions: Mapping[str, pl.DataFrame], clusters: int) -> None:
    """Raise :class:`ContractError` when tables of workflows contradict each other, the jobs or the machine's clusters."""
    tasks = companions.get("tasks", NO_TASKS)
    edges = companions.get("edges", pl.DataFrame(schema=EDGES_COLUMNS))
    check_tasks(jobs, tasks)
    check_ends(tasks, edges)
    if tasks.height:
        check_one_end(tasks, edges, "to_task", "root", "predecessor")
        check_one_end(tasks, edges, "from_task", "exit", "successor")
    if "transfers" in companions:
        check_transfers(edges, companions["transfers"], clusters)
    if "run_times" in companions:
        check_run_times(companions["run_times"], clusters)


def check_tasks(jobs: pl.DataFrame, tasks: pl.DataFrame) -> None:
    """Raise :class:`ContractError` when tasks are not numbered 1, 2, ..., a job is two tasks, or submissions differ."""
    what = "workload: table 'tasks'"
    place = pl.int_range(pl.len()).over("workflow") + 1
    broken = {
        "the job is a task already": pl.col("job").is_duplicated(),
        "tasks of a workflow are not numbered 1, 2, ... without a gap": pl.col("task") != place,
    }
    refuse_rows(tasks, broken, ("workflow", "task"), what)
    submitted = tasks.join(jobs.select("job", "submit_us"), on="job", how="left", maintain_order="left")
    other = pl.col("submit_us") != pl.col("submit_us").first().over("workflow")
    refuse_rows(submitted, {"submit_us is not that of the workflow's first task": other}, ("workflow", "task"), what)


def check_ends(tasks: pl.DataFrame, edges: pl.DataFrame) -> None:
    """Raise :class:`ContractError` when an edge joins a task that its workflow does not have."""
    for end in ("from_task", "to_task"):
        lost = edges.join(tasks, left_on=["workflow", end], right_on=["workflow", "task"], how="anti")
        if lost.height:
            first = ", ".join(f"{name} {lost[name][0]}" for name in EDGE)
            raise ContractError(
                f"workload: table 'edges': {end} is no task of its workflow in {lost.height} of {edges.height} rows, the "
                f"first of them {first}"
            )


def check_one_end(tasks: pl.DataFrame, edges: pl.DataFrame, joined: str, end: str, beyond: str) -> None:
    """Raise :class:`ContractError` when a workflow has more than one task without edges on one side.

    ``joined`` is the column of the edges that names the tasks with a ``beyond``; the only task without one is the ``end``. The
    graph is acyclic, so each workflow has at least one.
    """
    ends = tasks.join(edges, left_on=["workflow", "task"], right_on=["workflow", joined], how="anti")
    several = ends.group_by("workflow").agg(pl.col("task").sort()).filter(pl.col("task").list.len() > 1)
    if several.height:
        workflow, found = several.sort("workflow").row(0)
        named = ", ".join(map(str, found[:MOST_NAMED])) + (", ..." if len(found) > MOST_NAMED else "")
        raise ContractError(
            f"workload: workflow {workflow} has {len(found)} tasks without a {beyond} (tasks {named}); expected one {end}: "
            f"add a task that joins them ({several.height} workflows are such)"
        )


def check_transfers(edges: pl.DataFrame, transfers: pl.DataFrame, clusters: int) -> None:
    """Raise :class:`ContractError` when a communicational matrix has the wrong shape or belongs to no edge."""
    what = "workload: table 'transfers'"
    lost = transfers.join(edges, on=EDGE, how="anti", maintain_order="left")
    if lost.height:
        first = ", ".join(f"{name} {lost[name][0]}" for name in EDGE)
        raise ContractError(
            f"{what}: {lost.height} of {transfers.height} rows are of no edge, the first of them {first}"
        )
    outside = {
        f"{end} is none of the machine's clusters, which are 0 to {clusters - 1}": ~pl.col(end).is_between(
            0, clusters - 1
        )
        for end in ("from_cluster", "to_cluster")
    }
    refuse_rows(transfers, outside, EDGE, what)
    counts = transfers.group_by(EDGE, maintain_order=True).len().filter(pl.col("len") != clusters**2)
    if counts.height:
        workflow, from_task, to_task, count = counts.row(0)
        raise ContractError(
            f"{what}: workflow {workflow}, task {from_task} to task {to_task}: {count} times for {clusters} clusters; "
            f"expected {clusters**2}, one for every ordered pair of clusters, a cluster with itself included "
            f"({counts.height} edges are such)"
        )


def check_run_times(run_times: pl.DataFrame, clusters: int) -> None:
    """Raise :class:`ContractError` when a computational matrix has the wrong shape."""
    what = "workload: table 'run_times'"
    outside = {
        f"cluster is none of the machine's, which are 0 to {clusters - 1}": ~pl.col("cluster").is_between(
            0, clusters - 1
        )
    }
    refuse_rows(run_times, outside, ("job", "cluster"), what)
    counts = run_times.group_by("job", maintain_order=True).len().filter(pl.col("len") != clusters)
    if counts.height:
        job, count = counts.row(0)
        raise ContractError(
            f"{what}: job {job} has {count} run times; expected {clusters}, one for every cluster ({counts.height} jobs are "
            "such)"
        )


def check_home(jobs: pl.DataFrame, companions: Mapping[str, pl.DataFrame], clusters: int) -> None:
    """Raise :class:`ContractError` when a job's home is no cluster, a task has one, or another job has none.

    Without a table of tasks (a run is read without its workload), jobs without a home count as tasks.
    """
    if "home" not in jobs.columns:
        return
    home = pl.col("home")
    task = pl.col("job").is_in(companions["tasks"]["job"].implode()) if "tasks" in companions else home.is_null()
    broken = {
        f"home is none of the machine's clusters, which are 0 to {clusters - 1},": (
            ~home.is_between(0, clusters - 1).fill_null(True)
        ),
        "home is that of a task, which is submitted to the grid and not to a cluster,": task & home.is_not_null(),
        "home has no value though the job is no task of a workflow": ~task & home.is_null(),
    }
    refuse_rows(jobs, broken, ("job",), "workload")


def whole_workflows(jobs: pl.DataFrame, tasks: pl.DataFrame) -> tuple[pl.DataFrame, int]:
    """Return jobs without the tasks of incomplete workflows, and the number of these workflows.

    ``jobs`` are some of the jobs that ``tasks`` belong to. A workflow with no task left is not counted.
    """
    there = tasks.with_columns(there=pl.col("job").is_in(jobs["job"].implode()))
    part = there.filter(pl.col("there").any().over("workflow") & ~pl.col("there").all().over("workflow"))
    if not part.height:
        return jobs, 0
    return jobs.filter(~pl.col("job").is_in(part["job"].implode())), part["workflow"].n_unique()


def slowest_run(jobs: pl.DataFrame, companions: Mapping[str, pl.DataFrame], least_speed: float) -> float:
    """Return the largest ratio of a job's run time to that at speed 1, by clusters' speeds and by ``run_times``."""
    slowest = max(1.0, 1 / least_speed)
    if len(companions.get("run_times", ())):
        of_jobs = companions["run_times"].join(jobs.select("job", plain="runtime_us"), on="job")
        slowest = max(slowest, of_jobs.select((pl.col("runtime_us") / pl.col("plain")).max()).item())
    return slowest


def longest_transfers(companions: Mapping[str, pl.DataFrame]) -> int:
    """Return an upper bound of all transfers of data, one after another."""
    times = [
        companions[name].select(*EDGE, time_us=column)
        for name, column in {"edges": "transfer_us", "transfers": "time_us"}.items()
        if name in companions
    ]
    if not times:
        return 0
    return int(pl.concat(times).group_by(EDGE).agg(pl.col("time_us").max())["time_us"].cast(pl.Float64).sum())
