"""The passes of policies, made again from schedules, beside engine and oracle."""

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core.contracts import Workload
from scheduler_core.decisions.explanation import explain
from scheduler_core.decisions.space_sharing.explanation import promised
from scheduler_core.decisions.space_sharing.passes import Scene, held_from, is_retold
from scheduler_core.declarations.policy import get_policy
from scheduler_core.runs.simulation import simulate
from tests.oracles.job import Job
from tests.oracles.space_sharing import easy, oracle, plan
from tests.profiles import searching
from tests.slotwise.planning.small_jobs import SECOND_US, jobs, workload

POLICIES = (
    *("fcfs", "sjf", "lxf", "largest_area_first", 'list(order="smallest", when_blocked="skip")'),
    *("easy", "easy_sjbf", 'easy(order="largest_slowdown")', 'easy(backfill_order="largest_area", candidates=2)'),
    *("easy(extra_processors=False)", 'easy(tied_releases="not_extra")', 'easy(candidate_runtime="real")'),
    *("easy(reservations=2)", 'easy(reservations="all", backfill_order="smallest")'),
    *("priority", 'priority(aging="fixed", aging_fixed_s=5, short_limit_s=4, medium_limit_s=9)'),
    "priority(aging_min_s=3, short_limit_s=4, medium_limit_s=9)",
)
"""Policies whose passes depend on the instant alone."""

ROWS = st.lists(
    st.tuples(st.integers(0, 30), st.integers(1, 15), st.integers(1, 4), st.integers(0, 15)), min_size=1, max_size=14
).map(sorted)


def drawn(rows, credits=None):
    """Return jobs whose estimates are longer than their run times by the last number of each row."""
    given_credit = {} if credits is None else {"credit_us": [SECOND_US * credit for credit in credits[: len(rows)]]}
    table = jobs(*(row[:3] for row in rows), **given_credit)
    more = [row[3] * SECOND_US for row in rows]
    return workload(table.with_columns(estimate_us=table["runtime_us"] + pl.Series(more)), 4)


@pytest.mark.parametrize("policy", POLICIES)
@given(rows=ROWS, credits=st.none() | st.lists(st.integers(-9, 9), min_size=14, max_size=14))
@searching(20)
def test_a_pass_starts_the_jobs_that_the_schedule_starts(policy, rows, credits):
    made = get_policy(policy)
    assert is_retold(made)
    schedule = simulate(drawn(rows, credits), made)
    scene = Scene(schedule, made)
    for now in set(scene.start):
        assert set(scene.make_pass(int(now)).starts) == set(scene.job[scene.start == now])


class Recorded(easy.SingleReservationPass):
    """A pass of EASY that remembers the head and its shadow time after each pass."""

    seen: dict[int, dict[int, int]]

    def __call__(self, state):
        super().__call__(state)
        self.seen[state.now] = {self.kept.head.job: self.kept.shadow} if self.kept else {}


@pytest.mark.parametrize("policy", ["easy", "easy_sjbf", 'easy(order="shortest")', 'easy(tied_releases="not_extra")'])
@given(rows=ROWS)
@searching(20)
def test_reservations_are_those_of_the_oracle(policy, rows):
    made, log = get_policy(policy), drawn(rows)
    scene = Scene(simulate(log, made), made)
    seen = oracle_passes(Recorded, made, log)
    for now, reservations in seen.items():
        assert scene.make_pass(now).reservations == reservations
    for job in scene.job:
        held = [now for now in sorted(seen) if job in seen[now] and now < scene.start_of(job)]
        stretches = held_from(scene, job, {})
        passes = [now for now in sorted(seen) if any(first <= now <= last for first, last in stretches)]
        assert held == passes


class Promised(plan.ConservativePass):
    """A pass of conservative backfilling that remembers all reservations after each pass."""

    seen: dict[int, dict[int, int]]

    def __call__(self, state):
        super().__call__(state)
        self.seen[state.now] = {job.job: begin for job, begin in self.begins.items()}


@pytest.mark.parametrize(
    "policy",
    [
        "conservative",
        'conservative(plan_by="runtime")',
        'conservative(order="shortest")',
        "conservative(compression=False)",
    ],
)
@given(rows=ROWS)
@searching(6)
def test_promises_of_conservative_backfilling_are_those_of_the_oracle(policy, rows):
    made, log = get_policy(policy), drawn(rows)
    schedule = simulate(log, made)
    for now, begins in oracle_passes(Promised, made, log).items():
        for job, begin in begins.items():
            assert promised(log, schedule, made, job, now) == begin


def oracle_passes(kind, policy, log: Workload):
    """Return what the oracle's passes remember, by instant."""
    seen = {}

    def remembering(made):
        found = kind(made)
        found.seen = seen
        return found

    names = ("job", "submit_us", "runtime_us", "estimate_us", "size")
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(oracle.PASSES, policy.name, remembering)
        oracle.schedule(policy, [Job(*row) for row in log.jobs.select(*names).iter_rows()], log.machine.processors)
    return seen


def test_rules_of_dialects_that_a_schedule_does_not_hold_are_not_told():
    log = workload(jobs((0, 100, 2), (10, 50, 4), (20, 200, 2), (30, 60, 2)), 4)
    for policy in ('easy(reservation="once")', 'easy(instant="completions_first")'):
        found = explain(log, simulate(log, policy), 2, alternatives=False)
        assert (found.retold, found.overtakings, found.held) == (False, [], [])
        assert "The schedule alone does not tell by which rules." in str(found)
