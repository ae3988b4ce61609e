"""Published schedules against ours: what is counted as equal, and how means are compared digit by digit."""

import polars as pl
import pytest

from studies.published_schedules.figures import compare

S = 1_000_000


def table(published):
    """Three jobs that start at 0, 5 and 9 s here; all are submitted at 0 s and run 5, 4 and 20 s."""
    starts, runs = (0, 5, 9), (5, 4, 20)
    rows = [
        ("w", "A log", n, 0, run * S, start * S, at * S)
        for n, (run, start, at) in enumerate(zip(runs, starts, published, strict=True))
    ]
    columns = ["workload", "workload_label", "job", "submit_us", "runtime_us", "start_us", "published_us"]
    return pl.DataFrame(rows, schema=columns, orient="row")


def test_equal_schedules_agree_to_the_last_printed_digit():
    """Slowdowns with a bound of 10 s: 1, 1 and 29/20."""
    found = compare(table((0, 5, 9)), {"w": 1.15})
    assert (found["equal"], found["share"], found["first_difference"]) == (3, 100.0, "none")
    assert (found["published"], found["ours"], found["agrees"]) == ("1.15", "1.15", True)
    assert not compare(table((0, 5, 9)), {"w": 1.151})["agrees"]


def test_a_start_that_differs_is_counted_and_named():
    found = compare(table((0, 6, 10)), {"w": 1.15})
    assert (found["equal"], found["share"]) == (1, pytest.approx(100 / 3))
    assert found["first_difference"] == "job 1"
