"""What the page of a what-if tells of each scenario, and that it tells it once."""

import re
from dataclasses import replace
from html import unescape

import pytest
from markupsafe import escape

import slotwise as sw
from scheduler_core.runs.simulation import simulate
from slotwise.planning.effects import Ratio
from slotwise.planning.page import PICTURES, page, percent, tables, typeset
from slotwise.planning.validation import DIFFERENCES, LEVELS, LICENCES, Grade, needs
from slotwise.planning.waits import waits_of
from slotwise.planning.words import answer_sentences, growth_sentences, means_sentence, scenario_sentences, why_shown
from tests.slotwise.planning.small_jobs import jobs, workload


@pytest.fixture(scope="module")
def found():
    """Return a what-if of policies, a larger machine and more load."""
    policies = ["conservative", "easy_sjbf", "easy(reservations=4)"]
    return sw.whatif(sw.read_log("drawn").first(3000), policies, processors=["+25%"], load=["x1.2"]).found


@pytest.fixture(scope="module")
def shown(found):
    """Return the text of the page."""
    return text_of(found)


def text_of(found):
    """Return the text of a page without tags, with single spaces."""
    text = re.sub(r"<(style|svg).*?</\1>|<[^>]+>", " ", page(found, "slotwise whatif drawn", "tables"), flags=re.DOTALL)
    return " ".join(unescape(text).split())


def test_every_scenario_has_its_sentences(found, shown):
    told = [" ".join(scenario_sentences(found, one)) for one in found.results]
    assert len(set(told)) == len(told)
    for words, one in zip(told, found.results, strict=True):
        assert shown.count(words) == 1
        shorter, longer, users = one.effect.winners("user")
        assert f"{shorter:,} of {users:,} users wait less on average, {longer:,} wait longer" in words
        assert means_sentence(one.effect.ratios["wait_h"], one.effect.ratios["slowdown"]) in words


HALVED, RAISED, MANIFOLD = Ratio(2, 1, 0.4, 0.7), Ratio(2, 2.5, 1.1, 1.4), Ratio(2, 9, 3, 6)
UNSURE, FEW, NONE = Ratio(2, 1.98, 0.9, 1.1), Ratio(2, 1, None, None), Ratio(0, 1, None, None)


@pytest.mark.parametrize(
    ("wait", "slowdown", "moves", "also"),
    [
        (HALVED, HALVED, "falls by 50 % (95 % CI 30 to 60)", "by 50 % (95 % CI 30 to 60)"),
        (RAISED, HALVED, "rises by 25 % (95 % CI 10 to 40)", "falls by 50 % (95 % CI 30 to 60)"),
        (MANIFOLD, UNSURE, "rises 4.5-fold (95 % CI 3.0 to 6.0)", "does not clearly change (−1 %, 95 % CI −10 to +10)"),
        (NONE, FEW, "is 1.0 h instead of 0", "changes by −50 % (no interval: too few weeks)"),
    ],
)
def test_a_mean_moves_in_a_direction_only_where_the_interval_says_so(wait, slowdown, moves, also):
    assert means_sentence(wait, slowdown) == f"The mean wait {moves}, and the mean bounded slowdown {also}."


def test_a_change_that_surely_helps_is_not_called_unreliable(found):
    """Without policies to try, the page looks at a machine or a load, for which there is no answer."""
    (machine,) = [one for one in found.results if one.label == "25 % more processors"]
    assert machine.effect.ratios["wait_h"].high < 1
    words = why_shown(replace(found, results=[machine]))
    assert words.startswith("Mean wait −")
    assert "reliably" not in words


def test_a_change_without_an_interval_is_not_called_unreliable(found):
    (tried, *_) = found.results
    few = replace(tried.effect, ratios={**tried.effect.ratios, "wait_h": FEW})
    short = replace(found, results=[replace(tried, effect=few)])
    assert why_shown(short).startswith(f"The log has too few weeks to tell whether {tried.label} is better than EASY")
    assert any("too few weeks to tell whether one of the policies tried" in one for one in answer_sentences(short))


def test_growth_is_no_plan_where_the_simulation_does_not_repeat_the_log(found):
    graded = replace(found, validation=replace(found.validation, grade=Grade("C", "measured")))
    assert next(growth_sentences(graded)).startswith("Do not plan by these numbers")
    assert not any("Do not plan" in one for one in growth_sentences(found))


def test_neither_mean_is_said_to_move_where_both_may_be_chance():
    change = "(−1 %, 95 % CI −10 to +10)"
    assert (
        means_sentence(UNSURE, UNSURE)
        == f"Neither the mean wait {change} nor the mean bounded slowdown {change} clearly changes."
    )


def test_the_longest_wait_of_every_scenario_is_shown_in_hours(found, shown):
    """No job waits longer, and the job that does is the one that a schedule of the same jobs has."""
    longest = waits_of(simulate(found.workload, "conservative"))["wait_h"].max()
    table = tables(found)["scenarios"]
    assert table.filter(scenario="Conservative")["longest_wait_h"].item() == longest
    assert (table["longest_wait_h"] >= table["wait_95_h"]).all()
    assert "longest wait" in shown
    assert all(f"{hours:,.1f} h" in shown for hours in table["longest_wait_h"])


def test_a_policy_has_one_colour_and_one_shape_on_the_whole_page(found):
    """Every scale of every chart gives a series the same colour, and no two series have one colour."""
    drawn = {name: draw(found).to_dict() for name, (draw, _) in PICTURES.items()}
    for channel in ("color", "shape"):
        given = [pair for chart in drawn.values() for pair in scales_of(chart, channel)]
        assert len(set(given)) == len(dict(given)) == len({look for _, look in given})
    assert {name for name, chart in drawn.items() if not list(scales_of(chart, "color"))} == {"users"}
    colour = dict(pair for chart in drawn.values() for pair in scales_of(chart, "color"))
    assert drawn["users"]["layer"][1]["mark"]["color"] == colour[found.shown.label]
    dots = re.findall(r'background: (#\w+)"></i>([^<]+)</b>', page(found, "", ""))
    assert dots == [(colour[one.label], typeset(one.label)) for one in found.results]


def scales_of(chart, channel):
    """Yield the name and the look of every series of a chart and its layers."""
    scale = chart.get("encoding", {}).get(channel, {}).get("scale", {})
    yield from zip(scale.get("domain", []), scale.get("range", []), strict=True)
    for layer in chart.get("layer", []):
        yield from scales_of(layer, channel)


@pytest.mark.parametrize("letter", LICENCES)
def test_what_a_grade_licenses_and_needs_is_told_once_where_the_grade_is(letter, found):
    reason = f"measured. Grade A {needs(LEVELS)}; grade B {needs(DIFFERENCES)}"
    graded = replace(found, validation=replace(found.validation, grade=Grade(letter, reason)))
    text = text_of(graded)
    for words in (LICENCES[letter], needs(LEVELS), needs(DIFFERENCES)):
        assert text.count(words) == 1
        assert text.index(words) < text.index("Can this be trusted?")


def test_a_log_of_one_week_without_waits_has_no_empty_charts_and_no_missing_numbers():
    log = workload(jobs(*((60 * place, 30, 1) for place in range(50)), user=[1] * 50), 64)
    short = sw.whatif(log, ["conservative"], load=["x1.2"]).found
    assert [name for name, (draw, _) in PICTURES.items() if draw(short) is not None] == ["growth"]
    text = text_of(short)
    assert "The mean wait is 0, as in the baseline" in text
    assert not re.search(r"\b(nan|inf|None(?! of))\b", text)
    assert percent(float("nan")) == percent(None) == "–"


def test_the_page_has_no_code_names_and_keeps_numbers_with_their_units(found):
    """Rules of the accounting are told in words, commands are code, and a line never ends between a number and its unit."""
    command = "slotwise whatif 'a log' --standstills 6 --try \"easy(reservations=4)\""
    written = re.sub(r"<(style|svg).*?</\1>", "", page(found, command, "tables"), flags=re.DOTALL)
    assert escape(command) in written
    assert not re.search(r"[a-z]_[a-z]", re.sub(r"<pre>.*?</pre>", "", written, flags=re.DOTALL))
    assert typeset("−24 % (95 % CI), 3 h; `slotwise fit`") == "−24\xa0% (95\xa0% CI), 3\xa0h; <code>slotwise fit</code>"
    assert typeset("<1 h") == "&lt;1\xa0h"
