"""`slotwise new`: what it writes works as it is."""

import subprocess
import sys

import pytest

import slotwise as sw
from slotwise.cli.study import prepare
from tests.forked import programs
from tests.paths import PROJECT
from tests.scheduler_core.preemptive import moldable_policies, preemptive_policies
from tests.slotwise.cli.command import refused, run
from tests.workflow.tiny_project import environment
from workflow.studies import SCALES, read_study


@pytest.mark.parametrize(
    ("options", "log"), [((), "drawn"), (("--preemptive",), "drawn"), (("--moldable",), "flexible.parquet")]
)
def test_a_new_policy_passes_the_tests_written_with_it(tmp_path, capsys, options, log):
    assert run("new", "policy", "shortest_slack", *options, "--out", tmp_path) == 0
    told = capsys.readouterr().out
    file, test = tmp_path / "shortest_slack.py", tmp_path / "test_shortest_slack.py"
    assert f"slotwise simulate {log} --policy {file}:shortest_slack" in told
    words = [programs(of_a_copy=True) / "python", "-m", "pytest", "-q", "-p", "no:cacheprovider", str(test)]
    ended = subprocess.run(
        words, cwd=tmp_path, env={**environment(tmp_path), "PYTHONPATH": str(PROJECT)}, capture_output=True, text=True
    )
    assert "2 passed" in ended.stdout, ended.stdout + ended.stderr


def test_a_new_policy_backfills_without_delaying_the_first_job_that_waits(tmp_path):
    run("new", "policy", "mine", "--out", tmp_path)
    workload = sw.read_log("drawn").first(1000)
    expected = sw.simulate(workload, "easy", extra_processors=False).jobs
    assert sw.simulate(workload, f"{tmp_path / 'mine.py'}:mine").jobs.equals(expected)
    written = (tmp_path / "mine.py").read_text()
    compiled = tmp_path / "compiled.py"
    compiled.write_text("import numba\n" + written.replace("def mine", "@numba.njit\ndef mine"))
    assert sw.simulate(workload, f"{compiled}:mine").jobs.equals(expected)


def test_a_new_preemptive_policy_runs_the_shortest_remaining_jobs(tmp_path):
    assert run("new", "policy", "mine", "--preemptive", "--out", tmp_path) == 0
    workload = sw.read_log("drawn").first(400)
    made = sw.simulate(workload, f"{tmp_path / 'mine.py'}:mine")
    assert made.allocations.equals(sw.simulate(workload, preemptive_policies.shortest_remaining).allocations)


def test_a_new_moldable_policy_gives_jobs_what_is_free(tmp_path, capsys):
    assert run("new", "policy", "mine", "--moldable", "--out", tmp_path) == 0
    workload = sw.generate("huang", jobs=300, seed=2)
    made = sw.simulate(workload, f"{tmp_path / 'mine.py'}:mine")
    assert made.allocations.equals(sw.simulate(workload, moldable_policies.widest).allocations)
    with pytest.raises(SystemExit):
        run("new", "policy", "other", "--moldable", "--preemptive", "--out", tmp_path)
    assert "not allowed with argument" in capsys.readouterr().err


@pytest.mark.slow
def test_a_new_study_runs_as_it_is(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(sys, "executable", str(programs() / "python"))
    monkeypatch.chdir(tmp_path)
    assert run("new", "study", "mine") == 0
    assert "slotwise study run mine --out results" in capsys.readouterr().out
    for scale in SCALES:
        study = read_study(tmp_path / "mine" / "study.yaml", scale)
        assert {policy for _, policy in study.cells} == {"mine", "easy", "fcfs"}
    assert prepare(tmp_path / "results", study).joinpath("studies/mine/my_policy.py").is_file()
    assert run("study", "run", "mine/study.yaml", "--scale", "quick", "--out", "other", "--cores", "1") == 0
    assert "report: other/quick/report/index.html" in capsys.readouterr().out
    assert (tmp_path / "other/quick/report/study-mine.html").is_file()


def test_no_file_is_overwritten(tmp_path, capsys):
    (tmp_path / "test_mine.py").write_text("mine\n")
    assert "test_mine.py: this file exists, and it is kept" in refused(
        capsys, "new", "policy", "mine", "--out", tmp_path
    )
    assert not (tmp_path / "mine.py").exists()
    assert run("new", "study", "mine", "--out", tmp_path) == 0
    assert "study.yaml: this file exists, and it is kept" in refused(capsys, "new", "study", "mine", "--out", tmp_path)


@pytest.mark.parametrize("name", ["my-policy", "1st", "for", "a/b"])
def test_a_policy_is_named_like_a_function(tmp_path, capsys, name):
    assert "becomes a function of Python" in refused(capsys, "new", "policy", name, "--out", tmp_path)


def test_a_study_is_named_like_an_id(tmp_path, capsys):
    assert "an id has small letters and digits" in refused(capsys, "new", "study", "Mine", "--out", tmp_path)
