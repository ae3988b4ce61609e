"""How long a ceiling of its user held a job."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core.decisions.explanation import explain
from scheduler_core.decisions.words import lasting
from scheduler_core.runs.simulation import simulate
from tests.slotwise.cli.command import run
from tests.slotwise.planning.small_jobs import SECOND_US, jobs, workload

ROWS = st.lists(st.tuples(st.integers(0, 40), st.integers(1, 30), st.integers(1, 4)), min_size=1, max_size=14).map(
    sorted
)
AMPLE = 64
"""More processors than all drawn jobs want together, so that nothing but a ceiling holds a job."""


def told(log, policy, job):
    return explain(log, simulate(log, policy), job, alternatives=False)


@pytest.mark.parametrize(
    ("policy", "held_s", "words"),
    [
        ("easy(user_jobs=1)", 90, "1 running job,"),
        ("easy(user_processor_h=0.03)", 32, "0.03 requested processor hours,"),  # 108 s: until 58 of 100 s are left
        ("easy(user_jobs=2)", 0, "2 running jobs,"),
    ],
)
def test_a_job_held_by_hand(policy, held_s, words):
    log = workload(jobs((0, 100, 1), (10, 50, 1), (10, 50, 1), user=[1, 1, 2]), 4)
    found = told(log, policy, 2)
    assert found.ceiling_held_us == held_s * SECOND_US
    assert found.start_us - found.submit_us == held_s * SECOND_US
    if held_s:
        assert f"The ceiling of its user, {words} held it for {lasting(held_s * SECOND_US)} of its wait." in str(found)
    assert told(log, policy, 3).ceiling_held_us == 0


@given(
    ROWS, st.data(), st.sampled_from(["easy(user_jobs=2)", "fcfs(user_jobs=1)", "conservative(user_processor_h=0.01)"])
)
def test_where_nothing_else_holds_a_job_its_ceiling_takes_its_whole_wait(rows, data, policy):
    users = data.draw(st.lists(st.sampled_from([1, 2, None]), min_size=len(rows), max_size=len(rows)))
    log = workload(jobs(*rows, user=[1, *users[1:]]), AMPLE)
    schedule = simulate(log, policy)
    for job in range(1, len(rows) + 1):
        found = explain(log, schedule, job, alternatives=False)
        wait = found.start_us - found.submit_us
        assert (found.ceiling_held_us or 0) == wait


def test_a_run_without_its_log_asks_for_it(tmp_path, capsys):
    path = tmp_path / "log.swf"
    rows = ["1 0 -1 100 1 -1 -1 1 100 -1 1 7 1 1 1 1 -1 -1", "2 10 -1 50 1 -1 -1 1 50 -1 1 7 1 1 1 1 -1 -1"]
    path.write_text("\n".join(["; MaxProcs: 4", *rows, ""]))
    assert run("simulate", path, "--policy", "easy(user_jobs=1)", "--out", tmp_path / "run") == 0
    capsys.readouterr()
    assert run("explain", tmp_path / "run", "--job", 2) == 0
    said = capsys.readouterr().out
    assert "may have held it: the workload does not tell its user (--log WORKLOAD)." in said
    assert said.startswith("Job 2 waited 1 min 30 s for reasons that need the users of the log (--log).")
    assert run("explain", tmp_path / "run", "--job", 2, "--log", path) == 0
    assert "held it for 1 min 30 s of its wait" in capsys.readouterr().out
