"""Partitioning in space: equipartition, folding, compression (Huang 2004, chapter 4 and section 6.2).

A pass first plans the sizes of all jobs that run or are admitted (``scratch_job``: the jobs, ``scratch``: how many processors;
the running jobs come first), then makes them so: shrinks, starts, growths.
"""

from __future__ import annotations

import numpy as np

from scheduler_core.gang.adapt_workload import resize
from scheduler_core.gang.placement import open_slot, place_job
from scheduler_core.gang.queue import leave_queue
from scheduler_core.gang.state import (
    EQUIPARTITION,
    FOLDING,
    MALLEABLE,
    RIGID,
    SLOTS_OPENED,
    Jobs,
    Matrix,
    Rows,
    Rules,
    Waiting,
)
from scheduler_core.kernel.jit import kernel, kernel_step


@kernel
def fixed(k: int, running: int, jobs: Jobs, matrix: Matrix) -> int:
    """Return the size a job of the plan has to have, or -1: rigid jobs have theirs, moldable ones that run keep it."""
    job = matrix.scratch_job[k]
    flexibility = jobs.asked[job].flexibility
    if flexibility == RIGID:
        return jobs.asked[job].best_size
    return matrix.state[job].held if k < running and flexibility != MALLEABLE else -1


@kernel
def fewest(k: int, running: int, jobs: Jobs, matrix: Matrix) -> int:
    """Return the fewest processors a job of the plan may have."""
    size = fixed(k, running, jobs, matrix)
    return size if size >= 0 else jobs.asked[matrix.scratch_job[k]].size_min


@kernel
def most(k: int, running: int, jobs: Jobs, matrix: Matrix) -> int:
    """Return the most processors a job of the plan may have."""
    size = fixed(k, running, jobs, matrix)
    return size if size >= 0 else jobs.asked[matrix.scratch_job[k]].size_max


@kernel
def spare(k: int, running: int, jobs: Jobs, matrix: Matrix) -> int:
    """Return how many processors a job of the plan can give up: half of them, rounded down, but never below its fewest."""
    size = matrix.scratch[k]
    return min(size // 2, size - fewest(k, running, jobs, matrix))


@kernel_step
def plan_equal_shares(running: int, jobs: Jobs, matrix: Matrix, waiting: Waiting, rules: Rules) -> int:
    """Admit jobs while each can have its fewest processors, share the rest as equally as possible; return the plan's jobs."""
    room = rules.processors
    for k in range(running):
        matrix.scratch[k] = fewest(k, running, jobs, matrix)
        room -= matrix.scratch[k]
    present = running
    job = waiting.lines[0].first
    while job >= 0:
        matrix.scratch_job[present] = job
        matrix.scratch[present] = fewest(present, running, jobs, matrix)
        if matrix.scratch[present] > room:
            break
        room -= matrix.scratch[present]
        present += 1
        job = waiting.links[job].next
    while room > 0:
        poorest = -1
        for k in range(present):
            grows = matrix.scratch[k] < most(k, running, jobs, matrix)
            if grows and (poorest < 0 or matrix.scratch[k] < matrix.scratch[poorest]):
                poorest = k
        if poorest < 0:
            break
        matrix.scratch[poorest] += 1
        room -= 1
    return present


@kernel
def extreme(sign: int, present: int, running: int, jobs: Jobs, matrix: Matrix) -> int:
    """Return the malleable job of the plan with most (sign 1) or, among those that can grow, fewest (-1) processors; or -1."""
    best = -1
    for k in range(present):
        if jobs.asked[matrix.scratch_job[k]].flexibility != MALLEABLE:
            continue
        eligible = sign > 0 or matrix.scratch[k] < most(k, running, jobs, matrix)
        if eligible and (best < 0 or sign * matrix.scratch[k] > sign * matrix.scratch[best]):
            best = k
    return best


@kernel_step
def plan_folding(running: int, jobs: Jobs, matrix: Matrix, waiting: Waiting, rules: Rules) -> int:
    """Fold the largest partition for each job that finds too few processors; unfold the smallest when no job waits."""
    free = rules.processors
    for k in range(running):
        free -= matrix.scratch[k]
    present = running
    job = waiting.lines[0].first
    while job >= 0:
        matrix.scratch_job[present] = job
        least, enough = fewest(present, running, jobs, matrix), most(present, running, jobs, matrix)
        if free < least:
            largest = extreme(1, present, running, jobs, matrix)
            if largest < 0:
                break
            folded = min(spare(largest, running, jobs, matrix), enough - free)
            if free + folded < least:
                break
            matrix.scratch[largest] -= folded
            free += folded
        matrix.scratch[present] = min(free, enough)
        free -= matrix.scratch[present]
        present += 1
        job = waiting.links[job].next
    while job < 0 and free > 0:
        smallest = extreme(-1, present, running, jobs, matrix)
        if smallest < 0:
            break
        size = matrix.scratch[smallest]
        unfolded = min(size, free, most(smallest, running, jobs, matrix) - size)
        matrix.scratch[smallest] += unfolded
        free -= unfolded
    return present


@kernel_step
def plan_compression(running: int, jobs: Jobs, matrix: Matrix, waiting: Waiting, rules: Rules) -> int:
    """Compress running and just scheduled jobs, in order, for each job that finds fewer processors than its optimum."""
    free = rules.processors
    for k in range(running):
        free -= matrix.scratch[k]
    present = running
    job = waiting.lines[0].first
    while job >= 0:
        matrix.scratch_job[present] = job
        least, enough = fewest(present, running, jobs, matrix), jobs.asked[job].best_size
        within_reach = free
        for k in range(present):
            within_reach += spare(k, running, jobs, matrix)
        if within_reach < least:
            break
        for k in range(present):
            given = max(0, min(spare(k, running, jobs, matrix), enough - free))
            matrix.scratch[k] -= given
            free += given
        matrix.scratch[present] = min(free, enough)
        free -= matrix.scratch[present]
        present += 1
        job = waiting.links[job].next
    return present


@kernel_step
def share_space(
    now: int,
    reading: int,
    jobs: Jobs,
    matrix: Matrix,
    waiting: Waiting,
    rules: Rules,
    rows: Rows,
    counters: np.ndarray,
) -> None:
    """Plan the sizes of this pass by the rule, then resize and start jobs accordingly."""
    clock = matrix.clock
    running = clock.running
    for k in range(running):
        matrix.scratch_job[k] = matrix.running[k]
        matrix.scratch[k] = matrix.state[matrix.running[k]].held
    if rules.system == EQUIPARTITION:
        present = plan_equal_shares(running, jobs, matrix, waiting, rules)
    elif rules.system == FOLDING:
        present = plan_folding(running, jobs, matrix, waiting, rules)
    else:
        present = plan_compression(running, jobs, matrix, waiting, rules)
    if present > 0 and clock.slots == 0:
        counters[SLOTS_OPENED] += 1
        open_slot(matrix, rules)
    # Jobs that shrink come before those that start, and jobs that grow come last: so there is room for all.
    for k in range(running):
        if matrix.scratch[k] < matrix.state[matrix.scratch_job[k]].held:
            resize(matrix.scratch_job[k], matrix.scratch[k], now, reading, jobs, matrix, rules, rows, counters)
    for k in range(running, present):
        job = matrix.scratch_job[k]
        leave_queue(job, jobs, matrix, waiting, rules)
        place_job(job, matrix.order[0], matrix.scratch[k], now, reading, jobs, matrix, rules)
    for k in range(running):
        if matrix.scratch[k] > matrix.state[matrix.scratch_job[k]].held:
            resize(matrix.scratch_job[k], matrix.scratch[k], now, reading, jobs, matrix, rules, rows, counters)
