"""Graphs of workflows: shapes that are drawn, and the work of a job put into their tasks."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core.common.errors import ParameterError
from traces.workflows import SHAPES, Graph, Task, divide, draw
from traces.workflows.graph import make_graph, recorded

SHAPE = st.sampled_from(sorted(SHAPES))


def drawn(shape: str, width: int, depth: int, seed: int) -> Graph:
    """Draw a graph from a seed."""
    return draw(shape, width, depth, np.random.default_rng(seed))


@given(shape=SHAPE, width=st.integers(2, 12), depth=st.integers(3, 9), seed=st.integers(0, 2**32))
def test_every_shape_has_one_root_one_exit_and_topological_numbers(
    shape: str, width: int, depth: int, seed: int
) -> None:
    graph = drawn(shape, width, depth, seed)
    assert (graph.roots, graph.exits) == ([1], [len(graph.tasks)])
    assert all(1 <= one.before < one.after <= len(graph.tasks) for one in graph.dependencies)
    assert len({(one.before, one.after) for one in graph.dependencies}) == len(graph.dependencies)
    assert graph == drawn(shape, width, depth, seed)
    levels = graph.levels
    assert all(levels[one.before - 1] < levels[one.after - 1] for one in graph.dependencies)


@given(
    shape=SHAPE,
    width=st.integers(2, 12),
    seed=st.integers(0, 99),
    size=st.integers(1, 500),
    runtime_s=st.integers(600, 10**5),
)
def test_a_divided_job_keeps_its_work(shape: str, width: int, seed: int, size: int, runtime_s: int) -> None:
    graph = drawn(shape, width, 5, seed)
    parts = divide(graph, size, runtime_s * 1_000_000)
    assert len(parts) == len(graph.tasks)
    assert all(own >= 1 and run >= 1 for own, run in parts)
    work, given_work = sum(own * run for own, run in parts), size * runtime_s * 1_000_000
    assert abs(work - given_work) <= sum(own for own, _ in parts)
    levels = graph.levels
    for level in set(levels):
        of_level = [own for (own, _), there in zip(parts, levels, strict=True) if there == level]
        assert sum(of_level) <= max(size, len(of_level))


def test_montage_compares_neighbours_and_subtracts_the_model_from_each_image() -> None:
    graph = drawn("montage", 4, 3, 1)
    kinds = [task.kind for task in graph.tasks]
    counts = {kind: kinds.count(kind) for kind in dict.fromkeys(kinds)}
    assert counts == {
        "stage in": 1, "mProject": 4, "mDiffFit": 3, "mConcatFit": 1, "mBgModel": 1, "mBackground": 4,
        "mImgtbl": 1, "mAdd": 1, "mShrink": 1, "mJPEG": 1,
    }  # fmt: skip
    before = {number: [one.before for one in graph.dependencies if one.after == number] for number in range(1, 19)}
    assert [before[6], before[7], before[8]] == [[2, 3], [3, 4], [4, 5]]
    assert before[11] == [2, 10]
    assert max(graph.levels) == 10


def test_chain_and_fork_join_are_what_they_are_called() -> None:
    assert drawn("chain", 2, 4, 0).levels == [1, 2, 3, 4]
    assert drawn("fork_join", 3, 4, 0).levels == [1, 2, 2, 2, 3, 4, 4, 4, 5]


def test_run_times_of_one_kind_are_within_a_tenth_of_each_other() -> None:
    graph = drawn("montage", 10, 3, 7)
    times = [task.runtime_s for task in graph.tasks if task.kind == "mProject"]
    assert max(times) / min(times) <= 1.1 / 0.9


def test_recorded_sizes_and_times_are_those_of_the_file() -> None:
    graph = make_graph("w", [Task("a", 1.5, 3), Task("b", 2.0)], {(0, 1): 7})
    assert recorded(graph) == [(3, 1_500_000), (1, 2_000_000)]


@pytest.mark.parametrize(
    ("shape", "width", "depth", "says"),
    [("montag", 4, 3, "did you mean 'montage'"), ("chain", 1, 3, "at least 2"), ("chain", 2, 2, "at least 3")],
)
def test_other_shapes_are_refused(shape: str, width: int, depth: int, says: str) -> None:
    with pytest.raises(ParameterError, match=says):
        drawn(shape, width, depth, 0)
