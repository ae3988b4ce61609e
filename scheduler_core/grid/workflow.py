"""Workflows as the grid scheduler knows them: tasks, the edges between them, and how long both take on each cluster."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from scheduler_core.common.units import NEVER_US
from scheduler_core.contracts.workflows import EDGES_COLUMNS, RUN_TIMES_COLUMNS, TASKS_COLUMNS, TRANSFERS_COLUMNS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scheduler_core.contracts import Machine, Workload

UNPLACED = -1
"""The cluster of a task that is not placed yet."""

DECLARED = {
    "tasks": TASKS_COLUMNS,
    "edges": EDGES_COLUMNS,
    "transfers": TRANSFERS_COLUMNS,
    "run_times": RUN_TIMES_COLUMNS,
}
"""The companion tables that are read, with their columns."""


class Clusters:
    """What is known of the clusters before anything happens: their processors, and how long jobs take on them."""

    def __init__(self, machine: Machine, run_times: pl.DataFrame) -> None:
        self.processors = [cluster.processors for cluster in machine.clusters]
        self.speeds = [cluster.speed for cluster in machine.clusters]
        self.alike = all(speed == 1 for speed in self.speeds)
        jobs = run_times["job"].unique(maintain_order=True).to_list()
        rows = run_times["runtime_us"].to_numpy().reshape(-1, len(self.speeds)).tolist()
        self.matrix: dict[int, list[int]] = dict(zip(jobs, rows, strict=True))
        self.fitting: dict[int, tuple[int, ...]] = {}

    def __len__(self) -> int:
        return len(self.processors)

    def that_fit(self, size: int) -> tuple[int, ...]:
        """Return the clusters that are large enough for a task, in order of number."""
        if size not in self.fitting:
            self.fitting[size] = tuple(k for k, processors in enumerate(self.processors) if size <= processors)
        return self.fitting[size]

    def times(self, job: int, runtime_us: int, estimate_us: int, cluster: int) -> tuple[int, int]:
        """Return run time and estimate of a job on a cluster."""
        if job in self.matrix:
            there = self.matrix[job][cluster]
            return there, -(-estimate_us * there // runtime_us)
        if self.alike:
            return runtime_us, estimate_us
        speed = self.speeds[cluster]
        return math.ceil(runtime_us / speed), math.ceil(estimate_us / speed)

    def local_jobs(self, jobs: pl.DataFrame, cluster: int) -> pl.DataFrame:
        """Return jobs of a workload with their run times and estimates on a cluster."""
        speed, columns = self.speeds[cluster], ("runtime_us", "estimate_us")
        there = jobs
        if speed != 1:
            there = jobs.with_columns(
                pl.Series(name, np.ceil(jobs[name].to_numpy() / speed).astype(np.int64)) for name in columns
            )
        listed = jobs["job"].is_in(list(self.matrix)) if self.matrix else pl.Series([False])
        if not listed.any():
            return there
        rows = jobs.select("job", *columns, *(there[name].alias(f"{name}_there") for name in columns)).rows()
        times = [
            self.times(job, run, estimate, cluster) if job in self.matrix else plain
            for job, run, estimate, *plain in rows
        ]
        return there.with_columns(pl.Series(name, [row[k] for row in times]) for k, name in enumerate(columns))


@dataclass(slots=True, eq=False)
class Edge:
    """Data that a task waits for.

    ``matrix`` has the time between every two clusters, and ``total_us`` is its sum; without it the data take ``transfer_us``
    between different ones.
    """

    source: Task
    target: Task
    transfer_us: int
    matrix: np.ndarray | None = None
    total_us: int = 0

    def time(self, source: int, target: int) -> int:
        """Return how long the data take from one cluster to another, or within one."""
        if self.matrix is not None:
            return int(self.matrix[source, target])
        return self.transfer_us if source != target else 0


@dataclass(slots=True, eq=False)
class Task:
    """A task: its request, the decisions about it and its outcome; times in microseconds."""

    job: int
    workflow: int
    number: int
    size: int
    runtime_us: int
    estimate_us: int
    job_class: str | None
    before: list[Edge] = field(default_factory=list)
    after: list[Edge] = field(default_factory=list)
    rank: float = 0.0
    cluster: int = UNPLACED
    earliest_us: int = 0
    latest_us: int = 0
    finish_us: int = NEVER_US
    undone: int = 0  # predecessors that are not done


@dataclass(slots=True, eq=False)
class Workflow:
    """A workflow: its tasks in order of number, so that a task stands behind those it waits for."""

    number: int
    submit_us: int
    tasks: list[Task]


@dataclass
class Workflows:
    """The workflows of a workload, in the order in which they are submitted: by submission, then number."""

    workload: Workload

    @cached_property
    def tables(self) -> Mapping[str, pl.DataFrame]:
        """The companion tables of workflows, empty where the workload has none."""
        given = self.workload.companions
        return {name: given.get(name, pl.DataFrame(schema=columns)) for name, columns in DECLARED.items()}

    @cached_property
    def all(self) -> list[Workflow]:
        """Every workflow."""
        asked = ["submit_us", "size", "runtime_us", "estimate_us"]
        jobs = self.workload.jobs
        stated = jobs["class"].cast(pl.String) if "class" in jobs.columns else pl.lit(None, pl.String)
        rows = (
            self.tables["tasks"]
            .select("job", "workflow", "task")
            .join(jobs.select("job", *asked, stated.alias("class")), on="job", how="left", maintain_order="left")
            .rows()
        )
        found: dict[int, Workflow] = {}
        for job, workflow, task, submit, size, run, estimate, job_class in rows:
            whole = found.setdefault(workflow, Workflow(workflow, submit, []))
            whole.tasks.append(Task(job, workflow, task, size, run, estimate, job_class))
        self.join(found)
        return sorted(found.values(), key=lambda workflow: (workflow.submit_us, workflow.number))

    def join(self, workflows: Mapping[int, Workflow]) -> None:
        """Let the tasks of workflows know what they wait for and what waits for them."""
        clusters = len(self.workload.machine.clusters)
        times, matrices = self.tables["transfers"], {}
        if times.height:
            edges = times[:: clusters**2].select("workflow", "from_task", "to_task").rows()
            cubes = times["time_us"].to_numpy().reshape(-1, clusters, clusters)
            totals = cubes.sum(axis=(1, 2)).tolist()
            matrices = dict(zip(edges, zip(cubes, totals, strict=True), strict=True))
        for row in self.tables["edges"].select("workflow", "from_task", "to_task", "transfer_us").iter_rows():
            tasks = workflows[row[0]].tasks
            edge = Edge(tasks[row[1] - 1], tasks[row[2] - 1], row[3], *matrices.get(row[:3], ()))
            edge.source.after.append(edge)
            edge.target.before.append(edge)
            edge.target.undone += 1
