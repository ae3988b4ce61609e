"""Why a job of a preemptive policy started when it did, and why it was suspended: from its schedule alone.

Such a policy is a function of the user, and nothing says by which rule it chooses. So an explanation says what happened.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from scheduler_core.decisions.alternatives import tried
from scheduler_core.decisions.causes import ROOM, Step, causes_of, pieces, within
from scheduler_core.decisions.preemptive.explained import PreemptiveExplanation, Suspension
from scheduler_core.decisions.space_sharing.explanation import standstills_within
from scheduler_core.decisions.waits import Steps, facts_of, fitting, others_of, steps_of

if TYPE_CHECKING:
    from scheduler_core.decisions.history import History

EARLIER, LATER = 0, 1
"""Lanes of the processors that jobs hold: jobs submitted earlier than the explained one, and later."""


def held_of(history: History) -> pl.DataFrame:
    """Return all allocations, with whether each ``starts`` its job, and whether it ``ends`` it, else it suspends it."""
    rows = history.schedule.allocations.select("job", "begin_us", "end_us", "processors", "processor_ids")
    begin, end = pl.col("begin_us"), pl.col("end_us")
    return rows.sort("begin_us", "job").with_columns(
        starts=begin == begin.min().over("job"), ends=end == end.max().over("job")
    )


def explanation_of(history: History, job: dict[str, Any], *, alternatives: bool) -> PreemptiveExplanation:
    """Return why a job started when it did; ``job`` is its row (:func:`~scheduler_core.decisions.waits.row_of`)."""
    schedule, submit, start, size = history.schedule, job["submit_us"], job["start_us"], job["size"]
    others, own = others_of(history, job), history.once(held_of).filter(pl.col("job") == job["job"])
    before = others.select("job", lane=pl.when("before").then(EARLIER).otherwise(LATER))
    held = history.once(held_of).join(before, on="job", maintain_order="left")
    processors, last = schedule.machine.processors, own["begin_us"][-1]
    steps = steps_of(held, submit, last)
    free = processors - steps.of_lane(EARLIER) - steps.of_lane(LATER)
    waits = steps.at < start
    still = standstills_within(history.workload, submit, start)
    facts = {**facts_of(schedule, job, others), **seen_at(submit, others, held, processors)}
    at_start = held.filter(pl.col("begin_us") < start, pl.col("end_us") > start)
    gave_way = held.filter(pl.col("end_us") == start, ~pl.col("ends"))
    return PreemptiveExplanation(
        **facts,
        **fitting(steps.at[waits], steps.until[waits].clip(max=start), free[waits] >= size),
        **tried(history.workload, schedule, job, alternatives),
        causes=causes_of(steps_of_wait(steps, free, size, (submit, start), still)),
        gave_way=gave_way["job"].to_list(),
        free_at_start=processors - int(at_start["processors"].sum()),
        places=places_of(own, 0),
        sizes=sizes_of(own),
        standstills=still,
        suspensions=[
            suspension_of(held, own, place, room_between(steps, free >= size, own["end_us"][place], begin))
            for place, begin in enumerate(own["begin_us"][1:])
        ],
    )


def seen_at(now: int, others: pl.DataFrame, held: pl.DataFrame, processors: int) -> dict[str, Any]:
    """Return what a policy sees at an instant: the jobs that run, are suspended, and have not started, and what is free.

    The jobs that end then have ended; those that are started and suspended then have not been.
    """
    going = held.filter(
        pl.col("begin_us") < now, (pl.col("end_us") > now) | ((pl.col("end_us") == now) & ~pl.col("ends"))
    )
    running, begun = pl.col("job").is_in(going["job"].implode()), pl.col("start_us") < now
    waiting = others.filter("before", ~begun)
    return {
        "running": others.filter(running)["job"].to_list(),
        "suspended": others.filter(begun, pl.col("finish_us") > now, ~running)["job"].to_list(),
        "ahead": waiting["job"].to_list(),
        "ahead_size": int(waiting["size"].sum()),
        "free_at_submission": processors - int(going["processors"].sum()),
    }


def steps_of_wait(
    steps: Steps, free: np.ndarray, size: int, wait: tuple[int, int], still: Sequence[tuple[int, int]]
) -> Iterator[Step]:
    """Yield the wait of a job in steps: who held the processors, and, where it had room, why it did not start."""
    later = steps.of_lane(LATER)
    edges = np.concatenate([steps.at, np.array(still, dtype=np.int64).ravel()])
    for begin, end in pieces(edges, *wait):
        at = np.searchsorted(steps.at, begin, side="right") - 1
        if free[at] >= size:
            yield Step(begin, end, "standstill" if within(begin, still) else "own")
        else:
            yield Step(begin, end, "later" if free[at] + later[at] >= size else ROOM)


def room_between(steps: Steps, fits: np.ndarray, begin: int, end: int) -> int:
    """Return for how long a job fits between two instants."""
    length = steps.until.clip(begin, end) - steps.at.clip(begin, end)
    return int(length[fits].sum())


def suspension_of(held: pl.DataFrame, own: pl.DataFrame, place: int, fitting_us: int) -> Suspension:
    """Return the suspension behind an allocation of a job; ``held`` are the allocations of all others."""
    begin, end = own["end_us"][place], own["begin_us"][place + 1]
    meanwhile = held.filter(pl.col("begin_us") < end, pl.col("end_us") > begin)
    length = pl.min_horizontal("end_us", pl.lit(end)) - pl.max_horizontal("begin_us", pl.lit(begin))
    ran = meanwhile.group_by("job", "lane", maintain_order=True).agg(area=(length * pl.col("processors")).sum())
    ran = ran.sort("area", descending=True, maintain_order=True)
    beginning, stopping = held.filter(pl.col("begin_us") == begin), held.filter(pl.col("end_us") == end)
    before = places_of(own, place)
    return Suspension(
        begin_us=begin,
        end_us=end,
        started=beginning.filter("starts")["job"].to_list(),
        resumed=beginning.filter(~pl.col("starts"))["job"].to_list(),
        took=None if before is None else next_on(meanwhile.filter(pl.col("begin_us") >= begin), before),
        ran=ran["job"].to_list(),
        later=ran.filter(pl.col("lane") == LATER)["job"].to_list(),
        fitting_us=fitting_us,
        ended=stopping.filter("ends")["job"].to_list(),
        gave_way=stopping.filter(~pl.col("ends"))["job"].to_list(),
        before=before,
        after=places_of(own, place + 1),
    )


def places_of(own: pl.DataFrame, place: int) -> list[int] | None:
    """Return the processors of an allocation, by number; None if the policy only counts them."""
    numbers = own["processor_ids"][place]
    return None if numbers is None else sorted(numbers)


def sizes_of(own: pl.DataFrame) -> list[int]:
    """Return the sizes of a job's allocations, each where it differs from the one before."""
    sizes = own["processors"].to_list()
    return [size for place, size in enumerate(sizes) if place == 0 or size != sizes[place - 1]]


def next_on(meanwhile: pl.DataFrame, places: list[int]) -> list[int]:
    """Return the jobs that were the first on some processors; ``meanwhile`` is in the order of begins."""
    each = (
        meanwhile.select("job", "processor_ids").explode("processor_ids").filter(pl.col("processor_ids").is_in(places))
    )
    first = each.unique("processor_ids", keep="first", maintain_order=True)
    return first["job"].unique(maintain_order=True).to_list()
