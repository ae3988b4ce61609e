"""Predictions from estimates: a small copy of the machine runs until one more job starts.

The copy holds the running and waiting jobs alone, in their order; every job runs for its estimate.
"""

from typing import NamedTuple

import numpy as np

from scheduler_core.common.units import NEVER_US
from scheduler_core.kernel import heap
from scheduler_core.kernel.jit import kernel, kernel_entry
from scheduler_core.kernel.profile import earliest
from scheduler_core.kernel.queue import FIRST, LAST, Queue
from scheduler_core.kernel.records import Record
from scheduler_core.space_sharing.orders import BY_SLOWDOWN
from scheduler_core.space_sharing.rules import Backfill, TiedCompletions
from scheduler_core.space_sharing.slowdown_heap import forget_times
from scheduler_core.space_sharing.state import World, job_of
from scheduler_core.space_sharing.stepped_state import Blocks, Machine, Tasks, machine_of


class Newcomer(NamedTuple):
    """The job whose start is predicted, with its keys where the queue, or the candidates, are kept by keys."""

    at: int
    size: int
    length: int
    key: int
    candidate_key: int


@kernel_entry
def copy_with(new: Newcomer, blocks: Blocks, believed: Blocks, tasks: Tasks) -> int:
    """Make the copy, with one more job behind all others; return the place of that job there."""
    machine, copy = machine_of(blocks), machine_of(believed).world
    world, jobs, moved_to = machine.world, copy.jobs, machine.moved_to
    place = copy_jobs(machine, copy, tasks.step[0])
    copy.clock[0] = world.clock[0]
    copy.clock[0].next_job = place
    copy_running(world, copy, moved_to)
    copy_queue(world.queue, copy.queue, moved_to)
    copy.queue.key[place] = new.key
    if world.rules[0].order == BY_SLOWDOWN:
        forget_times(copy.queue)
    if world.rules[0].own_candidates:
        copy_queue(world.candidates, copy.candidates, moved_to)
        copy.candidates.key[place] = new.candidate_key
    copy_held(world, copy)
    head = world.clock[0].head
    copy.clock[0].head = moved_to[head] if head >= 0 and world.start[head] < 0 else -1
    jobs.submit[place], copy.start[place], jobs.submit[place + 1] = new.at, -1, NEVER_US
    jobs.run[place], jobs.estimate[place], jobs.tested[place] = new.length, new.length, new.length
    jobs.size[place] = new.size
    return place


@kernel_entry
def earliest_in_plan(at: int, size: int, length: int, blocks: Blocks) -> int:
    """Return the earliest time from which a plan has processors for so long."""
    return earliest(machine_of(blocks).world.profile, at, size, length)


@kernel
def copy_jobs(machine: Machine, copy: World, step: Record) -> int:
    """Copy the jobs that run or wait, in order of position, for their estimates; return how many there are."""
    world, jobs, its = machine.world, machine.world.jobs, copy.jobs
    first, count = step.known, 0
    for job in range(step.oldest, step.known):
        if world.start[job] >= 0 and world.start[job] + jobs.run[job] <= world.clock[0].now:
            continue
        first = min(first, job)
        machine.moved_to[job] = count
        its.submit[count] = jobs.submit[job]
        its.run[count] = jobs.estimate[job]
        its.estimate[count] = jobs.estimate[job]
        its.tested[count] = jobs.tested[job]
        its.size[count] = jobs.size[job]
        copy.start[count] = world.start[job]
        copy.queue.key[count] = world.queue.key[job]
        if world.rules[0].own_candidates:
            copy.candidates.key[count] = world.candidates.key[job]
        count += 1
    step.oldest = first
    return count


@kernel
def copy_running(world: World, copy: World, moved_to: np.ndarray) -> None:
    """Copy the running jobs, with the ends that the scheduler expects."""
    running, its = world.running, copy.running
    for k in range(world.clock[0].running):
        tie = running.end_tie[k]
        job = moved_to[job_of(tie, running, world.rules[0])]
        if world.rules[0].tied_completions == TiedCompletions.start:
            its.started_as[tie] = job
        else:
            tie = job
        heap.push(its.end, its.end_tie, k, copy.start[job] + copy.jobs.run[job], tie)
        if world.rules[0].backfill == Backfill.easy:
            its.expected[k] = running.expected[k]
            its.expected_job[k] = moved_to[running.expected_job[k]]
            its.expected_size[k] = running.expected_size[k]


@kernel
def copy_queue(queue: Queue, copy: Queue, moved_to: np.ndarray) -> None:
    """Copy a queue."""
    first, last = queue.bounds[FIRST], queue.bounds[LAST]
    for k in range(first, last):
        copy.jobs[k - first] = moved_to[queue.jobs[k]]
    copy.bounds[FIRST], copy.bounds[LAST] = 0, last - first


@kernel
def copy_held(world: World, copy: World) -> None:
    """Copy the holds."""
    held, its = world.held, copy.held
    for k in range(world.clock[0].held):
        its.begin[k], its.end[k], its.size[k] = held.begin[k], held.end[k], held.size[k]
