"""The store: every workload, run and finding of a run of the pipeline in one DuckDB file.

It is rebuilt from the parquet files each time: first everything is measured (:mod:`reports.measure.store`), then the
claims of the studies are judged (:mod:`reports.ledger.claims`).
"""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb

from reports.ledger.claim_checks import validate_claims
from reports.ledger.claims import judge_studies
from reports.ledger.measures import restrict
from reports.measure.bounds import STORE_MEMORY
from reports.measure.readings import make_readings
from reports.measure.store import measure
from scheduler_core.common.files import replacing

JUDGED_AT_ONCE = 2
"""Number of readings whose claims are judged in parallel."""

LEAST_MEMORY = 1_200_000_000
"""The least memory for building a store, in bytes."""


def build_store(root: Path, studies: list[dict[str, Any]], out: Path) -> None:
    """Build the store of one scale.

    Parameters
    ----------
    root
        Folder that holds ``workloads/`` and ``runs/``.
    studies
        The studies as plain data, as :func:`workflow.plan.describe_study` makes them; claims and SQL of measures are as
        written.
    out
        The DuckDB file; it appears when it is whole.

    Raises
    ------
    StudyError
        When a file of a cell is missing, two studies disagree about an id, a claim is ill-formed or its SQL
        fails.
    """
    for study in studies:
        validate_claims(study["study"], study.get("claims") or [])
    memory = memory_for(Path(root))
    with replacing(out) as temporary, tempfile.TemporaryDirectory(dir=Path(out).parent) as spill:
        try:
            with connected(temporary, spill, memory) as connection:
                fill(connection, Path(root), studies)
            # Claims read the finished store and nothing else.
            with connected(temporary, spill, memory, read_only=True) as connection:
                # To read measurements once for both sides of a comparison, DuckDB would read those of all runs, not of two.
                connection.execute("SET disabled_optimizers = 'common_subplan'")
                beside = [connection.cursor() for _ in range(JUDGED_AT_ONCE - 1)]
                for each in (connection, *beside):
                    restrict(each)
                ledger = judge_studies(connection, studies, beside)
            with connected(temporary, spill, memory) as connection:
                ledger.record(connection)
        finally:
            Path(f"{temporary}.wal").unlink(missing_ok=True)


def memory_for(root: Path) -> int:
    """Return how many bytes of memory DuckDB may take: as many as the runs take on disk. With more, it is no faster."""
    size = sum(file.stat().st_size for file in (root / "runs").glob("*/*/*.parquet"))
    return min(max(size, LEAST_MEMORY), STORE_MEMORY)


@contextmanager
def connected(path: Path, spill: str, memory: int, read_only: bool = False) -> Iterator[duckdb.DuckDBPyConnection]:
    """Open the store; DuckDB takes so many bytes of ``memory``, and spills into the folder ``spill``."""
    import duckdb

    with duckdb.connect(str(path), read_only=read_only) as connection:
        connection.execute(f"SET memory_limit = '{memory}B'")
        connection.execute("SET temp_directory = $folder", {"folder": spill})
        yield connection


def fill(connection: duckdb.DuckDBPyConnection, root: Path, studies: list[dict[str, Any]]) -> None:
    """Measure everything, and make the schema of every reading."""
    measure(connection, root, studies)
    make_readings(connection, studies)
