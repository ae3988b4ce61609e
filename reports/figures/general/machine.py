"""What the machine does: utilisation, lost capacity, the queue, and who holds which processors when."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import altair as alt

from reports.diagrams.gantt import busiest_window, window_rows
from reports.diagrams.nodes_charts import nodes_figure
from reports.draw.charts import (
    in_order,
    own_rows,
    policies_of,
    policy_axis,
    policy_colour,
    policy_shape,
    rows,
    show,
    small_multiples,
    study_rows,
    tips,
    titled,
)
from reports.draw.ticks import extent, number_axis, number_ticks
from reports.draw.vocabulary import metric, significant
from reports.figures.forms.policies import left_out, over_time
from reports.figures.general.needs import needs

if TYPE_CHECKING:
    import duckdb


LEAST_SPAN = 1.0
"""Percentage points an axis of shares shows at least, so that differences of nothing do not look large."""

WINDOW_SHOWS = "the picture has room for four policies, of those whose jobs hold their processors alone"


@needs(metrics=("steady_utilisation", "loss_of_capacity"))
def utilisation_and_loss(connection: duckdb.DuckDBPyConnection, study: str) -> alt.Chart:
    """Utilisation and loss of capacity.

    Utilisation is the share of the machine's capacity in use between first and last submission, so that draining the queue
    at the end does not count; loss of capacity is the share left idle while jobs were waiting. Lines are 95 % intervals
    over replications; a log is one machine's one history and has none. Where the load is below what a policy can carry,
    every policy reaches the offered load and utilisation says little; loss of capacity still differs. {left_out}
    """
    found = study_rows(connection, study, "shares", metrics=["steady_utilisation", "loss_of_capacity"])
    chart = _shares(connection, found, "Share of the capacity (%)")
    chart.usermeta["caption"]["left_out"] = left_out(connection, found, "neither is measured for them")
    return chart


@needs(metrics=("utilisation", "effective_utilisation", "utilisation_efficiency"))
def utilisation(connection: duckdb.DuckDBPyConnection, study: str) -> alt.Chart:
    """Utilisation over the whole run.

    Processor time in use over the machine's capacity from the first submission to the last finish; where slots take turns,
    effective utilisation takes off what switching and reconfiguration cost, and where jobs share processors, utilisation
    efficiency is the work done over the same capacity: what sharing gains or costs. Lines are 95 % intervals over
    replications; a log is one machine's one history and has none. A policy that leaves jobs to the end has a long tail, and
    so less of it.
    """
    found = study_rows(
        connection, study, "shares", metrics=["utilisation", "effective_utilisation", "utilisation_efficiency"]
    )
    return _shares(connection, found, "Utilisation (%)")


@needs(series="utilisation", legend=True)
def utilisation_over_time(connection: duckdb.DuckDBPyConnection, study: str) -> alt.Chart:
    """Utilisation over time.

    Mean share of busy processors in bins of {bin} (the longest bin used), from the first submission on. Policies that
    keep up with the load lie on one another; a line below the others wastes capacity there. Click a policy in the
    legend to single it out.
    """
    y = alt.Y("utilisation:Q", title="Utilisation (%)")
    return over_time(connection, study, "utilisation", y)


@needs(series="queued_jobs", legend=True)
def queue_over_time(connection: duckdb.DuckDBPyConnection, study: str) -> alt.Chart:
    """Queue length over time.

    Mean number of waiting jobs in bins of {bin} (the longest bin used), on a logarithmic axis; below one job the line is
    drawn at one. Peaks are where policies differ: see which queue grows and which one drains.
    """
    scale = alt.Scale(type="log", domainMin=1, nice=False)
    y = alt.Y("queue:Q", scale=scale, axis=number_axis("Waiting jobs (log scale)"))
    return over_time(connection, study, "queue", y)


@needs(diagram="gantt")
def schedule_window(connection: duckdb.DuckDBPyConnection, study: str) -> alt.Chart:
    """The machine hour by hour: who holds which processors.

    {workload} around its longest queue under {policy} ({hours} hours, from hour {begin} after the first submission). Time
    runs to the right; each row of pixels is a processor, each block a job, coloured by how long it waited (up to {least} h
    is one colour). Empty space is idle capacity: compare how policies leave it. Processors are only counted by these
    policies; the picture gives each job the lowest-numbered free ones. {left_out}
    """
    window = busiest_window(connection, study)
    found = window_rows(connection, window, limit=1200)
    waits = sorted(row["wait"] for row in found)
    least = max(waits[len(waits) // 20], 1 / 60)
    for row in found:
        row["waited"] = max(row["wait"], least)
    legend = alt.Legend(gradientLength=240, values=number_ticks(extent(found, "waited")), format="~g")
    chart = (
        alt.Chart(height=max(160, min(320, window.processors)))
        .mark_rect(stroke="#ffffff", strokeWidth=0.3)
        .encode(
            x=alt.X("begin:Q", scale=alt.Scale(nice=False, zero=False),
                    axis=alt.Axis(title="Hours since the first submission", tickCount=5)),
            x2="end:Q",
            y=alt.Y("first:Q", title="Processors", scale=alt.Scale(domain=[0, window.processors], nice=False)),
            y2="last:Q",
            color=alt.Color("waited:Q", title="Wait (h, log scale)", scale=alt.Scale(type="log", nice=False), legend=legend),
            tooltip=tips(("job", "Job"), ("size", "Processors"), ("wait", "Wait (h)", ".2f"), ("run", "Run time (h)", ".2f"),
                         ("estimate", "Estimate (h)", ".2f")),
        )
    )  # fmt: skip
    values = {
        "workload": window.label,
        "hours": f"{window.hours:g}",
        "begin": f"{window.begin_h:,.0f}",
        "policy": window.queue_under,
        "least": significant(least, 2),
        "left_out": left_out(connection, found, WINDOW_SHOWS),
    }
    facets = small_multiples(chart, "policy_label", in_order(found, "policy_label"), columns=2)
    return titled(facets, found, **values)


@needs(diagram="nodes")
def shared_window(connection: duckdb.DuckDBPyConnection, study: str) -> alt.Chart:
    """The machine hour by hour: who shares processors with whom.

    {workload} under {policy}, {length} from {begin} after the first submission: {jobs} jobs, of which {sharing} share processors.
    Time runs to the right, processors upwards. Blocks with a dark edge share processors: they lie above one another within the
    height of these, each with its part, and the number behind the dot is the part of its speed alone at which a job works.
    Faint strips are suspended jobs. Colours only tell jobs apart.
    """
    show(connection, study)
    (first, *_) = rows(connection, SHARED_MOST)
    chart = nodes_figure(connection, first["workload"], first["policy"])
    chart.usermeta["caption"] |= {"workload": first["workload_label"], "policy": first["policy_label"]}
    return chart


SHARED_MOST = """
    SELECT workload, workload_label, policy, policy_label
    FROM base JOIN families USING (family) LEFT JOIN metrics USING (workload, policy)
    WHERE diagram = 'nodes' AND metric = 'shared_share' AND replication = 0
    ORDER BY min(position) OVER (PARTITION BY workload),
        list_position((SELECT pictured FROM studies WHERE study = base.study), policy) NULLS LAST, value DESC, position"""
"""Runs in which jobs may share processors: of the first workload, those that the study pictures, then those that share most."""


def _shares(connection: duckdb.DuckDBPyConnection, found: list[dict[str, Any]], title: str) -> alt.Chart:
    """Draw shares of the machine with their intervals on an axis called ``title``, a panel per workload and metric."""
    for row in found:
        row["panel"] = f"{row['workload_label']}: {metric(row['metric']).label.lower()}"
    for name in in_order(found, "panel"):
        own = [row for row in found if row["panel"] == name]
        edges = [row[column] for row in own for column in ("value", "low", "high") if row[column] is not None]
        middle, half = (max(edges) + min(edges)) / 2, max(max(edges) - min(edges), LEAST_SPAN) / 2
        for row in own:
            row["axis_from"], row["axis_to"] = middle - half, middle + half
    known = policies_of(connection, found)
    base = alt.Chart().encode(y=policy_axis(known), color=policy_colour(known, legend=False), tooltip=tips(
        ("policy_label", "Policy"), ("value", "Value (%)", ".2f"), ("low", "from", ".2f"), ("high", "to", ".2f")))  # fmt: skip
    scale, axis = alt.Scale(zero=False, padding=10), alt.Axis(title=title, tickCount=6)
    span = base.mark_rule(strokeWidth=2.5).encode(x=alt.X("low:Q", scale=scale, axis=axis), x2="high:Q")
    dots = base.mark_point(size=70, filled=True).encode(
        x=alt.X("value:Q", scale=scale, axis=axis), shape=policy_shape(known)
    )
    ends = base.mark_rule(opacity=0).encode(x=alt.X("axis_from:Q", scale=scale, axis=axis), x2="axis_to:Q")
    chart = small_multiples(ends + span + dots, "panel", in_order(found, "panel"), columns=2)
    return titled(own_rows(chart, found, "panel", x="independent"), found)
