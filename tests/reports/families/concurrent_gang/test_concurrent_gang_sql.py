"""What the store measures of Concurrent Gang, against what can be counted by hand in the worked example and in the files."""

import duckdb
import polars as pl
import pytest

from reports.draw.drawing import draw_figure, specification, words_of
from reports.families.concurrent_gang.measures import row_changes
from reports.figures.study import figures_of
from tests.paths import STUDIES
from tests.reports.families.concurrent_gang import activities_fixture as made


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    root = tmp_path_factory.mktemp("activities")
    with duckdb.connect(str(made.write_store(root)), read_only=True) as connection:
        yield root, connection


def activity(connection, workload, policy):
    """Return the rows of ``activity`` as dictionaries, by end."""
    cursor = connection.execute("FROM activity WHERE workload = $1 AND policy = $2 ORDER BY end_s", [workload, policy])
    names = [column[0] for column in cursor.description]
    return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


def metrics(connection, workload, policy):
    """Return the metrics of a run by name and scope."""
    query = "SELECT metric, scope, value FROM measurements WHERE workload = $1 AND policy = $2"
    return {(metric, scope): value for metric, scope, value in connection.execute(query, [workload, policy]).fetchall()}


def test_the_example_adds_up_period_by_period(store):
    # Three processors of four have an owner in a slice of three; job 3 comes at 0, the others with the slice after it.
    rows = activity(store[1], "cascade", "gang")
    assert [row["end_s"] for row in rows] == [0.03, 0.06, 0.09]
    assert [row["whole"] for row in rows] == [False, False, True]
    assert [row["empty_share"] for row in rows] == pytest.approx([1 / 12] * 3)
    assert [row["idle_time_spin_busy"] for row in rows] == pytest.approx([0.01, 0.02, 0.03])
    assert [row["mean_rows"] for row in rows] == pytest.approx([(3 * n + 2 * (9 - n)) / 9 for n in (3, 6, 7)])
    tasks = [(4 * end + 7 * (end - 10)) / end / 4 for end in (30, 60, 90)]
    assert [row["mean_tasks_per_processor"] for row in rows] == pytest.approx(tasks)
    assert all((row["submitted"], row["completed"], row["local_share"]) == (3, 0, 0) for row in rows)


def test_a_local_scheduler_leaves_no_processor_idle(store):
    whole = activity(store[1], "cascade", "rr")[-1]
    assert whole["utilisation_spin_busy"] == 1
    assert whole["utilisation_spin_idle"] == 1 - whole["spin_share"]
    assert whole["idle_time_spin_idle"] == pytest.approx(whole["spin_share"] * 4 * 0.09)
    assert 0 < whole["local_share"] < 0.3


@pytest.mark.parametrize("policy", ["mixed-gang", "mixed-rt", "untraced"])
def test_sums_are_those_of_the_files(store, policy):
    root, connection = store
    folder = root / "runs" / "mixed" / policy
    processors = pl.read_parquet(folder / "processor_activity.parquet")
    jobs = pl.read_parquet(folder / "jobs.parquet")
    for row in activity(connection, "mixed", policy):
        so_far = processors.filter(pl.col("end_us") <= round(row["end_s"] * 1e6))
        all_ns = 4 * row["end_s"] * 1e9
        assert row["blocked_share"] == pytest.approx(so_far["blocked_ns"].sum() / all_ns)
        assert row["disk_utilisation"] == pytest.approx(so_far["disk_ns"].sum() / all_ns)
        shares = [row[f"{name}_share"] for name in ("compute", "message", "spin", "switch", "blocked", "empty")]
        assert sum(shares) == pytest.approx(1)
        ended = jobs.filter(pl.col("finish_us") <= round(row["end_s"] * 1e6))
        assert row["completed"] == ended.height
        assert row["one_task_completed"] == ended.filter(pl.col("size") == 1).height
    whole = metrics(connection, "mixed", policy)
    assert whole["jobs_completed", "all"] + whole["jobs_unfinished", "all"] == 5
    assert whole["utilisation", "all"] == pytest.approx(whole["compute_share", "all"] + whole["message_share", "all"])


def test_a_run_that_ends_before_its_jobs_has_no_makespan_and_no_response_of_them(store):
    _, connection = store
    found = metrics(connection, "mixed", "mixed-gang")
    assert ("makespan", "all") not in found
    assert found["jobs_completed", "application=compute"] == 1
    assert ("jobs_completed", "application=io") not in found
    unfinished = connection.execute("SELECT unfinished FROM runs WHERE policy = 'mixed-gang'").fetchone()
    assert unfinished == (3,)
    waits = connection.execute(
        "SELECT wait_us FROM jobs WHERE policy = 'mixed-gang' AND outcome = 'unfinished'"
    ).fetchall()
    assert waits == [(None,)] * 3
    ran = connection.execute("SELECT count(*) FROM job_times WHERE policy = 'mixed-gang'").fetchone()
    assert ran == (2,)


def test_what_applications_did_is_told_apart(store):
    root, connection = store
    query = """
        SELECT application, sum(jobs), sum(placed), sum(disk_ns), sum(messages), sum(barriers) FROM application_sums
        WHERE policy = 'mixed-rt' GROUP BY application ORDER BY application"""
    found = {name: rest for name, *rest in connection.execute(query).fetchall()}
    done = {
        row["job"]: row
        for row in pl.read_parquet(root / "runs" / "mixed" / "mixed-rt" / "job_activity.parquet").rows(named=True)
    }
    assert found["io"] == [1, 1, done[1]["disk_ns"], 0, 0]
    assert found["messages"] == [2, 2, 0, done[2]["messages"] + done[5]["messages"], 0]
    assert found["supersteps"][-1] == done[3]["barriers"] > 0


def test_units_are_the_replications(store):
    query = "SELECT metric, scope, value FROM independent_measurements WHERE policy = 'mixed-gang' AND unit = 0"
    found = {(metric, scope): value for metric, scope, value in store[1].execute(query).fetchall()}
    assert found == metrics(store[1], "mixed", "mixed-gang")
    assert found["jobs_completed", "application=messages"] == 1


def test_rows_move_up_as_one_is_lost():
    # The first two rows have a job each; the second is lost at 5, and what is then called the second is another.
    placed = [(0, 10, 0), (0, 5, 1), (5, 9, 0), (6, 20, 0), (12, 15, 0), (12, 14, 1)]
    assert list(row_changes(placed)) == [(0, 1), (0, 1), (5, -1), (12, 1), (14, -1), (20, -1)]


def test_a_study_of_concurrent_gang_shows_what_processors_do_and_a_window(store, tmp_path):
    own = {figure.__name__: figure for figure in figures_of(store[1], STUDIES / "inside")}
    for name in ("processor_activities", "slice_window"):
        told = draw_figure(store[1], own[name], tmp_path)
        assert "{" not in told["caption"]
        assert not told.get("absent"), told
    shares = [
        row for row in specification(own["processor_activities"](store[1]))["data"]["values"] if row["policy"] == "rr"
    ]
    assert sum(row["value"] for row in shares) == pytest.approx(100)
    assert (
        "Worked <mixed> under Mixed-rt"
        in words_of(own["slice_window"], own["slice_window"](store[1]).usermeta["caption"])[1]
    )
