"""Filling the store: workloads, runs, measurements, intervals and comparisons; claims are judged afterwards.

``sql/schema.sql`` makes the tables and ``sql/README.md`` explains them. :mod:`reports.measure.loading` loads files, the queries
in ``sql/`` measure runs of any family, :mod:`reports.measure.family_measures` finds what one family measures, and
:mod:`reports.measure.stats` computes intervals and comparisons.

The content depends on the inputs alone, not on the number of cores (``sql/job_sums.sql``).
"""

from pathlib import Path
from typing import Any

import duckdb

from reports.measure.catalogue import load_catalogue
from reports.measure.family_measures import FAMILIES, all_measuring
from reports.measure.loading import cells_by_family, load, merged_cells
from reports.measure.loss_of_capacity import record_loss_of_capacity
from reports.measure.printed import load_printed_values
from reports.measure.queries import SQL, run_sql
from reports.measure.stats import record_statistics

PART = 5_000_000
"""Jobs, under all policies together, whose quantiles are computed at a time: some hundred megabytes."""

METRICS = ("job_sums", "means", "utilisation", "fairness", "series")
"""Files of ``sql/`` that measure runs of any family, in the order in which they build on one another."""


def measure(connection: duckdb.DuckDBPyConnection, root: Path, studies: list[dict[str, Any]]) -> None:
    """Load the files under ``root`` and fill measurements, intervals and comparisons.

    Families with runs add their own measurements.
    """
    make_tables(connection)
    load(connection, root, studies)
    load_printed_values(connection, studies)
    cells = merged_cells(studies)
    by_family = cells_by_family(connection, cells)
    present = {name: own for name, own in all_measuring().items() if name in by_family}
    for name, own in present.items():
        own.load(connection, root, by_family[name], cells)
    for workloads in parts(connection):
        run_sql(connection, "tails", workloads=workloads)
    for metric in METRICS:
        run_sql(connection, metric)
    for name in present:
        run_sql(connection, FAMILIES / name / "metrics.sql")
    record_loss_of_capacity(connection)
    for own in present.values():
        if own.record is not None:
            own.record(connection, root)
    record_statistics(connection, studies)


def parts(connection: duckdb.DuckDBPyConnection) -> list[list[str]]:
    """Return the workloads in parts of at most :data:`PART` jobs under all their policies; a larger workload is a part alone."""
    found: list[list[str]] = []
    filled = 0
    for workload, jobs in connection.execute(
        "SELECT workload, sum(jobs) FROM runs GROUP BY workload ORDER BY ALL"
    ).fetchall():
        if not found or filled + jobs > PART:
            found.append([])
            filled = 0
        found[-1].append(workload)
        filled += jobs
    return found


def make_tables(connection: duckdb.DuckDBPyConnection) -> None:
    """Make the tables of the store, empty but for the catalogue of metrics, and the views and macros that read them."""
    for path in table_files():
        run_sql(connection, path)
    load_catalogue(connection)


def table_files() -> list[Path]:
    """Return the files that make tables, views and macros, in the order in which they need one another."""
    return [SQL / "schema.sql", *(FAMILIES / name / "tables.sql" for name in all_measuring()), SQL / "macros.sql"]


def measuring_files() -> list[Path]:
    """Return the queries that measure: those of all runs, then those of each family."""
    own = [
        path for name in all_measuring() for path in sorted((FAMILIES / name).glob("*.sql")) if path.stem != "tables"
    ]
    return [*(SQL / f"{name}.sql" for name in ("tails", *METRICS)), *own]
