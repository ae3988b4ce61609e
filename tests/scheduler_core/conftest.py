"""Small workloads shared by the tests of the core."""

import polars as pl
import pytest

from scheduler_core.contracts import WORKLOAD_COLUMNS, Machine, Workload

SECOND = 1_000_000


@pytest.fixture
def small_workload():
    """Six jobs on eight processors: a wide one waits, short ones overtake it under backfilling."""
    seconds = [
        (1, 0, 100, 120, 5),
        (2, 10, 50, 50, 8),
        (3, 20, 30, 60, 3),
        (4, 30, 200, 200, 3),
        (5, 40, 5, 5, 1),
        (6, 50, 20, 20, 2),
    ]
    jobs = pl.DataFrame(seconds, schema=WORKLOAD_COLUMNS, orient="row")
    jobs = jobs.with_columns(pl.col("submit_us", "runtime_us", "estimate_us") * SECOND)
    return Workload(jobs, Machine(8, "test machine"), {"source": "hand-written"})
