"""Effects of a change on the same jobs."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core.runs.simulation import simulate
from slotwise.planning.effects import effect_of, interval
from tests.slotwise.planning.small_jobs import jobs, workload
from traces.generate import generate


def test_a_change_of_nothing_has_a_ratio_of_one():
    log = generate("lublin", jobs=8000, seed=1, processors=32, load=0.8)
    schedule = simulate(log, "easy")
    effect = effect_of(log, schedule, schedule, None)
    ratio = effect.ratios["wait_h"]
    assert (ratio.ratio, ratio.low, ratio.high, ratio.sure) == (1, 1, 1, False)
    assert (effect.shorter, effect.longer, effect.left_out) == (0, 0, 0)


def test_gainers_and_losers_are_counted_by_hand():
    """FCFS: job 3 waits behind the wide job 2. List scheduling starts it at once, and job 2 as before."""
    log = workload(jobs((0, 3600, 2), (1, 3600, 4), (2, 1800, 2), user=[1, 2, 3]), 4)
    effect = effect_of(log, simulate(log, "fcfs"), simulate(log, "easy"), None)
    assert effect.winners("user") == (1, 0, 3)
    assert effect.losers("user") == []
    assert effect.shorter == pytest.approx(1 / 3)
    backwards = effect_of(log, simulate(log, "easy"), simulate(log, "fcfs"), None)
    assert [row["user"] for row in backwards.losers("user")] == [3]


def test_jobs_of_one_schedule_only_are_left_out():
    log = workload(jobs((0, 10, 2), (1, 10, 4)), 4)
    effect = effect_of(log, simulate(log, "easy"), simulate(log.on_machine(2), "easy"), None)
    assert (effect.jobs, effect.left_out) == (1, 1)


def test_few_weeks_give_no_interval():
    assert interval(np.ones(7), np.ones(7)) == (None, None)
    assert interval(np.zeros(20), np.ones(20)) == (None, None)


def test_intervals_of_several_comparisons_are_wider():
    random = np.random.default_rng(2)
    before, after = random.gamma(2.0, 1.0, (2, 30))
    one, seven = interval(before, after), interval(before, after, 7)
    assert seven[0] < one[0] < one[1] < seven[1]


@given(st.lists(st.tuples(st.floats(0.1, 10), st.floats(0.1, 10)), min_size=8, max_size=40))
def test_an_interval_holds_the_ratio_of_every_week_between_its_extremes(weeks):
    before, after = np.array(weeks).T
    low, high = interval(before, after)
    assert (after / before).min() - 1e-9 <= low <= high <= (after / before).max() + 1e-9
    assert interval(before, after) == (low, high)


def test_an_interval_covers_the_truth_about_as_often_as_it_says():
    """Weeks with independent gammas, a true ratio of 0.8; 95 % intervals of 52 weeks."""
    random = np.random.default_rng(11)
    covered = 0
    for _ in range(300):
        before = random.gamma(2.0, 1.0, 52)
        after = 0.8 * before * random.gamma(20.0, 1 / 20, 52)
        low, high = interval(before, after)
        covered += low <= 0.8 <= high
    assert 0.88 <= covered / 300 <= 0.98
