"""Which slot a job goes to: first fit, best fit, a slot of its own (da Silva 2000, section 5.3.1)."""

from __future__ import annotations

import numpy as np

from scheduler_core.gang.memory_fit import find_memory_slot
from scheduler_core.gang.placement import open_slot
from scheduler_core.gang.state import (
    BEST_FIT,
    FIRST_FIT,
    MEMORY_BEST_FIT,
    MEMORY_FIT,
    ONE_JOB,
    SLOTS_OPENED,
    Jobs,
    Matrix,
    Rules,
)
from scheduler_core.kernel.jit import kernel, kernel_step


@kernel
def first_fit(size: int, matrix: Matrix) -> int:
    """Return the first slot with enough free processors, or -1."""
    for k in range(matrix.clock.slots):
        slot = matrix.order[k]
        if matrix.slots[slot].free >= size:
            return slot
    return -1


@kernel
def best_fit(size: int, matrix: Matrix) -> int:
    """Return the slot with fewest free processors among those with enough, the first of equals, or -1."""
    best = -1
    for k in range(matrix.clock.slots):
        slot = matrix.order[k]
        if matrix.slots[slot].free >= size and (best < 0 or matrix.slots[slot].free < matrix.slots[best].free):
            best = slot
    return best


@kernel
def fit(size: int, matrix: Matrix, rules: Rules) -> int:
    """Return the slot the packing rule finds among those there are, or -1."""
    if rules.packing == FIRST_FIT:
        return first_fit(size, matrix)
    if rules.packing == BEST_FIT:
        return best_fit(size, matrix)
    return -1


@kernel_step
def find_slot(job: int, size: int, jobs: Jobs, matrix: Matrix, rules: Rules, counters: np.ndarray) -> int:
    """Find the slot for a job, open one if the level allows; -1 if there is none."""
    another = rules.level == 0 or matrix.clock.slots < rules.level
    if rules.packing == MEMORY_FIT or rules.packing == MEMORY_BEST_FIT:
        slot = find_memory_slot(job, size, another, jobs, matrix, rules)
        if slot != -2:  # -2: a new slot is the place for it
            return slot
    else:
        slot = fit(size, matrix, rules) if rules.packing != ONE_JOB else -1
        if slot >= 0 or not another:
            return slot
    counters[SLOTS_OPENED] += 1
    return open_slot(matrix, rules)
