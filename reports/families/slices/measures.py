"""Tables of runs in which the machine belongs to one class of jobs at a time.

Workloads with such a run have further measurements under all their policies, space sharing included (``metrics.sql``).
"""

from collections.abc import Sequence
from pathlib import Path

import duckdb

from reports.measure.family_measures import Cell, Measuring
from reports.measure.files import files_by_name, load_tables

CORE = (0.1, 0.9)
"""Quantiles of the submissions between which a machine is neither filling nor draining."""

HELD = """
INSERT INTO held_in_core
WITH core AS (
    SELECT replication, quantile_disc(submit_us, $from) AS begins_us, quantile_disc(submit_us, $to) AS ends_us
    FROM read_parquet($jobs) GROUP BY replication
)
SELECT
    $workload, $policy, replication, any_value(ends_us - begins_us),
    sum(processors::BIGINT * greatest(0, least(end_us, ends_us) - greatest(begin_us, begins_us)))
FROM read_parquet($allocations) JOIN core USING (replication)
GROUP BY replication ORDER BY replication
"""


def load_slices(connection: duckdb.DuckDBPyConnection, root: Path, own: Sequence[Cell], cells: Sequence[Cell]) -> None:
    """Fill ``slices``, ``promises``, ``groups``, ``members`` and ``improvements``.

    Makes the temporary tables ``sliced`` (workloads with such runs) and ``held_in_core``: per run of these workloads the
    time between the :data:`CORE` quantiles of its submissions, and processors x time in which jobs ran then, in
    microseconds.
    """
    load_tables(connection, root, own, "slices")
    connection.execute("CREATE OR REPLACE TEMP TABLE sliced AS SELECT DISTINCT workload FROM slices")
    connection.execute(
        "CREATE OR REPLACE TEMP TABLE held_in_core "
        "(workload VARCHAR, policy VARCHAR, replication INTEGER, core_us BIGINT, held_us HUGEINT)"
    )
    sliced = {workload for (workload,) in connection.execute("SELECT workload FROM sliced").fetchall()}
    for workload, policy in cells:
        if workload in sliced:
            files = files_by_name(root, (workload, policy), "jobs", "allocations")
            asked = {"workload": workload, "policy": policy, "from": CORE[0], "to": CORE[1]}
            connection.execute(HELD, {**asked, **files})


MEASURING = Measuring(load_slices)
