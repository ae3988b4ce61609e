"""The pages of checks and of provenance: what was proven of the schedules, and what produced them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from reports.draw.charts import plain
from reports.draw.vocabulary import count, significant
from reports.pages import tables
from reports.pages.labels import policy_labels, workload_labels
from reports.pages.records import Column, Row, write_records

if TYPE_CHECKING:
    import duckdb

RUNS = (
    Column("policy_label", "Policy"),
    Column("replication", "Replication", number=True),
    Column("jobs", "Jobs", number=True),
    Column("kernel", "Kernel (s)", number=True),
    Column("speed", "Jobs/s", number=True),
    Column("ordering", "Ordering groups (s; tree nodes/s)", number=True),
    Column("workload_digest", "Workload digest"),
    Column("schedule_digest", "Schedule digest"),
)
CHECKS = (
    Column("policy_label", "Policy"),
    Column("replications", "Replications", number=True),
    Column("rules", "Rules", number=True),
    Column("checked", "Checked", number=True),
    Column("violations", "Violations", number=True),
)
POLICIES = (Column("label", "Policy"), Column("parameters", "Parameters"), Column("source", "Source"))
DIGITS = 12
"""Digits of a digest that a page shows; files have them all."""


def checks(connection: duckdb.DuckDBPyConnection, total: dict[str, str], out: Path) -> Row:
    """Return the checker's results: by rule, by workload, and violations; single runs go to files below ``out``."""
    by_rule = every(
        connection,
        """
        SELECT rule, count(*) AS runs, sum(checked)::BIGINT AS checked, sum(violations)::BIGINT AS violations
        FROM certificates GROUP BY rule ORDER BY rule""",
    )
    by_run = every(
        connection,
        """
        SELECT workload, policy, count(DISTINCT replication) AS replications, count(DISTINCT rule) AS rules,
            sum(checked)::BIGINT AS checked, sum(violations)::BIGINT AS violations
        FROM certificates GROUP BY workload, policy ORDER BY workload, policy""",
    )
    each = every(
        connection,
        """
        SELECT workload, policy, rule, count(*) AS replications, sum(checked)::BIGINT AS checked,
            sum(violations)::BIGINT AS violations
        FROM certificates GROUP BY workload, policy, rule ORDER BY workload, policy, rule""",
    )
    named(connection, by_run)
    named(connection, each)
    violated = [row for row in each if row["violations"]]
    for row in (*by_rule, *by_run):
        row["checked"], row["violations"] = count(row["checked"]), count(row["violations"])
    return {
        "title": "Checks",
        "by_rule": by_rule,
        "violated": [
            {**row, "checked": count(row["checked"]), "violations": count(row["violations"])} for row in violated
        ],
        "records": write_records(out, "checks", by_run, "workload_label", CHECKS, every=each),
        "total": total,
        "unchecked": tables.unchecked(connection),
    }


def provenance(connection: duckdb.DuckDBPyConnection, root: Path, given: Row, out: Path) -> Row:
    """Return versions, digests, seeds and wall times; single runs and policies go to files below ``out``."""
    runs = every(
        connection,
        """
        SELECT workload, policy, replication, jobs, kernel_s, optimiser_s, (counters ->> 'tree_nodes')::BIGINT AS tree_nodes,
            workload_digest, schedule_digest
        FROM runs ORDER BY workload, policy, replication""",
    )
    named(connection, runs)
    policies = every(
        connection,
        "SELECT families.label AS family, policies.label, policy, parameters, source "
        "FROM policies LEFT JOIN families USING (family) ORDER BY families.label, policies.position, policy",
    )
    logs = [json.loads(path.read_text(encoding="utf-8")) for path in sorted((root / "logs").glob("*.json"))]
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


def every(connection: duckdb.DuckDBPyConnection, sql: str) -> list[Row]:
    """Return all rows of a query, however many."""
    cursor = connection.execute(sql)
    names = [column[0] for column in cursor.description]
    return [dict(zip(names, map(plain, values), strict=True)) for values in cursor.fetchall()]


def named(connection: duckdb.DuckDBPyConnection, rows: list[Row]) -> None:
    """Add to rows of runs the distinct names of their workloads and policies."""
    workloads, policies = workload_labels(connection), policy_labels(connection)
    for row in rows:
        row["workload_label"] = workloads.get(row["workload"], row["workload"])
        row["policy_label"] = policies.get(row["policy"], row["policy"])


def run_texts(row: Row) -> Row:
    """Return a run as the page of provenance shows it."""
    seconds, ordering = row["kernel_s"], row["optimiser_s"]
    tree = count((row["tree_nodes"] or 0) / ordering) if ordering else ""
    return {
        **row,
        "jobs": count(row["jobs"]),
        "kernel": significant(seconds),
        "speed": count(row["jobs"] / seconds) if seconds else "–",
        "ordering": f"{significant(ordering)} ({tree})" if ordering else "–",
        "workload_digest": row["workload_digest"][:DIGITS],
        "schedule_digest": row["schedule_digest"][:DIGITS],
    }


def by_workload(runs: list[Row]) -> list[Row]:
    """Return the sums of each workload's runs: policies, runs, jobs, wall time."""
    found: dict[str, list[Row]] = {}
    for row in runs:
        found.setdefault(row["workload_label"], []).append(row)
    summed = []
    for label, own in sorted(found.items()):
        jobs, seconds = sum(row["jobs"] for row in own), sum(row["kernel_s"] or 0.0 for row in own)
        summed.append(
            {
                "label": label,
                "policies": count(len({row["policy"] for row in own})),
                "runs": count(len(own)),
                "jobs": count(jobs),
                "kernel": significant(seconds),
                "speed": count(jobs / seconds) if seconds else "–",
            }
        )
    return summed


def versions() -> list[tuple[str, str]]:
    """List the versions of the packages that computed and drew."""
    import platform
    from importlib.metadata import version

    packages = ("slotwise", "altair", "duckdb", "numba", "numpy", "polars", "scipy", "snakemake", "vl-convert-python")
    return [("Python", platform.python_version()), *((package, version(package)) for package in packages)]
