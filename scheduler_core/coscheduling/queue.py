"""The waiting jobs, and the order in which a pass looks at them: by priority level with aging (LOMARC, section 5.1)."""

from __future__ import annotations

import numpy as np

from scheduler_core.common.units import NEVER_US
from scheduler_core.coscheduling.state import AGING_FIXED, AGING_MEAN, LONG, SHORT, Jobs, Machine, Waiting
from scheduler_core.kernel.jit import kernel, kernel_step


@kernel
def enqueue(job: int, jobs: Jobs, machine: Machine, waiting: Waiting) -> None:
    """Let a job join the queue, and count it among those submitted so far."""
    clock, asked = machine.clock, jobs.asked[job]
    waiting.jobs[clock.last] = job
    clock.last += 1
    clock.asked += asked.processors
    if machine.rules.future_so_far:
        work = asked.estimate * asked.processors
        if asked.job_class == SHORT:
            clock.shorts += 1
            clock.short_work += work
        else:
            clock.other_work += work


@kernel
def aging_interval(machine: Machine) -> int:
    """Return the wait that raises a job by one level; a time that does not come when levels do not rise."""
    rules, clock = machine.rules, machine.clock
    if rules.aging == AGING_FIXED:
        return rules.aging_time
    if rules.aging == AGING_MEAN:
        return max(rules.aging_time, clock.waited // max(1, clock.started))
    return NEVER_US


@kernel_step
def put_in_order(now: int, jobs: Jobs, machine: Machine, waiting: Waiting) -> int:
    """Write the order of the pass; return the number of jobs.

    Jobs of one level stand as they were submitted; so the order is made in one go through the queue.
    """
    clock = machine.clock
    interval = aging_interval(machine)
    once, twice = now - interval, now - interval - interval  # submissions up to here have risen by one level, by two
    asked, order, level_1, level_0 = jobs.asked, waiting.order, waiting.level_1, waiting.level_0
    top, middle, bottom = 0, 0, 0
    for k in range(clock.first, clock.last):
        job = waiting.jobs[k]
        level = asked[job].job_class
        submit = asked[job].submit
        if level == SHORT or submit <= twice or (level > LONG and submit <= once):
            order[top] = job
            top += 1
        elif level > LONG or submit <= once:
            level_1[middle] = job
            middle += 1
        else:
            level_0[bottom] = job
            bottom += 1
    for k in range(middle):
        order[top + k] = level_1[k]
    for k in range(bottom):
        order[top + middle + k] = level_0[k]
    return top + middle + bottom


@kernel
def drop_started(start: np.ndarray, machine: Machine, waiting: Waiting) -> None:
    """Take the jobs that have started out of the queue."""
    clock, jobs = machine.clock, waiting.jobs
    first, last = clock.first, clock.last
    while first < last and start[jobs[first]] >= 0:
        first += 1
    kept = first
    while kept < last and start[jobs[kept]] < 0:
        kept += 1
    for k in range(kept, last):
        if start[jobs[k]] < 0:
            jobs[kept] = jobs[k]
            kept += 1
    clock.first, clock.last = first, kept
