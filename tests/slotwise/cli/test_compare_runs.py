"""`slotwise compare` with several runs and groups of jobs."""

import csv
import io
import json

import pytest

from tests.slotwise.cli.command import refused, run

RUNS = ("easy", "conservative", "fcfs")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder with a run of the drawn log's first jobs under each of some policies, and one of fewer jobs."""
    made = tmp_path_factory.mktemp("runs")
    for policy in RUNS:
        assert run("simulate", "drawn", "--first", 4000, "--policy", policy, "--out", made / policy) == 0
    assert run("simulate", "drawn", "--first", 100, "--policy", "easy", "--out", made / "other") == 0
    return made


def test_a_comparison_of_two_begins_with_the_answer(folder, capsys):
    assert run("compare", folder / "easy", folder / "fcfs") == 0
    first = capsys.readouterr().out.splitlines()[0]
    assert first.startswith("B against A: mean wait ×")
    assert "of 4,000 jobs wait less by a minute or more" in first


def test_each_run_is_compared_with_the_first(folder, capsys):
    assert run("compare", *[folder / name for name in RUNS], "--by", "size", "--by", "user", "--log", "drawn") == 0
    said = capsys.readouterr().out
    assert [line[:2] for line in said.splitlines()[:3]] == ["A ", "B ", "C "]
    assert "B against A: mean wait" in said
    assert "C against A: mean wait" in said
    assert "Mean wait in hours by size" in said
    assert "Mean wait in hours by user" in said


def test_json_and_csv_have_the_same_rows(folder, capsys):
    words = ("compare", *[folder / name for name in RUNS], "--by", "size")
    assert run(*words, "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert list(found["runs"]) == ["A", "B", "C"]
    assert run(*words, "--csv") == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [row["run"] for row in rows] == [row["run"] for row in found["against_a"]]
    whole = {(row["run"], row["metric"]): float(row["after"]) for row in rows if row["kind"] == "all"}
    for name in "BC":
        parts = [row for row in rows if row["run"] == name and row["kind"] == "size"]
        jobs = sum(int(row["jobs"]) for row in parts)
        mean = sum(int(row["jobs"]) * float(row["after"]) for row in parts) / jobs
        assert mean == pytest.approx(whole[name, "wait_h"])


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("easy", "fcfs", "--by", "user"), "--by user: no job states its user; name the log of the runs with --log"),
        (("easy", "fcfs", "other"), "the runs are of different jobs"),
        (("easy", "nowhere", "fcfs"), "nowhere"),
    ],
)
def test_what_cannot_be_compared_is_refused(words, reason, folder, capsys):
    paths = [folder / word if word in (*RUNS, "other", "nowhere") else word for word in words]
    assert reason in refused(capsys, "compare", *paths)


def test_a_log_of_other_jobs_is_refused(folder, tmp_path, capsys):
    log = tmp_path / "w.parquet"
    assert run("generate", "lublin", "--jobs", 50, "--seed", 1, "--out", log) == 0
    capsys.readouterr()
    words = ("compare", folder / "easy", folder / "fcfs", "--by", "size", "--log", log)
    assert "are not in the log given with --log" in refused(capsys, *words)
