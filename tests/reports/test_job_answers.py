"""Answers in the windows of schedules: which schedules get them, and how their sentences are written."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reports.pages import job_answers
from reports.pages.job_answers import add_answers, coded, told
from scheduler_core.contracts import write_replications
from scheduler_core.decisions.explanation import explain
from scheduler_core.decisions.history import History
from scheduler_core.runs.simulation import simulate
from tests.reports.families.stores import write_run
from tests.scheduler_core.all_subjects import seeded

WORDS = st.lists(
    st.one_of(st.text(), st.integers().map(str), st.sampled_from(("04:05:06", "1,980", "0.118", "007", "#", "10" * 20)))
)


def spoken(code, phrases):
    """Return a sentence from its code, as the script of the viewers does."""
    values = iter(code[1:])
    return re.sub("#", lambda _: str(next(values)), list(phrases)[code[0]])


@given(st.lists(WORDS.map(" ".join), min_size=1))
def test_a_sentence_is_read_as_it_was_written(sentences):
    phrases = {}
    codes = [coded(one, phrases) for one in sentences]
    assert [spoken(code, phrases) for code in codes] == sentences


def test_sentences_that_differ_in_numbers_alone_share_a_phrase():
    phrases = {}
    assert coded("Job 7 waited 1.5 h, to 04:05:06.", phrases) == [0, 7, "1.5", "04:05:06"]
    assert coded("Job 12 waited 1,980 h, to 10:00:00.", phrases) == [0, 12, "1,980", "10:00:00"]
    assert list(phrases) == ["Job # waited # h, to #."]


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
            for job, codes in policy["why"].items():
                answer, _, *more = explain(workload, schedule, job, alternatives=False).brief()
                assert [spoken(code, shown["phrases"]) for code in codes] == [answer, *more[: job_answers.LINES]]
                assert told(History(workload, schedule), job) == [answer, *more[: job_answers.LINES]]


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
