"""Tables of runs on a grid: workflows, their reservations and the use of each cluster.

Slides and promises are summed while they are read. Candidates, slices and single moves stay in the folder of the run, where the
diagram of a workflow reads them.
"""

from collections.abc import Sequence
from pathlib import Path

import duckdb

from reports.measure.family_measures import Cell, Measuring
from reports.measure.files import RUN, files_by_name, files_of, load_tables, replication_in

READY = f"""
INSERT INTO ready_times
SELECT {RUN}, workflow, to_task, max(arrived_us)
FROM read_parquet($files, filename = true)
GROUP BY ALL ORDER BY ALL
"""

SLIDES = f"""
INSERT INTO slides
SELECT {RUN}, cause::VARCHAR, count(*), count(DISTINCT job)
FROM read_parquet($files, filename = true)
GROUP BY ALL ORDER BY ALL
"""

LOCAL_PROMISES = """
INSERT INTO kept_promises
-- What was promised first: later promises to a job are better ones.
WITH promised AS (
    SELECT replication, job, arg_min(finish_us, made_us) AS promised_us
    FROM read_parquet($promises)
    WHERE (replication, job) NOT IN (SELECT (replication, job) FROM tasks WHERE workload = $workload)
    GROUP BY replication, job
)
SELECT
    $workload, $policy, replication, 'local', count(*), count(*) FILTER (finish_us > promised_us),
    sum((1e9 * (finish_us - submit_us) / (promised_us - submit_us))::HUGEINT) / count(*) / 1e9
FROM promised JOIN read_parquet($jobs) USING (replication, job)
WHERE promised_us > submit_us AND finish_us IS NOT NULL
GROUP BY replication ORDER BY replication
"""

CLUSTER_USE = """
INSERT INTO cluster_use
WITH spans AS (
    SELECT replication, min(submit_us) AS first_us, max(submit_us) AS last_us, max(finish_us) AS end_us
    FROM read_parquet($jobs) WHERE finish_us IS NOT NULL GROUP BY replication
),
held AS (
    SELECT
        replication, cluster, sum(processors::HUGEINT * (a.end_us - begin_us)) AS busy_us,
        sum(processors::HUGEINT * greatest(0, least(a.end_us, last_us) - begin_us)) AS busy_while_submitting_us
    FROM read_parquet($allocations) AS a JOIN spans USING (replication)
    GROUP BY replication, cluster
),
ran AS (
    SELECT replication, cluster, count(*) AS jobs, count(task) AS tasks
    FROM read_parquet($jobs) LEFT JOIN (FROM tasks WHERE workload = $workload) USING (replication, job)
    WHERE finish_us IS NOT NULL
    GROUP BY replication, cluster
)
SELECT
    $workload, $policy, replication, clusters.cluster, coalesce(jobs, 0), coalesce(tasks, 0), coalesce(busy_us, 0),
    coalesce(busy_while_submitting_us, 0), end_us - first_us, last_us - first_us
FROM spans JOIN clusters ON clusters.workload = $workload
LEFT JOIN held USING (replication, cluster) LEFT JOIN ran USING (replication, cluster)
ORDER BY replication, clusters.cluster
"""

FIRST_RUNS = """
INSERT INTO first_runs
WITH ran AS (SELECT replication, job, arg_min(slot, begin_us) AS slot FROM read_parquet($allocations) GROUP BY ALL)
SELECT
    $workload, $policy, replication, length_class(runtime_us / 1e6) AS length, count(*),
    count_if(slot <> list_position(['short', 'medium', 'long'], length_class(runtime_us / 1e6)) - 1)
FROM ran JOIN read_parquet($jobs) USING (replication, job)
GROUP BY replication, length ORDER BY replication, length
"""


def load_grid(connection: duckdb.DuckDBPyConnection, root: Path, own: Sequence[Cell], _cells: Sequence[Cell]) -> None:
    """Fill the tables of ``tables.sql`` but ``workflows``, and the busy time of processors.

    Makes the temporary tables ``gridded``, the workloads with such runs, and ``first_runs``, how many jobs of each class ran
    and how many of them first in another class's slice (which says nothing of clusters without slices).
    """
    connection.execute("CREATE OR REPLACE TEMP TABLE gridded (workload VARCHAR)")
    connection.execute(
        "CREATE OR REPLACE TEMP TABLE first_runs "
        "(workload VARCHAR, policy VARCHAR, replication INTEGER, class VARCHAR, jobs BIGINT, elsewhere BIGINT)"
    )
    for workload in dict.fromkeys(workload for workload, _ in own):
        connection.execute("INSERT INTO gridded VALUES ($1)", [workload])
        load_tasks(connection, root / "workloads" / f"{workload}.tasks.parquet", workload)
    load_tables(connection, root, own, "grid", "reservations")
    for query, table in ((READY, "arrivals"), (SLIDES, "slides")):
        connection.execute(query, {"files": files_of(root, own, table)})
    for workload, policy in own:
        asked = {"workload": workload, "policy": policy}
        for query, other in ((CLUSTER_USE, "allocations"), (FIRST_RUNS, "allocations"), (LOCAL_PROMISES, "promises")):
            connection.execute(query, {**asked, **files_by_name(root, (workload, policy), "jobs", other)})
    connection.execute(
        "INSERT INTO busy_sums "
        "SELECT workload, policy, replication, sum(busy_us), NULL FROM cluster_use GROUP BY ALL ORDER BY ALL"
    )


def load_tasks(connection: duckdb.DuckDBPyConnection, path: Path, workload: str) -> None:
    """Fill ``tasks`` for a workload; a workload without workflows has no such file."""
    if path.is_file():
        connection.execute(
            f"INSERT INTO tasks SELECT $1, {replication_in(path)}, workflow, task, job FROM read_parquet($2)",
            [workload, path.as_posix()],
        )


MEASURING = Measuring(load_grid)
