"""Sums over the allocations of gang scheduling, per run.

Allocations are many and stay in their files. The store takes the integer sums that metrics need.
"""

from collections.abc import Sequence
from pathlib import Path

import duckdb

from reports.families.gang.packing import record_packing
from reports.measure.family_measures import Cell, Measuring
from reports.measure.files import columns_of, files_by_name

GANG_SUMS = """
INSERT INTO gang_sums
WITH levels AS (SELECT replication, cluster, begin_us, end_us, level FROM read_parquet($levels)),
held AS (
    SELECT replication, cluster, job, begin_us, end_us, processors::BIGINT AS processors, turn_us, overhead_us, work_us
    FROM read_parquet($allocations)
),
-- While there is one slot only, the slot clock runs as time does.
alone AS (
    SELECT
        replication,
        sum(processors * (least(held.end_us, levels.end_us) - greatest(held.begin_us, levels.begin_us))) AS alone_us
    FROM held JOIN levels USING (replication, cluster)
    WHERE level = 1 AND held.begin_us < levels.end_us AND held.end_us > levels.begin_us
    GROUP BY replication
),
by_job AS (
    SELECT
        replication, job,
        sum(processors * turn_us) AS busy_us, sum(processors * overhead_us) AS stalled_us, sum(work_us) AS work_us,
        min(begin_us) AS begin_us, max(end_us) AS end_us
    FROM held GROUP BY replication, job
),
asked AS (
    SELECT replication, job, {flexibility} AS flexibility, 0.65 * size AS speedup FROM read_parquet($jobs)
    WHERE outcome <> 'rejected'
),
by_run AS (
    SELECT
        replication, count(*) AS jobs,
        sum(busy_us) AS busy_us, sum(stalled_us) AS stalled_us,
        -- Speed-up on the processors a job asks for is 0.65 n (Huang 2004, section 6.6); work is counted in time on them.
        sum(CASE WHEN flexibility IS NOT NULL THEN (speedup * work_us)::HUGEINT END) AS speedup_us,
        sum(CASE WHEN flexibility IS NOT NULL
            THEN (1e9 * speedup * work_us / nullif(busy_us - stalled_us, 0))::HUGEINT END) AS efficiency,
        min(begin_us) AS begin_us, max(end_us) AS end_us
    FROM by_job JOIN asked USING (replication, job)
    GROUP BY replication
),
slots AS (SELECT replication, sum((end_us - begin_us) * level) AS level_us FROM levels GROUP BY replication),
-- Stretches of time in which at least one job waits for its start.
waits AS (
    SELECT
        replication, submit_us, start_us,
        coalesce(submit_us > max(start_us) OVER (
            PARTITION BY replication ORDER BY submit_us, start_us ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
        ), true)::INTEGER AS begins
    FROM read_parquet($jobs) WHERE start_us > submit_us
),
numbered AS (SELECT *, sum(begins) OVER (PARTITION BY replication ORDER BY submit_us, start_us) AS stretch FROM waits),
queued AS (
    SELECT replication, greatest(min(submit_us), any_value(by_run.begin_us)) AS from_us, max(start_us) AS to_us
    FROM numbered JOIN by_run USING (replication) GROUP BY replication, stretch
),
queued_time AS (SELECT replication, sum(to_us - from_us) AS queued_us FROM queued GROUP BY replication),
-- Turns are taken to be spread evenly over an allocation that only overlaps with such a stretch.
queued_busy AS (
    SELECT
        replication,
        sum((
            processors * turn_us * ((least(end_us, to_us) - greatest(begin_us, from_us)) / (end_us - begin_us))
        )::HUGEINT) AS queued_busy_us
    FROM held JOIN queued USING (replication)
    WHERE begin_us < to_us AND end_us > from_us
    GROUP BY replication
)
SELECT
    $workload, $policy, replication, jobs, busy_us, coalesce(alone_us, 0), stalled_us, speedup_us, efficiency,
    by_run.begin_us, by_run.end_us, level_us, queued_us, queued_busy_us
FROM by_run JOIN slots USING (replication)
LEFT JOIN alone USING (replication) LEFT JOIN queued_time USING (replication) LEFT JOIN queued_busy USING (replication)
ORDER BY replication
"""


def load_gang(connection: duckdb.DuckDBPyConnection, root: Path, own: Sequence[Cell], _cells: Sequence[Cell]) -> None:
    """Fill ``gang_sums`` and the busy time of processors for the cells of gang scheduling.

    Jobs come from the files, too: finding the jobs of a cell in the store would scan all jobs each time.
    """
    for workload, policy in own:
        files = files_by_name(root, (workload, policy), "jobs", "levels", "allocations")
        stated = "flexibility" in columns_of(Path(files["jobs"]))
        sums = GANG_SUMS.replace("{flexibility}", "flexibility" if stated else "NULL")
        connection.execute(sums, {**files, "workload": workload, "policy": policy})
    connection.execute("INSERT INTO busy_sums SELECT workload, policy, replication, busy_us, NULL FROM gang_sums")


MEASURING = Measuring(load_gang, record=record_packing)
