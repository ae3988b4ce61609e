"""Boundaries of time slices, rebuilt from the levels: anything starts or changes only there."""

from __future__ import annotations

import numpy as np
import polars as pl

from scheduler_core.checker.evidence import column_of
from scheduler_core.checker.gang.evidence import GangEvidence
from scheduler_core.checker.gang.slot_clock import by_cluster


def starts_on_boundaries(evidence: GangEvidence) -> tuple[int, pl.DataFrame]:
    """Allocations and levels begin at a boundary of a time slice, counted from the last change of its length (first from 0)."""
    facts = evidence.facts
    checked, broken = 0, [evidence.allocations.select("job", "begin_us").clear()]
    if not facts.slice_us:
        return checked, broken[0]
    alone_us = facts.slice_us * (facts.cycle_slots or 1)
    for levels, own in by_cluster(evidence):
        begins = pl.concat(
            [evidence.allocations.filter(own).select("job", "begin_us"), levels.select("begin_us", "level")],
            how="diagonal",
        )
        level = column_of(levels, "level").astype(np.int64)
        sharing = np.maximum(level, 1) if facts.cycle_slots else np.ones_like(level)
        length = np.maximum(np.concatenate([[alone_us], alone_us // sharing]), 1)
        first, time = column_of(levels, "begin_us"), column_of(begins, "begin_us")
        anchor = np.maximum.accumulate(np.concatenate([[0], np.where(np.diff(length) != 0, first, 0)]))
        before = np.searchsorted(first, time, side="left")  # the slice ending here has the level before this pass
        off_us = (time - anchor[before]) % length[before]
        rows = begins.with_columns(off_boundary_us=pl.Series(off_us), slice_us=pl.Series(length[before]))
        broken.append(rows.filter(pl.col("off_boundary_us") != 0))
        checked += begins.height
    return checked, pl.concat(broken, how="diagonal")
