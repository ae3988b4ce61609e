"""Numbers for processors that a policy only counts: an allocation gets the lowest-numbered ones that are free, as in diagrams."""

from __future__ import annotations

import heapq
from bisect import bisect
from collections.abc import Iterable, Iterator

import polars as pl

from scheduler_core.common.errors import ContractError
from scheduler_core.contracts import Machine, Schedule

Interval = tuple[int, int]
"""Processors from the first to the last number."""


class Free:
    """Free processors as disjoint intervals in ascending order, no two of them adjacent."""

    def __init__(self, first: int, last: int) -> None:
        self.intervals: list[Interval] = [(first, last)]

    def take(self, count: int) -> list[Interval]:
        """Return the ``count`` lowest-numbered processors, which are free no longer; raise :class:`ContractError` for too few."""
        taken: list[Interval] = []
        place = 0
        while count and place < len(self.intervals):
            first, last = self.intervals[place]
            end = min(last, first + count - 1)
            taken.append((first, end))
            count -= end - first + 1
            if end < last:
                self.intervals[place] = (end + 1, last)
            else:
                place += 1
        if count:
            raise ContractError(f"an allocation holds {count} processors more than are free")
        del self.intervals[:place]
        return taken

    def give(self, given: Iterable[Interval]) -> None:
        """Make processors free that were taken."""
        for first, last in given:
            place = bisect(self.intervals, (first, last))
            begin, end = place, place
            if place and self.intervals[place - 1][1] == first - 1:
                begin, first = place - 1, self.intervals[place - 1][0]
            if place < len(self.intervals) and self.intervals[place][0] == last + 1:
                end, last = place + 1, self.intervals[place][1]
            self.intervals[begin:end] = [(first, last)]


def merged(numbers: Iterable[int]) -> list[Interval]:
    """Return processors as intervals in ascending order."""
    found: list[Interval] = []
    for number in sorted(numbers):
        if found and number == found[-1][1] + 1:
            found[-1] = (found[-1][0], number)
        else:
            found.append((number, number))
    return found


def numbered(schedule: Schedule) -> dict[int, list[Interval]]:
    """Return the processors of each job's first allocation, by the job's number.

    Processors that a policy numbers keep their numbers; others get numbers as :func:`counted_rows` says. Raise
    :class:`ContractError` for jobs that share counted processors.
    """
    if schedule.family.sharing == "jobs" and len(counted_only(schedule)):
        raise ContractError(
            "the policy counts processors without numbering them, and jobs share some; evalys needs their numbers: "
            "write the schedule with --as swf"
        )
    named = schedule.allocations.filter(pl.col("processor_ids").is_not_null()).sort("begin_us", maintain_order=True)
    first = {job: merged(ids) for job, ids in named.unique("job", keep="first").select("job", "processor_ids").rows()}
    for job, _, taken in counted_rows(schedule):
        first.setdefault(job, taken)
    return first


def counted_rows(schedule: Schedule) -> Iterator[tuple[int, int, list[Interval]]]:
    """Yield job, begin and processors of each allocation whose processors a policy only counts, in the order of time.

    It gets the lowest-numbered free processors of its cluster, in its slot where slots take turns.
    """
    lanes: dict[tuple[int, int], tuple[Free, list[tuple[int, int, list[Interval]]]]] = {}
    in_turns = schedule.family.sharing == "slots"
    rows = schedule.allocations.filter(pl.col("processor_ids").is_null()).sort("begin_us", maintain_order=True)
    columns = rows.select("job", "begin_us", "end_us", "processors", "cluster", "slot")
    for place, (job, begin, end, processors, cluster, slot) in enumerate(columns.iter_rows()):
        lane = (cluster, slot if in_turns else 0)
        if lane not in lanes:
            lanes[lane] = (Free(*bounds(schedule.machine, cluster)), [])
        free, ends = lanes[lane]
        while ends and ends[0][0] <= begin:
            free.give(heapq.heappop(ends)[2])
        taken = free.take(processors)
        heapq.heappush(ends, (end, place, taken))
        yield job, begin, taken


def bounds(machine: Machine, cluster: int) -> Interval:
    """Return the first and the last processor of a cluster."""
    before = sum(one.processors for one in machine.clusters[:cluster])
    return before, before + machine.clusters[cluster].processors - 1


def counted_only(schedule: Schedule) -> pl.Series:
    """Return the jobs, by number, with processors that the policy counts without numbering them."""
    return schedule.allocations.filter(pl.col("processor_ids").is_null())["job"].unique(maintain_order=True)
