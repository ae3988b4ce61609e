"""Putting jobs into slots and taking them out again."""

from __future__ import annotations

import numpy as np

from scheduler_core.gang.segments import predict_end, rate_at
from scheduler_core.gang.state import (
    MEMORY_BEST_FIT,
    MEMORY_FIT,
    REPACK_NEVER,
    Jobs,
    Matrix,
    Rules,
)
from scheduler_core.kernel import processor_sets as processors
from scheduler_core.kernel.jit import kernel, kernel_step
from scheduler_core.kernel.linked import insert_before, remove


@kernel_step
def open_slot(matrix: Matrix, rules: Rules) -> int:
    """Add an empty slot at the end; it takes the lowest number not in use."""
    slot = 0
    while matrix.slots[slot].used:
        slot += 1
    matrix.slots[slot].used = 1
    matrix.order[matrix.clock.slots] = slot
    matrix.clock.slots += 1
    matrix.slots[slot].free = rules.processors
    matrix.slots[slot].first = matrix.slots[slot].last = -1
    processors.fill_with_all(matrix.free_mask[slot], rules.processors)
    return slot


@kernel_step
def remove_empty_slots(matrix: Matrix) -> None:
    """Remove the slots that hold no job; the others keep their order."""
    clock = matrix.clock
    kept = 0
    for k in range(clock.slots):
        slot = matrix.order[k]
        if matrix.slots[slot].first < 0:
            matrix.slots[slot].used = 0
        else:
            matrix.order[kept] = slot
            kept += 1
    clock.slots = kept


@kernel_step
def file_running(job: int, jobs: Jobs, matrix: Matrix, rules: Rules) -> None:
    """Add a job to the running ones, which stand in the order of re-packing."""
    place = matrix.clock.running
    if rules.repack != REPACK_NEVER:
        size = jobs.asked[job].best_size
        while place > 0:
            earlier = matrix.running[place - 1]
            other = jobs.asked[earlier].best_size
            if rules.largest_first and other != size:
                if other > size:
                    break
            elif earlier < job:
                break
            matrix.running[place] = earlier
            place -= 1
    matrix.running[place] = job
    matrix.clock.running += 1


@kernel_step
def unfile_running(job: int, matrix: Matrix) -> None:
    """Remove a job from the running ones; the others keep their order."""
    count = matrix.clock.running
    place = 0
    while matrix.running[place] != job:
        place += 1
    for k in range(place, count - 1):
        matrix.running[k] = matrix.running[k + 1]
    matrix.clock.running = count - 1


@kernel
def append_to_slot(job: int, slot: int, matrix: Matrix) -> None:
    """Put a job at the end of a slot's list."""
    insert_before(job, -1, matrix.slots[slot], matrix.state)
    matrix.state[job].slot = slot


@kernel
def hold_memory(job: int, mask: np.ndarray, change: int, matrix: Matrix, rules: Rules) -> None:
    """Change the memory left on a set of processors."""
    for processor in range(rules.processors):
        if processors.has(mask, processor):
            matrix.memory[processor] += change


@kernel_step
def place_job(job: int, slot: int, size: int, now: int, reading: int, jobs: Jobs, matrix: Matrix, rules: Rules) -> None:
    """Start a job on ``size`` processors of a slot; with a memory packing its processors stand in ``new_mask``."""
    clock = matrix.clock
    mask = matrix.mask[job]
    if rules.packing == MEMORY_FIT or rules.packing == MEMORY_BEST_FIT:
        processors.copy(mask, matrix.new_mask[job])
        processors.leave(matrix.free_mask[slot], mask)
        hold_memory(job, mask, -jobs.asked[job].memory, matrix, rules)
    else:
        processors.take_lowest(matrix.free_mask[slot], mask, size)
    matrix.slots[slot].free -= size
    append_to_slot(job, slot, matrix)
    file_running(job, jobs, matrix, rules)
    matrix.state[job].held = size
    matrix.state[job].places = 1
    clock.held += size
    matrix.state[job].left = jobs.asked[job].work
    matrix.state[job].stall = 0
    matrix.state[job].begin = now
    matrix.state[job].begin_clock = reading
    matrix.state[job].start = now
    matrix.state[job].rate = rate_at(job, size, jobs)
    predict_end(job, jobs, matrix)
    if clock.first_start < 0:
        clock.first_start = now


@kernel_step
def grow(job: int, count: int, jobs: Jobs, matrix: Matrix) -> None:
    """Give a job more processors of its own slot."""
    slot = matrix.state[job].slot
    processors.take_lowest(matrix.free_mask[slot], matrix.mask[job], count)
    matrix.slots[slot].free -= count
    matrix.state[job].held += count
    matrix.clock.held += count
    matrix.state[job].rate = rate_at(job, matrix.state[job].held, jobs)
    predict_end(job, jobs, matrix)


@kernel_step
def shrink(job: int, count: int, jobs: Jobs, matrix: Matrix) -> None:
    """Take the highest-numbered processors from a job."""
    slot = matrix.state[job].slot
    processors.give_highest(matrix.mask[job], matrix.free_mask[slot], count)
    matrix.slots[slot].free += count
    matrix.state[job].held -= count
    matrix.clock.held -= count
    matrix.state[job].rate = rate_at(job, matrix.state[job].held, jobs)
    predict_end(job, jobs, matrix)


@kernel_step
def remove_job(job: int, jobs: Jobs, matrix: Matrix, rules: Rules) -> None:
    """Take a job that has ended out of the matrix."""
    slot = matrix.state[job].slot
    if rules.packing == MEMORY_FIT or rules.packing == MEMORY_BEST_FIT:
        hold_memory(job, matrix.mask[job], jobs.asked[job].memory, matrix, rules)
    processors.join(matrix.free_mask[slot], matrix.mask[job])
    matrix.slots[slot].free += matrix.state[job].held
    matrix.clock.held -= matrix.state[job].held * matrix.state[job].places
    remove(job, matrix.slots[slot], matrix.state)
    unfile_running(job, matrix)
