"""Forms of figures for strategies beside a source's printed values: marks with intervals, and the printed values."""

from collections.abc import Sequence
from typing import Any

import altair as alt

from reports.draw.charts import Row, in_order, on_log_axis, small_multiples, tips
from reports.draw.marks import tint, with_intervals
from reports.draw.theme import ACCENT

KINDS = {"gang scheduling, MPL 5": "#d98c00", "adaptive, MPL 2": ACCENT, "fitted": ACCENT, "by the letter": "#d98c00"}
"""Colours of the kinds of strategies and of readings."""

PRINTED = "printed in the source"
PRINTED_COLOUR = "#d1495b"
"""Colour of printed values of a source, used for nothing else."""


def printed_legend() -> alt.Shape:
    """Return the legend of marks that are quoted, not computed."""
    return alt.Shape(
        "quoted:N", title=None, legend=alt.Legend(symbolStrokeColor=PRINTED_COLOUR, symbolFillColor="transparent"),
        scale=alt.Scale(domain=[PRINTED], range=["diamond"]),
    )  # fmt: skip


def printed_marks(x: alt.X, y: alt.Y) -> alt.Chart:
    """Draw the printed values as hollow diamonds at ``x`` and ``y``."""
    hover = tips(("place", "Printed in"), ("printed", PRINTED, ",.5~r"))
    return (
        alt.Chart()
        .transform_filter("isValid(datum.printed)")
        .transform_calculate(quoted=f"'{PRINTED}'")
        .mark_point(size=110, filled=False, strokeWidth=2, color=PRINTED_COLOUR)
        .encode(x=x, y=y, shape=printed_legend(), tooltip=hover)
    )


def strategy_dots(found: Sequence[Row], title: str, log: bool, column: str = "workload_label") -> Any:
    """Draw strategies (rows) by ``value`` with ``low`` to ``high``, coloured by ``kind``, a panel per workload."""
    if log:
        on_log_axis(found, column)
    scale = alt.Scale(type="log", nice=False, padding=12) if log else alt.Scale(zero=False, nice=True, padding=12)
    axis = alt.Axis(title=title, format=",~r", tickCount=5)
    y = alt.Y("policy_label:N", sort=in_order(found, "policy_label"), title=None)
    known = {kind: colour for kind, colour in KINDS.items() if any(row["kind"] == kind for row in found)}
    colour = tint("kind", known, legend=alt.Legend(symbolType="circle"))
    hover = tips(("policy_label", "Strategy"), ("value", title, ",.4~r", "low", "high"))
    base = alt.Chart().encode(y=y, color=colour, tooltip=hover)
    layers = with_intervals(base, alt.X("value:Q", scale=scale, axis=axis), 60, low="drawn_low" if log else "low")
    if any(row.get("printed") is not None for row in found):
        layers.append(printed_marks(alt.X("printed:Q", scale=scale, axis=axis), y))
    chart = alt.layer(*layers).properties(height=alt.Step(22))
    panels = small_multiples(chart, found, column, columns=2)
    return panels.resolve_scale(x="independent")
