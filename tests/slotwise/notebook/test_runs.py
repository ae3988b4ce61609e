"""A run as Python sessions and notebooks see it."""

import json

import polars as pl
import pytest

import slotwise as sw
from scheduler_core.common.errors import ContractError, IllegalScheduleError, OutputError
from scheduler_core.contracts import Schedule
from scheduler_core.runs import simulation
from scheduler_core.runs.comparison import read_side
from tests.slotwise.planning.small_jobs import HOUR_US, jobs, workload

ROWS = ((0, 7200, 3), (0, 3600, 2), (1800, 1800, 1), (3600, 3600, 9))
"""Job 2 waits two hours for job 1, job 3 is backfilled, and job 4 is too wide for the machine."""


@pytest.fixture(scope="module")
def run():
    table = jobs(*ROWS, user=[7, 8, 7, None], queue=[1, 1, 2, 2])
    return sw.simulate(workload(table, 4), "easy", backfill_order="shortest")


def test_a_run_is_the_schedule_of_the_simulation(run):
    made = simulation.simulate(run.workload, "easy", backfill_order="shortest")
    assert isinstance(run, Schedule)
    assert (run.digest, run.run, run.machine, run.family) == (made.digest, made.run, made.machine, made.family)
    assert run.jobs.equals(made.jobs)
    assert run.allocations.equals(made.allocations)
    assert sw.check(run.workload, run).legal
    assert sw.compare(made, run)["same_start"] == 3


def test_a_run_shows_a_summary_as_text_and_as_html(run):
    assert repr(run).splitlines() == [
        "policy                 EASY (easy, backfill_order=shortest)",
        "jobs                   4 jobs on 4 processors",
        "mean wait              0.667 h",
        "mean bounded slowdown  1.67",
        "utilisation            70.8 %",
        f"digest                 {run.digest[:12]}…",
    ]
    page = run._repr_html_()
    assert page.count("<tr>") == 6
    assert "0.667 h" in page
    assert page.count("<svg") == 1
    assert "The first 3 jobs to start" in page


def test_summaries_of_other_families_have_no_chart_and_those_without_jobs_no_means(run):
    assert "<svg" not in sw.simulate(run.workload, "gang")._repr_html_()
    empty = sw.simulate(workload(jobs((0, 10, 9)), 4), "easy")
    assert empty.summary()["mean wait"] == "–"
    assert "<svg" not in empty._repr_html_()


def test_the_table_of_jobs_is_in_hours_and_agrees_with_the_metrics(run):
    found = run.frame()
    assert found.columns == [
        *("job", "submit_h", "start_h", "finish_h", "wait_h", "response_h", "bounded_slowdown"),
        *("size", "user", "queue", "outcome"),
    ]
    assert found["wait_h"].to_list() == [0, 2, 0, None]
    assert found["response_h"].to_list() == [2, 3, 0.5, None]
    assert found["bounded_slowdown"].to_list() == [1, 3, 1, None]
    assert found["user"].to_list() == [7, 8, 7, None]
    metrics = run.metrics()
    assert found["wait_h"].mean() * 3600 == pytest.approx(metrics["mean_wait_s"])
    assert found["bounded_slowdown"].mean() == pytest.approx(metrics["mean_bounded_slowdown"])
    assert pl.DataFrame([metrics]).height == 1


def test_the_wait_of_the_table_is_the_one_of_the_family(run):
    turns = sw.simulate(run.workload, "gang")
    assert turns.frame()["wait_h"].mean() * 3600 == pytest.approx(turns.metrics()["mean_wait_s"])


def test_a_chart_shows_itself_as_a_picture_and_is_saved(run, tmp_path):
    chart = run.gantt(jobs=[1, 2])
    assert chart._repr_svg_().startswith("<svg")
    assert chart.shown["finish_us"].max() == 3 * HOUR_US
    assert chart.save(tmp_path / "chart.svg").read_text().startswith("<svg")
    assert run.gantt(window=(0, 1)).high_us == HOUR_US


def test_a_run_checks_explains_and_compares_itself(run):
    assert run.check(replay=True).replay.same
    assert "Meanwhile 1 later job overtook it (3)" in str(run.explain(2))
    assert str(run.explain(2)) == repr(run.explain(2))
    other = sw.simulate(run.workload, "fcfs")
    assert run.compare(other) == sw.compare(run, other)
    with pytest.raises(ContractError, match="no job 9"):
        run.explain(9)


def test_a_written_run_is_the_one_that_the_commands_read(run, tmp_path):
    folder = run.write(tmp_path / "run")
    assert read_side(folder, 0).schedule.digest == run.digest
    assert json.loads((folder / "certificate.json").read_text())["legal"]


def test_a_run_replaces_no_other_unasked(run, tmp_path):
    folder = run.write(tmp_path / "run")
    before = (folder / "run.json").read_bytes()
    other = sw.simulate(run.workload, "fcfs")
    with pytest.raises(OutputError, match=r"run: this folder is not empty; give force=True to replace the files in it"):
        other.write(folder)
    assert (folder / "run.json").read_bytes() == before
    assert read_side(other.write(folder, force=True), 0).schedule.digest == other.digest


def test_an_illegal_run_is_not_written(run, tmp_path):
    moved = run.jobs.with_columns(start_us=pl.col("start_us") - HOUR_US)
    with pytest.raises(IllegalScheduleError):
        sw.Run(
            jobs=moved, held=run.held, machine=run.machine, run=run.run, family=run.family, workload=run.workload
        ).write(tmp_path / "run")
    assert not (tmp_path / "run" / "run.json").exists()
