"""Search at every event: find a good order of the slice's own waiting jobs (Kanavallil 2007, section 9.5)."""

from scheduler_core.kernel.jit import kernel_step
from scheduler_core.slices import virtual_schedule as virtual
from scheduler_core.slices.class_plan import cancel_all, reserve, reserve_at
from scheduler_core.slices.class_queue import first_in_queue, next_in_queue
from scheduler_core.slices.search_paths import DDS, begin_paths, next_path, orders_tree, pick
from scheduler_core.slices.state import Cluster
from scheduler_core.slices.virtual_schedule import Search, place


@kernel_step
def search_own(cluster: Cluster, search: Search) -> None:
    """Reserve the times of the best order found for the waiting jobs of the slice's class."""
    kind = cluster.clock.slice
    if first_in_queue(kind, cluster) < 0:
        return
    cancel_all(kind, cluster)
    load_waiting(kind, cluster, search)
    order_by_slowdown_now(search)
    count = search.note.count
    order = search.orders[virtual.ORDER, :count]
    path, branches = search.orders[virtual.PATH, :count], search.orders[virtual.BRANCHES, :count]
    orders_tree(branches)
    begin_paths(path, search.walk)
    best_excess, best_total = -1.0, -1.0
    tree_nodes, differs = 0, 0
    while differs >= 0 and (tree_nodes < cluster.rules.tree_nodes or best_excess < 0.0):
        cluster.counters.orders += 1
        pick(path, search.orders[virtual.HEURISTIC, :count], order)
        for k in range(differs, count):
            place(k, k + 1, order[k], search)
        tree_nodes += count - differs
        excess, total = search.levels[count].excess, search.levels[count].total
        if best_excess < 0.0 or excess < best_excess or (excess == best_excess and total < best_total):
            best_excess, best_total = excess, total
            for k in range(count):
                search.orders[virtual.CHOSEN][order[k]] = search.levels[k + 1].start
        differs = next_path(DDS, branches, path, search.walk)
    cluster.counters.searches += 1
    cluster.counters.tree_nodes += tree_nodes
    cluster.counters.placements += search.note.placed
    for number in range(count):
        reserve_at(search.orders[virtual.CHOSEN][number], search.jobs[number].job, kind, cluster)
    job = next_in_queue(search.jobs[count - 1].job, kind, cluster)
    while job >= 0:
        reserve(job, kind, cluster)
        job = next_in_queue(job, kind, cluster)


@kernel_step
def load_waiting(kind: int, cluster: Cluster, search: Search) -> None:
    """Take the first waiting jobs of a class, and its plan without reservations."""
    virtual.begin_search(True, cluster.classes[kind].share, float(cluster.rules.bound), search)
    virtual.load_plan(kind, search, cluster)
    job = first_in_queue(kind, cluster)
    # the first of the queue, which is in order of submission, has waited longest
    search.note.longest_wait = float(cluster.clock.now - cluster.asked[job].submit)
    while job >= 0 and search.note.count < cluster.rules.queue_most:
        virtual.load_job(search.note.count, job, search, cluster)
        search.note.count += 1
        job = next_in_queue(job, kind, cluster)


@kernel_step
def order_by_slowdown_now(search: Search) -> None:
    """Put the heuristic's order into ``search.orders[virtual.HEURISTIC]``: by slowdown if they started now, largest first."""
    order, clock = search.orders[virtual.HEURISTIC], search.levels[0].start
    for number in range(search.note.count):
        slowdown = virtual.slowdown_of(number, virtual.response_of(number, clock, search), search)
        rank = number
        while rank > 0:
            before = order[rank - 1]
            if virtual.slowdown_of(before, virtual.response_of(before, clock, search), search) >= slowdown:
                break
            order[rank] = before
            rank -= 1
        order[rank] = number
