"""Workload adaptation: running malleable jobs shrink under high load and grow under low (Huang 2004, section 6.9.3)."""

from __future__ import annotations

import numpy as np

from scheduler_core.gang.placement import grow, shrink
from scheduler_core.gang.segments import break_segment, predict_end
from scheduler_core.gang.state import (
    HIGH,
    LOW,
    MALLEABLE,
    RESIZED_PROCESSORS,
    RESIZING,
    RESIZINGS,
    Jobs,
    Matrix,
    Rows,
    Rules,
)
from scheduler_core.kernel.jit import kernel, kernel_step


@kernel
def adapted_size(job: int, load: int, free: int, jobs: Jobs, matrix: Matrix) -> int:
    """Return the size a running malleable job should have: half the way to its bound, and no more than its slot has free."""
    held = int(matrix.state[job].held)
    if load == HIGH:
        return min(held, (held - jobs.asked[job].size_min) // 2 + jobs.asked[job].size_min)
    return min(held + free, (jobs.asked[job].size_max - held + 1) // 2 + held)


@kernel_step
def resize(
    job: int,
    size: int,
    now: int,
    reading: int,
    jobs: Jobs,
    matrix: Matrix,
    rules: Rules,
    rows: Rows,
    counters: np.ndarray,
) -> None:
    """Change a running job's size; the stall that this costs falls due."""
    held = matrix.state[job].held
    change = abs(size - held)
    break_segment(job, now, reading, matrix, rows)
    if size > held:
        grow(job, change, jobs, matrix)
    else:
        shrink(job, change, jobs, matrix)
    stall = round(rules.stall_us * change)
    matrix.state[job].stall += stall
    predict_end(job, jobs, matrix)
    counters[RESIZINGS] += 1
    counters[RESIZED_PROCESSORS] += change
    counters[RESIZING] += stall * max(size, held)


@kernel_step
def adapt_workload(
    load: int, now: int, reading: int, jobs: Jobs, matrix: Matrix, rules: Rules, rows: Rows, counters: np.ndarray
) -> None:
    """Resize all running malleable jobs, slot by slot in order of placement."""
    if load != LOW and load != HIGH:
        return
    for k in range(matrix.clock.slots):
        slot = matrix.order[k]
        job = matrix.slots[slot].first
        while job >= 0:
            if jobs.asked[job].flexibility == MALLEABLE:
                size = adapted_size(job, load, matrix.slots[slot].free, jobs, matrix)
                if size != matrix.state[job].held:
                    resize(job, size, now, reading, jobs, matrix, rules, rows, counters)
            job = matrix.state[job].next
