"""Fragmentation elimination: jobs just placed grow into what their slot has free (Huang 2004, section 6.12)."""

from __future__ import annotations

from scheduler_core.gang.placement import grow
from scheduler_core.gang.state import MALLEABLE, MEDIUM, MOLDABLE, SLOTS, Jobs, Matrix
from scheduler_core.kernel.jit import kernel_step


@kernel_step
def eliminate_fragmentation(now: int, jobs: Jobs, matrix: Matrix) -> None:
    """Grow the moldable jobs placed in this pass in all slots, then the malleable ones of class medium."""
    for flexibility in (MOLDABLE, MALLEABLE):
        for k in range(matrix.clock[SLOTS]):
            slot = matrix.order[k]
            job = matrix.first[slot]
            while job >= 0 and matrix.free[slot] > 0:
                eligible = jobs.flexibility[job] == flexibility and matrix.start[job] == now
                if eligible and (flexibility == MOLDABLE or jobs.job_class[job] == MEDIUM):
                    gain = min(matrix.free[slot], jobs.size_max[job] - matrix.held[job])
                    if gain > 0:
                        grow(job, gain, jobs, matrix)
                job = matrix.next[job]
