"""Which slot a job goes to, and on which processors it has memory (da Silva 2000, sections 5.3.1 and 5.4.1)."""

import numpy as np

from scheduler_core.gang.placement import open_slot
from scheduler_core.gang.state import BEST_FIT, FIRST_FIT, MEMORY_FIT, World
from scheduler_core.kernel import processor_sets as processors
from scheduler_core.kernel.jit import kernel, kernel_step
from scheduler_core.kernel.processor_sets import ONE

NEW_SLOT = -2


@kernel
def idle_in(slot: int, processor: int, free_mask: np.ndarray) -> bool:
    """Return whether a processor is free in a slot; in a new one all are."""
    return slot == NEW_SLOT or processors.has(free_mask[slot], processor)


@kernel
def with_memory(need: int, memory: np.ndarray) -> int:
    """Count the processors with that much memory left in any slot: too few of them is what most waiting jobs wait for."""
    count = 0
    for processor in range(len(memory)):
        count += memory[processor] >= need
    return count


@kernel_step
def choose_processors(job: int, slot: int, size: int, mask: np.ndarray, world: World) -> bool:
    """Choose a job's processors in a slot; return whether enough of them have the memory it needs.

    Memory fit takes the processors with most memory left, best fit the lowest-numbered.
    """
    need, memory, order = world.asked[job].memory, world.memory, world.scratch
    found = 0
    for processor in range(world.rules.processors):
        if memory[processor] < need or not idle_in(slot, processor, world.free_mask):
            continue
        place = found
        if world.rules.packing == MEMORY_FIT:
            while place > 0 and memory[order[place - 1].value] < memory[processor]:
                order[place].value = order[place - 1].value
                place -= 1
        order[place].value = processor
        found += 1
    if found < size:
        return False
    for word in range(mask.shape[0]):
        mask[word] = 0
    for k in range(size):
        mask[order[k].value >> 6] |= ONE << np.uint64(order[k].value & 63)
    return True


@kernel_step
def imbalance(mask: np.ndarray, need: int, memory: np.ndarray) -> tuple[int, int]:
    """Return the largest memory left and the sum over all processors once the job is placed (equation 5.4)."""
    largest, total = 0, 0
    for processor in range(len(memory)):
        left = memory[processor]
        if processors.has(mask, processor):
            left -= need
        largest = max(largest, left)
        total += left
    if total == 0:
        return 1, len(memory)
    return largest, total


@kernel_step
def find_memory_slot(job: int, size: int, another: bool, world: World) -> int:
    """Return the slot for a job (-1: none, ``NEW_SLOT``: a new one) and put its processors into ``new_mask``."""
    rules = world.rules
    best, best_free, best_largest, best_total = -1, 0, 0, 1
    need = world.asked[job].memory
    if with_memory(need, world.memory) < size:
        return -1
    mask, chosen = world.mask[job], world.new_mask[job]
    slots = world.clock.slots
    for k in range(slots + 1):
        if k == slots and (not another or (best != -1 and not rules.new_slot_competes)):
            break
        slot = world.order[k] if k < slots else NEW_SLOT
        free = world.slots[slot].free if k < slots else rules.processors
        if free < size or not choose_processors(job, slot, size, mask, world):
            continue
        largest, total = 0, 1
        if rules.packing == MEMORY_FIT:
            largest, total = imbalance(mask, need, world.memory)
        left, right = largest * best_total, best_largest * total
        if best == -1 or left < right or (left == right and free < best_free):
            best, best_free, best_largest, best_total = slot, free, largest, total
            processors.copy(chosen, mask)
    for word in range(mask.shape[0]):
        mask[word] = 0
    return best


@kernel
def fit(size: int, world: World) -> int:
    """Return the existing slot that the packing rule chooses: the first with enough free processors, or with fewest; or -1."""
    rule, best = world.rules.packing, -1
    if rule != FIRST_FIT and rule != BEST_FIT:
        return -1
    for k in range(world.clock.slots):
        slot = world.order[k]
        free = world.slots[slot].free
        if free >= size and (best < 0 or free < world.slots[best].free):
            best = slot
            if rule == FIRST_FIT:
                break
    return best


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
