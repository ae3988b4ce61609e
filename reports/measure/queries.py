"""SQL that measures, in files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import duckdb

SQL = Path(__file__).parent / "sql"


def run_sql(connection: duckdb.DuckDBPyConnection, query: str | Path, **parameters: Any) -> None:
    """Run a file of ``sql/`` by its name, or another by its path; a file with parameters holds a single statement."""
    path = query if isinstance(query, Path) else SQL / f"{query}.sql"
    connection.execute(path.read_text(encoding="utf-8"), parameters or None)
