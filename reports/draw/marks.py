"""Marks that figures share: values on their intervals, the line of no difference, and colours by kind."""

from collections.abc import Mapping
from typing import Any

import altair as alt

from reports.draw.theme import NEUTRAL


def with_intervals(
    base: alt.Chart, value: alt.X | alt.Y, size: int, *, low: str = "low", high: str = "high", sure: str = "",
    rule: Mapping[str, Any] | None = None, **encoding: Any,
) -> list[alt.Chart]:  # fmt: skip
    """Return the layers of a value: lines from ``low`` to ``high`` on its scale and axis, and marks of a ``size``.

    With ``sure``, an expression, marks for which it is false are hollow. ``rule`` changes the lines; ``encoding`` has further
    channels of the marks.
    """
    channel = "x" if isinstance(value, alt.X) else "y"
    begin = value.copy()
    begin["shorthand"] = f"{low}:Q"
    lines = base.mark_rule(**{"strokeWidth": 2.5, **(rule or {})}).encode(
        **{channel: begin, f"{channel}2": f"{high}:Q"}
    )
    full = base.mark_point(size=size, filled=True).encode(**{channel: value}, **encoding)
    if not sure:
        return [lines, full]
    hollow = base.mark_point(size=size, filled=False, strokeWidth=2).encode(**{channel: value}, **encoding)
    return [lines, hollow, full.encode(opacity=alt.when(sure).then(alt.value(1)).otherwise(alt.value(0)))]


def no_difference(at: float, channel: str = "x") -> alt.Chart:
    """Return a dashed line across each panel; a rule per row would add up to a solid one."""
    line = alt.Chart().transform_aggregate(rows="count()").mark_rule(strokeDash=[4, 3], color=NEUTRAL)
    return line.encode(**{channel: alt.datum(at)})


def tint(column: str, colours: Mapping[str, str], **more: Any) -> alt.Color:
    """Encode a column as colour, by the colours of its values in their order; the legend has no title."""
    scale = alt.Scale(domain=list(colours), range=list(colours.values()))
    return alt.Color(f"{column}:N", title=None, scale=scale, **more)
