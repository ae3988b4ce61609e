"""Partitioning in space: equipartition, folding, compression (Huang 2004, chapter 4 and section 6.2).

A pass first plans the sizes of all jobs that run or are admitted. The plan is in ``scratch``: jobs with their size
(``value``) and its bounds, running jobs first. Then the pass carries the plan out: jobs shrink, start and grow.
"""

import numpy as np

from scheduler_core.gang.adapt_workload import resize
from scheduler_core.gang.placement import open_slot, place_job
from scheduler_core.gang.queue import leave_queue
from scheduler_core.gang.state import EQUIPARTITION, FOLDING, MALLEABLE, RIGID, World
from scheduler_core.kernel.jit import kernel, kernel_step
from scheduler_core.kernel.records import Record


@kernel
def set_bounds(entry: Record, job: int, held: int, asked: Record) -> None:
    """Enter a job into the plan with the bounds of its size; ``held`` is its present size, 0 for a job of the queue.

    Rigid jobs have the size they ask for, running moldable jobs keep theirs.
    """
    entry.job, entry.value = job, held
    if asked.flexibility == RIGID:
        entry.fewest = entry.most = asked.best_size
    elif held > 0 and asked.flexibility != MALLEABLE:
        entry.fewest = entry.most = held
    else:
        entry.fewest, entry.most = asked.size_min, asked.size_max


@kernel
def spare(entry: Record) -> int:
    """Return how many processors a job of the plan can give up: half of them, rounded down, but never below its fewest."""
    return min(entry.value // 2, entry.value - entry.fewest)


@kernel_step
def plan_equal_shares(running: int, world: World) -> int:
    """Admit jobs while each can have its fewest processors, share the rest as equally as possible; return the plan's jobs."""
    plan = world.scratch
    room = world.rules.processors
    for k in range(running):
        plan[k].value = plan[k].fewest
        room -= plan[k].fewest
    present = running
    job = world.lines[0].first
    while job >= 0:
        entry = plan[present]
        set_bounds(entry, job, 0, world.asked[job])
        if entry.fewest > room:
            break
        entry.value = entry.fewest
        room -= entry.fewest
        present += 1
        job = world.links[job].next
    while room > 0:
        poorest = -1
        for k in range(present):
            if plan[k].value < plan[k].most and (poorest < 0 or plan[k].value < plan[poorest].value):
                poorest = k
        if poorest < 0:
            break
        plan[poorest].value += 1
        room -= 1
    return present


@kernel
def extreme(sign: int, present: int, plan: np.ndarray, asked: np.ndarray) -> int:
    """Return the malleable job of the plan with most (sign 1) or, among those that can grow, fewest (-1) processors; or -1."""
    best = -1
    for k in range(present):
        if asked[plan[k].job].flexibility != MALLEABLE:
            continue
        eligible = sign > 0 or plan[k].value < plan[k].most
        if eligible and (best < 0 or sign * plan[k].value > sign * plan[best].value):
            best = k
    return best


@kernel_step
def plan_folding(running: int, world: World) -> int:
    """Fold the largest partition for each job that finds too few processors; unfold the smallest when no job waits."""
    plan, free = world.scratch, world.rules.processors - world.clock.held
    present = running
    job = world.lines[0].first
    while job >= 0:
        entry = plan[present]
        set_bounds(entry, job, 0, world.asked[job])
        if free < entry.fewest:
            largest = extreme(1, present, plan, world.asked)
            if largest < 0:
                break
            folded = min(spare(plan[largest]), entry.most - free)
            if free + folded < entry.fewest:
                break
            plan[largest].value -= folded
            free += folded
        entry.value = min(free, entry.most)
        free -= entry.value
        present += 1
        job = world.links[job].next
    while job < 0 and free > 0:
        smallest = extreme(-1, present, plan, world.asked)
        if smallest < 0:
            break
        entry = plan[smallest]
        unfolded = min(entry.value, free, entry.most - entry.value)
        entry.value += unfolded
        free -= unfolded
    return present


@kernel_step
def plan_compression(running: int, world: World) -> int:
    """Compress running and just scheduled jobs, in order, for each job that finds fewer processors than its optimum."""
    plan, free = world.scratch, world.rules.processors - world.clock.held
    present = running
    job = world.lines[0].first
    while job >= 0:
        entry, enough = plan[present], world.asked[job].best_size
        set_bounds(entry, job, 0, world.asked[job])
        within_reach = free
        for k in range(present):
            within_reach += spare(plan[k])
        if within_reach < entry.fewest:
            break
        for k in range(present):
            given = max(0, min(spare(plan[k]), enough - free))
            plan[k].value -= given
            free += given
        entry.value = min(free, enough)
        free -= entry.value
        present += 1
        job = world.links[job].next
    return present


@kernel_step
def share_space(world: World) -> None:
    """Plan the sizes of this pass by the rule, then resize and start jobs accordingly.

    Jobs that shrink come before jobs that start, and jobs that grow come last, so that there is room for all.
    """
    running, plan, system = world.clock.running, world.scratch, world.rules.system
    for k in range(running):
        job = world.running[k]
        set_bounds(plan[k], job, world.state[job].held, world.asked[job])
    if system == EQUIPARTITION:
        present = plan_equal_shares(running, world)
    elif system == FOLDING:
        present = plan_folding(running, world)
    else:
        present = plan_compression(running, world)
    if present > 0 and world.clock.slots == 0:
        world.counters.slots_opened += 1
        open_slot(world)
    for k in range(running):
        if plan[k].value < world.state[plan[k].job].held:
            resize(plan[k].job, plan[k].value, world)
    for k in range(running, present):
        leave_queue(plan[k].job, world)
        place_job(plan[k].job, world.order[0], plan[k].value, world)
    for k in range(running):
        if plan[k].value > world.state[plan[k].job].held:
            resize(plan[k].job, plan[k].value, world)
