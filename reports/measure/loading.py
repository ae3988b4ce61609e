"""Loading what the pipeline left on disk into the tables of the store."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reports.measure.queries import insert
from scheduler_core.common.errors import StudyError
from scheduler_core.common.files import read_json
from scheduler_core.declarations.families import families
from traces.catalog import known_log

if TYPE_CHECKING:
    import duckdb

BATCHES = 20
"""Batches of consecutive submissions a log is cut into: the units behind its intervals."""

STATED = ("class", "flexibility")
"""Columns of a run's jobs that the store keeps where the workload states them."""


def load(connection: duckdb.DuckDBPyConnection, root: Path, studies: list[dict[str, Any]]) -> None:
    """Fill every table that only repeats what the files of any run say."""
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


def read_note(path: Path) -> Any:
    """Read a JSON file the pipeline left; raise :class:`StudyError` when it is not there."""
    require(path)
    return read_json(path)


def require(path: Path) -> Path:
    """Return ``path`` if the file exists; raise :class:`StudyError` otherwise."""
    if not path.is_file():
        raise StudyError(f"{path} is missing; it is made by the run of the pipeline (`snakemake {path}`)")
    return path


def load_studies(connection: duckdb.DuckDBPyConnection, studies: list[dict[str, Any]]) -> None:
    """Fill ``studies`` and ``cells``, and the temporary table ``fair_runs``: the run a workload's fair starts are from."""
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
    """Fill ``families`` with what each declares."""
    insert(
        connection,
        "families",
        [
            (f.name, f.label, f.wait, f.sharing, list(f.metrics), list(f.leading), list(f.unchecked))
            for f in families().values()
        ],
    )


def stated_colours(studies: list[dict[str, Any]]) -> dict[str, str]:
    """Return the colours that studies state for their policies; the first study that states one has the say."""
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


def kind_and_source(entry: dict[str, Any]) -> tuple[str, str]:
    """Say whether a workload comes from a log or a model, and from which."""
    kind = entry.get("kind") or ("log" if "log" in entry else "model")
    source = entry.get("source") or entry.get(kind, "")
    return kind, str(source.get("name", "") if isinstance(source, dict) else source)


def load_workloads(connection: duckdb.DuckDBPyConnection, root: Path, workloads: dict[str, dict[str, Any]]) -> None:
    """Fill ``workloads`` and ``clusters``, counting jobs and offered load from the parquet files."""
    rows = []
    clusters: list[tuple[Any, ...]] = []
    for name, entry in workloads.items():
        path = require(root / "workloads" / f"{name}.parquet")
        machine, provenance = workload_metadata(path)
        clusters += [
            (name, number, cluster["name"] or str(number + 1), cluster["processors"], cluster["speed"])
            for number, cluster in enumerate(machine["clusters"])
        ]
        jobs, load_offered = offered(connection, path, capacity_of(machine))
        kind, source = kind_and_source(entry)
        rows.append(
            (name, entry["label"], kind, source, machine["name"], machine["processors"], len(provenance),
             jobs, load_offered, target_load(entry), entry.get("variant_of"),
             entry.get("variant"), jobs == 0, json.dumps(provenance, sort_keys=True))
        )  # fmt: skip
    insert(connection, "workloads", rows)
    insert(connection, "clusters", clusters)


def target_load(entry: dict[str, Any]) -> float | None:
    """Return the load that a workload was scaled to; where replications have several in turn, their mean."""
    load = entry.get("target_load", entry.get("load"))
    return sum(load) / len(load) if isinstance(load, list) else load


def workload_metadata(path: Path) -> tuple[dict[str, Any], list[Any]]:
    """Return the machine and the provenance of each replication from a workload file's metadata."""
    import polars as pl

    metadata = pl.read_parquet_metadata(path)
    if "machine" not in metadata:
        raise StudyError(
            f"{path} is not a workload: its metadata name no machine; delete it and run the pipeline again"
        )
    provenance = json.loads(metadata["provenance"])
    return json.loads(metadata["machine"]), provenance if isinstance(provenance, list) else [provenance]


def capacity_of(machine: dict[str, Any]) -> int | float:
    """Return how many processors of speed 1 a machine is worth, whole where that is a whole number."""
    capacity = sum(cluster["processors"] * cluster["speed"] for cluster in machine["clusters"])
    return int(capacity) if float(capacity).is_integer() else float(capacity)


def offered(connection: duckdb.DuckDBPyConnection, path: Path, capacity: int | float) -> tuple[int, float | None]:
    """Count a workload's jobs, and return its offered load: the mean over replications, null without a span."""
    names = [row[0] for row in connection.execute("DESCRIBE FROM read_parquet($1)", [str(path)]).fetchall()]
    replication = "replication" if "replication" in names else "0"
    rows = connection.execute(
        f"""
        SELECT count(*), sum(runtime_us::HUGEINT * size), max(submit_us) - min(submit_us)
        FROM read_parquet($1) GROUP BY {replication} ORDER BY {replication}
        """,
        [str(path)],
    ).fetchall()
    loads = [work / (capacity * span) for _, work, span in rows if span]
    return sum(row[0] for row in rows), sum(loads) / len(loads) if loads else None


def load_users(connection: duckdb.DuckDBPyConnection, root: Path, workloads: dict[str, dict[str, Any]]) -> None:
    """Fill ``users`` from the logs that name them; workloads that vary others have the same jobs and are left out."""
    for name, entry in workloads.items():
        if kind_and_source(entry)[0] != "log" or entry.get("variant_of"):
            continue
        path = str(require(root / "workloads" / f"{name}.parquet"))
        columns = {row[0] for row in connection.execute("DESCRIBE FROM read_parquet($1)", [path]).fetchall()}
        if "user" in columns:
            replication = "replication" if "replication" in columns else "0"
            connection.execute(
                f'INSERT INTO users SELECT $1, {replication}, job, "user" FROM read_parquet($2) WHERE "user" IS NOT NULL',
                [name, path],
            )


def load_recorded_starts(
    connection: duckdb.DuckDBPyConnection, root: Path, workloads: dict[str, dict[str, Any]]
) -> None:
    """Fill ``recorded_starts`` from the logs of the catalogue whose schedule is a simulator's."""
    for name, entry in workloads.items():
        kind, source = kind_and_source(entry)
        log = known_log(source) if kind == "log" else None
        path = str(require(root / "workloads" / f"{name}.parquet"))
        columns = {row[0] for row in connection.execute("DESCRIBE FROM read_parquet($1)", [path]).fetchall()}
        if log is not None and log.schedule and "recorded_wait_us" in columns:
            replication = "replication" if "replication" in columns else "0"
            connection.execute(
                f"INSERT INTO recorded_starts SELECT $1, {replication}, job, submit_us + recorded_wait_us FROM read_parquet($2)",
                [name, path],
            )


def load_accounting(connection: duckdb.DuckDBPyConnection, root: Path, workloads: dict[str, dict[str, Any]]) -> None:
    """Fill ``accounting`` for the workloads that come from a log."""
    rows = []
    for name, entry in workloads.items():
        path = root / "workloads" / f"{name}.accounting.json"
        if kind_and_source(entry)[0] == "log" and path.is_file():
            rows += [(name, *fate) for fate in fates(read_json(path))]
    insert(connection, "accounting", rows)


def fates(note: dict[str, Any]) -> list[tuple[str, str, int]]:
    """Return (fate, rule, lines) for every line of a log, from its accounting."""
    found: list[tuple[str, str, int]] = []
    for fate, key in (
        ("comment", "comments"),
        ("kept", "kept"),
        ("repaired", "repaired"),
        ("rejected", "rejected"),
    ):
        lines = note.get(key, 0)
        found += (
            [(fate, rule, n) for rule, n in sorted(lines.items())] if isinstance(lines, dict) else [(fate, "", lines)]
        )
    return found


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
            certificates += [
                (
                    workload,
                    policy,
                    checked.get("replication", number),
                    r["rule"],
                    r["checked"],
                    r["violations"],
                )
                for r in checked["rules"]
            ]
    insert(connection, "runs", runs)
    insert(connection, "certificates", certificates)


def load_jobs(connection: duckdb.DuckDBPyConnection, root: Path, cells: list[tuple[str, str]]) -> None:
    """Fill ``jobs`` from every run's parquet file, in the order of the cells, and number the batches of logs.

    The jobs of a file stand in the order of replication, submission and job number, the same for every
    policy, so a job's place in the file says which batch it is of: :data:`BATCHES` a replication, equal but
    for one job.
    """
    files = [require(root / "runs" / w / p / "jobs.parquet").as_posix() for w, p in cells]
    if not files:
        return
    lengths = log_lengths(connection)
    stated = stated_columns(connection, files)
    # Names and lengths come from the path and from a map rather than from a join, as a join may reorder rows.
    connection.execute(
        f"""
        INSERT INTO jobs
        SELECT
            workload, split_part(filename, '/', -2) AS policy,
            replication, job, submit_us, runtime_us, estimate_us, size,
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
    """List the policies whose family defines a job's wait as the time to its first start."""
    found = connection.execute(
        "SELECT policy FROM policies JOIN families USING (family) WHERE wait = 'to_first_start' ORDER BY policy"
    ).fetchall()
    return [policy for (policy,) in found]


def cells_by_family(
    connection: duckdb.DuckDBPyConnection, cells: list[tuple[str, str]]
) -> dict[str, list[tuple[str, str]]]:
    """Sort cells by the family of their policy."""
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
