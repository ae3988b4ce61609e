"""How well gang scheduling packs its slots: what ``packing.sql`` and the queries beside it need.

They read more than the store loads: the levels of each run, the memory that jobs request, and the slots of the first period
where all jobs are submitted at time 0.
"""

from pathlib import Path

import duckdb
import numpy as np

from reports.measure.files import RUN, files_of, require
from reports.measure.queries import run_sql
from reports.measure.workloads import workload_metadata

HERE = Path(__file__).parent


def record_packing(connection: duckdb.DuckDBPyConnection, root: Path) -> None:
    """Measure every run of gang scheduling that may use as many slots as it takes.

    Fills ``packing``, ``memory_packing`` and ``batches`` of a loaded store, and adds the ratios to ``measurements``; ``root``
    holds ``workloads/`` and ``runs/``.
    """
    connection.execute(
        """
        CREATE OR REPLACE TEMP TABLE packed AS
        SELECT DISTINCT workload, policy FROM runs JOIN policies USING (policy) JOIN workloads USING (workload)
        WHERE list_contains(measures, 'packing') AND workloads.jobs > 0
        """
    )
    read_arrivals(connection, root)
    run_sql(connection, HERE / "packing.sql")
    read_memory(connection, root)
    run_sql(connection, HERE / "packing_memory.sql")
    read_first_slots(connection, root)
    run_sql(connection, HERE / "packing_batches.sql")


def files_in(connection: duckdb.DuckDBPyConnection, root: Path, cells: str, table: str) -> list[str]:
    """Return the files of a table, for every run in a table of workloads and policies."""
    return files_of(root, connection.execute(f"SELECT workload, policy FROM {cells} ORDER BY ALL").fetchall(), table)


def read_arrivals(connection: duckdb.DuckDBPyConnection, root: Path) -> None:
    """Make the temporary table ``arrivals``.

    The state at each event is computed here; windows over all events in SQL took fifty times as long.
    """
    connection.execute(
        """
        CREATE OR REPLACE TEMP TABLE arrivals (
            workload VARCHAR, policy VARCHAR, replication INTEGER, batch INTEGER, arrival INTEGER, submit_us BIGINT,
            jobs INTEGER, slots INTEGER, fewest INTEGER, billionths BIGINT, so_far BIGINT, last INTEGER
        )
        """
    )
    runs = connection.execute(
        "SELECT workload, policy, processors FROM packed JOIN workloads USING (workload) ORDER BY ALL"
    ).fetchall()
    for workload, policy, processors in runs:
        jobs = connection.execute(
            """
            SELECT replication, batch, submit_us, start_us, finish_us, size FROM jobs
            WHERE workload = $1 AND policy = $2 AND outcome <> 'rejected'
            """,
            [workload, policy],
        ).fetchnumpy()
        levels = connection.execute(
            "SELECT replication, begin_us, level FROM read_parquet($1) ORDER BY replication, begin_us",
            files_of(root, [(workload, policy)], "levels"),
        ).fetchnumpy()
        for replication in np.unique(jobs["replication"]):
            own = {name: np.asarray(column[jobs["replication"] == replication]) for name, column in jobs.items()}
            slots = {name: np.asarray(column[levels["replication"] == replication]) for name, column in levels.items()}
            found = at_arrivals(own, slots["begin_us"], slots["level"], processors)  # noqa: F841 (read by the query)
            connection.execute("INSERT INTO arrivals SELECT $1, $2, * FROM found", [workload, policy])


def at_arrivals(
    jobs: dict[str, np.ndarray], begin_us: np.ndarray, level: np.ndarray, processors: int
) -> dict[str, np.ndarray]:
    """Return the state right after each arrival of a run: placed jobs, slots, and the fewest possible slots.

    ``jobs`` has the columns ``replication, batch, submit_us, start_us, finish_us, size`` in the order of submission;
    ``begin_us`` and ``level`` are the levels, in order of time.
    """
    submit, size = jobs["submit_us"], jobs["size"].astype(np.int64)
    by_finish = np.argsort(jobs["finish_us"], kind="stable")
    by_start = np.argsort(jobs["start_us"], kind="stable")
    begun = np.searchsorted(jobs["start_us"][by_start], submit, side="right")
    ended = np.searchsorted(jobs["finish_us"][by_finish], submit, side="right")
    held = (
        np.concatenate([[0], np.cumsum(size[by_start])])[begun]
        - np.concatenate([[0], np.cumsum(size[by_finish])])[ended]
    )
    slots = level[np.searchsorted(begin_us, submit, side="right") - 1].astype(np.int64)
    fewest = -(-held // processors)
    there = fewest > 0
    found = {
        "replication": jobs["replication"],
        "batch": jobs["batch"],
        "arrival": np.arange(1, len(submit) + 1),
        "submit_us": submit,
        "jobs": begun - ended,
        "slots": slots,
        "fewest": fewest,
        "billionths": slots * 1_000_000_000 // np.maximum(fewest, 1),
    }
    kept = {name: column[there] for name, column in found.items()}
    kept["so_far"] = np.cumsum(kept["billionths"])
    kept["last"] = np.full(len(kept["arrival"]), len(submit))
    return kept


def read_memory(connection: duckdb.DuckDBPyConnection, root: Path) -> None:
    """Make the temporary tables ``memory_runs``, ``machine_memory`` and ``memory_jobs``."""
    connection.execute(
        """
        CREATE OR REPLACE TEMP TABLE memory_runs AS
        SELECT workload, policy FROM packed JOIN policies USING (policy)
        WHERE list_contains(measures, 'memory');
        CREATE OR REPLACE TEMP TABLE machine_memory (workload VARCHAR, memory_kb BIGINT);
        CREATE OR REPLACE TEMP TABLE memory_jobs (
            workload VARCHAR, policy VARCHAR, replication INTEGER,
            submit_us BIGINT, start_us BIGINT, finish_us BIGINT, wanted_kb BIGINT
        )
        """
    )
    for (workload,) in connection.execute("SELECT DISTINCT workload FROM memory_runs ORDER BY ALL").fetchall():
        machine, _ = workload_metadata(require(root / "workloads" / f"{workload}.parquet"))
        memory_kb = sum(cluster["memory_kb"] * cluster["processors"] for cluster in machine["clusters"])
        connection.execute("INSERT INTO machine_memory VALUES ($1, $2)", [workload, memory_kb])
    if files := files_in(connection, root, "memory_runs", "jobs"):
        connection.execute(
            f"""
            INSERT INTO memory_jobs SELECT {RUN}, submit_us, start_us, finish_us, size::BIGINT * memory_kb
            FROM read_parquet($files, filename = true) WHERE outcome <> 'rejected'
            """,
            {"files": files},
        )


def read_first_slots(connection: duckdb.DuckDBPyConnection, root: Path) -> None:
    """Make the temporary table ``first_slots`` from the allocations at time 0."""
    connection.execute(
        """
        CREATE OR REPLACE TEMP TABLE at_once AS
        SELECT workload, policy FROM packed SEMI JOIN (
            SELECT workload FROM jobs GROUP BY workload HAVING max(submit_us) = 0
        ) USING (workload);
        CREATE OR REPLACE TEMP TABLE first_slots (
            workload VARCHAR, policy VARCHAR, replication INTEGER, slots INTEGER, held BIGINT
        )
        """
    )
    if files := files_in(connection, root, "at_once", "allocations"):
        connection.execute(
            f"""
            INSERT INTO first_slots SELECT {RUN}, count(DISTINCT slot), sum(processors)
            FROM read_parquet($files, filename = true) WHERE begin_us = 0 AND end_us > 0 GROUP BY ALL
            """,
            {"files": files},
        )
