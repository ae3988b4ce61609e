"""Verdicts of rows by their bands, and of claims by their rows."""

import re

import numpy as np
import pytest

from reports.ledger.rows import Row
from reports.ledger.terms import Terms
from reports.ledger.verdicts import judge
from reports.measure.verdict_words import CANNOT_TELL, IN_PART, NOT_REPRODUCED, NOT_TESTABLE, REPRODUCED
from scheduler_core.common.errors import StudyError


def units(*values, label="a", **more):
    return Row(label, tuple(values), **more)


def exact(value, label="a", **more):
    return Row(label, (value,), exact=True, **more)


def verdict_of(expect, *rows, scale="full", **claim):
    return judge("here", Terms.of({"expect": expect, **claim}, scale), list(rows))


HIGH, LOW, WIDE = units(4, 5, 6, label="high"), units(-6, -5, -4, label="low"), units(-9, 1, 9, label="wide")
TIGHT = units(4.9, 5, 5.1, label="tight")
ONE, NONE = units(5, label="one"), units(None, label="none")


@pytest.mark.parametrize(
    ("band", "row", "verdict"),
    [
        ({"above": 0}, HIGH, REPRODUCED),
        ({"above": 0}, LOW, NOT_REPRODUCED),
        ({"above": 0}, WIDE, CANNOT_TELL),
        ({"above": 0}, ONE, CANNOT_TELL),
        ({"above": 0}, NONE, NOT_TESTABLE),
        ({"above": 0}, units(), NOT_TESTABLE),
        ({"above": 0}, units(3, None, 3), NOT_TESTABLE),
        ({"above": 0}, units(0, 0, 0), NOT_REPRODUCED),
        ({"below": 0}, LOW, REPRODUCED),
        ({"below": 0}, HIGH, NOT_REPRODUCED),
        ({"between": [0, 10]}, HIGH, REPRODUCED),
        ({"between": [-1, 4]}, HIGH, CANNOT_TELL),
        ({"between": [8, 10]}, HIGH, NOT_REPRODUCED),
        ({"prints": 5.4}, TIGHT, REPRODUCED),
        ({"prints": 5.5}, HIGH, CANNOT_TELL),
        ({"prints": 20}, HIGH, NOT_REPRODUCED),
        ({"prints": 20}, ONE, CANNOT_TELL),
        ({"prints_over": -1}, HIGH, REPRODUCED),
        ({"prints_over": 3}, HIGH, CANNOT_TELL),
        ({"prints_over": 12}, HIGH, NOT_REPRODUCED),
        ({"prints_under": 12}, HIGH, REPRODUCED),
        ({"prints_under": -1}, HIGH, NOT_REPRODUCED),
        ({"prints_between": [2, 6]}, TIGHT, REPRODUCED),
        ({"prints_between": [2, 6]}, HIGH, CANNOT_TELL),
        ({"prints_between": [12, 16]}, HIGH, NOT_REPRODUCED),
        ({"near": 5, "margin": 3}, HIGH, REPRODUCED),
        ({"near": 5, "margin": 1}, HIGH, CANNOT_TELL),
        ({"near": 12, "margin": 1}, HIGH, NOT_REPRODUCED),
        ({"near": 0, "margin": 1}, WIDE, CANNOT_TELL),
        ({"is": 2, "tolerance": 0.1}, exact(2.05), REPRODUCED),
        ({"is": 2, "tolerance": 0.1}, exact(2.2), NOT_REPRODUCED),
        ({"is": 2, "tolerance": 0}, exact(None), NOT_TESTABLE),
        ({"at_most": 2}, exact(2), REPRODUCED),
        ({"at_most": 2}, exact(2.001), NOT_REPRODUCED),
        ({"at_least": 2}, exact(2), REPRODUCED),
        ({"at_least": 2}, exact(1.999), NOT_REPRODUCED),
    ],
)
def test_a_row_by_its_band(band, row, verdict):
    assert verdict_of({"all": band}, row).verdict == verdict


def test_a_ratio_is_judged_as_the_difference_is():
    ratio = units(12, 13, 14, 15, versus=(10, 12, 11, 13))
    (row,) = verdict_of({"all": {"above": 1}}, ratio).rows
    assert (row.verdict, row.value) == (REPRODUCED, pytest.approx(54 / 46))
    assert verdict_of({"all": {"above": 0}}, units(2, 1, 3, 2)).verdict == REPRODUCED
    unbounded = units(1, 2, 3, versus=(-1, 1, 0.1))
    (row,) = verdict_of({"all": {"above": 1}}, unbounded).rows
    assert (row.verdict, row.low, row.high) == (CANNOT_TELL, None, None)


def test_a_printed_mean_of_many_draws_must_lie_nearer():
    far = {"prints": 5.4}
    assert verdict_of({"all": far}, TIGHT).verdict == REPRODUCED
    assert verdict_of({"all": far}, TIGHT, draws=50).verdict == NOT_REPRODUCED
    assert verdict_of({"all": far}, units(4.9, 5, 5.1, draws=50)).verdict == NOT_REPRODUCED


def test_an_interval_that_contains_most_plausible_values_decides_nothing():
    """HIGH's next draw lies in 5 ± 4.97 (t = 4.303, s = 1, three draws): 9.94 long, more than half of 0 to 11."""
    (row,) = verdict_of({"all": {"prints": 5.5}}, HIGH, digits=6).rows
    assert (row.verdict, row.detectable) == (CANNOT_TELL, pytest.approx(4.968, abs=0.001))
    assert row.needed is not None
    assert verdict_of({"all": {"prints": 9.9}}, HIGH, digits=6).verdict == CANNOT_TELL
    assert (
        verdict_of({"all": {"prints": 9.95}}, HIGH, digits=6).verdict == REPRODUCED
    )  # 9.94 is less than half of 0 to 19.9
    assert verdict_of({"all": {"prints": 20}}, HIGH).verdict == NOT_REPRODUCED
    assert verdict_of({"all": {"prints": 5.5}}, HIGH, range=[0, 100], digits=6).verdict == REPRODUCED
    assert verdict_of({"all": {"prints": 5.5}}, HIGH, range=[0, 12], digits=6).verdict == CANNOT_TELL
    assert verdict_of({"all": {"prints": 5.5}}, HIGH, no_effect=-5, digits=6).verdict == REPRODUCED
    assert verdict_of({"all": {"prints": 0}}, units(-1, 0, 1), no_effect=None, digits=6).verdict == REPRODUCED
    assert verdict_of({"all": {"above": 0}}, HIGH).rows[0].detectable is None


@pytest.mark.parametrize("versus", [None, 2.0])
def test_the_units_needed_shorten_the_interval_enough(versus):
    def judged(count):
        values = tuple(np.resize([2, 5, 8], count))
        row = Row("a", values, None if versus is None else (versus,) * count)
        return verdict_of({"all": {"prints": 5.5 / (versus or 1)}}, row, digits=6, draws=100).rows[0]

    few = judged(3)
    assert few.verdict == CANNOT_TELL
    assert judged(3 * few.needed).verdict == REPRODUCED


def test_a_printed_number_is_known_to_half_its_last_digit():
    row = units(10.0, 10.1, 10.2)
    assert verdict_of({"all": {"prints": 10.6}}, row, digits=1, draws=1000).verdict == NOT_REPRODUCED
    assert verdict_of({"all": {"prints": 11}}, row, digits=-1, draws=1000).verdict == REPRODUCED
    assert verdict_of({"all": {"prints": 10.7}}, row, draws=1000).verdict == NOT_REPRODUCED
    assert verdict_of({"all": {"prints": 10.6}}, units(10.0, 10.1, 10.2, digits=0), draws=1000).verdict == REPRODUCED


def test_without_digits_a_number_has_those_it_is_written_with():
    terms = Terms.of({"expect": {"all": {"prints": "each"}}})
    assert [terms.half_digit(HIGH, number) for number in (15.0, 2.5, 17.61)] == [0.5, 0.05, pytest.approx(0.005)]


def test_a_printed_number_is_not_reproduced_by_an_interval_that_holds_no_effect_too():
    assert verdict_of({"all": {"prints": 3}}, WIDE, range=[-100, 100]).verdict == REPRODUCED
    assert verdict_of({"all": {"prints": 3}}, WIDE, no_effect=0).verdict == CANNOT_TELL
    assert verdict_of({"all": {"prints": 300}}, WIDE, no_effect=0).verdict == NOT_REPRODUCED
    assert verdict_of({"all": {"prints_between": [2, 6]}}, WIDE, no_effect=0).verdict == CANNOT_TELL


def test_rows_may_each_have_their_printed_number():
    rows = [units(4.9, 5, 5.1, label="a", printed=5), units(4, 5, 6, label="b", printed=50)]
    found = verdict_of({"all": {"prints": "each"}}, *rows)
    assert [(row.printed, row.verdict) for row in found.rows] == [(5, REPRODUCED), (50, NOT_REPRODUCED)]
    assert found.verdict == IN_PART
    found = verdict_of({"all": {"is": "each", "tolerance": 0.5}}, exact(5, printed=5.4), exact(5, label="b", printed=6))
    assert [row.verdict for row in found.rows] == [REPRODUCED, NOT_REPRODUCED]


@pytest.mark.parametrize(
    ("rows", "every", "one"),
    [
        ([HIGH], REPRODUCED, REPRODUCED),
        ([HIGH, LOW], IN_PART, REPRODUCED),
        ([HIGH, WIDE], IN_PART, REPRODUCED),
        ([HIGH, NONE], REPRODUCED, REPRODUCED),
        ([LOW], NOT_REPRODUCED, NOT_REPRODUCED),
        ([LOW, WIDE], NOT_REPRODUCED, CANNOT_TELL),
        ([WIDE, ONE], CANNOT_TELL, CANNOT_TELL),
        ([WIDE, NONE], CANNOT_TELL, CANNOT_TELL),
        ([NONE], NOT_TESTABLE, NOT_TESTABLE),
        ([], NOT_TESTABLE, NOT_TESTABLE),
    ],
)
def test_a_claim_by_its_rows(rows, every, one):
    assert verdict_of({"all": {"above": 0}}, *rows).verdict == every
    assert verdict_of({"any": {"above": 0}}, *rows).verdict == one


@pytest.mark.parametrize(
    ("rows", "verdict"),
    [
        ([HIGH, LOW, WIDE], REPRODUCED),
        ([HIGH, WIDE], CANNOT_TELL),
        ([HIGH, units(7, 8, 9, label="b")], NOT_REPRODUCED),
        ([HIGH], NOT_TESTABLE),
        ([exact(1), exact(-1, label="b")], REPRODUCED),
    ],
)
def test_sides(rows, verdict):
    assert verdict_of({"sides": 0}, *rows).verdict == verdict


def test_rows_that_should_be_there_are_counted():
    found = verdict_of({"all": {"above": 0}}, HIGH, NONE, rows=5)
    assert found.tally == (5, 1, 0, 0, 4)
    assert found.verdict == REPRODUCED


def test_undecided_rows_say_how_many_units_it_would_take():
    row = units(*np.random.default_rng(1).normal(1, 3, 8))
    found = verdict_of({"all": {"above": 0}}, row)
    assert found.verdict == CANNOT_TELL
    assert found.draws_needed > 8
    more = np.array(row.values)
    stretched = more.mean() + (np.resize(more, found.draws_needed) - more.mean())
    spread = more.std(ddof=1) / stretched.std(ddof=1)
    again = units(*(more.mean() + (stretched - stretched.mean()) * spread))
    assert verdict_of({"all": {"above": 0}}, again).verdict == REPRODUCED
    assert verdict_of({"all": {"above": 0}}, ONE).draws_needed is None
    assert verdict_of({"all": {"above": 0}}, HIGH).draws_needed is None


def test_no_data_reproduce_a_claim_with_a_refuted_row():
    open_row, refuted = units(*np.random.default_rng(1).normal(1, 3, 8)), units(-5, -6, -5, -6)
    assert verdict_of({"all": {"above": 0}}, HIGH, open_row).draws_needed > 8
    assert verdict_of({"all": {"above": 0}}, HIGH, open_row, refuted).draws_needed is None
    assert verdict_of({"any": {"above": 0}}, open_row, refuted).draws_needed > 8


def test_intervals_shown_stay_within_the_natural_range():
    (row,) = verdict_of({"all": {"above": 0}}, units(0.2, 0.9), range=[0, 1]).rows
    assert (row.low, row.high) == (0, 1)
    (row,) = verdict_of({"all": {"above": 0}}, units(0.2, 0.9), range=[0, None]).rows
    assert row.low == 0
    assert row.high > 1


def test_a_miniature_tests_no_size():
    for kind, verdict in (("magnitude", NOT_TESTABLE), ("workload", NOT_TESTABLE), ("direction", REPRODUCED)):
        assert verdict_of({"all": {"prints": 5}}, TIGHT, scale="quick", kind=kind).verdict == verdict
        assert verdict_of({"all": {"prints": 5}}, TIGHT, scale="paper", kind=kind).verdict == REPRODUCED
    assert verdict_of({"all": {"is": 2}}, exact(2), scale="quick", kind="workload").verdict == REPRODUCED


@pytest.mark.parametrize(
    ("expect", "row", "message"),
    [
        ({"all": {"above": 0}}, exact(1), "'above' expects rows of label, unit, value; 'a' has an exact value"),
        ({"all": {"is": 0}}, HIGH, "'is' expects rows of label, value; 'high' has a value per unit"),
        ({"all": {"prints": "each"}}, HIGH, "'prints: each' expects the column printed; 'high' has none"),
    ],
)
def test_rows_of_another_form_are_refused(expect, row, message):
    with pytest.raises(StudyError, match=re.escape(f"here: {message}")):
        verdict_of(expect, row)
