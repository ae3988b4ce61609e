"""The queue: in order of submission, or by priority class with aging (Huang 2004, section 6.7)."""

from __future__ import annotations

import numpy as np

from scheduler_core.gang.state import (
    MALLEABLE,
    Jobs,
    Matrix,
    Rules,
    Waiting,
)
from scheduler_core.kernel.jit import kernel

LINES = 3
STEP, TOP = 5, 10
"""What a class and what aging are worth, and the highest priority."""


@kernel
def count_demand(job: int, sign: int, jobs: Jobs, matrix: Matrix, rules: Rules) -> None:
    """Count what a queued job adds to the demand and to the possible increase, or take it off again."""
    if jobs.asked[job].estimate >= rules.reconfiguration_us:
        matrix.clock.queued_demand += sign * jobs.asked[job].best_size
    if jobs.asked[job].flexibility == MALLEABLE:
        matrix.clock.queued_increase += sign * (jobs.asked[job].size_max - jobs.asked[job].best_size)


@kernel
def join_queue(job: int, jobs: Jobs, matrix: Matrix, waiting: Waiting, rules: Rules) -> None:
    """Put a job at the end of its line."""
    line = jobs.asked[job].job_class if rules.priority else 0
    waiting.line[job] = line
    last = waiting.tail[line]
    waiting.previous[job] = last
    waiting.next[job] = -1
    if last < 0:
        waiting.head[line] = job
    else:
        waiting.next[last] = job
    waiting.tail[line] = job
    matrix.clock.queued += 1
    count_demand(job, 1, jobs, matrix, rules)


@kernel
def leave_queue(job: int, jobs: Jobs, matrix: Matrix, waiting: Waiting, rules: Rules) -> None:
    """Take a job out of the queue."""
    line = waiting.line[job]
    before, after = waiting.previous[job], waiting.next[job]
    if before < 0:
        waiting.head[line] = after
    else:
        waiting.next[before] = after
    if after < 0:
        waiting.tail[line] = before
    else:
        waiting.previous[after] = before
    matrix.clock.queued -= 1
    count_demand(job, -1, jobs, matrix, rules)


@kernel
def priority_of(job: int, line: int, now: int, jobs: Jobs, rules: Rules) -> int:
    """Give a queued job's priority; in ``fcfs`` all have the same."""
    own = STEP * (LINES - 1 - line)
    if rules.aging_us == 0:
        return own
    return min(TOP, own + STEP * ((now - jobs.asked[job].submit) // rules.aging_us))


@kernel
def first_line(fronts: np.ndarray, now: int, jobs: Jobs, rules: Rules) -> int:
    """Give the line whose front job (-1: none) comes first in the queue; -1 when no line has one."""
    best, best_priority, best_job = -1, -1, -1
    for line in range(LINES):
        job = fronts[line]
        if job >= 0:
            priority = priority_of(job, line, now, jobs, rules)
            if priority > best_priority or (priority == best_priority and job < best_job):
                best, best_priority, best_job = line, priority, job
    return best


@kernel
def queue_head(now: int, jobs: Jobs, waiting: Waiting, rules: Rules) -> int:
    """Give the job at the head of the queue; -1 when nobody waits."""
    line = first_line(waiting.head, now, jobs, rules)
    return waiting.head[line] if line >= 0 else -1


@kernel
def begin_walk(waiting: Waiting) -> None:
    """Begin to go through the queue from its head."""
    for line in range(LINES):
        waiting.ahead[line] = waiting.head[line]


@kernel
def next_in_walk(now: int, jobs: Jobs, waiting: Waiting, rules: Rules) -> int:
    """Give the next job in queue order, or -1 at the end; a job that was given may leave the queue."""
    line = first_line(waiting.ahead, now, jobs, rules)
    if line < 0:
        return -1
    job = waiting.ahead[line]
    waiting.ahead[line] = waiting.next[job]
    return job
