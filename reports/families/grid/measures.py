"""Tables of runs on a grid: workflows, their reservations and the use of each cluster.

Slides and promises are summed while they are read. Candidates, slices and single moves stay in the folder of the run, where the
diagram of a workflow reads them.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from reports.measure.family_measures import Cell, Measuring
from reports.measure.files import replication_in
from scheduler_core.declarations.families import family

if TYPE_CHECKING:
    import duckdb

RUN = "split_part(filename, '/', -3) AS workload, split_part(filename, '/', -2) AS policy, replication"
"""The run of a row, from the folders of its file."""

READY = """
INSERT INTO ready_times
SELECT {run}, workflow, to_task, max(arrived_us)
FROM read_parquet($files, filename = true)
GROUP BY ALL ORDER BY ALL
"""

SLIDES = """
INSERT INTO slides
SELECT {run}, cause::VARCHAR, count(*), count(DISTINCT job)
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


def load_grid(connection: duckdb.DuckDBPyConnection, root: Path, own: Sequence[Cell], _cells: Sequence[Cell]) -> None:
    """Fill the tables of ``sql/grid_tables.sql`` but ``workflows``, and say how long processors were busy.

    Makes the temporary table ``gridded``: the workloads with such runs.
    """
    connection.execute("CREATE OR REPLACE TEMP TABLE gridded (workload VARCHAR)")
    for workload in dict.fromkeys(workload for workload, _ in own):
        connection.execute("INSERT INTO gridded VALUES ($1)", [workload])
        load_tasks(connection, root / "workloads" / f"{workload}.tasks.parquet", workload)
    runs = [root / "runs" / workload / policy for workload, policy in own]
    load_reservations(connection, runs)
    for query, table in ((READY, "arrivals"), (SLIDES, "slides")):
        connection.execute(query.replace("{run}", RUN), {"files": files_of(runs, table)})
    for (workload, policy), folder in zip(own, runs, strict=True):
        asked = {"workload": workload, "policy": policy}
        paths = {name: (folder / f"{name}.parquet").as_posix() for name in ("jobs", "allocations", "promises")}
        connection.execute(CLUSTER_USE, {**asked, "jobs": paths["jobs"], "allocations": paths["allocations"]})
        connection.execute(LOCAL_PROMISES, {**asked, "jobs": paths["jobs"], "promises": paths["promises"]})
    connection.execute(
        "INSERT INTO busy_sums "
        "SELECT workload, policy, replication, sum(busy_us), NULL FROM cluster_use GROUP BY ALL ORDER BY ALL"
    )


def files_of(runs: Sequence[Path], table: str) -> list[str]:
    """Return the files of a table in the folders of runs."""
    return [(folder / f"{table}.parquet").as_posix() for folder in runs]


def load_tasks(connection: duckdb.DuckDBPyConnection, path: Path, workload: str) -> None:
    """Fill ``tasks`` for a workload; a workload without workflows has no such file."""
    if path.is_file():
        connection.execute(
            f"INSERT INTO tasks SELECT $1, {replication_in(path)}, workflow, task, job FROM read_parquet($2)",
            [workload, path.as_posix()],
        )


def load_reservations(connection: duckdb.DuckDBPyConnection, runs: Sequence[Path]) -> None:
    """Fill ``reservations`` with the columns that the family declares, by their names."""
    columns = ", ".join(f'"{name}"' for name in family("grid").tables["reservations"].columns)
    connection.execute(
        f"INSERT INTO reservations BY NAME SELECT {RUN}, {columns} FROM read_parquet($files, filename = true)",
        {"files": files_of(runs, "reservations")},
    )


MEASURING = Measuring(load_grid)
