"""The content of each page of the report: plain data for the templates, read from the store."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from reports.draw.charts import fetch
from reports.draw.vocabulary import count, significant
from reports.pages import tables
from reports.pages.diagram_page import diagrams_of
from reports.pages.missing import how_to_get, log_of
from traces.accounting import REJECTIONS, REPAIRS
from traces.catalog import known_log

if TYPE_CHECKING:
    import duckdb

    from traces.catalog import LogEntry

Context = dict[str, Any]

MEANINGS = {**REPAIRS, **REJECTIONS}
"""The fate of a log's line in words, by the rule's name."""

MOST_LOAD = 10
"""Above this offered load jobs come nearly at once, as in worked examples."""


def totals(connection: duckdb.DuckDBPyConnection) -> dict[str, int]:
    """Return the numbers of jobs, runs, checks and violations in the whole store."""
    (runs,) = fetch(connection, "SELECT coalesce(sum(jobs), 0)::BIGINT AS jobs, count(*) AS runs FROM runs")
    sums = "coalesce(sum(checked), 0)::BIGINT AS checked, coalesce(sum(violations), 0)::BIGINT AS violations"
    return runs | fetch(connection, f"SELECT {sums} FROM certificates")[0]


def workload_contexts(connection: duckdb.DuckDBPyConnection) -> list[Context]:
    """Return the content of the pages of logs and models, without figures."""
    pages = tables.workload_pages(connection)
    for page in pages:
        log = log_of(page["kind"], page["source"], page["provenance"])
        entry = known_log(log) if log else None
        least, most = page["least_load"], page["most_load"]
        loads = [load_words(load) for load in (least, most) if load is not None and load == load]
        # the accounting is a table of its own
        provenance = {key: value for key, value in (page["provenance"] or [{}])[0].items() if key != "accounting"}
        page.update(
            href=f"workload-{page['page']}.html",
            label=entry.label if entry and page["missing"] else page["label"],
            how=how_to_get(entry),
            drawn_by_us=entry is not None and entry.drawn,
            processors_text=" to ".join(dict.fromkeys(map(count, (page["least_processors"], page["processors"])))),
            shown=[
                {
                    "label": row["label"],
                    "processors": cluster_words(row["clusters"]) or count(row["processors"]),
                    "draws": count(row["replications"]),
                    "jobs": count(row["jobs"]),
                    "load": "all at once" if row["offered_load"] is None else load_words(row["offered_load"]),
                }
                for row in page["shown"]
            ],
            jobs_text=count(page["jobs"]),
            load_text=" to ".join(dict.fromkeys(loads)) or "–",
            accounting=[
                {**row, "rule": MEANINGS.get(row["rule"], row["rule"]), "text": count(row["lines"])}
                for row in tables.accounting(connection, page["drawn"])
            ],
            entry=terms_of(entry),
            facts=tables.flat(provenance),
        )
    return pages


def load_words(load: float) -> str:
    """Return an offered load in per cent; a load of jobs that come nearly at once says only that it is large."""
    return f"over {count(MOST_LOAD * 100)}" if load > MOST_LOAD else significant(load * 100)


def cluster_words(clusters: list[tuple[int, float]] | None) -> str:
    """Return a machine's clusters, equal ones together: ``4 x 128``, ``128 + 64 at speed 2``; empty for one cluster."""
    if clusters is None or len(clusters) < 2:
        return ""
    alike: dict[tuple[int, float], int] = {}
    for cluster in clusters:
        alike[cluster] = alike.get(cluster, 0) + 1
    return " + ".join(
        f"{f'{number} × ' if number > 1 else ''}{count(size)}{'' if speed == 1 else f' at speed {speed:g}'}"
        for (size, speed), number in alike.items()
    )


def terms_of(entry: LogEntry | None) -> list[tuple[str, str]]:
    """Return terms, acknowledgement, citation and known quirks of a log."""
    if entry is None:
        return []
    return [
        ("Terms", entry.terms),
        ("Terms of the archive", entry.archive_terms),
        ("Acknowledgement", entry.acknowledgement),
        ("Citation", entry.citation),
        ("Citation of the archive", entry.archive_citation),
        ("Known quirks", " ".join(entry.quirks) or "None."),
        ("Page of the log", entry.page),
    ]


def schedules(windows: Path, root: str) -> Context:
    """Return the diagrams of schedules in chosen windows, for each family with one.

    ``windows`` has the windows, a folder per family. ``root`` is the folder of the results, as commands that read its runs name
    it.
    """
    found = diagrams_of(windows, root)
    scripts = dict.fromkeys(script for diagram in found for script in diagram["scripts"])
    return {"title": "Schedules", "diagrams": found, "scripts": list(scripts)}
