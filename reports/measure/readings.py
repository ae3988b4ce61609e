"""Readings in the store: each has a schema that maps the ids of a study to the cells of that reading.

The SQL of a claim therefore runs unchanged under every reading. It names ``pect`` on ``seed-71``; under the reading ``easy``
it finds ``pect-easy`` on ``seed-71-draws-2``, with the labels of the study. Cells that a reading did not run are absent. Under
the headline the ids are their own cells. Cells of other readings and studies are hidden.

The database lists its tables and views, so a new table needs no change here.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING, Any

from reports.measure.queries import insert

if TYPE_CHECKING:
    import duckdb

SAID_BY_SOURCES = ("printed_values",)
"""Tables with columns ``workload`` and ``policy`` that do not describe runs: they hold ids of studies, which no reading maps."""

ASKED_MOST = ("measurements",)
"""Tables that nearly every claim reads several times. Each reading has a copy, which halves the time of judging."""

WORDS_OF_STUDIES = ("label", "variant", "variant_of", "colour", "position")
"""Columns of workloads and policies that hold a study's words, not facts."""


def make_readings(connection: duckdb.DuckDBPyConnection, studies: list[dict[str, Any]]) -> None:
    """Make the schema of every reading of every study; a study that lists no readings has the headline alone."""
    tables = measured_tables(connection)
    views = [sql for (sql,) in connection.execute(VIEWS).fetchall()]
    for study in studies:
        for position, reading in enumerate(readings_of(study)):
            record_reading(connection, study["study"], reading, position)
            make_schema(connection, study["study"], reading, tables, views)


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
            "draws": None,
            "workloads": {name: name for name in study["workloads"]},
            "policies": {name: name for name in study["policies"]},
            "cells": [[*cell, *cell] for cell in study["cells"]],
        }
    ]


def under_headline(connection: duckdb.DuckDBPyConnection, study: str) -> AbstractContextManager[None]:
    """Let SQL see the headline cells of a study alone; without readings in the store, everything."""
    row = connection.execute("SELECT reading FROM readings WHERE headline AND study = $1", [study]).fetchone()
    return under(connection, study, row[0]) if row else nullcontext()


def schema_of(study: str, reading: str) -> str:
    """Name the schema of a reading."""
    return f"reading_{study}_{reading}"


@contextmanager
def under(connection: duckdb.DuckDBPyConnection, study: str, reading: str) -> Iterator[None]:
    """Let SQL find the tables and views of a reading by their plain names while the block runs."""
    connection.execute(f"""SET search_path = '"{schema_of(study, reading)}",main'""")
    try:
        yield
    finally:
        connection.execute("SET search_path = 'main'")


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
    words = (reading["label"], reading["follows"], choices, reading["headline"], position, reading["draws"])
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
) -> None:
    """Make the schema of a reading: a view or copy of each table, and the views of the store over these."""
    schema = schema_of(study, reading["reading"])
    connection.execute(f'CREATE SCHEMA "{schema}"')
    for table, columns in tables.items():
        if reading["headline"]:
            sql = seen_as_it_is(reading, table, columns)
        else:
            sql = seen_under(study, reading["reading"], table, columns)
        kind = "TABLE" if table in ASKED_MOST else "VIEW"
        connection.execute(f'CREATE {kind} "{schema}".{table} AS {sql}')
    with under(connection, study, reading["reading"]):
        for sql in views:
            connection.execute(sql)


def seen_as_it_is(reading: dict[str, Any], table: str, columns: list[str]) -> str:
    """Return the SQL of a table under the headline: the rows of its workloads and policies."""
    known = {"workload": reading["workloads"], "policy": reading["policies"]}
    wanted = [
        f"{prefix}{name} IN ({', '.join(repr(str(id_)) for id_ in ids) or 'NULL'})"
        for prefix in ("", "versus_")
        for name, ids in known.items()
        if f"{prefix}{name}" in columns
    ]
    return f"SELECT * FROM main.{table} WHERE {' AND '.join(wanted)}"


def seen_under(study: str, reading: str, table: str, columns: list[str]) -> str:
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
        joins.append(f"JOIN main.{known} AS {stands} ON {' AND '.join(on)}")
        replaced += [f"{stands}.{name} AS {prefix}{name}" for name in ids]
        if "label" in columns and len(ids) == 1:
            joins.append(f"JOIN main.{table} AS own ON own.{ids[0]} = {stands}.{ids[0]}")
            replaced += [f"own.{name} AS {name}" for name in WORDS_OF_STUDIES if name in columns]
    return f"SELECT t.* REPLACE ({', '.join(replaced)}) FROM main.{table} AS t {' '.join(joins)}"
