"""The model of Jann and others, fitted to logs: moments kept, ranges, merging, provenance, errors people can act on."""

import json
from datetime import date
from importlib.metadata import version

import numpy as np
import polars as pl
import pytest

from scheduler_core.common.errors import ParameterError
from scheduler_core.common.files import read_json
from scheduler_core.contracts import Machine, Workload
from slotwise.cli.main import main
from traces.build import build_workload
from traces.catalog import find_log, get_log
from traces.definition import read_definition
from traces.generate import generate
from traces.ingest import ingest
from traces.models import get_model, jann_fit, jobs_table
from traces.models.hyper_erlang import fit_hyper_erlang, raw_moments
from traces.models.jann_fit import RANGES
from traces.shape.dates import Dates
from traces.written_values import Fit

LINE = "{0} {1} -1 {2} {3} -1 -1 {3} 99999 -1 1 1 1 1 1 1 -1 -1\n"


def log_of(submit_s, runtime_s, size, processors=128):
    runtime = (np.asarray(runtime_s) * 1e6).astype(np.int64)
    table = jobs_table((np.asarray(submit_s) * 1e6).astype(np.int64), runtime, np.asarray(size, np.int32))
    return Workload(table, Machine(processors), {"kind": "log", "source": "made-up", "sha256": "5" * 64})


@pytest.fixture(scope="module")
def log():
    """Eight thousand jobs of every size up to 400, gaps and run times more variable than exponential ones."""
    generator = np.random.default_rng(11)
    gaps = generator.exponential(np.where(generator.random(8000) < 0.9, 20, 900))
    runtime = 1 + generator.exponential(np.where(generator.random(8000) < 0.6, 60, 5000))
    size = np.floor(2 ** (8.6 * generator.random(8000)))
    return log_of(np.cumsum(gaps), runtime, size, 512)


@pytest.fixture
def small_log(tmp_path):
    """A log of 40 jobs of 1 to 8 processors as a file."""
    generator = np.random.default_rng(5)
    submit, runtime = np.cumsum(generator.integers(1, 900, 40)), generator.integers(1, 9000, 40)
    lines = [LINE.format(n + 1, submit[n], runtime[n], 1 + n % 8) for n in range(40)]
    path = tmp_path / "small.swf"
    path.write_text("; MaxProcs: 8\n; UnixStartTime: 0\n" + "".join(lines))
    return path


def of_range(workload, sizes):
    return workload.jobs.filter(pl.col("size").is_between(*sizes))


def seconds(column):
    return (column / 1e6).to_list()


@pytest.mark.parametrize(("processors", "ranges"), [(128, 8), (16, 5), (8, 4), (1, 1), (127, 7), (322, 10)])
def test_ranges_that_reach_beyond_the_machine_are_left_out(log, processors, ranges):
    fitted = get_model("jann", processors=processors).fitted_to(log)
    assert [(fit.smallest, fit.largest) for fit in fitted.ranges] == list(RANGES[:ranges])
    drawn = fitted.generate(2000, np.random.default_rng(1))
    assert drawn.jobs["size"].max() <= RANGES[ranges - 1][1]
    assert drawn.machine.processors == processors


def test_the_fit_keeps_the_moments_of_gaps_and_run_times_of_each_range(log):
    for fit in get_model("jann").fitted_to(log).ranges:
        jobs = of_range(log, (fit.smallest, fit.largest))
        assert fit.jobs == len(jobs)
        assert fit.gap_moments == pytest.approx(raw_moments(seconds(jobs["submit_us"].diff().drop_nulls())), rel=1e-12)
        assert fit.runtime_moments == pytest.approx(raw_moments(seconds(jobs["runtime_us"])), rel=1e-12)
        assert fit.gaps.moments == pytest.approx(fit.gap_moments, rel=1e-9)
        assert fit.runtimes.moments == pytest.approx(fit.runtime_moments, rel=1e-9)


def test_what_is_drawn_has_the_moments_of_the_log(log):
    fitted = get_model("jann").fitted_to(log)
    drawn = fitted.generate(200_000, np.random.default_rng(2))
    for fit in fitted.ranges:
        jobs = of_range(drawn, (fit.smallest, fit.largest))
        gaps = raw_moments(seconds(jobs["submit_us"].diff().drop_nulls()))
        runtimes = raw_moments(seconds(jobs["runtime_us"]))
        assert gaps[:2] == pytest.approx(fit.gap_moments[:2], rel=0.1)
        assert runtimes[:2] == pytest.approx(fit.runtime_moments[:2], rel=0.1)
        assert set(jobs["size"]) == set(range(fit.smallest, fit.largest + 1))
        assert jobs["size"].mean() == pytest.approx((fit.smallest + fit.largest) / 2, rel=0.02)


def test_streams_are_independent_and_merged_from_time_0(log):
    fitted = get_model("jann").fitted_to(log)
    drawn = fitted.generate(50_000, np.random.default_rng(3))
    jobs = drawn.jobs
    assert jobs["submit_us"][0] == 0
    assert jobs["submit_us"].is_sorted()
    assert jobs["job"].to_list() == list(range(1, 50_001))
    assert jobs["estimate_us"].equals(jobs["runtime_us"].rename("estimate_us"))
    expected = sum(1 / fit.gap_moments[0] for fit in fitted.ranges)
    assert len(jobs) / (jobs["submit_us"][-1] / 1e6) == pytest.approx(expected, rel=0.05)
    series = jobs.select(gap=pl.col("submit_us").diff(), runtime="runtime_us", size="size").drop_nulls()
    assert abs(series.select(pl.corr("gap", "runtime")).item()) < 0.02


def test_a_longer_workload_and_a_larger_machine_begin_alike(log):
    fitted = get_model("jann").fitted_to(log)
    short, long = (fitted.generate(jobs, np.random.default_rng(4)) for jobs in (700, 2000))
    assert long.jobs.head(700).equals(short.jobs)
    assert short.digest != fitted.generate(700, np.random.default_rng(5)).digest
    small = get_model("jann", processors=16).fitted_to(log).generate(500, np.random.default_rng(4))
    larger = fitted.generate(5000, np.random.default_rng(4)).jobs.filter(pl.col("size") <= 16).head(500)
    assert small.jobs["runtime_us"].equals(larger["runtime_us"])
    assert small.jobs["size"].equals(larger["size"])


def test_sizes_may_be_the_largest_of_their_range_and_nothing_else_changes(log):
    drawn = {sizes: get_model("jann", sizes=sizes).fitted_to(log) for sizes in ("uniform", "largest")}
    uniform, largest = (fit.generate(3000, np.random.default_rng(4)).jobs for fit in drawn.values())
    assert set(largest["size"]) == {2**power for power in range(8)}
    assert largest.drop("size").equals(uniform.drop("size"))
    assert (largest["size"] >= uniform["size"]).all()
    assert (largest["size"] < 2 * uniform["size"]).all()


def test_a_range_without_a_gap_in_the_log_is_not_drawn():
    log = log_of([0, 10, 30, 35, 35, 40], [5, 6, 9, 7, 7, 2], [1, 1, 1, 2, 2, 9])
    fitted = get_model("jann").fitted_to(log)
    assert [(fit.smallest, fit.jobs) for fit in fitted.ranges] == [(1, 3)]
    assert fitted.generate(30, np.random.default_rng(1)).jobs["size"].unique().to_list() == [1]


def test_provenance_has_log_moments_and_parameters(log):
    note = get_model("jann", processors=2).fitted_to(log).generate(20, np.random.default_rng(1)).provenance
    assert json.loads(json.dumps(note))["fit"]["unit"] == "s"
    assert (note["source"], note["jobs"], note["parameters"]) == ("jann", 20, {"processors": 2, "sizes": "uniform"})
    assert note["fit"]["log"] == {"source": "made-up", "sha256": "5" * 64, "jobs": 8000, "transformations": []}
    for fit in note["fit"]["ranges"]:
        assert set(fit["gaps"]) == {"p", "lambda1", "lambda2", "order", "moments_matched"}
        assert len(fit["gap_moments"]) == len(fit["runtime_moments"]) == 3


def test_a_study_names_the_log(small_log):
    definition = {"model": "jann", "processors": 8, "jobs": 300, "replications": 2, "fit": str(small_log), "load": 0.6}
    built = build_workload(definition, "jann", 1, small_log)
    assert built.accounting is None
    assert [len(workload) for workload in built.workloads] == [300, 300]
    assert built.workloads[0].digest != built.workloads[1].digest
    for workload in built.workloads:
        assert workload.offered_load == pytest.approx(0.6, rel=1e-9)
        assert workload.provenance["fit"]["log"]["source"] == "small"
    assert build_workload(definition, "jann", 1).workloads[0].digest == built.workloads[0].digest
    assert (
        build_workload({**definition, "jobs_of": "jann"}, "other", 1).workloads[0].digest == built.workloads[0].digest
    )


def test_without_its_log_a_workload_has_no_jobs():
    definition = {"model": "jann", "processors": 16, "jobs": 300, "replications": 2, "fit": "LANL-CM5", "load": 0.6}
    built = build_workload({**definition, "flexibility": "huang", "memory": "da_silva"}, "jann", 1, None)
    assert [len(workload) for workload in built.workloads] == [0, 0]
    for workload in built.workloads:
        assert workload.machine.processors == 16
        assert workload.provenance["missing"] is True
        assert workload.provenance["fit"]["log"]["source"] == "LANL-CM5-1994-4.1-cln"


CTC_DAYS = {"log": "CTC-SP2", "from": "1996-06-25", "to": "1996-09-12"}


@pytest.mark.parametrize(("processors", "ranges"), [(512, 10), (16, 5), (1, 1)])
def test_a_fit_that_ships_needs_no_log(processors, ranges):
    definition = {"model": "jann", "processors": processors, "jobs": 300, "fit": CTC_DAYS}
    assert read_definition(definition).log_name is None
    workload = build_workload(definition, "jann", 1, None).workloads[0]
    assert len(workload) == 300
    fit = workload.provenance["fit"]
    assert [found["smallest"] for found in fit["ranges"]] == [smallest for smallest, _ in RANGES[:ranges]]
    assert fit["log"]["transformations"] == [{"step": "dates", "from": "1996-06-25", "to": "1996-09-12"}]


@pytest.mark.parametrize("fit", ["CTC-SP2", {**CTC_DAYS, "to": "1996-09-13"}, "other/SDSC-SP2.swf"])
def test_other_logs_and_days_do_not_ship(fit):
    assert read_definition({"model": "jann", "jobs": 9, "fit": fit}).log_name is not None


def test_what_ships_are_fits_to_logs_of_the_catalogue():
    asked = [(fit.log["source"], fit.log["sha256"]) for fit in jann_fit.shipped_fits()]
    assert asked == [(name, get_log(name).sha256) for name, _ in jann_fit.TO_SHIP]
    for fit in jann_fit.shipped_fits():
        for found in fit.ranges:
            assert found.gaps == fit_hyper_erlang(*found.gap_moments)
            assert found.runtimes == fit_hyper_erlang(*found.runtime_moments)


def test_fits_are_read_as_they_were_written(log, tmp_path):
    fit = jann_fit.fit_log(log)
    jann_fit.write_shipped(tmp_path / "fits.json", [fit])
    written = read_json(tmp_path / "fits.json")
    assert jann_fit.LogFit.from_json(written["fits"][0]) == fit
    assert written["slotwise"] == version("slotwise")


@pytest.mark.logs
@pytest.mark.parametrize("number", range(len(jann_fit.TO_SHIP)))
def test_a_new_fit_to_the_log_gives_the_numbers_that_ship(number):
    name, dates = jann_fit.TO_SHIP[number]
    if find_log(name) is None:
        pytest.skip(f"{name} is not at hand")
    made, shipped = jann_fit.fit_days(name, dates), jann_fit.shipped_fits()[number]
    assert made.log == shipped.log
    for ours, theirs in zip(made.ranges, shipped.ranges, strict=True):
        assert (ours.smallest, ours.largest, ours.jobs) == (theirs.smallest, theirs.largest, theirs.jobs)
        for moments in ("gap_moments", "runtime_moments"):  # powers may differ in the last bit on another machine
            assert getattr(ours, moments) == pytest.approx(getattr(theirs, moments), rel=1e-12)


def test_it_must_be_fitted_and_other_models_must_not(log):
    with pytest.raises(ParameterError, match="must be fitted to a log"):
        get_model("jann").generate(3, np.random.default_rng(1))
    with pytest.raises(ParameterError, match="lublin is not fitted to a log"):
        get_model("lublin").fitted_to(log)
    with pytest.raises(
        ParameterError, match="the log made-up has no two jobs of one range of sizes up to 2 processors"
    ):
        get_model("jann", processors=2).fitted_to(log_of([0, 5], [1, 1], [4, 4]))
    with pytest.raises(ParameterError, match="jobs must be a whole number"):
        get_model("jann").fitted_to(log).generate(0, np.random.default_rng(1))


def test_the_command_line_fits_it(small_log, tmp_path, capsys):
    path = tmp_path / "w.parquet"
    common = ["generate", "jann", "--jobs", "50", "--seed", "1", "--set", "processors=8", "--out", str(path)]
    assert main([*common, "--fit", str(small_log), "--load", "0.5"]) == 0
    assert "50 jobs on 8 processors, offered load 0.500" in capsys.readouterr().out
    assert Workload.read(path).provenance["fit"]["log"]["source"] == "small"
    assert main(common) != 0
    assert "--fit LOG" in capsys.readouterr().err


def test_the_command_line_and_python_take_a_fit_that_ships(tmp_path, capsys):
    path = tmp_path / "w.parquet"
    common = ["generate", "jann", "--jobs", "50", "--seed", "1", "--out", str(path), "--fit", "CTC-SP2"]
    assert main([*common, "--fit-dates", "1996-06-25", "1996-09-12"]) == 0
    assert "50 jobs on 128 processors" in capsys.readouterr().out
    fit = Fit("CTC-SP2", Dates(date(1996, 6, 25), date(1996, 9, 12)))
    assert generate("jann", 50, seed=1, fit=fit).digest == Workload.read(path).digest


def test_the_command_line_fits_it_to_days(small_log, tmp_path, capsys):
    path = tmp_path / "w.parquet"
    common = ["generate", "jann", "--jobs", "50", "--seed", "1", "--set", "processors=8", "--out", str(path)]
    days = ["--fit-dates", "1970-01-01", "1970-01-01"]
    assert main([*common, "--fit", str(small_log), *days]) == 0
    log = Workload.read(path).provenance["fit"]["log"]
    assert log["transformations"] == [{"step": "dates", "from": "1970-01-01", "to": "1970-01-01"}]
    assert 0 < log["jobs"] <= 40
    assert main([*common, *days]) != 0
    assert "name it with --fit LOG" in capsys.readouterr().err


def test_the_days_of_the_publication_have_the_jobs_of_a_partition_of_322_nodes():
    definition = {"model": "jann", "processors": 512, "jobs": 9, "fit": CTC_DAYS}
    fit = build_workload(definition, "jann", 1, None).workloads[0].provenance["fit"]
    assert fit["log"]["jobs"] == sum(found["jobs"] for found in fit["ranges"]) == 17_818
    assert fit["ranges"][-1]["largest"] == 322


@pytest.mark.logs
def test_a_real_log_is_reproduced_in_three_moments_of_every_range():
    path = find_log("SDSC-SP2")
    if path is None:
        pytest.skip("SDSC-SP2 is not at hand")
    log = ingest(path).workload
    fitted = get_model("jann").fitted_to(log)
    assert sum(fit.jobs for fit in fitted.ranges) == len(log)
    for fit in fitted.ranges:
        assert fit.gaps.moments == pytest.approx(fit.gap_moments, rel=1e-9)
        assert fit.runtimes.moments == pytest.approx(fit.runtime_moments, rel=1e-9)
    drawn = fitted.generate(len(log), np.random.default_rng(1))
    assert drawn.jobs["submit_us"][-1] == pytest.approx(log.jobs["submit_us"][-1] - log.jobs["submit_us"][0], rel=0.1)
    assert drawn.jobs["runtime_us"].mean() == pytest.approx(log.jobs["runtime_us"].mean(), rel=0.1)
