"""Tables and metrics of runs in which jobs share processors, against values worked out by hand."""

import json
from pathlib import Path

import duckdb
import polars as pl
import pytest

from reports.build import build_store
from reports.draw.drawing import specification
from reports.figures.general.coscheduling import pairs_by_kind, sharing
from scheduler_core.declarations.families import family
from tests.reports.families import stores
from tests.reports.families.coscheduling import fixture as made
from tests.reports.families.coscheduling.fixture import PAIRS, SECOND, SHARES, Example
from tests.reports.run_folders import study, write_run, write_workload


def write_shared_run(root: Path, workload: str, policy: str, example: Example) -> None:
    """Write an example as a run of a workload."""
    jobs = [(at, run, run, size) for _, at, run, size in sorted(example.jobs, key=lambda job: job[1])]
    write_run(root, workload, policy, [jobs], [[0.0] * len(jobs)])
    stores.write_tables(root / "runs" / workload / policy, made.schedule(example))


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    root = tmp_path_factory.mktemp("coscheduling")
    for workload, policy, example in (("model-pairs", "lomarc", PAIRS), ("model-shares", "scojo", SHARES)):
        jobs = [(at, run, run, size) for _, at, run, size in sorted(example.jobs, key=lambda job: job[1])]
        write_workload(root, workload, [jobs], processors=example.processors)
        write_shared_run(root, workload, policy, example)
    made.behaviour(PAIRS).write_parquet(root / "workloads" / "model-pairs.behaviour.parquet")
    asked = root / "workloads" / "model-pairs.parquet"
    told = pl.read_parquet_metadata(asked)
    pl.read_parquet(asked).with_columns(memory_kb=100 * pl.col("job")).write_parquet(asked, metadata=told)
    alone = [(0, 100, 100, 6), (0, 60, 60, 4)]
    write_workload(root, "model-other", [alone], processors=10)
    write_run(root, "model-other", "easy", [alone], [[0.0, 0.0]])
    pairs = [(at, run, run, size) for _, at, run, size in sorted(PAIRS.jobs, key=lambda job: job[1])]
    write_run(root, "model-pairs", "easy", [pairs], [[0.0, 0.0, 60.0, 140.0, 170.0, 100.0]])
    cells = [("model-pairs", "lomarc"), ("model-pairs", "easy"), ("model-shares", "scojo"), ("model-other", "easy")]
    described = study(cells)
    for policy in ("lomarc", "scojo"):
        described["policies"][policy]["family"] = "coscheduling"
    build_store(root, [json.loads(json.dumps(described))], root / "store.duckdb")
    with duckdb.connect(str(root / "store.duckdb"), read_only=True) as connection:
        yield connection


def metrics(connection, workload, policy):
    query = "SELECT metric, value FROM measurements WHERE workload = $1 AND policy = $2 AND scope = 'all'"
    return dict(connection.execute(query, [workload, policy]).fetchall())


WORK = 6 * 100 + 4 * 60 + 4 * 80 + 10 * 30 + 2 * 20 + 3 * 30


@pytest.mark.parametrize(
    ("metric", "expected"),
    [
        ("makespan", 157),
        # the first six processors to 127 s, the others to 100 s and three of them to 110 s, all of them for the widest job
        ("utilisation", (6 * 127 + 4 * 90 + 3 * 10 + 10 * 30) / 1570),
        ("utilisation_efficiency", WORK / 1570),
        ("shared_share", (4 * 75 + 3 * 30 + 2 * 32) / (6 * 127 + 4 * 90 + 3 * 10 + 10 * 30)),
        ("paired_share", 5 / 6),
        ("slowdown_while_sharing", 2 * (75 + 30 + 32) / (2 * (60 + 20 + 20))),
        ("busy_time", 157),
        ("mean_response_over_elapsed", (1 + 1 + 1 + 137 / 30 + 77 / 32 + 95 / 90) / 6),
        ("mean_relative_response", (127 / 100 + 75 / 60 + 90 / 80 + 137 / 60 + 77 / 60 + 95 / 60) / 6),
        ("pairs", 3),
        ("pairs_with_running_share", 1 / 3),
        ("pairs_by_backfilling_share", 1 / 3),
        ("mean_pair_slowdown", (1.25 + 1.5 + 1.6) / 3),
        ("mean_looked_at", 30),
        ("mean_medium_long", 15),
        ("mean_size_fits", 9),
        ("mean_memory_fits", 7),
        ("mean_types_match", 5),
        ("mean_slowdown_fits", 3),
        ("mean_rank", 1.5),
    ],
)
def test_a_metric_of_pairs(store, metric, expected):
    assert metrics(store, "model-pairs", "lomarc")[metric] == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(
    ("metric", "expected"),
    [
        ("utilisation", 1),
        ("utilisation_efficiency", 65 / 82.5),
        ("shared_share", 62.5 / 82.5),
        ("slowdown_while_sharing", (30 + 30 + 3 * 32.5) / (10 + 10 + 10 + 10 + 5)),
        ("busy_time", 82.5),
        ("mean_response_over_elapsed", (1 + 1 + 52.5 / 32.5) / 3),
        ("reservations", 1),
        ("mean_reserved_delay", 2),
        ("max_reserved_delay", 2),
    ],
)
def test_a_metric_of_shares(store, metric, expected):
    assert metrics(store, "model-shares", "scojo")[metric] == pytest.approx(expected, rel=1e-9)


def test_what_a_run_does_not_do_is_not_measured(store):
    assert not {"pairs", "mean_rank"} & set(metrics(store, "model-shares", "scojo"))
    assert "reservations" not in metrics(store, "model-pairs", "lomarc")


def test_space_sharing_of_the_same_workload_is_measured_alike_and_other_workloads_are_not(store):
    alone = metrics(store, "model-pairs", "easy")
    assert alone["utilisation_efficiency"] == alone["utilisation"] == pytest.approx(WORK / (10 * 200))
    assert alone["mean_response_over_elapsed"] > 1
    assert not {"shared_share", "pairs"} & set(alone)
    assert "utilisation_efficiency" not in metrics(store, "model-other", "easy")


def test_the_tables_are_those_of_the_files(store):
    rows = store.execute("SELECT * EXCLUDE (workload, policy, replication) FROM matches ORDER BY begin_us").fetchall()
    assert rows == [(row[0] * SECOND, *row[1:]) for row in PAIRS.matches]
    offers = store.execute("SELECT job, slot_number, start_us, taken FROM offers ORDER BY slot_number").fetchall()
    assert offers == [(3, 1, 38 * SECOND, "reserved"), (3, 2, 72_500_000, "no")]
    kinds = store.execute("SELECT kinds, pairs, slowdown FROM pair_kinds ORDER BY kinds").fetchall()
    assert kinds == [("cpu + disk", 2, 1.425), ("cpu + network", 1, 1.5)]
    used = store.execute("SELECT job, kind, cpu, network, disk, memory_kb FROM behaviours ORDER BY job").fetchall()
    assert used[1] == (2, "disk", 0.5, 0.25, 0.75, 200)
    sums = store.execute("SELECT jobs, sharing_jobs, busy_us FROM coscheduling_sums WHERE policy = 'lomarc'").fetchall()
    assert sums == [(6, 5, 157 * SECOND)]


def test_replications_are_units_and_more_than_all_work_is_not_cut_off(store):
    query = "SELECT metric, value FROM independent_measurements WHERE workload = 'model-pairs' AND policy = $1 AND scope = 'all'"
    units = dict(store.execute(query, ["lomarc"]).fetchall())
    assert units["utilisation_efficiency"] == pytest.approx(WORK / 1570)
    assert units["utilisation_efficiency"] > 1
    declared = set(family("coscheduling").metrics) & set(metrics(store, "model-pairs", "lomarc"))
    assert {"pairs", "mean_rank", "slowdown_while_sharing"} < set(units) & declared


def test_any_study_may_show_how_much_is_shared_and_who_is_paired(store):
    parts = specification(sharing(store, "tiny"))["data"]["values"]
    shown = {(row["policy"], row["metric"]): row["value"] for row in parts}
    assert shown["lomarc", "paired_share"] == pytest.approx(100 * 5 / 6)
    assert not any(policy == "easy" for policy, _ in shown)
    pairs = specification(pairs_by_kind(store, "tiny"))["data"]["values"]
    assert [(row["kinds"], row["pairs"], row["share"]) for row in pairs] == [
        ("cpu + disk", 2, pytest.approx(200 / 3)), ("cpu + network", 1, pytest.approx(100 / 3)),
    ]  # fmt: skip
