"""Metrics of runs in which slots take turns, against values worked out by hand."""

import json
from pathlib import Path

import duckdb
import polars as pl
import pytest

from reports.build import build_store
from scheduler_core.contracts import ALLOCATIONS_COLUMNS, Flexibility, JobClass
from scheduler_core.gang.family import LEVELS_COLUMNS, TURN_COLUMNS
from tests.reports.run_folders import SECOND, study, write_run, write_workload

JOBS = [(0, 20, 20, 2), (2, 30, 30, 4)]
"""Two jobs for four processors; the first runs on all four in slot 0, the second in slot 1 from second 10 on."""

ROUND = {
    "allocations": [
        # job, begin, end, processors, slot, rate, work, turn, overhead: the first job is stalled for a second
        (1, 0, 10, 4, 0, 16 / 13, 160 / 13, 10, 0),
        (1, 10, 24, 2, 0, 1.0, 6, 7, 1),
        (2, 10, 24, 4, 1, 1.0, 7, 7, 0),
        (2, 24, 47, 4, 1, 1.0, 23, 23, 0),
    ],
    "levels": [(0, 10, 1, 1.0), (10, 24, 2, 0.5), (24, 47, 1, 1.0)],
}
COUNTERS = {
    "busy_us": 174 * SECOND,
    "idle_us": 14 * SECOND,
    "resizing_us": 4 * SECOND,
    "resizings": 1,
    "resized_processors": 2,
    "low_us": 10 * SECOND,
    "normal_us": 30 * SECOND,
    "high_us": 7 * SECOND,
}


def write_shared_run(root: Path, workload: str, policy: str, flexible: bool = True) -> None:
    """Write the round as a run: jobs start when they first have a turn and finish when their last one ends."""
    write_run(root, workload, policy, [JOBS], [[0.0, 10.0]])
    folder = root / "runs" / workload / policy
    number = pl.lit(0, dtype=pl.Int16).alias("replication")
    jobs = pl.read_parquet(folder / "jobs.parquet")
    jobs = jobs.with_columns(finish_us=pl.Series([24 * SECOND, 47 * SECOND]))
    if flexible:
        classes, kinds = (
            pl.Series(["short", "long"], dtype=JobClass),
            pl.Series(["malleable", "rigid"], dtype=Flexibility),
        )
        jobs = jobs.with_columns(classes.alias("class"), kinds.alias("flexibility"))
    jobs.write_parquet(folder / "jobs.parquet")
    rows = [
        (
            job,
            begin * SECOND,
            end * SECOND,
            processors,
            None,
            0,
            slot,
            rate,
            round(work * SECOND),
            turn * SECOND,
            stall * SECOND,
        )
        for job, begin, end, processors, slot, rate, work, turn, stall in ROUND["allocations"]
    ]
    held = pl.DataFrame(rows, schema=ALLOCATIONS_COLUMNS | TURN_COLUMNS, orient="row")
    held.select(number, pl.all()).write_parquet(folder / "allocations.parquet")
    rows = [(0, begin * SECOND, end * SECOND, level, share) for begin, end, level, share in ROUND["levels"]]
    levels = pl.DataFrame(rows, schema=LEVELS_COLUMNS, orient="row")
    levels.select(number, pl.all()).write_parquet(folder / "levels.parquet")
    note = json.loads((folder / "run.json").read_text())
    note["replications"][0]["counters"] = COUNTERS
    (folder / "run.json").write_text(json.dumps(note))


def shared_study(**parameters) -> dict:
    described = study([("model", "gang"), ("model", "plain"), ("model", "fcfs")], versus="fcfs")
    for policy in ("gang", "plain"):
        described["policies"][policy]["family"] = "gang"
    described["policies"]["gang"]["parameters"] = parameters
    return described


def build(root: Path, **parameters) -> duckdb.DuckDBPyConnection:
    write_workload(root, "model", [JOBS])
    write_shared_run(root, "model", "gang")
    write_shared_run(root, "model", "plain", flexible=False)
    write_run(root, "model", "fcfs", [JOBS], [[0.0, 20.0]])
    build_store(root, [shared_study(**parameters)], root / "store.duckdb")
    return duckdb.connect(str(root / "store.duckdb"), read_only=True)


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    with build(tmp_path_factory.mktemp("shared"), switch_cost=0.1, switch_slows=False) as connection:
        yield connection


def metrics(connection, policy="gang", scope="all"):
    query = "SELECT metric, value FROM measurements WHERE policy = $1 AND scope = $2"
    return dict(connection.execute(query, [policy, scope]).fetchall())


BUSY = 4 * 10 + 2 * 7 + 4 * 7 + 4 * 23
TWO_SLOTS = 2 * 7 + 4 * 7
CAPACITY = 4 * 47
SPEEDUP = 0.65 * (2 * (160 / 13 + 6) + 4 * 30)


@pytest.mark.parametrize(
    ("metric", "expected"),
    [
        ("makespan", 47),
        ("makespan_from_first_start", 47),
        ("utilisation", BUSY / CAPACITY),
        ("effective_utilisation", (BUSY - 0.1 * TWO_SLOTS - 4) / CAPACITY),
        ("job_efficiency", SPEEDUP / (BUSY - 2)),
        ("mean_job_efficiency", (0.65 * 2 * (160 / 13 + 6) / (4 * 10 + 2 * 6) + 0.65) / 2),
        ("fragmentation", 14 / 188),
        ("accounted_capacity", 1),
        ("mean_level", (10 + 2 * 14 + 23) / 47),
        ("resizings", 1),
        ("resized_processors", 2),
        ("low_share", 10 / 47),
        ("normal_share", 30 / 47),
        ("high_share", 7 / 47),
        ("mean_response", (24 + 45) / 2),
        ("mean_relative_response", (24 / 60 + 45 / 60) / 2),
        ("mean_bounded_slowdown_60", 1),
    ],
)
def test_metric_of_a_round_of_two_slots(shared, metric, expected):
    assert metrics(shared)[metric] == pytest.approx(expected, rel=1e-6)


def test_slots_that_slow_the_jobs_pay_for_switching_once(tmp_path):
    with build(tmp_path, switch_cost=0.1, switch_slows=True) as connection:
        assert metrics(connection)["effective_utilisation"] == pytest.approx((BUSY - 4) / CAPACITY)


def test_space_shared_runs_keep_their_utilisation_and_have_no_slots(shared):
    assert metrics(shared, "fcfs")["utilisation"] == pytest.approx((2 * 20 + 4 * 30) / (4 * 50))
    assert not set(metrics(shared, "fcfs")) & {"effective_utilisation", "mean_level", "fragmentation", "job_efficiency"}
    assert {"steady_utilisation", "loss_of_capacity"} <= set(metrics(shared, "fcfs"))


def test_what_starts_and_finishes_cannot_tell_of_slots_is_left_out(shared):
    assert not {"steady_utilisation", "loss_of_capacity"} & set(metrics(shared))
    series = shared.execute(
        "SELECT policy, count(*), count(utilisation), count(queued_jobs) FROM series GROUP BY policy ORDER BY policy"
    ).fetchall()
    assert series == [("fcfs", 1, 1, 1), ("gang", 1, 0, 1), ("plain", 1, 0, 1)]


def test_efficiency_needs_jobs_that_state_their_flexibility(shared):
    assert not {"job_efficiency", "mean_job_efficiency"} & set(metrics(shared, "plain"))
    assert metrics(shared, "plain")["utilisation"] == metrics(shared)["utilisation"]


def test_stated_classes_are_scopes_and_units_of_their_own(shared):
    assert metrics(shared, scope="class=short")["mean_response"] == 24
    assert metrics(shared, scope="flexibility=rigid")["mean_relative_response"] == pytest.approx(45 / 60)
    assert metrics(shared, scope="class=long")["jobs"] == 1
    assert metrics(shared, "plain", "class=short") == {}
    rows = shared.execute(
        "SELECT metric, scope, value, unit FROM intervals WHERE policy = 'gang' AND starts_with(scope, 'class=')"
    ).fetchall()
    assert ("mean_response", "class=short", 24, "s") in rows
    assert {scope for _, scope, _, _ in rows} == {"class=short", "class=long"}


def test_response_over_elapsed_time_counts_the_turns_of_other_slots_and_bounds_short_times(tmp_path):
    write_workload(tmp_path, "model", [JOBS])
    write_shared_run(tmp_path, "model", "gang")
    file = tmp_path / "runs" / "model" / "gang" / "jobs.parquet"
    pl.read_parquet(file).with_columns(finish_us=pl.Series([40 * SECOND, 130 * SECOND])).write_parquet(file)
    described = study([("model", "gang")])
    described["policies"]["gang"]["family"] = "gang"
    build_store(tmp_path, [described], tmp_path / "store.duckdb")
    with duckdb.connect(str(tmp_path / "store.duckdb"), read_only=True) as connection:
        name = "mean_response_over_elapsed_60"
        assert metrics(connection, scope="class=short")[name] == pytest.approx(40 / 60)
        assert metrics(connection, scope="flexibility=rigid")[name] == pytest.approx((130 - 2) / (130 - 10))
        assert metrics(connection)[name] == pytest.approx((40 / 60 + 128 / 120) / 2)


def test_ratios_compare_policies_unit_by_unit(tmp_path):
    write_workload(tmp_path, "model", [JOBS])
    described = study([("model", "gang"), ("model", "gang_mpl1"), ("model", "fcfs")], versus="fcfs")
    for policy, level in (("gang", 2), ("gang_mpl1", 1)):
        write_shared_run(tmp_path, "model", policy)
        described["policies"][policy] |= {"family": "gang", "parameters": {"level": level}}
    write_run(tmp_path, "model", "fcfs", [JOBS], [[0.0, 20.0]])
    build_store(tmp_path, [described], tmp_path / "store.duckdb")
    with duckdb.connect(str(tmp_path / "store.duckdb"), read_only=True) as connection:
        pairs = connection.execute(
            "SELECT policy, versus_policy, ratio FROM run_ratios WHERE metric = 'makespan' AND replication = 0"
        ).fetchall()
    assert len(pairs) == 6
    assert ("gang", "fcfs", 47 / 50) in pairs
