"""Logs that were missing when the report was made, what is shorter without them, and how to get them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from reports.draw.charts import Row, fetch
from traces.catalog import known_log

if TYPE_CHECKING:
    import duckdb

    from traces.catalog import LogEntry


def log_of(kind: str, source: str, provenance: list[dict[str, Any]]) -> str | None:
    """Return the log that a workload needs: its own, or the one that its model must be fitted to; None if it needs none."""
    if kind == "log":
        entry = known_log(source)
        return entry.name if entry else source
    fit = (provenance or [{}])[0].get("fit")
    return str(fit["log"]["source"]) if fit and provenance[0].get("missing") else None


def logs_of(connection: duckdb.DuckDBPyConnection, study: str | None = None) -> dict[str, Row]:
    """Return the real logs that a study needs, or all studies, by name: ``missing``, and the ids of ``studies``, in order."""
    found = fetch(
        connection,
        """
        WITH used AS (SELECT study, workload FROM cells UNION SELECT study, cell_workload FROM reading_cells)
        SELECT kind, source, missing, provenance, study FROM used JOIN workloads USING (workload) JOIN studies USING (study)
        WHERE drawn IS NOT true AND ($study IS NULL OR study = $study) ORDER BY studies.position, workload""",
        study=study,
    )
    logs: dict[str, Row] = {}
    for row in found:
        name = log_of(row["kind"], row["source"], json.loads(row["provenance"] or "[]"))
        if name is not None:
            log = logs.setdefault(name, {"missing": row["missing"], "studies": []})
            log["studies"] = list(dict.fromkeys([*log["studies"], row["study"]]))
    return logs


def missing_logs(connection: duckdb.DuckDBPyConnection, titles: dict[str, str]) -> Row:
    """Return what is missing: ``logs``, each with its studies and address; ``studies`` that are shorter; ``of`` how many logs.

    ``titles`` are those of studies, by id. ``drawn`` tells whether the log that slotwise drew is shown.
    """
    needed = logs_of(connection)
    lost = {name: log for name, log in needed.items() if log["missing"]}
    shorter = [study for study in titles if any(study in log["studies"] for log in lost.values())]
    return {
        "logs": [
            {
                "label": label_of(name),
                "name": name,
                "url": entry.url if (entry := known_log(name)) else "",
                "studies": [linked(titles, one) for one in log["studies"]],
            }
            for name, log in sorted(lost.items())
        ],
        "studies": [linked(titles, study) for study in shorter],
        "of": len(needed),
        "drawn": bool(fetch(connection, "SELECT 1 FROM workloads WHERE drawn LIMIT 1")),
    }


def linked(titles: dict[str, str], study: str) -> Row:
    """Return a study as a link."""
    return {"title": titles[study], "href": f"study-{study}.html"}


def missing_in(connection: duckdb.DuckDBPyConnection, study: str) -> list[str]:
    """Return the labels of the missing logs of a study."""
    return [label_of(name) for name, log in sorted(logs_of(connection, study).items()) if log["missing"]]


def shows_drawn_log(connection: duckdb.DuckDBPyConnection, study: str) -> bool:
    """Return whether a study shows the log that slotwise drew."""
    query = "SELECT 1 FROM cells JOIN workloads USING (workload) WHERE study = $study AND drawn LIMIT 1"
    return bool(fetch(connection, query, study=study))


def label_of(name: str) -> str:
    """Return the label of a log in the catalogue, or its name."""
    entry = known_log(name)
    return entry.label if entry else name


def how_to_get(entry: LogEntry | None) -> str:
    """Return how to get a missing log."""
    if entry is None:
        return "Correct the path of its file in the study."
    return (
        f"Run `slotwise logs fetch {entry.name}`, or download {entry.url} into traces/logs/ (or into a folder that "
        "$SLOTWISE_TRACES names), and run the pipeline again: only the results that depend on it are rebuilt."
    )
