"""The plans of classes on clusters in slices, as far as the tables show them.

A plan says who takes which processors, by estimates, from which reading of the class's clock to which: a *span*. It holds the
started jobs of the class, the jobs of other classes that run in its slice, and slots. The tables do not have the reservations of
jobs that are not booked.
"""

import numpy as np
import polars as pl

from scheduler_core.checker.evidence import column_of
from scheduler_core.checker.grid.clusters import ClustersInSlices
from scheduler_core.checker.slices.evidence import ClassTime, expanded
from scheduler_core.common.units import NEVER_US


def processors_in(laid: ClustersInSlices, moments: np.ndarray) -> np.ndarray:
    """Return the processors of the cluster that each moment belongs to."""
    return laid.processors_of_clusters[laid.cluster_at(moments)]


def taken_by_jobs(time: ClassTime, kind: int, moments: np.ndarray) -> pl.DataFrame:
    """Return the spans in the plan of a class, at some moments in order, of jobs that have started.

    Its own jobs take theirs for their rest, jobs of other classes that run in its slice at most until that ends. Columns:
    ``moment`` (a number), ``position``, ``since_us``, ``low``, ``high``, ``size``.
    """
    own = time.jobs.with_columns(position=pl.int_range(pl.len()), until_us=pl.lit(NEVER_US))
    own = own.filter((pl.col("kind") == kind) & (pl.col("start_us") < NEVER_US))
    lent = time.runs.filter((pl.col("slot") == kind) & ~pl.col("own") & (pl.col("slice") >= 0))
    lent = lent.with_columns(until_us=pl.Series(time.end[column_of(lent, "slice")], dtype=pl.Int64))
    uses = pl.concat(
        [
            own.select("position", begin_us="start_us", end_us="finish_us", until_us="until_us"),
            lent.select("position", "begin_us", "end_us", "until_us"),
        ]
    )
    row, moment = expanded(
        np.searchsorted(moments, column_of(uses, "begin_us")), np.searchsorted(moments, column_of(uses, "end_us")) - 1
    )
    position, at = column_of(uses, "position")[row], moments[moment]
    rest = time.column("estimate_us")[position] - time.done(position, at)
    low = time.clock(np.full(len(at), kind), at)
    high = low + np.minimum(rest, column_of(uses, "until_us")[row] - at)
    since, size = column_of(uses, "begin_us")[row], time.column("size")[position].astype(np.int64)
    return pl.DataFrame(
        {"moment": moment, "position": position, "since_us": since, "low": low, "high": high, "size": size}
    )


def taken_by_slots(time: ClassTime, slots: pl.DataFrame, moments: np.ndarray, until: str) -> pl.DataFrame:
    """Return the spans in the plan of a class, at some moments in order, of its slots.

    A slot stands until before the time in column ``until``. One that the clock has passed waits at the clock. Columns as above,
    and ``sure``: whether the reading at which it begins is known.
    """
    row, moment = expanded(
        np.searchsorted(moments, column_of(slots, "at_us")), np.searchsorted(moments, column_of(slots, until)) - 1
    )
    slot = slots[row]
    clock = time.clock(column_of(slot, "kind"), moments[moment])
    low = np.maximum(column_of(slot, "high"), clock)
    sure = (column_of(slot, "low") == column_of(slot, "high")) | (column_of(slot, "high") <= clock)
    return slot.select(
        *("position", "size"),
        moment=pl.Series(moment),
        low=pl.Series(low),
        high=pl.Series(low + column_of(slot, "estimate_us")),
        sure=pl.Series(sure),
    )


def most_needed(*spans: pl.DataFrame) -> pl.DataFrame:
    """Return the most processors that spans take at once, by ``moment``."""
    taken = pl.concat(part.select("moment", "low", "high", "size") for part in spans)
    begins = taken.select("moment", clock="low", change="size")
    ends = taken.select("moment", clock="high", change=-pl.col("size"))
    changes = pl.concat([begins, ends]).sort("moment", "clock", "change")
    return changes.group_by("moment", maintain_order=True).agg(needed=pl.col("change").cum_sum().max())
