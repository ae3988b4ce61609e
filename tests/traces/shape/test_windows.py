"""Whole weeks of a workload, with their phases."""

import pytest

from scheduler_core.common.errors import ParameterError
from tests.traces.jobs import workload_of
from traces.shape.windows import WEEK_US, Window, weeks


@pytest.fixture
def six_weeks():
    """Two jobs a week: one at its first microsecond, one at its last."""
    submit = [s for week in range(6) for s in (week * WEEK_US, (week + 1) * WEEK_US - 1)]
    return workload_of(12, submit_us=submit)


def test_weeks_are_whole_and_framed(six_weeks):
    window = weeks(six_weeks, Window(first=3, count=2, warm_up=1, cool_down=1))
    assert window.jobs["job"].to_list() == list(range(3, 11))
    assert window.jobs["phase"].to_list() == ["warm_up"] * 2 + ["measured"] * 4 + ["cool_down"] * 2
    assert window.jobs["submit_us"][0] == WEEK_US
    assert window.provenance["transformations"] == [
        {"step": "weeks", "first": 3, "count": 2, "warm_up": 1, "cool_down": 1}
    ]


def test_all_weeks_without_frame(six_weeks):
    window = weeks(six_weeks, Window(1, 6))
    assert window.jobs.drop("phase").equals(six_weeks.jobs)
    assert set(window.jobs["phase"]) == {"measured"}


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"first": 1, "count": 7}, "ends with week 7, but the last job is submitted in week 6"),
        ({"first": 6, "count": 1, "cool_down": 1}, "ends with week 7"),
        ({"first": 1, "count": 1, "warm_up": 1}, "first must be at least 2"),
        ({"first": 0, "count": 1}, "first must be at least 1"),
        ({"first": 1, "count": 1.5}, "count must be a whole number"),
    ],
)
def test_windows_that_cannot_be(six_weeks, values, words):
    with pytest.raises(ParameterError, match=words):
        weeks(six_weeks, Window(**values))
