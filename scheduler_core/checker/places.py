"""The processors of every allocation, listed one by one, to find any that two allocations share.

Schedules name millions of processors. They are listed once and sorted as integers: the processor, then the rank in time of
the event. There are few ranks, so both fit one integer.
"""

from dataclasses import dataclass

import numpy as np
import polars as pl


@dataclass(frozen=True, slots=True)
class Places:
    """The processors of allocations that name them: those of allocation i are at ``first[i]`` to ``first[i] + count[i]``."""

    first: np.ndarray
    count: np.ndarray
    processor_ids: np.ndarray

    def of(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """List the processors of allocations, one allocation after another: positions in ``rows``, and processors."""
        count = self.count[rows]
        before = np.cumsum(count) - count
        owner = np.repeat(np.arange(len(rows)), count)
        return owner, self.processor_ids[np.arange(len(owner)) + np.repeat(self.first[rows] - before, count)]


def explode_places(allocations: pl.DataFrame) -> Places:
    """List the processors of every allocation; an allocation that only counts its processors contributes none."""
    processor_ids = allocations["processor_ids"]
    count = processor_ids.list.len().fill_null(0).to_numpy().astype(np.int64)
    each = processor_ids.filter(pl.Series(count > 0)).explode().fill_null(-1).to_numpy()
    return Places(np.cumsum(count) - count, count, each)


def ranks_in_time(*keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the order of events by the last key, then the one before it, and each event's rank in that order."""
    in_time = np.lexsort(keys)
    rank = np.empty_like(in_time)
    rank[in_time] = np.arange(len(rank))
    return in_time, rank


def taken_twice(
    place: np.ndarray, row: np.ndarray, begin: np.ndarray, end: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """List the places that a row takes before the row before it has left them: the places, the later rows, the earlier rows.

    Each entry of ``place`` is taken by the ``row`` beside it, from its ``begin`` to its ``end``.
    """
    in_time, rank = ranks_in_time(end, begin)
    place, rank = sorted_by_place(place, rank[row])
    begin, end = begin[in_time], end[in_time]
    again = np.flatnonzero((place[1:] == place[:-1]) & (begin[rank[1:]] < end[rank[:-1]])) + 1
    return place[again], in_time[rank[again]], in_time[rank[again - 1]]


def sorted_by_place(place: np.ndarray, rank: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Sort by place, then rank, as one integer each."""
    bits = int(rank.max(initial=0)).bit_length()
    both = np.sort((place << bits) | rank)
    return both >> bits, both & ((1 << bits) - 1)
