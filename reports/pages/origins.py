"""The pages of checks and of provenance: what was proven of the schedules, and what produced them."""

from pathlib import Path

import duckdb

from reports.draw.charts import Row, fetch
from reports.draw.vocabulary import count, significant
from reports.pages import tables
from reports.pages.labels import policy_labels, workload_labels
from reports.pages.records import numbers, texts, write_records
from scheduler_core.common.files import read_json

RUNS = (
    *texts(policy_label="Policy"),
    *numbers(replication="Replication", jobs="Jobs", kernel="Kernel (s)", speed="Jobs/s"),
    *numbers(ordering="Ordering groups (s; tree nodes/s)"),
    *texts(workload_digest="Workload digest", schedule_digest="Schedule digest"),
)
CHECKS = (
    *texts(policy_label="Policy"),
    *numbers(replications="Replications", rules="Rules", checked="Checked", violations="Violations"),
)
POLICIES = texts(label="Policy", parameters="Parameters", source="Source")
DIGITS = 12
"""Digits of a digest that a page shows; files have them all."""


def checks(connection: duckdb.DuckDBPyConnection, total: dict[str, int], out: Path) -> Row:
    """Return the checker's results: by rule, by workload, and violations; single runs go to files below ``out``."""
    by_rule = checked_by(connection, "rule", "count(*) AS runs", "min(rowid)")
    by_run = checked_by(
        connection, "workload, policy", "count(DISTINCT replication) AS replications, count(DISTINCT rule) AS rules"
    )
    each = checked_by(connection, "workload, policy, rule", "count(*) AS replications")
    shown = [counted(row) for row in named(connection, by_run)]
    named(connection, each)
    return {
        "title": "Checks",
        "by_rule": [{**counted(row), "runs": count(row["runs"])} for row in by_rule],
        "violated": [counted(row) for row in each if row["violations"]],
        "records": write_records(out, "checks", shown, "workload_label", CHECKS, every=each),
        "total": {name: count(value) for name, value in total.items()},
        "unchecked": tables.unchecked(connection),
    }


def checked_by(connection: duckdb.DuckDBPyConnection, keys: str, counts: str, order: str = "") -> list[Row]:
    """Return how much was checked, and the violations found, by some columns of the certificates.

    Rows are in the order of these columns, or of ``order``: rules by ``min(rowid)`` stand as in the certificates, those of
    every family first.
    """
    sums = "sum(checked)::BIGINT AS checked, sum(violations)::BIGINT AS violations"
    return fetch(
        connection, f"SELECT {keys}, {counts}, {sums} FROM certificates GROUP BY {keys} ORDER BY {order or keys}"
    )


def counted(row: Row) -> Row:
    """Return a row of checks as pages show it."""
    return {**row, "checked": count(row["checked"]), "violations": count(row["violations"])}


def provenance(connection: duckdb.DuckDBPyConnection, root: Path, given: Row, out: Path) -> Row:
    """Return versions, digests, seeds and wall times; single runs and policies go to files below ``out``."""
    found = fetch(
        connection,
        """
        SELECT workload, policy, replication, jobs, kernel_s, optimiser_s, (counters ->> 'tree_nodes')::BIGINT AS tree_nodes,
            workload_digest, schedule_digest
        FROM runs ORDER BY workload, policy, replication""",
    )
    runs = named(connection, found)
    policies = fetch(
        connection,
        "SELECT families.label AS family, policies.label, policy, parameters, source "
        "FROM policies LEFT JOIN families USING (family) ORDER BY families.label, policies.position, policy",
    )
    logs = [read_json(path) for path in sorted((root / "logs").glob("*.json"))]
    shown = [run_texts(row) for row in runs]
    return {
        "title": "Provenance",
        "provenance": [
            ("Pipeline", tables.flat(given)),
            ("Versions", versions()),
            ("Logs", [(str(log.get("log")), str(log.get("path") or log.get("error"))) for log in logs]),
        ],
        "by_workload": by_workload(runs),
        "runs": write_records(out, "runs", shown, "workload_label", RUNS, every=runs),
        "policies": write_records(out, "policies", policies, "family", POLICIES),
    }


def named(connection: duckdb.DuckDBPyConnection, rows: list[Row]) -> list[Row]:
    """Add to rows of runs the distinct names of their workloads and policies, and return them."""
    workloads, policies = workload_labels(connection), policy_labels(connection)
    for row in rows:
        row["workload_label"] = workloads.get(row["workload"], row["workload"])
        row["policy_label"] = policies.get(row["policy"], row["policy"])
    return rows


def speed(jobs: int, seconds: float | None) -> Row:
    """Return jobs, wall time of the kernel and jobs per second as texts."""
    return {"jobs": count(jobs), "kernel": significant(seconds), "speed": count(jobs / seconds) if seconds else "–"}


def run_texts(row: Row) -> Row:
    """Return a run as the page of provenance shows it."""
    ordering = row["optimiser_s"]
    tree = count((row["tree_nodes"] or 0) / ordering) if ordering else ""
    return {
        **row,
        **speed(row["jobs"], row["kernel_s"]),
        "ordering": f"{significant(ordering)} ({tree})" if ordering else "–",
        "workload_digest": row["workload_digest"][:DIGITS],
        "schedule_digest": row["schedule_digest"][:DIGITS],
    }


def by_workload(runs: list[Row]) -> list[Row]:
    """Return the sums of each workload's runs: policies, runs, jobs, wall time."""
    found: dict[str, list[Row]] = {}
    for row in runs:
        found.setdefault(row["workload_label"], []).append(row)
    return [
        {
            "label": label,
            "policies": count(len({row["policy"] for row in own})),
            "runs": count(len(own)),
            **speed(sum(row["jobs"] for row in own), sum(row["kernel_s"] or 0.0 for row in own)),
        }
        for label, own in sorted(found.items())
    ]


def versions() -> list[tuple[str, str]]:
    """List the versions of the packages that computed and drew."""
    import platform
    from importlib.metadata import version

    packages = ("slotwise", "altair", "duckdb", "numba", "numpy", "polars", "scipy", "snakemake", "vl-convert-python")
    return [("Python", platform.python_version()), *((package, version(package)) for package in packages)]
