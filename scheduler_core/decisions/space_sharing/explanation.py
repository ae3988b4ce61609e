"""Why a job of space sharing started when it did: from its schedule, and by running the policy again on changed jobs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from scheduler_core.contracts.companions import CLOSED_TO, OUT_OF_USE_COLUMNS, is_closed_to, merged_periods
from scheduler_core.decisions.alternatives import changed, known_at
from scheduler_core.decisions.causes import causes_of
from scheduler_core.decisions.space_sharing.causes import steps_of_wait
from scheduler_core.decisions.space_sharing.ceilings import ceilings_of, held_by_ceiling, knows_users, words_of_ceilings
from scheduler_core.decisions.space_sharing.explained import Held, Overtaking, Share, SpaceSharingExplanation
from scheduler_core.decisions.space_sharing.passes import Reason, Scene, held_from
from scheduler_core.decisions.space_sharing.usage import has_fair_share
from scheduler_core.decisions.waits import facts_of, fitting, met_by, steps_of
from scheduler_core.decisions.words import SHOWN

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scheduler_core.contracts import Schedule, Workload
    from scheduler_core.decisions.explained import Explanation
    from scheduler_core.decisions.history import History
    from scheduler_core.declarations.policy import Policy

MOST = 200
"""The most overtaking jobs whose rules are found."""


def runs_again(history: History) -> bool:
    """Return whether the policy can run on the workload; one with rules for users cannot without them."""
    policy = history.policy
    return knows_users(history.workload) or (ceilings_of(policy) is None and not has_fair_share(policy))


def scene_of(history: History) -> Scene:
    """Return the schedule as its passes saw it."""
    return Scene(history.schedule, history.policy, history.workload if history.once(runs_again) else None)


def explanation_of(history: History, job: dict[str, Any], *, alternatives: bool) -> Explanation:
    """Return why a job started when it did; ``job`` is its row (:func:`~scheduler_core.decisions.waits.row_of`)."""
    workload, schedule, policy = history.workload, history.schedule, history.policy
    processors, others = schedule.machine.processors, met_by(history, job)
    submit, start = job["submit_us"], job["start_us"]
    facts = facts_of(schedule, job, others)
    out = out_of_use_within(workload, submit, start)
    unusable = np.array(out, dtype=np.int64).reshape(-1, len(OUT_OF_USE_COLUMNS)).T
    begins, ends, sizes = (
        np.concatenate([others[name], more])
        for name, more in zip(("start_us", "finish_us", "processors"), unusable, strict=True)
    )
    held = {"begin_us": begins, "end_us": ends, "processors": sizes, "lane": np.zeros(len(begins), dtype=np.int64)}
    steps = steps_of(held, submit, start)
    scene, still = history.once(scene_of), standstills_within(workload, submit, start)
    closed = closed_within(workload, job["job"], submit, start)
    ceilings, runs = scene.ceilings, history.once(runs_again)
    by_ceiling = None if ceilings is None or not runs else held_by_ceiling(workload, schedule, ceilings, job)
    again = changed(workload, schedule, job) if alternatives and runs and start > submit else {"alternatives": []}
    return SpaceSharingExplanation(
        **facts,
        **fitting(steps.at, steps.until, processors - steps.of_lane(0) >= job["size"]),
        free_at_submission=processors - int(sizes[(begins <= submit) & (ends > submit)].sum()),
        free_at_start=processors - int(sizes[(begins < start) & (ends > start)].sum()),
        **again,
        ceilings="" if ceilings is None else words_of_ceilings(ceilings),
        ceiling_held_us=None if by_ceiling is None else sum(end - begin for begin, end in by_ceiling),
        causes=causes_of(steps_of_wait(scene, policy, job["job"], steps, still, closed, by_ceiling)),
        standstills=still,
        closed=closed,
        out_of_use=out,
        credit_us=job.get("credit_us", 0),
        shares=shares_of(scene, job["job"], (submit, start)),
        **rules_of(workload, schedule, policy, scene, job, facts["overtook"], runs=runs, again=alternatives),
    )


def rules_of(
    workload: Workload,
    schedule: Schedule,
    policy: Policy,
    scene: Scene,
    job: dict[str, Any],
    overtook: list[int],
    *,
    runs: bool,
    again: bool,
) -> dict[str, Any]:
    """Return what the policy's rules did in the wait of a job: overtakings and reservations.

    ``runs`` says whether the policy can run on the workload. The plan of conservative backfilling follows from all earlier
    passes: its reservations are found only if the policy may run ``again``.
    """
    submit, start = job["submit_us"], job["start_us"]
    conservative = scene.words.get("backfill") == "conservative" and not scene.holds_jobs and runs
    retold = scene.retold and not scene.holds_jobs and runs
    held: list[Held] = []
    own: Overtaking | None = None
    reasons: dict[int, Reason] = {}
    if conservative and start > submit:
        if again:
            first = promised(workload, schedule, policy, job["job"], submit)
            held = [Held(submit, start, first, start)]
        for number in overtook[:SHOWN]:
            at = promised(workload, schedule, policy, job["job"], scene.start_of(number)) if again else None
            reasons[number] = Reason("plan", job["job"], at)
        own = overtaking_of(scene, job["job"], Reason("reserved"))
    elif retold:
        shown = overtook[: MOST if scene.holders < 2 else SHOWN]
        made = {at: scene.pass_at(at).starts for at in {start, *(scene.start_of(number) for number in shown)}}
        every = {number: made[scene.start_of(number)].get(number) for number in shown}
        reasons = {number: reason for number, reason in every.items() if reason}
        if reason := made[start].get(job["job"]):
            own = overtaking_of(scene, job["job"], reason)
        still = dict(standstills_within(workload, submit, start))
        for first, last in held_from(scene, job["job"], still) if scene.holders else ():
            times = [scene.pass_at(at).reservations.get(job["job"], at) for at in (first, last)]
            held.append(Held(first, last, *times))
    return {
        "order": "credited" if scene.order == "fcfs" and scene.credit.any() else scene.order,
        "retold": conservative or retold,
        "overtakings": [overtaking_of(scene, number, reason, job["job"]) for number, reason in reasons.items()],
        "own": own,
        "held": held,
    }


def overtaking_of(scene: Scene, number: int, reason: Reason, over: int | None = None) -> Overtaking:
    """Return the overtaking of a job by its number; ``over`` is the number of the job that it overtook."""
    row = scene.row(number)
    begin = int(scene.start[row])
    shares = None
    if over is not None and scene.usage is not None and scene.order == "fair_share":
        own, other = scene.usage.shares(np.array([row, scene.row(over)]), begin)
        shares = float(own), float(other)
    return Overtaking(number, begin, begin + int(scene.tested[row]), int(scene.size[row]), reason, shares)


def shares_of(scene: Scene, number: int, times: Iterable[int]) -> list[Share]:
    """Return the share of the recent usage that the user of a job has at some times; empty if no order is fair share."""
    if scene.usage is None or scene.order != "fair_share":
        return []
    row = np.array([scene.row(number)])
    return [Share(at, float(scene.usage.shares(row, at)[0]), int(scene.usage.later(row, at)[0])) for at in times]


def standstills_within(workload: Workload, submit: int, start: int) -> list[tuple[int, int]]:
    """Return begin and end of each standstill of a workload that lasted during a wait."""
    table = workload.companions.get("standstills")
    rows = [] if table is None else table.select("begin_us", "end_us").rows()
    return [(begin, end) for begin, end in rows if begin < start and end > submit]


def closed_within(workload: Workload, job: int, submit: int, start: int) -> list[tuple[int, int]]:
    """Return begin and end of each period of its wait in which hours were closed to a job."""
    table = workload.companions.get("closed_hours")
    if table is None or table.is_empty():
        return []
    lasted = table.filter(pl.col("begin_us") < start, pl.col("end_us") > submit)
    own = workload.jobs.filter(pl.col("job") == job)
    held = [
        periods
        for key, periods in lasted.group_by(*CLOSED_TO, maintain_order=True)
        if own.select(is_closed_to(*key)).item()
    ]
    return merged_periods(pl.concat([lasted.clear(), *held]).select("begin_us", "end_us")).rows()


def out_of_use_within(workload: Workload, submit: int, start: int) -> list[tuple[int, int, int]]:
    """Return begin and end of each period of a wait in which processors were out of use, and how many."""
    table = workload.companions.get("out_of_use")
    if table is None:
        return []
    return table.filter(pl.col("begin_us") < start, pl.col("end_us") > submit).select(*OUT_OF_USE_COLUMNS).rows()


def promised(workload: Workload, schedule: Schedule, policy: Policy, number: int, now: int) -> int:
    """Return the begin of a job's reservation in the plan of conservative backfilling at an instant.

    Reservations move only when jobs end early. So it is the start of the job if no further job is submitted, and all jobs that
    run or wait take as long as the plan counts on.
    """
    again = known_at(workload, schedule, policy, now).jobs
    return int(again.filter(pl.col("job") == number)["start_us"][0])
