"""The event loop of space sharing: one loop, of which every policy of the family is a parametrisation."""

from __future__ import annotations

import numpy as np

from scheduler_core.common.units import NEVER_US
from scheduler_core.kernel.jit import kernel, kernel_entry
from scheduler_core.kernel.profile import Profile, add, forget_before
from scheduler_core.kernel.queue import FIRST, LAST, Queue, drop_started
from scheduler_core.space_sharing.conservative_pass import plan_queue, start_due
from scheduler_core.space_sharing.easy_pass import HEAD, deep_pass, easy_pass, is_plain, look_at_arrival
from scheduler_core.space_sharing.held import may_start, next_release
from scheduler_core.space_sharing.orders import BY_KEY
from scheduler_core.space_sharing.queue_order import enqueue, put_in_order
from scheduler_core.space_sharing.state import (
    BATCH,
    BLOCKED,
    CONSERVATIVE,
    DUE,
    EASY,
    FREE,
    GIVEN,
    NEXT_JOB,
    NOW,
    PASSES,
    RUNNING,
    SKIP,
    SUBMISSIONS_FIRST,
    Cluster,
    Held,
    Jobs,
    Rules,
    complete_job,
    start_job,
)


@kernel_entry
def run_events(
    jobs: Jobs,
    cluster: Cluster,
    rules: Rules,
    queue: Queue,
    candidates: Queue,
    profile: Profile,
    reserved: np.ndarray,
    reservation: np.ndarray,
    counters: np.ndarray,
    until: int,
    held: Held | None,
) -> None:
    """Let everything happen that happens up to ``until``, that time included; the starts are left in ``cluster.start``.

    ``candidates`` is ``queue`` again, or the same jobs in the order of the backfill candidates. The loop goes on where it
    stopped: jobs may have been added behind the others since. ``cluster.clock[NEXT_JOB]`` counts the jobs submitted so far.
    ``held`` is None where no reservations are held from outside.
    """
    total = len(jobs.submit)
    clock = cluster.clock
    due = clock[DUE]
    next_job = clock[NEXT_JOB]
    while True:
        now = due
        if next_job < total:
            now = min(now, jobs.submit[next_job])
        if cluster.counts[RUNNING] > 0:
            now = min(now, cluster.end[0])
        now = min(now, next_release(cluster, held))
        if now > until:
            break
        clock[NOW] = now
        completed, arrived, early = take_events(now, next_job, jobs, cluster, rules, queue, candidates, profile)
        next_job += arrived
        counters[PASSES] += 1
        if rules.backfill == CONSERVATIVE:
            put_in_order(now, queue, rules.order, jobs, rules, cluster)
            forget_before(profile, now)
            compress = (early or clock[GIVEN] > 0) and rules.compression
            clock[GIVEN] = 0
            if arrived > 0 or compress:
                plan_queue(now, queue, jobs, profile, reserved, compress, counters)
            due = start_due(now, queue, jobs, cluster, rules, reserved)
        else:
            due = NEVER_US
            cluster.counts[BLOCKED] = 0
            if queue.bounds[FIRST] < queue.bounds[LAST]:
                make_pass(
                    now,
                    completed,
                    arrived,
                    next_job - 1,
                    queue,
                    candidates,
                    jobs,
                    cluster,
                    rules,
                    profile,
                    reservation,
                    counters,
                    held,
                )
        clock[NEXT_JOB] = next_job
    clock[DUE] = due


@kernel
def take_events(
    now: int,
    next_job: int,
    jobs: Jobs,
    cluster: Cluster,
    rules: Rules,
    queue: Queue,
    candidates: Queue,
    profile: Profile,
) -> tuple[int, int, bool]:
    """Take the events of an instant before the next pass: all of them in a batch, else one.

    Returns the completions and submissions taken, and whether a job has ended before the plan expected it to.
    """
    completed, arrived, early = 0, 0, False
    while True:
        arrival = next_job + arrived
        completion = cluster.counts[RUNNING] > 0 and cluster.end[0] == now
        submission = arrival < len(jobs.submit) and jobs.submit[arrival] == now
        if completion and not (submission and rules.instant == SUBMISSIONS_FIRST):
            job = complete_job(jobs, cluster, rules)
            completed += 1
            if rules.backfill == CONSERVATIVE and jobs.tested[job] > jobs.run[job]:
                add(profile, now, cluster.start[job] + jobs.tested[job], jobs.size[job])
                early = True
        elif submission:
            enqueue(queue, rules.order, arrival)
            if rules.own_candidates:
                enqueue(candidates, rules.backfill_order, arrival)
            arrived += 1
        else:
            break
        if rules.instant != BATCH:
            break
    return completed, arrived, early


@kernel
def make_pass(
    now: int,
    completed: int,
    arrived: int,
    newest: int,
    queue: Queue,
    candidates: Queue,
    jobs: Jobs,
    cluster: Cluster,
    rules: Rules,
    profile: Profile,
    reservation: np.ndarray,
    counters: np.ndarray,
    held: Held | None,
) -> None:
    """Make one pass without promises: in list order, or with EASY backfilling. ``newest`` arrived last."""
    if held is None and only_arrival_matters(completed, arrived, queue, rules, reservation):
        if cluster.counts[FREE] > 0 and look_at_arrival(now, newest, jobs, cluster, rules, reservation, counters):
            remove_started(1, queue, candidates, rules, cluster)
        return
    put_in_order(now, queue, rules.order, jobs, rules, cluster)
    before = cluster.counts[RUNNING]
    if rules.backfill != EASY:
        behind = list_pass(now, queue, jobs, cluster, rules, held)
    else:
        if rules.own_candidates:
            put_in_order(now, candidates, rules.backfill_order, jobs, rules, cluster)
        if rules.reservations == 1:
            behind = easy_pass(now, queue, candidates, jobs, cluster, rules, profile, reservation, counters, held)
        else:
            behind = deep_pass(now, queue, candidates, jobs, cluster, rules, profile, counters, held)
    if cluster.counts[RUNNING] > before:
        remove_started(behind, queue, candidates, rules, cluster)


@kernel
def only_arrival_matters(completed: int, arrived: int, queue: Queue, rules: Rules, reservation: np.ndarray) -> bool:
    """Say whether the pass comes down to the one job that has arrived.

    So it is with plain EASY when nothing has completed since the last pass and the same job holds the reservation: a
    candidate that was refused then is refused now, for the shadow time is the same, and less is free.
    """
    return (
        completed == 0
        and arrived == 1
        and rules.backfill == EASY
        and rules.reservations == 1
        and rules.order <= BY_KEY
        and reservation[HEAD] == queue.jobs[queue.bounds[FIRST]]
        and is_plain(rules)
    )


@kernel
def list_pass(now: int, queue: Queue, jobs: Jobs, cluster: Cluster, rules: Rules, held: Held | None) -> int:
    """Start jobs from the head while they fit; where the rules say so, go on behind one that does not.

    Returns the number of jobs started behind the head.
    """
    bounds = queue.bounds
    while bounds[FIRST] < bounds[LAST]:
        job = queue.jobs[bounds[FIRST]]
        if jobs.size[job] > cluster.counts[FREE] or not may_start(now, job, jobs, cluster, rules, held):
            break
        start_job(now, job, jobs, cluster, rules)
        bounds[FIRST] += 1
    behind = 0
    if rules.when_blocked == SKIP:
        for k in range(bounds[FIRST], bounds[LAST]):
            if cluster.counts[FREE] == 0:
                break
            job = queue.jobs[k]
            if jobs.size[job] <= cluster.counts[FREE] and may_start(now, job, jobs, cluster, rules, held):
                start_job(now, job, jobs, cluster, rules)
                behind += 1
    return behind


@kernel
def remove_started(behind: int, queue: Queue, candidates: Queue, rules: Rules, cluster: Cluster) -> None:
    """Take the jobs that have started out of the queue: ``behind`` of them stood behind the head.

    Those at the head are out already; candidates that are kept apart still hold them.
    """
    if behind > 0:
        drop_started(queue, cluster.start)
    if rules.own_candidates:
        drop_started(candidates, cluster.start)
