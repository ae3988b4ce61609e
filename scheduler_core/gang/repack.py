"""Packing all jobs again (migration), and filling idle slots with further copies (da Silva 2000, sections 4.4 and 5.3.4)."""

import numpy as np

from scheduler_core.gang.buddy import walk_cycle
from scheduler_core.gang.fixed_parts import walk_parts
from scheduler_core.gang.packing import fit
from scheduler_core.gang.placement import append_to_slot, open_slot
from scheduler_core.gang.segments import break_segment, predict_end
from scheduler_core.gang.state import BUDDY, REPACK_NEVER, STATIC, World
from scheduler_core.kernel import processor_sets as processors
from scheduler_core.kernel.jit import kernel, kernel_step


@kernel_step
def repack(world: World) -> None:
    """Empty the matrix and pack its jobs again, in the order of the running jobs.

    A job that moves to another slot or other processors begins a new segment. With fill, its copies decide that.
    """
    clock = world.clock
    for k in range(clock.slots):
        world.slots[world.order[k]].used = 0
    clock.slots = 0
    for k in range(clock.running):
        job = world.running[k]
        state, mask = world.state[job], world.new_mask[job]
        slot = fit(state.held, world)
        if slot < 0:
            slot = open_slot(world)
        for word in range(mask.shape[0]):
            mask[word] = 0
        processors.take_lowest(world.free_mask[slot], mask, state.held)
        world.slots[slot].free -= state.held
        moved = state.slot != slot or not processors.equal(mask, world.mask[job])
        if moved and not world.rules.fills:
            break_segment(job, world)
            predict_end(state, world.asked[job])
        append_to_slot(job, slot, world)
        processors.copy(world.mask[job], mask)


@kernel
def runs_in(job: int, slot: int, world: World) -> bool:
    """Return whether a job can have a copy in a slot: on its own processors, or on any where it can be moved."""
    if world.state[job].slot == slot or world.slots[slot].free < world.state[job].held:
        return False
    if world.rules.repack == REPACK_NEVER:
        return processors.contains(world.free_mask[slot], world.mask[job])
    return True


@kernel_step
def walk_slots(write: int, places: np.ndarray, world: World) -> None:
    """Give every job that fits a copy in each slot; the free processors of the slots stay as they were.

    Without ``write`` the jobs' places are only counted; with it, ``places`` is the index of a job's next place.
    """
    clock, before = world.clock, world.scratch_mask
    for s in range(clock.slots):
        slot = world.order[s]
        free = world.slots[slot].free
        processors.copy(before, world.free_mask[slot])
        for k in range(clock.running):
            job = world.running[k]
            own = world.state[job].slot == slot
            if not own and not runs_in(job, slot, world):
                continue
            mask = world.fresh_mask[places[job]] if write else world.new_mask[job]
            if write:
                world.fresh_slot[places[job]] = slot
            places[job] += 1
            take_place(job, slot, own, mask, world)
        world.slots[slot].free = free
        processors.copy(world.free_mask[slot], before)


@kernel
def take_place(job: int, slot: int, own: bool, mask: np.ndarray, world: World) -> None:
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
def find_places(write: int, places: np.ndarray, world: World) -> None:
    """Count the places of every job by the rule of the system, or write them."""
    if world.rules.system == BUDDY:
        walk_cycle(write, places, world)
    elif world.rules.system == STATIC:
        walk_parts(write, places, world)
    else:
        walk_slots(write, places, world)


@kernel_step
def fill_idle_slots(world: World) -> None:
    """Give jobs copies in the slots in which they fit; a job whose places change begins a new segment."""
    clock = world.clock
    next_place, counts = world.fresh_begin[0], world.fresh_begin[1]
    for k in range(clock.running):
        counts[world.running[k]] = 0
    total = 0
    for write in range(2):
        find_places(write, next_place if write else counts, world)
        if not write:
            for k in range(clock.running):
                job = world.running[k]
                next_place[job] = total
                total += counts[job]
    for k in range(clock.running):
        job = world.running[k]
        state = world.state[job]
        if not same_places(job, next_place[job] - counts[job], counts[job], world):
            break_segment(job, world)
        clock.held += (counts[job] - state.places) * state.held
        state.places = counts[job]
    for place in range(total):
        world.copy_slot[place] = world.fresh_slot[place]
        processors.copy(world.copy_mask[place], world.fresh_mask[place])
    for k in range(clock.running):
        job = world.running[k]
        state = world.state[job]
        state.copy_begin = next_place[job] - counts[job]
        if state.begin == clock.now:
            predict_end(state, world.asked[job])
    clock.places = total


@kernel
def same_places(job: int, first: int, count: int, world: World) -> bool:
    """Return whether a job's new places are its present ones."""
    begin = world.state[job].copy_begin
    if begin < 0 or count != world.state[job].places:
        return False
    for k in range(count):
        if world.copy_slot[begin + k] != world.fresh_slot[first + k]:
            return False
        if not processors.equal(world.copy_mask[begin + k], world.fresh_mask[first + k]):
            return False
    return True
