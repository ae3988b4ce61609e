"""Intervals and paired comparisons: textbook values, coverage, and what has no interval."""

from __future__ import annotations

import math

import duckdb
import numpy as np
import pytest

from reports.measure.queries import run_sql
from reports.measure.stats import (
    bootstrap_ratio,
    comparisons,
    difference_intervals,
    finite,
    half_width,
    lag1,
    mean_intervals,
    ratio_intervals,
    record_statistics,
    unit_of,
)
from tests.reports.run_folders import study

pytestmark = pytest.mark.filterwarnings("error")


def test_mean_interval_is_students_t():
    low, high = mean_intervals(np.array([[1.0, 2.0, 3.0, 4.0]]))
    half = 3.182446305284263 * math.sqrt(5 / 3) / 2  # t(0.975, 3 degrees of freedom) x s / sqrt(n)
    assert (low[0], high[0]) == pytest.approx((2.5 - half, 2.5 + half))


def test_half_width_is_that_of_the_mean_interval():
    low, high = mean_intervals(np.array([[1.0, 2.0, 3.0, 4.0]]))
    assert half_width(math.sqrt(5 / 3), 4) == pytest.approx((high[0] - low[0]) / 2)


def test_mean_interval_covers_the_mean_about_95_times_in_100():
    values = np.random.default_rng(1).normal(10, 3, (4000, 8))
    low, high = mean_intervals(values)
    assert 0.94 < np.mean((low < 10) & (high > 10)) < 0.96


def test_difference_interval_is_of_the_pairs():
    versus = np.array([[10.0, 200.0, 3000.0, 40.0]])
    low, high = difference_intervals(versus + np.array([1.0, 2.0, 3.0, 4.0]), versus)
    expected = mean_intervals(np.array([[1.0, 2.0, 3.0, 4.0]]))
    assert (low[0], high[0]) == pytest.approx((expected[0][0], expected[1][0]))


def test_ratio_interval_covers_the_ratio_of_means():
    rng = np.random.default_rng(2)
    versus = rng.gamma(4, 1, (400, 20))
    values = versus * rng.uniform(0.4, 1.2, versus.shape)
    low, high = ratio_intervals(values, versus)
    assert 0.87 < np.mean((low < 0.8) & (high > 0.8)) < 0.98
    assert (low <= values.mean(axis=1) / versus.mean(axis=1)).all()


def test_ratio_intervals_are_the_same_every_time_and_in_any_company():
    rng = np.random.default_rng(3)
    values, versus = rng.gamma(2, 1, (2, 5, 12))
    together = ratio_intervals(values, versus)
    alone = ratio_intervals(values[2:3], versus[2:3])
    assert (together[0][2], together[1][2]) == pytest.approx((alone[0][0], alone[1][0]), rel=1e-12)


@pytest.mark.parametrize(
    ("values", "versus"),
    [
        ([5.0], [4.0]),
        ([2.0, 2.0, 2.0], [2.0, 2.0, 2.0]),
        ([1.0, 2.0, 3.0], [1.0, 2.0, 3.0]),
        ([0.0, 0.0], [0.0, 0.0]),
    ],
)
def test_no_interval_without_variance(values, versus):
    pair = np.array([values]), np.array([versus])
    assert np.isnan([difference_intervals(*pair), ratio_intervals(*pair)]).all()


def test_no_ratio_interval_on_a_baseline_of_zero():
    low, high = ratio_intervals(np.array([[1.0, 2.0, 3.0]]), np.zeros((1, 3)))
    assert np.isnan([low, high]).all()
    low, high = difference_intervals(np.array([[1.0, 2.0, 3.0]]), np.zeros((1, 3)))
    assert low[0] < 2 < high[0]


def test_bootstrap_gives_numbers_where_bca_does_not():
    low, high = bootstrap_ratio(np.array([[2.0, 2.0, 2.0, 4.0]]), np.array([[1.0, 1.0, 1.0, 2.0]]))
    assert (low[0], high[0]) == pytest.approx((2, 2))


def test_lag1():
    assert lag1(np.array([1.0, 2.0, 1.0, 2.0, 1.0, 2.0])) == pytest.approx(-1)
    assert lag1(np.arange(9.0)) == pytest.approx(1)
    assert lag1(np.array([1.0, 2.0])) is None
    assert lag1(np.ones(9)) is None


def test_finite():
    assert finite(1 / 3) == 0.333333333333
    assert finite(float("nan")) is None
    assert finite(float("inf")) is None


def test_unit_of_a_class_of_jobs_is_that_of_the_metric():
    units = {"mean_wait": "s", "mean_slowdown": ""}
    assert unit_of("mean_wait_wide", units) == "s"
    assert unit_of("mean_slowdown", units) == ""


def test_what_is_compared_with_what():
    cells = [("log", "easy"), ("log", "fcfs"), ("log-exact", "easy"), ("log-f1", "easy"), ("model", "fcfs")]
    described = study(cells)
    for name in ("log-exact", "log-f1"):
        described["workloads"][name]["variant_of"] = "log"
    assert set(comparisons([described])) == {
        ("log", "fcfs", "log", "easy"),
        ("log-exact", "easy", "log", "easy"),
        ("log-f1", "easy", "log", "easy"),
        ("log-exact", "easy", "log-f1", "easy"),
        ("log-f1", "easy", "log-exact", "easy"),
    }
    assert len(comparisons([described, described])) == 5
    assert ("log", "fcfs", "log", "easy") not in comparisons([described | {"versus": None}])


@pytest.fixture
def connection():
    with duckdb.connect() as connection:
        run_sql(connection, "schema")
        connection.execute("INSERT INTO workloads (workload, kind) VALUES ('log', 'log'), ('model', 'model')")
        connection.execute("INSERT INTO metrics VALUES ('log', 'easy', 0, 'mean_wait', 'all', 1, 's')")
        yield connection


def test_recorded_statistics(connection):
    for policy, values in {"easy": [1, 2, 4], "fcfs": [2, 4, 8]}.items():
        for workload in ("log", "model"):
            for unit, value in enumerate(values):
                row = [workload, policy, unit, value]
                connection.execute("INSERT INTO unit_metrics VALUES ($1, $2, $3, 'mean_wait', $4)", row)
    connection.execute("INSERT INTO unit_metrics VALUES ('log', 'fcfs', 3, 'mean_wait', 100)")
    record_statistics(connection, [study([(w, p) for w in ("log", "model") for p in ("easy", "fcfs")])])
    rows = connection.execute(
        "SELECT workload, policy, value, unit, units, lag1 IS NULL, low < value AND value < high FROM intervals"
    ).fetchall()
    assert rows == [
        ("log", "easy", pytest.approx(7 / 3), "s", 3, False, True),
        ("log", "fcfs", 28.5, "s", 4, False, True),
        ("model", "easy", pytest.approx(7 / 3), "s", 3, True, True),
        ("model", "fcfs", pytest.approx(14 / 3), "s", 3, True, True),
    ]
    compared = connection.execute("SELECT workload, policy, versus_policy, difference, ratio, units FROM comparisons")
    assert compared.fetchall() == [
        ("log", "fcfs", "easy", pytest.approx(7 / 3), 2, 3),
        ("model", "fcfs", "easy", pytest.approx(7 / 3), 2, 3),
    ]


def test_a_baseline_of_zero_and_a_single_unit_give_nulls(connection):
    for policy, value in {"easy": 0, "fcfs": 3}.items():
        connection.execute("INSERT INTO unit_metrics VALUES ('model', $1, 0, 'mean_wait', $2)", [policy, value])
    record_statistics(connection, [study([("model", "easy"), ("model", "fcfs")])])
    row = connection.execute("SELECT difference, difference_low, ratio, ratio_low, units FROM comparisons").fetchone()
    assert row == (3, None, None, None, 1)
    assert connection.execute("SELECT low, high FROM intervals").fetchall() == [(None, None)] * 2
