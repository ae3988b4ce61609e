"""A matrix diagram with each job's processors gathered: easier to read where a policy scatters jobs over the machine.

Which processors a gang holds matters to the packing alone; how many it holds, beside whom and for how long is what a
reader wants to see first. The gathered layout keeps every slot, time and size and gives up the processors' numbers.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby, pairwise
from typing import Any

import polars as pl

from reports.families.gang.diagram import GangWindow

Run = tuple[int, int]


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
        for number, runs in gathered_slot(list(own), matrix.processors, middle):
            found[number] = [edge for run in runs for edge in run]
    column = pl.Series("runs", found, dtype=pl.List(pl.Int32))
    return replace(matrix, allocations=matrix.allocations.with_columns(column))


def gathered_slot(rows: list[dict[str, Any]], processors: int, middle: int) -> list[tuple[int, list[Run]]]:
    """Place the allocations of one slot, in the order in which they begin; see :func:`gathered`."""
    held: dict[int, tuple[int, list[Run]]] = {}
    found = []
    for begin, group in groupby(sorted(rows, key=lambda row: row["begin_us"]), key=lambda row: row["begin_us"]):
        now = list(group)
        before = {job: runs for job, (end, runs) in held.items() if end == begin}
        held = {job: place for job, place in held.items() if place[0] > begin}
        for row in now:  # what jobs keep comes first, so that no other job takes it
            kept = lowest(before.get(row["job"], []), row["processors"])
            held[row["job"]] = (row["end_us"], kept)
        for row in now:
            kept = held[row["job"]][1]
            free = gaps([run for _, runs in held.values() for run in runs], processors)
            long = row["end_us"] - row["begin_us"] > middle
            more = take(free, row["processors"] - length(kept), kept, long)
            placed = joined([*kept, *more])
            held[row["job"]] = (row["end_us"], placed)
            found.append((row["allocation"], placed))
    return found


def length(runs: list[Run]) -> int:
    """Count the processors of some runs."""
    return sum(last - first for first, last in runs)


def lowest(runs: list[Run], count: int) -> list[Run]:
    """Return the lowest ``count`` processors of some runs, or all if they are fewer."""
    found = []
    for first, last in runs:
        if count > 0:
            found.append((first, min(last, first + count)))
        count -= last - first
    return found


def gaps(held: list[Run], processors: int) -> list[Run]:
    """Return the runs of processors no job holds, lowest first."""
    edges = [(0, 0), *sorted(held), (processors, processors)]
    between = ((one[1], two[0]) for one, two in pairwise(edges))
    return [(first, last) for first, last in between if last > first]


def take(free: list[Run], count: int, beside: list[Run], low: bool) -> list[Run]:
    """Choose ``count`` processors: beside what is held, else in one gap (the lowest or the highest), else in the widest."""
    if count <= 0:
        return []
    if not beside:
        wide = [gap for gap in free if gap[1] - gap[0] >= count]
        if wide:
            first, last = wide[0] if low else wide[-1]
            return [(first, first + count)] if low else [(last - count, last)]
    above, below = {last for _, last in beside}, {first for first, _ in beside}
    free = sorted(free, key=lambda gap: (gap[0] not in above and gap[1] not in below, gap[0] - gap[1], gap[0]))
    found = []
    for first, last in free:
        part = min(count, last - first)
        if part:
            upwards = first in above or last not in below
            found.append((first, first + part) if upwards else (last - part, last))
            count -= part
    return found


def joined(runs: list[Run]) -> list[Run]:
    """Join runs that touch."""
    found: list[Run] = []
    for first, last in sorted(runs):
        if found and found[-1][1] == first:
            found[-1] = (found[-1][0], last)
        else:
            found.append((first, last))
    return found
