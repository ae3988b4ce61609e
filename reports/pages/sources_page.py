"""Two pages on how far the ledger reaches: every testable sentence of the sources, and every choice made after a result."""

import duckdb

from reports.draw.charts import Row, fetch

TESTED, NOT_TESTABLE, NOT_YET = "claims test it", "cannot be tested", "no claim yet"
"""What becomes of a testable sentence."""


def coverage(connection: duckdb.DuckDBPyConnection, claims: list[Row]) -> Row:
    """Return the content of the page of coverage; ``claims`` are those of all studies (:func:`claim_rows`).

    ``sources`` have ``source``, ``counts`` (:func:`counts`) and ``sentences``: rows ``section, sentence, reason, needs, state``
    and ``claims``.
    """
    sentences = fetch(
        connection,
        "SELECT s.* FROM sentences AS s JOIN studies USING (study) ORDER BY studies.position, study, s.position",
    )
    known = {(row["study"], row["claim"]): row for row in claims}
    sources: dict[str, list[Row]] = {}
    for row in sentences:
        row["state"] = state(row)
        row["claims"] = [known[row["study"], claim] for claim in row["claims"]]
        sources.setdefault(row["source"], []).append(row)
    return {
        "title": "Coverage",
        "sources": [{"source": source, "counts": counts(rows), "sentences": rows} for source, rows in sources.items()],
        "counts": counts(sentences),
    }


def state(sentence: Row) -> str:
    """Return what becomes of a sentence."""
    if sentence["claims"]:
        return TESTED
    return NOT_TESTABLE if not sentence["needs"] else NOT_YET


def counts(sentences: list[Row]) -> Row:
    """Return how many sentences there are, and how many have claims, cannot be tested, and have no claim yet."""
    states = [row["state"] for row in sentences]
    return {
        "all": len(states),
        "tested": states.count(TESTED),
        "untestable": states.count(NOT_TESTABLE),
        "open": states.count(NOT_YET),
    }


def fitted(claims: list[Row]) -> Row:
    """Return the content of the page of choices made after a result was seen; ``claims`` as for :func:`coverage`.

    ``studies`` have ``title``, ``href`` and ``choices``: rows ``fitted`` (what was chosen) and ``claims``, those that rest on it.
    """
    found = [claim for claim in claims if claim["fitted"]]
    studies: dict[str, Row] = {}
    for claim in found:
        href = f"study-{claim['study']}.html"
        study = studies.setdefault(claim["study"], {"title": claim["title"], "href": href, "choices": {}})
        for choice in claim["fitted"].split("\n"):
            study["choices"].setdefault(choice, []).append(claim)
    for study in studies.values():
        study["choices"] = [{"fitted": text, "claims": claims} for text, claims in study["choices"].items()]
    return {"title": "What was fitted", "studies": list(studies.values()), "claims": len(found)}
