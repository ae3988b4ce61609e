"""The files of a family's runs, as its measures read them."""

from collections.abc import Sequence
from pathlib import Path

import duckdb

from reports.measure.family_measures import Cell
from reports.measure.files import require
from scheduler_core.declarations.families import family

RUN = "split_part(filename, '/', -3) AS workload, split_part(filename, '/', -2) AS policy, replication"
"""The run of a row, from the folders of its file."""


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
