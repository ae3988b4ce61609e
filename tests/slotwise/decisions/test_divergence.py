"""Where two runs part, and how that reaches one job."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core.decisions.explanation import explain
from scheduler_core.runs.simulation import simulate
from slotwise.decisions.divergence import Decision, Link, diverge
from slotwise.decisions.gantt import svg_of
from slotwise.decisions.picture import wait_chart
from tests.paths import PROJECT
from tests.profiles import searching
from tests.slotwise.cli.command import refused, run
from tests.slotwise.planning.small_jobs import SECOND_US, jobs, workload

ROWS = st.lists(st.tuples(st.integers(0, 40), st.integers(1, 30), st.integers(1, 4)), min_size=2, max_size=14).map(
    sorted
)


def test_a_backfilled_job_that_delays_another_is_told_by_hand():
    """EASY starts job 3 at 20 beside job 1; FCFS starts it behind job 2, and job 4 behind both."""
    log = workload(jobs((0, 100, 2), (10, 50, 4), (20, 60, 2), (30, 10, 4)), 4)
    easy, fcfs = simulate(log, "easy"), simulate(log, "fcfs")
    found = diverge(easy, fcfs, 4)
    second = SECOND_US
    assert (found.start_a_us, found.start_b_us) == (150 * second, 210 * second)
    assert found.first == found.root == Decision(20 * second, [3], [])
    assert found.chain == [Link(4, 150 * second, "B", 3, "waits", 2), Link(3, 20 * second, "B")]
    assert str(found).splitlines() == [
        "The runs first differ on day 0, 00:00:20: A starts job 3 and B does not.",
        "Job 4 starts on day 0, 00:02:30 in A and on day 0, 00:03:30 in B, 1 min later.",
        "On day 0, 00:02:30 job 4 starts in A. In B it waits: so does job 3, which has started in A.",
    ]
    assert str(diverge(easy, fcfs, 1)).endswith("Job 1 starts on day 0, 00:00 in both.")
    assert str(diverge(easy, easy, 1)) == "Both runs start every job at the same time."


@given(ROWS, st.permutations(["fcfs", "easy", "conservative", "sjf", "easy_sjbf"]))
@searching(60)
def test_a_chain_goes_back_to_a_decision_on_equal_states(rows, policies):
    log = workload(jobs(*rows), 4)
    a, b = (simulate(log, policy) for policy in policies[:2])
    starts = [dict(one.jobs.select("job", "start_us").iter_rows()) for one in (a, b)]
    ends = [dict(one.jobs.select("job", "finish_us").iter_rows()) for one in (a, b)]
    submitted = dict(log.jobs.select("job", "submit_us").iter_rows())
    decided = {job: min(starts[0][job], starts[1][job]) for job in submitted if starts[0][job] != starts[1][job]}

    def state(side, at):
        running = {(job, start) for job, start in starts[side].items() if start < at < ends[side][job]}
        waiting = {job for job, submit in submitted.items() if submit <= at <= starts[side][job]}
        return running, waiting

    for number in submitted:
        found = diverge(a, b, number)
        assert (found.first.at_us if found.first else None) == min(decided.values(), default=None)
        if number not in decided:
            assert (found.chain, found.root) == ([], None)
            continue
        assert [link.at_us for link in found.chain] == sorted({decided[link.job] for link in found.chain}, reverse=True)
        assert [link.cause for link in found.chain] == [*(link.job for link in found.chain[1:]), None]
        for link in found.chain:
            assert (state(0, link.at_us) == state(1, link.at_us)) == (link.cause is None)
            late = "AB".index(link.later)
            assert starts[late][link.job] > starts[1 - late][link.job]
            if link.state == "holds":
                assert (link.cause, starts[late][link.cause]) in state(late, link.at_us)[0]
        root = found.root
        assert set(root.only_a) ^ set(root.only_b) == {
            job for job in decided if root.at_us in (starts[0][job], starts[1][job])
        }


def test_a_picture_shows_the_wait_and_the_jobs_that_held_processors():
    log = workload(jobs((0, 100, 2), (10, 50, 4), (20, 60, 2), (30, 10, 4)), 4)
    schedule = simulate(log, "easy")
    chart = wait_chart(schedule, explain(log, schedule, 2, alternatives=False))
    strip, below = chart.to_dict()["vconcat"]
    assert [row["role"] for row in strip["data"]["values"]] == ["waits", "job 2"]
    rows = below["layer"][1]["data"]["values"]
    assert {row["job"]: row["role"] for row in rows} == {1: "other jobs", 2: "job 2", 3: "overtook it"}
    assert svg_of(chart).startswith("<svg")
    assert svg_of(wait_chart(schedule, explain(log, schedule, 1))).startswith("<svg")


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    for policy, jobs_ in (("easy", 800), ("fcfs", 800), ("sjf", 700)):
        assert run("simulate", "drawn", "--first", jobs_, "--policy", policy, "--out", folder / policy) == 0
    return folder


def test_the_command_compares_and_draws(runs, tmp_path, capsys):
    words = ("explain", runs / "easy", "--job", 400, "--compare", runs / "fcfs", "--picture", tmp_path / "wait.svg")
    capsys.readouterr()
    assert run(*words) == 0
    said = capsys.readouterr().out
    assert "\nB = " in said
    assert "The runs first differ on " in said
    assert (tmp_path / "wait.svg").read_text().startswith("<svg")
    assert "--force" in refused(capsys, *words)
    assert run(*words, "--force", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert found["divergence"]["job"] == found["job"] == 400


@pytest.fixture(scope="module")
def ten(tmp_path_factory):
    """Return a folder with the ten jobs of the tutorial under EASY and under conservative backfilling."""
    folder = tmp_path_factory.mktemp("ten")
    for policy in ("easy", "conservative"):
        words = ("simulate", PROJECT / "docs/examples/ten.swf", "--policy", policy, "--out", folder / policy)
        assert run(*words) == 0
    return folder


@pytest.mark.parametrize(
    ("one", "other", "job", "told"),
    [
        ("easy", "conservative", 10, "Job 10 waits longer in B:\nJob 10 waited 35 min"),
        ("conservative", "easy", 10, None),  # the answer has explained this wait
        ("easy", "conservative", 8, None),  # a step leads there: job 10
    ],
)
def test_a_wait_that_no_step_explains_is_explained_in_the_other_run(ten, capsys, one, other, job, told):
    """Job 10 is the first that differs: under conservative backfilling it waits for its own reservation."""
    capsys.readouterr()
    assert run("explain", ten / one, "--job", job, "--compare", ten / other) == 0
    said = capsys.readouterr().out
    assert told in said if told else "waits longer in" not in said


def test_runs_of_other_jobs_are_refused(runs, capsys):
    words = ("explain", runs / "easy", "--job", 400, "--compare", runs / "sjf")
    assert "the runs are of different jobs" in refused(capsys, *words)
