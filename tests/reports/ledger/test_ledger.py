"""The ledger in the store: claims judged under every reading, what decides them, why they fail, and the study's answer."""

import pytest

from reports.ledger.claims import cause_of, judge_studies, robustness
from reports.ledger.rows import Row
from reports.ledger.terms import Terms
from reports.ledger.verdicts import judge
from reports.measure.readings import make_readings

GAIN = (
    "-- Gain of $policy over easy (%).\n"
    "SELECT scope AS label, replication AS unit, value FROM run_values WHERE policy = $policy"
)


def claim(name, policy, **more):
    return {
        "id": name, "kind": "direction", "headline": f"{policy} gains", "sentence": " It gains. ", "citation": "A book",
        "measure": "gain", "with": {"policy": policy}, "unit": "%", "expect": {"all": {"above": 0}}, "no_effect": 0, **more,
    }  # fmt: skip


def described(*claims, **more):
    return {
        "study": "s", "claims": list(claims), "measures": {"gain": {"path": "measures/gain.sql", "sql": GAIN}},
        "workloads": {"w": {}}, "policies": {"new": {}, "old": {}}, "cells": [["w", "new"], ["w", "old"]], **more,
    }  # fmt: skip


@pytest.fixture
def world(stage):
    with stage.empty() as world:
        yield world


def ledger_of(world, study):
    make_readings(world.connection, [study])
    judge_studies(world.connection, [study]).record(world.connection)

    def table(name, columns="*"):
        return world.connection.execute(f"SELECT {columns} FROM {name}").fetchall()

    return table


def test_a_claim_is_recorded_with_its_rows(world):
    world.metric("w", "new", "m", [4, 5, 6])
    world.metric("w", "new", "m", [-6, -5, -4], scope="long")
    table = ledger_of(
        world, described(claim("c", "new", explanation={"cannot tell, reproduced in part": "Because."}, figure="gains"))
    )
    columns = "claim, position, kind, headline, sentence, measure, unit, verdict, rows, reproduced, refuted, figure, no_effect"
    assert table("claims", columns) == [
        ("c", 0, "direction", "new gains", "It gains.", "gain", "%", "reproduced in part", 2, 1, 1, "gains", 0)
    ]
    ((finding, expectation, explanation),) = table("claims", "finding, expectation, explanation")
    assert finding == "all: 5 % (2.52 to 7.48); long: −5 % (−7.48 to −2.52)"
    assert expectation == "every 95 % interval lies above 0"
    assert explanation == "Because."
    assert table("claim_evidence", "reading, position, label, value, verdict, role") == [
        ("headline", 0, "all", 5, "reproduced", "evidence"),
        ("headline", 1, "long", -5, "not reproduced", "evidence"),
    ]
    assert table("claim_readings", "reading, verdict, rows, reproduced, refuted, value") == [
        ("headline", "reproduced in part", 2, 1, 1, 5)
    ]


def test_a_claim_that_finds_nothing_stays(world):
    world.workload("w")
    table = ledger_of(world, described(claim("c", "new")))
    assert table("claims", "verdict, rows, finding, cause") == [("not testable", 0, "nothing to measure it on", "")]


def test_sensitivity_is_shown_but_not_judged(world):
    world.metric("w", "new", "m", [4, 5, 6])
    world.metric("w", "old", "m", [-4, -5, -6])
    table = ledger_of(world, described(claim("c", "new", sensitivity={"measure": "gain", "with": {"policy": "old"}})))
    assert table("claims", "verdict, rows") == [("reproduced", 1)]
    assert table("claim_evidence", "label, value, verdict, role") == [
        ("all", 5, "reproduced", "evidence"),
        ("all", -5, "", "sensitivity"),
    ]


def test_a_miniature_explains_nothing(world):
    world.metric("w", "new", "m", [4, 5, 6])
    magnitude = claim("c", "new", kind="magnitude", explanation="Because.", expect={"all": {"prints": 5}})
    table = ledger_of(world, described(magnitude, scale="quick"))
    assert table("claims", "verdict, finding, explanation") == [
        ("not testable", "a miniature, in which sizes mean nothing", "")
    ]


@pytest.mark.parametrize("missing", [False, True])
def test_an_explanation_of_logs_that_are_missing_says_so(world, missing):
    """A text for all verdicts was written with all logs; a text for a verdict fits the verdict that stands."""
    world.workload("log", missing=missing)
    world.metric("w", "new", "m", [4, 5, 6])
    sql = f"{GAIN} AND workload IN (SELECT unnest(flatten($workloads)))"
    named = {"measure": "of", "with": {"policy": "new", "workloads": [["w", "log"]]}}
    claims = [
        claim("all", "new", explanation="It is so.", **named),
        claim("none", "new", explanation="It is so."),
        claim("one", "new", explanation={"reproduced": "It is so."}, **named),
    ]
    study = described(*claims)
    study["measures"]["of"] = {"path": "measures/of.sql", "sql": sql}
    assert ledger_of(world, study)("claims", "explanation") == [
        ("With all logs: It is so." if missing else "It is so.",),
        ("It is so.",),
        ("It is so.",),
    ]


def reading(name, choices, policy):
    return {
        "reading": name, "label": name, "follows": "", "choices": choices, "headline": name == "letter",
        "second_headline": name == "second", "draws": None,
        "workloads": {"w": "w"}, "policies": {"new": policy}, "cells": [["w", "new", "w", policy]],
    }  # fmt: skip


def test_a_claim_is_judged_under_every_reading(world):
    world.metric("w", "new", "m", [4, 5, 6, 4, 5, 6])
    world.metric("w", "new-other", "m", [-6, -5, -4, -6, -5, -4])
    readings = [reading("letter", {"Order": "as listed"}, "new"), reading("other", {"Order": "as told"}, "new-other")]
    table = ledger_of(world, described(claim("c", "new"), readings=readings))
    assert table("claim_readings", "reading, verdict, value") == [
        ("letter", "reproduced", 5),
        ("other", "not reproduced", -5),
    ]
    assert table("claims", "verdict, robustness, decided_by") == [("reproduced", "depends on the reading", ["Order"])]


def test_a_reading_with_few_draws_decides_nothing_unless_it_is_a_headline(world):
    for policy, values in {"new": [4, 5, 6], "new-second": [8, 9, 10], "new-few": [-5.1, -5, -5, -5, -4.9]}.items():
        world.metric("w", policy, "m", values)
    readings = [reading(name, {"Order": name}, policy) for name, policy in
                [("letter", "new"), ("second", "new-second"), ("few", "new-few")]]  # fmt: skip
    table = ledger_of(world, described(claim("c", "new"), readings=readings))
    assert table("claim_readings", "reading, verdict") == [
        ("letter", "reproduced"), ("second", "reproduced"), ("few", "cannot tell"),
    ]  # fmt: skip
    assert table("claims", "robustness") == [("robust",)]
    assert table("claim_evidence", "reading, draws_needed")[-1] == ("few", 6)


def test_a_reading_may_measure_a_metric_by_another(world):
    world.metric("w", "new", "m", [4, 5, 6, 4, 5, 6])
    world.metric("w", "new", "n", [-6, -5, -4, -6, -5, -4])
    readings = [
        reading("letter", {"M": "itself"}, "new"),
        {**reading("other", {"M": "as n"}, "new"), "metrics": {"m": "n"}},
    ]
    sql = f"{GAIN} AND metric = 'm'"
    table = ledger_of(
        world, described(claim("c", "new"), readings=readings, measures={"gain": {"path": "gain.sql", "sql": sql}})
    )
    assert table("claim_readings", "reading, verdict, value") == [
        ("letter", "reproduced", 5),
        ("other", "not reproduced", -5),
    ]


def test_the_answer_is_filled_in_from_what_was_measured(world):
    world.metric("w", "new", "m", [4, 5, 6])
    page = {
        "answer": [
            {"claim": "c", "say": {"reproduced": "It gains {value} ({interval}), {k} of {n}.", "otherwise": "No."}},
            {"measure": "gain", "with": {"policy": "new"}, "unit": "s", "expect": {"all": {"above": 9}},
             "say": {"reproduced": "Much.", "otherwise": "Little: {value}."}},
        ],
        "numbers": [{"label": "Gain", "measure": "gain", "with": {"policy": "new"}, "unit": "%"}],
        "hero": {"figure": "gains", "claim": "c", "say": {"otherwise": "New gains {value}"}},
    }  # fmt: skip
    table = ledger_of(world, described(claim("c", "new"), page=page))
    assert table("answers", "part, position, text, round(value), label, verdict, claim") == [
        ("sentence", 0, "It gains 5 % (2.52 to 7.48 %), 1 of 1.", 5, "", "reproduced", "c"),
        ("sentence", 1, "Little: 5 s.", 5, "", "not reproduced", None),
        ("hero", 0, "New gains 5 %", 5, "gains", "reproduced", "c"),
        ("number", 0, "5 %", 5, "Gain", "", None),
    ]


def test_a_second_headline_has_answers_and_findings_of_its_own(world):
    world.metric("w", "new", "m", [4, 5, 6])
    world.metric("w", "new-other", "m", [8, 9, 10])
    readings = [reading("letter", {"Order": "as listed"}, "new"), reading("second", {"Order": "as told"}, "new-other"),
                reading("third", {"Order": "as drawn"}, "new")]  # fmt: skip
    page = {"answer": [{"claim": "c", "say": {"otherwise": "It gains {value}."}}]}
    table = ledger_of(world, described(claim("c", "new"), readings=readings, page=page))
    assert table("answers", "reading, text") == [("letter", "It gains 5 %."), ("second", "It gains 9 %.")]
    found = dict(table("claim_readings", "reading, finding"))
    assert found["letter"] == found["third"] == "all: 5 % (2.52 to 7.48)"
    assert found["second"] == "all: 9 % (6.52 to 11.5)"


YES, NO, UNSURE, PARTLY = ([(4, 5, 6)], [(-6, -5, -4)], [(-9, 1, 9)], [(4, 5, 6), (-6, -5, -4)])


def verdict(groups, **more):
    rows = [Row(str(place), values) for place, values in enumerate(groups)]
    return judge("here", Terms.of({"expect": {"all": {"above": 0}}, **more}), rows)


@pytest.mark.parametrize(
    ("found", "robust", "choices"),
    [
        ((YES, YES, YES), "robust", []),
        ((YES, UNSURE, YES), "robust", []),
        ((NO, NO, UNSURE), "never", []),
        ((YES, NO, YES), "depends on the reading", ["Order"]),
        ((YES, NO, NO), "depends on the reading", ["Order", "Lending"]),
        ((NO, NO, YES), "depends on the reading", ["Lending"]),
        ((PARTLY, [(4, 5, 6), (4, 5, 6)], YES), "depends on the reading", ["Order"]),
        ((PARTLY, YES, YES), "robust", []),
        ((PARTLY, [(4, 5, 6), (-9, 1, 9)], YES), "robust", []),
        ((YES, UNSURE, UNSURE), "", []),
        ((UNSURE, YES, NO), "depends on the reading", []),
    ],
)
def test_what_a_verdict_depends_on(found, robust, choices):
    readings = [
        {"reading": "letter", "choices": {"Order": "1", "Lending": "1"}},
        {"reading": "order", "choices": {"Order": "2", "Lending": "1"}},
        {"reading": "lending", "choices": {"Order": "1", "Lending": "2"}},
    ]
    verdicts = {entry["reading"]: verdict(groups) for entry, groups in zip(readings, found, strict=True)}
    assert robustness(readings, verdicts) == (robust, choices)


def test_a_claim_about_its_rows_together_is_compared_as_a_whole():
    readings = [{"reading": "letter", "choices": {"Order": "1"}}, {"reading": "order", "choices": {"Order": "2"}}]
    some = {"expect": {"any": {"above": 0}}}
    for found, robust in (
        ((PARTLY, [NO[0], YES[0]]), ("robust", [])),
        ((PARTLY, [NO[0], NO[0]]), ("depends on the reading", ["Order"])),
    ):
        both = {entry["reading"]: verdict(groups, **some) for entry, groups in zip(readings, found, strict=True)}
        assert robustness(readings, both) == robust


@pytest.mark.parametrize(
    ("found", "others", "more", "cause"),
    [
        (YES, [], {"cause": "lost input"}, ""),
        (UNSURE, [], {}, "too few data"),
        (NO, [YES], {"cause": "lost input"}, "depends on the reading"),
        (NO, [], {"no_effect": 0, "cause": "lost input"}, "reversed"),
        ([(0, 0, 0)], [], {"no_effect": 0}, "effect absent"),
        ([(0, 0, 0)], [], {"no_effect": 0, "cause": "definition unclear"}, "definition unclear"),
        ([(0, 0, 0)], [], {"kind": "magnitude"}, "size differs"),
        (NO, [], {"kind": "magnitude"}, "size differs"),  # below its bound, which is not "no effect"
        ([(None,)], [], {"cause": "lost input"}, "lost input"),
    ],
)
def test_why_a_claim_fails(found, others, more, cause):
    headline = verdict(found, **more)
    assert cause_of(more, headline, [headline, *map(verdict, others)]) == cause
