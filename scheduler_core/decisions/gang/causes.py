"""Which rule of gang scheduling kept a job from starting, for every part of its wait."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from scheduler_core.decisions.causes import ROOM, UNTOLD, Step, pieces
from scheduler_core.decisions.gang.slices import Boundaries, priority_at

if TYPE_CHECKING:
    from scheduler_core.decisions.waits import Steps
    from scheduler_core.gang.facts import GangFacts
    from scheduler_core.gang.policy import GangPolicy

NO_JOB_PASSES = {"none": "head", "head": "delay_head", "all": "delay_any"}
"""The rule by which a job behind the head waits, by ``backfill``."""


def steps_of_wait(
    policy: GangPolicy, job: dict[str, Any], others: pl.DataFrame, room: Steps, fits: np.ndarray, boundaries: Boundaries
) -> Iterator[Step]:
    """Yield the wait of a job in steps, each with the rule that kept it from starting.

    Parameters
    ----------
    others
        The other jobs of the machine, or of its part.
    room, fits
        The steps of the wait, and in which of them the job had room.
    """
    submit, start, facts = job["submit_us"], job["start_us"], policy.facts()
    if facts.in_several_slots:
        first = min(start, boundaries.after(submit))
        yield Step(submit, first, "slice")
        yield Step(first, start, "copies")
        return
    since = submit
    joins = sorted({boundaries.after(one) for one in others["submit_us"].to_list() if submit <= one < start})
    for begin, end in pieces([*room.at, *joins], submit, start):
        if not fits[np.searchsorted(room.at, begin, side="right") - 1]:
            yield Step(begin, end, ROOM)
            since = end
            continue
        acted = min(max(begin, boundaries.after(since)), end)
        yield Step(begin, acted, "slice")
        if acted < end:
            yield Step(acted, end, *rule_at(policy, facts, job, others, acted, boundaries))


def rule_at(
    policy: GangPolicy, facts: GangFacts, job: dict[str, Any], others: pl.DataFrame, now: int, boundaries: Boundaries
) -> tuple[str, int | None]:
    """Return the rule by which a job with room is not placed in the pass at an instant, and the head of the queue."""
    values = policy.values()
    if facts.suspends:
        return "queue", None
    if values.get("backfill") == "greedy":
        return packing_rule(policy, facts), None
    waiting = others.filter((pl.col("submit_us") <= now) & (pl.col("start_us") > now)).to_dicts()
    queue = [job, *(one for one in waiting if boundaries.after(one["submit_us"]) <= now)]
    by_priority = values.get("queue") == "priority"
    queue.sort(key=lambda one: (-priority_at(one, values, now) if by_priority else 0, one["place"]))
    ahead, rule = queue.index(job), NO_JOB_PASSES[values.get("backfill", "none")]
    if not ahead:
        return packing_rule(policy, facts), None
    if rule == "delay_any" and values["backfill_depth"] != "all" and ahead >= values["backfill_depth"]:
        return "depth", None
    adapts = facts.resizes_at_start and (job.get("flexibility") or "rigid") != "rigid" and rule != "head"
    return ("size_or_delay" if adapts else rule), queue[0]["job"]


def packing_rule(policy: GangPolicy, facts: GangFacts) -> str:
    """Return the rule by which a job is not placed although processors are free in a slot and no job stands before it."""
    if policy.values().get("packing") == "one_job":
        return "one_job"
    return "memory" if facts.packs_by_memory else "size" if facts.resizes_at_start else UNTOLD
