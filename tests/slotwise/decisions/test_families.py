"""Explanations of every family on the command line: words, JSON, pictures and comparisons."""

import json

import pytest

from scheduler_core.decisions.explanation import explain
from scheduler_core.declarations.families import part_of
from scheduler_core.declarations.policy import policies_by_family
from scheduler_core.runs.simulation import simulate
from slotwise.decisions.gantt import svg_of
from slotwise.decisions.picture import wait_chart
from tests.scheduler_core.all_subjects import seeded
from tests.slotwise.cli.command import run

DRAWN = (
    "slices-plain",
    "gang-packing",
    "coscheduling-profit",
    "coscheduling-shares",
    "grid-slices",
    "concurrent_gang-mixed",
)


def test_every_family_has_explanations():
    assert [
        name for name in policies_by_family() if part_of("scheduler_core.decisions", name, "explanation") is None
    ] == []


@pytest.mark.parametrize("name", DRAWN)
def test_a_wait_is_drawn_and_told_as_plain_data(name):
    """The picture shows the job, those that overtook it, and no job that ended before the wait."""
    drawn = 0
    for seed in range(4):
        case, _ = seeded(name, seed)
        schedule = simulate(case.workload, case.policy)
        for row in schedule.jobs.drop_nulls("finish_us").to_dicts():
            if row["start_us"] == row["submit_us"] or drawn == 5:
                continue
            found = explain(case.workload, schedule, row["job"], alternatives=False)
            assert json.loads(json.dumps(found.to_dict()))["wait_us"] == row["start_us"] - row["submit_us"]
            assert all(row["submit_us"] <= begin < end <= row["start_us"] for begin, end in found.shaded)
            chart = wait_chart(schedule, found)
            shown = chart.to_dict()["vconcat"][1]["layer"][1]["data"]["values"]
            assert {one["role"] for one in shown if one["job"] == row["job"]} == {f"job {row['job']}"}
            assert {one["job"] for one in shown if one["role"] == "overtook it"} <= set(found.overtook)
            waits, runs = ((one["until"] - one["begin"]) for one in chart.to_dict()["vconcat"][0]["data"]["values"])
            wait_us, stay_us = row["start_us"] - row["submit_us"], row["finish_us"] - row["start_us"]
            assert runs / waits == pytest.approx(min(stay_us, max(1, round(0.1 * wait_us))) / wait_us)
            assert svg_of(chart).startswith("<svg")
            drawn += 1
    assert drawn


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    words = ("generate", "lublin", "--jobs", 250, "--seed", 1, "--load", 0.9, "--behaviour", "lomarc")
    assert run(*words, "--out", folder / "w.parquet") == 0
    for policy in ("lomarc", "pect", "gang"):
        assert run("simulate", folder / "w.parquet", "--policy", policy, "--out", folder / policy) == 0
    return folder


def test_the_command_tells_what_a_run_does_not_keep(runs, capsys, tmp_path):
    capsys.readouterr()
    assert run("explain", runs / "lomarc", "--job", 168) == 0
    assert "that needs the table behaviour of the workload (--log WORKLOAD)" in capsys.readouterr().out
    picture = tmp_path / "wait.svg"
    words = ("explain", runs / "lomarc", "--job", 168, "--log", runs / "w.parquet", "--picture", picture)
    assert run(*words) == 0
    said = capsys.readouterr().out
    assert "that ran alone meanwhile" in said
    assert "further sentences with --all)" in said
    assert run(*words, "--force", "--all") == 0
    assert "no later job had been submitted" in capsys.readouterr().out
    assert picture.read_text().startswith("<svg")


def test_the_command_compares_runs_of_two_families(runs, capsys):
    """The first decision is told, and why the job that it starts in one run alone waits longer in the other."""
    capsys.readouterr()
    words = ("explain", runs / "pect", "--job", 100, "--compare", runs / "gang")
    assert run(*words) == 0
    said = capsys.readouterr().out
    assert run(*words, "--json") == 0
    told = json.loads(capsys.readouterr().out)
    first = told["divergence"]["first"]
    late = "B" if first["only_a"] else "A"
    job = (first["only_a"] or first["only_b"])[0]
    assert told["later"]["job"] == job
    assert told["later"]["start_us"] > first["at_us"]
    assert f"Job {job} waits longer in {late}:\nJob {job} waited " in said
    assert told["divergence"]["chain"] == []
    assert "Job 100 starts on " in said
