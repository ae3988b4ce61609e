"""Metrics against values worked out by hand and against slow definitions."""

import duckdb
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reports.build import build_store
from reports.measure.loss_of_capacity import loss_of_capacity
from tests.profiles import searching
from tests.reports.run_folders import study, write_run, write_three, write_workload


@pytest.fixture(scope="module")
def three(tmp_path_factory):
    root = tmp_path_factory.mktemp("three")
    build_store(root, [write_three(root)], root / "store.duckdb")
    with duckdb.connect(str(root / "store.duckdb"), read_only=True) as connection:
        yield connection


def value(connection, metric, scope="all", policy="easy", workload="model"):
    rows = connection.execute(
        "SELECT value FROM measurements WHERE (workload, policy, metric, scope) = ($1, $2, $3, $4)",
        [workload, policy, metric, scope],
    ).fetchall()
    assert len(rows) == 1
    return rows[0][0]


@pytest.mark.parametrize(
    ("metric", "expected"),
    [
        ("mean_wait", 170 / 3),
        ("median_wait", 80),
        ("p95_wait", 89),
        ("max_wait", 90),
        ("mean_response", 330 / 3),
        ("max_response", 140),
        ("mean_slowdown", (1 + 2.8 + 9) / 3),
        ("max_slowdown", 9),
        ("median_slowdown", 2.8),
        ("mean_bounded_slowdown_10", (1 + 2.8 + 9) / 3),
        ("mean_bounded_slowdown_60", (100 / 100 + 140 / 60 + 90 / 60) / 3),
        ("mean_bounded_slowdown_600", 1),
        ("mean_relative_response", (100 / 100 + 140 / 60 + 90 / 60) / 3),
        ("makespan", 150),
        ("utilisation", 410 / 600),
        ("steady_utilisation", 60 / 80),
        ("loss_of_capacity", 90 / 600),
        ("late_share", 1 / 3),
        ("mean_miss_time", 80 / 3),
    ],
)
def test_metric_of_three_jobs(three, metric, expected):
    assert value(three, metric) == pytest.approx(expected, rel=1e-9)


def test_classes_split_by_run_time_and_by_share_of_the_machine(three):
    assert value(three, "mean_wait", "short wide") == 0
    assert value(three, "mean_wait", "short medium") == 85
    assert value(three, "mean_wait", "any medium") == 85
    assert value(three, "mean_wait", "short") == pytest.approx(170 / 3)
    assert value(three, "jobs", "short medium") == 2
    scopes = {row[0] for row in three.execute("SELECT DISTINCT scope FROM measurements").fetchall()}
    assert scopes == {"all", "short", "short wide", "short medium", "any wide", "any medium"}


def test_borders_of_the_classes(tmp_path):
    jobs = [(0, 599, 599, 10), (0, 600, 600, 50), (0, 10799, 10799, 11), (0, 10800, 10800, 51)]
    write_workload(tmp_path, "model", [jobs], processors=100)
    write_run(tmp_path, "model", "easy", [jobs], [[0, 0, 599, 20000]])
    build_store(tmp_path, [study([("model", "easy")])], tmp_path / "store.duckdb")
    with duckdb.connect(str(tmp_path / "store.duckdb")) as connection:
        counted = connection.execute(
            "SELECT scope, value FROM measurements WHERE metric = 'jobs' AND contains(scope, ' ')"
            " AND NOT starts_with(scope, 'any') ORDER BY scope"
        ).fetchall()
    assert counted == [("long wide", 1), ("medium medium", 2), ("short narrow", 1)]


def test_the_catalogue_knows_every_metric_and_its_unit(three):
    unknown = three.execute(
        "SELECT DISTINCT metric FROM measurements ANTI JOIN metric_catalogue USING (metric)"
    ).fetchall()
    assert not unknown
    units = dict(three.execute("SELECT metric, stored_in FROM metric_catalogue").fetchall())
    seconds = {m for m, unit in units.items() if unit == "s"}
    assert seconds >= {"mean_wait", "p99_response", "max_wait", "makespan", "mean_miss_time"}
    assert not seconds & {"mean_slowdown", "mean_relative_response", "utilisation", "late_share", "p95_slowdown"}


def test_series_of_three_jobs(three):
    rows = three.execute(
        "SELECT bin_start_s, bin_s, utilisation, queued_jobs, queued_processors FROM series"
        " WHERE policy = 'easy' ORDER BY bin_start_s"
    ).fetchall()
    expected = [(0, 60, 0.75, 1.5, 140 / 60), (60, 60, 170 / 240, 80 / 60, 2), (120, 60, 0.25, 0, 0)]
    assert rows == [pytest.approx(row) for row in expected]


@pytest.mark.parametrize(("days", "bin_s"), [(59, 7200), (61, 86400)])
def test_bins_are_days_for_long_logs_and_at_most_a_thousand_otherwise(tmp_path, days, bin_s):
    jobs = [(0, 10, 10, 1), (days * 86400, 10, 10, 1)]
    write_workload(tmp_path, "model", [jobs])
    write_run(tmp_path, "model", "easy", [jobs], [[0, days * 86400]])
    build_store(tmp_path, [study([("model", "easy")])], tmp_path / "store.duckdb")
    with duckdb.connect(str(tmp_path / "store.duckdb")) as connection:
        rows = connection.execute("SELECT bin_s, utilisation FROM series ORDER BY bin_start_s").fetchall()
    assert {row[0] for row in rows} == {bin_s}
    assert len(rows) == days * 86400 // bin_s + 1
    assert sum(row[1] for row in rows) * bin_s * 4 == pytest.approx(20)


def test_rejected_jobs_count_nowhere_and_killed_jobs_run_to_their_estimate(tmp_path):
    jobs = [(0, 100, 40, 4), (5, 10, 10, 9)]
    write_workload(tmp_path, "model", [jobs])
    write_run(tmp_path, "model", "easy", [jobs], [[0, None]])
    build_store(tmp_path, [study([("model", "easy")])], tmp_path / "store.duckdb")
    with duckdb.connect(str(tmp_path / "store.duckdb")) as connection:
        assert value(connection, "makespan") == 40
        assert value(connection, "utilisation") == 1
        assert value(connection, "max_slowdown") == 1
        assert value(connection, "jobs", "short") == 1


@st.composite
def schedules(draw):
    """Jobs with submissions, starts and sizes such that the machine is never overfull."""
    drawn = draw(
        st.lists(st.tuples(st.integers(0, 20), st.integers(0, 9), st.integers(1, 9), st.integers(1, 4)), min_size=1)
    )
    submit, wait, run, size = (np.array(column, dtype=np.int64) for column in zip(*drawn, strict=True))
    start = submit + wait
    finish = start + run
    busy = [int(size[(start <= t) & (t < finish)].sum()) for t in range(int(finish.max()))]
    return submit, start, finish, size, max(busy)


@searching(60)
@given(schedules())
def test_loss_of_capacity_is_the_idle_processors_that_waiting_jobs_ask_for(schedule):
    submit, start, finish, size, processors = schedule
    lost = 0
    for t in range(int(finish.max())):
        idle = processors - size[(start <= t) & (t < finish)].sum()
        lost += min(idle, size[(submit <= t) & (t < start)].sum())
    expected = lost / (processors * int(finish.max() - submit.min()))
    assert loss_of_capacity(submit, start, finish, size, processors) == pytest.approx(expected)


def test_loss_of_capacity_survives_sums_beyond_64_bits():
    scale = 10**17
    submit, start, finish = (np.array(times, dtype=np.int64) * scale for times in ([0, 0], [0, 10], [10, 20]))
    size = np.array([60, 60])
    assert loss_of_capacity(submit, start, finish, size, 100) == pytest.approx(40 * 10 / (100 * 20))
