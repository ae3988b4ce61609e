"""Which rule of gang scheduling kept a job from starting, for every part of its wait."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from scheduler_core.decisions.causes import ROOM, UNTOLD, Step, pieces
from scheduler_core.decisions.gang.slices import Queue

if TYPE_CHECKING:
    from scheduler_core.decisions.waits import Steps
    from scheduler_core.gang.facts import GangFacts

NO_JOB_PASSES = {"none": "head", "head": "delay_head", "all": "delay_any"}
"""The rule by which a job behind the head waits, by ``backfill``."""


def steps_of_wait(
    facts: GangFacts, job: dict[str, Any], others: Mapping[str, np.ndarray], room: Steps, fits: np.ndarray, queue: Queue
) -> Iterator[Step]:
    """Yield the wait of a job in steps, each with the rule that kept it from starting.

    Parameters
    ----------
    others
        The other jobs of the machine, or of its part.
    room, fits
        The steps of the wait, and in which of them the job had room.
    queue
        The queue of all jobs.
    """
    submit, start, joined = job["submit_us"], job["start_us"], int(queue.joined[job["place"]])
    if facts.in_several_slots:
        first = min(start, joined)
        yield Step(submit, first, "slice")
        yield Step(first, start, "copies")
        return
    places = others["place"].astype(np.int64)
    joins = queue.joined[places[(queue.submit[places] >= submit) & (queue.submit[places] < start)]]
    places = places[(queue.submit[places] < start) & (queue.start[places] > submit)]
    for low, high in pieces(room.at, submit, start):
        if not fits[np.searchsorted(room.at, low, side="right") - 1]:
            yield Step(low, high, ROOM)
            joined = int(queue.boundaries.after(np.array(high)))
            continue
        for begin, end in pieces(joins, low, high):
            acted = min(max(begin, joined), end)
            yield Step(begin, acted, "slice")
            if acted < end:
                yield Step(acted, end, *rule_at(facts, job, places, acted, queue))


def rule_at(
    facts: GangFacts, job: dict[str, Any], others: np.ndarray, now: int, queue: Queue
) -> tuple[str, int | None]:
    """Return the rule by which a job with room is not placed in the pass at an instant, and the head of the queue."""
    values = queue.values
    if facts.suspends:
        return "queue", None
    if values.get("backfill") == "greedy":
        return packing_rule(values, facts), None
    ahead, head = queue.ahead(job["place"], others, now)
    rule = NO_JOB_PASSES[values.get("backfill", "none")]
    if not ahead:
        return packing_rule(values, facts), None
    if rule == "delay_any" and values["backfill_depth"] != "all" and ahead >= values["backfill_depth"]:
        return "depth", None
    adapts = facts.resizes_at_start and (job.get("flexibility") or "rigid") != "rigid" and rule != "head"
    return ("size_or_delay" if adapts else rule), int(queue.jobs["job"][head])


def packing_rule(values: dict[str, Any], facts: GangFacts) -> str:
    """Return the rule by which a job is not placed although processors are free in a slot and no job stands before it."""
    if values.get("packing") == "one_job":
        return "one_job"
    return "memory" if facts.packs_by_memory else "size" if facts.resizes_at_start else UNTOLD
