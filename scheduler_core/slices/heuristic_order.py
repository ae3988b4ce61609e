"""The heuristic's order, largest slowdown first, and the complete search of long-wide jobs before it (Kanavallil 6.5)."""

from __future__ import annotations

from scheduler_core.kernel.jit import kernel_step
from scheduler_core.slices.search_paths import DEPTH_FIRST, begin_paths, next_path, orders_tree, pick
from scheduler_core.slices.virtual_schedule import (
    COUNT,
    LONG_WIDE,
    PLACED,
    Search,
    find_start,
    place,
    response_of,
    slowdown_of,
)


@kernel_step
def order_long_wide(processors: float, shortest: int, least: int, most: int, search: Search) -> None:
    """Put the best order of the long-wide jobs into ``search.part``; mark them, and count them (0: there are too few).

    Long-wide are jobs of at least ``processors`` processors and ``shortest`` microseconds; fewer than ``least`` are left
    to the second level, of more than ``most`` those with most work are taken.
    """
    count = search.number[COUNT]
    search.long_wide[:] = False
    search.number[LONG_WIDE] = 0
    found = 0
    for number in range(count):
        if float(search.size[number]) >= processors and search.length[number] >= shortest:
            search.scratch[found] = number
            found += 1
    if found < least:
        return
    # by most work, then size, then position
    for k in range(1, found):
        number, place_of = search.scratch[k], k
        while place_of > 0 and more_work(number, search.scratch[place_of - 1], search):
            search.scratch[place_of] = search.scratch[place_of - 1]
            place_of -= 1
        search.scratch[place_of] = number
    found = min(found, most)
    ranked, path, branches = search.scratch[:found], search.path[:found], search.branches[:found]
    order = search.order[:found]
    orders_tree(branches)
    begin_paths(DEPTH_FIRST, branches, path, search.walk)
    differs, least_total = 0, -1.0
    while differs >= 0:
        pick(path, ranked, order)
        for k in range(differs, found):
            place(k, k + 1, order[k], search)
        if least_total < 0.0 or search.total[found] < least_total:
            least_total = search.total[found]
            for k in range(found):
                search.part[k] = order[k]
        differs = next_path(DEPTH_FIRST, branches, path, search.walk)
    for k in range(found):
        search.long_wide[search.part[k]] = True
    search.number[LONG_WIDE] = found


@kernel_step
def more_work(number: int, other: int, search: Search) -> bool:
    """Whether a job has more work than another, or as much and more processors; the later position has not."""
    work, other_work = search.size[number] * search.length[number], search.size[other] * search.length[other]
    return work > other_work or (work == other_work and search.size[number] > search.size[other])


@kernel_step
def order_by_slowdown(search: Search) -> None:
    """Put the heuristic's order into ``search.heuristic``; long-wide jobs keep the order of ``search.part`` among them."""
    count = search.number[COUNT]
    search.used[:] = False
    wide = 0
    for level in range(count):
        following = search.part[wide] if wide < search.number[LONG_WIDE] else -1
        best, largest = -1, -1.0
        for number in range(count):
            if search.used[number] or (search.long_wide[number] and number != following):
                continue
            response = response_of(number, find_start(level, number, search), search)
            slowdown = slowdown_of(number, response, search)
            search.number[PLACED] += 1
            if slowdown > largest:
                best, largest = number, slowdown
        search.used[best] = True
        wide += search.long_wide[best]
        search.heuristic[level] = best
        place(level, level + 1, best, search)
