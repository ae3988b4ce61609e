"""Claims, readings and answers written by hand: every verdict, kind and cause, one claim that turns with the reading."""

import json
from typing import Any

import duckdb

from reports.measure.readings import make_readings, readings_of

READINGS = (
    ("listed", "As listed", {"Backfilling": "EASY", "Estimates": "as asked"}),
    ("conservative", "Conservative", {"Backfilling": "conservative", "Estimates": "as asked"}),
    ("exact", "Exact estimates", {"Backfilling": "EASY", "Estimates": "exact"}),
)
FOLLOWS = "Listing {}, page 7: " + "what a source says of it at some length, which pages have to break into lines; " * 3
LIFKA, SOMEONE = "Lifka, The ANL/IBM SP scheduling system, 1995", "Someone, A thesis on <wide> jobs, 2001"
UNTOLD = {"printed": "", "unit": "", "finding": "", "explanation": "", "fitted": "", "figure": "", "no_effect": None,
          "bound": None, "draws_needed": None, "robustness": "robust", "decided_by": [], "cause": "",
          "interval_kind": "confidence"}  # fmt: skip
"""What a claim says where it says nothing else."""

REPRODUCED, IN_PART, NOT_REPRODUCED, CANNOT_TELL, NOT_TESTABLE = (
    "reproduced", "reproduced in part", "not reproduced", "cannot tell", "not testable")  # fmt: skip

CLAIMS: tuple[dict[str, Any], ...] = (
    {"study": "baseline", "claim": "easy-beats-fcfs", "kind": "direction", "headline": "Backfilling shortens the mean wait",
     "sentence": "Backfilling shortens the mean wait.", "citation": LIFKA, "section": "section 3", "finding": "0.6 (0.5 to 0.7)",
     "expectation": "every ratio below 1", "verdict": REPRODUCED, "no_effect": 1.0,
     "evidence": [("SDSC SP2", 0.6, 0.5, 0.7, None, REPRODUCED)], "under": (REPRODUCED, REPRODUCED, REPRODUCED)},
    {"study": "baseline", "claim": "wait-falls-by-a-third", "kind": "magnitude", "headline": "The mean wait falls by a third",
     "sentence": "Backfilling shortens the mean wait.", "citation": LIFKA, "section": "section 3", "printed": "33 %", "unit": "%",
     "finding": "20 % (10 to 30 %)", "expectation": "33 % in the prediction interval", "interval_kind": "prediction",
     "verdict": NOT_REPRODUCED,
     "no_effect": 0.0, "cause": "depends on the reading", "robustness": "depends on the reading", "decided_by": ["Backfilling"],
     "figure": "wait_distribution",
     "evidence": [("SDSC SP2", 20.0, 10.0, 30.0, 33.0, NOT_REPRODUCED)], "under": (NOT_REPRODUCED, REPRODUCED, NOT_REPRODUCED)},
    {"study": "baseline", "claim": "sjf-starves", "kind": "mechanism", "headline": "SJF starves long jobs",
     "sentence": "SJF starves long jobs & <wide> ones.", "citation": SOMEONE, "section": "page 2", "finding": "no difference",
     "expectation": "p99 above EASY", "verdict": NOT_REPRODUCED, "explanation": "The generated load is too low.",
     "cause": "effect absent", "robustness": "never", "no_effect": 1.0,
     "evidence": [("SDSC SP2", 1.0, 0.9, 1.1, None, NOT_REPRODUCED)], "under": (NOT_REPRODUCED, NOT_REPRODUCED, CANNOT_TELL)},
    {"study": "baseline", "claim": "loads", "kind": "magnitude", "headline": "Waits of three loads are as printed",
     "sentence": "Table 2 lists the mean waits.", "citation": SOMEONE, "section": "Table 2", "printed": "2, 4 and 8 h",
     "unit": "h", "finding": "2 of 3 printed waits met",
     "expectation": "each printed wait in its prediction interval", "interval_kind": "prediction", "verdict": IN_PART,
     "cause": "lost input", "fitted": "The load 0.75 was chosen to agree with Table 2.", "robustness": "depends on the reading",
     "evidence": [("Load 0.5", 2.1, 1.8, 2.4, 2.0, REPRODUCED), ("Load 0.75", 4.2, 3.1, 5.3, 4.0, REPRODUCED),
                  ("Load 0.95", 40.0, 30.0, 50.0, 8.0, NOT_REPRODUCED)], "under": (IN_PART, IN_PART, NOT_REPRODUCED)},
    {"study": "baseline", "claim": "users-gain", "kind": "direction", "headline": "Frequent users gain more",
     "sentence": "Users who submit often gain more.", "citation": SOMEONE, "section": "page 9", "finding": "1.2 (0.7 to 1.7)",
     "expectation": "ratio above 1", "verdict": CANNOT_TELL, "robustness": "", "cause": "too few data",
     "draws_needed": 40, "no_effect": 1.0,
     "evidence": [("SDSC SP2", 1.2, 0.7, 1.7, None, CANNOT_TELL)], "under": (CANNOT_TELL, CANNOT_TELL, CANNOT_TELL)},
    {"study": "easy_dialects", "claim": "blue-log", "kind": "workload", "headline": "The Blue log is the busiest",
     "sentence": "SDSC Blue is the busiest.", "citation": SOMEONE, "section": "page 1", "expectation": "load above 0.7",
     "verdict": NOT_TESTABLE, "finding": "nothing to measure it on", "evidence": [], "under": ()},
    {"study": "easy_dialects", "claim": "once-costs", "kind": "direction", "headline": "A reservation computed once costs waits",
     "sentence": "Computing it once \"costs\" 5 % of waits, & more.", "citation": SOMEONE, "section": "page 4", "printed": "5 %",
     "finding": "−3 % (−4 to −2 %)", "expectation": "every difference above 0", "verdict": NOT_REPRODUCED, "cause": "reversed",
     "no_effect": 0.0, "unit": "%", "evidence": [("SDSC SP2", -3.0, -4.0, -2.0, 5.0, NOT_REPRODUCED)], "under": ()},
)  # fmt: skip
"""Claims as the ledger leaves them; ``evidence`` under the headline (label, value, low, high, printed, verdict), ``under``
the verdict under each of :data:`READINGS`."""

ANSWERS = (
    {"study": "baseline", "position": 0, "part": "sentence", "text": "Backfilling shortens the mean wait to 0.6 of FCFS's.",
     "verdict": REPRODUCED, "claim": "easy-beats-fcfs"},
    {"study": "baseline", "position": 0, "part": "sentence", "text": "Backfilling shortens the mean wait to 0.5 of FCFS's.",
     "verdict": REPRODUCED, "claim": "easy-beats-fcfs", "reading": "conservative"},
    {"study": "baseline", "position": 1, "part": "sentence", "text": "It costs wide jobs nothing."},
    {"study": "baseline", "position": 0, "part": "number", "text": "0.60", "value": 0.6, "low": 0.5, "high": 0.7, "unit": "",
     "label": "Mean wait over that of FCFS"},
    {"study": "baseline", "position": 0, "part": "hero", "text": "Backfilling shortens waits", "label": "mean_response",
     "verdict": REPRODUCED, "claim": "easy-beats-fcfs"},
)  # fmt: skip

PAGE = {
    "curve": "wait-falls-by-a-third",
    "sections": [{"title": "Waits", "figures": ["mean_wait", "wait_distribution"]}],
}
"""What the baseline study says of its page."""


def insert(con: duckdb.DuckDBPyConnection, table: str, row: dict[str, Any]) -> None:
    """Insert a row by the names of its columns; the others stay null."""
    marks = ", ".join("?" * len(row))
    con.execute(f"INSERT INTO {table} ({', '.join(row)}) VALUES ({marks})", list(row.values()))


def counts(verdicts: list[str]) -> dict[str, int]:
    """Count rows as the ledger does."""
    names = {"reproduced": REPRODUCED, "refuted": NOT_REPRODUCED, "undecided": CANNOT_TELL, "untestable": NOT_TESTABLE}
    return {"rows": len(verdicts), **{column: verdicts.count(verdict) for column, verdict in names.items()}}


def described(con: duckdb.DuckDBPyConnection, name: str) -> dict[str, Any]:
    """Describe a study and its readings, under which the same cells stand for themselves."""
    cells = con.execute("SELECT workload, policy FROM cells WHERE study = $1", [name]).fetchall()
    study = {"study": name, "workloads": {w for w, _ in cells}, "policies": {p for _, p in cells}, "cells": cells}
    (headline,) = readings_of(study)
    if name == "baseline":
        study["readings"] = [
            {**headline, "reading": reading, "label": label, "follows": FOLLOWS.format(place), "choices": choices,
             "headline": place == 0, "second_headline": place == 1}
            for place, (reading, label, choices) in enumerate(READINGS)
        ]  # fmt: skip
    return study


def add_claims(con: duckdb.DuckDBPyConnection) -> None:
    """Fill the tables of the ledger."""
    headlines = {"baseline": READINGS[0][0], "easy_dialects": "headline"}
    make_readings(con, [described(con, study) for study in headlines])
    for place, given in enumerate(CLAIMS):
        claim = {**UNTOLD, "measure": "ratio", "position": place, **given}
        evidence, under = claim.pop("evidence"), claim.pop("under")
        key = {"study": claim["study"], "claim": claim["claim"]}
        insert(con, "claims", {**claim, "unit_words": claim["unit"], **counts([row[-1] for row in evidence])})
        headline = headlines[claim["study"]]
        for position, row in enumerate(evidence):
            values = dict(zip(("label", "value", "low", "high", "printed", "verdict"), row, strict=True))
            insert(con, "claim_evidence", {**key, "reading": headline, "position": position, "role": "evidence", **values,
                                           "draws_needed": claim["draws_needed"], "units": 10})  # fmt: skip
        names = [reading for reading, _, _ in READINGS] if claim["study"] == "baseline" else [headline]
        for position, (reading, verdict) in enumerate(zip(names, under or [claim["verdict"]], strict=True)):
            _, value, low, high, *_ = evidence[0] if evidence else ("", 0.0, 0.0, 0.0)
            moved = {"value": value + position, "low": low + position, "high": high + position}
            insert(con, "claim_readings", {**key, "reading": reading, "verdict": verdict, **moved, "finding": f"{verdict} here",
                                           **counts([verdict] * len(evidence))})  # fmt: skip
    for answer in ANSWERS:
        insert(con, "answers", {"reading": READINGS[0][0], **answer})
    con.execute("UPDATE studies SET page = $1 WHERE study = 'baseline'", [json.dumps(PAGE)])
