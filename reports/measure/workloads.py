"""Loading the workloads of a run of the pipeline: machines, offered loads, users, recorded starts and rejected lines."""

import json
from pathlib import Path
from typing import Any

import duckdb

from reports.measure.files import columns_of, replication_in, require
from reports.measure.queries import insert
from scheduler_core.common.errors import StudyError
from scheduler_core.common.files import read_json
from traces.catalog import catalog, known_log


def kind_and_source(entry: dict[str, Any]) -> tuple[str, str]:
    """Return ``log`` or ``model``, and the name of that log or model."""
    kind = "log" if "log" in entry else "model"
    return kind, entry[kind]


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
             entry.get("variant"), jobs == 0, json.dumps(provenance, sort_keys=True), is_drawn(provenance))
        )  # fmt: skip
    insert(connection, "workloads", rows)
    insert(connection, "clusters", clusters)


def is_drawn(provenance: list[dict[str, Any]]) -> bool:
    """Return whether jobs come from the log that slotwise drew, under any name, or from a model that was fitted to it."""
    first = provenance[0] if provenance else {}
    fit = first.get("fit") or {}
    used = (first.get("sha256"), (fit.get("log") or {}).get("sha256"))
    return any(entry.drawn and entry.sha256 in used for entry in catalog().values())


def target_load(entry: dict[str, Any]) -> float | None:
    """Return the load that a workload was scaled to: the mean where replications take several loads in turn."""
    load = entry.get("load")
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
    """Return the capacity of a machine in processors of speed 1, as an integer where it is one."""
    capacity = sum(cluster["processors"] * cluster["speed"] for cluster in machine["clusters"])
    return int(capacity) if float(capacity).is_integer() else float(capacity)


def offered(connection: duckdb.DuckDBPyConnection, path: Path, capacity: int | float) -> tuple[int, float | None]:
    """Count a workload's jobs, and return its offered load: the mean over replications, null without a span."""
    replication = replication_in(path)
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
        path = require(root / "workloads" / f"{name}.parquet")
        if "user" in columns_of(path):
            connection.execute(
                f"""
                INSERT INTO users
                SELECT $1, {replication_in(path)}, job, "user" FROM read_parquet($2) WHERE "user" IS NOT NULL
                """,
                [name, str(path)],
            )


def load_recorded_starts(
    connection: duckdb.DuckDBPyConnection, root: Path, workloads: dict[str, dict[str, Any]]
) -> None:
    """Fill ``recorded_starts`` from the logs of the catalogue whose schedule is a simulator's."""
    for name, entry in workloads.items():
        kind, source = kind_and_source(entry)
        log = known_log(source) if kind == "log" else None
        path = require(root / "workloads" / f"{name}.parquet")
        if log is not None and log.schedule and "recorded_wait_us" in columns_of(path):
            connection.execute(
                f"""
                INSERT INTO recorded_starts
                SELECT $1, {replication_in(path)}, job, submit_us + recorded_wait_us FROM read_parquet($2)
                """,
                [name, str(path)],
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
    for fate, key in (("comment", "comments"), ("kept", "kept"), ("repaired", "repaired"), ("rejected", "rejected")):
        lines = note.get(key, 0)
        by_rule = sorted(lines.items()) if isinstance(lines, dict) else [("", lines)]
        found += [(fate, rule, number) for rule, number in by_rule]
    return found
