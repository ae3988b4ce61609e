"""Fitting hyper-Erlang distributions: three moments kept, the smallest order, and what happens where none will do."""

import math

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from traces.models.hyper_erlang import LARGEST_ORDER, HyperErlang, fit_hyper_erlang, raw_moments

rates = st.floats(1e-6, 1e3)


def feasible(order, mean, second, third):
    """Whether branches of Erlang stages of this order can have these raw moments."""
    m1, m2, m3 = mean / order, second / (order * (order + 1)), third / (order * (order + 1) * (order + 2))
    return m2 > m1 * m1 and m1 * m3 > m2 * m2


@given(st.floats(0.001, 0.999), rates, rates, st.integers(1, LARGEST_ORDER))
@example(0.3, 1 / 50, 1 / 8000, 1)
@example(0.7, 1 / 10, 1 / 900, 3)
@example(0.4, 0.02, 0.001, 5)
@example(0.001, 1e-6, 1e3, 50)
def test_three_moments_are_reproduced(p, first, second, order):
    assume(max(first, second) > 1.01 * min(first, second))
    moments = HyperErlang(p, first, second, order).moments
    fit = fit_hyper_erlang(*moments)
    assert fit.moments_matched == 3
    assert fit.moments == pytest.approx(moments, rel=1e-9)
    assert 0 <= fit.p <= 0.5
    assert min(fit.lambda1, fit.lambda2) > 0
    assert 1 <= fit.order <= order


@given(st.lists(st.floats(1e-3, 1e6), min_size=2, max_size=60))
def test_whatever_a_sample_says_its_moments_or_its_mean_are_kept(sample):
    moments = raw_moments(sample)
    fit = fit_hyper_erlang(*moments)
    if fit.moments_matched == 3:
        assert fit.moments == pytest.approx(moments, rel=1e-9)
    else:
        assert fit == HyperErlang(1.0, 1 / moments[0], 1 / moments[0], 1, 1)
        assert fit.moments[0] == pytest.approx(moments[0], rel=1e-12)


@given(st.floats(0.01, 0.99), rates, rates, st.integers(1, 12))
def test_the_smallest_order_is_taken(p, first, second, order):
    assume(max(first, second) > 1.1 * min(first, second))
    moments = HyperErlang(p, first, second, order).moments
    fit = fit_hyper_erlang(*moments)
    assert feasible(fit.order, *moments)
    assert not any(feasible(smaller, *moments) for smaller in range(1, fit.order))


def test_parameters_come_back_where_no_smaller_order_will_do():
    fit = fit_hyper_erlang(*HyperErlang(0.7, 0.1, 1 / 900, 3).moments)
    assert (fit.order, fit.p) == (3, pytest.approx(0.3))  # the rarer branch is the first
    assert (fit.lambda1, fit.lambda2) == (pytest.approx(1 / 900), pytest.approx(0.1))
    assert fit_hyper_erlang(*HyperErlang(0.4, 0.02, 0.001, 5).moments).order == 4


def test_no_order_reproduces_a_constant_or_a_light_tail():
    assert fit_hyper_erlang(3.0, 9.0, 27.0) == HyperErlang(1.0, 1 / 3, 1 / 3, 1, 1)
    coin = (0.5, 0.5, 0.5)  # 0 or 1: the order would have to be infinite
    assert not any(feasible(order, *coin) for order in range(1, LARGEST_ORDER + 1))
    assert fit_hyper_erlang(*coin) == HyperErlang(1.0, 2.0, 2.0, 1, 1)
    light = fit_hyper_erlang(0.5, 1 / 3, 0.26)  # order 4 has the variance, order 5 the third moment as well
    assert (light.order, light.moments_matched) == (5, 3)


def test_moments_of_a_distribution_are_those_of_what_it_draws():
    found = HyperErlang(0.2, 0.01, 0.5, 4)
    generator = np.random.default_rng(1)
    rate = np.where(generator.random(400_000) < found.p, found.lambda1, found.lambda2)
    drawn = generator.exponential(1, (found.order, len(rate))).sum(0) / rate
    assert found.moments == pytest.approx(raw_moments(drawn.tolist()), rel=0.02)


def test_raw_moments_are_means_of_powers():
    assert raw_moments([1.0, 2.0, 6.0]) == (3.0, 41 / 3, 225 / 3)
    assert raw_moments([0.1] * 10)[0] == 0.1
    with pytest.raises(ValueError, match="empty sample"):
        raw_moments([])


@pytest.mark.parametrize("moments", [(0.0, 1.0, 1.0), (-1.0, 1.0, 1.0), (1.0, math.inf, 1.0), (math.nan, 1.0, 1.0)])
def test_moments_that_cannot_be(moments):
    with pytest.raises(ValueError, match="mean above 0"):
        fit_hyper_erlang(*moments)
