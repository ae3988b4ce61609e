"""Every specification that is drawn is valid Vega-Lite: drawing itself does not check, which would cost as much again."""

import json

import altair as alt
import pytest

from tests.conftest import DRAWN


@pytest.mark.parametrize("study", DRAWN)
def test_specifications_of_figures_are_valid(figures, study):
    drawn = [path for path in (figures / study).glob("*.json") if path.name != "figures.json"]
    assert drawn
    for path in drawn:
        specification = json.loads(path.read_text())
        alt.Chart.from_dict(specification, validate=True)
