"""Answers in the windows of schedules: which schedules get them, and what they say."""

import pytest

from reports.pages import job_answers
from reports.pages.job_answers import add_answers, told
from scheduler_core.contracts import write_replications
from scheduler_core.decisions.explanation import explain
from scheduler_core.decisions.history import History
from scheduler_core.runs.simulation import simulate
from tests.reports.families.stores import write_run
from tests.scheduler_core.all_subjects import seeded


def window(name, policies, jobs):
    """Return a window in which all of some jobs run under each policy."""
    fates = {str(place): [0.0, 1.0] for place in range(len(jobs))}
    return {
        "workload": name,
        "jobs": [[job] for job in jobs],
        "policies": [{"policy": policy, "fates": dict(fates)} for policy in policies],
    }


@pytest.fixture
def results(tmp_path):
    """Results with two workloads, each under two policies, and their windows."""
    windows = []
    for name, seed in (("one", 1), ("two", 3)):
        case, _ = seeded("space_sharing-easy", seed)
        schedule = simulate(case.workload, case.policy)
        (tmp_path / "workloads").mkdir(exist_ok=True)
        write_replications(tmp_path / "workloads" / f"{name}.parquet", [case.workload])
        for policy in ("first", "second"):
            write_run(tmp_path / "runs" / name / policy, schedule)
        windows.append(
            (
                window(name, ("first", "second"), schedule.jobs.drop_nulls("start_us")["job"].to_list()),
                case.workload,
                schedule,
            )
        )
    return tmp_path / "runs", windows


def explained(windows):
    return [[("why" in policy) for policy in one["policies"]] for one, *_ in windows]


def test_each_job_has_the_answer_and_the_lines_of_its_explanation(results):
    home, windows = results
    add_answers([one for one, *_ in windows], home)
    assert explained(windows) == [[True, True], [True, True]]
    for shown, workload, schedule in windows:
        for policy in shown["policies"]:
            assert list(policy["why"]) == schedule.jobs.drop_nulls("start_us")["job"].to_list()
            for job, said in policy["why"].items():
                answer, _, *more = explain(workload, schedule, job, alternatives=False).brief()
                assert said == told(History(workload, schedule), job) == [answer, *more[: job_answers.LINES]]


def test_first_policies_come_first_and_a_schedule_is_explained_whole_or_not_at_all(results):
    home, windows = results
    contexts = [one for one, *_ in windows]
    sizes = [len(one["jobs"]) for one in contexts]
    add_answers(contexts, home, sum(sizes) + sizes[0] - 1)
    assert explained(windows)[0] == [True, False]
    assert explained(windows)[1][0]


def test_jobs_that_never_start_and_runs_without_their_workload_have_no_answer(results):
    home, windows = results
    contexts = [one for one, *_ in windows]
    for policy in contexts[0]["policies"]:
        policy["fates"]["0"] = [None, None]
    (home.parent / "workloads" / "two.parquet").unlink()
    add_answers(contexts, home)
    assert explained(windows) == [[True, True], [False, False]]
    assert contexts[0]["jobs"][0][0] not in contexts[0]["policies"][0]["why"]
