"""Clusters that belong to one class of jobs at a time, laid behind each other in time: the rules of one machine hold for all.

Cluster k's times are moved by k times a span that is longer than all of them, a whole number of intervals. So intervals, slices,
runs and promises of all clusters stand in one order, and each rule of slices goes through them once, however many clusters there
are. Class clocks go on from cluster to cluster; what is promised on them is moved by what they came to before.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import polars as pl

from scheduler_core.checker.evidence import Rule, column_of, once
from scheduler_core.checker.grid.evidence import GridEvidence
from scheduler_core.checker.slices.evidence import CLASSES, SlicesEvidence, class_of_job
from scheduler_core.common.units import NEVER_US
from scheduler_core.declarations.families import family

MOST_US = NEVER_US // 2


@dataclass(frozen=True)
class ClustersInSlices(SlicesEvidence):
    """The evidence of one machine, whose times are those of several.

    Parameters
    ----------
    span_us
        By how much the times of a cluster are moved against those of the one before.
    sizes
        Processors of each cluster.
    """

    span_us: int = NEVER_US
    sizes: np.ndarray = field(default_factory=lambda: np.zeros(1, np.int64))

    @property
    def processors_of_clusters(self) -> np.ndarray:
        """Processors of each cluster."""
        return self.sizes

    def cluster_at(self, time_us: np.ndarray) -> np.ndarray:
        """Return the cluster that moved times belong to."""
        number: np.ndarray = np.clip(time_us // self.span_us, 0, len(self.sizes) - 1)
        return number

    def told_apart(self, broken: pl.DataFrame) -> pl.DataFrame:
        """Say of rows which cluster they belong to, and move their times back; class clocks are left out."""
        if broken.is_empty():
            return broken
        times = [name for name in broken.columns if name.endswith("_us") and broken.schema[name].is_integer()]
        clocks = [name for name in broken.columns if "clock" in name]
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
    """Apply a rule of slices to every cluster; nothing is checked where clusters are not in slices."""

    def applied(evidence: GridEvidence) -> tuple[int, pl.DataFrame]:
        if not evidence.facts.in_slices:
            return 0, evidence.allocations.clear()
        checked, broken = rule(lay_out(evidence))
        return checked, lay_out(evidence).told_apart(broken)

    applied.__doc__ = rule.__doc__
    return applied


@once
def lay_out(evidence: GridEvidence) -> ClustersInSlices:
    """Lay the clusters of a grid behind each other."""
    span = span_of(evidence)
    shift = pl.col("cluster").cast(pl.Int64) * span
    jobs = evidence.as_run.asked.join(evidence.clusters_of_jobs, on="job").join(evidence.queued, on="job")
    ran = jobs.filter(~pl.col("job").is_in(evidence.rejected.implode()))
    # A booked job that may start waits all the same where its slot is pinned, or it waits for the next slice of its class.
    waits = pl.col("pinned") | (pl.col("booked") & pl.lit(bool(evidence.setting("slide_down_avoid_preemption"))))
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
    )


def moved(table: pl.DataFrame, shift: pl.Expr, *times: str) -> pl.DataFrame:
    """Move the times of a table by what its rows' clusters are moved."""
    return table.with_columns(pl.col(*times) + shift)


def on_one(table: pl.DataFrame) -> pl.DataFrame:
    """Say that all rows are of the one machine."""
    return table.with_columns(cluster=pl.lit(0, pl.Int16))


def span_of(evidence: GridEvidence) -> int:
    """Return a whole number of intervals that is longer than all times of the schedule, and two intervals more."""
    interval = evidence.setting_us("interval_s")
    times = [evidence.asked["submit_us"], evidence.allocations["end_us"], evidence.tables["slices"]["end_us"]]
    last = max(int(column.to_numpy().max(initial=0)) for column in times)
    return (min(last, MOST_US // len(evidence.clusters)) // interval + 3) * interval


def moved_clocks(evidence: GridEvidence, promises: pl.DataFrame, asked: pl.DataFrame) -> pl.DataFrame:
    """Move what is promised on class clocks by what they came to on the clusters before."""
    slices = evidence.tables["slices"]
    worked = (slices["end_us"] - slices["begin_us"] - slices["overhead_us"]).to_numpy().clip(0)
    number, kind = column_of(slices, "cluster").astype(np.int64), slices["class"].to_physical().to_numpy()
    known = (number >= 0) & (number < len(evidence.clusters))
    sums = np.zeros((len(evidence.clusters) + 1, len(CLASSES)), np.int64)
    np.add.at(sums, (number[known] + 1, kind[known]), worked[known])
    before = sums.cumsum(axis=0)
    kinds = asked.select("job", kind=class_of_job(evidence.facts.local.values(), asked))
    own = promises.select("job", "cluster").join(kinds, on="job", how="left", maintain_order="left")
    number = np.clip(column_of(own, "cluster").astype(np.int64), 0, len(evidence.clusters) - 1)
    base = before[number, own["kind"].fill_null(0).to_numpy()]
    return promises.with_columns(clock_us=pl.col("clock_us") + pl.Series(base))
