"""Processors one by one: who holds which, so that none is given twice and none runs out of memory.

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
    """The processors of all intervals that name them: those of interval i stand at ``first[i]`` to ``first[i] + count[i]``."""

    first: np.ndarray
    count: np.ndarray
    processor_ids: np.ndarray

    def of(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """List the processors of intervals, one interval after the other: positions in ``rows``, and processors."""
        count = self.count[rows]
        before = np.cumsum(count) - count
        owner = np.repeat(np.arange(len(rows)), count)
        return owner, self.processor_ids[np.arange(len(owner)) + np.repeat(self.first[rows] - before, count)]


def explode_places(allocations: pl.DataFrame) -> Places:
    """List the processors of every interval; an interval that only counts them has none here."""
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
    """Number the slots of all clusters from 0, and give each interval's; 0 where all slots are on one machine."""
    if not evidence.slots_are_apart:
        return np.zeros(evidence.allocations.height, np.int64)
    cluster, slot = (evidence.allocations[name].to_numpy().astype(np.int64) for name in ("cluster", "slot"))
    return np.unique((cluster << 32) + slot, return_inverse=True)[1]


def processors_are_exclusive(evidence: Evidence) -> tuple[int, pl.DataFrame]:
    """Where processors are named: as many as held, each of the cluster, and none given twice at one time (in a slot)."""
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


def memory_suffices(evidence: Evidence) -> tuple[int, pl.DataFrame]:
    """At no instant do the jobs with a place on a processor, in whatever slot, need more memory than it has."""
    table, places, processors = evidence.allocations, evidence.places, evidence.machine.processors
    if not evidence.memory_binds:
        return 0, table.select("job", "begin_us").clear()
    memory = evidence.of_jobs("memory_kb")["memory_kb"].fill_null(0).to_numpy()
    _, cluster = np.unique(table["cluster"].to_numpy(), return_inverse=True)
    # Ends come before begins of the same instant; what a place's jobs need and give back adds up to nothing, so that one
    # running sum serves all places.
    time = np.concatenate([table["end_us"].to_numpy(), table["begin_us"].to_numpy()])
    in_time = np.argsort(time, kind="stable")
    rank = np.empty_like(in_time)
    rank[in_time] = np.arange(len(rank))
    change = np.concatenate([-memory, memory])[in_time]
    processor = np.clip(places.processor_ids, -1, processors) + 1
    place = np.repeat(cluster * (processors + 2), places.count) + processor
    ends, begins = (np.repeat(half, places.count) for half in np.split(rank, 2))
    place, rank = sorted_by_place(np.concatenate([place, place]), np.concatenate([ends, begins]))
    needed = np.cumsum(change[rank])
    over = np.flatnonzero((needed > evidence.machine.memory_kb) & (change[rank] > 0))
    shown = table.select("job", "begin_us")[in_time[rank[over]] - table.height]
    processor = place[over] % (processors + 2) - 1
    return len(places.processor_ids), shown.with_columns(
        processor=pl.Series(processor), needed_kb=pl.Series(needed[over])
    )
