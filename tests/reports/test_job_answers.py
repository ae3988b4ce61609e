"""Answers in the windows of schedules: which schedules get them, and what they say."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reports.pages import job_answers
from reports.pages.job_answers import add_answers, told
from scheduler_core.contracts import write_replications
from scheduler_core.decisions.explanation import explain
from scheduler_core.decisions.history import History
from scheduler_core.declarations.policy import get_policy
from scheduler_core.runs.simulation import simulate
from tests.reports.families.stores import write_run
from tests.scheduler_core.all_subjects import seeded
from tests.slotwise.planning.small_jobs import jobs
from tests.slotwise.planning.small_jobs import workload as workload_of


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


def read(window, why, job):
    """Return the sentences about a job, put together as the viewer does."""
    for one in why[job].split(";"):
        place, *fills = one.split("|")
        first, *parts = window["texts"][int(place)].split("#")
        assert len(parts) == len(fills)
        yield first + "".join((fill or str(job)) + part for fill, part in zip(fills, parts, strict=True))


def test_jobs_have_the_answer_and_the_lines_of_their_explanation(made):
    home, workload, schedule = made
    shown = window("one", schedule, opens=[1])
    add_answers([shown], home)
    first, second = shown["policies"]
    assert "why" not in first
    assert list(second["why"]) == schedule.jobs.drop_nulls("start_us")["job"].to_list()
    for job in second["why"]:
        answer, *more = explain(workload, schedule, job, alternatives=False).brief()
        more = [one for one in more if not one.startswith("It asks for ")]
        said = [answer, *more[: job_answers.LINES]]
        assert list(read(shown, second["why"], job)) == told(History(workload, schedule), job) == said


def test_a_job_that_takes_longer_than_alone_says_so_and_not_what_it_asks_for():
    log = workload_of(jobs((0, 10, 4), (0, 10, 4)), 4)
    schedule = simulate(log, get_policy('gang(level=2, slice_s=1, slice="fixed")'))
    answer, stretched, submission, *_ = told(History(log, schedule), 2)
    assert answer == "Job 2 started at once."
    assert stretched.startswith("It finished 20 s after its start, although it runs for 10 s alone.")
    assert submission.startswith("Submitted on ")


def test_the_jobs_of_a_window_share_their_texts(made):
    home, _, schedule = made
    shown = window("one", schedule, opens=[0])
    add_answers([shown], home)
    why = shown["policies"][0]["why"]
    assert len(set(shown["texts"])) == len(shown["texts"])
    words = [sentence for job in why for sentence in read(shown, why, job)]
    assert len(shown["texts"]) < len(words) / 2


@given(
    st.integers(0, 9999),
    st.lists(
        st.one_of(
            st.sampled_from(
                ["day 3, 04:05:", " on day 12, 23:59:01.", " (1, 2, 33 and 1,204 more)", "1e+03 s", "17 h 26 min, "]
            ),
            st.from_regex(r"[a-z0-9 ,.:()#-]{0,12}", fullmatch=True),
        )
    ),
)
def test_sentences_are_read_as_they_were_written(job, parts):
    sentence = f"Job {job} " + "".join(parts)
    texts = job_answers.Texts()
    why = {job: texts.written(job, [sentence, sentence])}
    assert list(read({"texts": list(texts.places)}, why, job)) == [sentence, sentence]
    assert len(texts.places) == 1


def test_a_sign_of_a_slot_in_the_name_of_a_policy_is_read_as_it_was_written():
    texts = job_answers.Texts()
    why = {7: texts.written(7, ["Job 7 asks for 2 processors; the policy is fit#2 (fit#2.py)."])}
    assert list(read({"texts": list(texts.places)}, why, 7)) == [
        "Job 7 asks for 2 processors; the policy is fit#2 (fit#2.py)."
    ]


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


def test_every_job_of_every_schedule_has_its_answer_where_that_is_asked_for(made):
    home, workload, schedule = made
    shown = window("one", schedule, opens=[1])
    grid = {"workload": "one", "workflows": [window("one", schedule, opens=[0]), window("one", schedule, opens=[1])]}
    add_answers([shown, grid], home, every_job=True)
    history = History(workload, schedule)
    for one in (shown, *grid["workflows"]):
        for policy in one["policies"]:
            assert {job: list(read(one, policy["why"], job)) for job in policy["why"]} == {
                job: told(history, job) for job in schedule.jobs.drop_nulls("start_us")["job"]
            }


def test_jobs_that_never_start_and_runs_without_their_workload_have_no_answer(made):
    home, _, schedule = made
    shown, other = window("one", schedule, opens=[0]), window("two", schedule, opens=[0])
    shown["policies"][0]["fates"]["0"] = [None, None, "rejected"]
    add_answers([shown, other], home)
    assert "why" not in other["policies"][0]
    assert shown["jobs"][0][0] not in shown["policies"][0]["why"]
