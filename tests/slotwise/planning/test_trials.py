"""The simulations of a fit: those that cannot win end early, and the others agree with what `simulate` and `validate` say."""

import math
from dataclasses import astuple

import numpy as np
import polars as pl
import pytest

from scheduler_core.declarations.policy import get_policy
from scheduler_core.runs.simulation import simulate
from scheduler_core.space_sharing.engine import starts_of
from slotwise.planning.models import HIGHEST, HOPELESS, Pool, score
from slotwise.planning.search import least_without
from slotwise.planning.trials import Trials
from slotwise.planning.validation import agreement_of, recorded_jobs, recorded_pairs
from tests.slotwise.planning.test_fit import recorded_under, silent
from traces.shape.regimes import Usable
from traces.shape.selection import usable

POLICIES = ["easy", "conservative", "easy(reservations=4)", "easy_fair_share(user_jobs=3)", "fcfs"]


@pytest.fixture(scope="module")
def log():
    """Two thousand jobs whose waits come from EASY on a part of the machine."""
    return recorded_under("easy", 60).first(2000)


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("changes", [(), ((1, 50), (3, 58))])
def test_starts_are_those_of_the_schedule(log, policy, changes):
    """Looking at a simulation on its way changes nothing, nor does a change of the machine between two looks."""
    jobs, looks = usable(log, *Usable(56, changes)), []

    def look(time, starts):
        looks.append((time, starts.copy()))
        return False

    starts = starts_of(get_policy(policy), jobs, look)
    assert starts.tolist() == simulate(jobs, policy).jobs["start_us"].to_list()
    assert len(looks) > 10
    for time, so_far in looks:
        np.testing.assert_array_equal(so_far, np.where(starts <= time, starts, -1))


def test_a_job_that_is_too_wide_has_no_start(log):
    wide = log.transformed(log.jobs.with_columns(size=pl.lit(90, pl.Int32)), {"step": "wide"})
    assert set(starts_of(get_policy("easy"), wide).tolist()) == {-1}


def test_a_simulation_ends_as_soon_as_it_is_hopeless(log):
    looks = []
    assert starts_of(get_policy("easy"), log, lambda time, _: looks.append(time) or len(looks) == 3) is None
    assert len(looks) == 3


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("least", [-1.0, 0.5, 1.5, 1.95])
def test_only_models_that_cannot_reach_the_score_are_left_out(log, policy, least):
    """Both correlations are at most 1, so the ratio of means alone bounds the score."""
    trials = Trials(log, silent, log)
    trials.least = least
    for processors in (64, 60, 56, 52):
        pool = Pool(policy, processors)
        model = trials.model([pool])
        schedule = simulate(usable(log, processors), policy)
        whole = trials.model([pool], whole=True)
        odd = recorded_pairs(recorded_jobs(trials.known, None), schedule).filter(pl.col("week") % 2 == 1)
        # The waits are divided and added in another order, so their last digits differ.
        assert astuple(whole.odd) == pytest.approx(astuple(agreement_of(odd)), rel=1e-12)
        assert (model.odd is HOPELESS) == (math.log(whole.odd.ratio) > HIGHEST - least)
        assert model.odd is not HOPELESS or score(whole.odd) < least


@pytest.mark.parametrize("begin", [0, 79, 80, 91, 100, 120])
@pytest.mark.parametrize("border", range(80, 101))
def test_the_least_machine_without_long_waits_is_found_in_few_steps(begin, border):
    asked = []

    def too_long(percent):
        asked.append(percent)
        return percent < border

    assert least_without(too_long, begin, 80, 100) == border
    assert len(asked) == len(set(asked)) <= 9
    assert set(asked) <= set(range(80, 101))
    near = abs(border - begin) <= 1
    assert not near or len(asked) <= 4
    assert least_without(lambda _: True, begin, 80, 100) == 100
