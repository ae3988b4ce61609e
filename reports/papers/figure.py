"""One figure of a study for a paper: PDF and SVG of exact width, its caption and its sources."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reports.draw.charts import fetch, span
from reports.draw.drawing import STORE, described, open_store
from reports.draw.pdf import canonical
from reports.draw.vocabulary import joined
from reports.papers.latex import bibliography, escaped, keys_of
from reports.papers.layout import WIDTHS, in_points
from reports.papers.parts import TALL, height_of, lay_out
from scheduler_core.common.errors import StudyError, nearest
from scheduler_core.common.files import read_json, replacing, write_text
from scheduler_core.common.speed_up import SOURCES as SPEED_UPS

if TYPE_CHECKING:
    import duckdb

Entry = dict[str, Any]

NO_REAL_LOG = "The drawn log is no real log: slotwise drew it from models, and no claim counts it."
"""What a paper says wherever it shows the log that ships with slotwise."""


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


def pictures_of(results: Path, study: str, entry: Entry, width: str, tall: float = TALL) -> dict[str, str]:
    """Return a figure as SVG by name: one picture, or parts that are numbered.

    Parameters
    ----------
    width
        ``85mm`` for a column, ``178mm`` for a page.
    tall
        The most height of a picture, in millimetres.
    """
    found = lay_out(read_json(results / "figures" / study / f"{entry['name']}.json"), WIDTHS[width], tall)
    names = [f"{entry['name']}-{place}" for place in range(1, len(found) + 1)] if len(found) > 1 else [entry["name"]]
    return dict(zip(names, found, strict=True))


def write_pictures(pictures: dict[str, str], entry: Entry, out: Path) -> None:
    """Write each picture of a figure to a folder as ``<name>.pdf`` and ``<name>.svg``."""
    import vl_convert

    for place, (name, picture) in enumerate(pictures.items(), start=1):
        svg = described(picture, f"{entry['title']}{numbered(place, len(pictures))}", printed(entry))
        write_text(out / f"{name}.svg", svg)
        with replacing(out / f"{name}.pdf") as temporary:
            temporary.write_bytes(canonical(vl_convert.svg_to_pdf(in_points(svg))))


def printed(entry: Entry) -> str:
    """Return the caption of a figure without the sentences that help on a screen only."""
    return str(entry.get("printed", entry["caption"]))  # results made by an older version have one caption


def numbered(place: int, parts: int) -> str:
    """Return which of several parts this is, in brackets; empty for the only one."""
    return f" ({place} of {parts})" if parts > 1 else ""


def captions(told: str, study: str, entry: Entry, parts: int) -> list[str]:
    """Return the captions of the parts of a figure as LaTeX: the first has the text, the others refer to it.

    Parameters
    ----------
    told
        What the figure shows (:func:`explanation`).
    """
    label = f"fig:{study}-{entry['name']}".replace("_", "-")
    refer = f" Continued from Figure~\\ref{{{label}}}."
    titles = [escaped(f"{entry['title']}{numbered(place, parts)}.") for place in range(1, parts + 1)]
    return [f"\\caption{{{titles[0]}{told}}}\n\\label{{{label}}}\n"] + [
        f"\\caption{{{title}{refer}}}\n\\label{{{label}-{place}}}\n" for place, title in enumerate(titles[1:], start=2)
    ]


def explanation(connection: duckdb.DuckDBPyConnection, results: Path, study: str, entry: Entry) -> str:
    """Return the text of a caption after its title, as LaTeX: what it shows, the number of units, the kind of interval."""
    rows = read_json(results / "figures" / study / f"{entry['name']}.json")["data"]["values"]
    counted = [row for row in rows if row.get("units") is not None]
    told = [printed(entry)]
    if shows_drawn_log(connection, rows):
        told.append(NO_REAL_LOG)
    if counted:
        kind = methods_of_intervals(connection, study)
        told.append(f"n = {span(counted, 'units')} independent units per mark{f'; intervals: {kind}' if kind else ''}.")
    return escaped("".join(f" {text}" for text in told if text))


def shows_drawn_log(connection: duckdb.DuckDBPyConnection, rows: list[Entry]) -> bool:
    """Return whether the data of a figure name the log that slotwise drew, at a load or as recorded."""
    labels = [str(row["label"]) for row in fetch(connection, "SELECT label FROM workloads WHERE drawn")]
    named = {text for row in rows for text in row.values() if isinstance(text, str)}
    return not named.isdisjoint(words for label in labels for words in (label, label.partition(", load")[0]))


def methods_of_intervals(connection: duckdb.DuckDBPyConnection, study: str) -> str:
    """Return how the intervals of a study were computed; empty if it has none."""
    found = fetch(
        connection,
        "SELECT DISTINCT method FROM intervals JOIN cells USING (workload, policy) WHERE study = $study ORDER BY method",
        study=study,
    )
    return joined([str(row["method"]) for row in found])


def sources_of(connection: duckdb.DuckDBPyConnection, study: str) -> dict[str, str]:
    """Return the sources to cite with a study, with their keys: the source, policies, logs and models."""

    def texts(sql: str) -> list[str]:
        return [str(row["text"]) for row in fetch(connection, sql, study=study) if row["text"]]

    used = "IN (SELECT {0} FROM cells WHERE study = $study)"
    cited = texts("SELECT citation AS text FROM claims WHERE study = $study ORDER BY position")
    policies = fetch(
        connection,
        f"SELECT name, source, parameters FROM policies WHERE policy {used.format('policy')} ORDER BY position",
        study=study,
    )
    works = [work.strip() for row in policies for work in works_of(row).split(";") if work.strip()]
    return keys_of([*cited, *works, *inputs(connection, study)])


def works_of(policy: Entry) -> str:
    """Return the works that a policy follows, parted by semicolons; of the user's own, that of the speed-up it chose, if any."""
    if given := own_parameters(policy):
        return SPEED_UPS.get(given.get("speed_up", ""), "")
    return str(policy["source"] or "")


def own_parameters(policy: Entry) -> Entry:
    """Return the parameters of a policy of the user's own, which name its file and function; nothing for a built-in policy."""
    given: Entry = json.loads(policy["parameters"])
    return given if {"file", "function", "sha256"} <= given.keys() else {}


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


def write_one(results: Path, study: str, name: str, width: str, out: Path) -> dict[str, float]:
    """Write a figure with its captions and ``references.bib`` to a folder; return its pictures' heights in millimetres, by name.

    The caption of a figure of one picture is ``caption.tex``; parts have ``caption-1.tex`` and so on.

    Raises
    ------
    StudyError
        When there are no results, or no such figure in them.
    """
    entry = find_figure(results, study, name)
    with open_store(results) as connection:
        told = explanation(connection, results, study, entry)
        cited = bibliography(sources_of(connection, study))
    pictures = pictures_of(results, study, entry, width)
    write_pictures(pictures, entry, out)
    for part, said in zip(pictures, captions(told, study, entry, len(pictures)), strict=True):
        write_text(out / f"caption{part.removeprefix(name)}.tex", said)
    write_text(out / "references.bib", cited)
    return {part: height_of(picture) for part, picture in pictures.items()}
