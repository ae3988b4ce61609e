"""The page of a study: the answer and its figure, the claims, further figures in sections, tables at the end."""

import json
from collections import Counter
from typing import Any

import duckdb

from reports.draw.charts import fetch, reference_of
from reports.draw.verdicts import VERDICT_LOOKS
from reports.draw.vocabulary import joined, measured
from reports.figures.forms.policies import unfinished_words, utilisation_words, wait_words
from reports.measure.verdict_words import NOT_TESTABLE
from reports.pages import tables
from reports.pages.answers import answers_of
from reports.pages.claim_rows import study_claims
from reports.pages.missing import missing_in, shows_drawn_log
from reports.pages.words import JUDGED, KINDS

Context = dict[str, Any]

CURVE = "specification_curve"
"""The figure that follows the claims: an effect under every reading."""

ROOM = 5500
"""Pixels for open claims, the curve and open figures together; further figures are folded under their titles."""

CLAIM = 70
"""Pixels of a claim's row."""

MOST_OPEN = 45
"""The most claims that are open on a page; further kinds are folded."""

BESIDE = 190
"""Pixels of a figure's title and caption."""


def context(connection: duckdb.DuckDBPyConnection, name: str, figures: list[Context]) -> Context:
    """Return the content of a study's page; ``figures`` are all of its figures, in order."""
    known = {row["study"]: row for row in tables.studies(connection)}[name]
    (page,) = fetch(connection, "SELECT page FROM studies WHERE study = $study", study=name)
    stated = json.loads(page["page"] or "{}").get("sections") or []
    sheets = tables.policy_tables(connection, name)
    reference = reference_of(connection)
    parts = by_kind(study_claims(connection, name))
    ledger = [claim for part in parts for claim in part["claims"]]
    unfolded = sum(len(part["claims"]) for part in parts if part["open"])
    answers = answers_of(connection, name)
    top = next((row for row in answers if row["part"] == "hero"), {"label": None, "text": "", "verdict": ""})
    drawn = {entry["name"]: entry for entry in figures if not entry.get("absent")}
    hero, curve = drawn.get(top["label"]), drawn.get(CURVE)
    missing = missing_in(connection, name)
    claims = {claim["claim"]: claim for claim in ledger}
    judged = [claim for claim in ledger if claim["kind"] in JUDGED]
    testable = any(row["verdict"] not in (NOT_TESTABLE, "", None) for row in (*judged, *answers))
    room = ROOM - CLAIM * unfolded - (curve["height"] + BESIDE if curve else 0)
    left = [entry for entry in figures if entry is not hero and entry["name"] != CURVE]
    shown = {entry["name"] for entry in (*left, hero, curve) if entry}
    for claim in ledger:
        claim["figure"] = claim["figure"] if claim["figure"] in shown else ""
    return {
        "title": known["title"],
        "study": known,
        **asked(known["question"]),
        "sentences": [
            with_mixes(row, claims.get(row["claim"]))
            for row in answers
            if row["part"] == "sentence" and not (missing and row["verdict"] == NOT_TESTABLE)
        ],
        "numbers": [number(row) for row in answers if row["part"] == "number" and row["value"] is not None],
        "hero": hero,
        "hero_title": "" if missing and top["verdict"] == NOT_TESTABLE else top["text"],
        "claims": parts,
        "number_of_claims": len(judged),
        "counts": counted(judged),
        "seconds": seconds(judged),
        "readings": readings(connection, name),
        "curve": curve,
        "sections": sections(left, stated, room),
        "figures": figures,
        "sheets": named_apart(sheets),
        "missing": missing,
        "missing_words": joined(missing),
        "testable": testable,
        "drawn": shows_drawn_log(connection, name),
        "reference": reference[1] if reference else "",
        "wait": wait_words(connection),
        "not_compared": " ".join(filter(None, (unfinished_words(connection), utilisation_words(connection)))),
    }


def with_mixes(row: Context, about: Context | None) -> Context:
    """Return a sentence of the answer with the claim it is about, and what stands in its place under second headlines.

    The latter have ``mix``, the numbers of the claim's rows by verdict under the reading.
    """
    under = {one["label"]: one["tally"] for one in about["seconds"]} if about else {}
    seconds = [{**one, "mix": under.get(one["reading_label"], "")} for one in row["seconds"]]
    return {**row, "about": about, "seconds": seconds}


def asked(question: str) -> Context:
    """Return the text of a study's question in two parts: ``question``, up to its last question mark, and ``about``, the rest."""
    before, mark, after = question.strip().rpartition("?")
    return {"question": before + mark, "about": after.strip()} if mark else {"question": after, "about": ""}


def number(row: Context) -> Context:
    """Return a number of the answer in words."""
    value, spread = measured(row["value"], row["low"], row["high"])
    return {"label": row["label"], "value": value, "interval": spread, "unit": row["unit"],
            "seconds": [{**number(one), "reading": one["reading_label"]} for one in row.get("seconds", [])]}  # fmt: skip


def seconds(ledger: list[Context]) -> list[Context]:
    """Return the second headlines of a study, each with the number of claims by verdict under it."""
    labels = dict.fromkeys(one["label"] for claim in ledger for one in claim["seconds"])
    return [
        {
            "label": label,
            "counts": counted([one for claim in ledger for one in claim["seconds"] if one["label"] == label]),
        }
        for label in labels
    ]


def by_kind(ledger: list[Context]) -> list[Context]:
    """Return claims by kind: kinds that carry evidence first, and open up to a limit if any could be judged."""
    found: list[Context] = []
    shown = 0
    for kind, says in KINDS.items():
        own = [claim for claim in ledger if claim["kind"] == kind]
        if own:
            shown += len(own)
            testable = any(claim["verdict"] != NOT_TESTABLE for claim in own)
            opened = kind in JUDGED and testable and (shown <= MOST_OPEN or not found)
            found.append({"title": kind.capitalize(), "says": says, "id": f"kind-{kind}", "claims": own,
                          "counts": counted(own), "open": opened})  # fmt: skip
    return found


def counted(own: list[Context]) -> list[tuple[str, int]]:
    """Return the number of claims by verdict."""
    found = [claim["verdict"] for claim in own]
    return [(verdict, found.count(verdict)) for verdict in VERDICT_LOOKS]


def readings(connection: duckdb.DuckDBPyConnection, name: str) -> list[Context]:
    """Return the readings of a study in the order of the strips, with what each follows."""
    found = fetch(
        connection,
        "SELECT label, follows, headline, second_headline, draws, choices FROM readings WHERE study = $study "
        "ORDER BY NOT headline, NOT second_headline, position",
        study=name,
    )
    for row in found:
        row["choices"] = json.loads(row["choices"] or "{}")
    return found if len(found) > 1 else []


def sections(figures: list[Context], stated: list[Context], room: int) -> list[Context]:
    """Return figures in the study's sections, the rest in a last one; beyond ``room`` they are folded."""
    known = {entry["name"]: entry for entry in figures}
    found = [(part["title"], [known.pop(name) for name in part["figures"] if name in known]) for part in stated]
    found.append(("Further figures" if stated else "Figures", list(known.values())))
    height, arranged = 0, []
    for place, (title, own) in enumerate(found):
        entries = []
        for entry in own:
            height += entry.get("height", 0) + BESIDE
            entries.append({**entry, "folded": height > room})
        if own:
            arranged.append({"title": title, "id": f"figures-{place + 1}", "figures": entries})
    return arranged


def named_apart(sheets: list[Context]) -> list[Context]:
    """Return tables with distinct names: the ids follow equal names of workloads."""
    labels = Counter(sheet["label"] for sheet in sheets)
    return [
        sheet | {"name": f"{sheet['label']} ({sheet['workload']})" if labels[sheet["label"]] > 1 else sheet["label"]}
        for sheet in sheets
    ]
