"""The choice of a workload's workflows that tell most, each with the window and the clusters that show it under all policies."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import polars as pl

from reports.diagrams.allocations import overlaps, table_of
from reports.diagrams.windows import MOST

MOST_CLUSTERS = 6
"""A machine with more clusters is shown without those on which the workflow ran under no policy."""
MARGIN = 40
"""The part of a window before the submission, and after the last finish, is one in so many."""


@dataclass(frozen=True)
class Chosen:
    """A workflow, the window in which it runs under all policies, in microseconds, and the clusters shown."""

    workflow: int
    begin_us: int
    end_us: int
    clusters: tuple[int, ...]


def telling_workflows(folders: Sequence[Path], count: int, clusters: int, most: int = MOST) -> list[Chosen]:
    """Choose at most ``count`` workflows that ran whole in every run of a workload, in order of number.

    In a long window, tasks are points. So the longer half is left out, by the time from the submission to the last finish or end
    of a frame, under the slowest policy. Workflows whose slots moved most often come first, then those on most clusters, then
    the earliest. One whose window has more than ``most`` allocations under a policy is taken only if all have. ``clusters`` is
    the number of clusters of the machine.
    """
    found = spans([read_tasks(folder) for folder in folders])
    if not found.height:
        return []
    columns = ("cluster", "begin_us", "end_us")
    held = [table_of(folder, "allocations").select(*columns).collect() for folder in folders]

    def drawn(one: Chosen) -> int:
        shown = overlaps(one.begin_us, one.end_us) & pl.col("cluster").is_in(one.clusters)
        return max(rows.filter(shown).height for rows in held)

    half = found.sort("length", "workflow").head(-(-found.height // 2))
    ordered = half.sort("slides", "ran_on", "workflow", descending=[True, True, False])
    ranked = [chosen(row, clusters) for row in ordered.iter_rows(named=True)]
    taken = [*islice((one for one in ranked if drawn(one) <= most), count)] or [min(ranked, key=drawn)]
    return sorted(taken, key=lambda one: one.workflow)


def chosen(row: dict[str, Any], clusters: int) -> Chosen:
    """Return a workflow with its window and the clusters to show."""
    margin = max(1, row["length"] // MARGIN)
    shown = range(clusters) if clusters <= MOST_CLUSTERS else sorted(row["clusters"])
    return Chosen(row["workflow"], max(0, row["first"] - margin), row["last"] + margin, tuple(shown))


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


def read_tasks(folder: Path) -> pl.DataFrame:
    """Read the tasks of a run: whose they are, where and when they ran, the end of their frame, how often their slot moved."""
    read = partial(table_of, folder)
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
