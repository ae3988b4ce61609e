"""Distributed Hierarchical Control: a tree of controllers over a buddy system (da Silva 2000, sections 3.4.4 and 8.4.3).

Controllers are numbered as a heap: 1 spans the machine, 2 c and 2 c + 1 the halves of what c spans, and the ``blocks``
leaves one processor each. A controller's gangs stand in the list of the slot of its number; the rows of the cycle are
not slots here, they are the places of the copies.
"""

from __future__ import annotations

import numpy as np

from scheduler_core.gang.placement import place_job
from scheduler_core.gang.queue import leave_queue
from scheduler_core.gang.state import Jobs, Matrix, Rules, Waiting
from scheduler_core.kernel import processor_sets as processors
from scheduler_core.kernel.jit import kernel, kernel_step


def tree_blocks(machine: int) -> list[tuple[int, int]]:
    """Return first processor and number of processors of every controller, by its number (number 0 is none).

    The tree stands on the next power of two; processors beyond the machine are missing.
    """
    leaves = 1 << (machine - 1).bit_length()
    blocks = [(0, 0)]
    for node in range(1, 2 * leaves):
        depth = node.bit_length() - 1
        first = (node - (1 << depth)) * (leaves >> depth)
        blocks.append((first, max(0, min(leaves >> depth, machine - first))))
    return blocks


@kernel
def block_begin(node: int, leaves: int) -> int:
    """Return the first processor a controller spans."""
    while node < leaves:
        node = 2 * node
    return node - leaves


@kernel
def block_end(node: int, leaves: int) -> int:
    """Return the processor after the last that a controller spans."""
    while node < leaves:
        node = 2 * node + 1
    return node - leaves + 1


@kernel_step
def find_controller(size: int, matrix: Matrix, rules: Rules) -> int:
    """Return the controller for a gang: of those of its level the one with the least load.

    The load is the most gangs bound to one processor, then the mean over the processors there are; ties the first.
    """
    bound = matrix.scratch
    for processor in range(rules.processors):
        bound[processor] = 0
    for k in range(matrix.clock.running):
        state = matrix.state[matrix.running[k]]
        begin = block_begin(state.slot, rules.blocks)
        for processor in range(begin, begin + state.held):
            bound[processor] += 1
    width, nodes = 1, rules.blocks
    while width < size:
        width, nodes = 2 * width, nodes // 2
    best, best_most, best_sum, best_count = -1, 0, 0, 1
    for k in range(nodes):
        begin = k * width
        count = min(width, rules.processors - begin)
        if count < size:
            break
        most, total = 0, 0
        for processor in range(begin, begin + count):
            most = max(most, bound[processor])
            total += bound[processor]
        if best < 0 or most < best_most or (most == best_most and total * best_count < best_sum * count):
            best, best_most, best_sum, best_count = nodes + k, most, total, count
    return best


@kernel_step
def map_gangs(now: int, reading: int, jobs: Jobs, matrix: Matrix, waiting: Waiting, rules: Rules) -> None:
    """Bind every queued job to a controller, and count the rows of the cycle."""
    clock = matrix.clock
    while clock.queued > 0:
        job = waiting.lines[0].first
        size = jobs.asked[job].best_size
        node = find_controller(size, matrix, rules)
        leave_queue(job, jobs, matrix, waiting, rules)
        place_job(job, node, size, now, reading, jobs, matrix, rules)
        processors.join(matrix.free_mask[node], matrix.mask[job])  # all gangs of a controller begin at its first
    for node in range(2 * rules.blocks - 1, 0, -1):
        gangs = 0
        job = matrix.slots[node].first
        while job >= 0:
            gangs += 1
            job = matrix.state[job].next
        below = 0
        if node < rules.blocks:
            below = max(matrix.slots[2 * node].rows, matrix.slots[2 * node + 1].rows)
        matrix.slots[node].gangs = gangs
        matrix.slots[node].rows = gangs + below
    clock.slots = matrix.slots[1].rows


@kernel
def hand_down(node: int, turn: int, busy_to: int, matrix: Matrix, rules: Rules) -> None:
    """Tell a controller which turn it has in this row, unless all its processors (those before ``busy_to``) are busy."""
    matrix.slots[node].turn = turn if busy_to < block_end(node, rules.blocks) else -1
    matrix.slots[node].busy_to = busy_to


@kernel
def give_row(job: int, row: int, write: int, places: np.ndarray, idle: np.ndarray, matrix: Matrix) -> None:
    """Let a job run in a row of the cycle."""
    if write:
        matrix.fresh_slot[places[job]] = row
        processors.copy(matrix.fresh_mask[places[job]], matrix.mask[job])
    places[job] += 1
    processors.leave(idle, matrix.mask[job])


@kernel_step
def walk_tree(row: int, write: int, places: np.ndarray, idle: np.ndarray, matrix: Matrix, rules: Rules) -> None:
    """Let the controllers from the top down choose who runs in a row of the cycle."""
    hand_down(1, row, 0, matrix, rules)
    for node in range(1, 2 * rules.blocks):
        controller = matrix.slots[node]
        turn, child_turn, busy_to = controller.turn, -1, 0
        if turn >= 0 and controller.rows > 0:
            begin = block_begin(node, rules.blocks)
            turn %= controller.rows
            if controller.busy_to > begin:
                child_turn, busy_to = row, controller.busy_to
            elif turn < controller.gangs:
                job = controller.first
                for _ in range(turn):
                    job = matrix.state[job].next
                give_row(job, row, write, places, idle, matrix)
                if rules.selective_disabling:
                    child_turn, busy_to = row, begin + matrix.state[job].held
            else:
                child_turn = turn - controller.gangs
        if node < rules.blocks:
            hand_down(2 * node, child_turn, busy_to, matrix, rules)
            hand_down(2 * node + 1, child_turn, busy_to, matrix, rules)


@kernel_step
def walk_cycle(write: int, places: np.ndarray, matrix: Matrix, rules: Rules) -> None:
    """Go through the rows of the cycle and give every job its places, as ``walk_slots`` does."""
    clock, idle = matrix.clock, matrix.scratch_mask
    following = 0
    for row in range(clock.slots):
        processors.fill_with_all(idle, rules.processors)
        walk_tree(row, write, places, idle, matrix, rules)
        if not rules.alternative:
            continue
        first, count = following, clock.running
        for k in range(first, first + count):
            job = matrix.running[k % count]
            if processors.contains(idle, matrix.mask[job]):
                give_row(job, row, write, places, idle, matrix)
                following = (k + 1) % count
