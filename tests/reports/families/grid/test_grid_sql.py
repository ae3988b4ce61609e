"""Tables and metrics of runs on a grid, against values worked out by hand."""

import duckdb
import pytest

from reports.build import build_store
from scheduler_core.declarations.families import family
from tests.reports.families.grid import fixture as made
from tests.reports.families.grid.fixture import SECOND


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    root = tmp_path_factory.mktemp("grid")
    runs = {"booked": made.schedule(), "ready": made.schedule(booked=False), "counted": made.counted()}
    build_store(root, [made.write_measured_runs(root, "model-grid", runs)], root / "store.duckdb")
    with duckdb.connect(str(root / "store.duckdb"), read_only=True) as connection:
        yield connection


def metrics(connection, policy, scope="all"):
    query = "SELECT metric, value FROM measurements WHERE policy = $1 AND scope = $2"
    return dict(connection.execute(query, [policy, scope]).fetchall())


@pytest.mark.parametrize(
    ("scope", "metric", "expected"),
    [
        ("all", "mean_slowdown", (160 / 70 + 35 / 30 + 30 / 30 + (20 + 105 + 115 + 60 + 210) / 20) / 8),
        ("local", "mean_slowdown", (160 / 70 + 35 / 30 + 30 / 30) / 3),
        ("local", "jobs", 3),
        ("local short", "mean_response", (160 + 35 + 30) / 3),
        ("tasks", "jobs", 5),
        ("tasks", "mean_slowdown", (20 + 105 + 115 + 60 + 210) / 100),
        ("tasks short", "mean_slowdown_from_ready", (20 + 85 + 85 + 30 + 85) / 100),
        ("tasks", "mean_slowdown_from_ready", (20 + 85 + 85 + 30 + 85) / 100),
        ("short", "mean_slowdown", (160 / 70 + 35 / 30 + 30 / 30 + (20 + 105 + 115 + 60 + 210) / 20) / 8),
        ("all", "workflows", 1),
        ("all", "rejected_workflows", 0),
        ("all", "mean_workflow_makespan", 210),
        ("all", "max_workflow_makespan", 210),
        ("all", "mean_workflow_response", 210),
        ("all", "mean_clusters_per_workflow", 2),
        ("all", "late_tasks_share", 1 / 5),
        ("all", "reservation_share", 1),
        ("all", "slides_per_task", 3 / 5),
        ("room", "slides_per_task", 2 / 5),
        ("freed", "slides_per_task", 1 / 5),
        ("slid_down", "slides_per_task", 0),
        ("local", "later_than_predicted_share", 1 / 3),
        ("local", "mean_response_over_predicted", (160 / 170 + 35 / 40 + 30 / 25) / 3),
        ("tasks", "later_than_predicted_share", 1 / 5),
        ("tasks", "mean_response_over_predicted", (1 + 105 / 100 + 1 + 60 / 120 + 210 / 220) / 5),
        ("all", "utilisation", (4 * 70 + 4 * 30 + 80 + 40 + 80 + 60 + 40 + 40) / (12 * 215)),
        ("cluster 0", "utilisation", (4 * 70 + 4 * 30 + 80 + 40 + 80) / (8 * 215)),
        ("cluster 1", "utilisation", (60 + 40 + 40) / (4 * 215)),
        ("cluster 0", "utilisation_while_submitting", 4 * 5 / (8 * 10)),
        ("all", "utilisation_while_submitting", (4 * 5 + 2 * 5) / (12 * 10)),
    ],
)  # fmt: skip
def test_a_metric_of_the_booked_schedule(store, scope, metric, expected):
    assert metrics(store, "booked", scope)[metric] == pytest.approx(expected, rel=1e-9)


def test_without_bookings_there_are_no_frames_and_no_slides(store):
    found = metrics(store, "ready")
    assert found["mean_workflow_makespan"] == 210
    assert not {"late_tasks_share", "slides_per_task"} & set(found)
    assert "later_than_predicted_share" not in metrics(store, "ready", "local")
    assert metrics(store, "ready", "tasks") == {
        name: value
        for name, value in metrics(store, "booked", "tasks").items()
        if name not in ("later_than_predicted_share", "mean_response_over_predicted")
    }


def test_clusters_that_count_processors_are_measured_alike(store):
    assert metrics(store, "counted")["mean_workflow_makespan"] == 90
    assert metrics(store, "counted", "cluster 1")["utilisation"] == pytest.approx((60 + 40 + 40) / (4 * 110))
    assert "later_than_predicted_share" not in metrics(store, "counted", "local")


def test_the_tables_are_those_of_the_files(store):
    assert store.execute("SELECT cluster, name, processors, speed FROM clusters ORDER BY cluster").fetchall() == [
        (0, "Arve", 8, 1.0), (1, "Rhone", 4, 1.0),
    ]  # fmt: skip
    tasks = store.execute("SELECT workflow, task, job FROM tasks ORDER BY task").fetchall()
    assert tasks == [(7, task, 10 + task) for task in range(1, 6)]
    query = (
        "SELECT task, cluster, earliest_us, latest_us, freed_us FROM reservations WHERE policy = 'booked' ORDER BY task"
    )
    assert store.execute(query).fetchall() == [
        (task, cluster, earliest * SECOND, latest * SECOND, freed * SECOND)
        for task, cluster, _, earliest, _, _, _, latest, _, _, freed in made.RESERVATIONS
    ]
    use = store.execute("SELECT cluster, jobs, tasks FROM cluster_use WHERE policy = 'booked' ORDER BY cluster")
    assert use.fetchall() == [(0, 5, 3), (1, 3, 2)]
    assert store.execute("SELECT DISTINCT cluster FROM jobs WHERE job = 13").fetchall() == [(1,)]


def test_the_times_of_tasks_are_those_of_their_jobs_frames_and_data(store):
    query = """
        SELECT run_s, response_s, from_ready_s, ready_us, planned_start_us, planned_finish_us, slowdown_from_ready
        FROM task_times WHERE policy = $1 AND task = $2"""
    row = store.execute(query, ["booked", 5]).fetchone()
    assert row == (20, 210, 85, 130 * SECOND, 205 * SECOND, 225 * SECOND, 85 / 20)
    assert store.execute(query, ["ready", 1]).fetchone() == (20, 20, 20, 5 * SECOND, None, None, 1)


def test_replications_are_units_and_have_one_value_of_a_metric_in_a_scope(store):
    rows = store.execute("SELECT metric, scope, value FROM independent_measurements WHERE policy = 'booked'").fetchall()
    units = {(metric, scope): value for metric, scope, value in rows}
    assert len(units) == len(rows)
    assert units["mean_slowdown", "tasks short"] == pytest.approx(510 / 100)
    assert units["mean_slowdown_from_ready", "tasks"] == pytest.approx(305 / 100)
    assert units["utilisation", "cluster 1"] == pytest.approx(140 / (4 * 215))
    assert {
        ("late_tasks_share", "all"), ("mean_workflow_makespan", "all"), ("mean_slowdown", "short"),
        ("utilisation_while_submitting", "all"),
    } < set(units)  # fmt: skip


def test_what_the_family_leads_with_is_measured(store):
    declared = family("grid")
    assert set(declared.leading) <= set(metrics(store, "booked"))
