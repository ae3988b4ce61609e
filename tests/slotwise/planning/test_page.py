"""What the page of a what-if tells of each scenario, and that it tells it once."""

import re
from dataclasses import replace
from html import unescape
from xml.etree import ElementTree

import pytest
from markupsafe import escape

import slotwise as sw
from scheduler_core.declarations.words import capitalised
from scheduler_core.runs.simulation import simulate
from slotwise.planning import charts
from slotwise.planning.charts import LINE
from slotwise.planning.effects import Ratio
from slotwise.planning.page import PICTURES, page, percent, tables, typeset
from slotwise.planning.validation import DIFFERENCES, LEVELS, LICENCES, Grade, needs
from slotwise.planning.waits import waits_of
from slotwise.planning.words import (
    SAME,
    answer_sentences,
    change,
    growth_sentences,
    hours,
    means_sentence,
    other_sentences,
    scenario_sentences,
    shown_sentence,
    winners_words,
)
from tests.slotwise.planning.small_jobs import jobs, workload
from traces.shape.closing import with_closing


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
        said = winners_words(*one.effect.winners("user"))
        assert said[0].upper() + said[1:] in words
        assert means_sentence(one.effect.ratios["wait_h"], one.effect.ratios["slowdown"]) in words


@pytest.mark.parametrize(
    ("winners", "words"),
    [
        ((32, 8, 40), "32 of 40 users wait less on average, 8 wait longer"),
        ((1, 30, 40), "1 of 40 users waits less on average, 30 wait longer, 9 as long as before"),
        ((40, 0, 40), "all 40 users wait less on average"),
        ((0, 40, 40), "all 40 users wait longer on average"),
        ((1, 0, 1), "1 of 1 user waits less on average, 0 wait longer"),
    ],
)
def test_users_who_gain_and_lose_are_counted(winners, words):
    assert winners_words(*winners) == words


def test_a_scenario_with_a_closed_queue_tells_how_long_its_jobs_wait():
    """The mean wait of the schedules themselves; without closed hours no queue is told of."""
    log = sw.read_log("drawn").first(400)
    found = sw.whatif(log, ["fcfs"], close=["2=workdays:8-18"]).found
    other, closed = (list(scenario_sentences(found, one)) for one in found.results)
    queue = found.workload.jobs["queue"] == 2
    before, after = (
        waits_of(one)["wait_h"].filter(queue).mean()
        for one in (simulate(log, "easy"), simulate(with_closing(log, {"2": "workdays:8-18"}), "easy"))
    )
    assert f"Jobs of queue 2 wait {hours(after)} instead of {hours(before)} on average." in closed
    assert after > before
    assert not any("queue" in words for words in other)


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


def test_a_change_without_an_interval_is_not_called_unreliable(found):
    short = replace(found, results=[having(one, FEW) for one in found.policies])
    assert shown_sentence(replace(short, results=short.results[:1])) == f"Mean wait: {change(FEW)}."
    assert any("too few weeks to tell whether one of the policies tried" in one for one in answer_sentences(short))


@pytest.mark.parametrize("wait", [RAISED, HALVED, MANIFOLD, UNSURE, NONE, FEW])
def test_who_tries_one_policy_reads_what_it_does_and_what_each_other_change_does(found, wait):
    (tried, *_), others = found.policies, [one for one in found.results if one not in found.policies]
    alone = replace(found, results=[having(tried, wait), *others])
    first, *rest = answer_sentences(alone)
    moves, then = ("does not clearly change:", ",") if wait is UNSURE else ("is", ":")
    waits = f"{hours(wait.after)} instead of {hours(wait.before)} under EASY"
    assert first == f"Under {tried.label} the mean wait {moves} {waits}{then} {change(wait)}."
    assert len([one for one in rest if one.startswith("With ")]) == len(others) > 0
    assert any("users" in one for one in rest) == (wait is HALVED)


def having(result, wait):
    """A result with another change of the mean wait."""
    return replace(result, effect=replace(result.effect, ratios={**result.effect.ratios, "wait_h": wait}))


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


def with_ratios(found, *ratios):
    """Return a what-if of the last scenarios, which are not policies, with these ratios of the mean wait."""
    last = found.results[-len(ratios) :]
    effects = [
        replace(one.effect, ratios={**one.effect.ratios, "wait_h": ratio})
        for one, ratio in zip(last, ratios, strict=True)
    ]
    results = [
        replace(one, effect=effect, mean_wait_h=effect.ratios["wait_h"].after)
        for one, effect in zip(last, effects, strict=True)
    ]
    return replace(found, results=results)


def test_what_the_page_looks_at_is_told_with_its_interval_and_whether_it_may_be_chance(found):
    """A scenario that surely shortens waits is not said to do so unreliably; a scenario alone is not the best of several."""
    assert shown_sentence(with_ratios(found, HALVED, UNSURE)) == (
        f"Of the scenarios tried, 20 % more load has the shortest mean wait: {change(HALVED)}."
    )
    assert shown_sentence(with_ratios(found, RAISED)) == f"Mean wait: {change(RAISED)}."
    assert shown_sentence(with_ratios(found, UNSURE)) == f"Mean wait: {change(UNSURE)}, which may be chance."
    assert [told.endswith("chance.") for told in other_sentences(with_ratios(found, HALVED, UNSURE))] == [False, True]


def test_no_label_of_a_scenario_reaches_into_the_next_or_over_the_axis(found):
    """A label of four lines keeps to the row of its scenario, around the mark."""
    last = replace(
        found.results[-1], label="25 % more processors, 20 % more load, queue 2 closed from 8 to 18 on workdays"
    )
    drawn = PICTURES["ratios"][0](replace(found, results=[*found.results[:-1], last]))
    step = drawn.height / len(found.results)
    picture = ElementTree.fromstring(charts.picture(drawn, ""))
    labels = [one for one in picture.findall(".//{*}text") if len(one.findall("{*}tspan")) > 1]
    assert [len(one.findall("{*}tspan")) for one in labels] == [4]
    top = float(re.search(r",([\d.-]+)\)", labels[0].get("transform"))[1])
    assert (len(found.results) - 1) * step < top - LINE / 2
    assert top + 3 * LINE + LINE / 2 < len(found.results) * step


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


@pytest.mark.parametrize(("letter", "said"), [("A", 0), ("B", 1), ("C", 0)])
def test_a_grade_that_a_fit_may_improve_names_the_fit(letter, said, found):
    grade = Grade(letter, "measured")
    graded = replace(found, validation=replace(found.validation, grade=grade))
    words = "slotwise fit looks for a baseline that repeats the recorded waits better"
    assert text_of(graded).count(words) == said
    fitted = replace(graded, workload=graded.workload.transformed(graded.workload.jobs, {"step": "usable", "of": 128}))
    assert words not in text_of(fitted)


def test_a_log_of_one_week_without_waits_has_no_empty_charts_and_no_missing_numbers():
    log = workload(jobs(*((60 * place, 30, 1) for place in range(50)), user=[1] * 50), 64)
    short = sw.whatif(log, ["conservative"], load=["x1.2"]).found
    assert [name for name, (draw, _) in PICTURES.items() if draw(short) is not None] == ["growth"]
    text = text_of(short)
    assert "The mean wait is 0, as in the baseline" in text
    assert not re.search(r"\b(nan|inf|None(?! of))\b", text)
    assert percent(float("nan")) == percent(None) == "–"


ALIKE = jobs(*((3600 * place, 5000, 4) for place in range(2000)))
OVERLOADED = workload(ALIKE.with_columns(estimate_us=2 * ALIKE["runtime_us"]), 4)
"""Twelve weeks of jobs that each take the whole machine: whatever the policy, they start in the order of submission."""


def test_a_change_that_moves_no_wait_is_no_matter_of_chance():
    found = sw.whatif(OVERLOADED, ["conservative"], estimates=["exact"]).found
    assert [one.effect.none for one in found.results] == [True, True]
    answer = " ".join(answer_sentences(found))
    told = [" ".join(scenario_sentences(found, one)) for one in found.results]
    assert answer.count(SAME) == 2
    assert all(capitalised(SAME) in text for text in told)
    assert not any("chance" in text for text in [answer, *told])
    other = sw.whatif(OVERLOADED, processors=["+100%"]).found
    assert not other.results[0].effect.none
    assert SAME not in " ".join(answer_sentences(other))


def test_jobs_too_wide_for_a_smaller_machine_are_counted_wherever_its_change_is_told():
    rows = [(hour * 3600, 3000, size) for hour in range(12 * 7 * 24) for size in (1, 2, 4)]
    found = sw.whatif(workload(jobs(*rows), 4), processors=["2"]).found
    said = f"{12 * 7 * 24:,} of {len(rows):,} jobs never run because they are wider than this machine"
    assert said in " ".join(answer_sentences(found))
    assert said in " ".join(scenario_sentences(found, found.results[0]))
    wider = sw.whatif(workload(jobs(*rows), 4), processors=["8"]).found
    assert "never run" not in " ".join(answer_sentences(wider))


def test_axes_of_waits_beyond_a_hundred_hours_have_plain_numbers():
    drawn = PICTURES["weeks"][0](sw.whatif(OVERLOADED, ["conservative"]).found)
    texts = {one.text for one in ElementTree.fromstring(charts.picture(drawn, "")).findall(".//{*}text")}
    assert {"100", "200"} <= texts
    assert not any("e+" in text for text in texts if text)


def test_the_page_has_no_code_names_and_keeps_numbers_with_their_units(found):
    """Rules of the accounting are told in words, commands are code, and a line never ends between a number and its unit."""
    command = "slotwise whatif 'a log' --standstills 6 --try \"easy(reservations=4)\""
    written = re.sub(r"<(style|svg).*?</\1>", "", page(found, command, "tables"), flags=re.DOTALL)
    assert escape(command) in written
    assert not re.search(r"[a-z]_[a-z]", re.sub(r"<pre>.*?</pre>", "", written, flags=re.DOTALL))
    assert typeset("−24 % (95 % CI), 3 h; `slotwise fit`") == "−24\xa0% (95\xa0% CI), 3\xa0h; <code>slotwise fit</code>"
    assert typeset("<1 h") == "&lt;1\xa0h"
