"""The measures that studies share: A against B in every form, comparisons of comparisons, and printed numbers."""

import pytest

from reports.ledger.claim_checks import CHANGES, validate_claims
from reports.ledger.claims import Bench
from reports.ledger.measures import measure_of, read_measures
from reports.measure.verdict_words import NOT_REPRODUCED, REPRODUCED
from tests.paths import STUDIES

A, B = [5.9, 6.0, 6.1], [11.8, 12.3, 11.9]
MEAN = 100 * (5.9 / 11.8 + 6.0 / 12.3 + 6.1 / 11.9) / 3
"""What A is of B in the mean, in per cent; the ratio of their means is 0.5."""

WORDS = {
    "id": "c", "kind": "direction", "headline": "A is less than B", "sentence": "A is less.", "citation": "An author, 2000",
    "expect": {"all": {"above": 0}},
}  # fmt: skip
ON = {"workloads": ["w"], "metrics": ["mean_wait"]}


@pytest.fixture
def judged(stage):
    """Judge an entry in a world of two policies on two workloads, whose second has half as much of B, and printed numbers."""

    def judge(entry, scale=1.0):
        claim = {**WORDS, **entry}
        validate_claims("s", [claim])
        found = read_measures(STUDIES / "none" / "study.yaml", {"c": claim})
        with stage.empty() as world:
            for workload, part in (("w", 1.0), ("v", 0.5)):
                world.metric(workload, "a", "mean_wait", A)
                world.metric(workload, "b", "mean_wait", [value * part for value in B])
            world.metric("w", "a", "mean_wait", [6.0, 6.1, 6.2], scope="long")
            world.metric("w", "b", "mean_wait", [3.0, 3.1, 3.2], scope="long")
            world.metric("w", "a", "max_wait", [20.0, 31.0, 40.0])
            for policy, value in (("a", 6.0 * scale), ("b", 12.0)):
                world.printed(
                    "w", policy, "mean_wait", value, source="S", place="Table 1, page 2", printed=value,
                    printed_digits=0, printed_scale=1, printed_draws=1,
                )  # fmt: skip
            return Bench(world.connection, {"study": "s", "measures": found}).judge(claim)

    return judge


@pytest.mark.parametrize(
    ("change", "value"),
    [
        ("ratio", 0.5), ("% of", 50), ("% more", -50), ("% less", 50),
        ("difference", -6), ("points more", -600), ("points less", 600),
        ("mean % of", MEAN), ("mean % more", MEAN - 100), ("mean % less", 100 - MEAN), ("mean % better", 100 - MEAN),
    ],
)  # fmt: skip
def test_every_change_is_of_a_against_b(judged, change, value):
    (row,) = judged({"against": [["a", "b"]], "change": change, "with": ON}).rows
    assert row.value == pytest.approx(value)
    assert row.label == "w, mean wait: a over b"
    (turned,) = judged({"against": [["b", "a"]], "change": change, "with": ON}).rows
    assert turned.value != pytest.approx(value)


def test_every_word_for_a_change_is_tried():
    tried = next(mark for mark in test_every_change_is_of_a_against_b.pytestmark if mark.name == "parametrize")
    assert {change for change, _ in tried.args[1]} == set(CHANGES)


def test_a_pair_that_is_swapped_or_another_metric_turns_the_verdict(judged):
    claim = {"against": [["a", "b"]], "change": "% less", "with": ON}
    assert judged(claim).verdict == REPRODUCED
    assert judged({**claim, "against": [["b", "a"]]}).verdict == NOT_REPRODUCED
    assert judged({**claim, "with": {**ON, "metrics": ["p95_wait"]}}).rows == []


def test_workloads_metrics_and_scopes_may_be_compared_too(judged):
    def value(**with_):
        (row,) = judged({"against": ["a"], "with": {**ON, **with_}}).rows
        return row.value, row.label

    assert value(workloads=[["w", "v"]]) == (1, "w over v, mean wait: a")
    assert value(metrics=[["max_wait", "mean_wait"]]) == (pytest.approx(91 / 18), "w, largest wait over mean wait: a")
    assert value(scopes=[["long", "all"]]) == (pytest.approx(18.3 / 18), "w, mean wait of long jobs over mean wait: a")


def test_workloads_that_are_one_sample_are_pooled(judged):
    claim = {"against": [["a", "b"]], "with": {"workloads": ["w", "v"], "metrics": ["mean_wait"], "pooled": "Both"}}
    (row,) = judged(claim).rows
    assert (row.label, row.value) == ("Both, mean wait: a over b", pytest.approx(36 / 54))


def test_a_mean_over_workloads_is_of_each_unit_and_needs_all_of_them(judged):
    with_ = {"workloads": ["w", "v"], "metrics": ["mean_wait"], "mean_over": "workloads"}
    claim = {"against": [["a", "b"]], "change": "difference", "with": with_}
    (row,) = judged(claim).rows
    assert (row.label, row.value) == ("Mean of the workloads, mean wait: a over b", pytest.approx((-6 + 0) / 2))
    missing = {**with_, "workloads": ["w", "v", "u"]}
    assert judged({**claim, "with": missing}).rows == []
    assert len(judged({**claim, "with": {**missing, "mean_over": "workloads present"}}).rows) == 1


def test_two_comparisons_are_compared(judged):
    both = {"against": [["a", "b"]], "with": {"workloads": [["w", "v"]], "metrics": ["mean_wait"]}}
    (row,) = judged({**both, "measure": "ratio_of_ratios"}).rows
    assert row.value == pytest.approx(0.5)
    (row,) = judged({**both, "measure": "difference_of_changes", "change": "mean % less"}).rows
    assert row.value == pytest.approx(MEAN)
    (row,) = judged({**both, "measure": "ratio_of_ratios", "with": {**ON, "than": [["b", "a"]]}}).rows
    assert row.value < 0.3


def test_printed_numbers_stand_beside_what_is_measured(judged):
    prints = {"expect": {"all": {"prints": "each"}}}
    level = {"measure": "printed", "with": {**ON, "source": "S", "policies": ["a", "b"]}}
    ratio = {"measure": "printed_ratio", "against": [["a", "b"]], "with": {**ON, "source": "S"}}
    found = judged({**level, **prints})
    assert [(row.label, row.printed) for row in found.rows] == [
        ("w, mean wait: a, Table 1", 6.0), ("w, mean wait: b, Table 1", 12.0),
    ]  # fmt: skip
    assert found.verdict == REPRODUCED
    assert judged({**level, **prints}, scale=9).verdict != REPRODUCED
    found = judged({**ratio, **prints})
    assert ([row.printed for row in found.rows], found.verdict) == ([0.5], REPRODUCED)
    assert judged({**ratio, **prints}, scale=9).verdict == NOT_REPRODUCED
    assert judged({**level, **prints, "with": {**level["with"], "source": "T"}}).rows == []


def test_a_level_is_over_its_divisor(judged):
    with_ = {**ON, "policies": ["b", "a"], "divisor": 0.01}
    found = judged({"measure": "level", "with": with_})
    assert [(row.label, row.value) for row in found.rows] == [
        ("w, mean wait: b", pytest.approx(1200)),
        ("w, mean wait: a", pytest.approx(600)),
    ]


def test_a_comparison_needs_no_measure():
    assert measure_of({"against": [["a", "b"]]}) == "comparison"
    assert measure_of({"against": [["a", "b"]], "change": "mean % less"}) == "mean_change"
    assert measure_of({"against": [["a", "b"]], "measure": "own"}) == "own"
    assert measure_of({"say": {}}) is None
