"""Readings in the store: each has a schema that maps the ids of a study to the cells of that reading.

The SQL of a claim therefore runs unchanged under every reading. It names ``pect`` on ``seed-71``; under the reading ``easy``
it finds ``pect-easy`` on ``seed-71-draws-2``, with the labels of the study. Cells that a reading did not run are absent.
Under the headline the ids are their own cells. A reading may also measure a metric by another: its rows then have the
other's values. Cells of other readings and studies are hidden, and so are workloads without jobs or of the drawn log: no
verdict rests on a missing log, or on one that slotwise drew, whatever a measure counts.

The database lists its tables and views, so a new table needs no change here.
"""

import json
from collections.abc import Collection, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

import duckdb

from reports.measure.queries import insert

SAID_BY_SOURCES = ("printed_values",)
"""Tables with columns ``workload`` and ``policy`` that do not describe runs: they hold ids of studies, which no reading maps."""

ASKED_MOST = ("measurements", "policies", "workloads")
"""Tables that nearly every claim reads several times. Each reading has a copy, which halves the time of judging."""

WORDS_OF_STUDIES = ("label", "variant", "variant_of", "colour", "position")
"""Columns of workloads and policies that hold a study's words, not facts."""


def make_readings(connection: duckdb.DuckDBPyConnection, studies: list[dict[str, Any]]) -> None:
    """Make the schema of every reading of every study; a study that lists no readings has the headline alone."""
    tables = measured_tables(connection)
    views = [sql for (sql,) in connection.execute(VIEWS).fetchall()]
    empty, drawn = (
        {name for (name,) in connection.execute(f"SELECT workload FROM workloads WHERE {which}").fetchall()}
        for which in ("jobs = 0", "drawn")
    )
    for study in studies:
        for position, reading in enumerate(readings_of(study)):
            record_reading(connection, study["study"], reading, position)
            make_schema(connection, study["study"], reading, tables, views, empty | drawn)
            if reading["headline"] and drawn & set(reading["workloads"]):
                make_schema(connection, study["study"], {**reading, "reading": WITH_DRAWN}, tables, views, empty)


WITH_DRAWN = "with drawn"
"""The schema that figures of a study see: the headline, and the log that slotwise drew beside the others."""

VIEWS = """
SELECT sql FROM duckdb_views() WHERE schema_name = 'main' AND NOT internal AND NOT temporary ORDER BY view_oid
"""


def readings_of(study: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the readings of a described study, the headline first."""
    return study.get("readings") or [
        {
            "reading": "headline",
            "label": "Headline",
            "follows": "",
            "choices": {},
            "headline": True,
            "second_headline": False,
            "draws": None,
            "workloads": {name: name for name in study["workloads"]},
            "policies": {name: name for name in study["policies"]},
            "cells": [[*cell, *cell] for cell in study["cells"]],
        }
    ]


def under_headline(connection: duckdb.DuckDBPyConnection, study: str) -> AbstractContextManager[None]:
    """Let the SQL of figures see the headline cells of a study alone; without readings in the store, everything."""
    with_drawn = schema_of(study, WITH_DRAWN)
    if connection.execute("SELECT 1 FROM duckdb_schemas() WHERE schema_name = $1", [with_drawn]).fetchone():
        return under(connection, study, WITH_DRAWN)
    row = connection.execute("SELECT reading FROM readings WHERE headline AND study = $1", [study]).fetchone()
    return under(connection, study, row[0]) if row else nullcontext()


def schema_of(study: str, reading: str) -> str:
    """Name the schema of a reading."""
    return f"reading_{study}_{reading}"


@contextmanager
def under(connection: duckdb.DuckDBPyConnection, study: str, reading: str) -> Iterator[None]:
    """Let SQL find the tables and views of a reading by their plain names while the block runs."""
    (before,) = connection.execute("SELECT current_setting('search_path')").fetchone() or ("main",)
    connection.execute(f"""SET search_path = '"{schema_of(study, reading)}",main'""")
    try:
        yield
    finally:
        connection.execute(f"SET search_path = '{before}'")


def headlines(connection: duckdb.DuckDBPyConnection, study: str) -> list[tuple[str, str]]:
    """Return id and label of the headline of a study and of its second headlines."""
    return connection.execute(
        "SELECT reading, label FROM readings WHERE study = $1 AND (headline OR second_headline) ORDER BY NOT headline, position",
        [study],
    ).fetchall()


def measured_tables(connection: duckdb.DuckDBPyConnection) -> dict[str, list[str]]:
    """Return the tables that describe workloads, policies or cells, with their columns."""
    found = connection.execute(
        """
        SELECT table_name, list(column_name ORDER BY column_index)
        FROM duckdb_columns() JOIN duckdb_tables() USING (database_name, schema_name, table_name)
        WHERE schema_name = 'main' AND NOT temporary
        GROUP BY table_name
        HAVING count_if(column_name IN ('workload', 'policy')) > 0 AND count_if(column_name = 'study') = 0
        ORDER BY table_name
        """
    ).fetchall()
    return {name: columns for name, columns in found if name not in SAID_BY_SOURCES}


def record_reading(connection: duckdb.DuckDBPyConnection, study: str, reading: dict[str, Any], position: int) -> None:
    """Record a reading and the cells, workloads and policies that it maps."""
    where = (study, reading["reading"])
    choices = json.dumps(reading["choices"], ensure_ascii=False)
    shown = (reading["headline"], reading["second_headline"])
    words = (reading["label"], reading["follows"], choices, *shown, position, reading["draws"])
    insert(connection, "readings", [(*where, *words)])
    insert(connection, "reading_cells", [(*where, *cell) for cell in reading["cells"]])
    insert(connection, "reading_workloads", [(*where, *pair) for pair in reading["workloads"].items()])
    insert(connection, "reading_policies", [(*where, *pair) for pair in reading["policies"].items()])


def make_schema(
    connection: duckdb.DuckDBPyConnection,
    study: str,
    reading: dict[str, Any],
    tables: dict[str, list[str]],
    views: list[str],
    hidden: Collection[str],
) -> None:
    """Make the schema of a reading: a view or copy of each table, and the store's views over these.

    ``hidden`` workloads have no jobs, or are of the log that slotwise drew.
    """
    schema = schema_of(study, reading["reading"])
    connection.execute(f'CREATE SCHEMA "{schema}"')
    for table, columns in tables.items():
        if reading["headline"]:
            sql = seen_as_it_is(reading, table, columns, hidden)
        else:
            sql = seen_under(study, reading["reading"], table, columns, hidden)
            sql = measured_as(reading.get("metrics") or {}, sql) if table == "measurements" else sql
        kind = "TABLE" if table in ASKED_MOST else "VIEW"
        connection.execute(f'CREATE {kind} "{schema}".{table} AS {sql}')
    with under(connection, study, reading["reading"]):
        for sql in views:
            connection.execute(sql)


def seen_as_it_is(reading: dict[str, Any], table: str, columns: list[str], hidden: Collection[str]) -> str:
    """Return the SQL of a table under the headline: the rows of its workloads and policies."""
    known = {"workload": [id_ for id_ in reading["workloads"] if id_ not in hidden], "policy": reading["policies"]}
    wanted = [
        f"{prefix}{name} IN ({', '.join(repr(str(id_)) for id_ in ids) or 'NULL'})"
        for prefix in ("", "versus_")
        for name, ids in known.items()
        if f"{prefix}{name}" in columns
    ]
    return f"SELECT * FROM main.{table} WHERE {' AND '.join(wanted)}"


def seen_under(study: str, reading: str, table: str, columns: list[str], hidden: Collection[str]) -> str:
    """Return the SQL of a table under another reading: the rows of its cells, under the ids of the study."""
    joins, replaced = [], []
    for prefix in ("", "versus_"):
        ids = [name for name in ("workload", "policy") if f"{prefix}{name}" in columns]
        if not ids:
            continue
        stands = f"{prefix}stands"
        known = (
            "reading_cells"
            if len(ids) == 2
            else {"workload": "reading_workloads", "policy": "reading_policies"}[ids[0]]
        )
        on = [f"{stands}.study = '{study}'", f"{stands}.reading = '{reading}'"]
        on += [f"{stands}.cell_{name} = t.{prefix}{name}" for name in ids]
        if hidden and "workload" in ids:
            on.append(f"{stands}.cell_workload NOT IN ({', '.join(map(repr, sorted(hidden)))})")
        joins.append(f"JOIN main.{known} AS {stands} ON {' AND '.join(on)}")
        replaced += [f"{stands}.{name} AS {prefix}{name}" for name in ids]
        if "label" in columns and len(ids) == 1:
            joins.append(f"JOIN main.{table} AS own ON own.{ids[0]} = {stands}.{ids[0]}")
            replaced += [f"own.{name} AS {name}" for name in WORDS_OF_STUDIES if name in columns]
    return f"SELECT t.* REPLACE ({', '.join(replaced)}) FROM main.{table} AS t {' '.join(joins)}"


def measured_as(metrics: dict[str, str], measurements: str) -> str:
    """Return the SQL of measurements in which metrics (by name) have the values of others."""
    if not metrics:
        return measurements
    kept = f"SELECT * FROM seen WHERE metric NOT IN ({', '.join(map(repr, metrics))})"
    exchanged = [
        f"SELECT * REPLACE ('{name}' AS metric) FROM seen WHERE metric = '{other}'" for name, other in metrics.items()
    ]
    return f"WITH seen AS ({measurements}) {' UNION ALL '.join([kept, *exchanged])}"
