"""The order of a group: two levels of search (Kanavallil 2007, sections 6.4, 6.5 and Figure 11)."""

from typing import NamedTuple

import numpy as np

from scheduler_core.kernel.jit import kernel, kernel_entry, kernel_step
from scheduler_core.slices import virtual_schedule as virtual
from scheduler_core.slices.force_shift import level_of, shift_order
from scheduler_core.slices.heuristic_order import order_by_slowdown, order_long_wide
from scheduler_core.slices.search_paths import begin_paths, discrepancies, next_path, orders_tree, pick
from scheduler_core.slices.select_schedule import chosen_candidate, offer
from scheduler_core.slices.state import Cluster
from scheduler_core.slices.virtual_schedule import Search, place

NEVER_LESS = 1e300
"""A total that is no bound."""


class SearchRules(NamedTuple):
    """The parameters of the optimisation as plain numbers; times in microseconds."""

    long_wide_size: float  # processors
    long_wide_run: int
    long_wide_min: int
    long_wide_max: int
    group_max: int
    second_level: bool
    orders: int
    discrepancies_from: int
    paths: int
    branch_and_bound: bool
    force_shift: bool
    shift_ratio: int  # in millionths
    shift_cut: bool
    plan_backfilling: bool
    select: int
    bound: float
    share: float
    processors: int


@kernel_entry
def optimise(cluster: Cluster, search: Search, rules: SearchRules) -> None:
    """Find an order for the group of the slice's class; leave its jobs in that order in the cluster's ``members``.

    Counts, improvements and the totals of the heuristic's order and of the chosen one stay in ``search``.
    """
    load_group(cluster, search, rules)
    count = search.note.count
    order_long_wide(rules.long_wide_size, rules.long_wide_run, rules.long_wide_min, rules.long_wide_max, search)
    order_by_slowdown(search)
    search.note.heuristic_total = search.levels[count].total
    for k in range(count):
        search.orders[virtual.CHOSEN][k] = search.orders[virtual.HEURISTIC][k]
    if rules.second_level:
        first = (count + 1) // 2 if count == rules.group_max else count
        for part in range(2):  # a loop: numbers written into two calls would be compiled as two functions
            jobs = first if part == 0 else count - first
            if jobs > 0:
                search_part(part, part * first, jobs, search, rules)
    search.note.chosen_total = search.levels[count].total
    kind = cluster.clock.slice
    for k in range(count):
        cluster.members[kind, k] = search.jobs[search.orders[virtual.CHOSEN][k]].job


@kernel_step
def load_group(cluster: Cluster, search: Search, rules: SearchRules) -> None:
    """Take the members of the group, in order of position, and the plan of their class without reservations."""
    kind = cluster.clock.slice
    own = cluster.classes[kind]
    virtual.begin_search(rules.plan_backfilling, rules.share, rules.bound, search)
    virtual.load_plan(kind, search, cluster)
    search.note.count = own.members
    for k in range(own.members):
        virtual.load_job(k, cluster.members[kind, k], search, cluster)
    search.note.started = own.started
    for k in range(own.started):
        job = cluster.started[kind, k]
        search.started[k].processors = cluster.asked[job].processors
        search.started[k].rest = cluster.state[job].plan_end - own.clock


@kernel
def note_improvement(part: int, total: float, search: Search) -> None:
    """Write down that a better schedule was found."""
    row = search.note.improved
    search.improvements[row, 0] = part
    search.improvements[row, 1] = search.note.orders
    search.improvements[row, 2] = total
    search.note.improved += 1


@kernel
def count_cut(at_leaf: bool, search: Search) -> None:
    """Count a tree node that was cut."""
    if at_leaf:
        search.note.pruned_leaves += 1
    else:
        search.note.pruned += 1


@kernel_step
def search_part(part: int, base: int, count: int, search: Search, rules: SearchRules) -> None:
    """Search the orders of ``count`` jobs of the heuristic's order from place ``base`` on; put the best where they were."""
    own, order = search.orders[virtual.PART, :count], search.orders[virtual.ORDER, :count]
    path, branches = search.orders[virtual.PATH, :count], search.orders[virtual.BRANCHES, :count]
    note = search.note
    generated = note.orders
    note.candidates, note.orders = 0, 1
    orders_tree(branches)
    begin_paths(path, search.walk)
    for k in range(count):
        own[k] = search.orders[virtual.CHOSEN, base + k]
    note.valid = 0
    best, differs = NEVER_LESS, count
    evaluated = True  # the heuristic's own order, whatever its discrepancies
    while True:
        if evaluated:
            pick(path, own, order)
            best = evaluate_order(part, base, count, differs, best, search, rules)
            differs = count
        changed = next_path(rules.paths, branches, path, search.walk) if note.orders < rules.orders else -1
        if changed < 0:
            break
        note.orders += 1
        differs = min(differs, changed)
        evaluated = discrepancies(path) >= rules.discrepancies_from
    note.orders += generated
    chosen = chosen_candidate(rules.select, search)
    for k in range(count):
        search.orders[virtual.CHOSEN, base + k] = search.orders[virtual.CANDIDATE + chosen, k]
        place(base + k, base + k + 1, search.orders[virtual.CHOSEN, base + k], search)


@kernel_step
def evaluate_order(
    part: int, base: int, count: int, differs: int, best: float, search: Search, rules: SearchRules
) -> float:
    """Evaluate an order whose first ``differs`` jobs are those of the order before it, and what shifting makes of it.

    Returns the least total found so far. Levels that a cut left out of date are placed again: ``note.valid`` says how many
    of the part's levels are good.
    """
    note, order = search.note, search.orders[virtual.ORDER, :count]
    placed = min(differs, note.valid) if differs > 0 else 0
    cut = rules.branch_and_bound and placed > 0 and search.levels[base + placed].total >= best
    while placed < count and not cut:
        place(base + placed, base + placed + 1, order[placed], search)
        placed += 1
        note.tree_nodes += 1
        if rules.branch_and_bound and search.levels[base + placed].total >= best:
            cut = True
            count_cut(placed == count, search)
    if not cut:
        best = keep_candidate(part, base + count, base + count, order, best, search, rules)
    if rules.force_shift and (rules.shift_cut or not cut):
        while placed < count:
            place(base + placed, base + placed + 1, order[placed], search)
            placed += 1
        best = evaluate_shifted(part, base, count, best, search, rules)
    note.valid = placed
    return best


@kernel_step
def keep_candidate(
    part: int, level: int, placed: int, order: np.ndarray, best: float, search: Search, rules: SearchRules
) -> float:
    """Offer a whole schedule as a candidate; return the least total found so far."""
    offer(level, placed, order, rules.processors, search)
    if search.levels[level].total < best:
        best = search.levels[level].total
        note_improvement(part, best, search)
    return best


@kernel_step
def evaluate_shifted(part: int, base: int, count: int, best: float, search: Search, rules: SearchRules) -> float:
    """Evaluate the order that force-shifting makes of the one on the first stack, if it makes one; return the least total."""
    shared = shift_order(base, count, rules.shift_ratio, search)
    if shared < 0:
        return best
    note, shifted = search.note, search.orders[virtual.SHIFTED, :count]
    differs = shared
    while differs < count and shifted[differs] == search.orders[virtual.ORDER, differs]:
        differs += 1
    for k in range(count):
        note.tree_nodes += k >= differs
        if rules.branch_and_bound and search.levels[level_of(base, k + 1, shared)].total >= best:
            if k >= differs:
                count_cut(k + 1 == count, search)
            return best
    return keep_candidate(part, level_of(base, count, shared), base + count, shifted, best, search, rules)
