"""What the rules of a grid read besides: its workflows, and what jobs and their data need on each cluster."""

from __future__ import annotations

import dataclasses
from functools import cached_property

import numpy as np
import polars as pl

from scheduler_core.checker.evidence import Evidence, aligned, column_of
from scheduler_core.checker.slices.evidence import class_of_job
from scheduler_core.common.errors import ContractError
from scheduler_core.common.units import NEVER_US
from scheduler_core.grid.facts import GridFacts

EDGE = ("workflow", "from_task", "to_task")

TIMES = ("runtime_us", "estimate_us")


class GridEvidence(Evidence):
    """The evidence of a schedule in which workflows are placed on several clusters."""

    facts: GridFacts

    @property
    def way(self) -> str:
        """How tasks get to clusters."""
        return str(self.parameters["tasks"])

    @property
    def reserves(self) -> bool:
        """Whether tasks are booked in advance."""
        return self.way == "reserved"

    @property
    def recalculates(self) -> bool:
        """Whether reservations are made anew at every instant."""
        return self.facts.in_slices and self.facts.reservations != "rebooked"

    @property
    def keeps(self) -> bool:
        """Whether slots are kept free until the latest finish."""
        return self.facts.in_slices and self.facts.reservations == "kept"

    @property
    def waits(self) -> bool:
        """Whether tasks wait for one another's data."""
        return self.way != "independent"

    # Workflows and local jobs

    @cached_property
    def tasks(self) -> pl.DataFrame:
        """A row per task, by workflow and task: its job's request, and whether each task of its workflow fits some cluster.

        Raise :class:`ContractError` when workflows were placed, but the workload does not say which jobs are their tasks.
        """
        if self.counters.get("workflows") and "tasks" not in self.companions:
            raise ContractError(
                f"{self.family.label} ({self.policy.title}): workflows were placed, {self.counters['workflows']} of them, and "
                "the workload has no table 'tasks' that says which jobs are theirs. A run of workflows is checked with the "
                "workload it was made of (`slotwise check RUN --workload W`)"
            )
        asked = self.asked.select("job", "submit_us", "size")
        tasks = aligned(self.companion("tasks"), asked, "job")
        return tasks.with_columns(fits=(pl.col("size") <= self.largest).all().over("workflow"))

    @cached_property
    def edges(self) -> pl.DataFrame:
        """A row per edge of the workflows that fit, with the jobs at both ends."""
        edges = self.companion("edges")
        for end in ("from", "to"):
            task = {f"{end}_task": "task", f"{end}_job": "job", f"{end}_size": "size"}
            fit = self.tasks.filter("fits").select("workflow", **task)
            edges = edges.join(fit, on=["workflow", f"{end}_task"], maintain_order="left")
        return edges

    @cached_property
    def homes(self) -> pl.DataFrame:
        """The local jobs, each with its home."""
        home = pl.col("home") if "home" in self.asked.columns else pl.lit(0, pl.Int16)
        local = self.asked.join(self.tasks, on="job", how="anti", maintain_order="left")
        return local.select("job", "size", home=home)

    @cached_property
    def rejected(self) -> pl.Series:
        """The jobs that no cluster may take: tasks of workflows that do not fit, and local jobs larger than their home."""
        local = self.homes.filter(pl.col("size") > self.sizes_of(self.homes["home"]))["job"]
        return pl.concat([self.tasks.filter(~pl.col("fits"))["job"], local])

    @property
    def too_much(self) -> pl.Expr:
        """Whether no cluster may take a job."""
        return pl.col("job").is_in(self.rejected.implode())

    @property
    def suspensions(self) -> pl.Expr:
        """How often a job was suspended: once between two runs, if classes take turns."""
        return pl.col("allocations").fill_null(1) - 1 if self.facts.in_slices else pl.col("gaps")

    # On the clusters

    def sizes_of(self, cluster: pl.Series) -> pl.Series:
        """Return the number of processors of each row's cluster; null for an unknown cluster."""
        return pl.Series(self.processors_of(cluster.fill_null(-1))[1])

    @cached_property
    def clusters_of_jobs(self) -> pl.DataFrame:
        """The cluster on which each job ran, according to the schedule."""
        return self.jobs.select("job", "cluster").unique("job", keep="first")

    @cached_property
    def as_run(self) -> GridEvidence:
        """The same evidence with run times and estimates on the clusters where the jobs ran."""
        there = self.times_there(aligned(self.asked, self.clusters_of_jobs, "job"))
        times = there.select("job", *TIMES)
        held = aligned(self.held.drop(TIMES), times, "job")
        return dataclasses.replace(self, asked=there.drop("cluster"), held=held)

    def times_there(self, jobs: pl.DataFrame) -> pl.DataFrame:
        """Convert run times and estimates to each row's ``cluster``, in the order of the rows.

        The computational matrix gives the run time if it has the job, and the estimate changes in proportion. Otherwise both are
        divided by the cluster's speed. All are rounded up.
        """
        speeds = np.array([*(cluster.speed for cluster in self.machine.clusters), 1.0])
        number = jobs["cluster"].fill_null(-1).to_numpy()
        speed = speeds[np.where((number >= 0) & (number < len(speeds) - 1), number, -1)]
        scaled = {name: pl.Series(np.ceil(column_of(jobs, name) / speed).astype(np.int64)) for name in TIMES}
        matrix = self.companion("run_times").rename({"runtime_us": "there_us"})
        if matrix.is_empty():
            return jobs.with_columns(**scaled)
        there = aligned(jobs, matrix, "job", "cluster")["there_us"]
        stated = np.flatnonzero(there.is_not_null().to_numpy())
        runtime, estimate, known = (
            values.gather(stated).to_numpy().astype(object)
            for values in (jobs["runtime_us"], jobs["estimate_us"], there)
        )  # Python integers, because the product of two times overflows int64
        of_matrix = {"runtime_us": known, "estimate_us": -(-estimate * known // runtime)}
        return jobs.with_columns(
            scaled[name].scatter(stated, values.astype(np.int64)).alias(name) for name, values in of_matrix.items()
        )

    def transfers_of(self, edges: pl.DataFrame) -> pl.Series:
        """Return how long the data of edges take from each row's ``from_cluster`` to its ``to_cluster``.

        The communicational matrix gives the time if it has the edge. Otherwise data take the edge's time between two clusters
        and no time within one.
        """
        known, times = self.matrices
        number = aligned(edges.select(*EDGE), known, *EDGE)["number"]
        source, target = (
            edges[name].fill_null(-1).to_numpy().astype(np.int64) for name in ("from_cluster", "to_cluster")
        )
        there = (source >= 0) & (source < len(self.clusters)) & (target >= 0) & (target < len(self.clusters))
        stated = np.flatnonzero(number.is_not_null().to_numpy() & there)
        apart = edges.select(pl.when(pl.col("from_cluster") == pl.col("to_cluster")).then(0).otherwise("transfer_us"))
        of_matrix = times[number.gather(stated).to_numpy(), source[stated], target[stated]]
        return apart.to_series().scatter(stated, of_matrix)

    @cached_property
    def matrices(self) -> tuple[pl.DataFrame, np.ndarray]:
        """The edges with a communicational matrix, each with its ``number``, and the times by number and clusters.

        The contract requires a row for every ordered pair of clusters, in order.
        """
        table, count = self.companion("transfers"), len(self.clusters)
        edges = table.select(*EDGE).gather_every(count * count).with_columns(number=pl.int_range(pl.len()))
        return edges, column_of(table, "time_us").reshape(-1, count, count)

    @cached_property
    def anywhere(self) -> pl.DataFrame:
        """A row per task and cluster it fits on, by task and cluster: its times there, and the number of its class."""
        clusters = pl.DataFrame({"cluster": range(len(self.clusters))}, schema={"cluster": pl.Int16})
        tasks = aligned(self.tasks.filter("fits").select("job"), self.asked, "job")
        both = tasks.join(clusters, how="cross", maintain_order="left_right")
        there = self.times_there(both.filter(pl.col("size") <= self.sizes_of(both["cluster"])))
        return there.with_columns(kind=class_of_job(self.parameters, there))

    # In time

    @cached_property
    def edges_as_run(self) -> pl.DataFrame:
        """The edges of the workflows that fit: finish of the first task, transfer, start of the second."""
        held = aligned(self.held, self.clusters_of_jobs, "job")
        first = held.select(from_job="job", from_cluster="cluster", done_us="end_us")
        second = held.select(to_job="job", to_cluster="cluster", begin_us="begin_us")
        edges = aligned(self.edges, first, "from_job")
        edges = aligned(edges, second, "to_job")
        return edges.with_columns(arrived_us=pl.col("done_us") + self.transfers_of(edges))

    @cached_property
    def freed(self) -> pl.DataFrame:
        """A row per task of the workflows that fit: when its predecessors were done, and when its data had arrived.

        Both are the submission for a task without predecessors.
        """
        before = self.edges_as_run.group_by("to_job").agg(
            freed_at_us=pl.col("done_us").max(), arrived_us=pl.col("arrived_us").max()
        )
        tasks = self.tasks.filter("fits").join(
            before, left_on="job", right_on="to_job", how="left", maintain_order="left"
        )
        return tasks.with_columns(pl.coalesce(name, "submit_us").alias(name) for name in ("freed_at_us", "arrived_us"))

    @property
    def placed_at(self) -> pl.DataFrame:
        """When each task of the workflows that fit was placed (``now_us``): at its submission, or just in time."""
        return self.freed.select("job", now_us="freed_at_us" if self.way == "just_in_time" else "submit_us")

    @cached_property
    def queued(self) -> pl.DataFrame:
        """A row per job: when it joined its cluster's queue, and its place among the jobs of that instant.

        Further columns: whether it was ``booked``, whether its slot was ``pinned``, its earliest possible start, and from when
        on it certainly counts as waiting when an interval begins. A task that comes at the begin itself may come too late, and
        a waiting booked one counts by its slot.
        """
        plain = {"booked": pl.lit(False), "pinned": pl.lit(False), "counts_us": pl.col("submit_us")}
        asked = self.asked.select("job", "submit_us").with_row_index("place")
        local = asked.join(self.tasks, on="job", how="anti").select(
            "job", pl.col("place").cast(pl.Int64), came_us="submit_us", may_start_us="submit_us", **plain
        )
        tasks = self.freed.with_columns(place=pl.col("job"), earliest_us="submit_us", start_us="submit_us")
        came = may_start = counts = pl.col("arrived_us" if self.waits else "submit_us")
        if self.reserves:
            booked = (
                self.tables["reservations"].unique("job", keep="first", maintain_order=True).with_row_index("place")
            )
            tasks = self.freed.join(booked.select("place", "job", earliest_us="freed_us"), on="job", how="left")
            tasks = tasks.join(self.held.select("job", start_us="begin_us"), on="job", how="left")
            came, may_start = pl.col("submit_us"), pl.max_horizontal("arrived_us", "earliest_us")
            counts = pl.col("start_us").fill_null(NEVER_US)
        pinned = self.reserves and self.parameters["frame_rule"] == "rigid"
        behind = pl.col("place").fill_null(0).cast(pl.Int64) + asked.height
        rows = tasks.select(
            "job",
            place=behind,
            came_us=came,
            may_start_us=may_start,
            booked=pl.lit(self.reserves),
            pinned=pl.lit(pinned),
            counts_us=counts + 1,
        )
        return pl.concat([local, rows], how="diagonal")
