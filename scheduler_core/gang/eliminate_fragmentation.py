"""Fragmentation elimination: jobs just placed grow into the free processors of their slot (Huang 2004, section 6.12)."""

from __future__ import annotations

from scheduler_core.gang.placement import grow
from scheduler_core.gang.state import MALLEABLE, MEDIUM, MOLDABLE, World
from scheduler_core.kernel.jit import kernel_step


@kernel_step
def eliminate_fragmentation(world: World) -> None:
    """Grow the moldable jobs placed in this pass in all slots, then the malleable jobs of class medium."""
    for flexibility in (MOLDABLE, MALLEABLE):
        for k in range(world.clock.slots):
            slot = world.slots[world.order[k]]
            job = slot.first
            while job >= 0 and slot.free > 0:
                asked, state = world.asked[job], world.state[job]
                eligible = asked.flexibility == flexibility and state.start == world.clock.now
                if eligible and (flexibility == MOLDABLE or asked.job_class == MEDIUM):
                    gain = min(slot.free, asked.size_max - state.held)
                    if gain > 0:
                        grow(job, gain, world)
                job = state.next
