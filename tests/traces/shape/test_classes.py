"""Run-time and width classes at and around their limits."""

import polars as pl
import pytest

from scheduler_core.common.errors import ParameterError
from scheduler_core.contracts import Machine, Workload
from tests.traces.class_table import class_table
from traces.shape.classes import run_time_classes, width_class


def workload_of(runtimes_s, sizes=None, estimates_s=None):
    count = len(runtimes_s)
    frame = pl.DataFrame(
        {
            "job": range(1, count + 1),
            "submit_us": [0] * count,
            "runtime_us": [round(s * 1e6) for s in runtimes_s],
            "estimate_us": [round(s * 1e6) for s in estimates_s or runtimes_s],
            "size": sizes or [1] * count,
        },
        schema_overrides={"size": pl.Int32},
    )
    return Workload(frame, Machine(128))


@pytest.mark.parametrize(
    ("name", "limits", "at_limit"),
    [("pect", (600, 10_800), ("medium", "long")), ("lomarc", (60, 3600), ("short", "medium")),
     ("scojo", (180, 3600), ("short", "medium"))],
)  # fmt: skip
def test_run_time_classes_at_their_limits(name, limits, at_limit):
    times = [1, *(limit + step for limit in limits for step in (-1e-6, 0, 1e-6)), 1e6]
    found = workload_of(times).jobs.select(run_time_classes(name).expression())["run_time_class"].to_list()
    assert found == ["short", "short", at_limit[0], "medium", "medium", at_limit[1], "long", "long"]


def test_classes_by_estimate_or_by_run_time():
    jobs = workload_of([30], estimates_s=[4000]).jobs
    classes = run_time_classes("lomarc")
    assert jobs.select(classes.expression("estimate")).item() == "long"
    assert jobs.select(classes.expression("runtime")).item() == "short"
    with pytest.raises(ParameterError, match="estimate or runtime"):
        classes.expression("wait")
    with pytest.raises(ParameterError, match="did you mean 'lomarc'"):
        run_time_classes("lomark")


def test_width_classes_at_their_limits():
    jobs = workload_of([1] * 6, [1, 12, 13, 64, 65, 128]).jobs
    words = ["narrow", "narrow", "medium", "medium", "wide", "wide"]
    assert jobs.select(width_class(128))["width_class"].to_list() == words
    assert jobs.select(width_class(1000, 0.001, 0.064))["width_class"].to_list() == [
        *["narrow", "medium", "medium", "medium", "wide", "wide"]
    ]
    with pytest.raises(ParameterError, match="0 < narrow <= medium <= 1"):
        width_class(128, 0.6, 0.5)


def test_the_class_table_adds_up():
    table = class_table(workload_of([10, 30, 20_000], [4, 2, 1]), "pect")
    assert table["run_time_class"].to_list() == ["short", "medium", "long"]
    assert table["jobs"].to_list() == [2, 0, 1]
    assert table["share"].to_list() == pytest.approx([2 / 3, 0, 1 / 3])
    assert table["work_share"].to_list() == pytest.approx([100 / 20_100, 0, 20_000 / 20_100])
    assert table["mean_size"].to_list() == [3, None, 1]
    assert table["mean_runtime_s"].to_list() == [20, None, 20_000]
    assert class_table(workload_of([1]).first(0), "pect")["jobs"].to_list() == [0, 0, 0]
