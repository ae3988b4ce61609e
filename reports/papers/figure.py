"""One figure of a study for a paper: PDF and SVG of exact width, its caption and its sources."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reports.draw.charts import fetch, span
from reports.draw.drawing import STORE, described, open_store
from reports.draw.pdf import canonical
from reports.draw.vocabulary import joined
from reports.papers.latex import bibliography, escaped, keys_of
from reports.papers.layout import TALL, WIDTHS, in_points, lay_out
from scheduler_core.common.errors import StudyError, nearest
from scheduler_core.common.files import read_json, replacing, write_text

if TYPE_CHECKING:
    import duckdb

Entry = dict[str, Any]

SCREEN = re.compile(r"\s*\b(?:Hover|Click|Point|Pick)\b[^.]*\.")
"""Sentences of captions that speak of the screen."""

TALLEST = re.compile(r'height="([\d.]+)mm"')


def entries_of(results: Path, study: str) -> list[Entry]:
    """Return the entries of a study's figures, as the pipeline lists them.

    Raises
    ------
    StudyError
        When the folder has no results of the study; the text says which command makes them.
    """
    listed = results / "figures" / study / "figures.json"
    if not listed.is_file() or not (results / STORE).is_file():
        raise StudyError(
            f"{results}: there are no results of the study '{study}'. "
            f"`slotwise study run {study} --out {results}` makes them, and --results names another folder"
        )
    return list(read_json(listed))


def find_figure(results: Path, study: str, name: str) -> Entry:
    """Return the entry of a figure; raise :class:`StudyError` when it does not exist or could not be drawn."""
    entries = {entry["name"]: entry for entry in entries_of(results, study)}
    if name not in entries:
        raise StudyError(f"study '{study}': there is no figure '{name}'; {nearest(name, entries)}")
    if reason := entries[name].get("absent"):
        raise StudyError(f"study '{study}': these results lack the figure '{name}': {reason}")
    return entries[name]


def write_figure(results: Path, study: str, entry: Entry, width: str, out: Path) -> float:
    """Write ``<figure>.pdf`` and ``<figure>.svg`` to a folder, and return the height of the picture in millimetres.

    Parameters
    ----------
    width
        ``85mm`` for a column, ``178mm`` for a page.
    """
    import vl_convert

    svg = lay_out(read_json(results / "figures" / study / f"{entry['name']}.json"), WIDTHS[width])
    svg = described(svg, entry["title"], entry["caption"])
    write_text(out / f"{entry['name']}.svg", svg)
    with replacing(out / f"{entry['name']}.pdf") as temporary:
        temporary.write_bytes(canonical(vl_convert.svg_to_pdf(in_points(svg))))
    found = TALLEST.search(svg)
    return float(found[1]) if found else 0.0


def is_too_tall(height: float) -> bool:
    """Return whether a height in millimetres exceeds that of a page."""
    return height > TALL


def caption(connection: duckdb.DuckDBPyConnection, results: Path, study: str, entry: Entry) -> str:
    """Return the caption of a figure as LaTeX: what it shows, the number of units and the kind of interval."""
    rows = read_json(results / "figures" / study / f"{entry['name']}.json")["data"]["values"]
    counted = [row for row in rows if row.get("units") is not None]
    told = [f"{entry['title']}.", SCREEN.sub("", entry["caption"]).strip()]
    if counted:
        kind = intervals(connection, study)
        told.append("; ".join(filter(None, (f"n = {span(counted, 'units')} independent units per mark", kind))) + ".")
    label = f"fig:{study}-{entry['name']}".replace("_", "-")
    return f"\\caption{{{escaped(' '.join(filter(None, told)))}}}\n\\label{{{label}}}\n"


def intervals(connection: duckdb.DuckDBPyConnection, study: str, begin: str = "intervals", without: str = "") -> str:
    """Return the kind of the intervals of a study in words that begin with ``begin``; ``without`` if it has none."""
    found = fetch(
        connection,
        "SELECT DISTINCT method FROM intervals JOIN cells USING (workload, policy) WHERE study = $study ORDER BY method",
        study=study,
    )
    methods = joined([str(row["method"]) for row in found])
    return f"{begin} are 95 % confidence intervals ({methods})" if methods else without


def sources_of(connection: duckdb.DuckDBPyConnection, study: str) -> dict[str, str]:
    """Return the sources to cite with a study, with their keys: the source, policies, logs and models."""

    def texts(sql: str) -> list[str]:
        return [str(row["text"]) for row in fetch(connection, sql, study=study) if row["text"]]

    used = "IN (SELECT {0} FROM cells WHERE study = $study)"
    cited = texts("SELECT citation AS text FROM claims WHERE study = $study ORDER BY position")
    policies = texts(f"SELECT source AS text FROM policies WHERE policy {used.format('policy')} ORDER BY position")
    works = [work.strip() for source in policies for work in source.split(";")]
    return keys_of([*cited, *works, *inputs(connection, study)])


def inputs(connection: duckdb.DuckDBPyConnection, study: str) -> list[str]:
    """Return how to cite the logs and the models of a study."""
    from traces.catalog import known_log

    found: list[str] = []
    for row in workloads(connection, study):
        if row["kind"] == "log" and (entry := known_log(row["source"])):
            found += [entry.citation, *([] if entry.drawn else [entry.archive_citation])]
        else:
            found += [str(one["publication"]) for one in row["provenance"][:1] if one.get("publication")]
    return [" ".join(text.split()) for text in found if text]


def workloads(connection: duckdb.DuckDBPyConnection, study: str) -> list[Entry]:
    """Return the workloads of a study that have jobs, with their provenance read."""
    found = fetch(
        connection,
        "SELECT * FROM workloads WHERE NOT missing AND workload IN (SELECT workload FROM cells WHERE study = $study) "
        "ORDER BY workload",
        study=study,
    )
    return [row | {"provenance": json.loads(row["provenance"] or "[]")} for row in found]


def write_one(results: Path, study: str, name: str, width: str, out: Path) -> float:
    """Write a figure with ``caption.tex`` and ``references.bib`` to a folder, and return its height in millimetres.

    Raises
    ------
    StudyError
        When there are no results, or no such figure in them.
    """
    entry = find_figure(results, study, name)
    with open_store(results) as connection:
        said = caption(connection, results, study, entry)
        cited = bibliography(sources_of(connection, study))
    height = write_figure(results, study, entry, width, out)
    write_text(out / "caption.tex", said)
    write_text(out / "references.bib", cited)
    return height
