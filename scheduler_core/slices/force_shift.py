"""Force-shifting: a job goes into a hole that is slightly too short, and pushes those behind it (Kanavallil 2007, 6.4.2)."""

from scheduler_core.kernel.jit import kernel, kernel_step
from scheduler_core.slices.virtual_schedule import ORDER, OTHER_STACK, SCRATCH, SHIFTED, Search, place

MILLION = 1_000_000


@kernel
def level_of(base: int, placed: int, shared: int) -> int:
    """Return the level after ``placed`` jobs of a part: those behind the ``shared`` first ones stand on the other stack."""
    return base + placed if placed <= shared else OTHER_STACK + base + placed


@kernel_step
def find_hole(leaf: int, number: int, begin: int, ratio: int, search: Search) -> int:
    """Return the begin of the first hole before ``begin`` that is slightly too short for a job; -1 if there is none."""
    steps, last = search.steps[leaf], search.levels[leaf].last
    size, length = search.jobs[number].processors, search.jobs[number].length
    since = -1
    for step in range(last):
        if steps[step].room >= size:
            if since < 0:
                since = steps[step].time
                if since >= begin:
                    return -1
        elif since >= 0:
            hole = steps[step].time - since
            if 0 < hole < length and length * MILLION <= ratio * hole:
                return since
            since = -1
    return -1


@kernel_step
def shift_order(base: int, count: int, ratio: int, search: Search) -> int:
    """Make another order of a part's order, which is wholly placed, in ``search.orders[SHIFTED]``, placed on the other stack.

    Returns how many jobs at its begin stand on the first stack; -1 when no job could be shifted.
    """
    order = search.orders[SHIFTED]
    for k in range(count):
        order[k] = search.orders[ORDER][k]
        search.jobs[order[k]].used = False
    shared, any_shifted, place_of = count, False, 0
    while place_of < count:
        number = order[place_of]
        if search.jobs[number].used:
            place_of += 1
            continue
        begin = search.levels[level_of(base, place_of + 1, shared)].start
        hole = find_hole(level_of(base, count, shared), number, begin, ratio, search)
        if hole < 0:
            place_of += 1
            continue
        search.jobs[number].used = any_shifted = True
        differs = put_behind(number, hole, base, count, shared, search)
        source = level_of(base, differs, shared)
        shared = min(shared, differs)
        for k in range(differs, count):
            target = OTHER_STACK + base + k + 1
            place(source, target, order[k], search)
            source = target
        place_of = 0
    return shared if any_shifted else -1


@kernel_step
def put_behind(number: int, hole: int, base: int, count: int, shared: int, search: Search) -> int:
    """Put a job behind those that start by the begin of its hole; return the first place at which the order differs."""
    order, new = search.orders[SHIFTED], search.orders[SCRATCH]
    filled = 0
    for k in range(count):
        if order[k] != number and search.levels[level_of(base, k + 1, shared)].start <= hole:
            new[filled] = order[k]
            filled += 1
    new[filled] = number
    filled += 1
    for k in range(count):
        if order[k] != number and search.levels[level_of(base, k + 1, shared)].start > hole:
            new[filled] = order[k]
            filled += 1
    differs = count
    for k in range(count - 1, -1, -1):
        if order[k] != new[k]:
            differs = k
        order[k] = new[k]
    return differs
