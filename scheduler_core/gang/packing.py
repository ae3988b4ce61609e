"""Which slot a job goes to: first fit, best fit, or always a new slot (da Silva 2000, section 5.3.1)."""

from __future__ import annotations

from scheduler_core.gang.memory_fit import NEW_SLOT, find_memory_slot
from scheduler_core.gang.placement import open_slot
from scheduler_core.gang.state import BEST_FIT, FIRST_FIT, World
from scheduler_core.kernel.jit import kernel, kernel_step


@kernel
def first_fit(size: int, world: World) -> int:
    """Return the first slot with enough free processors, or -1."""
    for k in range(world.clock.slots):
        slot = world.order[k]
        if world.slots[slot].free >= size:
            return slot
    return -1


@kernel
def best_fit(size: int, world: World) -> int:
    """Return the slot with fewest free processors among those with enough, the first of equals, or -1."""
    best = -1
    for k in range(world.clock.slots):
        slot = world.order[k]
        if world.slots[slot].free >= size and (best < 0 or world.slots[slot].free < world.slots[best].free):
            best = slot
    return best


@kernel
def fit(size: int, world: World) -> int:
    """Return the existing slot that the packing rule chooses, or -1."""
    if world.rules.packing == FIRST_FIT:
        return first_fit(size, world)
    if world.rules.packing == BEST_FIT:
        return best_fit(size, world)
    return -1


@kernel_step
def find_slot(job: int, size: int, world: World) -> int:
    """Return the slot for a job, opening one if the level allows; -1 if there is none."""
    another = world.rules.level == 0 or world.clock.slots < world.rules.level
    if world.rules.packs_by_memory:
        slot = find_memory_slot(job, size, another, world)
        if slot != NEW_SLOT:
            return slot
    else:
        slot = fit(size, world)
        if slot >= 0 or not another:
            return slot
    world.counters.slots_opened += 1
    return open_slot(world)
