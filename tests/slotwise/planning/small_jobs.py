"""Small sets of jobs for tests of what-if."""

import polars as pl
from hypothesis import strategies as st

from scheduler_core.contracts import WORKLOAD_COLUMNS, WORKLOAD_OPTIONAL, Machine, Workload

SECOND_US = 1_000_000
HOUR_US = 3600 * SECOND_US


RECORDED = st.lists(
    st.tuples(st.integers(0, 50), st.integers(1, 30), st.integers(1, 4), st.integers(0, 40)), min_size=1, max_size=12
).map(sorted)
"""Submission, run time, processors and recorded wait of some jobs, in seconds."""


def jobs(*rows, **columns):
    """Return jobs from rows of submission, run time (both in seconds) and processors, with further columns."""
    made = {
        "job": range(1, len(rows) + 1),
        "submit_us": [submit * SECOND_US for submit, _, _ in rows],
        "runtime_us": [run * SECOND_US for _, run, _ in rows],
        "estimate_us": [run * SECOND_US for _, run, _ in rows],
        "size": [size for *_, size in rows],
    }
    further = {name: pl.Series(values, dtype=WORKLOAD_OPTIONAL[name]) for name, values in columns.items()}
    return pl.DataFrame(made, schema=WORKLOAD_COLUMNS).with_columns(**further)


def workload(table, processors):
    """Return jobs on a machine."""
    return Workload(table, Machine(processors))
