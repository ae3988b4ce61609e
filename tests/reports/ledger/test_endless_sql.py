"""SQL without end, of too many rows or too much memory ends in an error that names the query and the limit."""

import duckdb
import pytest

from reports.draw import drawing
from reports.ledger import measures, prepare
from reports.measure import bounds
from scheduler_core.common.errors import StudyError

ENDLESS = {
    "recursion": "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT 'a' AS label, sum(i) AS value FROM n",
    "cross join": "SELECT 'a' AS label, sum(a.range * b.range * c.range) AS value FROM range(1000000) a, range(1000000) b, "
    "range(1000000) c",
    "rows": "SELECT range::VARCHAR AS label, 1 AS value FROM range(10000000)",
    "repeat": "SELECT 'a' AS label, length(string_agg(repeat('x', 1000000), '')) AS value FROM range(100000)",
    "sort": "WITH t AS (SELECT range AS i, repeat('x', 1000) AS t FROM range(10000000)) "
    "SELECT 'a' AS label, i AS value FROM t ORDER BY t, i",
}


@pytest.mark.parametrize("name", ENDLESS)
def test_a_query_without_end_is_stopped(name):
    with duckdb.connect() as connection:
        bounds.limit_memory(connection)
        measures.restrict(connection)
        measure = {"path": "measures/endless.sql", "sql": f"-- Endless.\n{ENDLESS[name]}"}
        with pytest.raises(StudyError, match=r"claim 'c': measures/endless\.sql: .*(2 s|rows|memory)"):
            measures.query(connection, "claim 'c'", measure, {}, seconds=2)
        assert connection.execute("SELECT 1").fetchone() == (1,), "the connection is usable afterwards"


def test_what_cannot_be_interrupted_ends_with_its_process_while_planning():
    sql = "-- Fills the memory.\nSELECT 'a' AS label, length(repeat(repeat('x', 1000000), 4000)) + i AS value FROM range(9) t(i)"
    study = {
        "study": "s",
        "measures": {"m": {"path": "measures/m.sql", "sql": sql}},
        "page": {},
        "claims": [{"id": "c", "measure": "m"}],
    }
    with pytest.raises(StudyError, match=r"study 's': claim 'c': measures/m\.sql"):
        prepare.try_measures([study])


def test_a_figure_that_takes_too_much_memory_ends_in_an_error_that_names_it(tmp_path, monkeypatch):
    duckdb.connect(str(tmp_path / "slotwise.duckdb")).close()
    monkeypatch.setattr(drawing, "STORE_MEMORY", 100_000_000)

    def greedy(connection):
        """Draw far too much."""
        return connection.execute("SELECT length(string_agg(repeat('x', 1000000), '')) FROM range(1000)").fetchall()

    with drawing.open_store(tmp_path) as connection, pytest.raises(StudyError, match=r"greedy: .*memory"):
        drawing.draw_figure(connection, greedy, tmp_path)
