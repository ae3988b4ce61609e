"""The `slotwise` command, as its user meets it."""

import json
import re
import runpy
import sys
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from scheduler_core.checker import Certificate
from scheduler_core.runs.folder import read_run, write_run
from slotwise.cli.main import COMMANDS
from slotwise.cli.words import read_aloud
from tests.slotwise.cli.command import run


@pytest.fixture
def workload_file(small_workload, tmp_path):
    small_workload.write(tmp_path / "w.parquet")
    return tmp_path / "w.parquet"


SWF = """; MaxProcs: 8
1 0 0 100 5 -1 -1 5 120 -1 1 1 1 -1 -1 -1 -1 -1
2 10 0 50 8 -1 -1 8 50 -1 1 2 1 -1 -1 -1 -1 -1
3 20 0 30 3 -1 -1 3 60 -1 1 1 1 -1 -1 -1 -1 -1
4 30 0 0 3 -1 -1 3 60 -1 5 1 1 -1 -1 -1 -1 -1
"""


@pytest.fixture
def log_file(tmp_path):
    (tmp_path / "small.swf").write_text(SWF)
    return tmp_path / "small.swf"


def test_python_runs_the_package_as_the_command(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["slotwise", "--version"])
    with pytest.raises(SystemExit) as stop:
        runpy.run_module("slotwise", run_name="__main__")
    assert stop.value.code == 0
    assert capsys.readouterr().out.startswith("slotwise ")


def test_help_names_every_command(capsys):
    with pytest.raises(SystemExit) as stop:
        run("--help")
    assert stop.value.code == 0
    out = capsys.readouterr().out
    assert all(command in out for command in COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command, capsys):
    with pytest.raises(SystemExit) as stop:
        run(command, "--help")
    assert stop.value.code == 0
    assert "usage: slotwise " + command in capsys.readouterr().out


def test_simulate_check_compare(workload_file, tmp_path, capsys):
    assert run("simulate", workload_file, "--policy", "fcfs", "--out", tmp_path / "a") == 0
    out = capsys.readouterr().out
    assert "mean wait" in out
    assert "legal: 15 rules hold over 6 allocations" in out
    assert "not checked: which of the waiting jobs the policy starts, and when; " in out
    assert (
        run("simulate", workload_file, "--policy", "easy", "--set", "extra_processors=off", "--out", tmp_path / "b")
        == 0
    )
    note = json.loads((tmp_path / "b" / "run.json").read_text())
    assert note["policy"]["parameters"]["extra_processors"] is False
    assert run("check", tmp_path / "a") == 0
    capsys.readouterr()
    assert run("compare", tmp_path / "a", tmp_path / "b", "--json") == 0
    assert json.loads(capsys.readouterr().out)["jobs_in_both"] == 6
    assert run("compare", tmp_path / "a", tmp_path / "b") == 0
    assert "of 6 jobs" in capsys.readouterr().out


def test_a_log_goes_straight_in(log_file, tmp_path, capsys):
    assert run("simulate", log_file, "--policy", "easy", "--procs", 10, "--first", 2, "--out", tmp_path / "r") == 0
    assert "on 10 processors" in capsys.readouterr().out
    assert pl.read_parquet(tmp_path / "r" / "jobs.parquet").height == 2


def test_ingest_prints_and_writes_what_became_of_every_line(log_file, tmp_path, capsys):
    assert run("ingest", log_file, "--out", tmp_path / "w.parquet") == 0
    out = capsys.readouterr().out
    assert "rejected" in out
    accounting = json.loads((tmp_path / "w.accounting.json").read_text())
    parts = accounting["comments"] + accounting["kept"]
    parts += sum(accounting["repaired"].values()) + sum(accounting["rejected"].values())
    assert parts == accounting["lines"] == 5
    assert run("simulate", tmp_path / "w.parquet", "--policy", "fcfs", "--out", tmp_path / "r") == 0


ACCOUNTING = "small.swf: 5 lines: 1 comment, 3 kept, 0 repaired, 1 rejected (1 zero_runtime)"


def test_whatever_reads_a_log_says_what_became_of_its_lines(log_file, tmp_path, capsys):
    assert run("simulate", log_file, "--policy", "easy", "--out", tmp_path / "r") == 0
    out = capsys.readouterr().out
    assert ACCOUNTING in out
    left_out = "1 line of the log{} is left out of the workload and of every metric"
    assert left_out.format("") in out
    assert re.search(r"^did not run +0$", out, re.MULTILINE)
    assert "a run time of zero" not in out
    assert run("simulate", log_file, "--policy", "easy", "--out", tmp_path / "r", "--force", "--verbose") == 0
    assert re.search(r"^rejected +zero_runtime +1$(.|\n)*a run time of zero", capsys.readouterr().out, re.M)
    assert run("ingest", log_file, "--out", tmp_path / "w.parquet", "--verbose") == 0
    assert "    line 5: 4 30 0 0 3" in capsys.readouterr().out
    assert run("simulate", tmp_path / "w.parquet", "--policy", "fcfs", "--out", tmp_path / "s") == 0
    assert ACCOUNTING in capsys.readouterr().out
    assert run("check", tmp_path / "r", "--workload", log_file) == 0
    assert ACCOUNTING in capsys.readouterr().out
    assert run("compare", tmp_path / "r", tmp_path / "s") == 0
    out = capsys.readouterr().out
    assert out.count(f"log of A and B{ACCOUNTING.removeprefix('small.swf')}") == 1
    assert left_out.format(" of A and B") in out
    assert re.search(r"^did not run +0 +0 +0$", out, re.MULTILINE)
    assert run("compare", tmp_path / "r", tmp_path / "s", "--json") == 0
    counts = {
        "lines": 5,
        "comments": 1,
        "blank": 0,
        "kept": 3,
        "repaired": {},
        "rejected": {"zero_runtime": 1},
        "header": {"lines": 1, "kept": 1, "repaired": {}, "rejected": {}},
    }
    assert json.loads(capsys.readouterr().out)["accounting"] == {"a": counts, "b": counts}


def test_a_run_is_checked_against_the_log_as_it_was_read_for_the_run(log_file, tmp_path, capsys):
    for options in (("--procs", 4), ("--first", 2), ("--procs", 9, "--first", 1)):
        assert run("simulate", log_file, "--policy", "easy", *options, "--out", tmp_path / "r", "--force") == 0
        assert run("check", tmp_path / "r", "--workload", log_file, *options) == 0
        assert run("check", tmp_path / "r", "--workload", log_file) != 0


def test_jobs_larger_than_the_machine_did_not_run(log_file, workload_file, tmp_path, capsys):
    assert run("simulate", log_file, "--policy", "easy", "--procs", 4, "--out", tmp_path / "r") == 0
    out = capsys.readouterr().out
    assert "3 rejected (1 zero_runtime, 2 larger_than_machine)" in out
    assert "3 lines of the log are left out of the workload" in out
    assert re.search(r"^did not run +0$", out, re.MULTILINE)
    assert run("simulate", workload_file, "--policy", "easy", "--procs", 4, "--out", tmp_path / "s") == 0
    assert re.search(r"^did not run +2$", capsys.readouterr().out, re.MULTILINE)


def test_generate_gives_the_same_jobs_for_the_same_seed(tmp_path):
    for name in ("a", "b"):
        words = ("generate", "lublin", "--jobs", 500, "--seed", 3, "--load", 0.7, "--set", "processors=64")
        assert run(*words, "--out", tmp_path / name) == 0
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_the_machine_of_a_model_is_an_option_too(tmp_path, capsys):
    words = ("generate", "lublin", "--jobs", 50, "--seed", 3)
    assert run(*words, "--processors", 64, "--out", tmp_path / "a") == 0
    assert run(*words, "--set", "processors=64", "--out", tmp_path / "b") == 0
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    capsys.readouterr()
    for more, said in (
        (("--set", "processors=8"), "processors is given twice"),
        (("--clusters", "2x8"), "--processors: "),
    ):
        assert run(*words, "--processors", 64, *more, "--out", tmp_path / "c") == 2
        assert said in capsys.readouterr().err


def test_policies_as_text_and_as_json(capsys):
    assert run("policies") == 0
    listed = capsys.readouterr().out
    assert "easy: EASY backfilling: a job may overtake" in listed
    assert "also as: easy_sjbf" in listed
    assert max(len(line) for line in listed.splitlines()) <= 130
    assert run("policies", "easy_sjbf") == 0
    told = capsys.readouterr().out
    assert "the policy easy with backfill_order=shortest" in told
    assert "2. If a job is left at the head, it gets a *reservation*." in told
    assert "    backfill_order=queue  (queue, fcfs, shortest" in told
    assert "Source: Lifka" in told
    assert run("policies", "cg_prio") == 0
    told = capsys.readouterr().out
    assert "the policy concurrent_gang with all parameters at their defaults\n" in told
    assert "cg_prio: Concurrent Gang: all parameters at their defaults\n" in told
    assert run("policies", "gang") == 0
    assert ":mod:" not in capsys.readouterr().out
    assert run("policies", "--json") == 0
    listed = {policy["name"]: policy for policy in json.loads(capsys.readouterr().out)}
    assert listed["priority"]["parameters"][0] == {
        "name": "short_limit_s",
        "type": "float",
        "default": 60.0,
        "meaning": "longest estimate of a short job",
        "unit": "s",
        "choices": [],
        "minimum": 0,
        "maximum": None,
    }


def test_a_foreign_schedule_that_breaks_a_rule_is_said_to_and_ends_in_an_error(workload_file, tmp_path, capsys):
    run("simulate", workload_file, "--policy", "easy", "--out", tmp_path / "a")
    (tmp_path / "foreign.csv").write_text("job,start,end\n1,0,100\n4,-10,190\n")
    capsys.readouterr()
    assert run("compare", tmp_path / "a", tmp_path / "foreign.csv") == 1
    out = capsys.readouterr().out
    assert "B is not a legal schedule of these jobs" in out
    assert "no job starts before its submission: broken 1 times of 2\n    job 4, submit 30 s, begin -10 s" in out
    assert run("compare", tmp_path / "a", tmp_path / "foreign.csv", "--json") == 1
    rules = {rule["rule"]: rule for rule in json.loads(capsys.readouterr().out)["sides"]["b"]["rules"]}
    assert rules["no job starts before its submission"]["violations"] == 1
    own = pl.read_parquet(tmp_path / "a" / "jobs.parquet")
    own.select("job", start=pl.col("start_us") / 1e6, end=pl.col("finish_us") / 1e6).write_csv(tmp_path / "foreign.csv")
    assert run("compare", tmp_path / "a", tmp_path / "foreign.csv") == 0
    assert "B keeps the 15 rules that apply to another program's schedule" in capsys.readouterr().out


def test_logs_and_how_to_cite_them(capsys):
    assert run("logs") == 0
    assert "SDSC-SP2" in capsys.readouterr().out
    assert run("logs", "sdsc-par") == 0
    out = " ".join(capsys.readouterr().out.split())
    assert 'Windisch, V. Lo, R. Moore, D. Feitelson and B. Nitzberg, "A comparison of workload traces' in out
    assert "Experience with using the Parallel Workloads Archive" in out
    assert run("logs", "--json", "SDSC-SP2") == 0
    (entry,) = json.loads(capsys.readouterr().out)
    assert entry["citation"].endswith("SDSC-SP2-1998-4.2-cln, Parallel Workloads Archive.")


def test_a_word_among_the_choices_is_no_truth_value(workload_file, tmp_path):
    assert run("simulate", workload_file, "--policy", "priority", "--set", "aging=off", "--out", tmp_path / "r") == 0
    note = json.loads((tmp_path / "r" / "run.json").read_text())
    assert note["policy"]["parameters"]["aging"] == "off"


def test_check_holds_a_run_against_its_log(log_file, tmp_path, capsys):
    run("simulate", log_file, "--policy", "easy", "--out", tmp_path / "a")
    assert run("check", tmp_path / "a", "--workload", log_file) == 0
    log_file.write_text(SWF.replace("2 10 0 50 8", "2 11 0 50 8"))
    assert run("check", tmp_path / "a", "--workload", log_file) == 1
    assert "what was asked is unchanged: broken" in capsys.readouterr().out


def test_check_finds_a_changed_run_and_an_illegal_one(workload_file, tmp_path, capsys):
    run("simulate", workload_file, "--policy", "fcfs", "--out", tmp_path / "a")
    allocations = pl.read_parquet(tmp_path / "a" / "allocations.parquet")
    allocations.with_columns(pl.col("end_us") + 1).write_parquet(tmp_path / "a" / "allocations.parquet")
    assert run("check", tmp_path / "a") == 2
    assert "changed after the run" in capsys.readouterr().err
    run("simulate", workload_file, "--policy", "fcfs", "--out", tmp_path / "b")
    whole = read_run(tmp_path / "b")
    late = replace(whole.schedules[0], held=whole.schedules[0].allocations.with_columns(pl.col("end_us") + 1))
    claimed = Certificate("space_sharing", (), late.allocations.height, late.digest)
    write_run(tmp_path / "b", whole.workloads, [late], [claimed], "w")
    assert run("check", tmp_path / "b") == 1
    assert "illegal" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "out", "message"),
    [
        (("ingest", "small.swf"), "small.swf", "the file that is read"),
        (("ingest", "small.swf"), "link.swf", "the file that is read"),
        (("ingest", "small.swf"), "/dev/full", "a device"),
        (("ingest", "small.swf"), "taken", "a folder"),
        (("ingest", "w.accounting.json"), "w.parquet", "the file that is read"),
        (("generate", "jann", "--jobs", 5, "--seed", 1, "--fit", "small.swf"), "small.swf", "the file that is read"),
        (("generate", "lublin", "--jobs", 5, "--seed", 1), "/dev/full", "a device"),
        (("simulate", "small.swf", "--policy", "easy"), "small.swf", "this is a file; expected a folder"),
        (("simulate", "taken/jobs.parquet", "--policy", "easy"), "taken", "the file that is read"),
        (("simulate", "taken/levels.parquet", "--policy", "fcfs"), "taken", "the file that is read"),
        (("simulate", "small.swf", "--policy", "easy"), "odd", "a folder"),
    ],
)
def test_no_command_writes_over_what_it_reads_or_over_no_file(
    small_workload, tmp_path, monkeypatch, capsys, words, out, message
):
    monkeypatch.chdir(tmp_path)
    for name in ("small.swf", "w.accounting.json"):
        (tmp_path / name).write_text(SWF)
    (tmp_path / "link.swf").symlink_to("small.swf")
    for name in ("jobs", "levels"):
        small_workload.write(tmp_path / "taken" / f"{name}.parquet")
    (tmp_path / "odd" / "run.json").mkdir(parents=True)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    assert run(*words, "--out", out) == 2
    said = capsys.readouterr().err
    assert message in said
    assert Path(out).stem in said
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before
    assert not Path("/dev/full").is_file()


def test_bench_measures_a_policy(capsys, monkeypatch):
    from slotwise.cli import bench
    from traces.models import get_model
    from traces.seeds import generator

    drawn = get_model("lublin").generate(300, generator(1, "bench", 0))
    monkeypatch.setattr(bench, "fixed_workloads", lambda: [("tiny", drawn)])
    assert run("bench", "--json", "--repeats", 1, "--policy", "easy") == 0
    (result,) = json.loads(capsys.readouterr().out)
    assert (result["policy"], result["jobs"]) == ("easy", 300)
    assert result["jobs_per_second"] > 0


def test_bench_measures_how_the_time_of_a_policy_grows(capsys):
    sizes = ("--sizes", 300, 600)
    assert run("bench", "--growth", "--json", "--policy", "easy", "--policy", "scojo_shares", *sizes) == 0
    for name, result in zip(("easy", "scojo_shares"), json.loads(capsys.readouterr().out), strict=True):
        assert (result["policy"], result["jobs"], len(result["seconds"])) == (name, [300, 600], 2)
        assert isinstance(result["exponent"], float)
    assert run("bench", "--growth", "--policy", "easy", *sizes) == 0
    assert capsys.readouterr().out.split()[:4] == ["policy", "300", "600", "exponent"]


def test_growth_leaves_out_sizes_that_are_expected_to_take_too_long(monkeypatch):
    from slotwise.cli import growth

    clock = iter([0.0, 3.0, 10.0, 16.0])
    monkeypatch.setattr(growth.time, "process_time", lambda: next(clock))
    result = growth.growth_of("fcfs", [100, 200, 400], 15)
    assert (result["jobs"], result["seconds"], result["exponent"]) == ([100, 200], [3.0, 6.0], 1.0)


@pytest.mark.parametrize(
    ("metric", "value", "words"),
    [
        ("mean_wait_s", 7470.3, "2.1 h"),
        ("mean_wait_s", 119.0, ""),
        ("mean_wait_s", 120, "2.0 min"),
        ("makespan_s", 15_767_646.0, "182.5 days"),
        ("mean_wait_s", 250_000, "69.4 h"),
        ("mean_wait_s", None, ""),
        ("utilisation", 4000.0, ""),
    ],
)
def test_long_times_are_told_as_people_say_them(metric, value, words):
    assert read_aloud(metric, value) == words
