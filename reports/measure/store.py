"""What the store holds before anything is judged: every workload and run, metrics, intervals and comparisons.

``sql/schema.sql`` says what is in it; ``sql/README.md`` explains it. Loading is in :mod:`reports.measure.loading`, the
metrics are the other files of ``sql/``, intervals and comparisons come from :mod:`reports.measure.stats`.

The content depends on the inputs alone, not on the number of cores: see ``sql/job_sums.sql``.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from reports.measure.loading import load
from reports.measure.loss_of_capacity import record_loss_of_capacity
from reports.measure.packing import record_packing
from reports.measure.stats import record_statistics

if TYPE_CHECKING:
    import duckdb

SQL = Path(__file__).parent / "sql"

METRICS = (
    "printed_values",
    "job_sums",
    "means",
    "tails",
    "classes",
    "stated_classes",
    "utilisation",
    "gang",
    "slices",
    "group_search",
    "fairness",
    "series",
)
"""Files of ``sql/`` that measure runs, in the order in which they build on one another."""


def measure(connection: duckdb.DuckDBPyConnection, root: Path, studies: list[dict[str, Any]]) -> None:
    """Load the files under ``root`` and derive metrics, intervals and comparisons, in order."""
    run_sql(connection, "schema")
    load(connection, root, studies)
    for name in METRICS:
        run_sql(connection, name)
    record_loss_of_capacity(connection)
    run_sql(connection, "unit_metrics")
    run_sql(connection, "slice_units")
    record_packing(connection, root)
    record_statistics(connection, studies)


def run_sql(connection: duckdb.DuckDBPyConnection, name: str) -> None:
    """Run a file of ``sql/``."""
    connection.execute((SQL / f"{name}.sql").read_text(encoding="utf-8"))
