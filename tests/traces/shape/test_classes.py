"""Run-time classes at and around their limits, and workloads summed up by them."""

import polars as pl
import pytest

from tests.traces.class_table import class_table
from tests.traces.jobs import workload_of
from traces.shape.classes import run_time_class


def running(times_s, size=1):
    return workload_of(len(times_s), runtime_us=[round(time * 1e6) for time in times_s], size=size)


@pytest.mark.parametrize(
    ("name", "limits", "at_limit"),
    [("pect", (600, 10_800), ("medium", "long")), ("lomarc", (60, 3600), ("short", "medium")),
     ("scojo", (180, 3600), ("short", "medium"))],
)  # fmt: skip
def test_run_time_classes_at_their_limits(name, limits, at_limit):
    times = [1, *(limit + step for limit in limits for step in (-1e-6, 0, 1e-6)), 1e6]
    jobs = running(times).jobs.with_columns(estimate_us=pl.lit(10**13))  # estimates do not matter
    found = jobs.select(run_time_class(name))["class"].to_list()
    assert found == ["short", "short", at_limit[0], "medium", "medium", at_limit[1], "long", "long"]


def test_the_class_table_adds_up():
    table = class_table(running([10, 30, 20_000], [4, 2, 1]), "pect")
    assert table["class"].to_list() == ["short", "medium", "long"]
    assert table["jobs"].to_list() == [2, 0, 1]
    assert table["share"].to_list() == pytest.approx([2 / 3, 0, 1 / 3])
    assert table["work_share"].to_list() == pytest.approx([100 / 20_100, 0, 20_000 / 20_100])
    assert table["mean_size"].to_list() == [3, None, 1]
    assert table["mean_runtime_s"].to_list() == [20, None, 20_000]
    assert class_table(running([1]).first(0), "pect")["jobs"].to_list() == [0, 0, 0]
