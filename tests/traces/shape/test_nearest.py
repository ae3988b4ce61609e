"""The window of a log nearest to printed characteristics, against a window-by-window reckoning."""

import numpy as np
import pytest

from scheduler_core.common.errors import ParameterError
from tests.traces.class_table import class_table
from tests.traces.jobs import workload_of
from traces.shape.nearest import Characteristics, nearest_window, window_table

RUNS = {"short": 100, "medium": 5000, "long": 20_000}


def classed(kinds, sizes):
    return workload_of(len(kinds), runtime_us=[RUNS[kind] * 10**6 for kind in kinds], size=sizes)


@pytest.fixture
def mixed():
    drawn = np.random.default_rng(5)
    return classed(drawn.choice([*RUNS], 200, p=[0.6, 0.25, 0.15]).tolist(), drawn.integers(1, 65, 200))


def test_every_window_is_measured_as_a_workload_of_its_own_would_be(mixed):
    begins = np.arange(0, 161, 10)
    table = window_table(mixed, begins, 40)
    for begin, row in zip(begins, table, strict=True):
        alone = class_table(mixed.transformed(mixed.jobs.slice(int(begin), 40), {}), "pect")
        expected = [*(alone["share"] * 100), *(alone["work_share"] * 100), *alone["mean_size"].fill_null(0)]
        assert row == pytest.approx(expected)


def test_the_window_whose_jobs_are_as_printed_is_found():
    kinds = ["short"] * 20 + ["short", "long"] * 5 + ["medium"] * 20
    sizes = [1] * 20 + [8, 2] * 5 + [4] * 20
    wanted = Characteristics(
        jobs=10, stride=5, jobs_short=50, jobs_long=50, work_short=2, work_long=98, size_short=8, size_long=2
    )
    found = nearest_window(classed(kinds, sizes), wanted)
    assert found.jobs["job"].to_list() == list(range(21, 31))
    step = found.provenance["transformations"][-1]
    assert (step["step"], step["skipped"], step["compared"]) == ("nearest", 20, 9)
    assert step["distance"] < 1
    assert step["distance_of_first"] == pytest.approx(50 + 50 + 98 + 98 + 7 + 2)


def test_of_equally_near_windows_the_first_is_taken_and_all_are_whole():
    same = classed(["medium"] * 25, [4] * 25)
    wanted = Characteristics(jobs=10, stride=7, jobs_medium=100, work_medium=100, size_medium=4)
    found = nearest_window(same, wanted)
    assert found.jobs["job"][0] == 1
    assert found.provenance["transformations"][-1]["compared"] == 3


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({}, "jobs_short, jobs_medium and jobs_long must add up to about 100 %; found 0"),
        ({"jobs_short": 100, "work_long": 97}, "work_short, work_medium and work_long must add up"),
        ({"jobs_short": 101.5, "work_long": 100}, "jobs_short must be at most 100"),
        ({"jobs_short": 100, "work_long": 100, "stride": 0}, "stride must be at least 1"),
    ],
)
def test_characteristics_that_cannot_be(values, words):
    with pytest.raises(ParameterError, match=words):
        Characteristics(**values)


def test_a_window_longer_than_the_workload(mixed):
    with pytest.raises(ParameterError, match="a window has 201 jobs, but there are 200"):
        nearest_window(mixed, Characteristics(jobs=201, jobs_short=100, work_long=100))
