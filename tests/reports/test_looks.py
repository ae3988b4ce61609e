"""Policies of a study look different from one another, and logarithmic axes show what they can of an interval."""

import re

import altair as alt
import pytest
import vl_convert
import yaml

from reports.draw.charts import cut_words, on_log_axis, ratio
from reports.draw.drawing import described
from reports.draw.theme import PAPER, RAMP, apart, further_colours, looks
from reports.draw.ticks import DAY, HOUR, duration_ticks, extent, number_ticks
from reports.figures.forms.arms import arms
from reports.figures.forms.stacked import activity_shares
from tests.paths import STUDIES

STUDY_FILES = sorted(STUDIES.glob("*/study.yaml"))


@pytest.mark.parametrize("path", STUDY_FILES, ids=lambda path: path.parent.name)
def test_no_two_policies_of_a_study_look_alike(path):
    study = yaml.safe_load(path.read_text(encoding="utf-8"))
    labels = {str(policy): str(policy) for policy in study["policies"]}
    found = looks(labels, study.get("colours") or {})
    assert [look.policy for look in found] == [*labels]
    assert len({look.colour for look in found}) == len(found), "a colour stands for one policy on a page"


def test_a_stated_colour_is_given_to_no_other_policy_while_others_are_left():
    found = looks({"a": "A", "b": "B", "c": "C"}, {"c": "#0b7bc1"})
    assert found[2].colour == "#0b7bc1"
    assert len({look.colour for look in found}) == 3


def test_a_bound_below_zero_is_drawn_at_the_edge_and_stays_in_the_data():
    found = [
        {"panel": "one", "value": 5.0, "low": -3.0, "high": 13.0},
        {"panel": "one", "value": 4.0, "low": 2.0, "high": 6.0},
        {"panel": "two", "value": 100.0, "low": 90.0, "high": 110.0},
        {"panel": "two", "value": 100.0, "low": None, "high": None},
    ]
    on_log_axis(found, "panel")
    assert [row["low"] for row in found] == [-3.0, 2.0, 90.0, None]
    assert 0 < found[0]["drawn_low"] < 2, "the edge is left of everything in the panel"
    assert [row["drawn_low"] for row in found[1:]] == [2.0, 90.0, None]
    assert cut_words(found).startswith("1 interval extends beyond")


def test_an_upper_bound_far_above_every_value_is_drawn_at_the_edge_where_that_is_asked_for():
    found = [
        {"value": 1.0, "low": 0.9, "high": 5.6},
        {"value": 1.1, "low": 0.3, "high": 1.5},
        {"value": 1.2, "low": None, "high": None},
    ]
    on_log_axis(found, high="high", farthest=2)
    assert [row["high"] for row in found] == [5.6, 1.5, None]
    assert 1.5 < found[0]["drawn_high"] < 2
    assert (found[1]["drawn_high"], found[2]["drawn_high"]) == (1.5, None)
    assert cut_words(found).startswith("2 intervals extend beyond")


def test_nothing_is_said_where_a_logarithmic_axis_shows_every_bound():
    found = [{"value": 5.0, "low": 3.0, "high": 13.0}]
    on_log_axis(found)
    assert cut_words(found) == ""


@pytest.mark.parametrize(
    "shown", [(1.02, 1.05), (1.2, 1.9), (4, 9), (0.04, 0.9), (3, 70), (1, 80_000), (1.0, 1.0003), (1e-4, 2e-3)]
)
def test_a_logarithmic_axis_has_ticks_within_what_it_shows(shown):
    ticks = number_ticks(shown)
    assert 4 <= len([tick for tick in ticks if shown[0] <= tick <= shown[1]]) <= 14
    assert len({f"{tick:.6g}" for tick in ticks}) == len(ticks), "no two read alike"


@pytest.mark.parametrize(
    "shown", [(2 * HOUR, 9 * HOUR), (26 * DAY, 31 * DAY), (1, 30 * DAY), (70, 200), (3.1 * HOUR, 3.3 * HOUR)]
)
def test_an_axis_of_durations_has_ticks_within_what_it_shows(shown):
    ticks = duration_ticks(shown)
    assert 4 <= len([tick for tick in ticks if shown[0] <= tick <= shown[1]]) <= 14


def test_ticks_are_as_coarse_as_they_may_be():
    assert number_ticks((1, 80_000)) == [1, 10, 100, 1000, 10_000]
    assert number_ticks((1, 50)) == [1, 3, 10, 30]
    assert number_ticks((5, 5)) == number_ticks(None)
    assert extent([{"value": 3.0, "low": -1.0}, {"value": None, "low": 2.0}], "value", "low") == (2.0, 3.0)
    assert extent([{"value": 0.0}], "value") is None


def test_further_colours_are_apart_from_all_others_and_stand_on_both_papers():
    known = ("#0b7bc1", "#d98c00")
    colours = [*known, *further_colours(20, known)]
    pairs = [(one, other) for place, one in enumerate(colours) for other in colours[:place]]
    assert min(apart(*pair) for pair in pairs) > 2000
    assert all(apart(colour, paper) > 8000 for colour in colours for paper in PAPER.values())
    assert all(apart(RAMP[mode][0], paper) > 8000 for mode, paper in PAPER.items())


def test_a_picture_carries_its_title_and_caption():
    svg = described('<svg width="1"><g/></svg>', "Waits & sizes", "Below 1 < 2.")
    assert svg == (
        '<svg role="img" aria-label="Waits &amp; sizes" width="1"><title>Waits &amp; sizes</title>'
        "<desc>Below 1 &lt; 2.</desc><g/></svg>"
    )


def test_a_panel_has_rows_for_the_schedulers_that_were_run_there_only_and_no_axis_stands_alone():
    runs = [("a", "Gang"), ("a", "Other"), ("b", "Gang"), ("c", "Gang")]
    found = [
        {"workload_label": panel, "policy_label": policy, "activity": "spin", "unit": 0, "value": 5.0}
        for panel, policy in runs
    ]
    resolve = activity_shares(found).to_dict()["resolve"]
    assert resolve == {"scale": {"y": "independent"}, "axis": {"x": "independent"}}


@pytest.mark.parametrize(
    ("low", "high", "filled"),
    [(0.6, 0.8, True), (1.2, None, True), (0.6, 1.8, False), (None, None, False), (None, 1.8, False)],
)
def test_a_ratio_is_filled_only_by_an_interval_that_leaves_out_no_difference(low, high, filled):
    row = {"y": "a", "ratio": 0.7, "ratio_low": low, "ratio_high": high, "drawn_ratio_low": low}
    chart = ratio(alt.Y("y:N"), alt.value("black"), "Ratio", [], [row]).properties(data=alt.Data(values=[row]))
    (opacity,) = re.findall(
        r'<path[^>]*fill="black"[^>]*opacity="([\d.]+)"', vl_convert.vegalite_to_svg(chart.to_dict())
    )
    assert opacity == str(int(filled))


def cells(node, down=0.0):
    """Return how far down the panels of a drawn chart begin, in pixels."""
    inside = [(down + (one.get("y") or 0), one) for one in node.get("items") or () if isinstance(one, dict)]
    own = [round(top) for top, _ in inside] if node.get("name") == "cell" else []
    return [*own, *(found for top, one in inside for found in cells(one, top))]


def test_panels_of_a_row_begin_at_one_height_whatever_lines_their_labels_have():
    labels = ("makespan", "response", "short: response", "medium: response", "long: response", "utilisation")
    found = [
        {"panel": label, "way": way, "kind": "k", "value": 2.0, "low": 1.0, "high": 3.0, "units": 3}
        for label in labels
        for way in ("first", "second")
    ]
    chart = arms(found, {"k": "#0b7bc1"}, "way", "Mean").properties(data=alt.Data(values=found))
    drawn = vl_convert.vegalite_to_scenegraph(chart.to_dict())["scenegraph"]
    first, second = set(cells(drawn)[:3]), set(cells(drawn)[3:])
    assert len(cells(drawn)) == len(labels)
    assert (len(first), len(second)) == (1, 1)
