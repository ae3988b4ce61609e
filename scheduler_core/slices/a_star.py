"""A* over the orders of a few jobs: the order of least cost, with the proof that there is none better.

It certifies on small groups what the searches of :mod:`~scheduler_core.slices.search_paths` find; it is no way to schedule.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from typing import NamedTuple

from scheduler_core.common.errors import SlotwiseError

Order = tuple[int, ...]


class SearchLimitError(SlotwiseError):
    """A search had to be given up before its result was certain."""


class Optimum(NamedTuple):
    """An order of least cost, its cost, and how many prefixes of orders were expanded to find it."""

    order: Order
    cost: float
    expanded: int


def a_star(
    count: int,
    cost_of_prefix: Callable[[Order], float],
    bound_of_prefix: Callable[[Order], float],
    limit: int,
) -> Optimum:
    """Find an order of jobs 0 to ``count`` - 1 with the least cost (A*: Kanavallil 2007, section 3.3.1).

    The tree nodes are prefixes of orders, the root the empty one. Tree node n has f(n) = g(n) + h(n), where
    ``cost_of_prefix`` is g, what the jobs of the prefix cost, and ``bound_of_prefix`` is h. The tree node with the least f is
    expanded next (ties: the longer prefix, then the lexicographically smaller); the first complete order to be its turn is
    the result. That order is optimal if h is *admissible*: at no prefix more than what the jobs still missing add to the
    cost in any order of them. A complete order costs its g; it has no h.

    Raises
    ------
    SearchLimitError
        If ``limit`` tree nodes have been expanded and the next would be too: the order of least cost is then unknown.
    """
    waiting: list[tuple[float, int, Order, float]] = []

    def add(prefix: Order) -> None:
        cost = cost_of_prefix(prefix)
        estimate = cost if len(prefix) == count else cost + bound_of_prefix(prefix)
        heapq.heappush(waiting, (estimate, -len(prefix), prefix, cost))

    add(())
    expanded = 0
    while True:
        estimate, _, prefix, cost = heapq.heappop(waiting)
        if len(prefix) == count:
            return Optimum(prefix, cost, expanded)
        if expanded == limit:
            raise SearchLimitError(
                f"A* over the orders of {count} jobs: expanded {expanded} tree nodes, which is the limit; no order costs less "
                f"than {estimate:g}, but which costs least is not known. Raise the limit, order fewer jobs, or give a "
                "bound closer to the cost"
            )
        expanded += 1
        for job in range(count):
            if job not in prefix:
                add((*prefix, job))
