"""Forms of figures beside printed values: what is quoted is drawn apart, and only where something is."""

from reports.draw.charts import titled
from reports.draw.drawing import specification
from reports.figures.forms.strategies import PRINTED, PRINTED_COLOUR, strategy_dots

ROW = {"workload_label": "W", "policy_label": "FCFS", "kind": "adaptive, MPL 2", "value": 2.0, "low": 1.0, "high": 3.0}


def marks(rows):
    spec = specification(titled(strategy_dots(rows, "Hours", log=True), rows))
    return [layer["mark"] for layer in spec["spec"]["layer"]], spec


def test_printed_values_are_marks_of_their_own_in_their_own_colour():
    layers, spec = marks([{**ROW, "printed": 5.0, "place": "figure 1"}, {**ROW, "policy_label": "B", "printed": None}])
    quoted = spec["spec"]["layer"][-1]
    assert layers[-1]["color"] == PRINTED_COLOUR
    assert not any(mark.get("color") == PRINTED_COLOUR for mark in layers[:-1])
    assert quoted["encoding"]["x"]["field"] == "printed"
    assert quoted["encoding"]["shape"]["scale"]["domain"] == [PRINTED]


def test_nothing_is_called_printed_where_nothing_is():
    layers, _ = marks([ROW])
    assert [mark["type"] for mark in layers] == ["rule", "point"]


def test_only_the_kinds_that_occur_are_in_the_legend():
    _, spec = marks([ROW])
    assert spec["spec"]["layer"][0]["encoding"]["color"]["scale"]["domain"] == ["adaptive, MPL 2"]
