"""The form of figures for successive filters: how many remain after each, measured and as a source prints."""

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt

from reports.draw.charts import Row, in_order, small_multiples, tips, titled
from reports.draw.theme import ACCENT, NEUTRAL
from reports.draw.vocabulary import significant
from reports.figures.forms.strategies import printed_marks

FILTERS = {
    "mean_looked_at": "queue behind the job",
    "mean_medium_long": "medium or long",
    "mean_size_fits": "no wider",
    "mean_memory_fits": "fits into memory",
    "mean_types_match": "kinds match",
    "mean_slowdown_fits": "slowdown allowed",
    "mean_rank": "place of the chosen",
}
"""The filters of matching by their metrics, in order; last the rank of the chosen job among the remaining ones."""


def funnel(found: Sequence[Row], title: str, stages: Mapping[str, str], last_apart: bool = True) -> Any:
    """Draw how many remain after each stage, a bar per stage from the top, a panel per workload and policy.

    Parameters
    ----------
    found
        Rows with ``workload_label``, ``policy_label``, ``metric``, ``value`` with its interval ``low`` to ``high``, ``units``,
        and ``printed`` with its ``place`` if a source prints the number, else null.
    title
        What the bars count.
    stages
        The metrics in order, with the words for them.
    last_apart
        Whether the last stage is no filter but describes the chosen one; it is drawn in grey.

    Returns
    -------
    chart
        Its caption may use ``{units}`` and ``{diamonds}``. Each panel has its own axis.
    """
    last = list(stages)[-1]
    shown = []
    for row in found:
        if row["metric"] in stages:
            apart = last_apart and row["metric"] == last
            panel = f"{row['workload_label']}: {row['policy_label']}"
            part = "–" if apart else kept(row, found)
            shown.append({**row, "stage": stages[row["metric"]], "apart": apart, "panel": panel, "kept": part})
    hover = tips(("stage", "After"), ("value", "Left", ",.4~r", "low", "high"),
                 ("kept", "Of those before"), ("printed", "Printed", ",.4~r"))  # fmt: skip
    y = alt.Y("stage:N", sort=list(stages.values()), title=None, axis=alt.Axis(labelLimit=160, ticks=False))
    axis = alt.Axis(title=title, format=",~r", tickCount=4)
    scale = alt.Scale(zero=True, nice=True)
    base = alt.Chart().encode(y=y, tooltip=hover)
    colour = alt.when("datum.apart").then(alt.value(NEUTRAL)).otherwise(alt.value(ACCENT))
    bars = base.mark_bar(opacity=0.75, height=13).encode(x=alt.X("value:Q", scale=scale, axis=axis), color=colour)
    ends = base.mark_rule(strokeWidth=2).encode(x=alt.X("low:Q", scale=scale, axis=axis), x2="high:Q")
    layers = [bars, ends]
    if any(row["printed"] is not None for row in shown):
        layers.append(printed_marks(alt.X("printed:Q", scale=scale, axis=axis), y))
    chart = alt.layer(*layers).properties(height=alt.Step(19))
    columns = max(1, len(in_order(shown, "policy_label")))
    facets = small_multiples(chart, shown, "panel", columns=min(3, columns))
    return titled(facets.resolve_scale(x="independent"), shown)


def kept(row: Row, found: Sequence[Row]) -> str:
    """Return the part of the stage before that remains after this one."""
    own = [one for one in found if all(one[name] == row[name] for name in ("workload_label", "policy_label"))]
    place = own.index(row)
    before = own[place - 1]["value"] if place else None
    return f"{significant(100 * row['value'] / before, 2)} %" if before else "–"
