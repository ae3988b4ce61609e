"""Running the SQL that measures, and inserting rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import duckdb

SQL = Path(__file__).parent / "sql"


def run_sql(connection: duckdb.DuckDBPyConnection, query: str | Path, **parameters: Any) -> None:
    """Run a file of ``sql/`` by name, or another file by path; a file with parameters holds one statement."""
    path = query if isinstance(query, Path) else SQL / f"{query}.sql"
    connection.execute(path.read_text(encoding="utf-8"), parameters or None)


def insert(connection: duckdb.DuckDBPyConnection, table: str, rows: Iterable[Sequence[Any]]) -> None:
    """Insert all rows at once and in order, as a list per column that DuckDB unrolls."""
    columns = [list(column) for column in zip(*rows, strict=True)]
    if columns:
        unrolled = ", ".join(f"unnest(${number + 1})" for number in range(len(columns)))
        connection.execute(f"INSERT INTO {table} SELECT {unrolled}", columns)


def insert_by_name(connection: duckdb.DuckDBPyConnection, table: str, rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert all rows at once and in order; every row gives its values by column, and all rows give the same columns."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    if names:
        unrolled = ", ".join(f'unnest(${place}) AS "{name}"' for place, name in enumerate(names, start=1))
        columns = [[row[name] for row in rows] for name in names]
        connection.execute(f"INSERT INTO {table} BY NAME SELECT {unrolled}", columns)


def pairs(names: Iterable[str | list[str]]) -> list[list[str]]:
    """Return a list of pairs [A, B], as the macro ``against`` takes them; a single name stands for the same twice."""
    return [[name, name] if isinstance(name, str) else name for name in names]
