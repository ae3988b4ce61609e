"""Means as a function of a varied quantity: a line per series with its interval as a band, each panel with its own axis."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt

from reports.draw.charts import Row, faded, in_order, small_multiples, tips
from reports.draw.theme import DASHES, DEALT


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
    series = in_order(found, "series")
    looks = colours or dict(zip(series, DEALT, strict=False))
    picked = alt.selection_point(fields=["series"], bind="legend")
    scale = alt.Scale(domain=series, range=[looks[name] for name in series])
    legend = alt.Legend(symbolOpacity=1, symbolType="stroke", symbolStrokeWidth=3, symbolDash=[1, 0])
    colour = alt.Color("series:N", title=None, sort=series, scale=scale, legend=legend if len(series) > 1 else None)
    dashes = alt.Scale(domain=series, range=[list(dash) or [1, 0] for dash in DASHES[: len(series)]])
    tooltip = tips(
        ("series", "Line"), *hover, ("value", title, ",.3~r"), ("low", "from", ",.3~r"), ("high", "to", ",.3~r")
    )
    upright, axis = alt.Scale(zero=zero, nice=True), alt.Axis(tickCount=6, format=",~r")
    base = alt.Chart().encode(x=x, color=colour, tooltip=tooltip)
    shade = alt.when(picked).then(alt.value(0.13)).otherwise(alt.value(0.02))
    low = alt.Y("low:Q", title=title, scale=upright, axis=axis)
    value = alt.Y("value:Q", title=title, scale=upright, axis=axis)
    band = base.mark_area().encode(y=low, y2="high:Q", opacity=shade)
    rule = base.mark_rule(strokeWidth=1.5).encode(y=low, y2="high:Q", opacity=faded(picked))
    line = base.mark_line().encode(
        y=value, opacity=faded(picked), strokeDash=alt.StrokeDash("series:N", scale=dashes, legend=None)
    )
    dots = base.mark_point(size=45, filled=True).encode(y=value, opacity=faded(picked))
    chart = alt.layer(band, rule, line.add_params(picked), dots).properties(height=210)
    panels = small_multiples(chart, "panel", in_order(found, "panel"), columns=columns)
    return panels.resolve_scale(y="independent")
