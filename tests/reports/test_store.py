"""Loading, and the store as a whole."""

import itertools
import re
import sys
from pathlib import Path
from types import ModuleType

import duckdb
import numpy as np
import pytest

from reports.build import build_store, fill
from reports.ledger.claims import judge_studies
from reports.measure.documentation import documentation
from reports.measure.family_measures import measuring_of
from reports.measure.queries import SQL
from scheduler_core.common.errors import ContractError, StudyError
from tests.paths import PROJECT
from tests.reports.run_folders import THREE, study, write_run, write_three, write_workload

README = (SQL / "README.md").read_text(encoding="utf-8")
GUIDE = PROJECT / "docs" / "guides" / "store.md"
QUERIES = [
    pytest.param(query, id=str(number))
    for number, query in enumerate(re.findall(r"```sql\n(.*?)```", GUIDE.read_text(encoding="utf-8"), flags=re.DOTALL))
]
"""The queries that people read first, in the guide to the store."""


def build(root: Path, *studies) -> duckdb.DuckDBPyConnection:
    build_store(root, list(studies), root / "store.duckdb")
    return duckdb.connect(str(root / "store.duckdb"), read_only=True)


def generated(root: Path, workload: str, policies: list[str], replications: int, jobs: int, seed: int) -> None:
    """Write a workload of random jobs that each wait a random time."""
    rng = np.random.default_rng(seed)
    drawn, starts = [], []
    for _ in range(replications):
        submit = np.sort(rng.uniform(0, 100 * jobs, jobs))
        run = rng.lognormal(5, 2, jobs) + 1
        drawn.append([(s, r, 2 * r, int(n)) for s, r, n in zip(submit, run, rng.integers(1, 5, jobs), strict=True)])
    write_workload(root, workload, drawn)
    for policy in policies:
        starts = [
            [job[0] + wait for job, wait in zip(jobs_, rng.exponential(900, jobs), strict=True)] for jobs_ in drawn
        ]
        write_run(root, workload, policy, drawn, starts)


def test_tables_repeat_what_the_files_say(tmp_path):
    connection = build(tmp_path, write_three(tmp_path))
    assert connection.execute("FROM studies").fetchall() == [("tiny", "Tiny", "What?", "easy", None, [], "{}", 0)]
    assert connection.execute("FROM cells").fetchall() == [
        ("tiny", "model", "easy", 0),
        ("tiny", "model", "fair_start", 1),
    ]
    row = connection.execute("SELECT * EXCLUDE (offered_load, provenance) FROM workloads").fetchone()
    assert row == ("model", "model", "model", "replication", "lublin", "tiny", 4, 1, 3, 0.5, None, None, False, False)
    assert connection.execute("SELECT offered_load FROM workloads").fetchone() == (410 / 80,)
    run = connection.execute("SELECT * EXCLUDE (counters) FROM runs WHERE policy = 'easy'").fetchone()
    assert run == ("model", "easy", 0, 3, 3, 0, 0, 0, "w", "s", 0.5, 1.0, None)
    assert connection.execute("SELECT parameters FROM policies WHERE policy = 'easy'").fetchone() == ('{"x": 1}',)
    assert connection.execute("SELECT count(*), sum(violations) FROM certificates").fetchone() == (2, 0)
    times = connection.execute(
        "SELECT wait_s, run_s, slowdown FROM job_times WHERE policy = 'easy' ORDER BY job"
    ).fetchall()
    assert times == [(0, 100, 1), (90, 50, 2.8), (80, 10, 9)]
    assert connection.execute("SELECT count(*) FROM accounting").fetchone() == (0,)


def test_only_shown_cells_are_listed_but_all_are_loaded(tmp_path):
    connection = build(tmp_path, write_three(tmp_path) | {"shown": [("model", "easy")]})
    assert connection.execute("SELECT policy FROM cells").fetchall() == [("easy",)]
    assert connection.execute("SELECT DISTINCT policy FROM jobs ORDER BY 1").fetchall() == [("easy",), ("fair_start",)]


def test_accounting_of_a_log_adds_up_by_rule(tmp_path):
    write_workload(tmp_path, "log", [THREE])
    write_run(tmp_path, "log", "easy", [THREE], [[0, 100, 100]])
    connection = build(tmp_path, study([("log", "easy")]))
    rows = connection.execute("SELECT fate, rule, lines FROM accounting").fetchall()
    assert rows == [("comment", "", 2), ("kept", "", 3), ("repaired", "estimate_raised", 1)]


def test_logs_are_cut_into_twenty_batches_of_equal_size_and_models_are_not(tmp_path):
    generated(tmp_path, "log", ["easy", "fcfs"], 1, 107, 1)
    generated(tmp_path, "model", ["easy"], 2, 30, 2)
    connection = build(tmp_path, study([("log", "easy"), ("log", "fcfs"), ("model", "easy")]))
    batches = connection.execute(
        "SELECT batch, count(*), min(job), max(job) FROM jobs WHERE workload = 'log' AND policy = 'fcfs' GROUP BY ALL ORDER BY 1"
    ).fetchall()
    assert [row[0] for row in batches] == list(range(20))
    assert {row[1] for row in batches} == {5, 6}
    assert all(later[2] == earlier[3] + 1 for earlier, later in itertools.pairwise(batches))
    assert connection.execute("SELECT DISTINCT batch FROM jobs WHERE workload = 'model'").fetchall() == [(0,)]
    units = connection.execute(
        "SELECT workload, count(DISTINCT unit) FROM independent_measurements WHERE metric = 'mean_wait' GROUP BY 1 ORDER BY 1"
    ).fetchall()
    assert units == [("log", 20), ("model", 2)]


def test_batches_start_anew_in_each_replication_of_a_log(tmp_path):
    generated(tmp_path, "log", ["easy"], 2, 40, 3)
    connection = build(tmp_path, study([("log", "easy")]))
    assert connection.execute("SELECT DISTINCT batch FROM jobs WHERE job = 1").fetchall() == [(0,)]
    assert connection.execute("SELECT DISTINCT batch FROM jobs WHERE job = 40").fetchall() == [(19,)]


def test_unit_means_agree_with_the_jobs(tmp_path):
    generated(tmp_path, "log", ["easy"], 1, 60, 4)
    connection = build(tmp_path, study([("log", "easy")]))
    stored = connection.execute(
        "SELECT metric, unit, value FROM independent_measurements "
        "WHERE metric IN ('mean_wait', 'p95_wait', 'mean_slowdown') AND scope = 'all'"
    ).fetchall()
    fresh = {}
    for name, expression in (
        ("mean_wait", "avg(wait_s)"), ("p95_wait", "quantile_cont(wait_s, 0.95)"), ("mean_slowdown", "avg(slowdown)")
    ):  # fmt: skip
        rows = connection.execute(f"SELECT batch, {expression} FROM job_times GROUP BY 1").fetchall()
        fresh |= {(name, unit): value for unit, value in rows}
    assert {(m, u): v for m, u, v in stored} == pytest.approx(fresh, rel=1e-6)


@pytest.mark.parametrize("workload", ["log", "model"])  # a model may be fitted to a log that is missing
def test_a_missing_log_gives_no_metrics_and_no_warning(workload, tmp_path, recwarn):
    write_workload(tmp_path, workload, [[]])
    write_run(tmp_path, workload, "easy", [[]], [[]])
    connection = build(tmp_path, study([(workload, "easy")]))
    assert connection.execute("SELECT missing, jobs, offered_load FROM workloads").fetchone() == (True, 0, None)
    for table in ("measurements", "intervals", "comparisons", "series"):
        assert connection.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,), table
    assert not recwarn.list


def test_an_absent_file_is_named_and_nothing_is_left_behind(tmp_path):
    described = write_three(tmp_path)
    (tmp_path / "runs/model/easy/timing.json").unlink()
    with pytest.raises(StudyError, match=r"timing\.json is missing"):
        build_store(tmp_path, [described], tmp_path / "out" / "store.duckdb")
    assert list((tmp_path / "out").iterdir()) == []


def test_two_studies_must_mean_the_same_by_an_id(tmp_path):
    described = write_three(tmp_path)
    policies = {**described["policies"], "easy": {**described["policies"]["easy"], "parameters": {"x": 2}}}
    other = {**described, "study": "other", "policies": policies}
    with pytest.raises(StudyError, match=r"'other': policies\.easy is not what an earlier study calls 'easy'"):
        build_store(tmp_path, [described, other], tmp_path / "store.duckdb")
    connection = build(tmp_path, described, {**described, "study": "other"})
    assert connection.execute("SELECT count(*) FROM cells").fetchone() == (4,)
    assert connection.execute("SELECT count(*) FROM jobs").fetchone() == (6,)


def contents(root: Path, described: dict, threads: int) -> dict[str, list]:
    with duckdb.connect() as connection:
        connection.execute(f"SET threads = {threads}")
        fill(connection, root, [described])
        judge_studies(connection, [described]).record(connection)
        tables = [
            r[0] for r in connection.execute("SELECT table_name FROM duckdb_tables() WHERE NOT temporary").fetchall()
        ]
        return {table: connection.execute(f"FROM {table}").fetchall() for table in tables}


def test_content_and_order_do_not_depend_on_the_number_of_threads(tmp_path):
    generated(tmp_path, "log", ["easy", "fcfs", "fair_start"], 1, 4000, 5)
    generated(tmp_path, "model", ["easy", "fcfs"], 3, 2000, 6)
    cells = [("log", p) for p in ("easy", "fcfs", "fair_start")] + [("model", p) for p in ("easy", "fcfs")]
    alone, together = (contents(tmp_path, study(cells), threads) for threads in (1, 4))
    assert alone["comparisons"]
    assert alone == together


def test_the_readme_is_in_step_with_the_declarations():
    assert documentation() == README, "run `python -m reports.measure.documentation`"


def test_the_readme_names_every_table_and_column(tmp_path):
    connection = build(tmp_path, write_three(tmp_path))
    columns = connection.execute("SELECT table_name, column_name FROM duckdb_columns() WHERE NOT internal").fetchall()
    sections = {part.split("`", 1)[0]: part for part in README.split("### `")[1:]}
    macros = connection.execute("SELECT function_name FROM duckdb_functions() WHERE NOT internal").fetchall()
    assert set(sections) == {table for table, _ in columns} | {name for (name,) in macros}
    absent = [(table, column) for table, column in columns if f"`{column}`" not in sections[table]]
    assert not absent
    known = {column for _, column in columns}
    for table, text in sections.items():
        listed = re.findall(r"^\| `([^|]*?)` \|", text.split("\n## ")[0], flags=re.MULTILINE)
        names = {name for row in listed for name in row.replace("`", "").split(", ")}
        assert names <= known, table


@pytest.mark.parametrize("query", QUERIES)
def test_the_readmes_queries_give_rows(tmp_path, query):
    generated(tmp_path, "log", ["easy", "fcfs"], 1, 200, 7)
    generated(tmp_path, "model", ["easy", "fcfs"], 3, 50, 8)
    cells = [(w, p) for w in ("log", "model") for p in ("easy", "fcfs")]
    connection = build(tmp_path, study(cells, study="baseline"))
    assert connection.execute(query).fetchall()


def test_a_familys_measures_must_be_a_measuring(monkeypatch):
    assert measuring_of("space_sharing") is None
    monkeypatch.setitem(sys.modules, "reports.families.space_sharing.measures", ModuleType("measures_of_nothing"))
    with pytest.raises(ContractError, match="family space_sharing: measures_of_nothing defines no MEASURING"):
        measuring_of("space_sharing")
