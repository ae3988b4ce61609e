"""Gains along something that is varied: where the lower end of an interval meets no gain, drawn and measured alike."""

import json

import pytest

from reports.draw.charts import titled
from reports.draw.drawing import specification
from reports.figures.forms.gain_lines import first_at_zero, gain_lines, where_nothing_is_sure
from reports.ledger.measures import read_measure, run
from tests.paths import STUDIES
from tests.reports.ledger.conftest import stage  # noqa: F401 (a fixture)

MEASURES = STUDIES / "slowdown_error" / "measures"
WITH = {"workloads": ["w"], "strategies": ["L-R"], "formulas": ["printed"], "kinds": ["slower"]}
CASES = [
    ([(0, 30), (50, 10), (100, -10)], 75),
    ([(0, 30), (60, -10), (100, 10)], 45),
    ([(0, -1), (50, 3)], 0),
    ([(0, 0), (50, 3)], 0),
]


@pytest.mark.parametrize(("points", "place"), CASES)
def test_a_gain_is_sure_up_to_where_its_lower_end_first_meets_zero(points, place):
    assert first_at_zero(points) == pytest.approx(place)


@pytest.mark.parametrize("points", [[(0, 30), (50, 1)], [(0, 30), (50, None)], []])
def test_what_stays_above_zero_or_is_unknown_meets_it_nowhere(points):
    assert first_at_zero(points) is None


def measured(world, points):
    for error, low in points:
        policy = f"r-{error}"
        world.policy(
            policy, label=f"L-R, as printed, {error} % slower",
            parameters={"slowdown": "printed", "model_error": error / 100, "error_side": "slower", "preempt_above": "off"},
        )  # fmt: skip
        world.row(
            "comparisons", workload="w", policy=policy, versus_workload="w", versus_policy="pss", metric="mean_response",
            scope="all", ratio_high=None if low is None else 1 - low / 100,
        )  # fmt: skip
    measure = read_measure("here", "tolerated_error", MEASURES, MEASURES)
    return [(row.label, row.values[0]) for row in run(world.connection, "here", measure, WITH)]


@pytest.mark.parametrize(("points", "place"), [*CASES, ([(0, 30), (50, 1)], 50)])
def test_the_measure_finds_the_same_place_or_else_the_largest_error(stage, points, place):  # noqa: F811
    with stage.empty() as world:
        ((label, value),) = measured(world, points)
    assert label == "w, L-R, printed, slower"
    assert value == pytest.approx(place)


def test_an_unknown_interval_tolerates_nothing_that_could_be_told(stage):  # noqa: F811
    with stage.empty() as world:
        assert measured(world, [(0, 30), (50, None)]) == [("w, L-R, printed, slower", None)]


def test_rings_stand_on_the_line_of_no_gain_with_their_places():
    import altair as alt

    rows = [
        {"panel": "p", "series": name, "error": error, "value": low + 5, "low": low, "high": low + 10}
        for name, lows in {"falls": (20, -20), "stays": (20, 10)}.items()
        for error, low in zip((0, 100), lows, strict=True)
    ]
    rings = where_nothing_is_sure(rows, "error", " %")
    assert [(row["series"], row["error"], row["value"], row["place"]) for row in rings] == [("falls", 50, 0, "50 %")]
    chart = gain_lines(rows + rings, alt.X("error:Q"), "Gain", [])
    drawn = json.dumps(specification(titled(chart, rows + rings)))
    assert drawn.count("isValid(datum.place)") == 2  # a ring and its words, of the one line that falls
