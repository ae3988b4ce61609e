"""Tables of runs of Concurrent Gang: activity of processors by period, and of the jobs of each application.

Sums of single processors and jobs, and the traces, stay in the folder of the run, where the diagram of activities reads them.
"""

from collections.abc import Iterator, Sequence
from heapq import heappop, heappush
from pathlib import Path

import duckdb

from reports.measure.family_measures import Cell, Measuring
from reports.measure.files import RUN, files_of, replication_in
from reports.measure.queries import insert

Placement = tuple[int, int, int]
"""Begin, end and row of an allocation."""

TIMES = ("compute_ns", "message_ns", "spin_ns", "switch_ns", "blocked_ns", "empty_ns", "local_ns", "disk_ns")

ACTIVITY = f"""
INSERT INTO activity_sums
WITH periods AS (
    SELECT {RUN}, end_us, {", ".join(f"sum({name}::HUGEINT) AS {name}" for name in TIMES)}
    FROM read_parquet($activity, filename = true) GROUP BY ALL
),
-- Everything that begins or ends a time counts as 1 and weighs as its instant: up to a later time t it lasts t - instant.
changes AS (
    SELECT workload, policy, replication, submit_us AS at_us, 1 AS submitted, 0 AS completed, size = 1 AS alone,
        0 AS tasks, 0 AS rows FROM jobs SEMI JOIN periods USING (workload, policy, replication) WHERE outcome <> 'rejected'
    UNION ALL
    SELECT workload, policy, replication, finish_us, 0, 1, size = 1, 0, 0
    FROM jobs SEMI JOIN periods USING (workload, policy, replication) WHERE finish_us IS NOT NULL
    UNION ALL
    SELECT {RUN}, unnest([begin_us, end_us]), 0, 0, false, unnest([processors, -processors]), 0
    FROM read_parquet($allocations, filename = true)
    UNION ALL
    SELECT workload, policy, replication, at_us, 0, 0, false, 0, rows FROM row_changes
),
in_periods AS (
    SELECT
        periods.workload, periods.policy, periods.replication, periods.end_us,
        sum(submitted) AS submitted, sum(completed) AS completed,
        sum(submitted) FILTER (alone) AS one_task_submitted, sum(completed) FILTER (alone) AS one_task_completed,
        sum(tasks) AS tasks, sum(tasks * at_us::HUGEINT) AS tasks_at,
        sum(rows) AS rows, sum(rows * at_us::HUGEINT) AS rows_at
    FROM changes ASOF JOIN periods
        ON changes.workload = periods.workload AND changes.policy = periods.policy
        AND changes.replication = periods.replication AND changes.at_us <= periods.end_us
    GROUP BY ALL
)
SELECT
    workload, policy, replication, end_us, {", ".join(f"sum({name}) OVER so_far" for name in TIMES)},
    coalesce(sum(submitted) OVER so_far, 0), coalesce(sum(completed) OVER so_far, 0),
    coalesce(sum(one_task_submitted) OVER so_far, 0), coalesce(sum(one_task_completed) OVER so_far, 0),
    coalesce(end_us * sum(tasks) OVER so_far - sum(tasks_at) OVER so_far, 0),
    CASE WHEN (workload, policy) IN (SELECT (workload, policy) FROM row_changes)
        THEN coalesce(end_us * sum(rows) OVER so_far - sum(rows_at) OVER so_far, 0) END
FROM periods LEFT JOIN in_periods USING (workload, policy, replication, end_us)
WINDOW so_far AS (PARTITION BY workload, policy, replication ORDER BY end_us)
ORDER BY workload, policy, replication, end_us
"""

APPLICATIONS = """
INSERT INTO application_sums
WITH done AS (SELECT {run}, * EXCLUDE (replication, filename) FROM read_parquet($files, filename = true))
SELECT
    workload, policy, replication, application, size = 1 AS one_task, count(*), count(done.job), count(finish_us),
    {summed}
FROM jobs JOIN job_applications USING (workload, replication, job)
LEFT JOIN done USING (workload, policy, replication, job)
WHERE (workload, policy) IN (SELECT (workload, policy) FROM done)
GROUP BY ALL ORDER BY ALL
"""

SUMMED = (
    "compute_ns", "message_ns", "spin_ns", "switch_ns", "local_ns", "disk_ns", "messages", "barriers", "requests", "blocked",
    "local_runs",
)  # fmt: skip
"""Columns of ``job_activity`` that are added up by application."""


def load_concurrent_gang(
    connection: duckdb.DuckDBPyConnection, root: Path, own: Sequence[Cell], _cells: Sequence[Cell]
) -> None:
    """Fill the tables of the family, and the time for which processors executed statements."""
    for workload in dict.fromkeys(workload for workload, _ in own):
        load_applications(connection, root / "workloads" / f"{workload}.applications.parquet", workload)
    load_row_changes(connection, root, own)
    activity, allocations, done = (
        files_of(root, own, table) for table in ("processor_activity", "allocations", "job_activity")
    )
    connection.execute(ACTIVITY, {"activity": activity, "allocations": allocations})
    summed = ", ".join(f"coalesce(sum({name}::HUGEINT), 0)" for name in SUMMED)
    connection.execute(APPLICATIONS.format(run=RUN, summed=summed), {"files": done})
    connection.execute(
        """
        INSERT INTO busy_sums
        SELECT workload, policy, replication, (compute_ns + message_ns) // 1000, end_us
        FROM activity_sums
        QUALIFY end_us = max(end_us) OVER (PARTITION BY workload, policy, replication)
        ORDER BY workload, policy, replication
        """
    )


def load_applications(connection: duckdb.DuckDBPyConnection, path: Path, workload: str) -> None:
    """Fill ``job_applications`` for a workload."""
    connection.execute(
        f"INSERT INTO job_applications SELECT $1, {replication_in(path)}, job, application::VARCHAR FROM read_parquet($2)",
        [workload, path.as_posix()],
    )


def load_row_changes(connection: duckdb.DuckDBPyConnection, root: Path, own: Sequence[Cell]) -> None:
    """Make the temporary table ``row_changes``: times at which a matrix gained (1) or lost (-1) a row, where allocations tell."""
    connection.execute(
        "CREATE OR REPLACE TEMP TABLE row_changes "
        "(workload VARCHAR, policy VARCHAR, replication INTEGER, at_us BIGINT, rows INTEGER)"
    )
    told = connection.execute(
        """
        SELECT policy FROM policies
        WHERE parameters ->> 'front' = 'matrix' AND NOT (parameters ->> 'free_on_task_end')::BOOLEAN
        """
    ).fetchall()
    insert(
        connection,
        "row_changes",
        [
            (workload, policy, replication, *change)
            for workload, policy in own
            if (policy,) in told
            for replication, placed in placements(root / "runs" / workload / policy / "allocations.parquet")
            for change in row_changes(placed)
        ],
    )


def placements(path: Path) -> list[tuple[int, list[Placement]]]:
    """Return begin, end and row of every placed job, in the order of placement, by replication."""
    import polars as pl

    columns = ["begin_us", "end_us", "slot"]
    held = pl.read_parquet(path, columns=["replication", *columns]).sort("replication", "begin_us", maintain_order=True)
    return [
        (number, part.select(columns).rows()) for (number,), part in held.group_by("replication", maintain_order=True)
    ]


def row_changes(placed: list[Placement]) -> Iterator[tuple[int, int]]:
    """Yield the times at which the matrix gained (1) or lost (-1) a row; the end of a row's last job removes the row.

    An allocation names the place of its row among the rows of that time: rows behind a removed one move up.
    """
    rows: list[list[int]] = []
    running: list[tuple[int, int, list[int]]] = []  # end, number, and the row: a list of the jobs in it
    for number, (begin, end, place) in enumerate(placed):
        while running and running[0][0] <= begin:
            yield from without(rows, *heappop(running))
        if place == len(rows):
            rows.append([])
            yield begin, 1
        rows[place].append(number)
        heappush(running, (end, number, rows[place]))
    while running:
        yield from without(rows, *heappop(running))


def without(rows: list[list[int]], end: int, number: int, row: list[int]) -> Iterator[tuple[int, int]]:
    """Remove an ended job from its row, and the row with its last job."""
    row.remove(number)
    if not row:
        rows[:] = [other for other in rows if other is not row]
        yield end, -1


MEASURING = Measuring(load_concurrent_gang)
