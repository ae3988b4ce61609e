"""Forms of figures that more than one study can use: each takes the study it draws."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import altair as alt

from reports.draw.charts import (
    decades_axis,
    faded,
    in_order,
    lines,
    measured,
    panels,
    pick_policy,
    policies_of,
    policy_axis,
    policy_colour,
    policy_shape,
    ratio,
    small_multiples,
    study_rows,
    tips,
    titled,
)
from reports.draw.vocabulary import metric

if TYPE_CHECKING:
    import duckdb

    from reports.draw.theme import PolicyLook

CLASSES = [f"{length} {width}" for length in ("short", "medium", "long") for width in ("narrow", "medium", "wide")]

MISSES = [0, 0.1, 0.3, 1, 3, 10, 30, 100, 300, 1000]
"""Ticks of a miss time, in hours."""


def class_dots(known: Sequence[PolicyLook]) -> alt.Chart:
    """Draw the ``slowdown`` of each ``class`` of jobs, a dot a policy."""
    picked = pick_policy()
    scale = alt.Scale(type="log", nice=False, padding=10)
    axis = decades_axis("Mean bounded slowdown (log scale)")
    hover = tips(
        ("policy_label", "Policy"),
        ("class", "Class"),
        ("slowdown", "Mean bounded slowdown", ",.3~r"),
        ("jobs", "Jobs", ","),
    )
    dots = alt.Chart(height=210).mark_point(size=80, filled=True)
    return dots.encode(
        x=alt.X("slowdown:Q", scale=scale, axis=axis),
        y=alt.Y("class:N", title=None, sort=CLASSES, axis=alt.Axis(grid=True)),
        color=policy_colour(known),
        shape=policy_shape(known, legend=True),
        opacity=faded(picked),
        tooltip=hover,
    ).add_params(picked)


def late_and_missed(known: Sequence[PolicyLook]) -> alt.LayerChart:
    """Draw the share of ``late`` jobs against the mean time they ``miss``, with the intervals of both."""
    picked = pick_policy()
    hover = tips(
        ("policy_label", "Policy"),
        ("late", "Late jobs (%)", ".1f"),
        ("late_low", "from", ".1f"),
        ("late_high", "to", ".1f"),
        ("miss", "Mean miss time (h)", ".3~r"),
        ("miss_low", "from", ".3~r"),
        ("miss_high", "to", ".3~r"),
    )
    scale = alt.Scale(type="symlog", constant=0.1, nice=False)
    axis = alt.Axis(title="Mean miss time (h, log scale above 0.1)", format=",~r", values=MISSES)
    base = alt.Chart().encode(color=policy_colour(known), opacity=faded(picked), tooltip=hover)
    sideways = base.mark_rule(strokeWidth=1.5).encode(
        x=alt.X("late_low:Q", title="Late jobs (%)"),
        x2="late_high:Q",
        y=alt.Y("miss:Q", scale=scale, axis=axis),
    )
    upright = base.mark_rule(strokeWidth=1.5).encode(
        x="late:Q", y=alt.Y("miss_low:Q", scale=scale, axis=axis), y2="miss_high:Q"
    )
    dots = base.mark_point(size=90, filled=True).encode(
        x=alt.X("late:Q", title="Late jobs (%)"),
        y=alt.Y("miss:Q", scale=scale, axis=axis),
        shape=policy_shape(known, legend=True),
    )
    return alt.layer(sideways, upright, dots.add_params(picked)).properties(height=240)


def span(found: list[dict[str, Any]], column: str) -> str:
    """Write the least and the greatest value of a column."""
    least, most = min(row[column] for row in found), max(row[column] for row in found)
    return f"{least}" if least == most else f"{least} to {most}"


def values_beside_ratios(
    connection: duckdb.DuckDBPyConnection, study: str, name: str, title: str, duration: bool
) -> alt.Chart:
    """Draw a metric with its intervals, and beside it the paired ratios to EASY, a row a workload."""
    found = study_rows(connection, study, "values_beside_ratios", metric=name)
    known = policies_of(found)
    hover = tips(("policy_label", "Policy"), ("value", metric(name).label, ",.4~r"), ("low", "from", ",.4~r"),
                 ("high", "to", ",.4~r"), ("ratio", "Ratio to EASY", ".3~r"), ("ratio_low", "ratio from", ".3~r"),
                 ("ratio_high", "ratio to", ".3~r"))  # fmt: skip
    parts = []
    for label in in_order(found, "workload_label"):
        here = f"datum.workload_label === {label!r}"
        colour = policy_colour(known, legend=False)
        left = measured(known, title, hover, duration).transform_filter(here).properties(title=label)
        right = ratio(policy_axis(known), colour, "Ratio to EASY (log scale)", hover).transform_filter(here)
        parts += [left, right.properties(title="paired, against EASY")]
    return titled(panels(parts, columns=2), found, units=span(found, "units"))


def over_time(connection: duckdb.DuckDBPyConnection, study: str, y: alt.Y) -> alt.Chart:
    """Draw a series of the store in about sixty bins a workload."""
    found = study_rows(connection, study, "over_time")
    x = alt.X("day:Q", title="Days since the first submission")
    chart = lines(policies_of(found), x, y, []).properties(height=150)
    labels = in_order(found, "workload_label")
    chart = small_multiples(chart, "workload_label", labels, columns=1).resolve_scale(x="independent")
    return titled(chart, found, bin=f"{max(row['width'] for row in found):.3g} days")
