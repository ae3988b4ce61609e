"""The processors of every allocation, listed one by one, to find any that two allocations share.

Schedules name millions of processors. They are compared in parts that fit the processor's cache, so little memory is needed
besides the list. A part is sorted as integers: the processor, then the rank in time. There are few ranks, so both fit one
integer.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import polars as pl

PART = 1 << 15
"""Processors that are compared together."""


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

    def outside(self, first: np.ndarray, processors: np.ndarray) -> np.ndarray:
        """Return which allocations list a processor that is none of so many, numbered from ``first`` on, by allocation."""
        some = np.flatnonzero(self.count)
        found = np.zeros(len(self.count), bool)
        if len(some):
            least, most = (each.reduceat(self.processor_ids, self.first[some]) for each in (np.minimum, np.maximum))
            found[some] = (least < first[some]) | (most >= first[some] + processors[some])
        return found

    def unlike(self, rows: np.ndarray, others: np.ndarray) -> np.ndarray:
        """Return the positions at which ``rows`` and ``others``, equally large, list other processors or another order."""
        found = [np.zeros(0, np.int64)]
        for low, high in parts(self.count[rows]):
            owner, processor = self.of(rows[low:high])
            found.append(low + np.unique(owner[processor != self.of(others[low:high])[1]]))
        return np.concatenate(found)


def parts(count: np.ndarray) -> Iterator[tuple[int, int]]:
    """Return the first and the last (exclusive) row of each part; together the rows list some :data:`PART` processors."""
    total = np.cumsum(count)
    inner = np.searchsorted(total, np.arange(PART, total[-1] if len(total) else 0, PART), side="left") + 1
    edges = np.unique(np.concatenate([[0], inner, [len(count)]])).tolist()
    return pairwise(edges)


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
    places: Places, rows: np.ndarray, offset: np.ndarray, begin: np.ndarray, end: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """List the places that a row takes before the row before it has left them: the places, the later rows, the earlier rows.

    A place is a processor plus the ``offset`` of the row. Each row takes the processors of an allocation (``rows``) from its
    ``begin`` to its ``end``. Rows are numbered by their position. Of each part, only the places still held then are compared with
    the next.
    """
    in_time, _ = ranks_in_time(end, begin)
    rows, offset, begin, end = rows[in_time], offset[in_time], begin[in_time], end[in_time]
    bits = len(rows).bit_length()
    held, found = np.zeros(0, np.int64), [np.zeros((3, 0), np.int64)]
    for low, high in parts(places.count[rows]):
        owner, processor = places.of(rows[low:high])
        base = (offset[low:high] << bits) + np.arange(low, high)
        both = np.sort(np.concatenate([held, base[owner] + (processor.astype(np.int64) << bits)]))
        place, rank = both >> bits, both & ((1 << bits) - 1)
        same = place[1:] == place[:-1]
        again = np.flatnonzero(same & (begin[rank[1:]] < end[rank[:-1]])) + 1
        found.append(np.stack([place[again], rank[again], rank[again - 1]]))
        last = np.flatnonzero(np.append(~same, True)[: len(both)])
        held = both[last[end[rank[last]] > begin[high - 1]]]
    place, late, early = np.concatenate(found, axis=1)
    order = np.lexsort((late, place))
    return place[order], in_time[late[order]], in_time[early[order]]


def sorted_by_place(place: np.ndarray, rank: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Sort by place, then rank, as one integer each."""
    bits = int(rank.max(initial=0)).bit_length()
    both = np.sort((place << bits) | rank)
    return both >> bits, both & ((1 << bits) - 1)
