"""The oracle of the grid: what it is told of clusters, local jobs and workflows."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from tests.oracles.job import Job

Edge = tuple[int, int]
"""The tasks that an edge joins."""

Pair = tuple[int, int]
"""The clusters from which and to which data are sent."""


@dataclass(frozen=True)
class Site:
    """A cluster as the workload describes it."""

    processors: int
    speed: float = 1.0


@dataclass(frozen=True)
class Workflow:
    """A workflow: the jobs that are its tasks 1, 2, ..., and how long the data of each edge are on their way.

    ``transfers`` says it of an edge by ordered pair of clusters; ``edges`` says it of every pair of two different clusters for
    the others, whose data take no time within a cluster.
    """

    number: int
    tasks: tuple[Job, ...]
    edges: Mapping[Edge, int]
    transfers: Mapping[Edge, Mapping[Pair, int]] = field(default_factory=dict)

    def transfer(self, edge: Edge, pair: Pair) -> int:
        """Return how long the data of an edge are on their way from one cluster to another."""
        if edge in self.transfers:
            return self.transfers[edge][pair]
        return 0 if pair[0] == pair[1] else self.edges[edge]

    def before(self, task: int) -> list[int]:
        """Return the predecessors of a task."""
        return sorted(one for one, other in self.edges if other == task)

    def after(self, task: int) -> list[int]:
        """Return the successors of a task."""
        return sorted(other for one, other in self.edges if one == task)


@dataclass(frozen=True)
class Grid:
    """Clusters, the jobs submitted to each of them, and workflows; ``run_times`` of jobs that have one by cluster."""

    sites: tuple[Site, ...]
    local: tuple[tuple[Job, ...], ...]
    workflows: tuple[Workflow, ...]
    run_times: Mapping[int, tuple[int, ...]] = field(default_factory=dict)

    def on(self, job: Job, cluster: int) -> Job:
        """Return a job as it is on a cluster: with the run time and the estimate it has there."""
        if job.job in self.run_times:
            runtime = self.run_times[job.job][cluster]
            return replace(job, runtime=runtime, estimate=-(-job.estimate * runtime // job.runtime))
        speed = self.sites[cluster].speed
        return replace(job, runtime=math.ceil(job.runtime / speed), estimate=math.ceil(job.estimate / speed))

    def fits(self, job: Job) -> list[int]:
        """Return the clusters that are large enough for a job."""
        return [number for number, site in enumerate(self.sites) if job.size <= site.processors]
