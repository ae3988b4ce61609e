"""The candidates of a search, and which of the three best is chosen (Kanavallil 2007, section 6.4.4)."""

import numpy as np

from scheduler_core.kernel.jit import kernel, kernel_step
from scheduler_core.slices.virtual_schedule import CANDIDATE, CANDIDATES, Search

ALPHA, BETA, GAMMA = 1.1, 0.95, 1.1
"""How much longer a makespan, how much lower a utilisation and how much longer a mean response time may be (section 7.3)."""

TOLERANCE, LITERAL, SLOWDOWN = range(3)


@kernel_step
def offer(level: int, placed: int, order: np.ndarray, processors: int, search: Search) -> None:
    """Keep a schedule if it is one of the three with the least total; ``placed`` jobs are placed on its level in all."""
    total = search.levels[level].total
    found = search.note.candidates
    rank = found
    while rank > 0 and total < search.candidates[rank - 1].total:
        rank -= 1
    if rank >= CANDIDATES:
        return
    for k in range(min(found, CANDIDATES - 1), rank, -1):
        search.candidates[k] = search.candidates[k - 1]
        for place in range(order.size):
            search.orders[CANDIDATE + k, place] = search.orders[CANDIDATE + k - 1, place]
    makespan = search.levels[level].latest - search.note.clock
    work = search.levels[level].work
    for k in range(search.note.started):
        work += search.started[k].processors * min(search.started[k].rest, makespan)
    search.candidates[rank].total = total
    search.candidates[rank].makespan = float(makespan)
    search.candidates[rank].utilisation = float(work) / (float(processors) * float(makespan))
    search.candidates[rank].response = search.levels[level].response / float(placed)
    for place in range(order.size):
        search.orders[CANDIDATE + rank, place] = order[place]
    search.note.candidates = min(found + 1, CANDIDATES)


@kernel
def chosen_candidate(rule: int, search: Search) -> int:
    """Return the candidate that is chosen."""
    number = 0
    if rule == SLOWDOWN:
        return number
    for rival in range(1, search.note.candidates):
        chosen, other = search.candidates[number], search.candidates[rival]
        if rule == TOLERANCE:
            stays = (
                chosen.makespan < ALPHA * other.makespan
                and chosen.utilisation > BETA * other.utilisation
                and chosen.response < GAMMA * other.response
            )
        else:
            stays = not (
                other.makespan > ALPHA * chosen.makespan
                and other.utilisation > BETA * chosen.utilisation
                and other.response < GAMMA * chosen.response
            )
        if not stays:
            number = rival
    return number
