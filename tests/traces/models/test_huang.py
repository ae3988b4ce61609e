"""The SCOJO workloads: exact mixes, bounds, check values of the thesis, and provenance that says which reading."""

import json

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core.contracts import Workload
from slotwise.cli.main import main
from tests.profiles import searching
from traces.build import build_workload
from traces.models import get_model

TABLE = {
    1: {
        ("short", "moldable"): 40,
        ("medium", "moldable"): 20,
        ("medium", "malleable"): 10,
        ("medium", "rigid"): 10,
        ("long", "malleable"): 20,
    },
    2: {
        ("short", "moldable"): 30,
        ("medium", "moldable"): 30,
        ("medium", "rigid"): 5,
        ("long", "malleable"): 30,
        ("long", "rigid"): 5,
    },
}
RUNTIMES = {
    1: {"short": (1, 60), "medium": (61, 1800), "long": (1801, 3600)},
    2: {"short": (1, 180), "medium": (181, 3600), "long": (3601, 108_000)},
}
SIZES = {"short": (1, 4), "medium": (4, 24), "long": (8, 32)}


def draw(jobs=None, seed=1, **values):
    model = get_model("huang", **values)
    return model.generate(jobs or model.published_jobs, np.random.default_rng(seed))


def mix(workload):
    counted = workload.jobs.group_by("class", "flexibility").len()
    return {(c, f): n for c, f, n in counted.iter_rows()}


def in_seconds(workload, column):
    assert (workload.jobs[column] % 1_000_000).sum() == 0
    return workload.jobs[column] // 1_000_000


@pytest.mark.parametrize(("workload", "jobs"), [(1, 8000), (2, 3000)])
def test_classes_and_flexibility_have_exactly_the_counts_of_the_table(workload, jobs):
    drawn = draw(workload=workload)
    assert len(drawn) == jobs
    assert mix(drawn) == {kind: percent * jobs // 100 for kind, percent in TABLE[workload].items()}


@searching(30)
@given(st.integers(1, 400), st.sampled_from([1, 2]), st.integers(0, 5))
def test_any_number_of_jobs_keeps_the_mix_within_a_job(jobs, workload, seed):
    found = mix(draw(jobs, seed, workload=workload))
    assert sum(found.values()) == jobs
    assert set(found) <= set(TABLE[workload])
    assert all(abs(found.get(kind, 0) - percent * jobs / 100) < 1 for kind, percent in TABLE[workload].items())


@pytest.mark.parametrize("workload", [1, 2])
@pytest.mark.parametrize("upper", ["inclusive", "exclusive"])
def test_run_times_and_sizes_fill_their_intervals(workload, upper):
    jobs = draw(60_000, workload=workload, size_upper=upper).jobs
    for word, (shortest, longest) in RUNTIMES[workload].items():
        of_class = jobs.filter(pl.col("class") == word)
        low, high = SIZES[word]
        high -= upper == "exclusive"
        assert set(of_class["size"]) == set(range(low, high + 1))
        assert of_class["size"].mean() == pytest.approx((low + high) / 2, rel=0.02)
        runtime = of_class["runtime_us"] / 1e6
        assert runtime.min() >= shortest
        assert runtime.max() <= longest
        assert runtime.min() - shortest < 0.01 * longest
        assert longest - runtime.max() < 0.01 * longest
        assert runtime.mean() == pytest.approx((shortest + longest) / 2, rel=0.02)
        assert runtime.std() == pytest.approx((longest - shortest) / 12**0.5, rel=0.02)
    assert jobs["runtime_us"].equals(jobs["estimate_us"].rename("runtime_us"))


def test_bounds_of_sizes():
    jobs = draw(workload=1, reading="literal").jobs
    rigid, other = jobs.filter(pl.col("flexibility") == "rigid"), jobs.filter(pl.col("flexibility") != "rigid")
    assert (rigid["size_min"] == rigid["size"]).all()
    assert (rigid["size_max"] == rigid["size"]).all()
    bounds = {n: (low, high) for n, low, high in other.select("size", "size_min", "size_max").iter_rows()}
    assert bounds == {n: (max(1, n // 2), 2 * n) for n in range(1, 33)}


def test_more_processors_than_the_optimum_always_make_a_job_faster():
    other = draw(workload=1, reading="literal", processors=40).jobs.filter(pl.col("flexibility") != "rigid")
    bounds = dict(other.select("size", "size_max").iter_rows())
    assert bounds[20] == bounds[30] == 40  # 0.5 x 40 is more than 0.65 x 30
    assert (bounds[31], bounds[32]) == (31, 32)  # and less than 0.65 x 31


@pytest.mark.parametrize(
    ("workload", "reading", "interarrival"),
    [(1, "literal", 66.5), (2, "literal", 2187), (1, "fitted", 160), (2, "fitted", 2187)],
)
def test_gaps_are_uniform_up_to_twice_the_interarrival_time(workload, reading, interarrival):
    model = get_model("huang", workload=workload, reading=reading)
    assert model.interarrival_s == pytest.approx(interarrival, rel=0.002)
    drawn = model.generate(40_000, np.random.default_rng(3))
    submit = in_seconds(drawn, "submit_us")
    gaps = submit.diff().drop_nulls()
    assert submit[0] == 0
    assert gaps.min() >= 1
    assert gaps.max() <= round(2 * model.interarrival_s)
    assert gaps.mean() == pytest.approx(model.interarrival_s + 0.5, rel=0.02)
    assert gaps.std() == pytest.approx(2 * model.interarrival_s / 12**0.5, rel=0.02)


@pytest.mark.parametrize(
    ("workload", "upper", "hours", "band"),
    [(1, "inclusive", 557, 27), (2, "inclusive", 5207, 490), (1, "exclusive", 541, 27), (2, "exclusive", 5075, 490)],
)
def test_the_work_asked_of_the_machine(workload, upper, hours, band):
    found = []
    for seed in range(10):
        jobs = draw(seed=seed, workload=workload, size_upper=upper).jobs
        found.append((jobs["runtime_us"] * jobs["size"]).sum() / 64 / 3.6e9)
    assert all(abs(work - hours) <= band for work in found)
    assert np.mean(found) == pytest.approx(hours, abs=band / 2)


def test_the_fitted_reading_is_the_same_jobs_read_otherwise():
    literal, fitted = draw(reading="literal"), draw(reading="fitted")
    assert literal.jobs.select("class", "flexibility", "runtime_us").equals(
        fitted.jobs.select("class", "flexibility", "runtime_us")
    )
    assert fitted.digest == draw(size_upper="exclusive", arrival_scale=2.41, reading="literal").digest
    assert literal.digest == draw(size_upper="inclusive", arrival_scale=1, reading="fitted").digest


def test_provenance_names_the_reading_and_says_that_one_is_fitted():
    fitted = draw(100, reading="fitted").provenance
    assert json.loads(json.dumps(fitted)) == fitted
    assert fitted["parameters"]["reading"] == fitted["reading"]["name"] == "fitted"
    assert "fitted after the fact" in fitted["reading"]["note"]
    assert (fitted["reading"]["size_upper"], fitted["reading"]["arrival_scale"]) == ("exclusive", 2.41)
    assert fitted["reading"]["as_the_reading_says"] is True
    literal = draw(100, reading="literal", arrival_scale=2.0).provenance["reading"]
    assert (literal["name"], literal["size_upper"], literal["arrival_scale"]) == ("literal", "inclusive", 2.0)
    assert literal["as_the_reading_says"] is False
    assert "fitted" not in literal["note"]


def test_equal_seeds_give_equal_jobs():
    assert draw(seed=4).jobs.equals(draw(seed=4).jobs)
    assert draw(seed=4).digest != draw(seed=5).digest


def test_a_study_may_leave_the_number_of_jobs_to_the_source():
    definition = {"model": "huang", "set": {"workload": 2, "reading": "literal"}, "replications": 2}
    workloads = build_workload(definition, "huang", 1).workloads
    assert [len(workload) for workload in workloads] == [3000, 3000]
    assert len(build_workload({**definition, "jobs": 20}, "huang", 1).workloads[0]) == 20


def test_the_command_line_draws_it(tmp_path, capsys):
    path = tmp_path / "w.parquet"
    assert main(["generate", "huang", "--seed", "1", "--set", "workload=2", "--out", str(path)]) == 0
    assert "3,000 jobs on 64 processors" in capsys.readouterr().out
    assert mix(Workload.read(path))["long", "malleable"] == 900
    assert main(["generate", "lublin", "--seed", "1", "--out", str(path)]) != 0
    assert "lublin: jobs is missing" in capsys.readouterr().err
