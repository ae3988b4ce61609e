"""The rows of the matrix, followed from placement to placement: a row's number changes when a row before it is deleted."""

from __future__ import annotations

import numpy as np
import polars as pl

from scheduler_core.decisions.waits import Holdings


def rows_of(held: pl.DataFrame) -> dict[int, int] | None:
    """Return the row of each job, rows being numbered in the order in which they were opened.

    ``held`` are the allocations in the order of the workload: ``slot`` is the place of the job's row when it was placed. None if
    the tables do not tell: a row's last job ended at the very tick at which another job was placed, before or after the placing.
    """
    rows: list[tuple[int, dict[int, int]]] = []
    found: dict[int, int] = {}
    opened = 0
    placed = held.sort("begin_us", maintain_order=True).select("job", "slot", "begin_us", "end_us")
    for job, slot, begin, end in placed.iter_rows():
        last = [max(ends.values()) for _, ends in rows]
        if begin in last:
            return None
        rows = [row for row, ended in zip(rows, last, strict=True) if ended > begin]
        if slot == len(rows):
            rows.append((opened, {}))
            opened += 1
        number, ends = rows[slot]
        ends[job] = end
        found[job] = number
    return found


def rooms_in(
    held: pl.DataFrame, processors: int, most_tasks: int | None, low: int, high: int
) -> tuple[np.ndarray, dict[int, np.ndarray], np.ndarray]:
    """Return, step by step from ``low`` until ``high``, the processors on which a task can be placed.

    ``held`` has ``begin_us, end_us, processor_ids, row``. Returned are the begins of steps; by row in use, how many of its
    processors are free and have fewer than ``most_tasks`` tasks bound; and how many processors have, in whatever row. A row is in
    use where its number is not negative.
    """
    near = held.filter((pl.col("begin_us") < high) & (pl.col("end_us") > low))
    rows, holdings = near["row"].to_numpy(), Holdings(near)
    at = holdings.edges(low, high)
    bound = holdings.counts(np.arange(len(rows)), at, range(processors))
    eligible = np.full_like(bound, True, dtype=bool) if most_tasks is None else bound < most_tasks
    rooms = {}
    for row in np.unique(rows).tolist():
        own = holdings.counts(np.flatnonzero(rows == row), at, range(processors))
        rooms[row] = np.where(own.any(axis=1), ((own == 0) & eligible).sum(axis=1), -1)
    return at, rooms, eligible.sum(axis=1)
