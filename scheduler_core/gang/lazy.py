"""Lazy gang scheduling: jobs run until another job has waited too long (da Silva 2000, section 3.4.4)."""

from __future__ import annotations

import numpy as np

from scheduler_core.common.units import NEVER_US
from scheduler_core.gang.placement import open_slot, place_job, remove_job
from scheduler_core.gang.queue import count_demand, leave_queue
from scheduler_core.gang.segments import break_segment, predict_end
from scheduler_core.gang.state import (
    SLOTS_OPENED,
    Jobs,
    Matrix,
    Rows,
    Rules,
    Waiting,
)
from scheduler_core.kernel.jit import kernel, kernel_step
from scheduler_core.kernel.linked import insert_before


@kernel
def overdue_at(job: int, jobs: Jobs, matrix: Matrix) -> int:
    """Return the time from which a waiting job has waited too long; its wait begins anew with each preemption."""
    since = matrix.state[job].begin if matrix.state[job].start >= 0 else jobs.asked[job].submit
    return since + jobs.asked[job].longest_wait


@kernel
def preemptable_at(job: int, jobs: Jobs, matrix: Matrix) -> int:
    """Return the time from which a running job may be preempted."""
    return matrix.state[job].begin + jobs.asked[job].least_run


@kernel_step
def next_claim(jobs: Jobs, matrix: Matrix, waiting: Waiting) -> int:
    """Return the next time at which a waiting job becomes overdue or, while any job waits, a running job preemptable."""
    clock = matrix.clock
    first = NEVER_US
    job = waiting.lines[0].first
    while job >= 0:
        time = overdue_at(job, jobs, matrix)
        if time > clock.last_pass:
            first = min(first, time)
        job = waiting.links[job].next
    if clock.queued > 0:
        for k in range(clock.running):
            time = preemptable_at(matrix.running[k], jobs, matrix)
            if time > clock.last_pass:
                first = min(first, time)
    return first


@kernel_step
def preempt(
    job: int, now: int, reading: int, jobs: Jobs, matrix: Matrix, waiting: Waiting, rules: Rules, rows: Rows
) -> None:
    """Take a job off its processors and put it at the queue's head, with the work it has done."""
    break_segment(job, now, reading, matrix, rows)
    remove_job(job, jobs, matrix, rules)
    for word in range(matrix.mask.shape[1]):
        matrix.mask[job, word] = 0
    matrix.state[job].preemptions += 1
    insert_before(job, waiting.lines[0].first, waiting.lines[0], waiting.links)
    matrix.clock.queued += 1
    count_demand(job, 1, jobs, matrix, rules)


@kernel_step
def run_job(job: int, now: int, reading: int, jobs: Jobs, matrix: Matrix, waiting: Waiting, rules: Rules) -> None:
    """Take a job from the queue and start it, or let it go on where it was preempted."""
    left, start = matrix.state[job].left, matrix.state[job].start
    leave_queue(job, jobs, matrix, waiting, rules)
    place_job(job, matrix.order[0], jobs.asked[job].best_size, now, reading, jobs, matrix, rules)
    if start >= 0:
        matrix.state[job].left, matrix.state[job].start = left, start
        predict_end(job, jobs, matrix)


@kernel_step
def victim(now: int, jobs: Jobs, matrix: Matrix) -> int:
    """Return the job to preempt: of lowest priority and, among equals, placed last; -1 if none may be preempted."""
    best = -1
    for k in range(matrix.clock.running):
        job = matrix.running[k]
        if preemptable_at(job, jobs, matrix) <= now and (
            best < 0 or jobs.asked[job].job_class >= jobs.asked[best].job_class
        ):
            best = job
    return best


@kernel_step
def make_room(
    job: int, now: int, reading: int, jobs: Jobs, matrix: Matrix, waiting: Waiting, rules: Rules, rows: Rows
) -> bool:
    """Preempt as many jobs as it takes for an overdue one, or none if that is not enough; return whether there is room."""
    slot, size = matrix.order[0], jobs.asked[job].best_size
    within_reach = matrix.slots[slot].free
    for k in range(matrix.clock.running):
        if preemptable_at(matrix.running[k], jobs, matrix) <= now:
            within_reach += matrix.state[matrix.running[k]].held
    if within_reach < size:
        return False
    while matrix.slots[slot].free < size:
        preempt(victim(now, jobs, matrix), now, reading, jobs, matrix, waiting, rules, rows)
    return True


@kernel_step
def serve_lazily(
    now: int,
    reading: int,
    jobs: Jobs,
    matrix: Matrix,
    waiting: Waiting,
    rules: Rules,
    rows: Rows,
    counters: np.ndarray,
) -> None:
    """Serve the jobs that have waited too long, by preemption where that helps, then the queue from its head."""
    clock = matrix.clock
    if clock.queued > 0 and clock.slots == 0:
        counters[SLOTS_OPENED] += 1
        open_slot(matrix, rules)
    job = waiting.lines[0].first
    while job >= 0:
        following = waiting.links[job].next
        if overdue_at(job, jobs, matrix) <= now:
            if not make_room(job, now, reading, jobs, matrix, waiting, rules, rows):
                return
            run_job(job, now, reading, jobs, matrix, waiting, rules)
        job = following
    while clock.queued > 0:
        job = waiting.lines[0].first
        if matrix.slots[matrix.order[0]].free < jobs.asked[job].best_size:
            return
        run_job(job, now, reading, jobs, matrix, waiting, rules)
