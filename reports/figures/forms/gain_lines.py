"""A gain as a function of a varied quantity: lines with intervals, the line of no gain, and where the interval meets it."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import altair as alt

from reports.draw.charts import Row, faded, in_order, small_multiples
from reports.draw.marks import no_difference
from reports.figures.forms.series_lines import Series


def gain_lines(
    found: Sequence[Row],
    x: alt.X,
    gain: str,
    hover: Sequence[tuple[str, ...]],
    colours: Mapping[str, str] | None = None,
    columns: int = 2,
) -> Any:
    """Draw ``value`` with its interval ``low`` to ``high`` against ``x``, a line per ``series`` and a panel per ``panel``.

    Rows of :func:`where_nothing_is_sure` are rings on the line of no gain, labelled with their place. ``colours`` are those of
    the series; without them they are assigned.
    """
    series = Series(found, colours, gain, hover, ".3~r")
    colour = series.colour()
    y = alt.Y("value:Q", title=gain, axis=alt.Axis(tickCount=6))
    base = alt.Chart().transform_filter("!datum.place").encode(x=x, color=colour, tooltip=series.hover)
    band = base.mark_area().encode(y=alt.Y("low:Q", title=gain), y2="high:Q", opacity=series.shade)
    dots = base.mark_point(size=40, filled=True).encode(y=y, opacity=faded(series.picked))
    layers = [no_difference(0, "y"), band, series.line(base, y), dots]
    for place, name in enumerate(series.names):
        if any(row.get("place") for row in found if row["series"] == name):
            marked = alt.Chart().transform_filter(f"isValid(datum.place) && datum.series === {name!r}")
            marked = marked.encode(x=x, y=y, color=colour, opacity=faded(series.picked))
            layers.append(marked.mark_point(size=110, strokeWidth=2.5, filled=False))
            layers.append(marked.mark_text(dy=(-14, 16, 28)[place % 3], fontWeight="bold").encode(text="place:N"))
    chart = alt.layer(*layers).properties(height=210)
    return small_multiples(chart, found, "panel", columns=columns)


def where_nothing_is_sure(found: Sequence[Row], x: str, unit: str = "") -> list[Row]:
    """Return a row for each line of each panel whose interval meets the line of no gain: where its lower end first does."""
    rows = []
    for panel in in_order(found, "panel"):
        own = [row for row in found if row["panel"] == panel]
        for series in in_order(own, "series"):
            line = sorted((row for row in own if row["series"] == series), key=lambda row: row[x])
            place = first_at_zero([(row[x], row["low"]) for row in line])
            if place is not None:
                text = f"{place:.2g}{unit}"
                rows.append({**line[0], x: place, "value": 0, "low": None, "high": None, "place": text})
    return rows


def first_at_zero(points: Sequence[tuple[float, float | None]]) -> float | None:
    """Return where a line through points, straight between them, falls to zero; None if it stays above or is unknown."""
    if any(low is None for _, low in points) or not points:
        return None
    known = [(at, low) for at, low in points if low is not None]
    if known[0][1] <= 0:
        return known[0][0]
    for (before, high), (after, low) in pairwise(known):
        if low <= 0:
            return before + (after - before) * high / (high - low)
    return None
