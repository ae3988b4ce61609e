"""Between the arrays of an event loop and the tables of the contract: what the engines share."""

from __future__ import annotations

import numpy as np
import polars as pl

from scheduler_core.contracts import Outcome, Workload, asked_columns


def named_processors(masks: np.ndarray) -> pl.Series:
    """Give sets of processors (a row of 64-bit words each) as lists of numbers; null where nobody names them."""
    kind = pl.List(pl.Int32)
    if masks.shape[1] == 0 or masks.shape[0] == 0:
        return pl.Series("processor_ids", [None] * masks.shape[0], dtype=kind)
    octets = masks.astype("<u8").view(np.uint8).reshape(masks.shape[0], -1)
    row, processor = np.nonzero(np.unpackbits(octets, axis=1, bitorder="little"))
    flat = pl.DataFrame({"row": row, "processor_ids": processor.astype(np.int32)})
    return flat.group_by("row", maintain_order=True).agg("processor_ids")["processor_ids"].cast(kind)


def jobs_table(
    workload: Workload,
    fits: np.ndarray,
    start: np.ndarray,
    finish: np.ndarray,
    processors: np.ndarray,
    preemptions: np.ndarray,
) -> pl.DataFrame:
    """Make the schedule's ``jobs`` table from what became of the jobs the machine is large enough for (``fits``)."""
    ran = pl.lit(pl.Series(fits))

    def became(name: str, values: np.ndarray, kind: type[pl.DataType], otherwise: int | None) -> pl.Expr:
        scattered = np.full(len(fits), -1, np.int64)
        scattered[fits] = values
        known = pl.lit(pl.Series(name, scattered).cast(kind))
        return pl.when(ran).then(known).otherwise(pl.lit(otherwise, kind)).alias(name)

    killed = pl.col("runtime_us") > pl.col("estimate_us")
    fate = pl.when(~ran).then(pl.lit("rejected")).when(killed).then(pl.lit("killed")).otherwise(pl.lit("finished"))
    return workload.jobs.select(asked_columns(workload.jobs)).with_columns(
        became("start_us", start, pl.Int64, None),
        became("finish_us", finish, pl.Int64, None),
        became("processors", processors, pl.Int32, 0),
        pl.lit(0, pl.Int16).alias("cluster"),
        became("preemptions", preemptions, pl.Int32, 0),
        fate.cast(Outcome).alias("outcome"),
    )
