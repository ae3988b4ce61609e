"""The figure of filters in a row: stages in order, parts that are kept, printed values apart."""

from reports.draw.drawing import specification
from reports.figures.forms.funnel import FILTERS, funnel
from reports.figures.forms.strategies import PRINTED_COLOUR

LEFT = {"W1": [36.0, 24.0, 12.0, 9.0, 6.0, 3.0, 2.0], "W3": [200.0, 100.0, 50.0, 25.0, 20.0, 10.0, 4.0]}


def filtered(printed: float | None = None) -> list[dict]:
    return [
        {"workload_label": workload, "policy_label": "L-R", "metric": metric, "value": value, "low": value - 1,
         "high": value + 1, "units": 10, "printed": printed, "place": "Table 5"}
        for workload, values in LEFT.items()
        for metric, value in zip(FILTERS, values, strict=True)
    ]  # fmt: skip


def test_stages_stand_in_order_and_say_what_part_of_those_before_they_keep():
    spec = specification(funnel(filtered(), "Jobs", FILTERS))
    assert spec["spec"]["layer"][0]["encoding"]["y"]["sort"] == list(FILTERS.values())
    shown = spec["data"]["values"]
    assert [row["kept"] for row in shown[:7]] == ["–", "67 %", "50 %", "75 %", "67 %", "50 %", "–"]
    assert [row["apart"] for row in shown[:7]] == [False] * 6 + [True]
    assert spec["facet"]["sort"] == ["W1: L-R", "W3: L-R"]


def test_what_a_source_prints_is_drawn_apart_and_only_where_it_does():
    layers = specification(funnel(filtered(30.0), "Jobs", FILTERS))["spec"]["layer"]
    assert layers[-1]["mark"]["color"] == PRINTED_COLOUR
    assert [layer["mark"]["type"] for layer in specification(funnel(filtered(), "Jobs", FILTERS))["spec"]["layer"]] == [
        "bar",
        "rule",
    ]
