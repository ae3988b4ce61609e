"""The processors of every allocation, listed one by one, to find any that two allocations share.

Schedules name millions of processors. They are listed once and sorted as integers: the processor, then the rank in time of
the event. There are few ranks, so both fit one integer.
"""

from __future__ import annotations

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


def sorted_by_place(place: np.ndarray, rank: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Sort by place, then rank, as one integer each."""
    bits = int(rank.max(initial=0)).bit_length()
    both = np.sort((place << bits) | rank)
    return both >> bits, both & ((1 << bits) - 1)
