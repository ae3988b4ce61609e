"""Which values of two runs may be compared: those of the same jobs, and of times that are defined the same way.

A run may end before its jobs have. Its times are those of the jobs that ended until then, which are others than those that ended
in another run: a ratio of the two says nothing of the policies. Counts, and shares of the machine's time, can be compared.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Container

    import duckdb

Run = tuple[str, str]
"""Workload and policy."""

OVER_A_SPAN = frozenset(("utilisation",))
"""Metrics over a time that a family may state, instead of that from the first submission to the last finish."""


def spans_differ(metric: str, mine: Run, theirs: Run, stated: Container[Run]) -> bool:
    """Say whether a metric is over times of different kinds in two runs; ``stated`` are the runs whose family states its own."""
    return metric in OVER_A_SPAN and (mine in stated) != (theirs in stated)


def cut_units(connection: duckdb.DuckDBPyConnection) -> set[tuple[str, str, int]]:
    """Return the units (replications of a model, batches of a log) of runs that left jobs of them unfinished."""
    query = """
        SELECT DISTINCT workload, policy, if(unit_kind = 'batch', batch, replication)
        FROM jobs SEMI JOIN (FROM runs WHERE unfinished > 0) USING (workload, policy, replication) JOIN workloads USING (workload)
        WHERE outcome = 'unfinished'"""
    return {(workload, policy, unit) for workload, policy, unit in connection.execute(query).fetchall()}


def cut_runs(connection: duckdb.DuckDBPyConnection) -> set[Run]:
    """Return the runs that left jobs unfinished in a replication."""
    query = "SELECT DISTINCT workload, policy FROM runs WHERE unfinished > 0"
    return {(workload, policy) for workload, policy in connection.execute(query).fetchall()}


def stated_spans(connection: duckdb.DuckDBPyConnection) -> set[Run]:
    """Return the runs whose family states the time that utilisation is over."""
    query = "SELECT DISTINCT workload, policy FROM busy_sums WHERE length_us IS NOT NULL"
    return {(workload, policy) for workload, policy in connection.execute(query).fetchall()}
