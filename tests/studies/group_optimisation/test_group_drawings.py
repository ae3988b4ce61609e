"""Drawings of the study of group optimisation: its trees and orders are those that the engine's search goes through."""

import pytest

from studies.group_optimisation.figures_drawings import ITERATIONS, all_paths, deepest, discrepancies, place
from tests.scheduler_core.slices.test_search_paths import DDS, DEPTH_FIRST, ILDS, paths


@pytest.mark.parametrize(("strategy", "word"), [(ILDS, "Limited"), (DDS, "Depth-bound")])
def test_iterations_take_the_paths_that_the_search_takes(strategy, word):
    own = [takes for panel, takes in ITERATIONS.items() if panel.startswith(("Both", word))]
    drawn = [path for takes in own for path in all_paths(4) if takes(path)]
    assert list(paths(strategy, (4, 3, 2, 1)))[: len(drawn)] == drawn


def test_paths_from_the_left_are_those_of_depth_first_search():
    assert list(paths(DEPTH_FIRST, (4, 3, 2, 1))) == all_paths(4)
    assert [discrepancies(path) for path in all_paths(3)] == [0, 1, 1, 2, 1, 2]  # section 6.4.2


def test_a_tree_node_stands_over_the_middle_of_its_leaves():
    three = all_paths(3)
    assert [place(edge, three) for edge in [(), (0,), (2,), (2, 1)]] == [2.5, 0.5, 4.5, 5]
    assert [deepest(path) for path in three] == [0, 2, 1, 2, 1, 2]
