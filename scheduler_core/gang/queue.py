"""The queue: in order of submission, or by priority class with aging (Huang 2004, section 6.7)."""

import numpy as np

from scheduler_core.gang.state import AHEAD, HIGH, LINES, LOW, MALLEABLE, World
from scheduler_core.kernel.jit import kernel
from scheduler_core.kernel.linked import insert_before, remove
from scheduler_core.kernel.records import Record

STEP, TOP = 5, 10
"""Priority that a class or an aging interval adds, and the highest priority."""


@kernel
def count_demand(sign: int, asked: Record, clock: Record, rules: Record) -> None:
    """Add a queued job to the demand and the possible increase (``sign`` 1), or subtract it (-1)."""
    if asked.estimate >= rules.reconfiguration_us:
        clock.queued_demand += sign * asked.best_size
        clock.queued_counted += sign
    if asked.flexibility == MALLEABLE:
        clock.queued_increase += sign * (asked.size_max - asked.best_size)


@kernel
def target_size(asked: Record, clock: Record) -> int:
    """Return the size that a queued job is given under the present load."""
    if clock.load == LOW:
        return asked.low_size
    return asked.high_size if clock.load == HIGH else asked.normal_size


@kernel
def line_of(asked: Record, rules: Record) -> int:
    """Return the line of the queue in which a job waits."""
    return asked.job_class if rules.priority else 0


@kernel
def join_queue(job: int, world: World) -> None:
    """Put a job at the end of its line."""
    insert_before(job, -1, world.lines[line_of(world.asked[job], world.rules)], world.links)
    world.clock.queued += 1
    count_demand(1, world.asked[job], world.clock, world.rules)


@kernel
def leave_queue(job: int, world: World) -> None:
    """Take a job out of the queue."""
    remove(job, world.lines[line_of(world.asked[job], world.rules)], world.links)
    world.clock.queued -= 1
    count_demand(-1, world.asked[job], world.clock, world.rules)


@kernel
def priority_of(line: int, waited: int, rules: Record) -> int:
    """Return the priority of a job of a line that has waited so long; in ``fcfs`` all are in one line."""
    own = STEP * (LINES - 1 - line)
    if rules.aging_us == 0:
        return own
    return min(TOP, own + STEP * (waited // rules.aging_us))


@kernel
def first_line(fronts: np.ndarray, world: World) -> int:
    """Return the line whose front job (-1: none) comes first in the queue; -1 when no line has one."""
    best, best_priority, best_job = -1, -1, -1
    for line in range(LINES):
        job = fronts[line]
        if job >= 0:
            priority = priority_of(line, world.clock.now - world.asked[job].submit, world.rules)
            if priority > best_priority or (priority == best_priority and job < best_job):
                best, best_priority, best_job = line, priority, job
    return best


@kernel
def begin_walk(fronts: np.ndarray, lines: np.ndarray) -> None:
    """Begin a walk through the queue at its head; ``fronts`` keeps the next job of each line."""
    for line in range(LINES):
        fronts[line] = lines[line].first


@kernel
def queue_head(world: World) -> int:
    """Return the job at the head of the queue; -1 when no job waits. Ends the walk ``AHEAD``."""
    fronts = world.fronts[AHEAD]
    begin_walk(fronts, world.lines)
    line = first_line(fronts, world)
    return fronts[line] if line >= 0 else -1


@kernel
def next_in_walk(fronts: np.ndarray, world: World) -> int:
    """Return the next job in queue order, or -1 at the end; a returned job may leave the queue."""
    line = first_line(fronts, world)
    if line < 0:
        return -1
    job = fronts[line]
    fronts[line] = world.links[job].next
    return job
