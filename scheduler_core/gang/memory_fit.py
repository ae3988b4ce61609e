"""Memory fit and memory-aware best fit (da Silva 2000, section 5.4.1): memory is held in all slots, not only in a job's own."""

from __future__ import annotations

import numpy as np

from scheduler_core.gang.state import MEMORY_FIT, Jobs, Matrix, Rules
from scheduler_core.kernel import processor_sets as processors
from scheduler_core.kernel.jit import kernel, kernel_step
from scheduler_core.kernel.processor_sets import ONE

NEW_SLOT = -2


@kernel
def idle_in(slot: int, processor: int, matrix: Matrix) -> bool:
    """Return whether a processor is free in a slot; in a new one all are."""
    return slot == NEW_SLOT or processors.has(matrix.free_mask[slot], processor)


@kernel
def with_memory(need: int, matrix: Matrix, rules: Rules) -> int:
    """Count the processors of the machine with so much memory left: most jobs that wait, wait for these."""
    count = 0
    for processor in range(rules.processors):
        count += matrix.memory[processor] >= need
    return count


@kernel_step
def choose_processors(
    job: int, slot: int, size: int, mask: np.ndarray, jobs: Jobs, matrix: Matrix, rules: Rules
) -> bool:
    """Choose a job's processors in a slot; return whether there are enough with the memory it needs.

    Memory fit takes those with most memory left, best fit the lowest-numbered.
    """
    need = jobs.asked[job].memory
    order = matrix.scratch
    found = 0
    for processor in range(rules.processors):
        if matrix.memory[processor] < need or not idle_in(slot, processor, matrix):
            continue
        place = found
        if rules.packing == MEMORY_FIT:
            while place > 0 and matrix.memory[order[place - 1]] < matrix.memory[processor]:
                order[place] = order[place - 1]
                place -= 1
        order[place] = processor
        found += 1
    if found < size:
        return False
    for word in range(mask.shape[0]):
        mask[word] = 0
    for k in range(size):
        mask[order[k] >> 6] |= ONE << np.uint64(order[k] & 63)
    return True


@kernel_step
def imbalance(mask: np.ndarray, need: int, matrix: Matrix, rules: Rules) -> tuple[int, int]:
    """Return the largest memory left and the sum over all processors, once the job is there (equation 5.4)."""
    largest, total = 0, 0
    for processor in range(rules.processors):
        left = matrix.memory[processor]
        if processors.has(mask, processor):
            left -= need
        largest = max(largest, left)
        total += left
    if total == 0:
        return 1, rules.processors
    return largest, total


@kernel_step
def find_memory_slot(job: int, size: int, another: bool, jobs: Jobs, matrix: Matrix, rules: Rules) -> int:
    """Find the slot for a job and put its processors into ``new_mask``; -1 for none, -2 for a new slot."""
    best, best_free, best_largest, best_total = -1, 0, 0, 1
    need = jobs.asked[job].memory
    if with_memory(need, matrix, rules) < size:
        return -1
    mask, chosen = matrix.mask[job], matrix.new_mask[job]
    slots = matrix.clock.slots
    for k in range(slots + 1):
        if k == slots and (not another or (best != -1 and not rules.new_slot_competes)):
            break
        slot = matrix.order[k] if k < slots else NEW_SLOT
        free = matrix.slots[slot].free if k < slots else rules.processors
        if free < size or not choose_processors(job, slot, size, mask, jobs, matrix, rules):
            continue
        largest, total = 0, 1
        if rules.packing == MEMORY_FIT:
            largest, total = imbalance(mask, need, matrix, rules)
        left, right = largest * best_total, best_largest * total
        if best == -1 or left < right or (left == right and free < best_free):
            best, best_free, best_largest, best_total = slot, free, largest, total
            processors.copy(chosen, mask)
    for word in range(mask.shape[0]):
        mask[word] = 0
    return best
