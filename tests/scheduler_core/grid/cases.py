"""An example of the grid: clusters, local jobs, workflows and a policy, as the engine and as the oracle are told of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from scheduler_core.contracts import WORKLOAD_COLUMNS, WORKLOAD_OPTIONAL, Machine, Workload
from scheduler_core.contracts.companions import COMPANIONS
from scheduler_core.contracts.machine import Cluster
from tests.oracles.grid.workload import Grid, Site, Workflow
from tests.scheduler_core.examples import Case

Row = tuple[Any, ...]


@dataclass(frozen=True)
class GridCase(Case):
    """An example of the grid: ``jobs`` are local jobs and tasks, in the order of the workload.

    ``homes`` are the clusters of the local jobs, by number; ``workflows`` name their tasks' jobs. An example with fewer
    jobs is one without the workflows that lost a task.
    """

    sites: tuple[Site, ...] = ()
    homes: Mapping[int, int] = field(default_factory=dict)
    workflows: tuple[Workflow, ...] = ()
    run_times: Mapping[int, tuple[int, ...]] = field(default_factory=dict)

    @property
    def whole(self) -> tuple[Workflow, ...]:
        """The workflows all of whose tasks are there."""
        there = {job.job for job in self.jobs}
        return tuple(flow for flow in self.workflows if {task.job for task in flow.tasks} <= there)

    @property
    def grid(self) -> Grid:
        """What the oracle is told."""
        local = tuple(
            tuple(job for job in self.jobs if self.homes.get(job.job) == number) for number in range(len(self.sites))
        )
        return Grid(self.sites, local, self.whole, self.run_times)

    @property
    def workload(self) -> Workload:
        """What the engine is told."""
        required = [(job.job, job.submit, job.runtime, job.estimate, job.size) for job in self.jobs]
        table = pl.DataFrame(required, schema=WORKLOAD_COLUMNS, orient="row")
        homes = pl.Series("home", [self.homes.get(job.job) for job in self.jobs], dtype=WORKLOAD_OPTIONAL["home"])
        classes = pl.Series("class", [job.job_class for job in self.jobs], dtype=WORKLOAD_OPTIONAL["class"])
        more = [homes] if classes.is_null().all() else [homes, classes]
        clusters = tuple(Cluster(site.processors, speed=site.speed) for site in self.sites)
        return Workload(table.with_columns(more), Machine(clusters=clusters), companions=self.companions)

    @property
    def companions(self) -> dict[str, pl.DataFrame]:
        """The workflows as companion tables; a matrix that no workflow has is left out."""
        flows = sorted(self.whole, key=lambda flow: flow.number)
        there = {job.job for job in self.jobs}
        rows: dict[str, list[Row]] = {
            "tasks": [
                (task.job, flow.number, number) for flow in flows for number, task in enumerate(flow.tasks, start=1)
            ],
            "edges": [(flow.number, *edge, 0, time) for flow in flows for edge, time in sorted(flow.edges.items())],
            "transfers": [
                (flow.number, *edge, *pair, time)
                for flow in flows
                for edge, times in sorted(flow.transfers.items())
                for pair, time in sorted(times.items())
            ],
            "run_times": [
                (job, cluster, time)
                for job, times in sorted(self.run_times.items())
                if job in there
                for cluster, time in enumerate(times)
            ],
        }
        needed = {name for name, found in rows.items() if found or name in ("tasks", "edges")}
        return {
            name: pl.DataFrame(rows[name], schema=dict(COMPANIONS[name].columns), orient="row")
            for name in sorted(needed)
        }
