"""Means as a function of a varied quantity: a line per series with its interval as a band, each panel with its own axis."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt

from reports.draw.charts import Row, faded, in_order, small_multiples, tips
from reports.draw.theme import DASHES, DEALT


class Series:
    """How the lines of a figure look: the colour and dash of each, what hovering says, and the choice by a click."""

    def __init__(
        self,
        found: Sequence[Row],
        colours: Mapping[str, str] | None,
        title: str,
        hover: Sequence[tuple[str, ...]],
        form: str,
    ) -> None:
        """Look at rows with ``series``, ``value``, ``low`` and ``high``; without ``colours``, they are assigned."""
        self.names = in_order(found, "series")
        looks = colours or dict(zip(self.names, DEALT, strict=False))
        self.picked = alt.selection_point(fields=["series"], bind="legend")
        self.scale = alt.Scale(domain=self.names, range=[looks[name] for name in self.names])
        dashes = [list(dash) or [1, 0] for dash in DASHES[: len(self.names)]]
        self.dashes = alt.Scale(domain=[*range(len(dashes))], range=dashes)
        self.shade = alt.when(self.picked).then(alt.value(0.13)).otherwise(alt.value(0.02))
        self.hover = tips(("series", "Line"), *hover, ("value", title, form, "low", "high"))

    def colour(self, legend: bool = True) -> alt.Color:
        """Encode the series as colour."""
        shape = alt.Legend(symbolOpacity=1, symbolType="stroke", symbolStrokeWidth=3, symbolDash=[1, 0])
        return alt.Color("series:N", title=None, sort=self.names, scale=self.scale, legend=shape if legend else None)

    def line(self, base: alt.Chart, value: alt.Y) -> alt.Chart:
        """Draw a line per series, which a click in the legend picks."""
        # by the number of the series: legends of equal values are merged, and one of the two is missing here
        dash = alt.StrokeDash("number:N", scale=self.dashes, legend=None)
        drawn = base.transform_calculate(number=f"indexof({json.dumps(self.names)}, datum.series)").mark_line()
        return drawn.encode(y=value, opacity=faded(self.picked), strokeDash=dash).add_params(self.picked)


def series_lines(
    found: Sequence[Row],
    x: alt.X,
    title: str,
    hover: Sequence[tuple[str, ...]],
    colours: Mapping[str, str] | None = None,
    columns: int = 2,
    zero: bool = False,
) -> Any:
    """Draw ``value`` with its interval ``low`` to ``high`` against ``x``, a line per ``series`` and a panel per ``panel``.

    ``title`` is the vertical axis's title, with its unit. ``colours`` are those of the series; without them they are assigned.
    ``zero``: whether the vertical axes begin at zero.
    """
    series = Series(found, colours, title, hover, ",.3~r")
    upright, axis = alt.Scale(zero=zero, nice=True), alt.Axis(tickCount=6, format=",~r")
    base = alt.Chart().encode(x=x, color=series.colour(legend=len(series.names) > 1), tooltip=series.hover)
    low = alt.Y("low:Q", title=title, scale=upright, axis=axis)
    value = alt.Y("value:Q", title=title, scale=upright, axis=axis)
    band = base.mark_area().encode(y=low, y2="high:Q", opacity=series.shade)
    rule = base.mark_rule(strokeWidth=1.5).encode(y=low, y2="high:Q", opacity=faded(series.picked))
    dots = base.mark_point(size=45, filled=True).encode(y=value, opacity=faded(series.picked))
    chart = alt.layer(band, rule, series.line(base, value), dots).properties(height=210)
    panels = small_multiples(chart, found, "panel", columns=columns)
    return panels.resolve_scale(y="independent")
