"""The files of ``sql/``, which measure."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import duckdb

SQL = Path(__file__).parent / "sql"


def run_sql(connection: duckdb.DuckDBPyConnection, name: str, **parameters: Any) -> None:
    """Run a file of ``sql/``; with parameters, one that holds a single statement."""
    connection.execute((SQL / f"{name}.sql").read_text(encoding="utf-8"), parameters or None)
