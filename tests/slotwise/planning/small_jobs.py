"""Small sets of jobs for tests of what-if."""

import polars as pl

from scheduler_core.contracts import WORKLOAD_COLUMNS, WORKLOAD_OPTIONAL, Machine, Workload

SECOND_US = 1_000_000
HOUR_US = 3600 * SECOND_US


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
