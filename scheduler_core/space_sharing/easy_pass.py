"""One pass of EASY backfilling and its dialects; the rules are stated in the policy's docstring."""

from __future__ import annotations

import numpy as np

from scheduler_core.kernel.jit import kernel, kernel_step
from scheduler_core.kernel.profile import LAST as PROFILE_LAST
from scheduler_core.kernel.profile import Profile, add, earliest, fits_from, step_at
from scheduler_core.kernel.queue import FIRST, LAST, Queue
from scheduler_core.space_sharing.held import may_start
from scheduler_core.space_sharing.state import (
    BACKFILLED,
    BATCH,
    BY_ESTIMATE,
    COUNTS_AS_FREE,
    EACH_PASS,
    EXTRA,
    FREE,
    HELD,
    LOOKED_AT,
    OCCUPIED,
    ONCE,
    RUNNING,
    Cluster,
    Held,
    Jobs,
    Rules,
    start_job,
)

NO_LIMIT = np.iinfo(np.int64).max

HEAD, SHADOW, EXTRA_LEFT = range(PLACES := 3)
"""Places in the reservation: the job that holds it (-1: none does), its shadow time, the extra processors left."""


@kernel
def ending_now(now: int, cluster: Cluster) -> int:
    """Count the processors of running jobs that are expected to end now."""
    processors = 0
    k = 0
    while k < cluster.counts[RUNNING] and cluster.expected[k] <= now:
        processors += cluster.expected_size[k]
        k += 1
    return processors


@kernel
def reserve(
    now: int, head: int, free: int, jobs: Jobs, cluster: Cluster, rules: Rules, reservation: np.ndarray
) -> None:
    """Compute the shadow time and the extra processors of the job at the head."""
    needed = jobs.size[head]
    available = free
    shadow = now
    running = cluster.counts[RUNNING]
    k = 0
    if rules.ending_now == COUNTS_AS_FREE:
        while k < running and cluster.expected[k] <= now:
            k += 1  # already counted in free
    while available < needed and k < running:
        available += cluster.expected_size[k]
        shadow = cluster.expected[k]
        k += 1
    if rules.tied_releases == EXTRA:
        while k < running and cluster.expected[k] <= shadow:
            available += cluster.expected_size[k]
            k += 1
    reservation[HEAD], reservation[SHADOW], reservation[EXTRA_LEFT] = head, shadow, available - needed


@kernel
def free_beside_holds(now: int, cluster: Cluster, held: Held, profile: Profile) -> None:
    """Write the profile of processors that running jobs, by their expected ends, and what is held leave free."""
    expected_profile(now, cluster, profile)
    for k in range(cluster.counts[HELD]):
        add(profile, max(now, held.begin[k]), held.end[k], -held.size[k])


@kernel_step
def reserve_beside(now: int, head: int, jobs: Jobs, profile: Profile, reservation: np.ndarray) -> None:
    """Compute shadow time and extra processors of the job at the head where processors are held, from what these leave free."""
    shadow = earliest(profile, now, jobs.size[head], jobs.estimate[head])
    least = NO_LIMIT
    step = step_at(profile, shadow)
    while step < profile.bounds[PROFILE_LAST] and profile.times[step] < shadow + jobs.estimate[head]:
        least = min(least, profile.free[step])
        step += 1
    reservation[HEAD], reservation[SHADOW], reservation[EXTRA_LEFT] = head, shadow, least - jobs.size[head]


@kernel
def is_plain(rules: Rules) -> bool:
    """Say whether the head's reservation stays as it is until a job completes, so that only arrivals need a look.

    So it does only while no reservations are held from outside.
    """
    return (
        rules.instant == BATCH
        and rules.candidate_runtime == BY_ESTIMATE
        and rules.tied_releases == EXTRA
        and rules.reservation == EACH_PASS
        and rules.candidates == 0
        and rules.ending_now == OCCUPIED
    )


@kernel
def start_heads(
    now: int, free: int, queue: Queue, jobs: Jobs, cluster: Cluster, rules: Rules, held: Held | None
) -> int:
    """Start the head of the queue while it fits; return the free processors left."""
    bounds = queue.bounds
    while bounds[FIRST] < bounds[LAST]:
        job = queue.jobs[bounds[FIRST]]
        if jobs.size[job] > free or not may_start(now, job, jobs, cluster, rules, held):
            break
        free -= jobs.size[job]
        start_job(now, job, jobs, cluster, rules)
        bounds[FIRST] += 1
    return free


@kernel
def easy_pass(
    now: int,
    queue: Queue,
    candidates: Queue,
    jobs: Jobs,
    cluster: Cluster,
    rules: Rules,
    profile: Profile,
    reservation: np.ndarray,
    counters: np.ndarray,
    held: Held | None,
) -> int:
    """Start the heads that fit, reserve for the next, backfill the others.

    ``candidates`` is the queue itself or the same jobs in an order of their own; ``held`` are the reservations held
    from outside. Returns the number of started jobs that still stand in the queue, for the caller to remove.
    """
    free = cluster.counts[FREE]
    if rules.ending_now == COUNTS_AS_FREE:
        free += ending_now(now, cluster)
    foremost = queue.jobs[queue.bounds[FIRST]]
    free = start_heads(now, free, queue, jobs, cluster, rules, held)
    if queue.bounds[FIRST] == queue.bounds[LAST]:
        reservation[HEAD] = -1
        return 0
    head = queue.jobs[queue.bounds[FIRST]]
    stays_head = reservation[HEAD] == head and foremost == head
    if not (rules.reservation == ONCE and stays_head):
        if free == 0 and held is None and is_plain(rules):
            reservation[HEAD] = -1
            return 0
        if held is None or cluster.counts[HELD] == 0:
            reserve(now, head, free, jobs, cluster, rules, reservation)
        else:
            free_beside_holds(now, cluster, held, profile)
            reserve_beside(now, head, jobs, profile, reservation)
    return backfill(now, free, head, candidates, jobs, cluster, rules, reservation, counters, held)


@kernel
def backfill(
    now: int,
    free: int,
    head: int,
    candidates: Queue,
    jobs: Jobs,
    cluster: Cluster,
    rules: Rules,
    reservation: np.ndarray,
    counters: np.ndarray,
    held: Held | None,
) -> int:
    """Start every candidate that does not delay the head.

    Returns the number of started jobs that still stand in the queue.
    """
    shadow, extra = reservation[SHADOW], reservation[EXTRA_LEFT] if rules.extra_processors else -1
    limit = rules.candidates if rules.candidates > 0 else NO_LIMIT
    waiting, size, tested = candidates.jobs, jobs.size, jobs.tested
    shared = not rules.own_candidates  # then the scan also closes the gaps that started jobs leave in the queue
    last = candidates.bounds[LAST]
    place = candidates.bounds[FIRST] + (1 if shared else 0)
    kept = place
    started, looked = 0, 0
    while place < last and free > 0 and looked != limit:
        job = waiting[place]
        place += 1
        if rules.own_candidates and (job == head or cluster.start[job] >= 0):
            continue
        looked += 1
        needs = size[job]
        if needs <= free:
            in_time = now + tested[job] <= shadow
            if (in_time or needs <= extra) and may_start(now, job, jobs, cluster, rules, held):
                if not in_time:
                    extra -= needs
                free -= needs
                start_job(now, job, jobs, cluster, rules)
                started += 1
                continue
        if started > 0 and shared:
            waiting[kept] = job
        kept += 1
    if started > 0 and shared:
        for rest in range(place, last):
            waiting[kept] = waiting[rest]
            kept += 1
        candidates.bounds[LAST] = kept
    reservation[EXTRA_LEFT] = extra
    counters[LOOKED_AT] += looked
    counters[BACKFILLED] += started
    return started if rules.own_candidates else 0


@kernel
def look_at_arrival(
    now: int,
    job: int,
    jobs: Jobs,
    cluster: Cluster,
    rules: Rules,
    reservation: np.ndarray,
    counters: np.ndarray,
) -> bool:
    """Backfill the one job that has arrived since the last pass, when nothing else has changed; say whether it started."""
    counters[LOOKED_AT] += 1
    needs = jobs.size[job]
    in_time = now + jobs.tested[job] <= reservation[SHADOW]
    long_fits = rules.extra_processors and needs <= reservation[EXTRA_LEFT]
    if needs > cluster.counts[FREE] or not (in_time or long_fits):
        return False
    if not in_time:
        reservation[EXTRA_LEFT] -= needs
    counters[BACKFILLED] += 1
    start_job(now, job, jobs, cluster, rules)
    return True


@kernel
def expected_profile(now: int, cluster: Cluster, profile: Profile) -> None:
    """Write the profile of free processors that follows from the expected ends of the running jobs."""
    profile.bounds[0] = 0
    profile.times[0] = now
    profile.free[0] = cluster.counts[FREE]
    step = 0
    for k in range(cluster.counts[RUNNING]):
        if cluster.expected[k] > profile.times[step]:
            step += 1
            profile.times[step] = cluster.expected[k]
            profile.free[step] = profile.free[step - 1]
        profile.free[step] += cluster.expected_size[k]
    profile.bounds[PROFILE_LAST] = step + 1


@kernel
def deep_pass(
    now: int,
    queue: Queue,
    candidates: Queue,
    jobs: Jobs,
    cluster: Cluster,
    rules: Rules,
    profile: Profile,
    counters: np.ndarray,
    held: Held | None,
) -> int:
    """Make a pass in which several heads hold reservations; return the number of jobs started."""
    if cluster.counts[FREE] == 0:
        return 0
    expected_profile(now, cluster, profile)
    first, last = queue.bounds[FIRST], queue.bounds[LAST]
    holders = last - first if rules.reservations == 0 else min(rules.reservations, last - first)
    started = 0
    for k in range(first, first + holders):
        job = queue.jobs[k]
        begin = earliest(profile, now, jobs.size[job], jobs.estimate[job])
        add(profile, begin, begin + jobs.estimate[job], -jobs.size[job])
        if begin == now and may_start(now, job, jobs, cluster, rules, held):
            start_job(now, job, jobs, cluster, rules)
            started += 1
    looked = 0
    for k in range(candidates.bounds[FIRST], candidates.bounds[LAST]):
        job = candidates.jobs[k]
        if cluster.start[job] >= 0 or holds_reservation(job, queue, first, holders):
            continue
        if cluster.counts[FREE] <= 0 or (rules.candidates > 0 and looked == rules.candidates):
            break
        looked += 1
        size, length = jobs.size[job], jobs.tested[job]
        if fits_from(profile, now, size, length) and may_start(now, job, jobs, cluster, rules, held):
            add(profile, now, now + length, -size)
            start_job(now, job, jobs, cluster, rules)
            started += 1
            counters[BACKFILLED] += 1
    counters[LOOKED_AT] += looked
    return started


@kernel
def holds_reservation(job: int, queue: Queue, first: int, holders: int) -> bool:
    """Say whether a job is among the heads that hold reservations in this pass."""
    for k in range(first, first + holders):
        if queue.jobs[k] == job:
            return True
    return False
