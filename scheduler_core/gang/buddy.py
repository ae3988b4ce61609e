"""Distributed Hierarchical Control: a tree of controllers over a buddy system (da Silva 2000, sections 3.4.4 and 8.4.3).

Controllers are numbered as a heap: 1 spans the machine, 2 c and 2 c + 1 span the halves of c, and each of the ``blocks``
leaves spans one processor. The slot with a controller's number lists its gangs; the rows of the cycle are not slots here
but the places of the copies.
"""

import numpy as np

from scheduler_core.gang.placement import place_job
from scheduler_core.gang.places import give_own_processors
from scheduler_core.gang.queue import leave_queue
from scheduler_core.gang.state import World
from scheduler_core.kernel import processor_sets as processors
from scheduler_core.kernel.jit import kernel, kernel_step


def tree_blocks(machine: int) -> list[tuple[int, int]]:
    """Return first processor and number of processors of every controller, by its number (number 0 is unused).

    The tree spans the next power of two; processors beyond the machine do not exist.
    """
    leaves = 1 << (machine - 1).bit_length()
    blocks = [(0, 0)]
    for node in range(1, 2 * leaves):
        depth = node.bit_length() - 1
        first = (node - (1 << depth)) * (leaves >> depth)
        blocks.append((first, max(0, min(leaves >> depth, machine - first))))
    return blocks


@kernel_step
def find_controller(size: int, world: World) -> int:
    """Return the controller for a gang: the least loaded one of the gang's level.

    The load is the most gangs bound to one processor, then the mean over the existing processors; ties the first.
    """
    bound = world.scratch
    for processor in range(world.rules.processors):
        bound[processor].value = 0
    for k in range(world.clock.running):
        state = world.state[world.running[k]]
        begin = world.slots[state.slot].block_begin
        for processor in range(begin, begin + state.held):
            bound[processor].value += 1
    width, nodes = 1, world.rules.blocks
    while width < size:
        width, nodes = 2 * width, nodes // 2
    best, best_most, best_sum, best_count = -1, 0, 0, 1
    for k in range(nodes):
        begin = k * width
        count = min(width, world.rules.processors - begin)
        if count < size:
            break
        most, total = 0, 0
        for processor in range(begin, begin + count):
            most = max(most, bound[processor].value)
            total += bound[processor].value
        if best < 0 or most < best_most or (most == best_most and total * best_count < best_sum * count):
            best, best_most, best_sum, best_count = nodes + k, most, total, count
    return best


@kernel_step
def map_gangs(world: World) -> None:
    """Bind every queued job to a controller."""
    while world.clock.queued > 0:
        job = world.lines[0].first
        size = world.asked[job].best_size
        node = find_controller(size, world)
        leave_queue(job, world)
        place_job(job, node, size, world)
        processors.join(world.free_mask[node], world.mask[job])  # all gangs of a controller begin at its first
    count_rows(world)


@kernel_step
def count_rows(world: World) -> None:
    """Count the rows of every controller's cycle, from the leaves up."""
    slots, blocks = world.slots, world.rules.blocks
    for node in range(2 * blocks - 1, 0, -1):
        gangs = 0
        job = slots[node].first
        while job >= 0:
            gangs += 1
            job = world.state[job].next
        below = 0
        if node < blocks:
            below = max(slots[2 * node].rows, slots[2 * node + 1].rows)
        slots[node].gangs = gangs
        slots[node].rows = gangs + below
    world.clock.slots = slots[1].rows


@kernel
def hand_down(node: int, turn: int, busy_to: int, slots: np.ndarray) -> None:
    """Give a controller its turn in this row, unless all its processors (those before ``busy_to``) are busy."""
    slots[node].turn = turn if busy_to < slots[node].block_end else -1
    slots[node].busy_to = busy_to


@kernel
def give_row(job: int, row: int, world: World) -> None:
    """Let a job run in a row of the cycle, whose idle processors are in ``scratch_mask``."""
    give_own_processors(job, row, world)
    processors.leave(world.scratch_mask, world.mask[job])


@kernel_step
def walk_tree(row: int, world: World) -> None:
    """Let the controllers choose from the top down which jobs run in a row of the cycle.

    Controllers that have no turn, or no gangs in or below them, are passed by with all below them.
    """
    blocks, to_visit = world.rules.blocks, world.scratch
    hand_down(1, row, 0, world.slots)
    to_visit[0].job, count = 1, 1
    while count > 0:
        count -= 1
        node = to_visit[count].job
        controller = world.slots[node]
        turn, child_turn, busy_to = controller.turn, -1, 0
        if turn < 0 or controller.rows == 0:
            continue
        if turn >= controller.rows:
            turn %= controller.rows
        if controller.busy_to > controller.block_begin:
            child_turn, busy_to = row, controller.busy_to
        elif turn < controller.gangs:
            job = controller.first
            for _ in range(turn):
                job = world.state[job].next
            give_row(job, row, world)
            if world.rules.selective_disabling:
                child_turn, busy_to = row, controller.block_begin + world.state[job].held
        else:
            child_turn = turn - controller.gangs
        if node < blocks and child_turn >= 0:
            for child in range(2 * node, 2 * node + 2):
                hand_down(child, child_turn, busy_to, world.slots)
                to_visit[count].job = child
                count += 1


@kernel_step
def walk_cycle(world: World) -> None:
    """Give every job its places in the rows of the cycle, as ``walk_slots`` does in slots."""
    clock, idle = world.clock, world.scratch_mask
    following = 0
    for row in range(clock.slots):
        processors.fill_with_all(idle, world.rules.processors)
        walk_tree(row, world)
        if world.rules.alternative:
            following = run_besides(row, following, world)


@kernel_step
def run_besides(row: int, first: int, world: World) -> int:
    """Let jobs also run in a row on processors that are idle there, from one job on; return the job to begin with next."""
    clock, idle = world.clock, world.scratch_mask
    following = first
    for k in range(clock.running):
        if processors.are_none(idle):
            break
        place = first + k if first + k < clock.running else first + k - clock.running
        job = world.running[place]
        if processors.contains(idle, world.mask[job]):
            give_row(job, row, world)
            following = place + 1 if place + 1 < clock.running else 0
    return following
