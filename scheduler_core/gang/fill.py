"""Filling idle slots: jobs also run in other slots than their own (da Silva 2000, sections 4.4 and 5.3.4)."""

import numpy as np

from scheduler_core.gang.buddy import walk_cycle
from scheduler_core.gang.fixed_parts import walk_parts
from scheduler_core.gang.places import forget_places, give_place, move_to_places, same_places
from scheduler_core.gang.segments import break_segment, predict_end
from scheduler_core.gang.state import BUDDY, REPACK_NEVER, STATIC, World
from scheduler_core.kernel import processor_sets as processors
from scheduler_core.kernel.jit import kernel, kernel_step


@kernel
def runs_in(job: int, slot: int, world: World) -> bool:
    """Return whether a job can have a copy in a slot: on its own processors, or on any where it can be moved."""
    if world.state[job].slot == slot or world.slots[slot].free < world.state[job].held:
        return False
    if world.rules.repack == REPACK_NEVER:
        return processors.contains(world.free_mask[slot], world.mask[job])
    return True


@kernel_step
def walk_slots(world: World) -> None:
    """Give every job a place in its slot, and in each slot that it fits; the slots' free processors stay as they were."""
    clock, before = world.clock, world.scratch_mask
    for s in range(clock.slots):
        slot = world.order[s]
        free = world.slots[slot].free
        processors.copy(before, world.free_mask[slot])
        for k in range(clock.running):
            job = world.running[k]
            own = world.state[job].slot == slot
            if own or runs_in(job, slot, world):
                choose_processors(job, slot, own, world.fresh_mask[give_place(job, slot, world)], world)
        world.slots[slot].free = free
        processors.copy(world.free_mask[slot], before)


@kernel
def choose_processors(job: int, slot: int, own: bool, mask: np.ndarray, world: World) -> None:
    """Put a job's processors in a slot into ``mask``, and take them from the slot unless it is the job's own."""
    for word in range(mask.shape[0]):
        mask[word] = 0
    stays = world.rules.repack == REPACK_NEVER
    if own or stays:
        processors.copy(mask, world.mask[job])
    if own:
        return
    if stays:
        processors.leave(world.free_mask[slot], mask)
    else:
        processors.take_lowest(world.free_mask[slot], mask, world.state[job].held)
    world.slots[slot].free -= world.state[job].held


@kernel_step
def fill_idle_slots(world: World) -> None:
    """Give jobs places by the rule of the system; a job whose places change begins a new segment."""
    clock = world.clock
    forget_places(world)
    if world.rules.system == BUDDY:
        walk_cycle(world)
    elif world.rules.system == STATIC:
        walk_parts(world)
    else:
        walk_slots(world)
    for k in range(clock.running):
        if not same_places(world.running[k], world):
            break_segment(world.running[k], world)
    clock.places = 0
    for k in range(clock.running):
        job = world.running[k]
        move_to_places(job, world)
        if world.state[job].begin == clock.now:
            predict_end(world.state[job], world.asked[job])
