"""Means as stacked bars: what processors do with their time, by scheduler, one panel each."""

from collections.abc import Sequence
from typing import Any

import altair as alt

from reports.draw.charts import Row, in_order, own_rows, small_multiples, tips, titled
from reports.draw.marks import tint
from reports.draw.theme import ACCENT
from reports.figures.forms.pooled import pooled

ACTIVITIES = {
    "compute": ("computes", ACCENT),
    "message": ("sends and receives", "#56b4e9"),
    "spin": ("spins", "#8f6bb8"),
    "switch": ("switches", "#d98c00"),
    "blocked": ("owner waits, no task runs", "#b8bec7"),
    "empty": ("no owner, no task runs", "#e3e7ec"),
}
"""A processor's activities, in words, and their colours."""


def activity_shares(found: Sequence[Row]) -> Any:
    """Draw shares of the processor time by ``activity``, one row of ``found`` per draw: a bar per scheduler, one panel each."""
    rows = pooled(found)
    for row in rows:
        row["place"], row["words"] = list(ACTIVITIES).index(row["activity"]), ACTIVITIES[row["activity"]][0]
    x = alt.X("value:Q", title="Share of the processor time (%)", scale=alt.Scale(domain=[0, 100]),
              axis=alt.Axis(values=[0, 25, 50, 75, 100]))  # fmt: skip
    return stacked(rows, "workload_label", x, dict(ACTIVITIES.values()), "words", ".2f")


def stacked(found: list[Row], panel: str, x: alt.X, looks: dict[str, str], kind: str, form: str) -> Any:
    """Draw means as stacked bars, one bar per scheduler and one panel each."""
    hover = tips(("policy_label", "Scheduler"), (kind, "Part"), ("value", "Mean", form, "low", "high"))
    chart = alt.Chart(height=alt.Step(24)).mark_bar().encode(
        y=alt.Y("policy_label:N", sort=in_order(found, "policy_label"), title=None), x=x,
        color=tint(kind, looks, sort=[*looks]),
        order=alt.Order("place:Q"), tooltip=hover,
    )  # fmt: skip
    chart = own_rows(small_multiples(chart, found, panel, columns=2), found, panel)
    if len(in_order(found, panel)) % 2:  # else the cell without a panel has an axis
        chart = chart.resolve_axis(x="independent")
    return titled(chart, found)
