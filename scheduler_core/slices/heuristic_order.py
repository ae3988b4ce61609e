"""The heuristic's order, largest slowdown first, and the complete search of long-wide jobs before it (Kanavallil 6.5)."""

from scheduler_core.kernel.jit import kernel_step
from scheduler_core.slices import virtual_schedule as virtual
from scheduler_core.slices.search_paths import DEPTH_FIRST, begin_paths, next_path, orders_tree, pick
from scheduler_core.slices.virtual_schedule import Search, place


@kernel_step
def order_long_wide(processors: float, shortest: int, least: int, most: int, search: Search) -> None:
    """Put the best order of the long-wide jobs into row ``PART``; mark them, and count them (0: there are too few).

    Long-wide are jobs of at least ``processors`` processors and ``shortest`` microseconds; fewer than ``least`` are left
    to the second level, of more than ``most`` those with most work are taken.
    """
    count, scratch = search.note.count, search.orders[virtual.SCRATCH]
    search.note.long_wide = 0
    found = 0
    for number in range(count):
        search.jobs[number].long_wide = False
        if float(search.jobs[number].processors) >= processors and search.jobs[number].length >= shortest:
            scratch[found] = number
            found += 1
    if found < least:
        return
    # by most work, then size, then position
    for k in range(1, found):
        number, place_of = scratch[k], k
        while place_of > 0 and more_work(number, scratch[place_of - 1], search):
            scratch[place_of] = scratch[place_of - 1]
            place_of -= 1
        scratch[place_of] = number
    found = min(found, most)
    ranked, order = scratch[:found], search.orders[virtual.ORDER][:found]
    path, branches = search.orders[virtual.PATH][:found], search.orders[virtual.BRANCHES][:found]
    orders_tree(branches)
    begin_paths(path, search.walk)
    differs, least_total = 0, -1.0
    while differs >= 0:
        pick(path, ranked, order)
        for k in range(differs, found):
            place(k, k + 1, order[k], search)
        if least_total < 0.0 or search.levels[found].total < least_total:
            least_total = search.levels[found].total
            for k in range(found):
                search.orders[virtual.PART][k] = order[k]
        differs = next_path(DEPTH_FIRST, branches, path, search.walk)
    for k in range(found):
        search.jobs[search.orders[virtual.PART][k]].long_wide = True
    search.note.long_wide = found


@kernel_step
def more_work(number: int, other: int, search: Search) -> bool:
    """Return whether a job has more work than another, or as much and more processors; the later position has not."""
    job, rival = search.jobs[number], search.jobs[other]
    work, other_work = job.processors * job.length, rival.processors * rival.length
    return work > other_work or (work == other_work and job.processors > rival.processors)


@kernel_step
def order_by_slowdown(search: Search) -> None:
    """Put the heuristic's order into its row of orders; long-wide jobs keep the order of ``PART`` among them."""
    count = search.note.count
    for number in range(count):
        search.jobs[number].used = False
    wide = 0
    for level in range(count):
        following = search.orders[virtual.PART][wide] if wide < search.note.long_wide else -1
        best, largest = -1, -1.0
        for number in range(count):
            if search.jobs[number].used or (search.jobs[number].long_wide and number != following):
                continue
            response = virtual.response_of(number, virtual.find_start(level, number, search), search)
            slowdown = virtual.slowdown_of(number, response, search)
            search.note.placed += 1
            if slowdown > largest:
                best, largest = number, slowdown
        search.jobs[best].used = True
        wide += search.jobs[best].long_wide
        search.orders[virtual.HEURISTIC][level] = best
        place(level, level + 1, best, search)
