"""Forms of figures that compare schedulers by class of job: pairs of marks, gains about zero, values beside printed ones."""

from collections.abc import Sequence
from typing import Any

import altair as alt

from reports.draw.charts import Row, in_order, on_log_axis, small_multiples, tips
from reports.draw.marks import no_difference, tint, with_intervals
from reports.draw.theme import ACCENT
from reports.figures.forms.strategies import printed_marks

PAIR = ["#d98c00", ACCENT]
"""Colours of a comparison: first the original scheduler, then the one with group optimisation."""

JOBS = {
    "all": "All jobs",
    "short": "Short",
    "short narrow": "Short, narrow",
    "short medium": "Short, medium width",
    "short wide": "Short, wide",
    "medium": "Medium, all widths",
    "medium narrow": "Medium, narrow",
    "medium medium": "Medium, medium width",
    "medium wide": "Medium, wide",
    "long": "Long, all widths",
    "long narrow": "Long, narrow",
    "long medium": "Long, medium width",
    "long wide": "Long, wide",
}
"""Names of classes of jobs in figures, by their scope in the store."""


def named(found: list[Row]) -> list[Row]:
    """Replace the classes of jobs in rows by their names in figures."""
    for row in found:
        row["job_class"] = JOBS.get(row["job_class"], row["job_class"])
    return found


def pairs(
    found: Sequence[Row],
    title: str,
    by: str = "job_class",
    panel: str = "workload_label",
    log: bool = True,
    columns: int = 3,
) -> Any:
    """Draw ``value`` with ``low`` to ``high`` by ``policy_label``: a row per value of ``by``, a panel per value of ``panel``."""
    if log:
        on_log_axis(found, panel)
    scale = alt.Scale(type="log", nice=False, padding=10) if log else alt.Scale(zero=False, nice=True, padding=10)
    axis = alt.Axis(title=title, format=",~r", tickCount=4)
    names = in_order(found, "policy_label")
    colour = colours(names)
    hover = tips((by, "Of"), ("policy_label", "Scheduler"), ("value", title, ",.4~r", "low", "high"))
    y = alt.Y(f"{by}:N", sort=in_order(found, by), title=None, axis=alt.Axis(grid=True))
    base = alt.Chart().encode(y=y, color=colour, tooltip=hover)
    if by != "policy_label":
        base = base.encode(yOffset=alt.YOffset("policy_label:N", sort=names))
    x = alt.X("value:Q", scale=scale, axis=axis)
    layers = with_intervals(base, x, 45, low="drawn_low" if log else "low")
    chart = alt.layer(*layers).properties(height=alt.Step(18 if by == "policy_label" else 9))
    return small_multiples(chart, found, panel, columns=columns).resolve_scale(x="independent")


def gains(
    found: Sequence[Row],
    title: str,
    by: str = "job_class",
    panel: str = "of",
    kinds: str = "",
    columns: int = 3,
    zero: float = 0,
) -> Any:
    """Draw ``value`` with ``low`` to ``high`` about ``zero``: a row per value of ``by``, coloured by ``kinds`` if there are any.

    A mark is hollow if its interval contains ``zero``; a single draw has no interval and a full mark.
    """
    axis = alt.Axis(title=title, tickCount=5, format=",~r")
    scale = alt.Scale(zero=False, nice=True, padding=10)
    hover = tips(*([(kinds, "Which")] if kinds else []), (by, "Of"), ("value", title, ".3~r", "low", "high"),
                 ("units", "Draws"))  # fmt: skip
    y = alt.Y(f"{by}:N", sort=in_order(found, by), title=None, axis=alt.Axis(grid=True, labelLimit=290))
    base = alt.Chart().encode(y=y, tooltip=hover, **told_apart(found, kinds))
    sure = f"!(datum.units > 1) || datum.low > {zero} || datum.high < {zero}"
    layers = with_intervals(base, alt.X("value:Q", scale=scale, axis=axis), 50, sure=sure)
    chart = alt.layer(no_difference(zero), *layers).properties(height=alt.Step(10 if kinds else 18))
    return small_multiples(chart, found, panel, columns=columns).resolve_scale(x="independent")


def beside_printed(found: Sequence[Row], title: str, by: str, panel: str, kinds: str = "", columns: int = 3) -> Any:
    """Draw ``value`` with its range over draws, and the source's printed value as a hollow diamond."""
    scale = alt.Scale(zero=False, nice=True, padding=10)
    axis = alt.Axis(title=title, tickCount=4, format=",~s")
    hover = tips((by, "Of"), *([(kinds, "Which")] if kinds else []), ("value", "Mean", ",.4~r", "low", "high"),
                 ("draws", "Draws"))  # fmt: skip
    y = alt.Y(f"{by}:N", sort=in_order(found, by), title=None, axis=alt.Axis(grid=True))
    apart = told_apart(found, kinds)
    base = alt.Chart().encode(y=y, tooltip=hover, **apart)
    layers = with_intervals(base, alt.X("value:Q", scale=scale, axis=axis), 45)
    if any(row["printed"] is not None for row in found):
        quoted = printed_marks(alt.X("printed:Q", scale=scale, axis=axis), y)
        layers.append(quoted.encode(yOffset=apart["yOffset"]) if kinds else quoted)
    chart = alt.layer(*layers).properties(height=alt.Step(11 if kinds else 18))
    panels = small_multiples(chart, found, panel, columns=columns)
    return panels.resolve_scale(x="independent")


def told_apart(found: Sequence[Row], kinds: str) -> dict[str, Any]:
    """Return the channels that tell ``kinds`` apart, a column; without one, all marks have the accent colour."""
    if not kinds:
        return {"color": alt.value(ACCENT)}
    names = in_order(found, kinds)
    return {"yOffset": alt.YOffset(f"{kinds}:N", sort=names), "color": colours(names, kinds)}


def colours(names: Sequence[str], field: str = "policy_label") -> alt.Color:
    """Return colours for up to four names: the accent for the optimised scheduler, or for the second of two."""
    spread = {1: [ACCENT], 2: PAIR, 3: [*PAIR, "#8a8a8a"]}.get(len(names), ["#8a8a8a", "#009e73", *PAIR])
    known = dict(zip(names, spread, strict=True))
    return tint(field, known, legend=alt.Legend(symbolType="circle", columns=2))
