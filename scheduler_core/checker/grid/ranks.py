"""The ranks of tasks, recomputed from the workload alone."""

from __future__ import annotations

import numpy as np
import polars as pl

from scheduler_core.checker.evidence import aligned, column_of, once
from scheduler_core.checker.grid.evidence import EDGE, GridEvidence


@once
def mean_transfers(evidence: GridEvidence) -> pl.DataFrame:
    """Return every edge with the mean time of its data over all ordered pairs of clusters that fit its two tasks.

    Pairs of a cluster with itself are included.
    """
    edges, sizes = evidence.edges, evidence.clusters
    counts = {
        f"{end}_clusters": pl.Series((column_of(edges, f"{end}_size")[:, None] <= sizes).sum(axis=1), dtype=pl.Int64)
        for end in ("from", "to")
    }
    edges = edges.with_columns(**counts)
    pairs = pl.col("from_clusters") * pl.col("to_clusters")
    # A cluster that fits the wider of the two tasks also fits the other; it forms one pair with itself.
    apart = pairs - pl.min_horizontal("from_clusters", "to_clusters")
    known, times = evidence.matrices
    sized = known.join(edges.select(*EDGE, "from_size", "to_size"), on=EDGE)
    fits = [column_of(sized, f"{end}_size")[:, None] <= sizes for end in ("from", "to")]
    totals = sized.select(*EDGE, total=np.einsum("eij,ei,ej->e", times[column_of(sized, "number")], *fits))
    edges = aligned(edges, totals, *EDGE)
    return edges.with_columns(mean=pl.coalesce("total", pl.col("transfer_us") * apart) / pairs)


@once
def ranks(evidence: GridEvidence) -> pl.DataFrame:
    """Return the rank of every task: its mean time plus the maximum that an edge and its successor add (formula 3)."""
    means = evidence.anywhere.group_by("job").agg(mean=pl.col("estimate_us").sum() / pl.len())
    tasks = aligned(evidence.tasks.filter("fits"), means, "job")
    edges, row = mean_transfers(evidence), tasks.select("job").with_row_index("row")
    for end in ("from", "to"):
        here = row.rename({"job": f"{end}_job", "row": f"{end}_row"})
        edges = aligned(edges, here, f"{end}_job")
    first, second, time = (column_of(edges, name) for name in ("from_row", "to_row", "mean"))
    mean = column_of(tasks, "mean")
    rank, number = mean.copy(), column_of(edges, "from_task")
    last_first = np.argsort(-number, kind="stable")  # successors have higher numbers, so their ranks are known
    for rows in np.split(last_first, np.flatnonzero(np.diff(number[last_first])) + 1):
        np.maximum.at(rank, first[rows], mean[first[rows]] + time[rows] + rank[second[rows]])
    return tasks.select("workflow", "task", "job", expected_rank=pl.Series(rank, dtype=pl.Float64))
