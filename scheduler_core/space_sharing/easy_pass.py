"""One pass of EASY backfilling and its dialects; the policy's docstring states the rules."""

import numpy as np

from scheduler_core.kernel.jit import kernel, kernel_step
from scheduler_core.kernel.profile import LAST as PROFILE_LAST
from scheduler_core.kernel.profile import Profile, add, earliest, fits_from, step_at
from scheduler_core.kernel.queue import FIRST, LAST, Queue
from scheduler_core.kernel.records import Record
from scheduler_core.space_sharing.passing_over import is_held, pass_over
from scheduler_core.space_sharing.rules import CandidateRuntime, EndingNow, Instant, Reservation, TiedReleases
from scheduler_core.space_sharing.state import Held, Running, World, may_start, start_job

NO_LIMIT = np.iinfo(np.int64).max


@kernel
def ending_now(now: int, running: Running, count: int) -> int:
    """Count the processors of running jobs that are expected to end now."""
    processors = 0
    k = 0
    while k < count and running.expected[k] <= now:
        processors += running.expected_size[k]
        k += 1
    return processors


@kernel
def reserve_head(now: int, head: int, free: int, world: World, held: Held | None) -> None:
    """Compute the shadow time and the extra processors of the job at the head."""
    if held is None or world.clock[0].held == 0:
        reserve(now, head, free, world)
    else:
        free_beside_holds(now, world, held)
        reserve_beside(now, head, world)


@kernel
def reserve(now: int, head: int, free: int, world: World) -> None:
    """Compute the shadow time and the extra processors of the job at the head where nothing is held."""
    running, clock, rules = world.running, world.clock[0], world.rules[0]
    needed = world.jobs.size[head]
    available = free
    shadow = now
    count = clock.running
    k = 0
    if rules.ending_now == EndingNow.free:
        while k < count and running.expected[k] <= now:
            k += 1  # already counted in free
    while available < needed and k < count:
        available += running.expected_size[k]
        shadow = running.expected[k]
        k += 1
    if rules.tied_releases == TiedReleases.extra:
        while k < count and running.expected[k] <= shadow:
            available += running.expected_size[k]
            k += 1
    clock.head, clock.shadow, clock.extra = head, shadow, available - needed


@kernel
def free_beside_holds(now: int, world: World, held: Held) -> None:
    """Write the profile of processors that running jobs, by their expected ends, and the holds leave free."""
    expected_profile(now, world.running, world.clock[0], world.profile)
    for k in range(world.clock[0].held):
        add(world.profile, max(now, held.begin[k]), held.end[k], -held.size[k])


@kernel_step
def reserve_beside(now: int, head: int, world: World) -> None:
    """Compute shadow time and extra processors of the job at the head from the profile beside the holds."""
    profile, size, estimate = world.profile, world.jobs.size[head], world.jobs.estimate[head]
    shadow = earliest(profile, now, size, estimate)
    least = NO_LIMIT
    step = step_at(profile, shadow)
    while step < profile.bounds[PROFILE_LAST] and profile.times[step] < shadow + estimate:
        least = min(least, profile.free[step])
        step += 1
    world.clock[0].head, world.clock[0].shadow, world.clock[0].extra = head, shadow, least - size


@kernel
def is_plain(rules: Record) -> bool:
    """Return whether the head's reservation stays as it is until a job completes, so that only arrivals need a look.

    This holds only where nothing is booked, and no waiting job may be held.
    """
    return (
        rules.instant == Instant.batch
        and rules.candidate_runtime == CandidateRuntime.estimate
        and rules.tied_releases == TiedReleases.extra
        and rules.reservation == Reservation.each_pass
        and rules.candidate_limit == 0
        and rules.ending_now == EndingNow.occupied
        and not rules.holds_jobs
    )


@kernel
def start_heads(now: int, free: int, world: World) -> int:
    """Start the head of the queue while it fits; return the free processors left."""
    queue, bounds = world.queue, world.queue.bounds
    while bounds[FIRST] < bounds[LAST]:
        job = queue.jobs[bounds[FIRST]]
        if world.jobs.size[job] > free or not may_start(now, job, world):
            break
        free -= world.jobs.size[job]
        start_job(now, job, world)
        bounds[FIRST] += 1
        pass_over(now, world, world.ceilings)
    return free


@kernel
def easy_pass(now: int, world: World) -> int:
    """Start the heads that fit, reserve for the next, backfill the others.

    Returns the number of started jobs that are still in the queue, for the caller to remove.
    """
    queue, clock, rules = world.queue, world.clock[0], world.rules[0]
    free = clock.free
    if rules.ending_now == EndingNow.free:
        free += ending_now(now, world.running, clock.running)
    pass_over(now, world, world.ceilings)
    foremost = queue.jobs[queue.bounds[FIRST]] if queue.bounds[FIRST] < queue.bounds[LAST] else -1
    free = start_heads(now, free, world)
    if queue.bounds[FIRST] == queue.bounds[LAST]:
        clock.head = -1
        return 0
    head = queue.jobs[queue.bounds[FIRST]]
    stays_head = clock.head == head and foremost == head
    if not (rules.reservation == Reservation.once and stays_head):
        if nothing_to_backfill(free, rules, world.held):
            clock.head = -1
            return 0
        reserve_head(now, head, free, world, world.held)
    return backfill(now, free, head, world)


@kernel
def nothing_to_backfill(free: int, rules: Record, held: Held | None) -> bool:
    """Return whether the pass can end without a reservation: nothing is free, and the next pass computes it again."""
    if held is not None:
        return False
    return free == 0 and is_plain(rules)


@kernel
def backfill(now: int, free: int, head: int, world: World) -> int:
    """Start every candidate that does not delay the head.

    Returns the number of started jobs that are still in the queue.
    """
    candidates, clock, rules = world.candidates, world.clock[0], world.rules[0]
    shadow, extra = clock.shadow, clock.extra if rules.extra_processors else -1
    limit = rules.candidate_limit if rules.candidate_limit > 0 else NO_LIMIT
    waiting, size, tested = candidates.jobs, world.jobs.size, world.jobs.tested
    shared = not rules.own_candidates  # then the scan also closes the gaps that started jobs leave in the queue
    last = candidates.bounds[LAST]
    place = candidates.bounds[FIRST] + (1 if shared else 0)
    kept = place
    started, looked = 0, 0
    while place < last and free > 0 and looked != limit:
        job = waiting[place]
        place += 1
        if not shared and (job == head or world.start[job] >= 0):
            continue
        if not is_held(now, job, world, world.ceilings):
            looked += 1
            needs = size[job]
            if needs <= free:
                in_time = now + tested[job] <= shadow
                if (in_time or needs <= extra) and may_start(now, job, world):
                    if not in_time:
                        extra -= needs
                    free -= needs
                    start_job(now, job, world)
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
    clock.extra = extra
    clock.candidates_looked_at += looked
    clock.backfilled += started
    return 0 if shared else started


@kernel
def look_at_arrival(now: int, job: int, world: World) -> bool:
    """Backfill the one job that has arrived since the last pass, when nothing else has changed; return whether it started."""
    clock = world.clock[0]
    clock.candidates_looked_at += 1
    needs = world.jobs.size[job]
    in_time = now + world.jobs.tested[job] <= clock.shadow
    long_fits = world.rules[0].extra_processors and needs <= clock.extra
    if needs > clock.free or not (in_time or long_fits):
        return False
    if not in_time:
        clock.extra -= needs
    clock.backfilled += 1
    start_job(now, job, world)
    return True


@kernel
def expected_profile(now: int, running: Running, clock: Record, profile: Profile) -> None:
    """Write the profile of free processors that follows from the expected ends of the running jobs."""
    profile.bounds[0] = 0
    profile.times[0] = now
    profile.free[0] = clock.free
    step = 0
    for k in range(clock.running):
        if running.expected[k] > profile.times[step]:
            step += 1
            profile.times[step] = running.expected[k]
            profile.free[step] = profile.free[step - 1]
        profile.free[step] += running.expected_size[k]
    profile.bounds[PROFILE_LAST] = step + 1


@kernel
def deep_pass(now: int, world: World) -> int:
    """Make a pass in which several heads hold reservations; return the number of jobs started.

    Jobs behind the last one that fits on the free processors cannot start, and hold up nobody before them.
    """
    jobs, queue, candidates, profile = world.jobs, world.queue, world.candidates, world.profile
    clock, rules = world.clock[0], world.rules[0]
    first, end = queue.bounds[FIRST], last_that_fits(world) + 1
    if end == first:
        return 0
    expected_profile(now, world.running, clock, profile)
    holders = NO_LIMIT if rules.reservations == 0 else rules.reservations
    started, held, place = 0, 0, first
    while held < holders and place < end:
        job = queue.jobs[place]
        place += 1
        if is_held(now, job, world, world.ceilings):
            continue
        held += 1
        begin = earliest(profile, now, jobs.size[job], jobs.estimate[job])
        add(profile, begin, begin + jobs.estimate[job], -jobs.size[job])
        if begin == now and may_start(now, job, world):
            start_job(now, job, world)
            started += 1
    shared = not rules.own_candidates  # then the candidates are the jobs behind those that hold a reservation
    looked = 0
    for k in range(place if shared else candidates.bounds[FIRST], end if shared else candidates.bounds[LAST]):
        job = candidates.jobs[k]
        if not shared and (world.start[job] >= 0 or holds_reservation(job, queue, first, place - first)):
            continue
        if clock.free <= 0 or (rules.candidate_limit > 0 and looked == rules.candidate_limit):
            break
        size, length = jobs.size[job], jobs.tested[job]
        if (size > clock.free and rules.candidate_limit == 0) or is_held(now, job, world, world.ceilings):
            continue
        looked += 1
        if fits_from(profile, now, size, length) and may_start(now, job, world):
            add(profile, now, now + length, -size)
            start_job(now, job, world)
            started += 1
            clock.backfilled += 1
    clock.candidates_looked_at += looked
    return started


@kernel
def last_that_fits(world: World) -> int:
    """Return the place in the queue of the last job that fits on the free processors; the one before the head if none does."""
    place = world.queue.bounds[LAST] - 1
    while place >= world.queue.bounds[FIRST] and world.jobs.size[world.queue.jobs[place]] > world.clock[0].free:
        place -= 1
    return place


@kernel
def holds_reservation(job: int, queue: Queue, first: int, holders: int) -> bool:
    """Return whether a job is among the heads that hold reservations in this pass, or was passed over among them."""
    for k in range(first, first + holders):
        if queue.jobs[k] == job:
            return True
    return False
