"""Intervals of means, predictions and ratios: textbook values, and their coverage by simulation."""

import math

import numpy as np
import pytest
from scipy import stats

from reports.measure.intervals import EQUIVALENCE, mean_bounds, ratio_bounds, t_factor, units_needed, within

pytestmark = pytest.mark.filterwarnings("error")

RUNS = 20_000
SLACK = 4 * math.sqrt(0.95 * 0.05 / RUNS)
"""Four standard errors of a simulated coverage."""


def test_mean_interval_is_students_t():
    low, high = mean_bounds(np.array([[1.0, 2.0, 3.0, 4.0]]))
    half = 3.182446305284263 * math.sqrt(5 / 3) / 2  # t(0.975, 3 degrees of freedom) x s / sqrt(n)
    assert (low[0], high[0]) == pytest.approx((2.5 - half, 2.5 + half))


def test_prediction_interval_is_that_of_hahn_and_meeker():
    values = np.array([[51.4, 49.5, 48.7, 49.3, 51.6]])
    low, high = mean_bounds(values, future=1)  # the example of their section 4.8: 50.10 ± 2.776 x 1.31 x sqrt(1 + 1/5)
    assert (low[0], high[0]) == pytest.approx((46.1, 54.1), abs=0.05)


@pytest.mark.parametrize("ours", [2, 4, 20])
@pytest.mark.parametrize("theirs", [1, 5, 10])
def test_an_engine_that_is_the_truth_reproduces_printed_means_95_times_in_100(ours, theirs):
    rng = np.random.default_rng([ours, theirs])
    low, high = mean_bounds(rng.normal(40, 6, (RUNS, ours)), future=theirs)
    printed = rng.normal(40, 6, (RUNS, theirs)).mean(axis=1)
    assert np.mean((low <= printed) & (printed <= high)) == pytest.approx(0.95, abs=SLACK)


@pytest.mark.parametrize("ours", [2, 4, 20])
@pytest.mark.parametrize("theirs", [1, 5, 10])
def test_so_it_does_printed_ratios_of_means(ours, theirs):
    rng = np.random.default_rng([7, ours, theirs])

    def drawn(units):
        versus = rng.normal(50, 5, (RUNS, units))
        return 0.8 * versus + rng.normal(0, 4, (RUNS, units)), versus

    low, high = ratio_bounds(*drawn(ours), future=theirs)
    values, versus = drawn(theirs)
    printed = values.mean(axis=1) / versus.mean(axis=1)
    covered = ~(printed < low) & ~(
        high < printed
    )  # without bounds, which two units often have not, every ratio is possible
    assert np.mean(covered) >= 0.95 - SLACK
    if ours > 2:
        assert np.mean(covered) == pytest.approx(0.95, abs=SLACK + 0.005)


@pytest.mark.parametrize("units", [2, 3, 5, 20])
def test_fiellers_interval_covers_the_ratio_of_means(units):
    rng = np.random.default_rng([3, units])
    versus = rng.normal(20, 4, (RUNS, units))
    values = 0.7 * versus + rng.normal(0, 3, versus.shape)
    low, high = ratio_bounds(values, versus)
    covered = ~(low > 0.7) & ~(high < 0.7)
    told = np.isfinite(low)
    assert np.mean(covered) >= 0.95 - SLACK
    assert np.mean(told) > (0.3 if units == 2 else 0.9)
    if units == 20:
        assert np.mean(covered) == pytest.approx(0.95, abs=SLACK)


def test_fiellers_interval_leaves_out_1_exactly_when_the_difference_leaves_out_0():
    rng = np.random.default_rng(4)
    versus = rng.gamma(9, 1, (RUNS, 5))
    values = versus * rng.normal(1.1, 0.15, versus.shape)
    ratio_low, ratio_high = ratio_bounds(values, versus)
    low, high = mean_bounds(values - versus)
    told = np.isfinite(ratio_low)
    assert told.mean() > 0.99
    assert ((ratio_low > 1) == (low > 0))[told].all()
    assert ((ratio_high < 1) == (high < 0))[told].all()


def test_fiellers_interval_is_where_the_t_test_does_not_reject():
    values, versus = np.array([[11.0, 13.0, 9.0, 12.0]]), np.array([[10.0, 11.0, 9.5, 10.0]])
    low, high = ratio_bounds(values, versus)
    for bound in (low[0], high[0]):
        assert stats.ttest_1samp((values - bound * versus)[0], 0).pvalue == pytest.approx(0.05)


@pytest.mark.parametrize("versus", [[0.0, 0.0, 0.0], [-1.0, 1.0, 0.1], [0.1, 0.0, 5.0]])
def test_a_ratio_has_no_bounds_where_its_baseline_cannot_be_told_from_zero(versus):
    assert np.isnan(ratio_bounds(np.array([[1.0, 2.0, 3.0]]), np.array([versus]))).all()


def test_one_unit_has_no_interval():
    assert np.isnan(mean_bounds(np.array([[5.0]]), future=3)).all()
    assert np.isnan(ratio_bounds(np.array([[5.0]]), np.array([[4.0]]))).all()


@pytest.mark.parametrize("units", [3, 10, 40])
@pytest.mark.parametrize("edge", [-1.0, 1.0])
def test_equivalence_is_claimed_of_what_lies_at_the_margin_at_most_5_times_in_100(units, edge):
    values = np.random.default_rng([5, units]).normal(edge, 0.8, (RUNS, units))
    low, high = mean_bounds(values, EQUIVALENCE)
    claimed = np.mean((low > -1) & (high < 1))
    assert claimed <= 0.05 + SLACK
    if units == 40:
        assert claimed == pytest.approx(0.05, abs=SLACK)


def test_units_needed_are_the_fewest_that_decide():
    needed = units_needed(1.0, 5.0)
    assert t_factor(needed) * 5 < 1 <= t_factor(needed - 1) * 5
    assert units_needed(100.0, 1.0) == 2
    assert units_needed(1.0, 0.0) == 2
    assert units_needed(0.0, 1.0) is None
    assert (
        units_needed(1.0, 2.0, future=1) is None
    )  # of a single draw no number of ours makes the interval short enough


def test_as_many_units_as_needed_decide_about_half_of_the_time():
    needed = units_needed(1.0, 4.0)
    low, _ = mean_bounds(np.random.default_rng(6).normal(1, 4, (RUNS, needed)))
    assert 0.4 < np.mean(low > 0) < 0.6


def test_cutting_to_the_natural_range_does_not_change_the_coverage():
    values = np.random.default_rng(8).exponential(2.0, (RUNS, 3))
    low, high = mean_bounds(values)
    cut_low, cut_high = within((low, high), 0.0, None)
    assert (cut_low >= 0).all()
    assert np.array_equal((low < 2) & (high > 2), (cut_low < 2) & (cut_high > 2))
