"""A* against every order there is, and on trees whose optimum is known."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core.common.errors import SlotwiseError
from scheduler_core.slices.a_star import SearchLimitError, a_star
from tests.scheduler_core.slices.trees import tree_size

ENOUGH = 10**6


def nothing(prefix):
    return 0


def completion_times(run, weight):
    """One machine: a job costs its weight times its end."""

    def cost(prefix):
        return sum(weight[job] * sum(run[before] for before in prefix[: k + 1]) for k, job in enumerate(prefix))

    def bound(prefix):
        begin = sum(run[job] for job in prefix)
        return sum(weight[job] * (begin + run[job]) for job in range(len(run)) if job not in prefix)

    return cost, bound


def test_weighted_completion_times_follow_smiths_rule():
    run, weight = [5, 1, 4, 2, 3], [1, 1, 2, 3, 2]
    cost, bound = completion_times(run, weight)
    found = a_star(5, cost, bound, ENOUGH)
    assert found.order == tuple(sorted(range(5), key=lambda job: run[job] / weight[job]))
    assert found.cost == cost(found.order)


def test_a_perfect_bound_leads_straight_to_the_optimum():
    run = [3, 1, 2, 5, 4, 7, 6, 9, 8]
    cost, _ = completion_times(run, [1] * 9)

    def rest(prefix):
        missing = sorted((job for job in range(9) if job not in prefix), key=lambda job: run[job])
        return cost((*prefix, *missing)) - cost(prefix)

    found = a_star(9, cost, rest, 9)
    assert found == ((1, 2, 0, 4, 3, 6, 5, 8, 7), sum(k * (10 - k) for k in range(1, 10)), 9)


def test_without_a_bound_all_cheaper_prefixes_are_expanded():
    # Every job costs 1 wherever it stands: all prefixes but the complete ones are cheaper than any order.
    found = a_star(4, len, nothing, ENOUGH)
    paths, nodes = tree_size(4)
    assert found == ((0, 1, 2, 3), 4, 1 + nodes - paths)


def test_ties_go_to_the_longer_prefix_then_to_the_smaller():
    seen = []

    def cost(prefix):
        seen.append(prefix)
        return 0

    assert a_star(3, cost, nothing, 3) == ((0, 1, 2), 0, 3)
    assert seen == [(), (0,), (1,), (2,), (0, 1), (0, 2), (0, 1, 2)]


def test_the_bound_directs_the_search():
    # Ending with job 0 is free, anything else costs 10; the bound knows it once job 0 is placed.
    def cost(prefix):
        return 10 * (len(prefix) == 3 and prefix[-1] != 0)

    def bound(prefix):
        return 10 * (0 in prefix)

    assert a_star(3, cost, bound, 3) == ((1, 2, 0), 0, 3)


def test_complete_orders_have_no_bound():
    assert a_star(1, len, lambda prefix: 100, ENOUGH) == ((0,), 1, 1)


def test_no_jobs_have_one_order():
    assert a_star(0, len, nothing, 0) == ((), 0, 0)


def test_the_limit_is_an_error_that_says_what_to_do():
    cost, bound = completion_times([1, 2, 3], [3, 2, 1])
    needed = a_star(3, cost, bound, ENOUGH).expanded
    assert a_star(3, cost, bound, needed).expanded == needed
    with pytest.raises(
        SearchLimitError, match=rf"orders of 3 jobs: expanded {needed - 1} tree nodes.*Raise the limit"
    ) as error:
        a_star(3, cost, bound, needed - 1)
    assert isinstance(error.value, SlotwiseError)


@given(st.integers(0, 4), st.data())
def test_the_optimum_whenever_the_bound_is_admissible(count, data):
    """Costs that may even fall along the way, and for every prefix a bound between nothing known and all known."""
    orders = list(permutations(range(count)))
    prefixes = sorted({order[:k] for order in orders for k in range(count + 1)})

    def drawn(most):
        numbers = st.lists(st.integers(0, most), min_size=len(prefixes), max_size=len(prefixes))
        return dict(zip(prefixes, data.draw(numbers), strict=True))

    costs, slack = drawn(30), drawn(10)

    def bound(prefix):
        return min(costs[order] for order in orders if order[: len(prefix)] == prefix) - costs[prefix] - slack[prefix]

    found = a_star(count, costs.__getitem__, bound, ENOUGH)
    assert found.cost == costs[found.order] == min(costs[order] for order in orders)
    assert found.expanded <= tree_size(count)[1] + 1


@given(st.lists(st.tuples(st.integers(1, 9), st.integers(1, 9)), min_size=1, max_size=6))
def test_one_machine_against_every_order(jobs):
    cost, bound = completion_times([run for run, _ in jobs], [weight for _, weight in jobs])
    found = a_star(len(jobs), cost, bound, ENOUGH)
    assert found.cost == min(map(cost, permutations(range(len(jobs)))))
