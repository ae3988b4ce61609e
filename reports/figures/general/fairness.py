"""Fairness, and what the users' estimates do to a schedule."""

import altair as alt
import duckdb

from reports.draw import charts
from reports.draw.marks import with_intervals
from reports.figures.forms.policies import late_and_missed
from reports.figures.general.needs import needs
from reports.measure.catalogue import metric


@needs(metrics=("late_share",), legend=True)
def fairness(connection: duckdb.DuckDBPyConnection, study: str) -> alt.Chart:
    """Fairness: jobs that start later than in a fair schedule, and by how much.

    A job is late if it starts later than in the fair schedule: conservative backfilling with real run times, in which no
    later job delays it. Its miss time is that delay, zero for a job that is not late; the figure shows the mean over all
    jobs. Lines are 95 % intervals. A policy may be late with few jobs and miss by much.
    """
    found = charts.study_rows(connection, study, "fairness")
    chart = late_and_missed(charts.policies_of(connection, found))
    chart = charts.small_multiples(chart, found, "workload_label")
    return charts.titled(chart.resolve_scale(x="independent", y="independent"), found)


@needs(metrics=("mean_wait", "mean_bounded_slowdown_10"), variants=True, legend=True)
def effect_of_estimates(connection: duckdb.DuckDBPyConnection, study: str) -> alt.Chart:
    """Effect of the run-time estimates.

    Ratio to {reference} estimates under the same policy, on the same jobs, with its 95 % interval on a logarithmic axis.
    Above 1 the estimates cost, below 1 they help. With f, estimates lie between the run time and f + 1 times the run
    time, and a line joins the values of f. Modal estimates cluster at a few round times, as users' estimates do. A line
    that falls and then rises along f is the V shape known from the literature.
    """
    found = charts.study_rows(connection, study, "effect_of_estimates")
    for row in found:
        row["panel"] = f"{row['origin_label']}: {metric(row['metric']).label.lower()}"
        row["along"] = row["variant"] == "exact" or row["variant"].startswith("f =")  # exact is f = 0
    hover = charts.tips(
        ("policy_label", "Policy"), ("variant", "Estimates"), ("ratio", "Ratio", ".4~r", "ratio_low", "ratio_high")
    )
    tilted = alt.Axis(labelAngle=-40, labelLimit=150, labelOverlap=False)
    x = alt.X("variant:O", sort=charts.in_order(found, "variant"), title="Estimates", axis=tilted)
    axis = alt.Axis(title="Ratio (log scale)", tickCount=5, format="~g")
    y = alt.Y("ratio:Q", scale=alt.Scale(type="log", nice=False), axis=axis)
    known = charts.policies_of(connection, found)
    picked = charts.pick_policy()
    order = [look.label for look in known]
    base = alt.Chart().encode(x=x, color=charts.policy_colour(known), opacity=charts.faded(picked), tooltip=hover)
    joined = (
        base.transform_filter("datum.along")
        .mark_line(strokeWidth=1.2)
        .encode(y=y, strokeDash=charts.policy_dash(known))
    )
    beside = base.encode(xOffset=alt.XOffset("policy_label:N", sort=order))
    ends, shape = {"low": "ratio_low", "high": "ratio_high"}, charts.policy_shape(known, legend=True)
    marks = with_intervals(beside, y, 45, **ends, rule={"strokeWidth": 1.5}, shape=shape)
    chart = alt.layer(joined.add_params(picked), *marks).properties(height=220)
    reference = "perfect" if any(row["variant"] == "exact" for row in found) else "the submitted"
    return charts.titled(charts.small_multiples(chart, found, "panel", columns=2), found, reference=reference)
