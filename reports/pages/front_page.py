"""The front page: the answer of each study, its claims as a strip of squares, and every workload under every policy."""

import json
from pathlib import Path
from typing import Any

import duckdb

from reports.draw.charts import Row, fetch, plain, policies_of, show
from reports.draw.verdicts import VERDICT_LOOKS
from reports.draw.vocabulary import factor, interval, measured
from reports.measure.catalogue import metric
from reports.measure.verdict_words import NOT_TESTABLE
from reports.pages import sources_page, tables
from reports.pages.answers import answers_of, second_counts, with_seconds
from reports.pages.claim_rows import mix
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


def context(connection: duckdb.DuckDBPyConnection, root: str, out: Path) -> Row:
    """Return the content of the front page, and write the data of its plot."""
    total = totals(connection)
    plot = ratios(connection)
    write_text(
        out / RATIOS, f"window.slotwiseRatios = {json.dumps(plot, ensure_ascii=False, separators=(',', ':'))};\n"
    )
    counted = verdict_counts(connection)
    by_verdict = {verdict: sum(row["counts"][place] for row in counted) for place, verdict in enumerate(VERDICT_LOOKS)}
    counted_claims = sum(by_verdict.values())
    scale = SCALES.get(root, "") if counted_claims or root != "results" else ""  # the small scale leaves claims open
    return {
        "title": "Answers",
        "scale": scale + f"{total['jobs']:,} jobs were scheduled in {total['runs']:,} runs, and all of "
        f"{total['checked']:,} checks of the schedules {'were made' if total['violations'] else 'held'}.",
        "violations": total["violations"],
        "missing": missing_logs(connection, {row["study"]: row["title"] for row in tables.studies(connection)}),
        "studies": [
            {**study, "href": f"study-{study['study']}.html", **answer(connection, study["study"]),
             "strip": strip(connection, study["study"]), "second_strips": second_strips(connection, study["study"])}
            for study in tables.studies(connection)
        ],
        "kinds": JUDGED,
        "counted_kinds": JUDGED_WORDS,
        "verdicts": list(VERDICT_LOOKS),
        "counts": counted,
        "claims": counted_claims,
        "reproduced": by_verdict["reproduced"],
        "by_verdict": by_verdict,
        "seconds": second_counts(connection),
        "coverage": sources_page.coverage(connection)["counts"],
        "fitted": sources_page.fitted(connection)["claims"],
        "plot": plot,
        "unfinished": bool(connection.execute("SELECT 1 FROM runs WHERE unfinished > 0 LIMIT 1").fetchone()),
        "data": RATIOS,
        "miniature": root == "results/quick",
    }  # fmt: skip


def answer(connection: duckdb.DuckDBPyConnection, study: str) -> Row:
    """Return the first sentence of a study's answer that could be judged, and its first number as a chart; each may be empty.

    ``seconds`` are the sentences in its place under second headlines; ``fitted`` is as in :func:`answers_of`.
    """
    found = with_seconds(answers_of(connection, study), answers_of(connection, study, "second_headline"))
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


def strip(connection: duckdb.DuckDBPyConnection, study: str) -> list[Row]:
    """Return a study's claims that carry evidence, by verdict: ``verdict`` and the ``headlines`` of its claims.

    Behind the headline of a claim with several rows stands how many of them have which verdict.
    """
    found = fetch(
        connection,
        "SELECT * FROM claims WHERE study = $study AND list_contains($kinds, kind) ORDER BY position",
        study=study,
        kinds=list(JUDGED),
    )
    return by_verdict(found)


def second_strips(connection: duckdb.DuckDBPyConnection, study: str) -> list[Row]:
    """Return the second headlines of a study: ``label``, and ``strip`` as :func:`strip` makes it."""
    found = fetch(
        connection,
        "SELECT label, claims.headline, under.* FROM claim_readings AS under JOIN claims USING (study, claim) "
        "JOIN readings USING (study, reading) WHERE study = $study AND second_headline AND list_contains($kinds, kind) "
        "ORDER BY readings.position, claims.position",
        study=study,
        kinds=list(JUDGED),
    )
    labels = dict.fromkeys(row["label"] for row in found)
    return [{"label": label, "strip": by_verdict([row for row in found if row["label"] == label])} for label in labels]


def by_verdict(claims: list[Row]) -> list[Row]:
    """Return claims by verdict: ``verdict`` and the ``headlines`` of its claims."""
    told = [(row["verdict"], f"{row['headline']} ({mix(row)})" if mix(row) else row["headline"]) for row in claims]
    groups = [(name, [headline for verdict, headline in told if verdict == name]) for name in VERDICT_LOOKS]
    return [{"verdict": name, "headlines": headlines} for name, headlines in groups if headlines]


def verdict_counts(connection: duckdb.DuckDBPyConnection) -> list[Row]:
    """Return how many claims of each kind that carries evidence have each verdict."""
    found = fetch(connection, "SELECT kind, verdict, count(*) AS claims FROM claims GROUP BY ALL")
    known = {(row["kind"], row["verdict"]): row["claims"] for row in found}
    return [{"kind": kind, "counts": [known.get((kind, name), 0) for name in VERDICT_LOOKS]} for kind in JUDGED]


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
