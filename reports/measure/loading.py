"""Loading studies, policies, runs and jobs into the store."""

import json
from pathlib import Path
from typing import Any

import duckdb

from reports.measure.files import RUN, files_of, read_note
from reports.measure.queries import insert
from reports.measure.workloads import load_accounting, load_recorded_starts, load_users, load_workloads
from scheduler_core.common.errors import StudyError
from scheduler_core.declarations.families import families

BATCHES = 20
"""Number of batches of consecutive submissions that a log is divided into: the units behind its intervals."""

STATED = ("class", "flexibility")
"""Columns of a run's jobs that only some workloads state."""


def load(connection: duckdb.DuckDBPyConnection, root: Path, studies: list[dict[str, Any]]) -> None:
    """Fill the tables that repeat what studies and the files of runs say, for every family."""
    workloads = merged(studies, "workloads")
    cells = merged_cells(studies)
    load_studies(connection, studies)
    load_workloads(connection, root, workloads)
    load_accounting(connection, root, workloads)
    load_users(connection, root, workloads)
    load_recorded_starts(connection, root, workloads)
    load_families(connection)
    load_policies(connection, merged(studies, "policies"), stated_colours(studies))
    load_runs(connection, root, cells)
    load_jobs(connection, root, cells)


def merged(studies: list[dict[str, Any]], kind: str) -> dict[str, dict[str, Any]]:
    """Merge the workloads or policies of all studies by id.

    Raises
    ------
    StudyError
        When an id means one thing in one study and another in the next.
    """
    found: dict[str, dict[str, Any]] = {}
    for study in studies:
        for name, entry in study[kind].items():
            if found.setdefault(name, entry) != entry:
                raise StudyError(
                    f"study '{study['study']}': {kind}.{name} is not what an earlier study calls '{name}'; "
                    "give one of the two another id"
                )
    return found


def merged_cells(studies: list[dict[str, Any]]) -> list[tuple[str, str]]:
    """Return the workloads and policies that any study runs, each pair once, in the order of the studies."""
    return list(dict.fromkeys((workload, policy) for study in studies for workload, policy in study["cells"]))


def load_studies(connection: duckdb.DuckDBPyConnection, studies: list[dict[str, Any]]) -> None:
    """Fill ``studies`` and ``cells``, and the temporary table ``fair_runs``: the run that gives a workload's fair starts."""
    keys = ("study", "title", "question", "versus", "figures")
    insert(
        connection,
        "studies",
        [
            (*(study.get(key) for key in keys), study.get("pictured") or [], json.dumps(study.get("page") or {}), place)
            for place, study in enumerate(studies)
        ],
    )
    fair: dict[str, str] = {}
    for study in studies:
        for workload, policy in study["cells"]:
            if policy == study.get("fair"):
                fair.setdefault(workload, policy)
    connection.execute("CREATE OR REPLACE TEMP TABLE fair_runs (workload VARCHAR, policy VARCHAR)")
    insert(connection, "fair_runs", fair.items())
    insert(
        connection,
        "cells",
        [
            (study["study"], workload, policy, position)
            for study in studies
            for position, (workload, policy) in enumerate(study.get("shown") or study["cells"])
        ],
    )


def load_families(connection: duckdb.DuckDBPyConnection) -> None:
    """Fill ``families`` from the declarations."""
    insert(
        connection,
        "families",
        [
            (f.name, f.label, f.wait, f.sharing, list(f.metrics), list(f.leading), list(f.not_checked()))
            for f in families().values()
        ],
    )


def stated_colours(studies: list[dict[str, Any]]) -> dict[str, str]:
    """Return the colours that studies state for their policies; the first study to state one decides."""
    found: dict[str, str] = {}
    for study in studies:
        for policy, colour in (study.get("colours") or {}).items():
            found.setdefault(policy, colour)
    return found


def load_policies(
    connection: duckdb.DuckDBPyConnection, policies: dict[str, dict[str, Any]], colours: dict[str, str]
) -> None:
    """Fill ``policies``."""
    rows = [
        (name, p["label"], p["name"], p["family"], json.dumps(p["parameters"], sort_keys=True), list(p["measures"]),
         p.get("source", ""), colours.get(name), place)
        for place, (name, p) in enumerate(policies.items())
    ]  # fmt: skip
    insert(connection, "policies", rows)


def load_runs(connection: duckdb.DuckDBPyConnection, root: Path, cells: list[tuple[str, str]]) -> None:
    """Fill ``runs`` and ``certificates``."""
    runs, certificates = [], []
    for workload, policy in cells:
        folder = root / "runs" / workload / policy
        timing = dict(enumerate(read_note(folder / "timing.json")["replications"]))
        for number, run in enumerate(read_note(folder / "run.json")["replications"]):
            measured = timing.get(number, {})
            runs.append(
                (workload, policy, run.get("replication", number),
                 run["jobs"], run["finished"], run["killed"], run["rejected"], run.get("unfinished", 0),
                 run["workload_digest"], run["schedule_digest"], json.dumps(run["counters"], sort_keys=True),
                 measured.get("kernel_s"), measured.get("wall_s"), measured.get("optimiser_s"))
            )  # fmt: skip
        for number, checked in enumerate(read_note(folder / "certificate.json")["replications"]):
            replication = checked.get("replication", number)
            certificates += [
                (workload, policy, replication, r["rule"], r["checked"], r["violations"]) for r in checked["rules"]
            ]
    insert(connection, "runs", runs)
    insert(connection, "certificates", certificates)


def load_jobs(connection: duckdb.DuckDBPyConnection, root: Path, cells: list[tuple[str, str]]) -> None:
    """Fill ``jobs`` from every run's parquet file, in the order of the cells, and number the batches of logs.

    A file lists its jobs by replication, submission and job number, the same for every policy. So a job's place in
    the file gives its batch. Batches of a replication differ by at most one job.
    """
    files = files_of(root, cells, "jobs")
    if not files:
        return
    lengths = log_lengths(connection)
    stated = stated_columns(connection, files)
    # Names and lengths come from the path and from a map rather than from a join, as a join may reorder rows.
    connection.execute(
        f"""
        INSERT INTO jobs
        SELECT
            {RUN}, job, submit_us, runtime_us, estimate_us, size,
            start_us, finish_us, processors, preemptions, outcome,
            CASE WHEN finish_us IS NULL THEN NULL WHEN to_start THEN start_us - submit_us
                ELSE finish_us - submit_us - least(runtime_us, estimate_us) END AS wait_us,
            coalesce((file_row_number % length) * $batches // length, 0) AS batch,
            {stated}, cluster
        FROM (
            SELECT *, split_part(filename, '/', -3) AS workload, map($logs, $lengths)[workload] AS length,
                list_contains($waiting, split_part(filename, '/', -2)) AS to_start
            FROM read_parquet($files, filename = true, file_row_number = true, union_by_name = true)
        )
        """,
        {
            "batches": BATCHES,
            "files": files,
            "logs": list(lengths),
            "lengths": list(lengths.values()),
            "waiting": policies_that_wait_to_start(connection),
        },
    )


def policies_that_wait_to_start(connection: duckdb.DuckDBPyConnection) -> list[str]:
    """List the policies whose family, as space sharing, defines a job's wait as the time to its first start."""
    found = connection.execute(
        "SELECT policy FROM policies JOIN families USING (family) WHERE wait = 'to_first_start' ORDER BY policy"
    ).fetchall()
    return [policy for (policy,) in found]


def cells_by_family(
    connection: duckdb.DuckDBPyConnection, cells: list[tuple[str, str]]
) -> dict[str, list[tuple[str, str]]]:
    """Return the cells of each family, by the family of their policy."""
    families_of = dict(connection.execute("SELECT policy, family FROM policies").fetchall())
    found: dict[str, list[tuple[str, str]]] = {}
    for workload, policy in cells:
        found.setdefault(families_of[policy], []).append((workload, policy))
    return found


def stated_columns(connection: duckdb.DuckDBPyConnection, files: list[str]) -> str:
    """Return the SQL of the columns a workload may state or not, null where no file has them."""
    described = connection.execute("DESCRIBE FROM read_parquet($1, union_by_name = true)", [files]).fetchall()
    known = [row[0] for row in described]
    return ", ".join(name if name in known else f"NULL AS {name}" for name in STATED)


def log_lengths(connection: duckdb.DuckDBPyConnection) -> dict[str, int]:
    """Return the jobs in one replication of each log that has any."""
    query = "SELECT workload, jobs // replications FROM workloads WHERE kind = 'log' AND jobs > 0 ORDER BY workload"
    return dict(connection.execute(query).fetchall())
