"""Backfilling that delays no earlier job: a plan of every slot over future slot clock (Huang 2004, section 6.11)."""

from __future__ import annotations

import math

import numpy as np

from scheduler_core.gang.placement import place_job
from scheduler_core.gang.queue import leave_queue, next_in_line
from scheduler_core.gang.segments import rate_at
from scheduler_core.gang.state import BACKFILLED, SLOTS, STATUS, Jobs, Matrix, Plan, Rules, Waiting
from scheduler_core.kernel.jit import kernel_step


@kernel_step
def add_step(slot: int, time: int, plan: Plan) -> int:
    """Make sure that a step of a slot's plan begins at a time; give its place."""
    times, free = plan.time[slot], plan.free[slot]
    low, high = 0, plan.steps[slot]
    while low < high:
        middle = (low + high) >> 1
        if times[middle] < time:
            low = middle + 1
        else:
            high = middle
    count = plan.steps[slot]
    if low < count and times[low] == time:
        return low
    for k in range(count, low, -1):
        times[k] = times[k - 1]
        free[k] = free[k - 1]
    times[low] = time
    free[low] = free[low - 1]
    plan.steps[slot] = count + 1
    return low


@kernel_step
def begin_plan(reading: int, matrix: Matrix, plan: Plan) -> None:
    """Plan every slot from the expected ends of its jobs."""
    for k in range(matrix.clock[SLOTS]):
        slot = matrix.order[k]
        plan.time[slot, 0] = reading
        plan.free[slot, 0] = matrix.slots[slot].free
        plan.steps[slot] = 1
        job = matrix.slots[slot].first
        while job >= 0:
            step = add_step(slot, matrix.state[job].expected_clock, plan)
            for later in range(step, plan.steps[slot]):
                plan.free[slot, later] += matrix.state[job].held
            job = matrix.state[job].next


@kernel_step
def earliest_begin(slot: int, size: int, length: int, plan: Plan) -> int:
    """Give the earliest time from which a slot has ``size`` processors free for ``length``."""
    times, free, count = plan.time[slot], plan.free[slot], plan.steps[slot]
    k = 0
    while True:
        while free[k] < size:
            k += 1
        begin = times[k]
        later = k + 1
        while later < count and times[later] < begin + length and free[later] >= size:
            later += 1
        if later == count or times[later] >= begin + length:
            return begin
        k = later


@kernel_step
def reserve(slot: int, begin: int, length: int, size: int, plan: Plan) -> None:
    """Take a job's interval off a slot's plan."""
    first = add_step(slot, begin, plan)
    last = add_step(slot, begin + length, plan)
    for k in range(first, last):
        plan.free[slot, k] -= size


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
    target = jobs.target[clock[STATUS]]
    begin_plan(reading, matrix, plan)
    first, second, third = waiting.head[0], waiting.head[1], waiting.head[2]
    seen = 0
    while rules.depth == 0 or seen < rules.depth:
        room = 0
        for k in range(clock[SLOTS]):
            room = max(room, plan.free[matrix.order[k], 0])
        line = next_in_line(first, second, third, now, jobs, rules)
        if line < 0 or room == 0:
            break
        job = first if line == 0 else second if line == 1 else third
        after = waiting.next[job]
        if line == 0:
            first = after
        elif line == 1:
            second = after
        else:
            third = after
        seen += 1
        size = target[job]
        length = math.ceil(jobs.asked[job].estimate / rate_at(job, size, jobs))
        best, begin = -1, 0
        for k in range(clock[SLOTS]):
            slot = matrix.order[k]
            earliest = earliest_begin(slot, size, length, plan)
            if best < 0 or earliest < begin:
                best, begin = slot, earliest
        reserve(best, begin, length, size, plan)
        if begin == reading:
            leave_queue(job, jobs, matrix, waiting, rules)
            place_job(job, best, size, now, reading, jobs, matrix, rules)
            counters[BACKFILLED] += 1
