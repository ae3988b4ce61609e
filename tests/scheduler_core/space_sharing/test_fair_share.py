"""Fair share: what a workload without users is told, who shares an account, and what decides nothing."""

import dataclasses

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core import simulate
from scheduler_core.checker import check
from scheduler_core.common.errors import MissingTableError, ParameterError
from scheduler_core.common.units import NEVER_US
from scheduler_core.contracts import WORKLOAD_COLUMNS, Machine, Workload
from scheduler_core.declarations.policy import get_policy
from scheduler_core.kernel.jit import kernel_entry
from scheduler_core.space_sharing.fair_share import count_processors, new_usage, used_by
from scheduler_core.space_sharing.rules import setup_of
from scheduler_core.space_sharing.state import rules_record
from tests.oracles.job import Job
from tests.oracles.space_sharing.state import State

S = 1_000_000
HOUR_S = 3600

POLICIES = ("easy_fair_share", 'list(order="fair_share")', 'conservative(order="fair_share")')


def workload(*users):
    """Return jobs of ten seconds on the whole machine, a second apart, with the numbers of their users."""
    rows = [(k, k * S, 10 * S, 10 * S, 4) for k in range(len(users) or 3)]
    jobs = pl.DataFrame(rows, schema=WORKLOAD_COLUMNS, orient="row")
    return Workload(jobs.with_columns(user=pl.Series(users, dtype=pl.Int32)) if users else jobs, Machine(4))


def starts(schedule):
    return [start // S for start in schedule.jobs["start_us"]]


@pytest.mark.parametrize("users", [(), (None, None)])
@pytest.mark.parametrize("policy", [*POLICIES, 'easy(backfill_order="fair_share")'])
def test_a_workload_without_users_is_refused(policy, users):
    with pytest.raises(
        MissingTableError, match=r"has fair share, but the workload tells no job's user; give jobs with"
    ):
        simulate(workload(*users), policy)


def test_ceilings_and_fair_share_are_refused_together():
    with pytest.raises(MissingTableError, match="has ceilings for each user and fair share, but"):
        simulate(workload(), "easy_fair_share(user_jobs=2)")


@pytest.mark.parametrize("policy", ["easy", "conservative", 'list(order="fcfs")'])
def test_in_another_order_usage_decides_nothing(policy):
    plain = simulate(workload(7, 7, 8), policy)
    assert simulate(workload(7, 7, 8), get_policy(policy, half_life_h=1.0, usage_weight_h=1.0)).digest == plain.digest
    assert simulate(workload(), policy).digest == plain.digest


@pytest.mark.parametrize(
    ("call", "noted"),
    [
        ("easy", []),
        ("sjf", []),
        ("easy(half_life_h=24)", ["half_life_h changes nothing without fair share; set order=fair_share"]),
        (
            "conservative(half_life_h=24, usage_weight_h=0)",
            ["half_life_h and usage_weight_h change nothing without fair share; set order=fair_share"],
        ),
        ("easy_fair_share(half_life_h=24)", []),
        ('easy(backfill_order="fair_share", usage_weight_h=24)', []),
    ],
)
def test_a_note_tells_that_parameters_of_fair_share_are_idle(call, noted):
    assert list(get_policy(call).notes(workload(1, 2))) == noted


def test_a_preset_names_easy_with_fair_share():
    assert get_policy("easy_fair_share") == get_policy('easy(order="fair_share")')
    assert get_policy("easy_fair_share").title == "EASY (fair share) (easy_fair_share)"


@pytest.mark.parametrize(
    ("users", "started"),
    [
        ((7, 7, 8), [0, 20, 10]),
        ((None, 7, None), [0, 10, 20]),
        ((None, None, 7), [0, 20, 10]),  # unknown users share an account, which has used the machine
        ((7, None, None), [0, 10, 20]),
    ],
)
def test_jobs_of_unknown_users_share_an_account(users, started):
    schedule = simulate(workload(*users), "easy_fair_share")
    assert starts(schedule) == started
    assert check(workload(*users), schedule).legal


def test_credit_counts_beside_usage():
    """A user that has used everything falls back by the whole weight, four seconds; the credit of its job makes up for it."""
    policy = f'easy(order="fair_share", usage_weight_h={4 / HOUR_S})'
    log = workload(7, 7, 8)
    assert starts(simulate(log, policy)) == [0, 20, 10]
    for credit_s, second in ((2, 20), (3, 10)):
        jobs = log.jobs.with_columns(credit_us=pl.Series([0, credit_s * S, 0]))
        assert starts(simulate(dataclasses.replace(log, jobs=jobs), policy))[1] == second


def test_windows_have_a_least_length():
    with pytest.raises(ParameterError, match=r"half_life_h must be at least 0\.001"):
        get_policy("easy", half_life_h=0)


def test_the_largest_weight_and_half_life_stay_within_64_bits():
    policy = get_policy("easy_fair_share", half_life_h=2**42, usage_weight_h=2**42)
    assert setup_of(policy.values()).rules.half_life == NEVER_US
    assert starts(simulate(workload(7, 7, 8), policy)) == [0, 20, 10]


@kernel_entry
def count(now, job, processors, usage, rules):
    """Count processors that a job takes or gives back."""
    count_processors(now, job, processors, usage, rules[0])


@kernel_entry
def used(now, account, usage, half_life):
    """Return the recent usage of an account."""
    return used_by(now, account, usage, half_life)


RUNS = st.lists(st.tuples(st.integers(0, 400), st.integers(1, 300), st.integers(1, 9)), min_size=1, max_size=8)
"""Starts and lengths in microseconds, and processors of running jobs."""


@given(RUNS, st.integers(1, 60), st.integers(0, 2000))
def test_usage_is_that_of_the_oracle(runs, half_life, later):
    """Counted from event to event, with idle stretches of many windows, usage is what all runs of the past add up to."""
    rules = rules_record(setup_of({"half_life_h": half_life / (HOUR_S * S)}).rules)
    assert rules[0].half_life == half_life
    usage = new_usage(np.zeros(len(runs), np.int64), np.zeros(len(runs), np.int64))
    jobs = [Job(k, 0, length, length, size) for k, (_, length, size) in enumerate(runs)]
    ends = [(begin + length, k, -size) for k, (begin, length, size) in enumerate(runs)]
    events = sorted([(begin, k, size) for k, (begin, _, size) in enumerate(runs)] + ends)
    for now, k, processors in events:
        count(now, k, processors, usage, rules)
    now = events[-1][0] + later
    oracle = State(9, half_life=half_life, now=now)
    oracle.started = {job: begin for job, (begin, _, _) in zip(jobs, runs, strict=True)}
    assert [used(now, account, usage, half_life) for account in range(3)] == [oracle.usage(jobs), 0, oracle.usage(jobs)]
