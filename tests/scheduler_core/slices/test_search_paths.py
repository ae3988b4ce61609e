"""Search trees: the paths of every strategy by hand, against the recursive pseudocode, and counted."""

from collections import Counter
from itertools import islice

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core.slices import search_paths
from scheduler_core.slices.search_paths import DDS, DEPTH_FIRST, DEPTH_FIRST_FRONT, ILDS, LDS
from tests.from_python import all_from_python
from tests.oracles.slices import search_orders
from tests.scheduler_core.slices.trees import tree_size

search_paths = all_from_python(search_paths)

ORACLE = {
    DEPTH_FIRST: search_orders.depth_first,
    DEPTH_FIRST_FRONT: search_orders.depth_first_front,
    DDS: search_orders.dds,
    ILDS: search_orders.ilds,
    LDS: search_orders.lds,
}
trees = st.lists(st.integers(1, 4), max_size=5).map(tuple)


def tree_of_orders(jobs):
    branches = np.empty(jobs, np.int64)
    search_paths.orders_tree(branches)
    return tuple(branches.tolist())


class Search:
    """A search of one strategy in one tree."""

    def __init__(self, strategy, tree):
        self.strategy, self.branches = strategy, np.array(tree, np.int64)
        # What was there before must not matter.
        self.array, self.walk = np.full(len(tree), 7, np.int64), np.full(search_paths.WALK, 7, np.int64)
        search_paths.begin_paths(self.array, self.walk)

    @property
    def path(self):
        return tuple(self.array.tolist())

    def next(self):
        return search_paths.next_path(self.strategy, self.branches, self.array, self.walk)


def paths(strategy, tree):
    """Return all paths, and hold what is said of the depth at which each differs from the one before."""
    search = Search(strategy, tree)
    before = search.path
    yield before
    while (changed := search.next()) >= 0:
        differing = [depth for depth in range(len(tree)) if search.path[depth] != before[depth]]
        assert changed == min(differing, default=len(tree))
        before = search.path
        yield before
    assert (search.path, search.next(), search.path) == (before, -1, before)


def written(words):
    return [tuple(map(int, word)) for word in words.split()]


def discrepancies(path):
    return search_paths.discrepancies(np.array(path, np.int64))


def picked(path, jobs):
    order = np.empty(len(path), np.int64)
    search_paths.pick(np.array(path, np.int64), np.array(jobs, np.int64), order)
    return order.tolist()


# By hand


def test_discrepancies_of_all_orders_of_three_and_four_jobs():
    three, four = ([discrepancies(path) for path in paths(DEPTH_FIRST, tree_of_orders(n))] for n in (3, 4))
    assert three == [0, 1, 1, 2, 1, 2]  # as printed in section 6.4.2
    assert four == [0, 1, 1, 2, 1, 2] + 3 * [1, 2, 2, 3, 2, 3]
    assert [discrepancies(path) for path in paths(DEPTH_FIRST_FRONT, (3, 2, 1))] == [0, 1, 1, 1, 2, 2]


def test_orders_of_three_jobs():
    def orders(strategy):
        return ["".join("ABC"[job] for job in picked(path, range(3))) for path in paths(strategy, (3, 2, 1))]

    assert orders(DEPTH_FIRST) == ["ABC", "ACB", "BAC", "BCA", "CAB", "CBA"]
    assert orders(DEPTH_FIRST_FRONT) == ["ABC", "BAC", "CAB", "ACB", "BCA", "CBA"]
    assert orders(DDS) == ["ABC", "BAC", "CAB", "ACB", "BCA", "CBA"]
    assert orders(ILDS) == ["ABC", "ACB", "BAC", "CAB", "BCA", "CBA"]
    one, two = ["BAC", "CAB", "ACB", "ABC"], ["BCA", "BAC", "CBA", "CAB", "ACB", "ABC"]
    assert orders(LDS) == ["ABC", *one, *two, *two]


BINARY = {
    DEPTH_FIRST: ["000 001 010 011 100 101 110 111"],
    DEPTH_FIRST_FRONT: ["000 100 010 110 001 101 011 111"],
    DDS: ["000", "100", "010 110", "001 011 101 111"],
    ILDS: ["000", "001 010 100", "011 101 110", "111"],
    LDS: ["000", "100 010 001 000", "110 101 100 011 010 001 000", "111 110 101 100 011 010 001 000"],
}


@pytest.mark.parametrize("strategy", BINARY)
def test_iterations_in_the_binary_tree_of_depth_three(strategy):
    assert list(paths(strategy, (2, 2, 2))) == written(" ".join(BINARY[strategy]))


def test_iterations_in_the_binary_tree_of_depth_four():
    tree = (2, 2, 2, 2)
    assert list(paths(DDS, tree)) == written(
        "0000 1000 0100 1100 0010 0110 1010 1110 0001 0011 0101 0111 1001 1011 1101 1111"
    )
    assert list(paths(ILDS, tree)) == written(
        "0000 0001 0010 0100 1000 0011 0101 0110 1001 1010 1100 0111 1011 1101 1110 1111"
    )
    two = "1100 1010 1001 1000 0110 0101 0100 0011 0010 0001 0000"
    assert list(islice(paths(LDS, tree), 1 + 5 + 11)) == written("0000 1000 0100 0010 0001 0000 " + two)


def test_the_iterations_stand_in_the_walk():
    for strategy, sizes in ((DDS, [1, 1, 2, 4, 8]), (ILDS, [1, 4, 6, 4, 1]), (LDS, [1, 5, 11, 15, 16])):
        search = Search(strategy, (2, 2, 2, 2))
        iterations = Counter([int(search.walk[search_paths.ITERATION])])
        while search.next() >= 0:
            iterations[int(search.walk[search_paths.ITERATION])] += 1
        assert [iterations[k] for k in range(5)] == sizes


@pytest.mark.parametrize("strategy", ORACLE)
def test_trees_without_a_choice(strategy):
    assert list(paths(strategy, ())) == [()]
    times = 4 if strategy == LDS else 1  # iterations 0 to the depth of the tree, as printed
    assert list(paths(strategy, (1, 1, 1))) == times * [(0, 0, 0)]


# What the source counts


@pytest.mark.parametrize(
    ("jobs", "count", "nodes"),
    [(4, 24, 64), (8, 40320, 109600), (10, 3628800, 9864100), (15, 1307674368000, 3554627472075)],
)
def test_sizes_of_trees_as_printed_in_table_2(jobs, count, nodes):
    assert tree_size(jobs) == (count, nodes)


@pytest.mark.parametrize("jobs", range(7))
def test_tree_size_counts_the_prefixes_of_all_orders(jobs):
    every = list(paths(DEPTH_FIRST, tree_of_orders(jobs)))
    prefixes = {path[:depth] for path in every for depth in range(1, jobs + 1)}
    assert tree_size(jobs) == (len(every), len(prefixes))


@pytest.mark.parametrize("jobs", range(8, 21))
def test_discrepancies_of_the_first_10000_orders(jobs):
    first = list(islice(paths(DEPTH_FIRST, tree_of_orders(jobs)), 10_000))
    histogram = Counter(discrepancies(path) for path in first)
    assert histogram == {0: 1, 1: 22, 2: 196, 3: 910, 4: 2356, 5: 3369, 6: 2447, 7: 699}
    assert not any(any(path[: jobs - 8]) for path in first)


# Against the pseudocode, on drawn trees


@given(trees, st.sampled_from(sorted(ORACLE)))
def test_every_strategy_is_its_pseudocode(tree, strategy):
    assert list(paths(strategy, tree)) == list(ORACLE[strategy](tree))


@given(trees)
def test_all_but_lds_give_every_path_once(tree):
    every = sorted(np.ndindex(*tree)) if tree else [()]
    for strategy in (DEPTH_FIRST, DEPTH_FIRST_FRONT, DDS, ILDS):
        given_paths = list(paths(strategy, tree))
        assert sorted(given_paths) == every
        assert given_paths[0] == (0,) * len(tree)
    assert list(paths(DEPTH_FIRST, tree)) == every


@given(trees)
def test_lds_gives_a_path_once_in_each_iteration_that_can_afford_it(tree):
    times = Counter(paths(LDS, tree))
    assert times == {path: len(tree) + 1 - discrepancies(path) for path in np.ndindex(*tree)}


# From paths to orders


@given(st.permutations(range(9)), st.data())
def test_a_child_is_one_of_the_jobs_that_remain(heuristic, data):
    path = tuple(data.draw(st.integers(0, children - 1)) for children in tree_of_orders(9))
    expected = search_orders.jobs_in_order(path, heuristic)
    assert picked(path, heuristic) == expected
    order = np.array(heuristic, np.int64)
    search_paths.pick(np.array(path, np.int64), order, order)
    assert order.tolist() == expected
