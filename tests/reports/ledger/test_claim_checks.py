"""Complaints about ill-formed claims: each names the study, the claim and the key."""

import pytest

from reports.ledger.claim_checks import validate_claims
from scheduler_core.common.errors import StudyError

CLAIM = {
    "id": "better",
    "kind": "direction",
    "headline": "It is better",
    "sentence": "It is better.",
    "citation": "An author 1999",
    "measure": "ratio",
    "with": {"metric": "mean_wait", "scopes": ["all"]},
    "expect": {"all": {"below": 1}},
}


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"expect": {"any": {"between": [1, 2.5]}}},
        {"expect": {"all": {"near": 1, "margin": 0.1}}},
        {"expect": {"all": {"is": "each", "tolerance": 0.5}}},
        {"expect": {"all": {"prints": "each"}}, "draws": 5, "digits": 1, "rows": 8},
        {"expect": {"sides": 1}},
        {"against": [["l-r", "pss"], "easy"], "change": "% less", "with": {"than": [["a", "b"]]}},
        {"range": [0, None], "no_effect": 1, "unit": "%", "figure": "gains", "cause": "lost input"},
        {"explanation": {"not reproduced, cannot tell": "Although."}, "no_effect": None},
        {"explanation": {"not reproduced": "Although."}, "sensitivity": {"measure": "other", "with": {"x": [1]}}},
    ],
)
def test_well_formed_claims(changes):
    validate_claims("s", [CLAIM | changes])


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"sentense": "x"}, r"sentense: there is no such key; did you mean 'sentence'\?"),
        ({"citation": ""}, "citation: expected text; found ''"),
        ({"kind": "dirction"}, r"kind: there is no 'dirction'; did you mean 'direction'\?"),
        ({"headline": "x" * 91}, "headline: expected at most 90 characters; found 91"),
        ({"measure": 5}, "measure: expected text; found 5"),
        ({"printed": 5}, "printed: expected text; found 5"),
        ({"cause": "bad luck"}, "cause: there is no 'bad luck'"),
        ({"draws": 0}, "draws: expected a whole number of at least 1; found 0"),
        ({"rows": True}, "rows: expected a whole number of at least 1; found True"),
        ({"digits": 0.5}, "digits: expected a whole number; found 0.5"),
        ({"no_effect": "none"}, "no_effect: expected a number; found 'none'"),
        ({"range": [1, 0]}, "range: expected the least and the largest possible value"),
        (
            {"measure": None, "against": [["a", "b"]], "change": "% less", "expect": {"all": {"above": 120}}},
            "expect: '% less' is never above 100; found the bound 120",
        ),
        (
            {
                "measure": None,
                "against": [["a", "b"]],
                "change": "mean % less",
                "expect": {"any": {"between": [50, 101]}},
            },
            "expect: 'mean % less' is never above 100; found the bound 101",
        ),
        ({"range": [None, None]}, "range: expected the least and the largest possible value"),
        ({"against": [["l-r"]]}, r"against: expected a list of pairs of policies \[A, B\]"),
        ({"against": ["easy"], "change": "more"}, "change: there is no 'more'; did you mean '% more'"),
        ({"with": ["x"]}, "with: expected a mapping from a parameter"),
        ({"with": {"metric": None}}, "with.metric: expected a mapping from a parameter"),
        ({"with": {"metric": []}}, "with.metric: expected a mapping from a parameter"),
        ({"sensitivity": "SELECT 1"}, "sensitivity: expected {measure: NAME"),
        ({"sensitivity": {"measure": "x", "wit": {}}}, r"sensitivity.wit: there is no such key; did you mean 'with'\?"),
        ({"expect": "below 1"}, "expect: expected {all: BAND}"),
        ({"expect": {"every": {"below": 1}}}, "expect.every: there is no such key; known: all, any, sides"),
        ({"expect": {"all": 1}}, "expect.all: expected"),
        ({"expect": {"all": {}}}, "expect.all: expected"),
        ({"expect": {"all": {"under": 1}}}, "expect.all.under: there is no such key"),
        ({"expect": {"all": {"below": "one"}}}, "expect.all.below: expected a number; found 'one'"),
        ({"expect": {"all": {"below": "each"}}}, "expect.all.below: expected a number; found 'each'"),
        ({"expect": {"all": {"below": True}}}, "expect.all.below: expected a number; found True"),
        (
            {"expect": {"all": {"prints": "all"}}},
            r"expect.all.prints: expected a number or 'each' \(the column printed\)",
        ),
        ({"expect": {"all": {"between": [2, 1]}}}, "expect.all.between: expected two numbers, the smaller first"),
        ({"expect": {"all": {"near": 1}}}, "expect.all.margin: is missing; expected a number from 0"),
        ({"expect": {"all": {"is": 1, "margin": 1}}}, "expect.all.margin: there is no such key beside 'is'"),
        (
            {"expect": {"all": {"below": 1, "above": 0}}},
            "expect.all: expected one band, {above: x}.*; found {'below': 1, 'above': 0}",
        ),
        ({"expect": {"sides": {"below": 1}}}, "expect.sides: expected a number"),
        ({"explanation": 5}, "explanation: expected text"),
        ({"explanation": {"failed": "x"}}, "explanation: there is no verdict 'failed'"),
        ({"explanation": {"cannot tell, failed": "x"}}, "explanation: there is no verdict 'failed'"),
        (
            {"explanation": {"cannot tell, reproduced": "x", "cannot tell": "y"}},
            "explanation: the verdict 'cannot tell' has two texts",
        ),
        ({"explanation": {"reproduced": 5}}, "explanation.reproduced: expected text; found 5"),
    ],
)
def test_ill_formed_claims(changes, message):
    with pytest.raises(StudyError, match=f"study 's': claim 'better': {message}"):
        validate_claims("s", [CLAIM | changes])


@pytest.mark.parametrize("key", ["kind", "headline", "sentence", "citation", "measure", "expect"])
def test_keys_that_every_claim_has(key):
    with pytest.raises(StudyError, match=f"claim 'better': {key}: is missing; it must be given"):
        validate_claims("s", [{name: value for name, value in CLAIM.items() if name != key}])


COMPARED = {name: value for name, value in CLAIM.items() if name not in ("citation", "measure")} | {"against": ["easy"]}


@pytest.mark.parametrize(
    ("change", "follows"),
    [
        ({}, {"unit": "", "no_effect": 1}),
        ({"change": "% of"}, {"unit": "%", "no_effect": 100}),
        ({"change": "mean % less"}, {"unit": "%", "no_effect": 0}),
        ({"change": "points more"}, {"unit": "points", "no_effect": 0}),
        ({"change": "difference", "unit": "h", "no_effect": None}, {"unit": "h", "no_effect": None}),
        ({"measure": "lines"}, {}),
    ],
)
def test_what_follows_from_the_source_and_from_a_comparison(change, follows):
    (claim,) = validate_claims("s", [COMPARED | change], "A paper")
    assert claim.written == {"citation": "A paper"} | COMPARED | change | follows


def test_what_was_fitted_may_name_choices_of_the_study():
    choices = {"aging": "No aging.\n", "load": "The load."}
    for fitted, text in (
        ("aging", "No aging."),
        (["load", "And this."], "The load.\nAnd this."),
        ("In words.", "In words."),
    ):
        (claim,) = validate_claims("s", [CLAIM | {"fitted": fitted}], None, choices)
        assert claim.written["fitted"] == text
    with pytest.raises(
        StudyError, match=r"claim 'better': fitted: there is no choice 'agin' .*; did you mean 'aging'\?"
    ):
        validate_claims("s", [CLAIM | {"fitted": ["agin"]}], None, choices)
    with pytest.raises(StudyError, match="claim 'better': fitted: expected text; found 5"):
        validate_claims("s", [CLAIM | {"fitted": 5}], None, choices)


def test_claims_are_a_list_of_mappings_with_ids_and_headlines_of_their_own():
    with pytest.raises(StudyError, match="claims must be a list; found dict"):
        validate_claims("s", {})
    with pytest.raises(StudyError, match=r"claims\.0: expected a mapping with the key 'id'"):
        validate_claims("s", [{"sentence": "x"}])
    with pytest.raises(StudyError, match="the id is taken"):
        validate_claims("s", [CLAIM, CLAIM])
    with pytest.raises(
        StudyError, match="claim 'other': headline: claim 'better' has the same; say in which they differ"
    ):
        validate_claims("s", [CLAIM, CLAIM | {"id": "other"}])
