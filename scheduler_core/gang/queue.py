"""The queue: in order of submission, or by priority class with aging (Huang 2004, section 6.7)."""

from __future__ import annotations

import numpy as np

from scheduler_core.gang.state import (
    LINES,
    MALLEABLE,
    Jobs,
    Matrix,
    Rules,
    Waiting,
)
from scheduler_core.kernel.jit import kernel
from scheduler_core.kernel.linked import insert_before, remove

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
def line_of(job: int, jobs: Jobs, rules: Rules) -> int:
    """Return the line of the queue in which a job waits."""
    return jobs.asked[job].job_class if rules.priority else 0


@kernel
def join_queue(job: int, jobs: Jobs, matrix: Matrix, waiting: Waiting, rules: Rules) -> None:
    """Put a job at the end of its line."""
    insert_before(job, -1, waiting.lines[line_of(job, jobs, rules)], waiting.links)
    matrix.clock.queued += 1
    count_demand(job, 1, jobs, matrix, rules)


@kernel
def leave_queue(job: int, jobs: Jobs, matrix: Matrix, waiting: Waiting, rules: Rules) -> None:
    """Take a job out of the queue."""
    remove(job, waiting.lines[line_of(job, jobs, rules)], waiting.links)
    matrix.clock.queued -= 1
    count_demand(job, -1, jobs, matrix, rules)


@kernel
def priority_of(job: int, line: int, now: int, jobs: Jobs, rules: Rules) -> int:
    """Return a queued job's priority; in ``fcfs`` all have the same."""
    own = STEP * (LINES - 1 - line)
    if rules.aging_us == 0:
        return own
    return min(TOP, own + STEP * ((now - jobs.asked[job].submit) // rules.aging_us))


@kernel
def first_line(fronts: np.ndarray, now: int, jobs: Jobs, rules: Rules) -> int:
    """Return the line whose front job (-1: none) comes first in the queue; -1 when no line has one."""
    best, best_priority, best_job = -1, -1, -1
    for line in range(LINES):
        job = fronts[line]
        if job >= 0:
            priority = priority_of(job, line, now, jobs, rules)
            if priority > best_priority or (priority == best_priority and job < best_job):
                best, best_priority, best_job = line, priority, job
    return best


@kernel
def begin_walk(waiting: Waiting) -> None:
    """Begin to go through the queue from its head."""
    for line in range(LINES):
        waiting.ahead[line] = waiting.lines[line].first


@kernel
def queue_head(now: int, jobs: Jobs, waiting: Waiting, rules: Rules) -> int:
    """Return the job at the head of the queue; -1 when no job waits. A walk through the queue has to begin anew."""
    begin_walk(waiting)
    line = first_line(waiting.ahead, now, jobs, rules)
    return waiting.ahead[line] if line >= 0 else -1


@kernel
def next_in_walk(now: int, jobs: Jobs, waiting: Waiting, rules: Rules) -> int:
    """Return the next job in queue order, or -1 at the end; a job that was returned may leave the queue."""
    line = first_line(waiting.ahead, now, jobs, rules)
    if line < 0:
        return -1
    job = waiting.ahead[line]
    waiting.ahead[line] = waiting.links[job].next
    return job
