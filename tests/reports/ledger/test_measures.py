"""Measures: a single SELECT that only reads the store, its columns, parameters and complaints."""

import re

import duckdb
import pytest

from reports.ledger.measures import check_parameters, gather, parameters_of, query, read_measures, restrict, run
from reports.ledger.prepare import try_measures
from scheduler_core.common.errors import StudyError


def measure(sql):
    return {"path": "measures/m.sql", "sql": sql}


@pytest.fixture
def connection():
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE jobs (job INTEGER)")
        connection.execute("INSERT INTO jobs VALUES (1), (2)")
        restrict(connection)
        yield connection


UNITS = "SELECT 'a' AS label, 1 AS unit, 2.0 AS value"


@pytest.mark.parametrize(
    ("sql", "message"),
    [
        ("SELECT 'a' AS label, 1 AS value; DROP TABLE jobs", "a measure is a single SELECT; found SELECT, DROP"),
        ("DROP TABLE jobs", "a measure is a single SELECT; found DROP"),
        ("DELETE FROM jobs", "a measure is a single SELECT; found DELETE"),
        ("COPY jobs TO '{file}'", "a measure is a single SELECT; found COPY"),
        ("ATTACH '{file}'", "a measure is a single SELECT; found ATTACH"),
        ("SET threads = 1", "a measure is a single SELECT; found SET"),
        ("PRAGMA enable_profiling", "a measure is a single SELECT; found PRAGMA"),
        ("INSTALL httpfs", "a measure is a single SELECT; found LOAD"),
        ("LOAD httpfs", "a measure is a single SELECT; found LOAD"),
        ("-- nothing", "a measure is a single SELECT; found nothing"),
        ("SELECT content AS label, 1 AS value FROM read_text('{file}')", "file system operations are disabled"),
        ("SELECT * FROM read_csv('{file}')", "file system operations are disabled"),
        ("SELECT * FROM '{file}'", "file system operations are disabled"),
        ("SELECT file AS label, 1 AS value FROM glob('/*')", "file system operations are disabled"),
        ("SELECT * FROM query('DROP TABLE jobs')", "Expected a single SELECT statement"),
        ("SELECT * FROM connection", "Table with name connection does not exist"),
    ],
)
def test_sql_that_does_more_than_read_the_store_is_refused(connection, tmp_path, sql, message):
    file = tmp_path / "secret.csv"
    file.write_text("a,b\n1,2\n")
    with pytest.raises(StudyError, match=f"here: measures/m.sql: .*{re.escape(message)}"):
        run(connection, "here", measure(sql.replace("{file}", str(file))), {})
    assert connection.execute("SELECT count(*) FROM jobs").fetchone() == (2,)
    assert [path.name for path in tmp_path.iterdir()] == ["secret.csv"]


def test_what_is_shut_stays_shut(connection):
    with pytest.raises(duckdb.Error, match="Cannot enable external access while database is running"):
        connection.execute("SET enable_external_access = true")


def test_an_error_names_the_line(connection):
    with pytest.raises(StudyError, match=r"claim 'c': measures/m\.sql: line 4: .*\"nothing\" not found"):
        run(connection, "claim 'c'", measure("-- Head.\n--\nSELECT 'a' AS label,\n nothing\nFROM jobs"), {})


@pytest.mark.parametrize(
    ("sql", "message"),
    [
        (
            "SELECT 1 AS value",
            "expected the columns label, value; or label, unit, value; or label, unit, value, versus",
        ),
        ("SELECT 'a' AS label, 1 AS value, 2 AS low", "found label, value, low"),
        ("SELECT 'a' AS label, 'much' AS value", "must be numbers or NULL; found 'much'"),
        ("SELECT 'a' AS label, unnest([1, 2]) AS value", "label 'a' has 2 exact values; give each a label of its own"),
    ],
)
def test_other_columns_and_values_are_refused(connection, sql, message):
    with pytest.raises(StudyError, match=re.escape(message)):
        run(connection, "here", measure(sql), {})


def test_rows_are_gathered_by_label(connection):
    sql = """
        SELECT * FROM (VALUES ('b', 'w/1', 4, 2, 15.5), ('b', 'w/0', 3, 1, 15.5), ('a', 'w/0', NULL, 1, 7))
        AS t (label, unit, value, versus, printed)
    """
    empty, full = run(connection, "here", measure(sql), {})
    assert (full.label, full.values, full.versus, full.printed, full.units) == ("b", (3, 4), (1, 2), 15.5, 2)
    assert full.value == pytest.approx(7 / 3)
    assert (empty.label, empty.value) == ("a", None)


def test_rows_are_sorted_by_label_unless_the_query_orders_them(connection):
    sql = "SELECT label, 1 AS value FROM (VALUES ('b'), ('a'), ('c')) AS t (label)"
    within = sql.replace("1 AS value", "rank() OVER (ORDER BY label) AS value") + " -- order by nothing"
    for text, order in ((sql, "abc"), (f"{sql} ORDER BY label DESC", "cba"), (within, "abc")):
        assert [row.label for row in run(connection, "here", measure(text), {})] == list(order)


def test_parameters_may_be_lists(connection):
    sql = "-- $never\nSELECT $what AS label, job AS unit, job AS value FROM jobs WHERE job IN (SELECT unnest($jobs))"
    assert parameters_of(sql) == {"what", "jobs"}
    (row,) = run(connection, "here", measure(sql), {"what": "x", "jobs": [2, 3]})
    assert (row.label, row.values) == ("x", (2,))


def test_a_missing_parameter_is_named():
    with pytest.raises(StudyError, match=r"here: with: the parameter 'jobs' of measures/m\.sql is missing"):
        check_parameters("here", measure("SELECT $jobs"), {})
    with pytest.raises(StudyError, match=r"here: with: measures/m\.sql has no parameter 'job'; did you mean 'jobs'\?"):
        check_parameters("here", measure("SELECT $jobs"), {"jobs": 1, "job": 1})


def test_the_order_in_which_a_sum_was_added_does_not_show():
    sums = [0.1 + 0.2 + 0.3, 0.3 + 0.2 + 0.1]
    assert sums[0] != sums[1]
    one, other = (gather(["label", "unit", "value"], [("a", 1, value)], ordered=False) for value in sums)
    assert one == other


def test_no_row_is_invented_for_no_label():
    assert gather(["label", "value"], [], ordered=False) == []


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr("reports.ledger.measures.SHARED", tmp_path / "measures")
    for name in ("s/measures", "measures"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "measures" / "both.sql").write_text(f"-- Of all studies.\n{UNITS}")
    (tmp_path / "s" / "measures" / "own.sql").write_text(f"-- Of one.\n{UNITS}")
    return tmp_path


def test_a_measure_is_the_studys_own_or_one_that_studies_share(folder):
    found = read_measures(folder / "s" / "study.yaml", {"x": {"measure": "both"}, "y": {"measure": "own"}})
    assert found["both"]["path"] == str(folder / "measures" / "both.sql")
    (folder / "s" / "measures" / "both.sql").write_text(f"-- Its own.\n{UNITS}")
    found = read_measures(folder / "s" / "study.yaml", {"x": {"measure": "both"}})
    assert found["both"]["path"] == str(folder / "s" / "measures" / "both.sql")


def test_a_measure_that_is_not_there_or_says_nothing_is_named(folder):
    with pytest.raises(StudyError, match=r"claim 'c': there is no measure 'owm' in .*; did you mean 'own'\?"):
        read_measures(folder / "s" / "study.yaml", {"claim 'c'": {"measure": "owm"}})
    (folder / "measures" / "mute.sql").write_text(UNITS)
    with pytest.raises(StudyError, match=r"mute\.sql: line 1: a measure begins with a comment"):
        read_measures(folder / "s" / "study.yaml", {"x": {"measure": "mute"}})


def described(sql, expect):
    claim = {"id": "c", "measure": "m", "expect": expect}
    return [{"study": "s", "claims": [claim], "page": {}, "measures": {"m": measure(sql)}}]


@pytest.mark.parametrize(
    ("sql", "expect", "message"),
    [
        ("SELECT 'a' AS label, no_column AS value FROM measurements", {"all": {"is": 1}}, "line 1: Binder Error"),
        (
            UNITS,
            {"all": {"is": 1, "tolerance": 0}},
            "'is' judges exact values (label, value); found label, unit, value",
        ),
        ("SELECT 'a' AS label, 1 AS value", {"any": {"above": 1}}, "'above' judges a value per unit"),
        (UNITS, {"all": {"prints": "each"}}, "'prints: each' needs the column printed"),
    ],
)
def test_measures_are_tried_on_an_empty_store(sql, expect, message):
    with pytest.raises(StudyError, match=f"study 's': claim 'c': measures/m.sql: .*{re.escape(message)}"):
        try_measures(described(sql, expect))


def test_measures_that_fit_pass():
    try_measures(described("SELECT label, unit, value FROM measurements JOIN workloads USING (workload)", {"sides": 1}))


def test_the_columns_are_known_without_rows(connection):
    assert query(connection, "here", measure("SELECT 'a' AS label, job AS value FROM jobs WHERE job > 5"), {}) == (
        ["label", "value"],
        [],
    )
