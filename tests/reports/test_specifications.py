"""Every specification that is drawn is valid Vega-Lite without warnings; drawing does not check it, to save time."""

import json

import altair as alt
import pytest

from tests.conftest import DRAWN
from tests.reports.vega import complaints


@pytest.mark.parametrize("study", DRAWN)
def test_specifications_of_figures_are_valid(figures, study):
    drawn = [path for path in (figures / study).glob("*.json") if path.name != "figures.json"]
    assert drawn
    for path in drawn:
        specification = json.loads(path.read_text())
        rows = specification["data"]["values"]  # the schema takes any objects, and checks each at length
        assert all(isinstance(row, dict) for row in rows)
        alt.Chart.from_dict({**specification, "data": {"values": rows[:3]}}, validate=True)


def test_nothing_in_a_figure_makes_vega_lite_warn(figures):
    assert complaints(figures / study for study in DRAWN) == {}
