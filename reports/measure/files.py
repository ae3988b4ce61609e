"""Files that the pipeline left on disk."""

from pathlib import Path
from typing import Any

from scheduler_core.common.errors import StudyError
from scheduler_core.common.files import read_json


def read_note(path: Path) -> Any:
    """Return the content of a JSON file of the pipeline; raise :class:`StudyError` when it is missing."""
    require(path)
    return read_json(path)


def require(path: Path) -> Path:
    """Return ``path`` if the file exists; raise :class:`StudyError` otherwise."""
    if not path.is_file():
        raise StudyError(f"{path} is missing; it is made by the run of the pipeline (`snakemake {path}`)")
    return path


def columns_of(path: Path) -> set[str]:
    """Return the names of the columns of a parquet file."""
    from polars import read_parquet_schema

    return set(read_parquet_schema(path))


def replication_in(path: Path) -> str:
    """Return the SQL of the replication of a row of a parquet file: 0 where the file holds one replication."""
    return "replication" if "replication" in columns_of(path) else "0"
