"""Why a job under gang scheduling started when it did: from its schedule, slot by slot."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from scheduler_core.common.units import NEVER_US
from scheduler_core.decisions.alternatives import tried
from scheduler_core.decisions.causes import causes_of
from scheduler_core.decisions.gang.causes import steps_of_wait
from scheduler_core.decisions.gang.explained import GangExplanation, Placing, Room, Slot
from scheduler_core.decisions.gang.slices import Boundaries, Queue, level_at, slice_at
from scheduler_core.decisions.waits import Steps, facts_of, fitting, met_by, steps_of
from scheduler_core.gang.policy import equal_parts, halved_parts

if TYPE_CHECKING:
    from scheduler_core.decisions.history import History
    from scheduler_core.gang.facts import GangFacts


@dataclass(frozen=True)
class Part:
    """A part of the machine: the processors of its lanes, its allocations in lanes, its levels, and its queue."""

    sizes: list[int]
    placed: pl.DataFrame
    levels: pl.DataFrame
    queue: Queue

    @cached_property
    def arrays(self) -> dict[str, np.ndarray]:
        """The allocations as arrays."""
        names = ("job", "begin_us", "end_us", "processors", "lane")
        return {name: self.placed[name].to_numpy() for name in names}

    @cached_property
    def places(self) -> dict[int, int]:
        """The places of the jobs in the workload."""
        return {job: place for place, job in enumerate(self.queue.jobs["job"].to_list())}


def part_of(history: History, cluster: int) -> Part:
    """Return a part of the machine by its number."""
    schedule, facts, here = history.schedule, history.facts, pl.col("cluster") == cluster
    sizes = lanes_of(facts, schedule.machine.processors, cluster)
    levels = schedule.tables["levels"].filter(here)
    jobs = schedule.jobs.with_columns(pl.col("start_us").fill_null(NEVER_US))
    queue = Queue(jobs, history.values, Boundaries(facts, levels))
    placed = in_lanes(schedule.allocations.filter(here), sizes).drop("processor_ids")
    return Part(sizes, placed, levels, queue)


def explanation_of(history: History, job: dict[str, Any], *, alternatives: bool) -> GangExplanation:
    """Return why a job started when it did; ``job`` is its row (:func:`~scheduler_core.decisions.waits.row_of`)."""
    submit, start, number, schedule = job["submit_us"], job["start_us"], job["job"], history.schedule
    facts, part = history.facts, history.once(part_of, job["cluster"])
    sizes = part.sizes
    every = part.arrays
    placed = {
        name: values[(every["begin_us"] <= start) & (every["end_us"] >= submit)] for name, values in every.items()
    }
    several = facts.partitions is not None and not facts.partitions.one_job
    jobs = met_by(history, job, of_cluster=True)
    held = {name: values[placed["job"] != number] for name, values in placed.items()}
    own_lanes = sorted(set(placed["lane"][(placed["job"] == number) & (placed["begin_us"] == start)].tolist()))
    needed = least_size(job) if facts.resizes_at_start else job["size"]
    steps = steps_of(held, submit, start)
    capacity = np.array([sizes[lane % len(sizes)] for lane in steps.lanes], dtype=np.int64)[:, None]
    fits, opens = fits_of(facts, steps, sizes, capacity, needed)
    told = not facts.in_several_slots
    common = facts_of(schedule, job, jobs)
    since = start - slice_at(facts, level_at(part.levels, start - 1))
    ended = jobs["job"][(jobs["finish_us"] > since) & (jobs["finish_us"] <= start)].tolist()
    there = (held["begin_us"] <= start) & (held["end_us"] > start) & np.isin(held["lane"], own_lanes)
    left = set(held["job"][held["end_us"] == start].tolist()) - set(held["job"][held["begin_us"] == start].tolist())
    later = every["job"][every["begin_us"] > start] if left and facts.suspends else every["job"][:0]
    return GangExplanation(
        **{**common, "ended": ended, "processors": max(sizes) if several else schedule.machine.processors},
        **(fitting(steps.at, steps.until, fits) if told else {}),
        **tried(history.workload, schedule, job, alternatives),
        causes=causes_of(steps_of_wait(facts, job, jobs, steps, fits, part.queue)),
        cluster=job["cluster"] if several else None,
        unit="part" if facts.partitions is not None and facts.partitions.one_job else "slot",
        most_slots=len(sizes) if facts.partitions is not None and facts.partitions.one_job else facts.most_slots,
        could_open=bool(opens.any()),
        needed=needed,
        got=job["processors"],
        resizes=facts.resizes_running,
        by_memory=facts.packs_by_memory,
        slots_at_submission=slots_at(held, sizes, submit),
        slots_at_start=slots_at(placed, sizes, start),
        slots=own_lanes,
        beside=sorted(set(held["job"][there].tolist())),
        rooms=rooms_of(steps.lanes, capacity - steps.used, steps.until - steps.at),
        told_room=told,
        overtakings=overtakings_of(part, job, common["overtook"]),
        suspended=sorted(left & set(later.tolist())),
        slice_us=facts.slice_us * (facts.cycle_slots or 1),
    )


def lanes_of(facts: GangFacts, machine: int, cluster: int) -> list[int]:
    """Return the processors of each part of one job; without such parts one number, the processors of every slot."""
    if facts.partitions is None:
        return [machine]
    cut = halved_parts if facts.partitions.halves else equal_parts
    parts = cut(machine, facts.partitions.count)
    return parts if facts.partitions.one_job else [parts[cluster]]


def in_lanes(allocations: pl.DataFrame, sizes: list[int]) -> pl.DataFrame:
    """Return allocations with the slot, or the part of the machine, that each is in, as ``lane``."""
    if len(sizes) == 1:
        return allocations.with_columns(lane=pl.col("slot").cast(pl.Int64))
    first = allocations["processor_ids"].list.min().to_numpy()
    part = np.searchsorted(np.cumsum(sizes), first, side="right")
    return allocations.with_columns(lane=pl.Series(part, dtype=pl.Int64))


def fits_of(
    facts: GangFacts, steps: Steps, sizes: list[int], capacity: np.ndarray, needed: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return, step by step, whether a job would have fitted, and whether a further slot was possible."""
    none = np.zeros(len(steps.at), dtype=bool)
    if facts.partitions is not None and facts.partitions.one_job:
        empty = np.array([steps.of_lane(part) == 0 for part, size in enumerate(sizes) if size >= needed])
        return empty.any(axis=0) | none, none
    opens = none
    if facts.most_slots != 1:
        in_use = (steps.used > 0).sum(axis=0)
        opens = ~none if facts.most_slots is None else in_use < facts.most_slots
    fits = (capacity - steps.used >= needed).any(axis=0)
    return fits | opens | (not steps.lanes), opens


def least_size(job: dict[str, Any]) -> int:
    """Return the least size with which a job may start, as the family's page says."""
    if (job.get("flexibility") or "rigid") == "rigid":
        return int(job["size"])
    stated = job.get("size_min")
    return int(max(1, job["size"] // 2) if stated is None else stated)


def slots_at(placed: dict[str, np.ndarray], sizes: list[int], now: int) -> list[Slot]:
    """Return the slots in use at an instant, by number."""
    there = np.flatnonzero((placed["begin_us"] <= now) & (placed["end_us"] > now))
    jobs: dict[int, list[int]] = {}
    used: Counter[int] = Counter()
    for lane, job, processors in zip(
        *(placed[name][there].tolist() for name in ("lane", "job", "processors")), strict=True
    ):
        jobs.setdefault(lane, []).append(job)
        used[lane] += processors
    return [Slot(lane, sorted(jobs[lane]), sizes[lane % len(sizes)] - used[lane]) for lane in sorted(jobs)]


def rooms_of(lanes: list[int], free: np.ndarray, length: np.ndarray) -> list[Room]:
    """Return how full each slot was over steps of some length."""
    if not len(length):
        return []
    return [
        Room(lane, int(row.max()), float((row * length).sum() / length.sum()))
        for lane, row in zip(lanes, free, strict=True)
    ]


def overtakings_of(part: Part, job: dict[str, Any], overtook: list[int]) -> list[Placing]:
    """Return the starts of the jobs that overtook one, in their order."""
    if not overtook:
        return []
    queue, values, every = part.queue, part.queue.values, part.arrays
    rows = {number: (int(part.places[number]), int(queue.start[part.places[number]])) for number in overtook}
    lanes: dict[int, set[int]] = {}
    own = np.flatnonzero(np.isin(every["job"], overtook))
    for number, begin, lane in zip(*(every[name][own].tolist() for name in ("job", "begin_us", "lane")), strict=True):
        if begin == rows[number][1]:
            lanes.setdefault(number, set()).add(lane)
    found = []
    for number in overtook:
        (place, now), rule = rows[number], ""
        if values.get("queue") == "fcfs":
            rule = "backfilling"
        elif values.get("queue") == "priority":
            own, other = queue.priorities(np.array([job["place"], place]), now)
            rule = "priority" if other > own else "backfilling"
        found.append(Placing(number, now, sorted(lanes[number]), rule))
    return found
