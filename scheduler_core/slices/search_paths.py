"""The order in which the paths of a search tree are tried: depth first, or by discrepancies.

Every tree node at depth k has ``branches[k]`` children (at least one). The orders of n jobs are the paths of the
tree with n, n - 1, ..., 1 children: child c at depth k is the c-th of the jobs that remain, in the heuristic's order. A
**path** from the root to a leaf is the child taken at each depth. Child 0 is the heuristic's; taking another is a
**discrepancy** (Kanavallil 2007, sections 3.3.2 and 5.1.3).

Strategies, all of which begin with the heuristic's own path:

``DEPTH_FIRST``
    The paths in lexicographic order: a counter whose last digit turns fastest. Of three jobs they have
    0, 1, 1, 2, 1, 2 discrepancies, as printed in section 6.4.2.
``DEPTH_FIRST_FRONT``
    The counter whose first digit turns fastest; every digit keeps the number of children of its own depth. So the first n
    orders of n jobs put each job first in turn, the others as the heuristic has them. Of three jobs: 0, 1, 1, 1, 2, 2.
    (This is not the lexicographic orders of the reversed list read backwards, which leave the last jobs where they are.)
``DDS``
    Depth-bound discrepancy search (Walsh 1997): iteration 0 is the heuristic's path; iteration k = 1, 2, ... takes, in
    lexicographic order, all paths that have a discrepancy at the k-th depth, anything above and the heuristic below.
``ILDS``
    Improved limited discrepancy search (Korf 1996): iteration k takes the paths with exactly k discrepancies, in
    lexicographic order. It does not go where too few depths with a choice are left for the discrepancies it still needs.
``LDS``
    Limited discrepancy search as printed (Figure 1): iteration x = 0, 1, ..., depth of the tree takes the paths with at most
    x discrepancies; at each tree node, while discrepancies may be spent, children 1, 2, ... first and child 0 last. So paths
    come again in later iterations. Figure 1 is of binary trees; here every child but the first costs one discrepancy.

All but LDS visit every path exactly once. A search keeps the arrays ``branches``, ``path`` (as long as the tree is deep) and
``walk`` (``WALK`` numbers), all int64; a tree that has no depth has one path, the empty one.
"""

import numpy as np

from scheduler_core.kernel.jit import kernel, kernel_step

DEPTH_FIRST, DEPTH_FIRST_FRONT, DDS, ILDS, LDS = range(5)
"""The strategies."""

ITERATION, SPENT = range(WALK := 2)
"""What ``walk`` holds: the iteration (DDS, ILDS, LDS) and the discrepancies of the path (LDS)."""


@kernel
def orders_tree(branches: np.ndarray) -> None:
    """Make ``branches`` the tree of all orders of as many jobs as it is long."""
    for depth in range(branches.size):
        branches[depth] = branches.size - depth


@kernel
def begin_paths(path: np.ndarray, walk: np.ndarray) -> None:
    """Put the first path, which is the heuristic's in every strategy and tree."""
    path[:] = 0
    walk[:] = 0


@kernel
def next_path(strategy: int, branches: np.ndarray, path: np.ndarray, walk: np.ndarray) -> int:
    """Go on to the next path; return the first depth at which it differs from the one before, or -1 if there is none.

    Where the same path comes again at once, which happens only with LDS in a tree without any choice, the first depth that
    differs is the depth of the tree. After the last path, path and walk stay as they are.
    """
    if strategy == DEPTH_FIRST:
        return _next_depth_first(branches, path, path.size - 1)
    return _next_by_strategy(strategy, branches, path, walk)


@kernel
def discrepancies(path: np.ndarray) -> int:
    """Count the depths at which a path does not take the heuristic's child."""
    count = 0
    for child in path:
        count += child != 0
    return count


@kernel
def pick(path: np.ndarray, order_in: np.ndarray, order_out: np.ndarray) -> None:
    """Put the order of jobs that a path of :func:`orders_tree` stands for into ``order_out``.

    ``order_in`` is the heuristic's order.

    The two orders are as long as the path, and may be the same array.
    """
    for place in range(path.size):
        order_out[place] = order_in[place]
    for depth in range(path.size):
        chosen = depth + path[depth]
        job = order_out[chosen]
        for place in range(chosen, depth, -1):
            order_out[place] = order_out[place - 1]
        order_out[depth] = job


# The steps of the strategies look for a choice to change before they change any, so that the last path stays.


@kernel
def _next_depth_first(branches: np.ndarray, path: np.ndarray, deepest: int) -> int:
    """Turn the counter's digit at ``deepest``, or the nearest above that has not come to its end."""
    for depth in range(deepest, -1, -1):
        if path[depth] + 1 < branches[depth]:
            path[depth] += 1
            _follow_heuristic(path, depth + 1, path.size)
            return depth
    return -1


@kernel_step
def _next_by_strategy(strategy: int, branches: np.ndarray, path: np.ndarray, walk: np.ndarray) -> int:
    """Take a step of any strategy but depth first."""
    if strategy == DEPTH_FIRST_FRONT:
        return _next_front(branches, path)
    if strategy == DDS:
        return _next_depth_bound(branches, path, walk)
    if strategy == ILDS:
        return _next_improved(branches, path, walk)
    return _next_limited(branches, path, walk)


@kernel
def _next_front(branches: np.ndarray, path: np.ndarray) -> int:
    """Turn the counter whose first digit turns fastest; the first digit there is to turn changes with every path."""
    first = 0
    while first < path.size and branches[first] == 1:
        first += 1
    for depth in range(first, path.size):
        if path[depth] + 1 < branches[depth]:
            path[depth] += 1
            _follow_heuristic(path, 0, depth)
            return first
    return -1


@kernel
def _next_depth_bound(branches: np.ndarray, path: np.ndarray, walk: np.ndarray) -> int:
    """Turn the counter that ends at the depth of the forced discrepancy, or force it at the next depth with a choice."""
    forced = walk[ITERATION] - 1
    for depth in range(forced, -1, -1):
        if path[depth] + 1 < branches[depth]:
            path[depth] += 1
            _follow_heuristic(path, depth + 1, path.size)
            if depth < forced:
                path[forced] = 1
            return depth
    for later in range(forced + 1, path.size):
        if branches[later] > 1:
            walk[ITERATION] = later + 1
            changed = path.size
            for depth in range(path.size):
                changed = min(changed, _choose(path, depth, depth == later))
            return changed
    return -1


@kernel
def _next_improved(branches: np.ndarray, path: np.ndarray, walk: np.ndarray) -> int:
    """Go on among the paths with as many discrepancies as this one, else to those with one more."""
    needed = choices = 0  # discrepancies of the path from a depth on, and depths below it that have a choice
    for depth in range(path.size - 1, -1, -1):
        needed += path[depth] != 0
        if needed > 0 and path[depth] + 1 < branches[depth]:
            path[depth] += 1
            _fill_improved(branches, path, depth + 1, needed - 1, choices)
            return depth
        choices += branches[depth] > 1
    if needed == choices:
        return -1
    walk[ITERATION] = needed + 1
    return _fill_improved(branches, path, 0, needed + 1, choices)


@kernel
def _fill_improved(branches: np.ndarray, path: np.ndarray, begin: int, needed: int, choices: int) -> int:
    """Follow the heuristic from ``begin`` on until every choice left must be a discrepancy; return what changed first."""
    changed = path.size
    for depth in range(begin, path.size):
        discrepancy = branches[depth] > 1 and needed == choices
        choices -= branches[depth] > 1
        needed -= discrepancy
        changed = min(changed, _choose(path, depth, discrepancy))
    return changed


@kernel
def _next_limited(branches: np.ndarray, path: np.ndarray, walk: np.ndarray) -> int:
    """Go on among the paths with at most as many discrepancies as the iteration allows, else to the next iteration."""
    for depth in range(path.size - 1, -1, -1):
        if path[depth] != 0:
            path[depth] = (path[depth] + 1) % branches[depth]  # child 0 is the last
            _fill_limited(branches, path, walk, depth + 1, walk[SPENT] - (path[depth] == 0))
            return depth
    if walk[ITERATION] == path.size:
        return -1
    walk[ITERATION] += 1
    return _fill_limited(branches, path, walk, 0, 0)


@kernel
def _fill_limited(branches: np.ndarray, path: np.ndarray, walk: np.ndarray, begin: int, spent: int) -> int:
    """Spend what discrepancies are left as high as possible from ``begin`` on; return what changed first."""
    changed = path.size
    for depth in range(begin, path.size):
        discrepancy = branches[depth] > 1 and spent < walk[ITERATION]
        spent += discrepancy
        changed = min(changed, _choose(path, depth, discrepancy))
    walk[SPENT] = spent
    return changed


@kernel
def _choose(path: np.ndarray, depth: int, child: int) -> int:
    """Take a child at a depth; return that depth if it took another before, else the depth of the tree."""
    same = path[depth] == child
    path[depth] = child
    return path.size if same else depth


@kernel
def _follow_heuristic(path: np.ndarray, begin: int, end: int) -> None:
    """Take the heuristic's child from one depth to before another; faster than to assign to so short a slice."""
    for depth in range(begin, end):
        path[depth] = 0
