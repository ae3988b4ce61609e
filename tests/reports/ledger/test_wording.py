"""What the ledger says in words."""

import pytest

from reports.ledger.terms import Terms
from reports.ledger.verdicts import Judged, Verdict
from reports.ledger.wording import expectation, finding, said, unit_words
from reports.measure.verdict_words import OPPOSITES

SAY = {"reproduced": "It gains.", "otherwise": "It does not gain."}


@pytest.mark.parametrize(
    ("expect", "words"),
    [
        ({"all": {"above": 0}}, "every 95 % interval lies above 0"),
        ({"any": {"between": [1, 2]}}, "at least one 95 % interval lies between 1 and 2"),
        ({"all": {"near": 1, "margin": 0.1}}, "every 90 % interval lies within 0.1 of 1"),
        ({"all": {"is": 0, "tolerance": 0}}, "every value is 0"),
        ({"all": {"is": "each", "tolerance": 0.5}}, "every value is as printed, to within 0.5"),
        ({"all": {"at_most": 2}}, "every value is at most 2"),
        ({"sides": 1}, "at least one 95 % interval lies wholly below 1 and at least one wholly above"),
    ],
)
def test_an_expectation_is_a_sentence(expect: dict[str, object], words: str) -> None:
    assert expectation(Terms.of({"expect": expect})) == words


def test_a_text_for_other_verdicts_says_nothing_of_what_cannot_be_tested() -> None:
    assert said(SAY, Verdict("not reproduced"), "") == "It does not gain."
    assert said(SAY, Verdict("cannot tell"), "") == "It does not gain."
    assert said(SAY, Verdict("not testable"), "", "New gains") == "New gains: not testable here."
    assert said(SAY, Verdict("not testable"), "") == ""
    assert said({**SAY, "not testable": "Lost."}, Verdict("not testable"), "", "New gains") == "Lost."


def test_a_value_without_an_interval_says_so() -> None:
    text = {"otherwise": "It gains {value} times ({interval})."}
    known, alone = (Judged("a", 1.5, *ends, None, "cannot tell") for ends in ((1.25, 2.0), (None, None)))
    endless = Judged("a", 1.5, None, None, None, "cannot tell", units=3)
    assert said(text, Verdict("cannot tell", [endless]), "") == "It gains 1.50 times (no interval: it is unbounded)."
    assert said(text, Verdict("cannot tell", [known]), "") == "It gains 1.50 times (1.25 to 2)."
    assert said(text, Verdict("cannot tell", [alone]), "") == "It gains 1.50 times (no interval)."


def test_a_text_names_the_row_that_was_measured() -> None:
    """A scale may leave out a load, so the text takes the load from the row."""
    row = Judged("Model, load 2.0", 1.5, 1.25, 2.0, None, "reproduced")
    assert (
        said({"reproduced": "{value} times ({label})"}, Verdict("reproduced", [row]), "")
        == "1.50 times (Model, load 2.0)"
    )


def test_a_text_has_every_value_beside_the_printed_one() -> None:
    """Rows are named by what their labels do not share."""
    rows = [
        Judged(f"{name}, mean wait: A over B", value, None, None, printed, "")
        for name, value, printed in (("W1", 44.9, 48.0), ("W2", 60.0, None), ("W3, late", -73.7, 56.0))
    ]
    text = "It saves {rows}."
    assert said({"otherwise": text}, Verdict("", rows), "%") == (
        "It saves 44.9 % (W1; printed: 48 %), 60 % (W2) and −73.7 % (W3, late; printed: 56 %)."
    )
    assert said({"otherwise": text}, Verdict("", rows[:1]), "%") == (
        "It saves 44.9 % (W1, mean wait: A over B; printed: 48 %)."
    )


def test_an_amount_of_zero_is_none() -> None:
    text = {"otherwise": "It bears {value}.", "none": "It bears nothing."}
    none, some = (Judged("a", value, None, None, None, "not reproduced") for value in (0.0, 4.0))
    assert said(text, Verdict("not reproduced", [none]), "%") == "It bears nothing."
    assert said(text, Verdict("not reproduced", [some]), "%") == "It bears 4 %."
    assert said({"otherwise": "It bears {value}."}, Verdict("not reproduced", [none]), "%") == "It bears 0 %."


@pytest.mark.parametrize(
    ("expect", "row", "words"),
    [
        ({"at_most": 1}, (1.00031, None, None), "1.0003 times (no interval)"),
        ({"at_most": 1}, (1.0, None, None), "1 times (no interval)"),
        ({"above": 1}, (1.002, 1.0017, 1.0023), "1.002 times (1.002 to 1.002)"),
        ({"above": 1}, (1.05, 1.0, 1.1), "1.05 times (1 to 1.10)"),
        ({"below": -1}, (-1.0004, None, None), "−1.0004 times (no interval)"),
        ({"prints": 1}, (1.00031, 0.99, 1.01), "1.00 times (0.990 to 1.01)"),
    ],
)
def test_numbers_have_the_digits_that_tell_them_from_the_bound_of_the_verdict(
    expect: dict[str, float], row: tuple[float, float | None, float | None], words: str
) -> None:
    """No two values that are written alike have two verdicts; agreement with a printed number needs no further digits."""
    judged = Judged("a", *row, None, "", limit=Terms.of({"expect": {"all": expect}}).limit)
    assert said({"otherwise": "{value} times ({interval})"}, Verdict("", [judged]), "") == words


def test_the_word_turns_for_a_value_below_zero() -> None:
    """A value of -3 % less is 3 % more, and its interval turns with it."""
    text = {"otherwise": "It takes {value} ({interval}) {less} time."}
    more, less = Judged("a", -3.0, -7.5, 1.0, None, "cannot tell"), Judged("b", 5.0, 4.0, 6.0, None, "reproduced")
    assert said(text, Verdict("cannot tell", [more]), "%") == "It takes 3 % (−1 to 7.50 %) more time."
    assert said(text, Verdict("cannot tell", [less]), "%") == "It takes 5 % (4 to 6 %) less time."
    unit, terms = unit_words({"unit": "%", "change": "mean % less"}), Terms.of({"expect": {"all": {"above": 0}}})
    assert (
        finding(Verdict("cannot tell", [more, less]), terms, unit) == "a: 3 % more (−1 to 7.50); b: 5 % less (4 to 6)"
    )
    assert finding(Verdict("cannot tell", [more, less] * 2), terms, unit).endswith("values 3 % more to 5 % less")
    assert finding(Verdict("cannot tell", [more] * 4), terms, unit).endswith("values 3 to 3 % more")


def test_ratios_are_so_many_times() -> None:
    assert unit_words({"against": [["a", "b"]]}) == unit_words({"against": [["a", "b"]], "change": "ratio"}) == "times"
    assert unit_words({"against": [["a", "b"]], "measure": "own"}) == ""


def test_a_saving_that_grows_is_more_saved() -> None:
    """The difference of two savings is no "points less": what saves 10 % and then 39 % saves 29 points more."""
    saved = {"measure": "difference_of_changes", "unit": "points"}
    assert unit_words({**saved, "change": "mean % less"}) == "points more saved"
    assert unit_words({**saved, "change": "mean % more"}) == unit_words({**saved, "change": "mean % better"})
    grows, shrinks = (Judged(name, value, None, None, None, "") for name, value in (("a", 29.0), ("b", -4.0)))
    terms = Terms.of({"expect": {"all": {"above": 0}}})
    told = finding(Verdict("", [grows, shrinks]), terms, "points more saved")
    assert told == "a: 29 points more saved; b: 4 points less saved"


@pytest.mark.parametrize(
    ("text", "verdicts", "words"),
    [
        ("It gains on {k} of {n} logs.", ["reproduced", "cannot tell"], "It gains on 1 of 2 logs."),
        ("It gains on {k} of {n} logs.", ["cannot tell"] * 3, "It gains on none of the 3 logs."),
        ("Late. {k} of {n} logs gain.", ["cannot tell"] * 3, "Late. None of the 3 logs gain."),
        ("It gains on every log ({k} of {n}).", ["reproduced"] * 3, "It gains on every log (3 of 3)."),
        ("In {k} of {n} logs it gains.", ["reproduced"] * 3, "In all 3 logs it gains."),
        ("{k} of {n} logs gain.", ["reproduced"] * 3, "All 3 logs gain."),
        ("It gains on {k} of {n} logs.", ["cannot tell"], "It gains on no log (of 1)."),
        ("It gains on {k} of {n} logs.", ["reproduced"], "It gains on the only log."),
        ("{k} of {n} policies wait.", ["cannot tell"], "No policy (of 1) wait."),
        ("It gains: {k} of {n} classes.", ["reproduced"], "It gains: the only class."),
        ("It gains in {k} of {n}.", ["reproduced"], "It gains in 1 of 1."),
    ],
)
def test_a_tally_of_none_or_all_or_one_reads_as_people_say_it(text: str, verdicts: list[str], words: str) -> None:
    rows = [Judged("a", 1.0, None, None, None, verdict) for verdict in verdicts]
    assert said({"otherwise": text}, Verdict("cannot tell", rows), "") == words


def test_verbs_turn_as_adjectives_do() -> None:
    rise = Verdict("cannot tell", [Judged("a", -3.0, None, None, None, "cannot tell")])
    assert said({"otherwise": "It {raises} waits by {value}."}, rise, "%") == "It lowers waits by 3 %."
    assert all(OPPOSITES[other] == way for way, other in OPPOSITES.items() if other in OPPOSITES)
