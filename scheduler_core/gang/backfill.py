"""Backfilling in the matrix: which jobs may overtake the blocked head (Huang 2004, section 6.11)."""

from __future__ import annotations

import math

import numpy as np

from scheduler_core.gang.packing import find_slot
from scheduler_core.gang.placement import place_job
from scheduler_core.gang.plan_all import backfill_protecting_all
from scheduler_core.gang.queue import begin_walk, leave_queue, next_in_walk, queue_head
from scheduler_core.gang.segments import rate_at
from scheduler_core.gang.state import (
    BACKFILLED,
    GREEDY,
    MEMORY_BEST_FIT,
    MEMORY_FIT,
    ONE_JOB,
    PROTECT_HEAD,
    Jobs,
    Matrix,
    Plan,
    Rules,
    Waiting,
)
from scheduler_core.kernel.jit import kernel, kernel_step


@kernel
def most_free(matrix: Matrix) -> int:
    """Return the largest number of free processors any slot has."""
    most = 0
    for k in range(matrix.clock.slots):
        most = max(most, matrix.slots[matrix.order[k]].free)
    return most


@kernel_step
def shadow_of(slot: int, size: int, matrix: Matrix) -> tuple[int, int]:
    """Return the expected end by which a slot has ``size`` processors free, and how many it then has."""
    ends, who = matrix.scratch, matrix.scratch_job
    count = 0
    job = matrix.slots[slot].first
    while job >= 0:
        end = matrix.state[job].expected_clock
        place = count
        while place > 0 and ends[place - 1] > end:
            ends[place] = ends[place - 1]
            who[place] = who[place - 1]
            place -= 1
        ends[place] = end
        who[place] = job
        count += 1
        job = matrix.state[job].next
    free = int(matrix.slots[slot].free)
    k = 0
    while k < count and free < size:
        free += matrix.state[who[k]].held
        k += 1
    shadow = ends[k - 1]
    while k < count and ends[k] == shadow:
        free += matrix.state[who[k]].held
        k += 1
    return shadow, free


@kernel_step
def admitting_slot(size: int, ends: int, protected: int, shadow: int, extra: int, matrix: Matrix) -> int:
    """Return the first slot that takes a candidate without delaying the head, which waits for ``protected``; or -1."""
    for k in range(matrix.clock.slots):
        slot = matrix.order[k]
        if matrix.slots[slot].free >= size and (slot != protected or ends <= shadow or size <= extra):
            return slot
    return -1


@kernel_step
def backfill(
    now: int,
    reading: int,
    jobs: Jobs,
    matrix: Matrix,
    waiting: Waiting,
    rules: Rules,
    plan: Plan,
    counters: np.ndarray,
) -> None:
    """Place jobs behind the blocked head, as the rule allows."""
    if rules.backfill == PROTECT_HEAD:
        backfill_protecting_head(now, reading, jobs, matrix, waiting, rules, counters)
    elif rules.backfill == GREEDY:
        backfill_greedily(now, reading, jobs, matrix, waiting, rules, counters)
    else:
        backfill_protecting_all(now, reading, jobs, matrix, waiting, rules, plan, counters)


@kernel_step
def backfill_protecting_head(
    now: int, reading: int, jobs: Jobs, matrix: Matrix, waiting: Waiting, rules: Rules, counters: np.ndarray
) -> None:
    """Place candidates that do not delay the head's earliest slot."""
    clock = matrix.clock
    room = most_free(matrix)
    if room == 0:
        return
    target = jobs.target[clock.load]
    head = queue_head(now, jobs, waiting, rules)
    protected, shadow, extra = -1, 0, 0
    for k in range(clock.slots):
        slot = matrix.order[k]
        earliest, free = shadow_of(slot, target[head], matrix)
        if protected < 0 or earliest < shadow:
            protected, shadow, extra = slot, earliest, free - target[head]
    begin_walk(waiting)
    while room > 0:
        job = next_in_walk(now, jobs, waiting, rules)
        if job < 0:
            break
        size = target[job]
        if job == head or size > room:
            continue
        ends = reading + math.ceil(jobs.asked[job].estimate / rate_at(job, size, jobs))
        slot = admitting_slot(size, ends, protected, shadow, extra, matrix)
        if slot < 0:
            continue
        if slot == protected and ends > shadow:
            extra -= size
        leave_queue(job, jobs, matrix, waiting, rules)
        place_job(job, slot, size, now, reading, jobs, matrix, rules)
        counters[BACKFILLED] += 1
        room = most_free(matrix)


@kernel_step
def backfill_greedily(
    now: int, reading: int, jobs: Jobs, matrix: Matrix, waiting: Waiting, rules: Rules, counters: np.ndarray
) -> None:
    """Place every candidate for which there is a slot."""
    clock = matrix.clock
    target = jobs.target[clock.load]
    head = queue_head(now, jobs, waiting, rules)
    opens = rules.packing == MEMORY_FIT or rules.packing == MEMORY_BEST_FIT or rules.packing == ONE_JOB
    room = rules.processors if opens else most_free(matrix)
    begin_walk(waiting)
    while room > 0:
        job = next_in_walk(now, jobs, waiting, rules)
        if job < 0:
            break
        if job == head or target[job] > room:
            continue
        slot = find_slot(job, target[job], jobs, matrix, rules, counters)
        if slot < 0:
            continue
        leave_queue(job, jobs, matrix, waiting, rules)
        place_job(job, slot, target[job], now, reading, jobs, matrix, rules)
        counters[BACKFILLED] += 1
        if not opens:
            room = most_free(matrix)
