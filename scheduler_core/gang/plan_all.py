"""Backfilling that delays no earlier job: a plan of every slot over future slot clock (Huang 2004, section 6.11)."""

from __future__ import annotations

import math

import numpy as np

from scheduler_core.gang.placement import place_job
from scheduler_core.gang.queue import begin_walk, leave_queue, next_in_walk
from scheduler_core.gang.segments import rate_at
from scheduler_core.gang.state import BACKFILLED, Jobs, Matrix, Plan, Rules, Waiting
from scheduler_core.kernel import profile
from scheduler_core.kernel.jit import kernel, kernel_step
from scheduler_core.kernel.profile import Profile
from scheduler_core.units import NEVER_US


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

    The plan is made anew in each pass and serves this pass only, so it may stop once no slot has a processor free now.
    """
    clock = matrix.clock
    target = jobs.target[clock.load]
    begin_plan(reading, matrix, plan)
    begin_walk(waiting)
    seen = 0
    while rules.depth == 0 or seen < rules.depth:
        room = 0
        for k in range(clock.slots):
            room = max(room, plan.free[matrix.order[k], 0])
        job = next_in_walk(now, jobs, waiting, rules)
        if job < 0 or room == 0:
            break
        seen += 1
        size = target[job]
        length = math.ceil(jobs.asked[job].estimate / rate_at(job, size, jobs))
        best, begin = -1, 0
        for k in range(clock.slots):
            slot = matrix.order[k]
            earliest = profile.earliest(profile_of(slot, plan), reading, size, length)
            if best < 0 or earliest < begin:
                best, begin = slot, earliest
        profile.add(profile_of(best, plan), begin, begin + length, -size)
        if begin == reading:
            leave_queue(job, jobs, matrix, waiting, rules)
            place_job(job, best, size, now, reading, jobs, matrix, rules)
            counters[BACKFILLED] += 1
