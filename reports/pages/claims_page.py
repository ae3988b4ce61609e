"""The claims explorer: every claim of every source on one page, with the data that its scripts filter, sort and show."""

import json
from collections import Counter
from pathlib import Path

import duckdb

from reports.draw.charts import Row, fetch
from reports.draw.verdicts import VERDICT_LOOKS
from reports.pages.claim_rows import CAUSES, ROBUSTNESS, brief, readings
from reports.pages.words import JUDGED, JUDGED_WORDS, KINDS
from scheduler_core.common.comma_separated import comma_separated
from scheduler_core.common.files import write_text

DATA = "data/claims.js"
"""The file of the page's data. It is a script, because a page opened from a folder may load scripts but not read files."""

KEPT = ("study", "claim", "kind", "headline", "sentence", "citation", "section", "printed", "unit", "finding",
        "expectation", "verdict", "tally", "mix", "strip", "seconds", "robustness", "robust", "cause", "explanation", "fitted",
        "data_needed", "data_words", "draws_needed", "line", "evidence", "href", "brief", "unit_words")  # fmt: skip
"""The columns of a claim that the page's scripts get."""

WORDS = {"kind": KINDS, "verdict": dict.fromkeys(VERDICT_LOOKS, ""), "cause": CAUSES, "robustness": ROBUSTNESS}
"""Facets by which the page filters, with the meaning of their values."""


def context(claims: list[Row], miniature: bool) -> Row:
    """Return the content of the page before its scripts run."""
    counts = Counter((claim["study"], claim["title"]) for claim in claims)
    return {
        "title": "Claims",
        "sources": [{"study": study, "title": title, "claims": count} for (study, title), count in counts.items()],
        "claims": len(claims),
        "counted": JUDGED_WORDS,
        "miniature": miniature,
        "data": DATA,
    }


def write_data(connection: duckdb.DuckDBPyConnection, out: Path, claims: list[Row]) -> None:
    """Write the data of the page: claims for its scripts, and all evidence under all readings as CSV."""
    found = [{**claim, "brief": brief(claim)} for claim in claims]
    texts: list[str] = []
    data = {
        "words": WORDS,
        "looks": {verdict: [look.style, look.sign] for verdict, look in VERDICT_LOOKS.items()},
        "counted": JUDGED,
        "readings": readings(connection),
        "texts": texts,
        "claims": [shared({key: claim[key] for key in KEPT} | {"title": claim["title"], "figure": figure_of(claim, out)}, texts)
                   for claim in found],
    }  # fmt: skip
    write_text(out / DATA, f"window.slotwiseClaims = {json.dumps(data, ensure_ascii=False, separators=(',', ':'))};\n")
    evidence = fetch(
        connection,
        "SELECT e.study, e.claim, claims.headline, coalesce(r.label, '') AS reading, role, e.label, value, low, high, units, "
        "e.printed, e.verdict, e.draws_needed, e.detectable FROM claim_evidence AS e JOIN claims USING (study, claim) "
        "LEFT JOIN readings AS r ON r.study = e.study AND r.reading = e.reading "
        "ORDER BY e.study, claims.position, e.claim, r.position, role, e.position",
    )
    write_text(out / "tables" / "claims.csv", comma_separated(evidence))


def shared(claim: Row, texts: list[str]) -> Row:
    """Return a claim whose sentence and citation are places in ``texts``, which claims share, with its strip in words."""
    claim["strip"] = [[one["place"], one["verdict"], one["tally"]] for one in claim["strip"]]
    claim["seconds"] = [{key: one[key] for key in ("label", "verdict", "tally", "finding")} for one in claim["seconds"]]
    for key in ("sentence", "citation"):
        if claim[key] not in texts:
            texts.append(claim[key])
        claim[key] = texts.index(claim[key])
    return claim


def figure_of(claim: Row, out: Path) -> str:
    """Return the path of the figure that shows a claim; empty if it names none or the figure has no data."""
    name = claim["figure"]
    drawn = (out / "figures" / claim["study"] / f"{name}.json").is_file()
    return f"study-{claim['study']}.html#{name}" if name and drawn else ""
