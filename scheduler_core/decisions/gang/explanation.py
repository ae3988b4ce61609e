"""Why a job under gang scheduling started when it did: from its schedule, slot by slot."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np
import polars as pl

from scheduler_core.decisions.alternatives import tried
from scheduler_core.decisions.causes import causes_of
from scheduler_core.decisions.gang.causes import steps_of_wait
from scheduler_core.decisions.gang.explained import GangExplanation, Placing, Room, Slot
from scheduler_core.decisions.gang.slices import Boundaries, level_at, priority_at, slice_at
from scheduler_core.decisions.waits import Steps, facts_of, fitting, others_of, steps_of
from scheduler_core.declarations.policy import rebuild
from scheduler_core.gang.policy import equal_parts, halved_parts

if TYPE_CHECKING:
    from scheduler_core.contracts import Schedule, Workload
    from scheduler_core.gang.facts import GangFacts
    from scheduler_core.gang.policy import GangPolicy


def explanation_of(
    workload: Workload, schedule: Schedule, job: dict[str, Any], *, alternatives: bool
) -> GangExplanation:
    """Return why a job started when it did; ``job`` is its row (:func:`~scheduler_core.decisions.waits.row_of`)."""
    submit, start, number = job["submit_us"], job["start_us"], job["job"]
    policy = cast("GangPolicy", rebuild(schedule.run["policy"]))
    facts: GangFacts = policy.facts()
    several = facts.partitions is not None and not facts.partitions.one_job
    here = pl.col("cluster") == job["cluster"]
    jobs = others_of(schedule, job).filter(here)
    sizes = lanes_of(facts, schedule.machine.processors, job["cluster"])
    placed = in_lanes(schedule.allocations.filter(here), facts, sizes)
    held = placed.filter(pl.col("job") != number)
    own = placed.filter(pl.col("job") == number, pl.col("begin_us") == start)
    needed = least_size(job) if facts.resizes_at_start else job["size"]
    steps = steps_of(held, submit, start)
    capacity = np.array([sizes[lane % len(sizes)] for lane in steps.lanes], dtype=np.int64)[:, None]
    fits, opens = fits_of(facts, steps, sizes, capacity, needed)
    told = not facts.in_several_slots
    common = facts_of(schedule, job, jobs)
    levels = schedule.tables["levels"].filter(here)
    since = start - slice_at(facts, level_at(levels, start - 1))
    ended = jobs.filter((pl.col("finish_us") > since) & (pl.col("finish_us") <= start))["job"].to_list()
    beside = held.filter(
        pl.col("begin_us") <= start, pl.col("end_us") > start, pl.col("lane").is_in(own["lane"].to_list())
    )
    left = held.filter(pl.col("end_us") == start)["job"]
    goes_on = held.filter((pl.col("begin_us") > start) & pl.col("job").is_in(left.to_list()))["job"].unique()
    still = held.filter(pl.col("begin_us") == start)["job"]
    return GangExplanation(
        **{**common, "ended": ended, "processors": max(sizes) if several else schedule.machine.processors},
        **(fitting(steps.at, steps.until, fits) if told else {}),
        **tried(workload, schedule, job, alternatives),
        causes=causes_of(steps_of_wait(policy, job, jobs, steps, fits, Boundaries(facts, levels))),
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
        slots=own["lane"].unique().sort().to_list(),
        beside=beside["job"].unique().sort().to_list(),
        rooms=rooms_of(steps.lanes, capacity - steps.used, steps.until - steps.at),
        told_room=told,
        overtakings=overtakings_of(schedule, policy, job, placed, common["overtook"]),
        suspended=goes_on.filter(~goes_on.is_in(still.to_list())).sort().to_list() if facts.suspends else [],
        slice_us=facts.slice_us * (facts.cycle_slots or 1),
    )


def lanes_of(facts: GangFacts, machine: int, cluster: int) -> list[int]:
    """Return the processors of each part of one job; without such parts one number, the processors of every slot."""
    if facts.partitions is None:
        return [machine]
    cut = halved_parts if facts.partitions.halves else equal_parts
    parts = cut(machine, facts.partitions.count)
    return parts if facts.partitions.one_job else [parts[cluster]]


def in_lanes(allocations: pl.DataFrame, facts: GangFacts, sizes: list[int]) -> pl.DataFrame:
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


def slots_at(placed: pl.DataFrame, sizes: list[int], now: int) -> list[Slot]:
    """Return the slots in use at an instant, by number."""
    there = placed.filter((pl.col("begin_us") <= now) & (pl.col("end_us") > now))
    by_lane = there.group_by("lane").agg("job", used=pl.col("processors").sum()).sort("lane")
    return [Slot(lane, sorted(jobs), sizes[lane % len(sizes)] - used) for lane, jobs, used in by_lane.iter_rows()]


def rooms_of(lanes: list[int], free: np.ndarray, length: np.ndarray) -> list[Room]:
    """Return how full each slot was over steps of some length."""
    if not len(length):
        return []
    return [
        Room(lane, int(row.max()), float((row * length).sum() / length.sum()))
        for lane, row in zip(lanes, free, strict=True)
    ]


def overtakings_of(
    schedule: Schedule, policy: GangPolicy, job: dict[str, Any], placed: pl.DataFrame, overtook: list[int]
) -> list[Placing]:
    """Return the starts of the jobs that overtook one, in their order."""
    values = policy.values()
    jobs = schedule.jobs.filter(pl.col("job").is_in([job["job"], *overtook]))
    rows = {row["job"]: row for row in jobs.to_dicts()}
    lanes = dict(
        placed.filter(pl.col("job").is_in(overtook))
        .join(jobs.select("job", begin_us="start_us"), on=["job", "begin_us"], how="semi")
        .group_by("job")
        .agg(pl.col("lane").unique().sort())
        .iter_rows()
    )
    found = []
    for number in overtook:
        now, rule = rows[number]["start_us"], ""
        if values.get("queue") == "fcfs":
            rule = "backfilling"
        elif values.get("queue") == "priority":
            own, other = (priority_at(rows[one], values, now) for one in (job["job"], number))
            rule = "priority" if other > own else "backfilling"
        found.append(Placing(number, now, lanes[number], rule))
    return found
