"""Tables of the contract from the arrays of an event loop, as the engines share them."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import polars as pl

from scheduler_core.contracts import ALLOCATIONS_COLUMNS
from scheduler_core.kernel.processor_sets import list_members

AT_ONCE = 500_000
"""Sets whose members are listed at a time: what is made on the way takes more memory than the lists."""


def named_processors(masks: np.ndarray) -> pl.Series:
    """Return sets of processors (a row of 64-bit words each) as lists of numbers; null where sets have no words."""
    kind = pl.List(pl.Int32)
    if masks.shape[1] == 0 or masks.shape[0] == 0:
        return pl.Series("processor_ids", [None] * masks.shape[0], dtype=kind)
    return pl.concat([listed(masks[first : first + AT_ONCE]) for first in range(0, len(masks), AT_ONCE)])


def listed(masks: np.ndarray) -> pl.Series:
    """Return sets of processors, none of them empty, as lists of numbers."""
    count = np.bitwise_count(masks).sum(axis=1, dtype=np.int64)
    members = np.empty(int(count.sum()), np.int32)
    list_members(np.ascontiguousarray(masks), members)
    row = pl.Series(np.repeat(np.arange(len(masks), dtype=np.uint32), count)).set_sorted()  # groups are then slices
    flat = pl.DataFrame({"row": row, "processor_ids": members})
    return flat.group_by("row", maintain_order=True).agg("processor_ids")["processor_ids"]


def allocations_table(
    rows: np.ndarray, numbers: np.ndarray, columns: Mapping[str, Any], further: Mapping[str, Any] | None = None
) -> pl.DataFrame:
    """Make the ``allocations`` table of one cluster.

    Parameters
    ----------
    rows
        Records with ``job`` (a position), ``begin``, ``end`` and ``slot``, in the order of the table: see :func:`in_table_order`.
    numbers
        The jobs' numbers by position.
    columns
        The other columns of the table.
    further
        Columns that the family's table has besides, with their types.
    """
    shared = {
        "job": numbers[rows["job"]],
        "begin_us": rows["begin"],
        "end_us": rows["end"],
        "cluster": np.zeros(len(rows), np.int16),
        "slot": rows["slot"],
    }
    schema = {**ALLOCATIONS_COLUMNS, **(further or {})}
    whole = {**shared, **columns}
    return pl.DataFrame({name: whole[name] for name in schema}, schema=schema)


def in_table_order(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return allocations in the order of their table (by job, begin and slot), and the places they had before.

    Most event loops write the rows of a job in that order; then sorting by job is enough, in a third of the time.
    """
    order = np.argsort(rows["job"], kind="stable")
    job, begin, slot = (rows[name].take(order) for name in ("job", "begin", "slot"))
    earlier = (begin[1:] < begin[:-1]) | ((begin[1:] == begin[:-1]) & (slot[1:] < slot[:-1]))
    if (earlier & (job[1:] == job[:-1])).any():
        order = np.lexsort((rows["slot"], rows["begin"], rows["job"]))
    return rows.take(order), order


def dedicated_allocations(jobs: pl.DataFrame) -> pl.DataFrame:
    """Make the ``allocations`` table of jobs that hold their processors from start to finish, at full rate: a row per job."""
    ran = jobs.filter(pl.col("start_us").is_not_null()) if jobs["start_us"].null_count() else jobs
    return ran.select(
        "job",
        pl.col("start_us").alias("begin_us"),
        pl.col("finish_us").alias("end_us"),
        "processors",
        pl.lit(None, pl.List(pl.Int32)).alias("processor_ids"),
        "cluster",
        pl.lit(0, pl.Int32).alias("slot"),
        pl.lit(1.0).alias("rate"),
        (pl.col("finish_us") - pl.col("start_us")).alias("work_us"),
    )
