"""Processors one by one: who holds which, so that none is given twice.

Schedules name millions of processors. They are listed once, and put in order as whole numbers: a processor, and behind it
the rank in time of what happens there, for of those ranks there are few.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

if TYPE_CHECKING:
    from scheduler_core.checker.evidence import Evidence


@dataclass(frozen=True, slots=True)
class Places:
    """The processors of allocations that name them: those of allocation i stand at ``first[i]`` to ``first[i] + count[i]``."""

    first: np.ndarray
    count: np.ndarray
    processor_ids: np.ndarray

    def of(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """List the processors of allocations, one allocation after the other: positions in ``rows``, and processors."""
        count = self.count[rows]
        before = np.cumsum(count) - count
        owner = np.repeat(np.arange(len(rows)), count)
        return owner, self.processor_ids[np.arange(len(owner)) + np.repeat(self.first[rows] - before, count)]


def explode_places(allocations: pl.DataFrame) -> Places:
    """List the processors of every allocation; one that only counts them has none here."""
    processor_ids = allocations["processor_ids"]
    count = processor_ids.list.len().fill_null(0).to_numpy().astype(np.int64)
    each = processor_ids.filter(pl.Series(count > 0)).explode().fill_null(-1).to_numpy()
    return Places(np.cumsum(count) - count, count, each)


def sorted_by_place(place: np.ndarray, rank: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Sort by place and then by rank, as one number each."""
    bits = int(rank.max(initial=0)).bit_length()
    both = np.sort((place << bits) | rank)
    return both >> bits, both & ((1 << bits) - 1)


def slot_numbers(evidence: Evidence) -> np.ndarray:
    """Return the number of each allocation's slot: allocations of one number must not share a processor.

    Slots of all clusters are numbered from 0 where slots take turns. Where a processor is for one job at a time all have
    the number 0, and where several jobs may run on it at once each allocation has its own.
    """
    if evidence.family.sharing == "none":
        return np.zeros(evidence.allocations.height, np.int64)
    if evidence.family.sharing == "jobs":
        return np.arange(evidence.allocations.height)
    cluster, slot = (evidence.allocations[name].to_numpy().astype(np.int64) for name in ("cluster", "slot"))
    return np.unique((cluster << 32) + slot, return_inverse=True)[1]


def processors_are_exclusive(evidence: Evidence) -> tuple[int, pl.DataFrame]:
    """Where processors are named: as many as held, each of the cluster, and none given twice at one time.

    Whether at one time means in one slot, or in one allocation, is the family's to say.
    """
    table, places, processors = evidence.allocations, evidence.places, evidence.machine.processors
    begin, end = table["begin_us"].to_numpy(), table["end_us"].to_numpy()
    first, of_cluster = (np.repeat(each, places.count) for each in evidence.processors_of(table["cluster"]))
    exists = (places.processor_ids >= first) & (places.processor_ids < first + of_cluster)
    miscounted = table["processor_ids"].is_not_null().to_numpy() & (places.count != table["processors"].to_numpy())
    miscounted[np.repeat(np.arange(table.height), places.count)[~exists]] = True
    in_time = np.lexsort((end, begin))
    rank = np.empty_like(in_time)
    rank[in_time] = np.arange(len(rank))
    place = np.repeat(slot_numbers(evidence) * processors, places.count) + places.processor_ids
    place, rank = sorted_by_place(place[exists], np.repeat(rank, places.count)[exists])
    begin, end = begin[in_time], end[in_time]
    again = np.flatnonzero((place[1:] == place[:-1]) & (begin[rank[1:]] < end[rank[:-1]])) + 1
    twice = table.select("job", "begin_us", "slot")[in_time[rank[again]]]
    wrong = table.filter(miscounted).select("job", "begin_us", "processors")
    shown = twice.with_columns(processor=pl.Series(place[again] % processors))
    return len(places.processor_ids), pl.concat([wrong, shown], how="diagonal")
