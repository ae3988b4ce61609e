"""The front page: the answer of each study, its claims as a strip of squares, and every workload under every policy."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import duckdb

from reports.draw.charts import Row, fetch, plain, policies_of, show
from reports.draw.verdicts import VERDICT_LOOKS
from reports.draw.vocabulary import factor, interval, measured
from reports.measure.catalogue import metric
from reports.measure.verdict_words import NOT_TESTABLE, REPRODUCED
from reports.pages import tables
from reports.pages.answers import answers_of
from reports.pages.contexts import totals
from reports.pages.missing import missing_logs
from reports.pages.words import JUDGED, JUDGED_WORDS
from scheduler_core.common.files import write_text

SCALES = {
    "results": "This is the small scale: with fewer draws and readings than the full one, more claims are left open. ",
    "results/quick": "This is the quick scale: a miniature to look at, not to draw conclusions from. ",
    "results/paper": "This is the scale of a publication. ",
}
RATIOS = "data/ratios.js"
"""The file of the data of the plot of workloads and policies, a script; see :mod:`reports.pages.claims_page`."""

WIDTH = 220
"""Width of a small chart, in pixels."""


def context(
    connection: duckdb.DuckDBPyConnection, root: str, out: Path, claims: list[Row], covered: Row, fitted: Row
) -> Row:
    """Return the content of the front page, and write the data of its plot.

    ``covered`` and ``fitted`` are the contents of the pages of :mod:`reports.pages.sources_page`.
    """
    total = totals(connection)
    plot = ratios(connection)
    write_text(
        out / RATIOS, f"window.slotwiseRatios = {json.dumps(plot, ensure_ascii=False, separators=(',', ':'))};\n"
    )
    studies = tables.studies(connection)
    judged = [claim for claim in claims if claim["kind"] in JUDGED]
    own = {study["study"]: [claim for claim in judged if claim["study"] == study["study"]] for study in studies}
    by_verdict = {verdict: sum(claim["verdict"] == verdict for claim in judged) for verdict in VERDICT_LOOKS}
    scale = SCALES.get(root, "") if judged or root != "results" else ""  # the small scale leaves claims open
    return {
        "title": "Answers",
        "scale": scale + f"{total['runs']:,} schedules have {total['jobs']:,} jobs, and all of "
        f"{total['checked']:,} checks of them {'were made' if total['violations'] else 'held'}.",
        "violations": total["violations"],
        "missing": missing_logs(connection, {row["study"]: row["title"] for row in studies}),
        "studies": [
            {**study, "href": f"study-{study['study']}.html", **answer(connection, study["study"]),
             "strip": strip(own[study["study"]]), "second_strips": second_strips(own[study["study"]])}
            for study in studies
        ],
        "kinds": JUDGED,
        "counted_kinds": JUDGED_WORDS,
        "verdicts": list(VERDICT_LOOKS),
        "counts": verdict_counts(judged),
        "claims": len(judged),
        "reproduced": by_verdict["reproduced"],
        "by_verdict": by_verdict,
        "seconds": second_counts(judged),
        "coverage": covered["counts"],
        "fitted": fitted["claims"],
        "plot": plot,
        "unfinished": bool(connection.execute("SELECT 1 FROM runs WHERE unfinished > 0 LIMIT 1").fetchone()),
        "data": RATIOS,
        "miniature": root == "results/quick",
    }  # fmt: skip


def answer(connection: duckdb.DuckDBPyConnection, study: str) -> Row:
    """Return the first sentence of a study's answer that could be judged, and its first number as a chart; each may be empty.

    ``seconds`` are the sentences in its place under second headlines; ``fitted`` is as in :func:`answers_of`.
    """
    found = answers_of(connection, study)
    stated = [row for row in found if row["part"] == "sentence" and row["text"]]
    sentences = [row for row in stated if row["verdict"] != NOT_TESTABLE]
    numbers = [row for row in found if row["part"] == "number" and row["value"] is not None]
    first = sentences[0] if sentences else {"text": "", "seconds": [], "fitted": False}
    number = small_chart(numbers[0]) if numbers else None
    return {"sentence": first["text"], "fitted": first["fitted"], "seconds": first["seconds"], "number": number}


def small_chart(row: Row) -> Row:
    """Place a number and its interval on a line, with the value that means no effect."""
    value = row["value"]
    low, high = (value if row[end] is None else row[end] for end in ("low", "high"))
    reference = 0.0 if row["unit"] else 1.0
    least, most = min(low, reference), max(high, reference)
    spread = (most - least) or abs(value) or 1.0
    least, most = least - 0.08 * spread, most + 0.08 * spread
    at = {
        name: round((place - least) / (most - least) * WIDTH, 1)
        for name, place in (("value", value), ("low", low), ("high", high), ("none", reference))
    }
    unit = f"\N{NO-BREAK SPACE}{row['unit']}" if row["unit"] else ""
    text, span = measured(value, row["low"], row["high"])
    return {"label": row["label"], "text": f"{text}{unit}", "interval": "" if span == "–" else f"{span}{unit}",
            "at": at, "width": WIDTH, "reference": f"{reference:g}{unit}: no effect", "anchor": anchor(at["none"])}  # fmt: skip


def anchor(place: float) -> str:
    """Return how a word is anchored at a place on the line, so that it stays within the chart."""
    return "start" if place < WIDTH / 3 else "end" if place > 2 * WIDTH / 3 else "middle"


def strip(claims: list[Row]) -> list[Row]:
    """Return claims by verdict: ``verdict`` and the ``headlines`` of its claims.

    Behind the headline of a claim with several rows stands how many of them have which verdict (``mix``).
    """
    told = [(row["verdict"], f"{row['headline']} ({row['mix']})" if row["mix"] else row["headline"]) for row in claims]
    groups = [(name, [headline for verdict, headline in told if verdict == name]) for name in VERDICT_LOOKS]
    return [{"verdict": name, "headlines": headlines} for name, headlines in groups if headlines]


def second_strips(claims: list[Row]) -> list[Row]:
    """Return the second headlines of claims of a study: ``label``, and ``strip`` as :func:`strip` makes it."""
    under: dict[str, list[Row]] = {}
    for claim in claims:
        for one in claim["seconds"]:
            under.setdefault(one["label"], []).append({**claim, "verdict": one["verdict"], "mix": one["tally"]})
    return [{"label": label, "strip": strip(own)} for label, own in under.items()]


def verdict_counts(claims: list[Row]) -> list[Row]:
    """Return how many claims of each kind that carries evidence have each verdict."""
    found = Counter((claim["kind"], claim["verdict"]) for claim in claims)
    return [{"kind": kind, "counts": [found[kind, name] for name in VERDICT_LOOKS]} for kind in JUDGED]


def second_counts(claims: list[Row]) -> list[Row]:
    """Return, for each second headline, how many claims are reproduced under it.

    Columns: ``title`` of the study; ``label`` and ``headline_label`` of the readings; ``claims``; ``reproduced`` and
    ``by_headline``, numbers of claims.
    """
    found: dict[tuple[str, str], Row] = {}
    for claim in claims:
        for one in claim["seconds"]:
            headline = next(reading["label"] for reading in claim["strip"] if reading["headline"])
            words = {"title": claim["title"], "label": one["label"], "headline_label": headline}
            row = found.setdefault(
                (claim["study"], one["label"]), {**words, "claims": 0, "reproduced": 0, "by_headline": 0}
            )
            row["claims"] += 1
            row["reproduced"] += one["verdict"] == REPRODUCED
            row["by_headline"] += claim["verdict"] == REPRODUCED
    return list(found.values())


def ratios(connection: duckdb.DuckDBPyConnection) -> list[Row]:
    """Return, per study, each policy's ratio to the study's reference policy, by workload and metric.

    A study has ``study, title, versus, workloads, policies`` (labels and colours) and ``metrics``: each ``label, better`` and
    ``cells``, rows of a workload's place, a policy's place, the ratio, its interval, and the words for the reader.
    """
    found = []
    for study in tables.studies(connection):
        show(connection, study["study"])
        own = study_ratios(connection)
        if own:
            found.append({"study": study["study"], "title": study["title"], **own})
    return found


def study_ratios(connection: duckdb.DuckDBPyConnection) -> Row:
    """Return the entry of :func:`ratios` for the shown study; empty if it compares nothing."""
    names = [name for name in tables.leading_of(connection) if name != tables.NOT_COMPLETED]
    found = fetch(
        connection,
        """
        SELECT s.workload, workload_label, s.policy, policy_label, c.metric, c.ratio, c.ratio_low, c.ratio_high, v.label AS versus
        FROM shown AS s JOIN comparisons AS c USING (workload, policy) JOIN studies USING (study)
            JOIN policies AS v ON v.policy = versus
        WHERE c.versus_workload = s.workload AND c.versus_policy = versus AND list_contains($names, c.metric) AND c.scope = 'all'
            AND ratio IS NOT NULL
        ORDER BY s.position""",
        names=names,
    )
    if not found:
        return {}
    workloads = {row["workload"]: row["workload_label"] for row in found}
    looks = policies_of(connection, found)
    places = (list(workloads), [look.policy for look in looks])
    measured = [name for name in names if any(row["metric"] == name for row in found)]
    return {
        "versus": found[0]["versus"],
        "workloads": list(workloads.values()),
        "policies": [{"label": look.label, "colour": look.colour} for look in looks],
        "metrics": [
            {
                "label": metric(name).label,
                "better": metric(name).better,
                "cells": [cell(row, *places) for row in found if row["metric"] == name],
            }
            for name in measured
        ],
    }


def cell(row: Row, workloads: list[str], policies: list[str]) -> list[Any]:
    """Return a cell of the plot, as :func:`ratios` lists it."""
    bounds = (row["ratio"], row["ratio_low"], row["ratio_high"])
    words = [factor(bound) for bound in bounds]
    where = [workloads.index(row["workload"]), policies.index(row["policy"])]
    return [*where, *map(plain, bounds), words[0], interval(words[1], words[2])]
