"""Lay clusters in slices one after another in time, so that the rules of one machine hold for all of them.

Cluster k's times move by k times a span, a whole number of intervals longer than all of its times. So the intervals, slices,
runs and promises of all clusters form one sequence, and each rule of slices passes over it once. Class clocks continue from
cluster to cluster; a promise on a class clock moves by its value at the end of the clusters before.
"""

import dataclasses
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import polars as pl

from scheduler_core.checker.evidence import NOTHING_CHECKED, Rule, aligned, column_of, once
from scheduler_core.checker.grid.evidence import GridEvidence
from scheduler_core.checker.slices.evidence import CLASSES, SlicesEvidence, class_of_job
from scheduler_core.common.units import NEVER_US, seconds_to_us
from scheduler_core.declarations.families import family
from scheduler_core.slices.facts import SliceFacts

MOST_US = NEVER_US // 2


@dataclass(frozen=True)
class ClustersInSlices(SlicesEvidence):
    """The evidence of one machine that stands for several clusters."""

    span_us: int = NEVER_US  # how far a cluster's times are moved beyond those of the cluster before
    sizes: np.ndarray = field(default_factory=lambda: np.zeros(1, np.int64))  # processors of each cluster
    promised: bool = True  # whether clusters promise what their policy promises alone

    @cached_property
    def facts(self) -> SliceFacts:  # type: ignore[override]
        """The facts of the policy of every cluster, as they hold in this grid."""
        alone: SliceFacts = self.policy.facts()
        return dataclasses.replace(alone, promises=alone.promises and self.promised)

    @property
    def processors_of_clusters(self) -> np.ndarray:
        """Processors of each cluster."""
        return self.sizes

    def cluster_at(self, time_us: np.ndarray) -> np.ndarray:
        """Return the cluster that moved times belong to."""
        number: np.ndarray = np.clip(time_us // self.span_us, 0, len(self.sizes) - 1)
        return number

    def told_apart(self, broken: pl.DataFrame) -> pl.DataFrame:
        """Return rows with their cluster, and their times moved back; class clocks are left out."""
        if broken.is_empty():
            return broken
        clocks = [name for name in broken.columns if "clock" in name]
        times = [name for name in broken.columns if name.endswith("_us") and broken.schema[name].is_integer()]
        moved = [name for name in times if name not in clocks]
        if not moved:
            return broken
        own = [pl.when(pl.col(name) < NEVER_US).then(pl.col(name) // self.span_us) for name in moved]
        number = pl.max_horizontal(*own).clip(0, len(self.sizes) - 1)
        back = [
            pl.when(pl.col(name).is_between(pl.col("of") * self.span_us, NEVER_US, closed="left"))
            .then(pl.col(name) - pl.col("of") * self.span_us)
            .otherwise(name)
            .alias(name)
            for name in moved
        ]
        rows = broken.drop("cluster", *clocks, strict=False).with_columns(of=number).with_columns(*back)
        return rows.select(pl.col("of").alias("cluster"), pl.exclude("of"))


def on_clusters(rule: Rule) -> Rule:
    """Return a rule of slices that applies to every cluster; it checks nothing if the clusters have no slices."""

    def applied(evidence: GridEvidence) -> tuple[int, pl.DataFrame]:
        if not evidence.facts.in_slices:
            return NOTHING_CHECKED
        checked, broken = rule(lay_out(evidence))
        return checked, lay_out(evidence).told_apart(broken)

    applied.__doc__ = rule.__doc__
    return applied


@once
def lay_out(evidence: GridEvidence) -> ClustersInSlices:
    """Return the clusters of a grid, laid one after another."""
    span = span_of(evidence)
    shift = pl.col("cluster").cast(pl.Int64) * span
    jobs = evidence.as_run.asked.join(evidence.clusters_of_jobs, on="job").join(evidence.queued, on="job")
    ran = jobs.filter(~pl.col("job").is_in(evidence.rejected.implode()))
    # A booked job that may start still waits if its slot is pinned, or until the next slice of its class.
    waits = pl.col("pinned") | (pl.col("booked") & pl.lit(bool(evidence.parameters["slide_down_avoid_preemption"])))
    asked = ran.sort("cluster", "came_us", "place").with_columns(
        submit_us=pl.col("came_us") + shift,
        may_start_us=pl.when(waits).then(NEVER_US).otherwise(pl.col("may_start_us") + shift),
        counts_us=pl.col("counts_us") + shift,
    )
    slices = moved(evidence.tables["slices"], shift, "begin_us", "end_us")
    alone = family("slices")
    tables = {name: pl.DataFrame(schema=dict(table.columns)) for name, table in alone.tables.items()}
    promises = moved(evidence.tables["promises"], shift, "made_us", "finish_us").sort("cluster", maintain_order=True)
    tables["slices"] = on_one(slices.select(tables["slices"].columns))
    tables["promises"] = on_one(moved_clocks(evidence, promises, asked).select(tables["promises"].columns))
    return ClustersInSlices(
        asked,
        evidence.jobs,
        on_one(moved(evidence.allocations, shift, "begin_us", "end_us")),
        evidence.held,
        evidence.machine,
        alone,
        evidence.facts.local,
        evidence.counters,
        tables,
        span_us=span,
        sizes=evidence.clusters,
        promised=evidence.facts.reservations == "rebooked",
    )


def moved(table: pl.DataFrame, shift: pl.Expr, *times: str) -> pl.DataFrame:
    """Return a table with its times moved by its rows' clusters."""
    return table.with_columns(pl.col(*times) + shift)


def on_one(table: pl.DataFrame) -> pl.DataFrame:
    """Return a table with all rows on the one machine."""
    return table.with_columns(cluster=pl.lit(0, pl.Int16))


def span_of(evidence: GridEvidence) -> int:
    """Return a span longer than all times of the schedule by two intervals, as a whole number of intervals."""
    interval = seconds_to_us(evidence.parameters["interval_s"])
    times = [evidence.asked["submit_us"], evidence.allocations["end_us"], evidence.tables["slices"]["end_us"]]
    last = max(int(column.to_numpy().max(initial=0)) for column in times)
    return (min(last, MOST_US // len(evidence.clusters)) // interval + 3) * interval


def moved_clocks(evidence: GridEvidence, promises: pl.DataFrame, asked: pl.DataFrame) -> pl.DataFrame:
    """Return promises with their class clocks moved by those of the clusters before."""
    slices = evidence.tables["slices"]
    worked = (slices["end_us"] - slices["begin_us"] - slices["overhead_us"]).to_numpy().clip(0)
    number, kind = column_of(slices, "cluster").astype(np.int64), slices["class"].to_physical().to_numpy()
    known = (number >= 0) & (number < len(evidence.clusters))
    sums = np.zeros((len(evidence.clusters) + 1, len(CLASSES)), np.int64)
    np.add.at(sums, (number[known] + 1, kind[known]), worked[known])
    before = sums.cumsum(axis=0)
    kinds = asked.select("job", kind=class_of_job(evidence.facts.local.values(), asked))
    own = aligned(promises.select("job", "cluster"), kinds, "job")
    number = np.clip(column_of(own, "cluster").astype(np.int64), 0, len(evidence.clusters) - 1)
    base = before[number, own["kind"].fill_null(0).to_numpy()]
    return promises.with_columns(clock_us=pl.col("clock_us") + pl.Series(base))
