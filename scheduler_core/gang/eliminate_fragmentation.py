"""Fragmentation elimination: jobs just placed grow into what their slot has free (Huang 2004, section 6.12)."""

from __future__ import annotations

from scheduler_core.gang.placement import grow
from scheduler_core.gang.state import MALLEABLE, MEDIUM, MOLDABLE, Jobs, Matrix
from scheduler_core.kernel.jit import kernel_step


@kernel_step
def eliminate_fragmentation(now: int, jobs: Jobs, matrix: Matrix) -> None:
    """Grow the moldable jobs placed in this pass in all slots, then the malleable ones of class medium."""
    for flexibility in (MOLDABLE, MALLEABLE):
        for k in range(matrix.clock.slots):
            slot = matrix.order[k]
            job = matrix.slots[slot].first
            while job >= 0 and matrix.slots[slot].free > 0:
                eligible = jobs.asked[job].flexibility == flexibility and matrix.state[job].start == now
                if eligible and (flexibility == MOLDABLE or jobs.asked[job].job_class == MEDIUM):
                    gain = min(matrix.slots[slot].free, jobs.asked[job].size_max - matrix.state[job].held)
                    if gain > 0:
                        grow(job, gain, jobs, matrix)
                job = matrix.state[job].next
