"""From definitions to workloads: the order of the steps, the seeds, and errors that name the key."""

from pathlib import Path

import pytest

from scheduler_core.common.errors import LogError, SlotwiseError, StudyError
from traces.build import build_workload
from traces.definition import read_definition
from traces.shape.windows import WEEK_US

MODEL = {"model": "lublin", "jobs": 300}


def steps_of(workload):
    return [step["step"] for step in workload.provenance.get("transformations", [])]


@pytest.fixture
def log(tmp_path):
    """Five weeks of a job a day on 16 processors, by a machine that is never busy."""
    header = "; MaxJobs: 35\n; MaxProcs: 16\n; UnixStartTime: 0\n"
    line = "{0} {1} -1 {2} 4 -1 -1 4 7200 -1 1 1 1 1 1 -1 -1 -1\n"
    path = tmp_path / "small.swf"
    path.write_text(header + "".join(line.format(n + 1, n * 86_400, 600 + n) for n in range(35)))
    return path


# Models.


def test_a_model_with_everything():
    definition = {
        **MODEL,
        "processors": 64,
        "replications": 3,
        "set": {"alpha": 9.83, "arrival_ratio": False},
        "load": 0.7,
        "estimates": {"model": "f_model", "f": 2},
        "label": "words",
    }
    workloads, accounting = build_workload(definition, "lublin-load-070", 1998)
    assert accounting is None
    assert [len(workload) for workload in workloads] == [300] * 3
    assert len({workload.digest for workload in workloads}) == 3
    for workload in workloads:
        assert workload.machine.processors == 64
        assert workload.offered_load == pytest.approx(0.7, rel=1e-9)
        assert steps_of(workload) == ["load", "estimates"]
        assert workload.provenance["parameters"]["alpha"] == 9.83
        assert (workload.jobs["estimate_us"] > workload.jobs["runtime_us"]).all()


def test_a_mean_gap_is_the_same_in_every_replication():
    workloads, _ = build_workload({**MODEL, "replications": 2, "mean_gap_s": 808, "estimates": "exact"}, "seed-71", 1)
    for workload in workloads:
        span = workload.jobs["submit_us"][-1] - workload.jobs["submit_us"][0]
        assert span / 299 == pytest.approx(808e6, rel=1e-8)
        assert steps_of(workload) == ["mean_gap", "estimates"]
    assert workloads[0].digest != workloads[1].digest


def test_more_replications_and_other_workloads_leave_old_ones_alone():
    two = build_workload({**MODEL, "replications": 2}, "lublin", 1).workloads
    four = build_workload({**MODEL, "replications": 4}, "lublin", 1).workloads
    assert [w.digest for w in two] == [w.digest for w in four[:2]]
    assert build_workload(MODEL, "other", 1).workloads[0].digest != two[0].digest
    assert build_workload(MODEL, "lublin", 2).workloads[0].digest != two[0].digest


def test_more_jobs_begin_with_the_same_ones():
    few = build_workload(MODEL, "lublin", 1).workloads[0]
    many = build_workload({**MODEL, "jobs": 500}, "lublin", 1).workloads[0]
    assert many.jobs.head(300).equals(few.jobs)


@pytest.mark.parametrize("estimates", ["exact", {"model": "f_model", "f": 1}, {"model": "tsafrir"}])
def test_a_variant_has_the_jobs_of_its_base(estimates):
    definition = {**MODEL, "load": 0.8, "replications": 2}
    variant = {**definition, "estimates": estimates, "jobs_of": "base", "variant_of": "base", "variant": "words"}
    base = build_workload(definition, "base", 5).workloads
    varied = build_workload(variant, "base-variant", 5).workloads
    for one, other in zip(base, varied, strict=True):
        assert one.jobs.drop("estimate_us").equals(other.jobs.drop("estimate_us"))
        assert one.jobs["estimate_us"].equals(other.jobs["estimate_us"]) == (estimates == "exact")


def test_loads_share_flexibility_as_they_share_jobs():
    definition = {**MODEL, "flexibility": "huang", "memory": "da_silva", "jobs_of": "base"}
    low, high = (build_workload({**definition, "load": load}, f"l-{load}", 5).workloads[0] for load in (0.5, 0.9))
    assert low.jobs.drop("submit_us").equals(high.jobs.drop("submit_us"))
    assert steps_of(low) == ["load", "flexibility", "memory"]
    assert low.machine.memory_kb == 512 * 1024
    alone = build_workload({**MODEL, "estimates": "exact", "jobs_of": "base"}, "x", 5).workloads[0]
    assert low.jobs.select("job", "runtime_us", "size").equals(alone.jobs.select("job", "runtime_us", "size"))


# Logs.


def test_a_log_with_flexibility_memory_and_a_load(log):
    definition = {"log": str(log), "load": 0.5, "flexibility": "huang", "memory": {"model": "da_silva", "least_mb": 1}}
    (workload,), _ = build_workload(definition, "small", 1, log)
    assert [step for step in steps_of(workload) if step != "machine"] == ["load", "flexibility", "memory"]
    assert workload.offered_load == pytest.approx(0.5, rel=1e-9)
    assert workload.jobs["class"].unique().to_list() == ["medium"]
    assert workload.jobs.select("size_min", "size_max").unique().sort("size_min").rows() == [(2, 8), (4, 4)]
    assert workload.jobs["memory_kb"].unique().to_list() == [4096]


def test_a_log_with_everything(log):
    definition = {
        "log": str(log),
        "processors": 8,
        "weeks": {"first": 2, "count": 2, "warm_up": 1, "cool_down": 1},
        "first": 20,
        "load": 0.5,
        "estimates": "exact",
    }
    (workload,), accounting = build_workload(definition, "small", 1, log)
    assert accounting["lines"] == 38
    assert accounting["comments"] == 3
    assert workload.machine.processors == 8
    assert workload.jobs["job"].to_list() == list(range(1, 21))
    assert workload.jobs["phase"].to_list() == ["warm_up"] * 7 + ["measured"] * 13
    assert [step for step in steps_of(workload) if step != "machine"] == ["weeks", "first", "load", "estimates"]
    assert workload.offered_load == pytest.approx(0.5, rel=1e-9)
    assert workload.jobs["estimate_us"].equals(workload.jobs["runtime_us"])


def test_a_window_of_a_log_keeps_its_origin(log):
    (workload,), _ = build_workload({"log": str(log), "weeks": {"first": 3}}, "small", 1, str(log))
    assert workload.jobs["submit_us"][0] == 2 * WEEK_US
    assert len(workload) == 7


def test_a_variant_of_a_log_does_not_depend_on_its_own_estimates_for_jobs(log):
    base = build_workload({"log": str(log)}, "small", 1, log).workloads[0]
    definition = {"log": str(log), "estimates": {"model": "f_model"}, "jobs_of": "small"}
    varied = build_workload(definition, "small-f", 1, log).workloads[0]
    assert base.jobs.drop("estimate_us").equals(varied.jobs.drop("estimate_us"))
    assert base.jobs["estimate_us"].unique().to_list() == [7200 * 10**6]


TABLES = {
    "behaviour": {"behaviour": "lomarc"},
    "behaviour slowdowns": {"behaviour": "lomarc", "slowdowns": "huang_2004"},
    "applications": {"applications": "IO"},
    "applications programs": {"programs": "programs.csv"},
    "tasks edges transfers": {"clusters": [{"processors": 64}] * 4, "workflows": {"share": 0.1}},
    "": {
        "processors": 99,
        "first": 10,
        "load": 0.7,
        "estimates": "exact",
        "weeks": {"first": 1},
        "begin": "first_job",
        "nearest": {"jobs_short": 100, "work_long": 100},
        "flexibility": "huang",
        "memory": "da_silva",
    },
}
"""Companion tables, and keys of a definition whose workload has them."""


@pytest.mark.parametrize("tables", TABLES)
def test_a_missing_log_becomes_a_workload_without_jobs_whose_tables_are_empty(tables, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("programs.csv").write_text("job,task,statement,value\n1,0,compute,5\n")
    definition = {"log": "SDSC-SP2", **TABLES[tables]}
    (workload,), accounting = build_workload(definition, "sdsc-sp2", 1, None)
    assert len(workload) == 0
    assert workload.machine.processors == definition.get("processors", 128 if "tasks" not in tables else 256)
    assert len(workload.machine.clusters) == len(definition.get("clusters", [1]))
    assert workload.provenance["missing"] is True
    assert accounting is None
    assert list(workload.companions) == read_definition(definition).companions == tables.split()
    assert all(table.is_empty() for table in workload.companions.values())


def test_a_log_that_is_a_path_is_read_from_there(log, tmp_path):
    (workload,), _ = build_workload({"log": str(log)}, "small", 1)
    assert len(workload) == 35
    with pytest.raises(LogError, match=r"nowhere\.swf"):
        build_workload({"log": str(tmp_path / "nowhere.swf")}, "small", 1)


def test_a_catalogue_log_must_be_the_text_the_catalogue_means(log):
    with pytest.raises(LogError, match="not the text expected"):
        build_workload({"log": "SDSC-SP2"}, "sdsc-sp2", 1, log)


def test_the_part_of_a_log_nearest_to_what_is_printed(log):
    wanted = {"jobs": 5, "stride": 7, "jobs_medium": 100, "work_medium": 100, "size_medium": 4}
    (workload,), _ = build_workload({"log": str(log), "nearest": wanted, "first": 3}, "small", 1, log)
    assert workload.jobs["job"].to_list() == [1, 2, 3]
    assert steps_of(workload)[-2:] == ["nearest", "first"]
    with pytest.raises(StudyError, match=r"^nearest: .*a window has 36 jobs, but there are 35"):
        build_workload({"log": str(log), "nearest": {**wanted, "jobs": 36}}, "small", 1, log)


def test_time_may_begin_with_the_first_job_taken_and_the_clock_with_it(log):
    (taken,), _ = build_workload({"log": str(log), "weeks": {"first": 2}}, "small", 1, log)
    (moved,), _ = build_workload({"log": str(log), "weeks": {"first": 2}, "begin": "first_job"}, "small", 1, log)
    before = taken.jobs["submit_us"]
    assert before[0] > 0
    assert moved.jobs["submit_us"].to_list() == (before - before[0]).to_list()
    assert steps_of(moved)[-1] == "begin"
    assert moved.provenance["clock"]["start_s"] - taken.provenance["clock"]["start_s"] == before[0] // 10**6


def test_a_window_beyond_the_log_names_its_key(log):
    with pytest.raises(StudyError, match=r"^weeks: .*ends with week 9"):
        build_workload({"log": str(log), "weeks": {"first": 9}}, "small", 1, log)


# Definitions.


@pytest.mark.parametrize(
    ("definition", "words"),
    [
        ({}, "^log: .* found neither"),
        ({"log": "SDSC-SP2", **MODEL}, "^log: .* found both"),
        ({**MODEL, "replication": 3}, "^replication: .* did you mean 'replications'"),
        ({**MODEL, "first": 3}, "^first: there is no such key for a workload from a model"),
        ({"log": "SDSC-SP2", "jobs": 3}, "^jobs: there is no such key for a workload from a log"),
        ({"log": "SDSC-SPP2"}, "^log: .* did you mean 'SDSC-SP2'"),
        ({"log": 7}, "^log: expected a name"),
        ({"log": "SDSC-SP2", "first": 0}, "^first: expected a whole number of at least 1; found 0"),
        ({"log": "SDSC-SP2", "begin": "now"}, "^begin: expected 'log' or 'first_job'; found 'now'"),
        ({"log": "SDSC-SP2", "weeks": {"frist": 1}}, "^weeks: .* did you mean 'first'"),
        ({"log": "SDSC-SP2", "weeks": 3}, "^weeks: expected a mapping"),
        ({"log": "SDSC-SP2", "ingest": {"sise": "x"}}, "^ingest: .*'sise'"),
        ({"model": "lublin"}, "^jobs: lublin: .*is missing"),
        ({"model": "lublin", "jobs": 2.5}, "^jobs: expected a whole number"),
        ({"model": "lubline", "jobs": 2}, "^model: .* did you mean 'lublin'"),
        ({"model": 3, "jobs": 2}, "^model: "),
        ({**MODEL, "set": {"alfa": 9}}, "^set: .* did you mean 'alpha'"),
        ({**MODEL, "set": {"processors": 9}}, "^set: write processors beside 'set'"),
        ({**MODEL, "set": {"name": "x"}}, "^set: .* no parameter 'name'"),
        ({**MODEL, "estimates": {"model": "exact", "name": "x"}}, "^estimates: .* no parameter 'name'"),
        ({**MODEL, "set": [1]}, "^set: expected a mapping"),
        ({**MODEL, "processors": 0}, "^processors: "),
        ({**MODEL, "load": 0}, "^load: load must be a number above 0"),
        ({**MODEL, "mean_gap_s": 0}, "^mean_gap_s: mean_gap_s must be a number of seconds above 0; found 0"),
        ({**MODEL, "mean_gap_s": 9, "load": 0.5}, "^mean_gap_s: gaps are scaled to either a load or a mean gap"),
        ({"log": "SDSC-SP2", "nearest": {"jobs_short": 50}}, "^nearest: .*must add up to about 100 %; found 50"),
        ({"log": "SDSC-SP2", "nearest": {"work_shrt": 50}}, "^nearest: .* did you mean 'work_short'"),
        ({**MODEL, "estimates": "exatc"}, "^estimates: .* did you mean 'exact'"),
        ({**MODEL, "estimates": {"f": 2}}, "^estimates: expected {model: NAME"),
        ({**MODEL, "estimates": {"model": "f_model", "g": 2}}, "^estimates: .* no parameter 'g'"),
        ({**MODEL, "label": 3}, "^label: expected text; found 3"),
        ({**MODEL, "flexibility": "hunag"}, "^flexibility: .* did you mean 'huang'"),
        ({**MODEL, "memory": 512}, "^memory: expected a mapping"),
        ({**MODEL, "memory": {"machine_mb": 512}}, "^memory: expected {model: NAME"),
        ({**MODEL, "fit": "SDSC-SP2"}, "^fit: lublin is not fitted to a log"),
        ({"model": "jann", "jobs": 9}, "^fit: is missing; jann is fitted to a log"),
        ({"model": "jann", "jobs": 9, "fit": "SDSC-SPP2"}, "^fit: .* did you mean 'SDSC-SP2'"),
        ({"model": "jann", "jobs": 9, "fit": 3}, "^fit: expected a name"),
        ({"model": "jann", "jobs": 9, "fit": {"from": "1996-06-25", "to": "1996-09-12"}}, "^fit: log is missing"),
        ({"model": "jann", "jobs": 9, "fit": {"log": "CTC-SPP2"}}, "^fit.log: .* did you mean 'CTC-SP2'"),
        ({"model": "jann", "jobs": 9, "fit": {"log": "CTC-SP2", "form": "1996-06-25"}}, "^fit: .*did you mean 'from'"),
        ({"model": "jann", "jobs": 9, "fit": {"log": "CTC-SP2", "from": "1996-06-25"}}, "^fit: to: is missing"),
        (
            {"model": "jann", "jobs": 9, "fit": {"log": "CTC-SP2", "from": "25.6.96", "to": "1996-09-12"}},
            "^fit: from: expected a date such as 1996-06-25; found '25.6.96'",
        ),
        (
            {"model": "jann", "jobs": 9, "fit": {"log": "CTC-SP2", "from": "1996-09-12", "to": "1996-06-25"}},
            "^fit: to: the last day, 1996-06-25, comes before the first, 1996-09-12",
        ),
        ({"model": "jann", "fit": "SDSC-SP2"}, "^jobs: .*is missing"),
        (
            {"model": "gang_adversary", "jobs": 9},
            "^jobs: gang_adversary: with these parameters there are 64 jobs; found 9",
        ),
    ],
)
def test_wrong_definitions_name_the_key(definition, words):
    with pytest.raises(StudyError, match=words):
        read_definition(definition)
    with pytest.raises(SlotwiseError, match=words):
        build_workload(definition, "id", 1)


@pytest.mark.parametrize(
    "definition",
    [
        MODEL,
        {"log": "SDSC-SP2"},
        {"log": "logs/mine.swf.gz"},
        {**MODEL, "set": {"types": "both"}, "variant_of": "x"},
        {"log": "SDSC-SP2", "flexibility": {"model": "huang", "rigid": 0.2}, "memory": "da_silva"},
        {"model": "jann", "jobs": 9, "fit": "SDSC-SP2", "flexibility": "huang"},
        {"model": "huang", "set": {"workload": 2}},
        {"log": "SDSC-SP2", "nearest": {"jobs_short": 99, "work_long": 98.5}, "mean_gap_s": 12},
    ],
)
def test_right_definitions(definition):
    before = repr(definition)
    assert read_definition(definition).written == definition
    assert repr(definition) == before
