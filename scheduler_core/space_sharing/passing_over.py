"""Ceilings and closed hours, kept: which waiting jobs a pass passes over, and when nothing holds them any longer.

Each function takes the world's ceilings once more: where no job can be held, compiled code skips the look at them.
"""

import numpy as np

from scheduler_core.common.units import NEVER_US
from scheduler_core.kernel.jit import kernel, kernel_step
from scheduler_core.kernel.queue import FIRST, LAST
from scheduler_core.space_sharing.ceilings import Ceilings, closed_until, next_boundary, remaining_of
from scheduler_core.space_sharing.state import World


@kernel
def is_held(now: int, job: int, world: World, ceilings: Ceilings | None) -> bool:
    """Return whether a ceiling of its user or closed hours hold a waiting job now."""
    if ceilings is None or not world.rules[0].holds_jobs:
        return False
    return closed_until(now, job, ceilings.closed) >= 0 or reaches_ceiling(now, job, world, ceilings)


@kernel_step
def reaches_ceiling(now: int, job: int, world: World, ceilings: Ceilings) -> bool:
    """Return whether a job and the running ones of its user exceed a ceiling; a job alone never does."""
    user, rules = ceilings.user[job], world.rules[0]
    if user < 0 or ceilings.running[user] == 0:
        return False
    if rules.user_jobs > 0 and ceilings.running[user] >= rules.user_jobs:
        return True
    return rules.user_time >= 0 and excess_of(now, job, world, ceilings) > 0


@kernel
def excess_of(now: int, job: int, world: World, ceilings: Ceilings) -> int:
    """Return by how much a job and the running ones of its user exceed the ceiling on time; NEVER_US if the job alone does.

    The sum stays within int64, as the ceiling is at most NEVER_US and the running jobs exceed it only if they are one job.
    """
    ceiling, area = world.rules[0].user_time, np.int64(world.jobs.size[job]) * world.jobs.estimate[job]
    if area > ceiling:
        return NEVER_US
    return (area - ceiling) + remaining_of(now, ceilings.user[job], ceilings)


@kernel
def pass_over(now: int, world: World, ceilings: Ceilings | None) -> None:
    """Set the held jobs at the front of the queue aside until :func:`put_back`.

    A pass only starts jobs, so a job that is held once stays held to the end of the pass.
    """
    if ceilings is not None:
        queue, bounds = world.queue, world.queue.bounds
        while bounds[FIRST] < bounds[LAST] and is_held(now, queue.jobs[bounds[FIRST]], world, ceilings):
            ceilings.aside[ceilings.passed[0]] = queue.jobs[bounds[FIRST]]
            ceilings.passed[0] += 1
            bounds[FIRST] += 1


@kernel
def put_back(world: World, ceilings: Ceilings | None) -> None:
    """Put the jobs that a pass has set aside back to the front of the queue, in their order."""
    if ceilings is not None:
        while ceilings.passed[0] > 0:
            ceilings.passed[0] -= 1
            world.queue.bounds[FIRST] -= 1
            world.queue.jobs[world.queue.bounds[FIRST]] = ceilings.aside[ceilings.passed[0]]


@kernel
def next_below(now: int, world: World, ceilings: Ceilings | None) -> int:
    """Return the next time at which a waiting job may change whether it is held although no job ends; NEVER_US if none does."""
    if ceilings is None or not world.rules[0].holds_jobs:
        return NEVER_US
    return next_below_time(now, world, ceilings)


@kernel_step
def next_below_time(now: int, world: World, ceilings: Ceilings) -> int:
    """Return what :func:`next_below` does. Remaining requested time falls, and closed hours begin or end."""
    queue, rules, due = world.queue, world.rules[0], NEVER_US
    for k in range(queue.bounds[FIRST], queue.bounds[LAST]):
        due = min(due, next_boundary(now, queue.jobs[k], ceilings.closed))
    if rules.user_time < 0:
        return due
    for k in range(queue.bounds[FIRST], queue.bounds[LAST]):
        job = queue.jobs[k]
        user = ceilings.user[job]
        if user < 0 or ceilings.running[user] == 0:
            continue
        if rules.user_jobs > 0 and ceilings.running[user] >= rules.user_jobs:
            continue
        excess, processors = excess_of(now, job, world, ceilings), ceilings.processors[user]
        if 0 < excess < NEVER_US:
            due = min(due, now + (excess + processors - 1) // processors)
    return due
