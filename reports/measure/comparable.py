"""Which values of two runs may be compared.

A run may end before its jobs do. Its times then describe the jobs that ended, which differ from those of another run, so a
ratio of the two says nothing about the policies. Counts and shares of the machine's time can be compared.
"""

from collections import defaultdict
from collections.abc import Container

import duckdb

Run = tuple[str, str]
"""Workload and policy."""

OVER_A_SPAN = frozenset(("utilisation",))
"""Metrics over the makespan, for which a family may state another time span."""


def spans_differ(metric: str, mine: Run, theirs: Run, stated: Container[Run]) -> bool:
    """Return whether a metric covers different time spans in two runs; ``stated`` holds the runs whose family states its span."""
    return metric in OVER_A_SPAN and (mine in stated) != (theirs in stated)


def cut_units(connection: duckdb.DuckDBPyConnection) -> dict[Run, set[int]]:
    """Return the independent units in which a run left jobs unfinished, for the runs that did."""
    query = """
        SELECT DISTINCT workload, policy, if(unit_kind = 'batch', batch, replication)
        FROM jobs SEMI JOIN (FROM runs WHERE unfinished > 0) USING (workload, policy, replication) JOIN workloads USING (workload)
        WHERE outcome = 'unfinished'"""
    found: dict[Run, set[int]] = defaultdict(set)
    for workload, policy, unit in connection.execute(query).fetchall():
        found[workload, policy].add(unit)
    return dict(found)


def cut_runs(connection: duckdb.DuckDBPyConnection) -> set[Run]:
    """Return the runs that left jobs unfinished in a replication."""
    query = "SELECT DISTINCT workload, policy FROM runs WHERE unfinished > 0"
    return {(workload, policy) for workload, policy in connection.execute(query).fetchall()}


def stated_spans(connection: duckdb.DuckDBPyConnection) -> set[Run]:
    """Return the runs whose family states the time that utilisation is over."""
    query = "SELECT DISTINCT workload, policy FROM busy_sums WHERE length_us IS NOT NULL"
    return {(workload, policy) for workload, policy in connection.execute(query).fetchall()}
