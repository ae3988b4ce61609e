"""Which share of the recent usage a user had, and what that did to the place of its job."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core.decisions.explanation import explain
from scheduler_core.decisions.space_sharing.passes import Scene, is_retold
from scheduler_core.declarations.policy import get_policy
from scheduler_core.runs.simulation import simulate
from tests.oracles.job import Job
from tests.oracles.space_sharing.state import State
from tests.profiles import searching
from tests.slotwise.cli.command import run
from tests.slotwise.planning.small_jobs import HOUR_US, SECOND_US, jobs, workload

WINDOW_H = 4 / 3600
POLICIES = (
    f"easy_fair_share(half_life_h={WINDOW_H})",
    f"easy_fair_share(half_life_h={WINDOW_H}, usage_weight_h=0.003)",
    f'list(order="fair_share", when_blocked="skip", half_life_h={WINDOW_H})',
    f'easy(backfill_order="fair_share", half_life_h={WINDOW_H})',
    f"easy_fair_share(half_life_h={WINDOW_H}, reservations=3)",
)
ROWS = st.lists(st.tuples(st.integers(0, 30), st.integers(1, 15), st.integers(1, 4)), min_size=1, max_size=14).map(
    sorted
)
USERS = st.lists(st.sampled_from([1, 2, None]), min_size=14, max_size=14)


@pytest.mark.parametrize("policy", POLICIES)
@given(rows=ROWS, users=USERS)
@searching(30)
def test_a_pass_starts_the_jobs_that_the_schedule_starts(policy, rows, users):
    made, log = get_policy(policy), workload(jobs(*rows, user=[1, *users[1 : len(rows)]]), 4)
    assert is_retold(made)
    schedule = simulate(log, made)
    scene = Scene(schedule, made, log)
    for now in set(scene.start):
        assert set(scene.make_pass(int(now)).starts) == set(scene.job[scene.start == now])


@given(rows=ROWS, users=USERS, now=st.integers(0, 300))
def test_shares_are_those_of_the_oracle(rows, users, now):
    log = workload(jobs(*rows, user=[1, *users[1 : len(rows)]]), 4)
    policy = get_policy(POLICIES[0])
    schedule = simulate(log, policy)
    oracle = State(4, half_life=4 * SECOND_US, weight=168 * HOUR_US, now=now * SECOND_US)
    asked = [Job(*row[:5], user=row[5]) for row in log.jobs.rows()]
    oracle.started = {
        job: start for job, start in zip(asked, schedule.jobs["start_us"], strict=True) if start <= oracle.now
    }
    later = Scene(schedule, policy, log).usage.later(np.arange(len(asked)), oracle.now)
    assert later.tolist() == [oracle.later(job) for job in asked]


def test_an_explanation_tells_the_shares():
    """Job 2 comes first, but its user has used the machine; at 10, job 3 overtakes it."""
    log = workload(jobs((0, 10, 4), (1, 10, 4), (2, 10, 4), user=[7, 7, 8]), 4)
    schedule = simulate(log, "easy_fair_share(usage_weight_h=1)")
    found = explain(log, schedule, 2)
    told = str(found)
    assert [(one.at_us, one.share, one.later_us) for one in found.shares] == [
        (SECOND_US, 1.0, HOUR_US),
        (20 * SECOND_US, 0.5, HOUR_US // 2),
    ]
    assert found.overtakings[0].shares == (0.0, 1.0)
    assert "When it was submitted, its user had 100 % of the recent usage, which set it back by 1 h." in told
    assert "When it started, its user had 50 % of the recent usage, which set it back by 30 min." in told
    assert (
        "it stands before job 2 in the order (fair share: its user had 0 % of the recent usage, that of job 2 100 %)"
        in told
    )
    assert explain(log, simulate(log, "easy"), 2).shares == []


@pytest.mark.parametrize("policy", ["easy_fair_share", 'conservative(order="fair_share")'])
def test_a_run_without_its_log_asks_for_it(policy, tmp_path, capsys):
    path = tmp_path / "log.swf"
    rows = ["1 0 -1 100 1 -1 -1 1 100 -1 1 7 1 1 1 1 -1 -1", "2 10 -1 50 1 -1 -1 1 50 -1 1 7 1 1 1 1 -1 -1"]
    path.write_text("\n".join(["; MaxProcs: 1", *rows, ""]))
    assert run("simulate", path, "--policy", policy, "--out", tmp_path / "run") == 0
    capsys.readouterr()
    assert run("explain", tmp_path / "run", "--job", 2) == 0
    assert (
        "depends on the usage of its user, which the workload does not tell (--log WORKLOAD)."
        in capsys.readouterr().out
    )
    assert run("explain", tmp_path / "run", "--job", 2, "--log", path) == 0
    assert "At its submission and at its start its user had 100 % of the recent usage, which" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("rows", "found"),
    [
        (["1 0 -1 100 1 -1 -1 1 100 -1 1 7 1 1 1 1 -1 -1"], "job 2 runs for 50 s; the log has no such job"),
        (
            ["1 0 -1 100 1 -1 -1 1 100 -1 1 7 1 1 1 1 -1 -1", "2 10 -1 60 1 -1 -1 1 60 -1 1 7 1 1 1 1 -1 -1"],
            "job 2 runs for 50 s; for 60 s in the log",
        ),
    ],
)
def test_another_log_than_that_of_the_run_is_refused(rows, found, tmp_path, capsys):
    own, other = tmp_path / "own.swf", tmp_path / "other.swf"
    jobs_of_run = ["1 0 -1 100 1 -1 -1 1 100 -1 1 7 1 1 1 1 -1 -1", "2 10 -1 50 1 -1 -1 1 50 -1 1 7 1 1 1 1 -1 -1"]
    for path, lines in ((own, jobs_of_run), (other, rows)):
        path.write_text("\n".join(["; MaxProcs: 1", *lines, ""]))
    assert run("simulate", own, "--policy", "easy", "--out", tmp_path / "run") == 0
    assert run("explain", tmp_path / "run", "--job", 2, "--log", other) == 2
    assert found in capsys.readouterr().err
