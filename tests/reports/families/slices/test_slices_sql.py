"""Tables and metrics of runs whose machine belongs to one class of jobs at a time, against values worked out by hand."""

import json
from pathlib import Path

import duckdb
import polars as pl
import pytest

from reports.build import build_store
from reports.pages.tables import leading_of
from scheduler_core.contracts import ALLOCATIONS_COLUMNS
from scheduler_core.declarations.families import family
from scheduler_core.slices.family import TABLES
from tests.reports.run_folders import SECOND, study, write_run, write_workload

JOBS = [
    # submission, run time, estimate, size: a short, a long narrow and a medium wide job, and a late short one
    (0, 300, 300, 4),
    (0, 12_000, 12_000, 1),
    (1000, 1200, 1200, 8),
    (20_000, 60, 60, 2),
]
HELD = [
    # job, begin, end, processors: the long job is suspended for 2000 s, the medium one for 700 s
    (1, 100, 400, 4),
    (2, 400, 5400, 1),
    (2, 7400, 14_400, 1),
    (3, 2000, 2500, 8),
    (3, 3200, 3900, 8),
    (4, 21_540, 21_600, 2),
]
FINISH = [400, 14_400, 3900, 21_600]
RESPONSE = [400, 14_400, 2900, 1600]
SLOWDOWN = [1, 14_400 / 12_000, 2900 / 1200, 1600 / 600]
GROUPS = [
    # class, formed, ended, jobs, long-wide, orders, nodes, pruned, pruned leaves, placements, heuristic, chosen
    (1, "medium", 10, 90, 12, 4, 10_000, 27_000, 700, 900, 99, 40.0, 30.0),
    (2, "long", 20, 80, 6, 0, 720, 1956, 44, 56, 99, 10.0, 10.0),
]


def table(name: str, rows: list[tuple]) -> pl.DataFrame:
    frame = pl.DataFrame(rows, schema=TABLES[name].columns, orient="row")
    return frame.select(pl.lit(0, dtype=pl.Int16).alias("replication"), pl.all())


def write_sliced_run(root: Path, workload: str, policy: str, groups: bool = True) -> None:
    """Write the run above; ``groups``: with two groups, the first of which improves once."""
    write_run(root, workload, policy, [JOBS], [[100, 400, 2000, 21_540]])
    folder = root / "runs" / workload / policy
    jobs = pl.read_parquet(folder / "jobs.parquet")
    jobs = jobs.with_columns(finish_us=pl.Series([SECOND * at for at in FINISH]), preemptions=pl.Series([0, 1, 1, 0]))
    jobs.with_columns(pl.col("preemptions").cast(pl.Int32)).write_parquet(folder / "jobs.parquet")
    rows = [
        (job, begin * SECOND, end * SECOND, processors, None, 0, 0, 1.0, (end - begin) * SECOND)
        for job, begin, end, processors in HELD
    ]
    held = pl.DataFrame(rows, schema=ALLOCATIONS_COLUMNS, orient="row")
    held.select(pl.lit(0, dtype=pl.Int16).alias("replication"), pl.all()).write_parquet(folder / "allocations.parquet")
    formed = [(0, n, kind, a * SECOND, b * SECOND, *rest) for n, kind, a, b, *rest in GROUPS] if groups else []
    steps = [(0, 1, 0, 1, 40.0), (0, 1, 0, 77, 30.0), (0, 2, 0, 1, 10.0)] if groups else []
    parts = {
        "slices": [(0, 0, 900 * SECOND, "medium", 60 * SECOND), (0, 900 * SECOND, 3600 * SECOND, "long", 60 * SECOND)],
        "promises": [(3, 0, 1000 * SECOND, 0, 200 * SECOND, 9000 * SECOND)],
        "groups": formed,
        "members": [(0, 1, 1, 3)] if groups else [],
        "improvements": steps,
    }
    for name, content in parts.items():
        table(name, content).write_parquet(folder / f"{name}.parquet")


def write_space_run(root: Path, workload: str, policy: str) -> None:
    """Write the jobs on a machine that no job shares in time, each started at its submission."""
    write_run(root, workload, policy, [JOBS], [[job[0] for job in JOBS]])
    rows = [
        (n + 1, SECOND * at, SECOND * (at + run), size, None, 0, 0, 1.0, SECOND * run)
        for n, (at, run, _, size) in enumerate(JOBS)
    ]
    held = pl.DataFrame(rows, schema=ALLOCATIONS_COLUMNS, orient="row")
    path = root / "runs" / workload / policy / "allocations.parquet"
    held.select(pl.lit(0, dtype=pl.Int16).alias("replication"), pl.all()).write_parquet(path)


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    root = tmp_path_factory.mktemp("slices")
    for workload in ("model", "log"):
        write_workload(root, workload, [JOBS], processors=10)
        write_sliced_run(root, workload, "grouped")
        write_sliced_run(root, workload, "alone", groups=False)
        write_sliced_run(root, workload, "base", groups=False)
        write_space_run(root, workload, "easy")
    write_workload(root, "model-other", [JOBS], processors=10)
    write_space_run(root, "model-other", "easy")
    note = root / "runs" / "model" / "grouped" / "timing.json"
    note.write_text(json.dumps({"replications": [{"kernel_s": 2.0, "wall_s": 3.0, "optimiser_s": 1.5}]}))
    cells = [(w, p) for w in ("model", "log") for p in ("grouped", "alone", "base", "easy")]
    described = study([*cells, ("model-other", "easy")], versus="base")
    for policy, name in {"grouped": "pect_o", "alone": "pect_o", "base": "pect"}.items():
        measures = ["groups"] if name == "pect_o" else []
        described["policies"][policy] |= {"name": name, "family": "slices", "measures": measures}
    build_store(root, [described], root / "store.duckdb")
    with duckdb.connect(str(root / "store.duckdb"), read_only=True) as connection:
        yield connection


def metrics(connection, policy="grouped", scope="all", workload="model"):
    query = """
        SELECT metric, value FROM measurements
        WHERE unit_kind = 'replication' AND workload = $1 AND policy = $2 AND scope = $3"""
    return dict(connection.execute(query, [workload, policy, scope]).fetchall())


def units(connection, policy="grouped", workload="model"):
    query = "SELECT metric, scope, value FROM independent_measurements WHERE workload = $1 AND policy = $2 AND unit = 0"
    return {(metric, scope): value for metric, scope, value in connection.execute(query, [workload, policy]).fetchall()}


def test_the_five_tables_are_those_of_the_files(store):
    assert store.execute("SELECT count(*) FROM slices").fetchone() == (12,)
    rows = store.execute("FROM groups WHERE workload = 'model' ORDER BY group_number").fetchall()
    first = (1, "medium", 10 * SECOND, 90 * SECOND, *GROUPS[0][4:])
    assert rows[0] == ("model", "grouped", 0, 0, *first)
    assert len(rows) == 2
    assert store.execute("FROM members WHERE workload = 'log'").fetchall() == [("log", "grouped", 0, 0, 1, 1, 3)]
    steps = store.execute("SELECT group_number, orders, slowdown FROM improvements WHERE workload = 'log' ORDER BY ALL")
    assert steps.fetchall() == [(1, 1, 40.0), (1, 77, 30.0), (2, 1, 10.0)]
    promise = store.execute("SELECT * FROM promises WHERE workload = 'model' AND policy = 'base'").fetchall()
    assert promise == [("model", "base", 0, 3, 0, 1000 * SECOND, 0, 200 * SECOND, 9000 * SECOND)]
    timed = store.execute("SELECT policy, optimiser_s FROM runs WHERE workload = 'model' ORDER BY policy").fetchall()
    assert timed == [("alone", None), ("base", None), ("easy", None), ("grouped", 1.5)]


@pytest.mark.parametrize(
    ("scope", "metric", "expected"),
    [
        ("all", "mean_wait", (100 + 2400 + 1700 + 1540) / 4),
        ("all", "mean_bounded_slowdown_600", sum(SLOWDOWN) / 4),
        ("all", "mean_whole_slowdown_600", (1 + 2 + 3 + 3) / 4),
        ("all", "mean_response", sum(RESPONSE) / 4),
        ("short", "mean_wait", (100 + 1540) / 2),
        ("short", "mean_response", (400 + 1600) / 2),
        ("short narrow", "mean_response", None),
        ("short medium", "mean_response", 1000),
        ("long narrow", "mean_wait", 2400),
        ("medium wide", "mean_bounded_slowdown_600", 2900 / 1200),
        ("medium", "max_bounded_slowdown_600", 2900 / 1200),
        ("short", "max_bounded_slowdown_600", 1600 / 600),
        ("short", "p99_bounded_slowdown_600", 1 + 0.99 * (1600 / 600 - 1)),
        ("all", "utilisation", (4 * 300 + 12_000 + 8 * 1200 + 2 * 60) / (10 * 21_600)),
        # submissions at 0, 0, 1000 and 20000 s: the core is all of the time to 20000 s
        ("all", "core_utilisation", (4 * 300 + 12_000 + 8 * 1200) / (10 * 20_000)),
    ],
)
def test_metric_of_a_run(store, scope, metric, expected):
    found = metrics(store, scope=scope).get(metric)
    assert found is None if expected is None else found == pytest.approx(expected, rel=1e-9)


def test_the_groups_of_a_run(store):
    found = metrics(store)
    assert (found["groups"], found["groups_medium"], found["groups_long"]) == (2, 1, 1)
    assert found["grouped_share"] == 18 / 2
    assert (found["mean_group_size"], found["mean_group_size_medium"], found["mean_group_size_long"]) == (9, 12, 6)
    assert found["tree_nodes"] == 28_956
    assert found["tree_nodes_per_group"] == 28_956 / 2
    assert found["pruned_share"] == pytest.approx(744 / 28_956)
    assert found["pruned_with_leaves_share"] == pytest.approx(1700 / 28_956)
    assert found["first_level_share"] == 0.5
    assert found["search_gain"] == pytest.approx(10 / 50)


def test_a_run_without_groups_has_none_and_one_that_forms_none_is_not_asked(store):
    alone = metrics(store, "alone")
    assert (alone["groups"], alone["grouped_share"], alone["tree_nodes"]) == (0, 0, 0)
    assert not {"mean_group_size", "pruned_share", "tree_nodes_per_group", "search_gain"} & set(alone)
    assert not {"groups", "grouped_share", "tree_nodes"} & set(metrics(store, "base"))


def test_space_sharing_of_the_same_workload_is_measured_alike_and_other_workloads_are_not(store):
    easy = metrics(store, "easy")
    assert easy["mean_wait"] == 0
    assert "mean_time_to_start" not in easy
    assert metrics(store, "grouped")["mean_time_to_start"] < metrics(store, "grouped")["mean_wait"]
    assert easy["core_utilisation"] == pytest.approx((4 * 300 + 12_000 + 8 * 1200) / (10 * 20_000))
    assert metrics(store, "easy", "long")["mean_response"] == 12_000
    other = metrics(store, "easy", workload="model-other")
    assert not {"core_utilisation", "mean_whole_slowdown_600"} & set(other)


def test_units_have_scopes_and_batches_have_means_only(store):
    own = units(store)
    assert own["mean_bounded_slowdown_600", "long narrow"] == pytest.approx(1.2)
    assert own["mean_response", "medium"] == 2900
    assert own["mean_wait", "long"] == 2400
    assert own["mean_wait", "all"] == pytest.approx(5740 / 4)
    assert own["max_bounded_slowdown_600", "medium"] == pytest.approx(2900 / 1200)
    assert own["groups", "all"] == 2
    batch = units(store, workload="log")
    assert batch["mean_response", "short"] == 400
    assert not {("groups", "all"), ("core_utilisation", "all"), ("max_bounded_slowdown_600", "medium")} & set(batch)
    named = store.execute("SELECT unit FROM intervals WHERE metric = 'mean_wait' AND scope = 'long' LIMIT 1").fetchone()
    assert named == ("s",)


def test_tables_lead_with_measures_that_know_of_suspensions(store):
    store.execute(
        "CREATE OR REPLACE TEMP TABLE shown AS "
        "SELECT unnest(['space_sharing', 'slices']) AS family, 0 AS position, '' AS workload, '' AS policy"
    )
    assert leading_of(store) == family("slices").leading


def test_what_the_workload_is_made_of(store):
    rows = store.execute("SELECT * EXCLUDE (workload) FROM characteristics WHERE workload = 'model' ORDER BY class")
    work = 4 * 300 + 12_000 + 8 * 1200 + 2 * 60
    gap = 20_000 / 3
    assert rows.fetchall() == [
        (0, "long", 1, 0.25, pytest.approx(12_000 / work), 1, pytest.approx(gap), 0),
        (0, "medium", 1, 0.25, pytest.approx(9600 / work), 8, pytest.approx(gap), 0),
        (0, "short", 2, 0.5, pytest.approx(1320 / work), 3, pytest.approx(gap), 0),
    ]


def test_runs_are_compared_by_every_metric_and_scope(store):
    query = """
        SELECT ratio FROM run_ratios
        WHERE workload = 'model' AND metric = 'mean_response' AND scope = $1 AND policy = 'grouped' AND versus_policy = 'easy'
    """
    assert store.execute(query, ["all"]).fetchall() == [(pytest.approx(sum(RESPONSE) / (300 + 12_000 + 1200 + 60)),)]
    assert store.execute(query, ["long narrow"]).fetchall() == [(1.2,)]
