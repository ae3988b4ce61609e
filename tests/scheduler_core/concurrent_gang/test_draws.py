"""Lengths and partners are drawn as the page of the family says: held against the formulas in whole numbers of Python."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core.concurrent_gang import draws
from scheduler_core.concurrent_gang.draws import EXPONENTIAL, PARTS
from tests.from_python import all_from_python
from tests.oracles.concurrent_gang import draws as oracle

kernels = all_from_python(draws)

SEEDS, INDICES = st.integers(0, 2**62), st.integers(0, 2**40)
MOST_NS = 100 * 10**9
"""The largest mean of a length."""

DRAWS = st.integers(0, 2**64 - 1).map(np.uint64)


@given(SEEDS, st.integers(0, 8), INDICES, INDICES)
def test_draw_is_mixed_of_seed_stream_task_and_index(seed: int, stream: int, task: int, index: int) -> None:
    assert int(kernels.drawn(kernels.stream_base(seed, stream, task), index)) == oracle.draw(seed, stream, task, index)


@given(st.integers(1, 2**20), DRAWS)
def test_one_of_many_goes_by_the_upper_half_of_a_draw(count: int, draw: np.uint64) -> None:
    assert kernels.one_of(count, draw) == oracle.one_of(count, int(draw))


@given(st.integers(1, MOST_NS), DRAWS)
def test_length_is_the_mean_times_the_value_of_its_part(mean: int, draw: np.uint64) -> None:
    for spread, word in enumerate(("exponential", "constant")):
        assert kernels.length(mean, spread, draw) == oracle.length(mean, word, int(draw))


@given(st.integers(1, 10 * MOST_NS), st.integers(0, 2**20), DRAWS)
def test_share_of_a_superstep_is_rounded_down_once(work: int, imbalance: int, draw: np.uint64) -> None:
    expected = max(1, work + (work * imbalance * (2 * (int(draw) >> 44) - 2**20) >> 40))
    assert kernels.shared(work, imbalance, draw) == expected


def test_values_are_those_of_the_exponential_distribution() -> None:
    assert len(EXPONENTIAL) == PARTS
    assert (np.diff(EXPONENTIAL) > 0).all()
    assert EXPONENTIAL.mean() / 2**20 == pytest.approx(1, abs=1e-6)
    # the mean of a part lies between its borders, which are quantiles
    for part in (0, 1, 2048, PARTS - 2):
        least, most = (-math.log(1 - edge / PARTS) * 2**20 for edge in (part, part + 1))
        assert least < EXPONENTIAL[part] < most
    spread = (EXPONENTIAL / 2**20).var()
    assert spread == pytest.approx(1, abs=0.001)
