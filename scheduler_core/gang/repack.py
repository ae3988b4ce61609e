"""Packing all jobs anew (migration), and filling idle slots with further copies (da Silva 2000, sections 4.4 and 5.3.4)."""

from __future__ import annotations

import numpy as np

from scheduler_core.gang.buddy import walk_cycle
from scheduler_core.gang.fixed_parts import walk_parts
from scheduler_core.gang.packing import fit
from scheduler_core.gang.placement import append_to_slot, open_slot
from scheduler_core.gang.segments import break_segment, predict_end
from scheduler_core.gang.state import (
    BUDDY,
    REPACK_NEVER,
    STATIC,
    Jobs,
    Matrix,
    Rows,
    Rules,
)
from scheduler_core.kernel import processor_sets as processors
from scheduler_core.kernel.jit import kernel, kernel_step


@kernel_step
def repack(now: int, reading: int, jobs: Jobs, matrix: Matrix, rules: Rules, rows: Rows) -> None:
    """Empty the matrix and pack its jobs again, in the order in which they stand among the running.

    A job that comes to another slot or other processors begins a new segment. With fill the copies decide about that.
    """
    clock = matrix.clock
    for k in range(clock.slots):
        matrix.slots[matrix.order[k]].used = 0
    clock.slots = 0
    for k in range(clock.running):
        job = matrix.running[k]
        size = matrix.state[job].held
        slot = fit(size, matrix, rules)
        if slot < 0:
            slot = open_slot(matrix, rules)
        mask = matrix.new_mask[job]
        for word in range(mask.shape[0]):
            mask[word] = 0
        processors.take_lowest(matrix.free_mask[slot], mask, size)
        matrix.slots[slot].free -= size
        moved = matrix.state[job].slot != slot or not processors.equal(mask, matrix.mask[job])
        if moved and not rules.fill:
            break_segment(job, now, reading, matrix, rows)
            predict_end(job, jobs, matrix)
        append_to_slot(job, slot, matrix)
        processors.copy(matrix.mask[job], mask)


@kernel
def runs_in(job: int, slot: int, matrix: Matrix, rules: Rules) -> bool:
    """Return whether a job can have a copy in a slot: with its own processors, or any where it can be moved."""
    if matrix.state[job].slot == slot or matrix.slots[slot].free < matrix.state[job].held:
        return False
    if rules.repack == REPACK_NEVER:
        return processors.contains(matrix.free_mask[slot], matrix.mask[job])
    return True


@kernel_step
def walk_slots(write: int, places: np.ndarray, matrix: Matrix, rules: Rules) -> None:
    """Go through all slots and give every job that fits a copy in each; free processors are left as they were.

    Without ``write`` the jobs' places are only counted; with it, ``places`` says where a job's next one is written.
    """
    clock = matrix.clock
    before = matrix.scratch_mask
    for s in range(clock.slots):
        slot = matrix.order[s]
        free = matrix.slots[slot].free
        processors.copy(before, matrix.free_mask[slot])
        for k in range(clock.running):
            job = matrix.running[k]
            own = matrix.state[job].slot == slot
            if not own and not runs_in(job, slot, matrix, rules):
                continue
            mask = matrix.fresh_mask[places[job]] if write else matrix.new_mask[job]
            if write:
                matrix.fresh_slot[places[job]] = slot
            places[job] += 1
            take_place(job, slot, own, mask, matrix, rules)
        matrix.slots[slot].free = free
        processors.copy(matrix.free_mask[slot], before)


@kernel
def take_place(job: int, slot: int, own: bool, mask: np.ndarray, matrix: Matrix, rules: Rules) -> None:
    """Put a job's processors in a slot into ``mask``, and take them off the slot where it is not the job's own."""
    for word in range(mask.shape[0]):
        mask[word] = 0
    if own or rules.repack == REPACK_NEVER:
        processors.copy(mask, matrix.mask[job])
    if own:
        return
    if rules.repack == REPACK_NEVER:
        processors.leave(matrix.free_mask[slot], mask)
    else:
        processors.take_lowest(matrix.free_mask[slot], mask, matrix.state[job].held)
    matrix.slots[slot].free -= matrix.state[job].held


@kernel_step
def fill_idle_slots(now: int, reading: int, jobs: Jobs, matrix: Matrix, rules: Rules, rows: Rows) -> None:
    """Give jobs copies in the slots in which they fit, and begin new segments where that changes something."""
    clock = matrix.clock
    next_place, counts = matrix.fresh_begin[0], matrix.fresh_begin[1]
    running = clock.running
    total = 0
    for k in range(running):
        counts[matrix.running[k]] = 0
    for write in range(2):
        places = next_place if write else counts
        if rules.system == BUDDY:
            walk_cycle(write, places, matrix, rules)
        elif rules.system == STATIC:
            walk_parts(write, places, matrix)
        else:
            walk_slots(write, places, matrix, rules)
        if not write:
            for k in range(running):
                job = matrix.running[k]
                next_place[job] = total
                total += counts[job]
    for k in range(running):
        job = matrix.running[k]
        state = matrix.state[job]
        if not same_places(job, next_place[job] - counts[job], counts[job], matrix):
            break_segment(job, now, reading, matrix, rows)
        clock.held += (counts[job] - state.places) * state.held
        state.places = counts[job]
    for place in range(total):
        matrix.copy_slot[place] = matrix.fresh_slot[place]
        processors.copy(matrix.copy_mask[place], matrix.fresh_mask[place])
    for k in range(running):
        job = matrix.running[k]
        matrix.state[job].copy_begin = next_place[job] - counts[job]
        if matrix.state[job].begin == now:
            predict_end(job, jobs, matrix)
    clock.places = total


@kernel
def same_places(job: int, first: int, count: int, matrix: Matrix) -> bool:
    """Return whether a job's new places are those it has."""
    begin = matrix.state[job].copy_begin
    if begin < 0 or count != matrix.state[job].places:
        return False
    for k in range(count):
        if matrix.copy_slot[begin + k] != matrix.fresh_slot[first + k]:
            return False
        if not processors.equal(matrix.copy_mask[begin + k], matrix.fresh_mask[first + k]):
            return False
    return True
