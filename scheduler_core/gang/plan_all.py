"""Backfilling that delays no earlier job: a plan of every slot over future slot clock (Huang 2004, section 6.11)."""

from __future__ import annotations

import math

import numpy as np

from scheduler_core.common.units import NEVER_US
from scheduler_core.gang.placement import place_job
from scheduler_core.gang.queue import begin_walk, leave_queue, next_in_walk
from scheduler_core.gang.segments import rate_at
from scheduler_core.gang.state import BACKFILLED, Jobs, Matrix, Plan, Rules, Waiting
from scheduler_core.kernel import profile
from scheduler_core.kernel.jit import kernel, kernel_step
from scheduler_core.kernel.profile import Profile


@kernel
def profile_of(slot: int, plan: Plan) -> Profile:
    """Return the plan of one slot as a profile over slot clock."""
    return Profile(plan.time[slot], plan.free[slot], plan.bounds[slot])


@kernel_step
def begin_plan(reading: int, matrix: Matrix, plan: Plan) -> None:
    """Plan every slot from the expected ends of its jobs."""
    for k in range(matrix.clock.slots):
        slot = matrix.order[k]
        ahead = profile_of(slot, plan)
        ahead.times[0] = reading
        ahead.free[0] = matrix.slots[slot].free
        ahead.bounds[0], ahead.bounds[1] = 0, 1
        job = matrix.slots[slot].first
        while job >= 0:
            profile.add(ahead, matrix.state[job].expected_clock, NEVER_US, matrix.state[job].held)
            job = matrix.state[job].next


@kernel
def planned_length(job: int, size: int, jobs: Jobs) -> int:
    """Return how long a job is expected to hold ``size`` processors, in slot clock."""
    return math.ceil(jobs.asked[job].estimate / rate_at(job, size, jobs))


@kernel
def room_now(matrix: Matrix, plan: Plan) -> int:
    """Return the most processors that the plan leaves free now in any slot."""
    room = 0
    for k in range(matrix.clock.slots):
        room = max(room, plan.free[matrix.order[k], 0])
    return room


@kernel_step
def slot_from_now(reading: int, size: int, length: int, matrix: Matrix, plan: Plan) -> int:
    """Return the first slot in which the plan has ``size`` processors from now on for ``length``; or -1."""
    for k in range(matrix.clock.slots):
        slot = matrix.order[k]
        if plan.free[slot, 0] >= size and profile.fits_from(profile_of(slot, plan), reading, size, length):
            return slot
    return -1


@kernel_step
def is_settled(slot: int, until: int, plan: Plan) -> bool:
    """Return whether no reservation can begin in a slot before a clock: its free processors do not grow until then."""
    ahead = profile_of(slot, plan)
    for step in range(1, ahead.bounds[1]):
        if ahead.times[step] >= until:
            return True
        if ahead.free[step] > ahead.free[step - 1]:
            return False
    return True


@kernel
def next_to_plan(now: int, jobs: Jobs, matrix: Matrix, behind: Waiting, rules: Rules) -> int:
    """Return the next job of the queue that is not in the plan yet."""
    job = next_in_walk(now, jobs, behind, rules)
    while matrix.state[job].slot >= 0:
        job = next_in_walk(now, jobs, behind, rules)
    return job


@kernel_step
def reserve(job: int, reading: int, jobs: Jobs, matrix: Matrix, plan: Plan) -> None:
    """Plan a job that cannot begin now: it takes the earliest interval in any slot, ties the first."""
    size = jobs.target[matrix.clock.load, job]
    length = planned_length(job, size, jobs)
    best, begin = -1, 0
    for k in range(matrix.clock.slots):
        slot = matrix.order[k]
        earliest = profile.earliest(profile_of(slot, plan), reading, size, length)
        if best < 0 or earliest < begin:
            best, begin = slot, earliest
    profile.add(profile_of(best, plan), begin, begin + length, -size)


@kernel_step
def backfill_protecting_all(
    now: int,
    reading: int,
    jobs: Jobs,
    matrix: Matrix,
    waiting: Waiting,
    rules: Rules,
    plan: Plan,
    counters: np.ndarray,
) -> None:
    """Reserve the earliest interval for one queued job after another; those whose interval begins now are placed.

    The plan is made anew in each pass and serves this pass only, so it holds no more than what decides which jobs begin now.
    Plans only fill up: a job that has no room from now on when its turn comes in the queue will have none in this pass. It is
    not planned before a later job depends on it. A later job that has room from now on in a slot depends on the jobs
    before it only if the free processors of the slot grow before it would end, for elsewhere no reservation can begin:
    a job that could begin in between could begin now.
    """
    behind = Waiting(waiting.lines, waiting.links, plan.behind)
    target = jobs.target[matrix.clock.load]
    begin_plan(reading, matrix, plan)
    begin_walk(waiting)
    begin_walk(behind)
    room = room_now(matrix, plan)
    seen = 0
    while room > 0 and (rules.depth == 0 or seen < rules.depth):
        job = next_in_walk(now, jobs, waiting, rules)
        if job < 0:
            break
        seen += 1
        size = target[job]
        if size > room:
            continue
        length = planned_length(job, size, jobs)
        slot = slot_from_now(reading, size, length, matrix, plan)
        while slot >= 0 and not is_settled(slot, reading + length, plan):
            earlier = next_to_plan(now, jobs, matrix, behind, rules)
            if earlier == job:
                break
            reserve(earlier, reading, jobs, matrix, plan)
            slot = slot_from_now(reading, size, length, matrix, plan)
        if slot >= 0:
            profile.add(profile_of(slot, plan), reading, reading + length, -size)
            leave_queue(job, jobs, matrix, waiting, rules)
            place_job(job, slot, size, now, reading, jobs, matrix, rules)
            counters[BACKFILLED] += 1
            room = room_now(matrix, plan)
