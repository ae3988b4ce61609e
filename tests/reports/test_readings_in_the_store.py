"""Readings in the store: one text of SQL, answered from the headline's cells and from those of another reading."""

from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from reports.measure.readings import schema_of, under, under_headline
from reports.pages.tables import workload_pages
from tests.reports.small_study import make_written
from tests.workflow.test_readings import STUDY
from traces.drawn.text import FILE

Rows = list[tuple[object, ...]]


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The results of a study with readings: cells of their own on fewer draws, and on other jobs."""
    root = tmp_path_factory.mktemp("readings")
    make_written(root, STUDY)
    return root


@pytest.fixture(scope="module")
def store(root: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """Its store."""
    with duckdb.connect(str(root / "store.duckdb"), read_only=True) as connection:
        yield connection


def asked(store: duckdb.DuckDBPyConnection, reading: str, sql: str) -> Rows:
    """Answer SQL under a reading."""
    with under(store, "tiny", reading):
        return store.execute(sql).fetchall()


WAITS = """
    SELECT unit, value FROM measurements
    WHERE unit_kind = 'replication' AND metric = 'mean_wait' AND scope = 'all' AND workload = {} AND policy = {} ORDER BY ALL
"""


def waits(store: duckdb.DuckDBPyConnection, workload: str, policy: str, reading: str = "") -> Rows:
    """Return the mean wait of each draw, of a cell or under a reading."""
    sql = WAITS.format(f"'{workload}'", f"'{policy}'")
    return asked(store, reading, sql) if reading else store.execute(sql).fetchall()


def test_the_same_sql_finds_what_the_cells_of_a_reading_did(store: duckdb.DuckDBPyConnection) -> None:
    assert waits(store, "one", "easy", "listed") == waits(store, "one", "easy")
    assert waits(store, "one", "easy", "together") == waits(store, "one-draws-2", "easy-together")
    assert waits(store, "two", "easy", "others") == waits(store, "other", "easy")
    assert len(waits(store, "one", "easy", "together")) == 2
    assert len(waits(store, "two", "easy", "others")) == 3


def test_what_a_reading_does_not_change_is_the_headlines_and_what_it_did_not_run_absent(
    store: duckdb.DuckDBPyConnection,
) -> None:
    assert waits(store, "one", "sjf", "together") == waits(store, "one", "sjf")
    assert waits(store, "two", "easy", "together") == []
    assert waits(store, "two", "conservative", "others") == []


def test_cells_of_other_readings_are_out_of_sight(store: duckdb.DuckDBPyConnection) -> None:
    for reading in ("listed", "together", "others"):
        assert asked(store, reading, "SELECT DISTINCT workload FROM workloads ORDER BY ALL") == [("one",), ("two",)]
        cells = set(asked(store, reading, "SELECT DISTINCT workload, policy FROM runs"))
        assert cells <= {(w, p) for w in ("one", "two") for p in ("sjf", "easy", "conservative", "easy-5")}


def test_words_are_those_of_the_study_and_facts_those_of_the_reading(store: duckdb.DuckDBPyConnection) -> None:
    easy = "SELECT label, parameters ->> 'ending_now' FROM policies WHERE policy = 'easy'"
    assert asked(store, "listed", easy) == [("EASY", "occupied")]
    assert asked(store, "together", easy) == [("EASY", "free")]
    two = "SELECT label, replications FROM workloads WHERE workload = 'two'"
    assert asked(store, "listed", two) == [("two", 4)]
    assert asked(store, "others", two) == [("two", 3)]


def test_views_of_the_store_are_over_the_reading(store: duckdb.DuckDBPyConnection) -> None:
    path = "SELECT current_setting('search_path')"
    before = store.execute(path).fetchall()
    ratios = """
        SELECT replication, ratio FROM run_ratios
        WHERE metric = 'mean_wait' AND scope = 'all' AND workload = 'one' AND policy = 'easy' AND versus_policy = 'sjf'
        ORDER BY ALL
    """
    mine, theirs = waits(store, "one-draws-2", "easy-together"), waits(store, "one", "sjf")
    expected = [(draw, value / versus) for (draw, value), (_, versus) in zip(mine, theirs, strict=False)]
    assert asked(store, "together", ratios) == expected
    jobs = "SELECT count(*), avg(wait_s) FROM job_times WHERE workload = 'two' AND policy = 'easy'"
    (own,) = store.execute(jobs.replace("'two'", "'other'")).fetchall()
    assert asked(store, "others", jobs) == [own]
    names = "SELECT table_name FROM duckdb_columns() WHERE schema_name = '{}' AND column_name IN ('workload', 'policy')"
    missing = set(store.execute(names.format("main")).fetchall()) - set(
        store.execute(names.format(schema_of("tiny", "together"))).fetchall()
    )
    assert missing == {
        ("cells",),
        ("printed_values",),
        ("reading_cells",),
        ("reading_workloads",),
        ("reading_policies",),
    }
    assert store.execute(path).fetchall() == before


def test_figures_and_pages_show_the_headline_alone(root: Path, store: duckdb.DuckDBPyConnection) -> None:
    drawn = "".join(path.read_text() for path in (root / "figures").glob("*.csv"))
    assert "EASY" in drawn
    assert "Let go" not in drawn
    assert "first 2 draws" not in drawn
    assert "other" not in drawn
    (page,) = workload_pages(store)
    assert page["members"] == 2
    assert store.execute("FROM stand_ins ORDER BY ALL").fetchall() == [("one-draws-2",), ("other",)]


def test_the_store_says_what_the_readings_are(store: duckdb.DuckDBPyConnection) -> None:
    assert store.execute("SELECT * EXCLUDE (study, follows) FROM readings ORDER BY position").fetchall() == [
        ("listed", "As listed", '{"Jobs that end": "hold on", "Jobs": "the first"}', True, False, 0, None),
        ("together", "Let go", '{"Jobs that end": "let go", "Jobs": "the first"}', False, False, 1, 2),
        ("others", "Other jobs", '{"Jobs that end": "hold on", "Jobs": "others"}', False, False, 2, None),
    ]


def test_the_drawn_log_is_shown_in_figures_and_counts_for_no_claim(tmp_path: Path) -> None:
    fitted = {"model": "jann", "jobs": 9, "fit": str(FILE)}
    others = {"drawn": {"log": "drawn", "first": 50}, "fitted": fitted, "path": {"log": str(FILE), "first": 50}}
    workloads = {"one": STUDY["workloads"]["one"], **others}
    readings = {"listed": STUDY["readings"]["listed"]}
    make_written(tmp_path, {**STUDY, "workloads": workloads, "readings": readings}, log=FILE)
    query = "SELECT DISTINCT workload FROM measurements ORDER BY ALL"
    with duckdb.connect(str(tmp_path / "store.duckdb"), read_only=True) as connection:
        assert connection.execute("SELECT workload FROM workloads WHERE drawn").fetchall() == [
            (name,) for name in others
        ]
        assert asked(connection, "listed", query) == [("one",)]
        with under_headline(connection, "tiny"):
            assert connection.execute(query).fetchall() == [(name,) for name in sorted(workloads)]
