"""Forms of figures that several studies can use: each takes the study it draws."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import altair as alt

from reports.draw import charts
from reports.draw.marks import with_intervals
from reports.draw.theme import NEUTRAL
from reports.draw.ticks import extent, number_axis
from reports.draw.vocabulary import joined
from reports.measure.catalogue import metric
from reports.measure.comparable import cut_runs, stated_spans
from scheduler_core.declarations.families import WAIT_WORDS

if TYPE_CHECKING:
    import duckdb

    from reports.draw.theme import PolicyLook

CLASSES = [f"{length} {width}" for length in ("short", "medium", "long") for width in ("narrow", "medium", "wide")]

MISSES = [0, 0.1, 0.3, 1, 3, 10, 30, 100, 300, 1000]
"""Ticks of a miss time, in hours."""


def class_dots(known: Sequence[PolicyLook], found: Sequence[charts.Row]) -> alt.Chart:
    """Draw the ``slowdown`` of each ``class`` of jobs, a dot per policy."""
    picked = charts.pick_policy()
    scale = alt.Scale(type="log", nice=False, padding=10)
    axis = number_axis("Mean bounded slowdown (log scale)", extent(found, "slowdown"))
    hover = charts.tips(
        ("policy_label", "Policy"),
        ("class", "Class"),
        ("slowdown", "Mean bounded slowdown", ",.3~r"),
        ("jobs", "Jobs", ","),
    )
    dots = alt.Chart(height=210).mark_point(size=80, filled=True)
    return dots.encode(
        x=alt.X("slowdown:Q", scale=scale, axis=axis),
        y=alt.Y("class:N", title=None, sort=CLASSES, axis=alt.Axis(grid=True)),
        color=charts.policy_colour(known),
        shape=charts.policy_shape(known, legend=True),
        opacity=charts.faded(picked),
        tooltip=hover,
    ).add_params(picked)


def late_and_missed(known: Sequence[PolicyLook]) -> alt.LayerChart:
    """Draw the share of ``late`` jobs against the mean time they ``miss``, with the intervals of both."""
    picked = charts.pick_policy()
    hover = charts.tips(
        ("policy_label", "Policy"),
        ("late", "Late jobs (%)", ".1f", "late_low", "late_high"),
        ("miss", "Mean miss time (h)", ".3~r", "miss_low", "miss_high"),
    )
    scale = alt.Scale(type="symlog", constant=0.1, nice=False)
    axis = alt.Axis(title="Mean miss time (h, log scale above 0.1)", format=",~r", values=MISSES)
    base = alt.Chart().encode(color=charts.policy_colour(known), opacity=charts.faded(picked), tooltip=hover)
    sideways = base.mark_rule(strokeWidth=1.5).encode(
        x=alt.X("late_low:Q", title="Late jobs (%)"), x2="late_high:Q", y=alt.Y("miss:Q", scale=scale, axis=axis)
    )
    upright = base.mark_rule(strokeWidth=1.5).encode(
        x="late:Q", y=alt.Y("miss_low:Q", scale=scale, axis=axis), y2="miss_high:Q"
    )
    dots = base.mark_point(size=90, filled=True).encode(
        x=alt.X("late:Q", title="Late jobs (%)"),
        y=alt.Y("miss:Q", scale=scale, axis=axis),
        shape=charts.policy_shape(known, legend=True),
    )
    return alt.layer(sideways, upright, dots.add_params(picked)).properties(height=240)


LEAST_SPAN = 1.0
"""The least range of an axis of shares, in percentage points, so that tiny differences do not look large."""


def values_beside_ratios(
    connection: duckdb.DuckDBPyConnection, study: str, name: str, title: str, duration: bool
) -> alt.Chart:
    """Draw a metric with intervals, a row per workload; if the study compares, the paired ratios stand beside it.

    Workloads of one log, or of one model, have the same axes: so a change of the machine shows.

    The caption may use ``{units}``, and ``{compared}``, which explains the right side.
    """
    charts.show(connection, study)
    reference = charts.reference_of(connection)
    found = charts.study_rows(
        connection, study, "values_beside_ratios", metric=name, reference=reference and reference[0]
    )
    charts.on_log_axis(found, "source")
    charts.on_log_axis(found, "source", "ratio", "ratio_low")
    known = charts.policies_of(connection, found)
    whom = reference[1] if reference else ""
    hover = charts.tips(("policy_label", "Policy"), ("value", metric(name).label, ",.4~r", "low", "high"))
    compared = charts.tips(
        ("ratio", f"Ratio to {whom}", ".3~r"), ("ratio_low", "ratio from", ".3~r"), ("ratio_high", "ratio to", ".3~r")
    )
    paired = reference is not None and any(row["ratio"] is not None for row in found)
    met = {row["workload_label"] for row in found if reference and row["policy"] == reference[0]}
    parts = []
    for label in charts.in_order(found, "workload_label"):
        here = f"datum.workload_label === {label!r}"
        colour = charts.policy_colour(known, legend=False)
        own = [row for row in found if row["workload_label"] == label]
        alike = [row for row in found if row["source"] == own[0]["source"]]
        alongside = paired and any(row["ratio"] is not None for row in own)
        left = charts.measured(known, alike, title, [*hover, *(compared if paired else [])], duration)
        left = left.transform_filter(here)
        parts.append(left.properties(title=label))
        if alongside:
            axis = f"Ratio to {whom} (log scale)"
            right = charts.ratio(charts.policy_axis(known), colour, axis, [*hover, *compared], alike)
            parts.append(right.transform_filter(here).properties(title=f"paired, against {whom}"))
        elif paired:
            parts.append(nothing_to_compare(whom, NOT_THE_SAME_JOBS if label in met else f"not run under {whom}"))
    sure = any(row["ratio_low"] is not None for row in found)
    compared_words = COMPARED if sure else COMPARED_WITHOUT_INTERVALS
    words = compared_words.format(reference=whom) if paired else "" if reference and met else ALONE
    words = f"{words} {rough_words(connection, name)}".strip()
    return charts.titled(charts.panels(parts, columns=2), found, compared=words)


FEWEST = 5
"""Jobs that a batch of a log should have, so that its mean is more than a few single jobs."""


def rough_words(connection: duckdb.DuckDBPyConnection, name: str) -> str:
    """Say which intervals of a metric rest on batches of hardly any jobs; empty if none does."""
    found = connection.execute(
        "SELECT workload_label FROM base JOIN workloads AS w USING (workload) JOIN intervals AS i USING (workload, policy) "
        "WHERE w.kind = 'log' AND i.metric = $metric AND i.scope = 'all' AND w.jobs < $fewest * i.units "
        "GROUP BY workload_label ORDER BY min(position)",
        {"metric": name, "fewest": FEWEST},
    ).fetchall()
    labels = joined([label for (label,) in found])
    return f"Intervals on {labels} are rough: a batch has fewer than {FEWEST} jobs." if found else ""


NOT_THE_SAME_JOBS = "no comparable run of the same jobs"


def nothing_to_compare(whom: str, why: str) -> alt.Chart:
    """Draw, in place of a panel, why nothing is compared with the reference policy on a workload."""
    words = alt.Chart(title=f"paired, against {whom}").transform_aggregate(rows="count()")
    return words.mark_text(align="left", fontSize=11, color=NEUTRAL).encode(
        x=alt.value(0), y=alt.value(14), text=alt.value(why)
    )


COMPARED = (
    "Right: the ratio to {reference} on the same jobs, with the interval of the paired comparison. A hollow mark may be "
    "chance, because its interval contains 1. Judge by the right side: policies meet the same jobs, so most of the spread on "
    "the left cancels."
)
COMPARED_WITHOUT_INTERVALS = (
    "Right: the ratio to {reference} on the same jobs. The ratios have no intervals, so any of them may be chance."
)
ALONE = "The study names no policy to compare with. Policies may differ although their intervals overlap."


def wait_words(connection: duckdb.DuckDBPyConnection) -> str:
    """Return what a wait is under the shown policies: one definition, or one per family."""
    found = connection.execute(
        "SELECT DISTINCT families.label, wait FROM shown JOIN families USING (family) ORDER BY wait DESC, families.label"
    ).fetchall()
    kinds = list(dict.fromkeys(wait for _, wait in found))
    if len(kinds) == 1:
        return f"Wait is {WAIT_WORDS[kinds[0]]}."
    told = [f"{WAIT_WORDS[kind]} ({', '.join(label for label, wait in found if wait == kind)})" for kind in kinds]
    return f"Wait is {' and '.join(told)}; the two are equal for a job that is never interrupted or slowed down."


def unfinished_words(connection: duckdb.DuckDBPyConnection) -> str:
    """Return how the shown study compares runs that ended before their jobs; empty without such runs."""
    return UNFINISHED_WORDS if cut_runs(connection) & shown_runs(connection) else ""


UNFINISHED_WORDS = (
    "Runs that ended before their jobs had are compared by the jobs completed (of longer runs: up to the same time). "
    "Their times are those of the jobs that ended, which differ from run to run, so no ratio of such times is given."
)


def utilisation_words(connection: duckdb.DuckDBPyConnection) -> str:
    """Return the times that the shown study's utilisations cover if they differ; else an empty text."""
    shown, stated = shown_runs(connection), stated_spans(connection)
    return f"Utilisation is {utilisation_span(connection)}" if stated & shown and shown - stated else ""


def utilisation_span(connection: duckdb.DuckDBPyConnection) -> str:
    """Return the time that utilisation covers under the shown policies, as the end of a sentence; one follows if times differ."""
    shown, stated = shown_runs(connection), stated_spans(connection)
    if not stated & shown:
        return f"{FROM_FIRST_TO_LAST}."
    if shown <= stated:
        return f"{TO_THE_END}."
    found = connection.execute(
        "SELECT DISTINCT families.label FROM shown JOIN families USING (family) "
        "SEMI JOIN (FROM busy_sums WHERE length_us IS NOT NULL) USING (workload, policy) ORDER BY ALL"
    ).fetchall()
    labels = joined([label for (label,) in found])
    return f"{FROM_FIRST_TO_LAST}; under {labels} {TO_THE_END}. The two are not compared."


FROM_FIRST_TO_LAST = "from the first submission to the last finish"
TO_THE_END = (
    "from time 0 to the end of the run, even if jobs are unfinished (spinning and switching do not count as use)"
)


def shown_runs(connection: duckdb.DuckDBPyConnection) -> set[tuple[str, str]]:
    """Return the workloads and policies of the shown study."""
    return {(w, p) for w, p in connection.execute("SELECT DISTINCT workload, policy FROM shown").fetchall()}


def over_time(connection: duckdb.DuckDBPyConnection, study: str, column: str, y: alt.Y) -> alt.Chart:
    """Draw a column of the store's series in about sixty bins per workload, for the policies that have it."""
    found = charts.study_rows(connection, study, "over_time", column=column)
    if column == "queue" and max(row["queue"] for row in found) <= 1:
        y["scale"]["domainMax"] = 10  # where nothing waits, an axis from 1 to 1 would have all its ticks in one place
    size, unit = unit_of(max(row["begin_s"] for row in found) / 2)
    for row in found:
        row["time"] = charts.plain(row["begin_s"] / size)
    # a label that is flush with the end of the axis hides for want of room
    axis = alt.Axis(title=f"{unit.capitalize()}s since the first submission", labelFlush=False)
    x = alt.X("time:Q", axis=axis)
    chart = charts.lines(charts.policies_of(connection, found), x, y, []).properties(height=150)
    chart = charts.small_multiples(chart, found, "workload_label", columns=1).resolve_scale(x="independent")
    values = {
        "bin": length_words(max(row["width"] for row in found)),
        "left_out": left_out(connection, found, "no such series is kept of them"),
    }
    return charts.titled(chart, found, **values)


UNITS = ((86400, "day"), (3600, "hour"), (60, "minute"), (1, "second"))


def unit_of(seconds: float) -> tuple[int, str]:
    """Return the largest unit that a length of time reaches: its seconds and its name."""
    return next((known for known in UNITS if seconds >= known[0]), UNITS[-1])


def length_words(seconds: float) -> str:
    """Return a length of time in the largest unit that it reaches."""
    size, unit = unit_of(seconds)
    return counted(f"{seconds / size:.3g}", unit)


def counted(number: str, noun: str) -> str:
    """Return a number, or a range of numbers, with its noun in the singular or plural."""
    return f"{number} {noun}" if number == "1" else f"{number} {noun}s"


def left_out(connection: duckdb.DuckDBPyConnection, found: list[dict[str, Any]], why: str) -> str:
    """Return which policies of the shown study a figure omits, and why; empty if it shows all."""
    drawn = set(charts.in_order(found, "policy_label"))
    every = connection.execute("SELECT policy_label FROM base GROUP BY policy_label ORDER BY min(position)").fetchall()
    missing = [label for (label,) in every if label not in drawn]
    return f"Not shown, as {why}: {', '.join(missing)}." if missing else ""


def shares_of_capacity(connection: duckdb.DuckDBPyConnection, found: list[charts.Row], title: str) -> alt.Chart:
    """Draw shares of the machine with their intervals on an axis called ``title``, a panel per workload and metric.

    Workloads of one log, or of one model, have the same axis for a metric.
    """
    known = charts.policies_of(connection, found)
    base = alt.Chart().encode(y=charts.policy_axis(known), color=charts.policy_colour(known, legend=False), tooltip=charts.tips(
        ("policy_label", "Policy"), ("value", "Value (%)", ".2f", "low", "high")))  # fmt: skip
    parts = []
    for label, name in dict.fromkeys((row["workload_label"], row["metric"]) for row in found):
        source = next(row["source"] for row in found if row["workload_label"] == label)
        alike = [row for row in found if (row["source"], row["metric"]) == (source, name)]
        edges = [row[column] for row in alike for column in ("value", "low", "high") if row[column] is not None]
        length = max(max(edges) - min(edges), LEAST_SPAN)
        first = max(0.0, (max(edges) + min(edges) - length) / 2)
        scale = alt.Scale(domain=[first, first + length], zero=False, nice=False, padding=10)
        axis = alt.Axis(title=title, tickCount=6)
        x = alt.X("value:Q", scale=scale, axis=axis)
        marks = alt.layer(*with_intervals(base, x, 70, shape=charts.policy_shape(known)))
        part = marks.transform_filter((alt.datum.workload_label == label) & (alt.datum.metric == name))
        parts.append(part.properties(title=[label, metric(name).label.lower()]))
    return charts.titled(charts.panels(parts, columns=2), found)
