"""A matrix diagram with each job's processors gathered: easier to read where a policy scatters jobs over the machine.

Which processors a gang holds matters to the packing alone; how many it holds, beside whom and for how long is what a
reader wants to see first. The gathered layout keeps every slot, time and size and gives up the processors' numbers.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby
from typing import Any

import numpy as np
import polars as pl

from reports.diagrams.allocations import runs_of
from reports.families.gang.diagram import GangWindow

NONE = np.array([], dtype=np.int64)


def gathered(matrix: GangWindow) -> GangWindow:
    """Return the matrix with the processors of every job renumbered so that they neighbour one another where that is possible.

    A job stays where it is as long as it holds processors in its slot: when it shrinks it keeps its lowest ones, when it
    grows it takes what is free beside it first. Longer jobs go to the bottom of their slot, shorter ones to the top. A job
    for which no gap is wide enough is split over the widest.
    """
    rows = matrix.allocations.with_row_index("allocation").to_dicts()
    lengths = sorted(row["end_us"] - row["begin_us"] for row in rows)
    middle = lengths[len(lengths) // 2] if lengths else 0
    found: list[list[int]] = [[] for _ in rows]
    for _, own in groupby(sorted(rows, key=lambda row: row["slot"]), key=lambda row: row["slot"]):
        for number, ids in gathered_slot(list(own), matrix.processors, middle):
            found[number] = runs_of(ids)
    column = pl.Series("runs", found, dtype=pl.List(pl.Int32))
    return replace(matrix, allocations=matrix.allocations.with_columns(column))


def gathered_slot(rows: list[dict[str, Any]], processors: int, middle: int) -> Iterator[tuple[int, np.ndarray]]:
    """Place the allocations of one slot, in the order in which they begin; see :func:`gathered`."""
    held: dict[int, tuple[int, np.ndarray]] = {}
    for begin, group in groupby(sorted(rows, key=lambda row: row["begin_us"]), key=lambda row: row["begin_us"]):
        now = list(group)
        before = {job: ids for job, (end, ids) in held.items() if end == begin}
        held = {job: place for job, place in held.items() if place[0] > begin}
        for row in now:  # what jobs keep comes first, so that no other job takes it
            held[row["job"]] = (row["end_us"], before.get(row["job"], NONE)[: row["processors"]])
        for row in now:
            kept = held[row["job"]][1]
            idle = np.ones(processors, dtype=bool)
            idle[np.concatenate([ids for _, ids in held.values()])] = False
            longer = row["end_us"] - row["begin_us"] > middle
            more = take(np.flatnonzero(idle), row["processors"] - len(kept), kept, low=longer)
            placed = np.union1d(kept, np.array(more, dtype=np.int64))
            held[row["job"]] = (row["end_us"], placed)
            yield row["allocation"], placed


def take(free: np.ndarray, count: int, beside: np.ndarray, low: bool) -> list[int]:
    """Choose ``count`` free processors: beside what is held, else in one gap (the lowest or the highest), else in the widest."""
    edges = runs_of(free)
    gaps = list(zip(edges[::2], edges[1::2], strict=True))
    wide = [] if len(beside) else [gap for gap in gaps if gap[1] - gap[0] >= count]
    if wide:
        first, last = wide[0] if low else wide[-1]
        return list(range(first, first + count) if low else range(last - count, last))
    found: list[int] = []
    for first, last in sorted(gaps, key=lambda gap: (not touching(gap, beside), gap[0] - gap[1], gap[0])):
        part = min(count - len(found), last - first)
        upwards = first - 1 in beside or last not in beside
        found += range(first, first + part) if upwards else range(last - part, last)
    return found


def touching(gap: tuple[int, int], beside: np.ndarray) -> bool:
    """Return whether a gap is next to some processors."""
    return gap[0] - 1 in beside or gap[1] in beside
