"""The store: every workload, run and finding of a run of the pipeline in one DuckDB file.

It is rebuilt from the parquet files each time. ``sql/schema.sql`` says what is in it; ``sql/README.md``
explains it. Loading is in :mod:`reports.loading`, the metrics are the other files of ``sql/``, intervals and
comparisons come from :mod:`reports.stats`, verdicts from :mod:`reports.claims`.

The content depends on the inputs alone, not on the number of cores: see ``sql/job_sums.sql``.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reports.claim_checks import validate_claims
from reports.claims import record_claims
from reports.loading import load
from reports.loss_of_capacity import record_loss_of_capacity
from reports.packing import record_packing
from reports.stats import record_statistics
from scheduler_core.files import replacing

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
    "time_sharing",
    "slices",
    "group_search",
    "fairness",
    "series",
)
"""Files of ``sql/`` that measure runs, in the order in which they build on one another."""

MEMORY_LIMIT = "4GB"
"""Memory DuckDB may use before it spills to disk."""


def build_store(root: Path, studies: list[dict[str, Any]], out: Path) -> None:
    """Build the store of one scale.

    Parameters
    ----------
    root
        Folder that holds ``workloads/`` and ``runs/``.
    studies
        The expanded studies, as plain data: ``study`` (its name), ``title``, ``question``, ``workloads`` and
        ``policies`` by id, ``cells`` (pairs of ids to load), ``shown`` (those the study shows; default: all
        cells), ``versus`` (id of the policy the others are compared with, or none) and ``claims``.
    out
        The DuckDB file; it appears when it is whole.

    Raises
    ------
    StudyError
        When a file of a cell is missing, two studies disagree about an id, a claim is ill-formed or its SQL
        fails.
    """
    import duckdb

    for study in studies:
        validate_claims(study["study"], study.get("claims") or [])
    with replacing(out) as temporary, tempfile.TemporaryDirectory(dir=Path(out).parent) as spill:
        try:
            with duckdb.connect(str(temporary)) as connection:
                connection.execute(f"SET memory_limit = '{MEMORY_LIMIT}'")
                connection.execute("SET temp_directory = $folder", {"folder": spill})
                fill(connection, Path(root), studies)
        finally:
            Path(f"{temporary}.wal").unlink(missing_ok=True)


def fill(connection: duckdb.DuckDBPyConnection, root: Path, studies: list[dict[str, Any]]) -> None:
    """Load the files and derive everything else, in order."""
    run_sql(connection, "schema")
    load(connection, root, studies)
    for name in METRICS:
        run_sql(connection, name)
    record_loss_of_capacity(connection)
    run_sql(connection, "unit_metrics")
    run_sql(connection, "slice_units")
    record_packing(connection, root)
    record_statistics(connection, studies)
    record_claims(connection, studies)


def run_sql(connection: duckdb.DuckDBPyConnection, name: str) -> None:
    """Run a file of ``sql/``."""
    connection.execute((SQL / f"{name}.sql").read_text(encoding="utf-8"))
