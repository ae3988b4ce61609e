"""Two pages on how far the ledger reaches: every testable sentence of the sources, and every choice made after a result."""

import duckdb

from reports.draw.charts import Row, fetch
from reports.pages.claim_rows import mix

TESTED, NOT_TESTABLE, NOT_YET = "claims test it", "cannot be tested", "no claim yet"
"""What becomes of a testable sentence."""


def coverage(connection: duckdb.DuckDBPyConnection) -> Row:
    """Return the content of the page of coverage.

    ``sources`` have ``source``, ``counts`` (:func:`counts`) and ``sentences``: rows ``section, sentence, reason, needs, state``
    and ``claims``, each ``href, headline, verdict, mix``.
    """
    sentences = fetch(
        connection,
        "SELECT s.* FROM sentences AS s JOIN studies USING (study) ORDER BY studies.position, study, s.position",
    )
    claims = {(row["study"], row["claim"]): row for row in fetch(connection, "FROM claims")}
    sources: dict[str, list[Row]] = {}
    for row in sentences:
        row["state"] = state(row)
        row["claims"] = [linked(claims[row["study"], claim]) for claim in row["claims"]]
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


def linked(claim: Row) -> Row:
    """Return a claim as a link with its verdict."""
    href = f"study-{claim['study']}.html#claim-{claim['claim']}"
    return {"href": href, "headline": claim["headline"], "verdict": claim["verdict"], "mix": mix(claim)}


def fitted(connection: duckdb.DuckDBPyConnection) -> Row:
    """Return the content of the page of choices made after a result was seen.

    ``studies`` have ``title``, ``href`` and ``choices``: rows ``fitted`` (what was chosen) and ``claims``, those that rest on it.
    """
    found = fetch(
        connection,
        "SELECT claims.*, title FROM claims JOIN studies USING (study) WHERE fitted <> '' "
        "ORDER BY studies.position, study, claims.position",
    )
    studies: dict[str, Row] = {}
    for claim in found:
        href = f"study-{claim['study']}.html"
        study = studies.setdefault(claim["study"], {"title": claim["title"], "href": href, "choices": {}})
        for choice in claim["fitted"].split("\n"):
            study["choices"].setdefault(choice, []).append(linked(claim))
    for study in studies.values():
        study["choices"] = [{"fitted": text, "claims": claims} for text, claims in study["choices"].items()]
    return {"title": "What was fitted", "studies": list(studies.values()), "claims": len(found)}
