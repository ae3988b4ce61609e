"""Static partitioning: fixed parts of the machine with one job in each (Huang 2004, section 2.3)."""

from __future__ import annotations

import numpy as np

from scheduler_core.gang.placement import place_job
from scheduler_core.gang.queue import leave_queue
from scheduler_core.gang.state import Jobs, Matrix, Rules, Waiting
from scheduler_core.kernel import processor_sets as processors
from scheduler_core.kernel.jit import kernel_step


def equal_parts(machine: int, count: int) -> list[int]:
    """Cut a machine into equal parts; the first ones are larger by one where it does not divide evenly."""
    return [machine // count + (part < machine % count) for part in range(count)]


def halved_parts(machine: int, count: int) -> list[int]:
    """Cut a machine into parts that each take half, rounded up, of what the ones before left; the last takes the rest."""
    parts = []
    for _ in range(count - 1):
        parts.append((machine + 1) // 2)
        machine -= parts[-1]
    return [*parts, machine]


@kernel_step
def serve_parts(now: int, reading: int, jobs: Jobs, matrix: Matrix, waiting: Waiting, rules: Rules) -> None:
    """Give the head of the queue the smallest free part that is large enough, until there is none."""
    clock = matrix.clock
    while clock.queued > 0:
        job = waiting.lines[0].first
        size = jobs.asked[job].best_size
        best = -1
        for part in range(rules.blocks):
            fits = matrix.slots[part].first < 0 and matrix.slots[part].free >= size
            if fits and (best < 0 or matrix.slots[part].free < matrix.slots[best].free):
                best = part
        if best < 0:
            break
        leave_queue(job, jobs, matrix, waiting, rules)
        place_job(job, best, size, now, reading, jobs, matrix, rules)
    clock.slots = min(1, clock.running)


@kernel_step
def walk_parts(write: int, places: np.ndarray, matrix: Matrix) -> None:
    """Give every job its one place: there is one row, whatever the part."""
    for k in range(matrix.clock.running):
        job = matrix.running[k]
        if write:
            matrix.fresh_slot[places[job]] = 0
            processors.copy(matrix.fresh_mask[places[job]], matrix.mask[job])
        places[job] += 1
