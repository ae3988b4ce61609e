"""Answers in the windows of schedules: which schedules get them, and what they say."""

import polars as pl
import pytest

from reports.pages import job_answers
from reports.pages.job_answers import add_answers, longest_waits, told
from scheduler_core.contracts import write_replications
from scheduler_core.decisions.explanation import explain
from scheduler_core.decisions.history import History
from scheduler_core.runs.simulation import simulate
from tests.reports.families.stores import write_run
from tests.scheduler_core.all_subjects import seeded


def window(name, schedule, opens):
    """Return a window with all jobs of a schedule, the same under two policies."""
    rows = schedule.jobs.select("job", "submit_us", "runtime_us", "estimate_us", "start_us", "finish_us").rows()
    jobs = [[job, submit / 1e6, run / 1e6, estimate / 1e6, 0] for job, submit, run, estimate, *_ in rows]
    fates = {
        str(place): [None if time is None else time / 1e6 for time in row[4:]] + ["finished"]
        for place, row in enumerate(rows)
    }
    policies = [{"policy": policy, "fates": fates} for policy in ("first", "second")]
    return {"workload": name, "jobs": jobs, "policies": policies, "opens": opens}


@pytest.fixture
def made(tmp_path):
    """The folder of runs of a workload under two policies, the workload and the schedule of both."""
    case, _ = seeded("space_sharing-easy", 3)
    schedule = simulate(case.workload, case.policy)
    (tmp_path / "workloads").mkdir()
    write_replications(tmp_path / "workloads" / "one.parquet", [case.workload])
    for policy in ("first", "second"):
        write_run(tmp_path / "runs" / "one" / policy, schedule)
    return tmp_path / "runs", case.workload, schedule


def test_the_jobs_that_waited_longest_have_the_answer_and_the_lines_of_their_explanation(made):
    home, workload, schedule = made
    shown = window("one", schedule, opens=[1])
    add_answers([shown], home, most=3)
    first, second = shown["policies"]
    waits = schedule.jobs.drop_nulls("start_us").select("job", wait=pl.col("start_us") - pl.col("submit_us"))
    longest = waits.sort("wait", "job", descending=[True, False])["job"].head(3).to_list()
    assert "why" not in first
    assert list(second["why"]) == longest
    for job, said in second["why"].items():
        answer, _, *more = explain(workload, schedule, job, alternatives=False).brief()
        assert said == told(History(workload, schedule), job) == [answer, *more[: job_answers.LINES]]


def test_each_schedule_that_a_viewer_shows_first_has_answers(made):
    home, _, schedule = made
    shown = window("one", schedule, opens=[0, 1])
    grid = {"workload": "one", "workflows": [window("one", schedule, opens=[0]), window("one", schedule, opens=[1])]}
    add_answers([shown, grid], home)
    assert all(policy["why"] for policy in shown["policies"])
    assert [["why" in policy for policy in one["policies"]] for one in grid["workflows"]] == [
        [True, False],
        [False, False],
    ]


def test_jobs_that_never_start_and_runs_without_their_workload_have_no_answer(made):
    home, _, schedule = made
    shown, other = window("one", schedule, opens=[0]), window("two", schedule, opens=[0])
    shown["policies"][0]["fates"]["0"] = [None, None, "rejected"]
    add_answers([shown, other], home, most=1000)
    assert "why" not in other["policies"][0]
    assert shown["jobs"][0][0] not in shown["policies"][0]["why"]


def test_a_preempted_job_waits_while_it_does_not_run():
    jobs = [[7, 0.0, 10.0, 10.0, 0], [8, 0.0, 10.0, 10.0, 0], [9, 0.0, 10.0, 10.0, 0]]
    fates = {"0": [0.0, 50.0, "finished"], "1": [20.0, 30.0, "finished"], "2": [25.0, None, "unfinished"]}
    assert longest_waits(jobs, fates, 3) == [7, 9, 8]
