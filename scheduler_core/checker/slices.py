"""Slice boundaries, rebuilt from the levels: the only instants at which anything starts or changes."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from scheduler_core.checker.evidence import Evidence, column_of, is_number, seconds_in_us
from scheduler_core.checker.slot_clock import by_cluster


def starts_on_boundaries(evidence: Evidence) -> tuple[int, pl.DataFrame]:
    """Intervals and levels begin at slice boundaries, counted from where the slice's length last changed (first from 0)."""
    alone_us = slice_alone(evidence.parameters)
    checked, broken = 0, [evidence.allocations.select("job", "begin_us").clear()]
    if alone_us is None:
        return checked, broken[0]
    for levels, own in by_cluster(evidence):
        begins = pl.concat(
            [evidence.allocations.filter(own).select("job", "begin_us"), levels.select("begin_us", "level")],
            how="diagonal",
        )
        level = column_of(levels, "level").astype(np.int64)
        sharing = np.maximum(level, 1) if evidence.parameters.get("slice") == "scaled" else np.ones_like(level)
        length = np.maximum(np.concatenate([[alone_us], alone_us // sharing]), 1)
        first, time = column_of(levels, "begin_us"), column_of(begins, "begin_us")
        anchor = np.maximum.accumulate(np.concatenate([[0], np.where(np.diff(length) != 0, first, 0)]))
        before = np.searchsorted(first, time, side="left")  # the slice that ends here is of the level before this pass
        off_us = (time - anchor[before]) % length[before]
        rows = begins.with_columns(off_boundary_us=pl.Series(off_us), slice_us=pl.Series(length[before]))
        broken.append(rows.filter(pl.col("off_boundary_us") != 0))
        checked += begins.height
    return checked, pl.concat(broken, how="diagonal")


def slice_alone(parameters: dict[str, Any]) -> int | None:
    """Give the slice at level 1 in microseconds, or None where starts are bound to no slice."""
    kind, slice_s, level = parameters.get("slice", "fixed"), parameters.get("slice_s", 0), parameters.get("level")
    if kind not in ("fixed", "scaled") or not slice_s:
        return None
    if kind == "fixed":
        return seconds_in_us(slice_s)
    return seconds_in_us(slice_s) * int(level) if is_number(level) else None
