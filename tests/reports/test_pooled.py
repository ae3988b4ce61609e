"""Values of several workloads pooled: their means, their ratios, and the intervals of both."""

import numpy as np
import pytest

from reports.figures.forms.pooled import pooled, pooled_ratios
from reports.measure.intervals import mean_bounds


def test_pooled_rows_have_the_t_interval_of_their_units():
    rows = [{"of": "a", "unit": n, "value": v} for n, v in enumerate((1.0, 2.0, 6.0))]
    made = pooled([*rows, {"of": "b", "unit": 0, "value": 5.0}])
    ((low,), (high,)) = mean_bounds(np.array([[1.0, 2.0, 6.0]]))
    assert made[0] == {"of": "a", "value": 3, "low": pytest.approx(low), "high": pytest.approx(high), "units": 3}
    assert made[1] == {"of": "b", "value": 5, "low": 5, "high": 5, "units": 1}


def test_ratios_are_those_of_means():
    pairs = [(10, 5), (30, 10), (20, 10)]
    (row,) = pooled_ratios([{"of": "a", "unit": n, "value": a, "versus": b} for n, (a, b) in enumerate(pairs)])
    assert (row["of"], row["value"], row["units"]) == ("a", 60 / 25, 3)
    assert row["low"] < row["value"] < row["high"]


def test_a_ratio_of_one_unit_has_no_interval():
    (row,) = pooled_ratios([{"unit": 0, "value": 3, "versus": 2}])
    assert (row["value"], row["low"], row["high"]) == (1.5, None, None)


def test_a_ratio_to_nothing_is_left_out():
    assert pooled_ratios([{"of": "a", "unit": 0, "value": 3, "versus": 0}]) == []
