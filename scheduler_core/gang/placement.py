"""Putting jobs into slots and taking them out again."""

import numpy as np

from scheduler_core.gang.segments import predict_end, rate_at
from scheduler_core.gang.state import REPACK_NEVER, World
from scheduler_core.kernel import processor_sets as processors
from scheduler_core.kernel.jit import kernel, kernel_step
from scheduler_core.kernel.linked import insert_before, remove


@kernel_step
def open_slot(world: World) -> int:
    """Add an empty slot at the end; return its number, the lowest not in use."""
    number = 0
    while world.slots[number].used:
        number += 1
    slot = world.slots[number]
    slot.used = 1
    slot.free = world.rules.processors
    slot.first = slot.last = -1
    world.order[world.clock.slots] = number
    world.clock.slots += 1
    processors.fill_with_all(world.free_mask[number], world.rules.processors)
    return number


@kernel_step
def remove_empty_slots(world: World) -> None:
    """Remove the slots that hold no job; the others keep their order."""
    kept = 0
    for k in range(world.clock.slots):
        number = world.order[k]
        if world.slots[number].first < 0:
            world.slots[number].used = 0
        else:
            world.order[kept] = number
            kept += 1
    world.clock.slots = kept


@kernel_step
def file_running(job: int, world: World) -> None:
    """Insert a job into the running jobs, in the order of re-packing."""
    rules, running = world.rules, world.running
    place = world.clock.running
    if rules.repack != REPACK_NEVER:
        size = world.asked[job].best_size
        while place > 0:
            earlier = running[place - 1]
            other = world.asked[earlier].best_size
            if rules.largest_first and other != size:
                if other > size:
                    break
            elif earlier < job:
                break
            running[place] = earlier
            place -= 1
    running[place] = job
    world.clock.running += 1


@kernel_step
def unfile_running(job: int, world: World) -> None:
    """Remove a job from the running ones; the others keep their order."""
    running = world.running
    place = 0
    while running[place] != job:
        place += 1
    world.clock.running -= 1
    for k in range(place, world.clock.running):
        running[k] = running[k + 1]


@kernel
def append_to_slot(job: int, slot: int, world: World) -> None:
    """Put a job at the end of a slot's list."""
    insert_before(job, -1, world.slots[slot], world.state)
    world.state[job].slot = slot


@kernel
def change_memory(mask: np.ndarray, change: int, memory: np.ndarray) -> None:
    """Add ``change`` to the memory left on each processor of a set."""
    for processor in range(len(memory)):
        if processors.has(mask, processor):
            memory[processor] += change


@kernel_step
def place_job(job: int, slot: int, size: int, world: World) -> None:
    """Start a job on ``size`` processors of a slot; a memory packing has put its processors into ``new_mask``."""
    clock, state, asked, mask = world.clock, world.state[job], world.asked[job], world.mask[job]
    if world.rules.packs_by_memory:
        processors.copy(mask, world.new_mask[job])
        processors.leave(world.free_mask[slot], mask)
        change_memory(mask, -asked.memory, world.memory)
    else:
        processors.take_lowest(world.free_mask[slot], mask, size)
    world.slots[slot].free -= size
    append_to_slot(job, slot, world)
    file_running(job, world)
    clock.held += size
    state.held = size
    state.places = 1
    state.left = asked.work
    state.stall = 0
    state.begin = state.start = clock.now
    state.begin_slot_time = clock.slot_time
    state.rate = rate_at(size, asked)
    predict_end(state, asked)
    if clock.first_start < 0:
        clock.first_start = clock.now


@kernel
def change_size(job: int, change: int, world: World) -> None:
    """Count the processors that a job has been given (taken: negative), and predict its end."""
    state, asked = world.state[job], world.asked[job]
    world.slots[state.slot].free -= change
    world.clock.held += change
    state.held += change
    state.rate = rate_at(state.held, asked)
    predict_end(state, asked)


@kernel_step
def grow(job: int, count: int, world: World) -> None:
    """Give a job the lowest-numbered free processors of its slot."""
    processors.take_lowest(world.free_mask[world.state[job].slot], world.mask[job], count)
    change_size(job, count, world)


@kernel_step
def shrink(job: int, count: int, world: World) -> None:
    """Take the highest-numbered processors from a job."""
    processors.give_highest(world.mask[job], world.free_mask[world.state[job].slot], count)
    change_size(job, -count, world)


@kernel_step
def remove_job(job: int, world: World) -> None:
    """Take a job out of the matrix."""
    state = world.state[job]
    if world.rules.packs_by_memory:
        change_memory(world.mask[job], world.asked[job].memory, world.memory)
    processors.join(world.free_mask[state.slot], world.mask[job])
    world.slots[state.slot].free += state.held
    world.clock.held -= state.held * state.places
    remove(job, world.slots[state.slot], world.state)
    unfile_running(job, world)
