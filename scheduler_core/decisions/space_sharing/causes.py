"""Which rule of a policy of space sharing kept a job from starting, for every part of its wait."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from scheduler_core.decisions.causes import ROOM, UNTOLD, Step, pieces, within
from scheduler_core.decisions.space_sharing.ceilings import ceilings_of
from scheduler_core.decisions.space_sharing.usage import has_fair_share

if TYPE_CHECKING:
    from scheduler_core.decisions.space_sharing.passes import Scene
    from scheduler_core.decisions.waits import Steps
    from scheduler_core.declarations.policy import Policy


def steps_of_wait(
    scene: Scene,
    policy: Policy,
    job: int,
    room: Steps,
    still: Sequence[tuple[int, int]],
    closed: Sequence[tuple[int, int]],
    ceiling: Sequence[tuple[int, int]] | None,
) -> Iterator[Step]:
    """Yield the wait of a job in steps, each with the rule that kept it from starting.

    Parameters
    ----------
    room
        The processors that other jobs held during the wait.
    still, closed, ceiling
        Stretches in which the machine stood still, in which the queue of the job was closed, and in which a ceiling of its user
        held the job; None if its user is unknown.
    """
    own = scene.row(job)
    submit, start, size = int(scene.submit[own]), int(scene.start[own]), int(scene.size[own])
    edges = [room.at, scene.submit, *np.array([*still, *closed, *(ceiling or [])], dtype=np.int64).reshape(-1, 2)]
    unknown = (ceiling is None and ceilings_of(policy)) or (scene.usage is None and has_fair_share(policy))
    fits = scene.processors - room.of_lane(0) >= size
    for begin, end in pieces(np.concatenate(edges), submit, start):
        if not fits[np.searchsorted(room.at, begin, side="right") - 1]:
            yield Step(begin, end, ROOM)
        elif within(begin, still):
            yield Step(begin, end, "standstill")
        elif within(begin, closed):
            yield Step(begin, end, "closed")
        elif unknown:
            yield Step(begin, end, "unknown_user")
        elif within(begin, ceiling or []):
            yield Step(begin, end, "ceiling")
        else:
            yield Step(begin, end, *rule_at(scene, policy, own, begin))


def rule_at(scene: Scene, policy: Policy, own: int, now: int) -> tuple[str, int | None]:
    """Return the rule by which a job with room does not start in the pass at an instant, and the job that the rule protects."""
    backfill = scene.words.get("backfill", "none")
    if policy.name == "own":
        return "own", None
    if backfill == "conservative":
        return "plan", None
    queue = scene.queue(now)
    first = int(np.argmax(scene.start[queue] > now))  # those before it start in this pass
    # A held job is passed over, so the first of the queue need not be the head.
    head = None if scene.holds_jobs else int(scene.job[queue[first]])
    if backfill == "none":
        return (UNTOLD, None) if queue[first] == own else ("head", head)
    last = first + 1 if scene.holders == 1 else scene.holders
    if own in queue[:last]:
        return ("plan" if scene.holders > 1 else UNTOLD), None
    return ("reservation" if own in scene.candidates(queue[last:], now) else "candidates"), head
