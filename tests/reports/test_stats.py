"""Intervals and paired comparisons: textbook values, coverage, and what has no interval."""

import math

import duckdb
import numpy as np
import pytest

from reports.measure.catalogue import metric
from reports.measure.intervals import mean_bounds
from reports.measure.queries import run_sql
from reports.measure.stats import comparisons, finite, half_width, lag1, record_statistics
from tests.reports.run_folders import study

pytestmark = pytest.mark.filterwarnings("error")


def test_half_width_is_that_of_the_mean_interval():
    low, high = mean_bounds(np.array([[1.0, 2.0, 3.0, 4.0]]))
    assert half_width(math.sqrt(5 / 3), 4) == pytest.approx((high[0] - low[0]) / 2)


@pytest.mark.parametrize(
    ("name", "ends"),
    [
        ("mean_wait", (0, None)),
        ("mean_bounded_slowdown_600", (1, None)),
        ("dynamic_competitive_ratio", (1, None)),
        ("steady_utilisation", (0, 1)),
        ("grouped_share", (0, 1)),
        ("loss_of_capacity", (0, 1)),
        ("mean_job_efficiency", (0, 1)),
        ("utilisation_efficiency", (0, None)),
        ("slowdown_while_sharing", (0, None)),
    ],
)
def test_natural_ranges(name, ends):
    assert (metric(name).least, metric(name).most) == ends


def test_lag1():
    assert lag1(np.array([1.0, 2.0, 1.0, 2.0, 1.0, 2.0])) == pytest.approx(-1)
    assert lag1(np.arange(9.0)) == pytest.approx(1)
    assert lag1(np.array([1.0, 2.0])) is None
    assert lag1(np.ones(9)) is None


def test_finite():
    assert finite(1 / 3) == 0.333333333333
    assert finite(float("nan")) is None
    assert finite(float("inf")) is None


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
        yield connection


def put(connection, policy, metric, values, scope="all", workload="model", unit_kind="replication", first=0):
    for unit, value in enumerate(values, first):
        row = [workload, policy, unit_kind, unit, metric, scope, value]
        connection.execute("INSERT INTO measurements VALUES ($1, $2, $3, $4, $5, $6, $7)", row)


def test_recorded_statistics(connection):
    for policy, values in {"easy": [1, 2, 4], "fcfs": [2, 4, 8]}.items():
        put(connection, policy, "mean_wait", values)
        put(connection, policy, "mean_wait", values, workload="log", unit_kind="batch")
        put(connection, policy, "mean_wait", [50], workload="log")  # of the whole run: no unit of a log's intervals
    put(connection, "fcfs", "mean_wait", [100], workload="log", unit_kind="batch", first=3)
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
        put(connection, policy, "mean_wait", [value])
    record_statistics(connection, [study([("model", "easy"), ("model", "fcfs")])])
    row = connection.execute("SELECT difference, difference_low, ratio, ratio_low, units FROM comparisons").fetchone()
    assert row == (3, None, None, None, 1)
    assert connection.execute("SELECT low, high FROM intervals").fetchall() == [(None, None)] * 2


def test_an_interval_stays_where_its_metric_can_be(connection):
    put(connection, "easy", "mean_wait", [1, 30])
    put(connection, "easy", "utilisation", [0.9, 0.99])
    put(connection, "easy", "mean_slowdown", [2, 40])
    record_statistics(connection, [study([("model", "easy")])])
    found = {metric: ends for metric, *ends in connection.execute("SELECT metric, low, high FROM intervals").fetchall()}
    assert found["mean_wait"][0] == 0
    assert found["mean_wait"][1] > 30
    assert found["utilisation"][1] == 1
    assert 0 < found["utilisation"][0] < 0.9
    assert found["mean_slowdown"][0] == 1


def test_ratio_and_difference_agree_and_a_ratio_may_have_no_bounds(connection):
    put(connection, "easy", "mean_wait", [10, 12, 11, 13])
    put(connection, "fcfs", "mean_wait", [12, 13, 14, 15])
    put(connection, "easy", "late_share", [0.0, 0.4, 0.0, 0.1])
    put(connection, "fcfs", "late_share", [0.3, 0.2, 0.1, 0.3])
    record_statistics(connection, [study([("model", "easy"), ("model", "fcfs")])])
    query = """
        SELECT metric, difference_low > 0, ratio_low > 1, ratio, ratio_low, ratio_high FROM comparisons ORDER BY metric DESC
    """
    wait, late = connection.execute(query).fetchall()
    assert wait[1:3] == (True, True)
    assert wait[4] < wait[3] < wait[5]
    assert late[1:] == (False, None, pytest.approx(1.8), None, None)


def test_without_variance_there_is_no_interval(connection):
    put(connection, "easy", "mean_wait", [5, 5, 5])
    put(connection, "fcfs", "mean_wait", [5, 5, 5])
    record_statistics(connection, [study([("model", "easy"), ("model", "fcfs")])])
    assert connection.execute("SELECT low, high FROM intervals").fetchall() == [(None, None)] * 2
    assert connection.execute("SELECT difference, difference_low, ratio, ratio_low FROM comparisons").fetchall() == [
        (0, None, 1, None)
    ]


def test_times_are_compared_where_both_ended_all_jobs_and_utilisation_over_times_of_one_kind(connection):
    for policy in ("easy", "fcfs"):
        put(connection, policy, "mean_response", [1, 2, 6], scope="class=short")
        put(connection, policy, "jobs_completed", [5, 6, 7])
        put(connection, policy, "utilisation", [0.5, 0.6, 0.7])
    connection.execute("INSERT INTO busy_sums VALUES ('model', 'fcfs', 0, 1, 10)")
    connection.execute("INSERT INTO runs (workload, policy, replication, unfinished) VALUES ('model', 'fcfs', 2, 1)")
    connection.execute(
        "INSERT INTO jobs (workload, policy, replication, outcome) VALUES ('model', 'fcfs', 2, 'unfinished')"
    )
    record_statistics(connection, [study([("model", "easy"), ("model", "fcfs")])])
    found = connection.execute("SELECT metric, scope, units, value FROM comparisons ORDER BY metric").fetchall()
    assert found == [("jobs_completed", "all", 3, 6), ("mean_response", "class=short", 2, 1.5)]
