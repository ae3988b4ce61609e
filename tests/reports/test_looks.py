"""Policies of a study look different from one another, and logarithmic axes show what they can of an interval."""

from pathlib import Path

import pytest
import yaml

from reports.draw.charts import cut_words, on_log_axis
from reports.draw.theme import looks

STUDIES = sorted((Path(__file__).parents[2] / "config" / "studies").glob("*.yaml"))


@pytest.mark.parametrize("path", STUDIES, ids=lambda path: path.stem)
def test_no_two_policies_of_a_study_look_alike(path):
    study = yaml.safe_load(path.read_text(encoding="utf-8"))
    labels = {str(policy): str(policy) for policy in study["policies"]}
    found = looks(labels, study.get("colours") or {})
    assert [look.policy for look in found] == [*labels]
    assert len({(look.colour, look.shape) for look in found}) == len(found), "marks"
    for look in found:
        alike = [other for other in found if other.colour == look.colour]
        assert len({other.dash for other in alike}) == len(alike), f"lines of {[other.policy for other in alike]}"


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
    assert cut_words(found).startswith("1 interval reaches")


def test_nothing_is_said_where_a_logarithmic_axis_shows_every_bound():
    found = [{"value": 5.0, "low": 3.0, "high": 13.0}]
    on_log_axis(found)
    assert cut_words(found) == ""
