"""Packing all jobs anew (migration), and filling idle slots with further copies (da Silva 2000, sections 4.4 and 5.3.4)."""

from __future__ import annotations

from scheduler_core.gang import processors
from scheduler_core.gang.packing import fit
from scheduler_core.gang.placement import append_to_slot, open_slot
from scheduler_core.gang.segments import break_segment, predict_end
from scheduler_core.gang.state import HELD, NEVER, PLACES, RUNNING, SLOTS, Jobs, Matrix, Rows, Rules
from scheduler_core.kernel.jit import kernel, kernel_step


@kernel_step
def repack(now: int, reading: int, jobs: Jobs, matrix: Matrix, rules: Rules, rows: Rows) -> None:
    """Empty the matrix and pack its jobs again, in the order in which they stand among the running.

    A job that comes to another slot or other processors begins a new segment. With fill the copies decide about that.
    """
    clock = matrix.clock
    for k in range(clock[SLOTS]):
        matrix.used[matrix.order[k]] = False
    clock[SLOTS] = 0
    for k in range(clock[RUNNING]):
        job = matrix.running[k]
        size = matrix.held[job]
        slot = fit(size, matrix, rules)
        if slot < 0:
            slot = open_slot(matrix, rules)
        mask = matrix.new_mask[job]
        for word in range(mask.shape[0]):
            mask[word] = 0
        processors.take_lowest(matrix.free_mask[slot], mask, size)
        matrix.free[slot] -= size
        moved = matrix.slot[job] != slot or not processors.equal(mask, matrix.mask[job])
        if moved and not rules.fill:
            break_segment(job, now, reading, matrix, rows)
            predict_end(job, jobs, matrix)
        append_to_slot(job, slot, matrix)
        processors.copy(matrix.mask[job], mask)


@kernel
def runs_in(job: int, slot: int, matrix: Matrix, rules: Rules) -> bool:
    """Whether a job can have a copy in a slot: with its own processors, or any where it can be moved."""
    if matrix.slot[job] == slot or matrix.free[slot] < matrix.held[job]:
        return False
    if rules.repack == NEVER:
        return processors.contains(matrix.free_mask[slot], matrix.mask[job])
    return True


@kernel_step
def fill_idle_slots(now: int, reading: int, jobs: Jobs, matrix: Matrix, rules: Rules, rows: Rows) -> None:
    """Give jobs copies in the slots in which they fit, and begin new segments where that changes something.

    Walked twice, first to count each job's places, then to write them down grouped by job: the second time the free
    processors have to be as they were, so they are given back after the first.
    """
    clock = matrix.clock
    fresh = matrix.fresh_begin
    running = clock[RUNNING]
    for k in range(running):
        fresh[matrix.running[k]] = 0
    for walk in range(2):
        for s in range(clock[SLOTS]):
            slot = matrix.order[s]
            free = matrix.free[slot]
            before = matrix.scratch_mask
            processors.copy(before, matrix.free_mask[slot])
            for k in range(running):
                job = matrix.running[k]
                own = matrix.slot[job] == slot
                if not own and not runs_in(job, slot, matrix, rules):
                    continue
                if walk == 0:
                    fresh[job] += 1
                    mask = matrix.new_mask[job]
                else:
                    place = fresh[job]
                    fresh[job] += 1
                    matrix.fresh_slot[place] = slot
                    mask = matrix.fresh_mask[place]
                for word in range(mask.shape[0]):
                    mask[word] = 0
                if own:
                    processors.copy(mask, matrix.mask[job])
                elif rules.repack == NEVER:
                    processors.copy(mask, matrix.mask[job])
                    processors.leave(matrix.free_mask[slot], mask)
                else:
                    processors.take_lowest(matrix.free_mask[slot], mask, matrix.held[job])
                if not own:
                    matrix.free[slot] -= matrix.held[job]
            matrix.free[slot] = free
            processors.copy(matrix.free_mask[slot], before)
        if walk == 0:
            total = 0
            for k in range(running):
                job = matrix.running[k]
                count = fresh[job]
                matrix.new_slot[job] = count
                fresh[job] = total
                total += count
    for k in range(running):
        job = matrix.running[k]
        count = matrix.new_slot[job]
        first = fresh[job] - count
        if not same_places(job, first, count, matrix):
            break_segment(job, now, reading, matrix, rows)
        clock[HELD] += (count - matrix.places[job]) * matrix.held[job]
        matrix.places[job] = count
        fresh[job] = first
    held = 0
    for k in range(running):
        job = matrix.running[k]
        matrix.copy_begin[job] = fresh[job]
        for c in range(matrix.places[job]):
            matrix.copy_slot[held] = matrix.fresh_slot[held]
            processors.copy(matrix.copy_mask[held], matrix.fresh_mask[held])
            held += 1
        if matrix.begin[job] == now:
            predict_end(job, jobs, matrix)
    clock[PLACES] = held


@kernel
def same_places(job: int, first: int, count: int, matrix: Matrix) -> bool:
    """Whether a job's new places are those it has."""
    if matrix.begin_clock[job] < 0 or count != matrix.places[job]:
        return False
    begin = matrix.copy_begin[job]
    if begin < 0:
        return False
    for k in range(count):
        if matrix.copy_slot[begin + k] != matrix.fresh_slot[first + k]:
            return False
        if not processors.equal(matrix.copy_mask[begin + k], matrix.fresh_mask[first + k]):
            return False
    return True
