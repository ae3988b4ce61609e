"""Which rule of a policy of space sharing kept a job from starting, for every part of its wait."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from typing import TYPE_CHECKING

import numpy as np

from scheduler_core.decisions.causes import ROOM, UNTOLD, Step, runs_of, within
from scheduler_core.decisions.space_sharing.passes import holds_at
from scheduler_core.declarations.policy import OWN

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
        Stretches in which the machine stood still, in which hours were closed to the job, and in which a ceiling of its user
        held the job; None if its user is unknown.
    """
    own = scene.row(job)
    submit, start, size = int(scene.submit[own]), int(scene.start[own]), int(scene.size[own])
    kept = np.array([*still, *closed, *(ceiling or [])], dtype=np.int64).reshape(-1, 2)
    unknown = bool(ceiling is None and scene.ceilings) or (scene.usage is None and scene.fair_share)
    submits = scene.submit[(scene.submit > submit) & (scene.submit < start)]
    edges = np.unique(np.concatenate([room.at, submits, kept.ravel(), [submit, start]]))
    edges = edges[(edges >= submit) & (edges <= start)]
    at = np.searchsorted(room.at, edges[:-1], side="right") - 1
    fits = (scene.processors - room.of_lane(0) >= size)[at]
    ruled = np.full(len(fits), unknown) | ((edges[:-1, None] >= kept[:, 0]) & (edges[:-1, None] < kept[:, 1])).any(
        axis=1
    )
    for first, last in runs_of(np.where(fits, ruled, 2)):
        if not fits[first]:
            yield Step(int(edges[first]), int(edges[last]), ROOM)
        elif not ruled[first]:
            yield from steps_with_room(scene, policy, own, edges[first : last + 1].tolist())
        else:
            for begin, end in pairwise(edges[first : last + 1].tolist()):
                if within(begin, still):
                    yield Step(begin, end, "standstill")
                elif within(begin, closed):
                    yield Step(begin, end, "closed")
                else:
                    yield Step(begin, end, "unknown_user" if unknown else "ceiling")


def steps_with_room(scene: Scene, policy: Policy, own: int, edges: list[int]) -> Iterator[Step]:
    """Yield the steps between edges in which a job has room and only the rules of the pass keep it from starting."""
    of_all = scene.words.get("candidates", "all") == "all"
    # Without a limit on candidates the rule depends on the first of the queue alone.
    by_first = scene.holders < 2 and of_all and policy.name != OWN and scene.words.get("backfill") != "conservative"
    marks = [scene.first(now) if by_first else rule_at(scene, policy, own, now) for now in edges[:-1]]
    begin = 0
    for _, same in groupby(marks):
        end = begin + len(list(same))
        yield Step(edges[begin], edges[end], *rule_at(scene, policy, own, edges[begin]))
        begin = end


def rule_at(scene: Scene, policy: Policy, own: int, now: int) -> tuple[str, int | None]:
    """Return the rule by which a job with room does not start in the pass at an instant, and the job that the rule protects."""
    backfill = scene.words.get("backfill", "none")
    if policy.name == OWN:
        return "own", None
    if backfill == "conservative":
        return "plan", None
    first = scene.first(now)
    # A held job is passed over, so the first of the queue need not be the head.
    head = None if scene.holds_jobs else int(scene.job[first])
    if backfill == "none":
        return (UNTOLD, None) if first == own else ("head", head)
    if holds_at(scene, own, now):
        return ("plan" if scene.holders > 1 else UNTOLD), None
    return ("reservation" if is_candidate(scene, own, now) else "candidates"), head


def is_candidate(scene: Scene, own: int, now: int) -> bool:
    """Return whether the pass at an instant looks at a job that is not among those with a reservation."""
    if scene.words.get("candidates", "all") == "all":
        return True
    queue = scene.queue(now)
    last = int(np.flatnonzero(queue == scene.first(now))[0]) + 1 if scene.holders == 1 else scene.holders
    return own in scene.candidates(queue[last:], now)
