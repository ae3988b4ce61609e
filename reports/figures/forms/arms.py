"""Means of several measures, one panel each: alternatives from top to bottom, a mark with its interval per kind."""

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt

from reports.draw.charts import FARTHEST, Row, in_order, on_log_axis, small_multiples, tips
from reports.draw.marks import no_difference, tint


def arms(
    found: Sequence[Row],
    kinds: Mapping[str, str],
    rows: str,
    title: str,
    *,
    about_one: bool = False,
    columns: int = 3,
    farthest: float = FARTHEST,
    share: bool = False,
) -> Any:
    """Draw ``value`` with ``low`` to ``high`` on a logarithmic axis, a line per value of ``rows``, a panel per ``panel``.

    ``kinds`` has the colours of the column ``kind``, by its values; ``title`` is the axes' title. ``about_one``: values are
    ratios, a line marks one, and marks are hollow if their interval contains one or is missing. Bounds more than ``farthest``
    times beyond all values of their panel are drawn at the edge. ``share``: values are shares in %, on a linear axis from 0 to
    100 instead.
    """
    low, high = ("low", "high") if share else ("drawn_low", "drawn_high")
    if not share:
        on_log_axis(found, "panel", high="high", farthest=farthest)
    shown = in_order(found, "kind")
    known = [kind for kind in kinds if kind in shown]
    colour = tint("kind", {kind: kinds[kind] for kind in known}, sort=known)
    scale, axis = alt.Scale(type="log", nice=False, padding=12), alt.Axis(title=title, tickCount=4, format="~g")
    if share:
        scale, axis = alt.Scale(domain=[0, 100]), alt.Axis(title=title, values=[0, 25, 50, 75, 100])
    hover = tips((rows, "Row"), ("kind", "Kind"), ("value", title, ",.3~r", "low", "high"), ("units", "Draws", "d"))
    y = alt.Y(f"{rows}:N", sort=in_order(found, rows), title=None, axis=alt.Axis(labelLimit=240, grid=True))
    base = alt.Chart().encode(y=y, yOffset=alt.YOffset("kind:N", sort=known), color=colour, tooltip=hover)
    rule = base.mark_rule(strokeWidth=2.5).encode(x=alt.X(f"{low}:Q", scale=scale, axis=axis), x2=f"{high}:Q")
    x = alt.X("value:Q", scale=scale, axis=axis)
    hollow = base.mark_point(size=55, filled=False, strokeWidth=2).encode(x=x)
    full = base.mark_point(size=55, filled=True).encode(x=x)
    layers = [rule, hollow, full]
    if about_one:
        told = alt.when("isValid(datum.low) && (datum.low > 1 || datum.high < 1)")
        layers = [no_difference(1), rule, hollow, full.encode(opacity=told.then(alt.value(1)).otherwise(alt.value(0)))]
    chart = alt.layer(*layers).properties(height=alt.Step(11 if len(known) > 1 else 22))
    panels = small_multiples(chart, found, "panel", columns=columns)
    return panels.resolve_scale(x="independent")
