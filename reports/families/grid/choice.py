"""Which workflows of a workload tell most, and the time and the clusters in which they are shown under all its policies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import polars as pl

from reports.diagrams.allocations import overlaps, replication_of
from reports.diagrams.windows import MOST

MOST_CLUSTERS = 6
"""Clusters up to which all of a machine are shown; of more only those on which the workflow ran under one of the policies."""
MARGIN = 40
"""One part of so many of a window is before the submission and after the last finish."""


@dataclass(frozen=True)
class Chosen:
    """A workflow, the window in which it runs under all policies, in microseconds, and the clusters shown."""

    workflow: int
    begin_us: int
    end_us: int
    clusters: tuple[int, ...]


def telling_workflows(
    folders: Sequence[Path], count: int, clusters: int, replication: int = 0, most: int = MOST
) -> list[Chosen]:
    """Choose workflows of the runs of a workload, in order of number.

    Only those that run whole in all runs are asked, and of these the half that takes least time from its submission to the last
    finish or end of a frame, under the slowest policy: in the others a task is a point in time. Those whose window has more than
    ``most`` allocations under a policy are passed over unless all have. Of the rest the ``count`` whose slots moved most often
    are taken, then those on most clusters, then the earliest.

    ``clusters`` is how many the machine has.
    """
    found = spans([read_tasks(folder, replication) for folder in folders])
    if not found.height:
        return []
    every = range(clusters) if clusters <= MOST_CLUSTERS else None
    half = found.sort("length", "workflow").head(-(-found.height // 2))
    ordered = half.sort("slides", "ran_on", "workflow", descending=[True, True, False])
    columns = ("cluster", "begin_us", "end_us")
    held = [replication_of(folder, "allocations", replication).select(*columns).collect() for folder in folders]
    good: list[Chosen] = []
    full: list[tuple[int, Chosen]] = []
    for row in ordered.iter_rows(named=True):
        margin = max(1, row["length"] // MARGIN)
        shown = tuple(every) if every is not None else tuple(sorted(row["clusters"]))
        one = Chosen(row["workflow"], max(0, row["first"] - margin), row["last"] + margin, shown)
        drawn = max(allocations_in(rows, one) for rows in held)
        if drawn <= most:
            good.append(one)
        else:
            full.append((drawn, one))
        if len(good) == count:
            break
    taken = good or [one for _, one in sorted(full, key=lambda pair: pair[0])[:1]]
    return sorted(taken, key=lambda one: one.workflow)


def spans(runs: Sequence[pl.DataFrame]) -> pl.DataFrame:
    """Return the workflows that ran in every run: first submission, last finish, how often slots moved, and on which clusters."""
    own = [
        tasks.group_by("workflow").agg(
            pl.col("submit_us").min().alias("first"), pl.max_horizontal(pl.col("finish_us").max(), pl.col("latest_us").max())
            .alias("last"), pl.col("slides").sum(), pl.col("cluster").unique().alias("clusters"),
        )
        for tasks in runs
    ]  # fmt: skip
    clusters = pl.col("clusters").list
    every = pl.concat(own).group_by("workflow").agg(
        pl.len().alias("runs"), pl.col("first").min(), pl.col("last").max(), pl.col("slides").sum(),
        clusters.explode(keep_nulls=False, empty_as_null=False).unique(), clusters.len().max().alias("ran_on"),
    )  # fmt: skip
    return every.filter(pl.col("runs") == len(runs)).with_columns((pl.col("last") - pl.col("first")).alias("length"))


def read_tasks(folder: Path, replication: int) -> pl.DataFrame:
    """Read the tasks of a run: whose they are, where and when they ran, the end of their frame, how often their slot moved."""
    read = partial(replication_of, folder, replication=replication)
    slides = read("slides").filter(pl.col("cause") != "booked")
    moved = slides.group_by("job").agg(pl.len().cast(pl.Int64).alias("slides"))
    return (
        read("candidates").select("workflow", "job").unique()
        .join(read("jobs").select("job", "cluster", "submit_us", "start_us", "finish_us"), on="job")
        .join(read("reservations").select("job", "latest_us"), on="job", how="left")
        .join(moved, on="job", how="left")
        .with_columns(pl.col("slides").fill_null(0), pl.col("latest_us").fill_null(pl.col("finish_us")))
        .filter(pl.col("start_us").is_not_null().all().over("workflow"))
        .sort("workflow", "job")
        .collect()
    )  # fmt: skip


def allocations_in(held: pl.DataFrame, chosen: Chosen) -> int:
    """Count the allocations that a window shows."""
    return held.filter(overlaps(chosen.begin_us, chosen.end_us) & pl.col("cluster").is_in(chosen.clusters)).height
