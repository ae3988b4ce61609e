"""The candidates of a search, and which of the three best is chosen (Kanavallil 2007, section 6.4.4)."""

from __future__ import annotations

import numpy as np

from scheduler_core.kernel.jit import kernel, kernel_step
from scheduler_core.slices.virtual_schedule import CANDIDATES, CANDIDATES_FOUND, CLOCK, STARTED, Search

ALPHA, BETA, GAMMA = 1.1, 0.95, 1.1
"""How much longer a makespan, how much lower a utilisation and how much longer a mean response time may be (section 7.3)."""

TOLERANCE, LITERAL, SLOWDOWN = range(3)


@kernel_step
def offer(level: int, placed: int, order: np.ndarray, count: int, processors: int, search: Search) -> None:
    """Keep a schedule if it is one of the three with the least total; ``placed`` jobs are placed on its level in all."""
    total = search.total[level]
    found = search.number[CANDIDATES_FOUND]
    rank = found
    while rank > 0 and total < search.best_total[rank - 1]:
        rank -= 1
    if rank >= CANDIDATES:
        return
    for k in range(min(found, CANDIDATES - 1), rank, -1):
        search.best_total[k] = search.best_total[k - 1]
        search.best_makespan[k] = search.best_makespan[k - 1]
        search.best_utilisation[k] = search.best_utilisation[k - 1]
        search.best_response[k] = search.best_response[k - 1]
        for place in range(count):
            search.best_order[k, place] = search.best_order[k - 1, place]
    makespan = search.latest[level] - search.number[CLOCK]
    work = search.work[level]
    for k in range(search.number[STARTED]):
        work += search.started_size[k] * min(search.started_rest[k], makespan)
    search.best_total[rank] = total
    search.best_makespan[rank] = float(makespan)
    search.best_utilisation[rank] = float(work) / (float(processors) * float(makespan))
    search.best_response[rank] = search.response[level] / float(placed)
    for place in range(count):
        search.best_order[rank, place] = order[place]
    search.number[CANDIDATES_FOUND] = min(found + 1, CANDIDATES)


@kernel
def chosen_candidate(rule: int, search: Search) -> int:
    """Give the candidate that is chosen."""
    makespan, utilisation, response = search.best_makespan, search.best_utilisation, search.best_response
    chosen = 0
    if rule == SLOWDOWN:
        return chosen
    for other in range(1, search.number[CANDIDATES_FOUND]):
        if rule == TOLERANCE:
            stays = (
                makespan[chosen] < ALPHA * makespan[other]
                and utilisation[chosen] > BETA * utilisation[other]
                and response[chosen] < GAMMA * response[other]
            )
        else:
            stays = not (
                makespan[other] > ALPHA * makespan[chosen]
                and utilisation[other] > BETA * utilisation[chosen]
                and response[other] < GAMMA * response[chosen]
            )
        if not stays:
            chosen = other
    return chosen
