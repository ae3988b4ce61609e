"""Utilisation and queue by week, against numbers worked by hand."""

import polars as pl
import pytest

import slotwise as sw
from scheduler_core.runs.simulation import simulate
from slotwise.planning.weekly import recorded_weeks, weeks_of_schedule
from tests.slotwise.planning.small_jobs import HOUR_US, jobs, workload
from traces.generate import generate

HOUR = 3600
WEEK = 7 * 24 * HOUR


def test_a_job_counts_in_every_week_it_runs_in():
    """Job 1 has half of the machine for the first two weeks. Job 2 waits for all of it for one week and runs in the third."""
    table = jobs((0, 2 * WEEK, 2), (WEEK, WEEK, 4), (3 * WEEK, HOUR, 1))
    weeks = weeks_of_schedule(simulate(workload(table, 4), "easy"))
    assert weeks["week"].to_list() == [0, 1, 2]  # nothing is after the last submission
    assert weeks["utilisation"].to_list() == [0.5, 0.5, 1]
    assert weeks["queue"].to_list() == [0, 1, 0]


def test_weeks_begin_with_the_first_submission_and_end_with_the_last():
    """Half of the first week comes before the first job; the machine is busy from then on."""
    table = jobs((WEEK // 2, WEEK, 4), (WEEK + WEEK // 4, HOUR, 1))
    weeks = weeks_of_schedule(simulate(workload(table, 4), "easy"))
    assert weeks["utilisation"].to_list() == [1, 1]


def test_recorded_weeks_are_those_of_the_schedule_that_made_the_waits():
    log = generate("lublin", jobs=3000, seed=3, processors=32, load=0.8)
    schedule = simulate(log, "easy")
    known = schedule.jobs.with_columns(recorded_wait_us=pl.col("start_us") - pl.col("submit_us"))
    assert recorded_weeks(known, 32).equals(weeks_of_schedule(schedule))


def test_time_sharing_counts_what_its_jobs_work():
    """Two jobs take turns on the whole machine: it is fully used, not twice."""
    table = jobs((0, 50 * HOUR, 4), (0, 50 * HOUR, 4), (90 * HOUR, HOUR, 1))
    weeks = weeks_of_schedule(simulate(workload(table, 4), "gang"))
    assert weeks["utilisation"].to_list() == pytest.approx([1], abs=0.02)


def test_the_page_shows_both_by_week(tmp_path):
    answer = sw.whatif("drawn", ["conservative"])
    weeks = answer.tables["weeks"]
    assert weeks["scenario"].unique().sort().to_list() == ["Conservative", "EASY", "recorded"]
    means = weeks.group_by("scenario").agg(pl.col("utilisation").mean())["utilisation"]
    assert means.is_between(0.5, 1).all()
    answer.save(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text()
    assert "Utilisation by week, recorded and simulated" in page
    assert "Waiting jobs by week, recorded and simulated" in page


def test_an_empty_week_waits_for_nothing():
    table = jobs((0, HOUR, 4), (3 * WEEK, HOUR, 4), recorded_wait_us=[0, HOUR_US])
    assert recorded_weeks(table, 4)["utilisation"].to_list() == pytest.approx([1 / 168, 0, 0])
