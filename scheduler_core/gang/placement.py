"""Putting jobs into slots and taking them out again."""

from __future__ import annotations

import numpy as np

from scheduler_core.gang import processors
from scheduler_core.gang.segments import predict_end, rate_at
from scheduler_core.gang.state import (
    FIRST_START,
    HELD,
    MEMORY_BEST_FIT,
    MEMORY_FIT,
    RUNNING,
    SLOTS,
    Jobs,
    Matrix,
    Rules,
)
from scheduler_core.kernel.jit import kernel, kernel_step


@kernel_step
def open_slot(matrix: Matrix, rules: Rules) -> int:
    """Add an empty slot at the end; it takes the lowest number not in use."""
    slot = 0
    while matrix.used[slot]:
        slot += 1
    matrix.used[slot] = True
    matrix.order[matrix.clock[SLOTS]] = slot
    matrix.clock[SLOTS] += 1
    matrix.free[slot] = rules.processors
    matrix.first[slot] = matrix.last[slot] = -1
    processors.fill_with_all(matrix.free_mask[slot], rules.processors)
    return slot


@kernel_step
def remove_empty_slots(matrix: Matrix) -> None:
    """Remove the slots that hold no job; the others keep their order."""
    clock = matrix.clock
    kept = 0
    for k in range(clock[SLOTS]):
        slot = matrix.order[k]
        if matrix.first[slot] < 0:
            matrix.used[slot] = False
        else:
            matrix.order[kept] = slot
            kept += 1
    clock[SLOTS] = kept


@kernel_step
def file_running(job: int, jobs: Jobs, matrix: Matrix, rules: Rules) -> None:
    """Add a job to the running ones, which stand in the order of re-packing."""
    place = matrix.clock[RUNNING]
    if rules.repack != 0:
        size = jobs.size[job]
        while place > 0:
            earlier = matrix.running[place - 1]
            other = jobs.size[earlier]
            if rules.largest_first and other != size:
                if other > size:
                    break
            elif earlier < job:
                break
            matrix.running[place] = earlier
            place -= 1
    matrix.running[place] = job
    matrix.clock[RUNNING] += 1


@kernel_step
def unfile_running(job: int, matrix: Matrix) -> None:
    """Remove a job from the running ones; the others keep their order."""
    count = matrix.clock[RUNNING]
    place = 0
    while matrix.running[place] != job:
        place += 1
    for k in range(place, count - 1):
        matrix.running[k] = matrix.running[k + 1]
    matrix.clock[RUNNING] = count - 1


@kernel
def append_to_slot(job: int, slot: int, matrix: Matrix) -> None:
    """Put a job at the end of a slot's list."""
    last = matrix.last[slot]
    matrix.previous[job] = last
    matrix.next[job] = -1
    if last < 0:
        matrix.first[slot] = job
    else:
        matrix.next[last] = job
    matrix.last[slot] = job
    matrix.slot[job] = slot


@kernel
def remove_from_slot(job: int, matrix: Matrix) -> None:
    """Take a job out of its slot's list."""
    slot = matrix.slot[job]
    before, after = matrix.previous[job], matrix.next[job]
    if before < 0:
        matrix.first[slot] = after
    else:
        matrix.next[before] = after
    if after < 0:
        matrix.last[slot] = before
    else:
        matrix.previous[after] = before


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
        hold_memory(job, mask, -jobs.memory[job], matrix, rules)
    else:
        processors.take_lowest(matrix.free_mask[slot], mask, size)
    matrix.free[slot] -= size
    append_to_slot(job, slot, matrix)
    file_running(job, jobs, matrix, rules)
    matrix.held[job] = size
    matrix.places[job] = 1
    clock[HELD] += size
    matrix.left[job] = jobs.work[job]
    matrix.stall[job] = 0
    matrix.begin[job] = now
    matrix.begin_clock[job] = reading
    matrix.start[job] = now
    matrix.rate[job] = rate_at(job, size, jobs)
    predict_end(job, jobs, matrix)
    if clock[FIRST_START] < 0:
        clock[FIRST_START] = now


@kernel_step
def grow(job: int, count: int, jobs: Jobs, matrix: Matrix) -> None:
    """Give a job more processors of its own slot."""
    slot = matrix.slot[job]
    processors.take_lowest(matrix.free_mask[slot], matrix.mask[job], count)
    matrix.free[slot] -= count
    matrix.held[job] += count
    matrix.clock[HELD] += count
    matrix.rate[job] = rate_at(job, matrix.held[job], jobs)
    predict_end(job, jobs, matrix)


@kernel_step
def shrink(job: int, count: int, jobs: Jobs, matrix: Matrix) -> None:
    """Take the highest-numbered processors from a job."""
    slot = matrix.slot[job]
    processors.give_highest(matrix.mask[job], matrix.free_mask[slot], count)
    matrix.free[slot] += count
    matrix.held[job] -= count
    matrix.clock[HELD] -= count
    matrix.rate[job] = rate_at(job, matrix.held[job], jobs)
    predict_end(job, jobs, matrix)


@kernel_step
def remove_job(job: int, jobs: Jobs, matrix: Matrix, rules: Rules) -> None:
    """Take a job that has ended out of the matrix."""
    slot = matrix.slot[job]
    if rules.packing == MEMORY_FIT or rules.packing == MEMORY_BEST_FIT:
        hold_memory(job, matrix.mask[job], jobs.memory[job], matrix, rules)
    processors.join(matrix.free_mask[slot], matrix.mask[job])
    matrix.free[slot] += matrix.held[job]
    matrix.clock[HELD] -= matrix.held[job] * matrix.places[job]
    remove_from_slot(job, matrix)
    unfile_running(job, matrix)
