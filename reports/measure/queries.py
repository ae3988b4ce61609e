"""The files of ``sql/``, which measure."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import duckdb

SQL = Path(__file__).parent / "sql"


def run_sql(connection: duckdb.DuckDBPyConnection, name: str) -> None:
    """Run a file of ``sql/``."""
    connection.execute((SQL / f"{name}.sql").read_text(encoding="utf-8"))
