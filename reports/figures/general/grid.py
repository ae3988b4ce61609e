"""Workflows on a grid of clusters: what they cost whom, how busy each cluster is, and one workflow in full."""

import altair as alt
import duckdb

from reports.diagrams.parts import first_run
from reports.draw import charts
from reports.draw.marks import with_intervals
from reports.draw.theme import PALETTE
from reports.draw.ticks import extent, number_axis
from reports.families.grid.charts import grid_figure
from reports.figures.forms.policies import values_beside_ratios
from reports.figures.general.needs import needs


@needs(metrics=("mean_workflow_makespan",))
def workflow_makespan(connection: duckdb.DuckDBPyConnection, study: str) -> alt.Chart:
    """Makespan of workflows.

    Mean time from the first start to the last finish of a workflow's tasks, on a logarithmic axis. Lines are 95 %
    intervals over {units} replications. {compared} The makespan excludes the wait for the first start, which response
    times include. A log is one draw and has no interval; the table of metrics has its makespans.
    """
    title = "Mean makespan of a workflow (log scale)"
    return values_beside_ratios(connection, study, "mean_workflow_makespan", title, duration=True)


@needs(metrics=("mean_slowdown",), scope="local ", legend=True)
def response_by_kind(connection: duckdb.DuckDBPyConnection, study: str) -> alt.Chart:
    """Relative response time by kind of job.

    Mean response time over run time of local jobs and of tasks of workflows, by run-time class, on a logarithmic axis.
    Lines are 95 % intervals over replications. A task's response time starts at the submission of its workflow, so it
    includes the time of its predecessors. Classes end at ten minutes and at three hours of run time.
    """
    found = charts.study_rows(connection, study, "response_by_kind")
    charts.on_log_axis(found, "workload_label")
    known = charts.policies_of(connection, found)
    picked = charts.pick_policy()
    axis = number_axis("Response time over run time (log scale)", extent(found, "value", "drawn_low", "high"))
    scale = alt.Scale(type="log", nice=False, padding=10)
    hover = charts.tips(("policy_label", "Policy"), ("kind", "Kind"),
                        ("value", "Mean slowdown", ",.4~r", "low", "high"), ("jobs", "Jobs", ","))  # fmt: skip
    kinds = charts.in_order(found, "kind")
    labels = [look.label for look in known]
    base = alt.Chart().encode(
        y=alt.Y("kind:N", title=None, sort=kinds, axis=alt.Axis(grid=True)),
        yOffset=alt.YOffset("policy_label:N", sort=labels),
        color=charts.policy_colour(known),
        opacity=charts.faded(picked),
        tooltip=hover,
    )
    x, shape = alt.X("value:Q", scale=scale, axis=axis), charts.policy_shape(known, legend=True)
    span, dots = with_intervals(base, x, 50, low="drawn_low", rule={"strokeWidth": 2}, shape=shape)
    chart = alt.layer(span, dots.add_params(picked)).properties(height=max(150, 9 * len(kinds) * len(known)))
    return charts.titled(charts.small_multiples(chart, found, "workload_label", columns=2), found)


@needs(metrics=("utilisation",), scope="cluster ")
def cluster_utilisation(connection: duckdb.DuckDBPyConnection, study: str) -> alt.Chart:
    """Utilisation of each cluster.

    Processors in use over all processors of each cluster, from the first submission to the last finish on any of them;
    lines are 95 % intervals over replications. Clusters that differ under a policy are loaded unevenly, or have
    different local jobs.
    """
    found = charts.study_rows(connection, study, "cluster_utilisation")
    known = charts.policies_of(connection, found)
    names = charts.in_order(sorted(found, key=lambda row: row["number"]), "cluster")
    paints = [PALETTE[number % len(PALETTE)] for number in range(len(names))]
    colour = alt.Color("cluster:N", title="Cluster", sort=names, scale=alt.Scale(domain=names, range=paints))
    hover = charts.tips(
        ("policy_label", "Policy"), ("cluster", "Cluster"), ("value", "Utilisation (%)", ".2f", "low", "high"),
        ("jobs", "Jobs there", ",.0f"), ("tasks", "of them tasks", ",.0f"),
    )  # fmt: skip
    base = alt.Chart().encode(
        y=charts.policy_axis(known), yOffset=alt.YOffset("cluster:N", sort=names), color=colour, tooltip=hover
    )
    scale, axis = alt.Scale(zero=False, padding=10), alt.Axis(title="Utilisation (%)", tickCount=6)
    marks = with_intervals(base, alt.X("value:Q", scale=scale, axis=axis), 45, rule={"strokeWidth": 2})
    chart = alt.layer(*marks).properties(height=max(18, 8 * len(names)) * len(known))
    chart = charts.small_multiples(chart, found, "workload_label", columns=2)
    return charts.titled(charts.own_rows(chart, found, "workload_label", x="independent"), found)


@needs(family="grid", metrics=("mean_workflow_makespan",))
def workflow_window(connection: duckdb.DuckDBPyConnection, study: str) -> alt.Chart:
    """A workflow on its clusters.

    {workload} under {policy}: workflow {workflow}, submitted {begin} after the first job, takes {length}. Above, a row
    per task: the outline is the frame of its reservation, thin bars are the places of its slot (the first on top), the
    full bar is its run, and the triangle the arrival of its data. Lines are transfers. Below, the {tasks} tasks on the
    clusters, with local jobs in grey, tasks of other workflows in darker grey, and slices of classes as a tint.
    {slides}; {late} of its tasks ended after their frame. [[The page of schedules shows it under every policy.]]
    """
    return first_run(connection, study, WORKFLOWS, grid_figure)


WORKFLOWS = """
    SELECT workload, workload_label, policy, policy_label
    FROM base JOIN families USING (family) JOIN run_values USING (workload, policy)
    WHERE family = 'grid' AND metric = 'workflows' AND value > 0 AND replication = 0
    ORDER BY max(value) OVER (PARTITION BY workload) DESC, min(position) OVER (PARTITION BY workload),
        list_position((SELECT pictured FROM studies WHERE study = base.study), policy) NULLS LAST, position"""
"""Runs of a grid, of the workload with most workflows: those that the study pictures, then the others in its order."""
