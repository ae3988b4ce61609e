"""Claims: verdicts from intervals, findings in words, and complaints about ill-formed claims."""

from __future__ import annotations

import re
from pathlib import Path

import duckdb
import pytest

from reports.ledger.claim_checks import validate_claims
from reports.ledger.claims import judge_studies
from reports.ledger.old_claims import Evidence, Expectation
from reports.measure.readings import make_readings
from reports.measure.store import make_tables
from scheduler_core.errors import StudyError
from workflow.plan import describe_study
from workflow.studies import read_study

STUDIES = Path(__file__).parents[2] / "config" / "studies"

CLAIM = {
    "id": "better",
    "sentence": "It is better.",
    "citation": "An author 1999",
    "sql": "SELECT 'a' AS label, 0.8 AS value, 0.7 AS low, 0.9 AS high",
    "expect": {"all": {"below": 1}},
}

INSIDE, ACROSS, OUTSIDE = (0.8, 0.7, 0.9), (0.8, 0.7, 1.1), (1.2, 1.1, 1.3)
ACROSS_FROM_ABOVE, BARE, NOTHING = (1.2, 0.9, 1.3), (0.8, None, None), (None, None, None)


def evidence(*rows):
    return [Evidence(str(n), *row) for n, row in enumerate(rows)]


@pytest.mark.parametrize(
    ("expect", "rows", "verdict"),
    [
        ({"all": {"below": 1}}, [INSIDE, INSIDE], "reproduced"),
        ({"all": {"below": 1}}, [INSIDE, ACROSS], "reproduced in direction"),
        ({"all": {"below": 1}}, [INSIDE, BARE], "reproduced in direction"),
        ({"all": {"below": 1}}, [INSIDE, ACROSS, OUTSIDE], "not reproduced"),
        ({"all": {"below": 1}}, [ACROSS_FROM_ABOVE], "not reproduced"),
        ({"all": {"below": 1}}, [INSIDE, NOTHING], "reproduced"),
        ({"all": {"below": 1}}, [NOTHING], "not testable"),
        ({"all": {"below": 1}}, [], "not testable"),
        ({"all": {"below": 1}}, [(1.0, 1.0, 1.0)], "not reproduced"),
        ({"all": {"above": 1}}, [OUTSIDE], "reproduced"),
        ({"all": {"above": 1}}, [INSIDE], "not reproduced"),
        ({"all": {"between": [0.6, 1]}}, [INSIDE], "reproduced"),
        ({"all": {"between": [0.75, 1]}}, [INSIDE], "reproduced in direction"),
        ({"any": {"above": 1}}, [INSIDE, OUTSIDE], "reproduced"),
        ({"any": {"above": 1}}, [INSIDE, ACROSS_FROM_ABOVE], "reproduced in direction"),
        ({"any": {"above": 1}}, [INSIDE], "not reproduced"),
        ({"mixed": 1}, [INSIDE, OUTSIDE, ACROSS], "reproduced"),
        ({"mixed": 1}, [ACROSS, OUTSIDE], "reproduced in direction"),
        ({"mixed": 1}, [INSIDE, ACROSS], "not reproduced"),
        ({"mixed": 1}, [INSIDE], "not testable"),
    ],
)
def test_verdicts(expect, rows, verdict):
    assert Expectation.of(expect).judge(evidence(*rows)) == verdict


@pytest.fixture
def connection():
    with duckdb.connect() as connection:
        make_tables(connection)
        yield connection


def record(connection, **changes):
    claims = [CLAIM | changes]
    validate_claims("s", claims)
    with duckdb.connect() as fresh:
        make_tables(fresh)
        study = {"study": "s", "claims": claims, "workloads": {}, "policies": {}, "cells": []}
        make_readings(fresh, [study])
        ledger = judge_studies(fresh, [study])
    ledger.record(connection)
    return connection.execute("SELECT finding, verdict, explanation FROM claims").fetchone()


def test_a_claim_is_recorded_with_its_evidence(connection):
    row = record(connection, explanation={"reproduced": "Because.", "not reproduced": "Although."})
    assert row == ("a: 0.8 (0.7 to 0.9)", "reproduced", "Because.")
    rows = connection.execute("SELECT label, value, low, high, verdict, role FROM claim_evidence").fetchall()
    assert rows == [("a", 0.8, 0.7, 0.9, "reproduced", "evidence")]


def test_a_claim_that_fails_stays(connection):
    assert record(connection, expect={"all": {"above": 1}}, explanation="Why.")[1:] == ("not reproduced", "Why.")


def test_rows_are_sorted_by_label_unless_the_query_orders_them(connection):
    sql = "SELECT label, 1 AS value, NULL AS low, NULL AS high FROM (VALUES ('b'), ('a'), ('c')) AS t (label)"
    record(connection, sql=sql)
    record(connection, id="ordered", sql=sql + " ORDER BY label DESC")
    within = sql.replace("1 AS value", "rank() OVER (ORDER BY label) AS value") + " -- order by nothing"
    record(connection, id="within", sql=within)
    rows = connection.execute("SELECT claim, list(label) FROM claim_evidence GROUP BY 1 ORDER BY 1").fetchall()
    assert rows == [("better", ["a", "b", "c"]), ("ordered", ["c", "b", "a"]), ("within", ["a", "b", "c"])]


@pytest.mark.parametrize(
    ("sql", "message"),
    [
        ("SELECT 1 AS label", "expected the columns label, value, low, high (or label, unit, value); found label"),
        ("SELECT nonsense FROM nowhere", "nowhere"),
        ("SELECT 'a' AS label, 1 AS unit, NULL AS value", "label 'a', unit 1: expected a number; found NULL"),
        ("SELECT 'a' AS label, 'much' AS value, NULL AS low, NULL AS high", "must be numbers or NULL"),
    ],
)
def test_sql_that_fails_is_reported_with_its_claim(connection, sql, message):
    with pytest.raises(StudyError, match=f"study 's': claim 'better': sql: .*{re.escape(message)}"):
        record(connection, sql=sql)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"sentense": "x"}, r"there is no key 'sentense'; did you mean 'sentence'\?"),
        ({"citation": ""}, "the key 'citation' is missing or empty"),
        ({"printed": 5}, "printed must be text; found 5"),
        ({"expect": {"every": {"below": 1}}}, "expect: there is no 'every'; known: all, any, mixed"),
        ({"expect": {"all": {"under": 1}}}, "expect.all: there is no 'under'"),
        ({"expect": {"all": {"below": "one"}}}, "expect.all.below must be a number; found 'one'"),
        ({"expect": {"all": {"below": True}}}, "expect.all.below must be a number"),
        ({"expect": {"all": 1}}, "expect.all: expected"),
        ({"expect": {"all": {"between": [2, 1]}}}, "expect.all.between must be two numbers, the smaller first"),
        ({"expect": {"mixed": {"below": 1}}}, "expect.mixed must be a number"),
        ({"expect": "below 1"}, "expect: expected"),
        ({"ours": "{n_inn}"}, r"ours: there is no placeholder '\{n_inn\}'; did you mean 'n_in'\?"),
        ({"ours": "{n"}, "ours: "),
        ({"explanation": 5}, "explanation must be text"),
        ({"explanation": {"failed": "x"}}, "explanation: there is no verdict 'failed'"),
    ],
)
def test_ill_formed_claims(changes, message):
    with pytest.raises(StudyError, match=f"study 's': claim 'better': {message}"):
        validate_claims("s", [CLAIM | changes])


def test_claims_are_a_list_of_mappings_with_ids_of_their_own():
    with pytest.raises(StudyError, match="claims must be a list; found dict"):
        validate_claims("s", {})
    with pytest.raises(StudyError, match=r"claims\.0: expected a mapping with the key 'id'"):
        validate_claims("s", [{"sentence": "x"}])
    with pytest.raises(StudyError, match="the id is taken"):
        validate_claims("s", [CLAIM, CLAIM])


ARITHMETIC = {"s2-sizes-of-trees"}
"""Claims that are worked out and need no run."""


def test_claims_of_the_studies_are_well_formed_and_not_testable_on_an_empty_store(connection):
    studies = [describe_study(read_study(path)) for path in sorted(STUDIES.glob("*.yaml"))]
    make_readings(connection, studies)
    judge_studies(connection, studies).record(connection)
    rows = connection.execute("SELECT claim, verdict FROM claims").fetchall()
    assert len(rows) == sum(len(study["claims"]) for study in studies) > 0
    assert {claim for claim, verdict in rows if verdict != "not testable"} <= ARITHMETIC
