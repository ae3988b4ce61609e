"""The levels, the slot clock they define, the slots held at any instant, and the boundaries of time slices."""

from collections.abc import Iterator

import numpy as np
import polars as pl

from scheduler_core.checker.evidence import column_of
from scheduler_core.checker.gang.evidence import GangEvidence

TIMES = ("begin_us", "end_us")
SHARE_TOLERANCE = 1e-12  # a share is one division of numbers that float64 holds (almost) exactly


def by_cluster(evidence: GangEvidence) -> Iterator[tuple[pl.DataFrame, np.ndarray]]:
    """Yield each cluster's levels and a mask of its allocations."""
    where = column_of(evidence.allocations, "cluster")
    clusters = {*evidence.levels["cluster"].unique(), *evidence.allocations["cluster"].unique()}
    for cluster in sorted(clusters):
        yield evidence.levels.filter(pl.col("cluster") == cluster), where == cluster


def advances(levels: pl.DataFrame) -> np.ndarray:
    """Return the slot clock's advance over each row: floor(length x share)."""
    length = column_of(levels, "end_us") - column_of(levels, "begin_us")
    return np.floor(length * column_of(levels, "share")).astype(np.int64)


def slot_clock(levels: pl.DataFrame, time_us: np.ndarray) -> np.ndarray:
    """Return one cluster's slot clock at instants; it stands still outside the levels."""
    if levels.is_empty():
        return np.zeros(len(time_us), np.int64)
    begin, share = column_of(levels, "begin_us"), column_of(levels, "share")
    advance = advances(levels)
    at_begin = np.cumsum(advance) - advance
    row = np.clip(np.searchsorted(begin, time_us, side="right") - 1, 0, None)
    inside = np.clip(time_us, begin[row], column_of(levels, "end_us")[row]) - begin[row]
    return at_begin[row] + np.floor(inside * share[row]).astype(np.int64)


def turns(evidence: GangEvidence) -> np.ndarray:
    """Return the turn each allocation must have: the advance of the slot clock from its begin to its end."""
    begin, end = column_of(evidence.allocations, "begin_us"), column_of(evidence.allocations, "end_us")
    turn = np.zeros(len(begin), np.int64)
    for levels, own in by_cluster(evidence):
        turn[own] = slot_clock(levels, end[own]) - slot_clock(levels, begin[own])
    return turn


def levels_are_sound(evidence: GangEvidence) -> tuple[int, pl.DataFrame]:
    """Levels cover first start to last finish without gaps; neighbours differ; each slot's share follows from the level."""
    slowed, most = 1.0 + evidence.facts.lost_to_switches, evidence.facts.most_slots
    level, same = pl.col("level"), pl.col("cluster") == pl.col("cluster").shift(1)
    share = pl.when(level == 0).then(0.0).when(level == 1).then(1.0).otherwise(1.0 / (level * slowed))
    equal = (level == level.shift(1)) & (pl.col("share") == pl.col("share").shift(1))
    broken = (
        (pl.col("end_us") <= pl.col("begin_us"))
        | (same & ((pl.col("begin_us") != pl.col("end_us").shift(1)) | equal))
        | (level < 0)
        | ((pl.col("share") - share).abs() > SHARE_TOLERANCE)
        | pl.lit(most is not None) & (level > (most or 0))
    )
    wrong = evidence.levels.filter(broken)
    begin, end = pl.col("begin_us").min(), pl.col("end_us").max()
    covered = evidence.levels.group_by("cluster").agg(begin, end)
    held = evidence.allocations.group_by("cluster").agg(start_us=begin, finish_us=end)
    both = covered.join(held, on="cluster", how="full", coalesce=True)
    apart = pl.col("begin_us").ne_missing(pl.col("start_us")) | pl.col("end_us").ne_missing(pl.col("finish_us"))
    uncovered = both.filter(apart).sort("cluster")
    return evidence.levels.height + both.height, pl.concat([wrong, uncovered], how="diagonal")


def level_is_kept(evidence: GangEvidence) -> tuple[int, pl.DataFrame]:
    """At no instant are more slots held than take turns; whenever the level changes, both numbers are equal."""
    checked, broken = 0, [pl.DataFrame(schema={"time_us": pl.Int64, "slots_held": pl.Int64, "level": pl.Int64})]
    for levels, own in by_cluster(evidence):
        time, held, level = slots_and_levels(evidence.allocations.filter(own), levels)
        changed = np.isin(time, column_of(levels, "begin_us"))
        wrong = (held > level) | (changed & (held != level))
        checked += len(time)
        broken.append(pl.DataFrame({"time_us": time[wrong], "slots_held": held[wrong], "level": level[wrong]}))
    return checked, pl.concat(broken)


def slots_and_levels(allocations: pl.DataFrame, levels: pl.DataFrame) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the instants of changes, and from each on the slots held and the level in force."""
    ordered = allocations.select("slot", *TIMES).sort("slot", "begin_us")
    ordered = ordered.with_columns(latest=pl.col("end_us").cum_max().over("slot"))
    new_slot, idle = pl.col("slot") != pl.col("slot").shift(1), pl.col("begin_us") > pl.col("latest").shift(1)
    spell = (new_slot | idle).fill_null(True).cum_sum()
    spans = ordered.group_by(spell=spell).agg(pl.col("begin_us").min(), pl.col("end_us").max())
    level = column_of(levels, "level").astype(np.int64)
    busy = np.ones(spans.height, np.int64)
    time = np.concatenate([table[name].to_numpy() for table in (spans, levels) for name in TIMES])
    instants, at = np.unique(time, return_inverse=True)
    changes = np.zeros((2, len(instants)), np.int64)
    np.add.at(changes[0], at[: 2 * len(busy)], np.concatenate([busy, -busy]))
    np.add.at(changes[1], at[2 * len(busy) :], np.concatenate([level, -level]))
    held, in_force = np.cumsum(changes, axis=1)
    return instants, held, in_force


def starts_on_boundaries(evidence: GangEvidence) -> tuple[int, pl.DataFrame]:
    """Allocations and levels begin at a boundary of a time slice, counted from the last change of its length (first from 0)."""
    facts = evidence.facts
    checked, broken = 0, [evidence.allocations.select("job", "begin_us").clear()]
    if not facts.slice_us:
        return checked, broken[0]
    alone_us = facts.slice_us * (facts.cycle_slots or 1)
    for levels, own in by_cluster(evidence):
        allocations = evidence.allocations.filter(own).select("job", "begin_us")
        begins = pl.concat([allocations, levels.select("begin_us", "level")], how="diagonal")
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
