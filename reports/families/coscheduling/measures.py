"""Tables of runs in which jobs share processors, and the time for which processors were shared.

Workloads with such a run have further measurements under all their policies, space sharing included (``metrics.sql``).
"""

from collections.abc import Sequence
from pathlib import Path

import duckdb

from reports.measure.family_measures import Cell, Measuring
from reports.measure.files import columns_of, files_by_name, load_tables, replication_in

SUMS = """
INSERT INTO coscheduling_sums
-- A partner holds the lowest-numbered processors of its holder, and the rows of jobs that share end when one of them comes or
-- goes: they have their first processor and their begin in common, and of them the widest holds all that are occupied, the
-- second widest all that are shared.
WITH held AS (
    SELECT replication, cluster, job, list_min(processor_ids) AS first, begin_us, end_us, processors, work_us
    FROM read_parquet($allocations) WHERE end_us > begin_us
),
together AS (
    SELECT
        replication, max(processors, 2) AS widest, any_value(end_us) - begin_us AS length_us,
        list(job) AS jobs, sum(work_us) AS work_us
    FROM held GROUP BY replication, cluster, first, begin_us
),
by_processors AS (
    SELECT
        replication,
        sum(length_us::HUGEINT * widest[1]) AS occupied_us,
        sum(length_us::HUGEINT * coalesce(widest[2], 0)) AS shared_us,
        sum(length_us::HUGEINT * len(jobs)) FILTER (len(jobs) > 1) AS sharing_us,
        sum(work_us) FILTER (len(jobs) > 1) AS sharing_work_us
    FROM together GROUP BY replication
),
sharers AS (
    SELECT replication, count(DISTINCT job) AS sharing_jobs
    FROM (SELECT replication, unnest(jobs) AS job FROM together WHERE len(jobs) > 1) GROUP BY replication
),
-- Times without any job end a stretch in which at least one runs.
stretched AS (
    SELECT replication, begin_us, end_us, begin_us > max(end_us) OVER (
        PARTITION BY replication ORDER BY begin_us, end_us ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
    ) AS begins
    FROM held
),
counted AS (
    SELECT *, sum(coalesce(begins, true)::INTEGER) OVER (PARTITION BY replication ORDER BY begin_us, end_us) AS stretch
    FROM stretched
),
busy AS (
    SELECT replication, sum(length_us) AS busy_us FROM (
        SELECT replication, max(end_us) - min(begin_us) AS length_us FROM counted GROUP BY replication, stretch
    ) GROUP BY replication
),
ran AS (SELECT replication, count(DISTINCT job) AS jobs FROM held GROUP BY replication)
SELECT
    $workload, $policy, replication, jobs, coalesce(sharing_jobs, 0), occupied_us, shared_us, busy_us,
    coalesce(sharing_us, 0), coalesce(sharing_work_us, 0)
FROM ran JOIN by_processors USING (replication) JOIN busy USING (replication) LEFT JOIN sharers USING (replication)
ORDER BY replication
"""

SHARES = """
INSERT INTO assigned_shares
SELECT $workload, $policy, replication, job, min(share_ppm), max(share_ppm)
FROM read_parquet($allocations) WHERE end_us > begin_us
GROUP BY replication, job ORDER BY replication, job
"""

BEHAVIOURS = """
INSERT INTO behaviours
WITH drawn AS (
    SELECT
        {replication} AS replication, job, kind::VARCHAR AS kind,
        -- a job may use two resources at once
        cpu + cpu_network + cpu_disk AS on_cpu, network + cpu_network + network_disk AS on_network,
        disk + cpu_disk + network_disk AS on_disk, cpu_phase
    FROM read_parquet($behaviour)
)
SELECT $workload, replication, job, kind, on_cpu, on_network, on_disk, cpu_phase, {memory} FROM drawn {jobs}
ORDER BY replication, job
"""

KINDS = """
INSERT INTO pair_kinds
SELECT
    workload, policy, replication, least(a.kind, b.kind) || ' + ' || greatest(a.kind, b.kind) AS kinds,
    count(*), sum(slowdown_ppm::HUGEINT) / count(*) / 1e6
FROM matches
JOIN behaviours AS a USING (workload, replication, job)
JOIN behaviours AS b ON (matches.workload, matches.replication, matches.partner) = (b.workload, b.replication, b.job)
GROUP BY ALL ORDER BY ALL
"""


def load_coscheduling(
    connection: duckdb.DuckDBPyConnection, root: Path, own: Sequence[Cell], _: Sequence[Cell]
) -> None:
    """Fill the tables of ``tables.sql`` and the busy time of processors.

    Makes the temporary table ``coscheduled``: the workloads with such runs.
    """
    load_tables(connection, root, own, "coscheduling")
    for workload, policy in own:
        asked = {"workload": workload, "policy": policy, **files_by_name(root, (workload, policy), "allocations")}
        connection.execute(SUMS, asked)
        if (root / "workloads" / f"{workload}.shares.parquet").is_file():
            connection.execute(SHARES, asked)
    connection.execute(
        "INSERT INTO busy_sums SELECT workload, policy, replication, occupied_us, NULL FROM coscheduling_sums"
    )
    connection.execute(
        "CREATE OR REPLACE TEMP TABLE coscheduled AS SELECT DISTINCT workload FROM coscheduling_sums ORDER BY workload"
    )
    for workload in sorted({workload for workload, _ in own}):
        load_behaviours(connection, root / "workloads", workload)
    connection.execute(KINDS)


def load_behaviours(connection: duckdb.DuckDBPyConnection, folder: Path, workload: str) -> None:
    """Fill ``behaviours`` for a workload that has the companion table ``behaviour``."""
    behaviour, jobs = folder / f"{workload}.behaviour.parquet", folder / f"{workload}.parquet"
    if not behaviour.is_file():
        return
    asked = {"workload": workload, "behaviour": behaviour.as_posix()}
    memory, joined = "NULL", ""
    if jobs.is_file() and "memory_kb" in columns_of(jobs):
        memory, asked["jobs"] = "memory_kb", jobs.as_posix()
        own_jobs = f"SELECT {replication_in(jobs)} AS replication, job, memory_kb FROM read_parquet($jobs)"
        joined = f"LEFT JOIN ({own_jobs}) USING (replication, job)"
    loading = BEHAVIOURS.format(replication=replication_in(behaviour), memory=memory, jobs=joined)
    connection.execute(loading, asked)


MEASURING = Measuring(load_coscheduling)
