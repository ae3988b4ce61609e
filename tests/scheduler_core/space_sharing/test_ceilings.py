"""Ceilings for each user: whose jobs they hold, and what a workload without users is told."""

import polars as pl
import pytest

from scheduler_core import simulate
from scheduler_core.checker import check
from scheduler_core.common.errors import MissingTableError
from scheduler_core.contracts import WORKLOAD_COLUMNS, Machine, Workload
from scheduler_core.decisions.explanation import explain
from scheduler_core.declarations.policy import get_policy
from scheduler_core.runs.folder import check_run, read_run
from scheduler_core.runs.simulation import run_replications

S = 1_000_000

NO_USER = r"the workload tells no job's user; give jobs with users, as field 12 of a log"


def workload(users=None, estimate=10, run=10):
    """Return three jobs of one processor on four, a second apart, with the numbers of their users."""
    rows = [(k, k * S, run * S, estimate * S, 1) for k in range(3)]
    jobs = pl.DataFrame(rows, schema=WORKLOAD_COLUMNS, orient="row")
    return Workload(jobs if users is None else jobs.with_columns(user=pl.Series(users, dtype=pl.Int32)), Machine(4))


def starts(schedule):
    return [start // S for start in schedule.jobs["start_us"]]


@pytest.mark.parametrize("users", [None, [None, None, None]])
@pytest.mark.parametrize("policy", ["easy(user_jobs=2)", "conservative(user_processor_h=1)"])
def test_a_workload_without_users_is_refused(policy, users):
    with pytest.raises(MissingTableError, match=NO_USER):
        simulate(workload(users), policy)


def test_without_a_ceiling_users_decide_nothing():
    assert simulate(workload([7, 7, 7]), "easy").digest == simulate(workload(), "easy").digest


def test_jobs_of_an_unknown_user_have_no_ceiling():
    assert starts(simulate(workload([None, 7, None]), "easy(user_jobs=1)")) == [0, 1, 2]
    assert starts(simulate(workload([7, None, 7]), "easy(user_jobs=1)")) == [0, 1, 10]


def test_a_job_that_ends_early_makes_room_for_all_the_time_it_had_left():
    hours = workload([7, 7, 7], estimate=3600, run=1)
    assert starts(simulate(hours, "easy(user_processor_h=1.0)")) == [0, 1, 2]
    assert starts(simulate(workload([7, 7, 7], estimate=3600), "easy(user_processor_h=1.0)")) == [0, 10, 20]


def test_a_run_with_ceilings_is_checked_with_its_workload_alone(tmp_path):
    given = workload([7, 7, 7])
    run_replications([given], get_policy("easy(user_jobs=1)"), tmp_path / "run", "w")
    run = read_run(tmp_path / "run")
    assert all(certificate.legal for certificate in check_run(run, [given]))
    with pytest.raises(MissingTableError, match=NO_USER):
        check_run(run)
    others = workload([7, 7, 8])
    assert not check(others, simulate(workload([7, 8, 7]), "easy(user_jobs=1)")).legal


def test_an_explanation_tells_no_rule_where_users_have_ceilings():
    found = explain(workload([7, 7, 8]), simulate(workload([7, 7, 8]), "easy(user_jobs=1)"), 1)
    assert found.overtook == [2]
    assert "Users have ceilings, so the schedule alone does not tell by which rules." in str(found)
