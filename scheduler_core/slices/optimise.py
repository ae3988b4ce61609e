"""The order of a group: two levels of search (Kanavallil 2007, sections 6.4, 6.5 and Figure 11)."""

from __future__ import annotations

from typing import NamedTuple

from scheduler_core.kernel.jit import kernel, kernel_step
from scheduler_core.slices.force_shift import level_of, shift_order
from scheduler_core.slices.heuristic_order import order_by_slowdown, order_long_wide
from scheduler_core.slices.search_paths import begin_paths, discrepancies, next_path, orders_tree, pick
from scheduler_core.slices.select_schedule import chosen_candidate, offer
from scheduler_core.slices.state import SLICE, Cluster
from scheduler_core.slices.virtual_schedule import (
    BOUND,
    CANDIDATES_FOUND,
    COUNT,
    HOLES,
    IMPROVED,
    SHARE,
    STARTED,
    Search,
    load_job,
    load_plan,
    place,
)

ORDERS, NODES, PRUNED, PRUNED_LEAVES = range(4)
"""Places in :attr:`Search.counts`."""


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


@kernel_step
def optimise(cluster: Cluster, search: Search, rules: SearchRules) -> None:
    """Find an order for the group of the slice's class; leave its jobs in that order in the cluster's ``members``.

    Counts, improvements and the totals of the heuristic's order and of the chosen one stay in ``search``: the
    latter two in ``best_total[1]`` and ``best_total[0]``.
    """
    load_group(cluster, search, rules)
    count = search.number[COUNT]
    order_long_wide(rules.long_wide_size, rules.long_wide_run, rules.long_wide_min, rules.long_wide_max, search)
    order_by_slowdown(search)
    heuristic_total = search.total[count]
    for k in range(count):
        search.chosen[k] = search.heuristic[k]
    if rules.second_level:
        first = (count + 1) // 2 if count == rules.group_max else count
        search_part(0, 0, first, search, rules)
        if first < count:
            search_part(1, first, count - first, search, rules)
    search.best_total[0], search.best_total[1] = search.total[count], heuristic_total
    kind = cluster.clock[SLICE]
    for k in range(count):
        cluster.members[kind, k] = search.job[search.chosen[k]]


@kernel_step
def load_group(cluster: Cluster, search: Search, rules: SearchRules) -> None:
    """Take the members of the group, in order of position, and the plan of their class without reservations."""
    kind = cluster.clock[SLICE]
    own = cluster.classes[kind]
    search.number[:] = 0
    search.counts[:] = 0
    search.number[HOLES] = rules.plan_backfilling
    search.real[SHARE], search.real[BOUND] = rules.share, rules.bound
    load_plan(kind, search, cluster)
    search.number[COUNT] = own.members
    for k in range(own.members):
        load_job(k, cluster.members[kind, k], search, cluster)
    search.number[STARTED] = own.started
    for k in range(own.started):
        job = cluster.started[kind, k]
        search.started_size[k] = cluster.asked[job].processors
        search.started_rest[k] = cluster.state[job].plan_end - own.clock


@kernel
def note_improvement(part: int, total: float, search: Search) -> None:
    """Write down that a better schedule was found."""
    row = search.number[IMPROVED]
    search.improvements[row, 0] = part
    search.improvements[row, 1] = search.counts[ORDERS]
    search.improvements[row, 2] = total
    search.number[IMPROVED] += 1


@kernel_step
def search_part(part: int, base: int, count: int, search: Search, rules: SearchRules) -> None:
    """Search the orders of ``count`` jobs of the heuristic's order from place ``base`` on; put the best where they were."""
    own, path, branches, order = search.part[:count], search.path[:count], search.branches[:count], search.order[:count]
    counts, number = search.counts, search.number
    generated = counts[ORDERS]
    for k in range(count):
        own[k] = order[k] = search.chosen[base + k]
    orders_tree(branches)
    begin_paths(rules.paths, branches, path, search.walk)
    number[CANDIDATES_FOUND] = 0
    counts[ORDERS] = 1
    for k in range(count):
        place(base + k, base + k + 1, order[k], search)
    counts[NODES] += count
    best = search.total[base + count]
    offer(base + count, base + count, order, count, rules.processors, search)
    note_improvement(part, best, search)
    if rules.force_shift:
        best = evaluate_shifted(part, base, count, best, search, rules)
    placed, differs = count, count
    while counts[ORDERS] < rules.orders:
        changed = next_path(rules.paths, branches, path, search.walk)
        if changed < 0:
            break
        counts[ORDERS] += 1
        differs = min(differs, changed)
        if discrepancies(path) < rules.discrepancies_from:
            continue
        pick(path, own, order)
        placed = min(differs, placed)
        cut = rules.branch_and_bound and placed > 0 and search.total[base + placed] >= best
        while placed < count and not cut:
            place(base + placed, base + placed + 1, order[placed], search)
            placed += 1
            counts[NODES] += 1
            if rules.branch_and_bound and search.total[base + placed] >= best:
                cut = True
                counts[PRUNED_LEAVES if placed == count else PRUNED] += 1
        if not cut:
            offer(base + count, base + count, order, count, rules.processors, search)
            if search.total[base + count] < best:
                best = search.total[base + count]
                note_improvement(part, best, search)
        if rules.force_shift and (rules.shift_cut or not cut):
            while placed < count:
                place(base + placed, base + placed + 1, order[placed], search)
                placed += 1
            best = evaluate_shifted(part, base, count, best, search, rules)
        differs = count
    counts[ORDERS] += generated
    chosen = chosen_candidate(rules.select, search)
    for k in range(count):
        search.chosen[base + k] = search.best_order[chosen, k]
        place(base + k, base + k + 1, search.chosen[base + k], search)


@kernel_step
def evaluate_shifted(part: int, base: int, count: int, best: float, search: Search, rules: SearchRules) -> float:
    """Evaluate the order that force-shifting makes of the one on the first stack, if it makes one; give the least total."""
    shared = shift_order(base, count, rules.shift_ratio, search)
    if shared < 0:
        return best
    counts = search.counts
    differs = shared
    while differs < count and search.shifted[differs] == search.order[differs]:
        differs += 1
    for k in range(count):
        counts[NODES] += k >= differs
        if rules.branch_and_bound and search.total[level_of(base, k + 1, shared)] >= best:
            if k >= differs:
                counts[PRUNED_LEAVES if k + 1 == count else PRUNED] += 1
            return best
    leaf = level_of(base, count, shared)
    offer(leaf, base + count, search.shifted, count, rules.processors, search)
    if search.total[leaf] < best:
        best = search.total[leaf]
        note_improvement(part, best, search)
    return best
