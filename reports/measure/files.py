"""Files that the pipeline left on disk, and the tables of the store that repeat those of runs."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import duckdb

from reports.measure.family_measures import Cell
from scheduler_core.common.errors import StudyError
from scheduler_core.common.files import read_json
from scheduler_core.declarations.families import family

RUN = "split_part(filename, '/', -3) AS workload, split_part(filename, '/', -2) AS policy, replication"
"""The run of a row, from the folders of its file."""


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


def files_of(root: Path, cells: Sequence[Cell], table: str) -> list[str]:
    """Return the files of a table of runs; raise :class:`StudyError` when one is missing."""
    return [require(root / "runs" / workload / policy / f"{table}.parquet").as_posix() for workload, policy in cells]


def files_by_name(root: Path, cell: Cell, *tables: str) -> dict[str, str]:
    """Return the files of some tables of a run by the tables' names, as parameters of a query."""
    return {table: path for table in tables for path in files_of(root, [cell], table)}


def load_tables(
    connection: duckdb.DuckDBPyConnection, root: Path, cells: Sequence[Cell], family_name: str, *tables: str
) -> None:
    """Fill tables of the store with those of runs; without names, all that the family declares.

    The store's columns come in the order in which the family declares them, after workload, policy and replication.
    """
    declared = family(family_name).tables
    for table in tables or declared:
        columns = ", ".join(f'"{name}"' for name in declared[table].columns)
        connection.execute(
            f"INSERT INTO {table} SELECT {RUN}, {columns} FROM read_parquet($files, filename = true)",
            {"files": files_of(root, cells, table)},
        )
