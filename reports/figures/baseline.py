"""Figures of the baseline study: policies on logs and models.

A public function is a figure: the first line of its docstring is its title, the rest its caption; words in braces are
filled with values that the function found.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import altair as alt

from reports.diagrams.gantt import busiest_window, window_rows
from reports.draw.charts import (
    decades_axis,
    duration_axis,
    in_order,
    lines,
    policies_of,
    policy_axis,
    policy_colour,
    policy_shape,
    small_multiples,
    study_rows,
    tips,
    titled,
)
from reports.draw.vocabulary import metric
from reports.figures.forms.policies import class_dots, late_and_missed, over_time, span, values_beside_ratios

if TYPE_CHECKING:
    import duckdb

STUDY = "baseline"
LOG_WAIT = alt.Scale(type="log", domainMin=1, nice=False)


def mean_wait(connection: duckdb.DuckDBPyConnection) -> alt.Chart:
    """Mean wait by policy, and beside it the paired ratio to EASY.

    Left: mean wait on a logarithmic axis, with its 95 % interval over {units} independent units (batches of a log,
    replications of a model). Right: the ratio to EASY on the same jobs, with the interval of the paired comparison; a
    hollow mark means that the interval contains 1, so the data do not tell the two apart. The right side is the one to
    judge by: policies meet the same jobs, so most of the spread on the left cancels.
    """
    return values_beside_ratios(connection, STUDY, "mean_wait", "Mean wait (log scale)", duration=True)


def mean_bounded_slowdown(connection: duckdb.DuckDBPyConnection) -> alt.Chart:
    """Mean bounded slowdown by policy, and beside it the paired ratio to EASY.

    Response time over run time, run times below 10 s counted as 10 s. Read as the figure of mean waits: values with
    95 % intervals over {units} units on the left, paired ratios to EASY on the right, hollow where the interval
    contains 1. Slowdown weighs short jobs, so orders that favour them gain more here than in mean wait.
    """
    title = "Mean bounded slowdown, bound 10 s (log scale)"
    return values_beside_ratios(connection, STUDY, "mean_bounded_slowdown_10", title, duration=False)


def slowdown_against_load(connection: duckdb.DuckDBPyConnection) -> alt.Chart:
    """Bounded slowdown against offered load, synthetic model.

    Each line is a policy, its band the 95 % interval over {units} replications; the vertical axis is logarithmic, so
    equal steps are equal factors. All policies see the same jobs at a load. Where bands part, policies differ; the load
    at which a line turns up steeply is the load the policy can carry.
    """
    found = study_rows(connection, STUDY, "slowdown_against_load")
    hover = tips(("policy_label", "Policy"), ("load", "Load (%)"), ("value", "Slowdown", ".3~s"),
                 ("low", "from", ".3~s"), ("high", "to", ".3~s"))  # fmt: skip
    y = alt.Y("value:Q", scale=alt.Scale(type="log", nice=False),
              axis=decades_axis("Mean bounded slowdown, bound 10 s (log scale)"))  # fmt: skip
    x = alt.X("load:Q", title="Offered load (%)", scale=alt.Scale(zero=False), axis=alt.Axis(tickCount=8))
    chart = lines(policies_of(found), x, y, hover, band=("low", "high")).properties(height=300)
    return titled(chart, found, units=span(found, "units"))


def wait_percentiles(connection: duckdb.DuckDBPyConnection) -> alt.Chart:
    """Median and tail of the wait.

    Three marks a policy: the wait that half the jobs, 95 % and 99 % of them do not exceed; logarithmic axis. A policy may
    have the better median and the worse tail: the wider apart the marks, the more a few jobs pay for the many. Waits
    below one second are drawn at one second.
    """
    found = study_rows(connection, STUDY, "wait_percentiles")
    known = policies_of(found)
    base = alt.Chart().encode(y=policy_axis(known), color=policy_colour(known, legend=False))
    across = alt.X("least:Q", scale=LOG_WAIT, axis=duration_axis("Wait (log scale)"))
    span = base.mark_rule(strokeWidth=2, opacity=0.5).encode(x=across, x2="most:Q")
    parts = alt.Shape("part:N", sort=["median", "95 %", "99 %"], title=None,
                      scale=alt.Scale(domain=["median", "95 %", "99 %"],
                                      range=["circle", "square", "triangle-right"]))  # fmt: skip
    dots = base.mark_point(size=70, filled=True).encode(
        x=alt.X("wait:Q", scale=LOG_WAIT, axis=duration_axis("Wait (log scale)")),
        shape=parts,
        tooltip=tips(("policy_label", "Policy"), ("part", "Percentile"), ("wait", "Wait (s)", ",.0f")),
    )
    labels = in_order(found, "workload_label")
    return titled(small_multiples(span + dots, "workload_label", labels), found)


def wait_distribution(connection: duckdb.DuckDBPyConnection) -> alt.Chart:
    """Distribution of waits.

    The wait (logarithmic axis) that a given share of the jobs does not exceed. The curve that runs lower is better
    for that share; curves that cross mean that neither policy is better for everybody. Waits below one second are
    drawn at one second. Click a policy in the legend to single it out.
    """
    found = study_rows(connection, STUDY, "wait_distribution")
    x = alt.X("share:Q", title="Jobs (%)", scale=alt.Scale(domain=[0, 100]))
    y = alt.Y("wait:Q", scale=LOG_WAIT, axis=duration_axis("Wait not exceeded (log scale)"))
    chart = lines(policies_of(found), x, y, []).properties(height=220)
    return titled(small_multiples(chart, "workload_label", in_order(found, "workload_label")), found)


def job_classes(connection: duckdb.DuckDBPyConnection) -> alt.Chart:
    """Bounded slowdown by class of job.

    Jobs are short below ten minutes of run time, medium below three hours, else long; narrow up to a tenth of the machine,
    medium up to half of it, else wide. Logarithmic axis, so equal distances are equal factors. Read along a row: which
    policy serves this class best; read down a colour: which class pays under this policy.
    """
    found = study_rows(connection, STUDY, "job_classes")
    chart = class_dots(policies_of(found))
    return titled(small_multiples(chart, "workload_label", in_order(found, "workload_label")), found)


def utilisation_and_loss(connection: duckdb.DuckDBPyConnection) -> alt.Chart:
    """Utilisation and loss of capacity.

    Utilisation is the share of the machine's capacity in use between first and last submission, so that draining the queue
    at the end does not count; loss of capacity is the share left idle while jobs were waiting. Lines are 95 % intervals
    over replications; a log is one machine's one history and has none. Where the load is below what a policy can carry,
    every policy reaches the offered load and utilisation says little; loss of capacity still differs.
    """
    found = study_rows(connection, STUDY, "utilisation_and_loss")
    for row in found:
        row["panel"] = f"{row['workload_label']}: {metric(row['metric']).label.lower()}"
    known = policies_of(found)
    base = alt.Chart().encode(y=policy_axis(known), color=policy_colour(known, legend=False), tooltip=tips(
        ("policy_label", "Policy"), ("value", "Value (%)", ".2f"), ("low", "from", ".2f"), ("high", "to", ".2f")))  # fmt: skip
    scale, axis = alt.Scale(zero=False, padding=10), alt.Axis(title="%", tickCount=6)
    span = base.mark_rule(strokeWidth=2.5).encode(x=alt.X("low:Q", scale=scale, axis=axis), x2="high:Q")
    dots = base.mark_point(size=70, filled=True).encode(
        x=alt.X("value:Q", scale=scale, axis=axis), shape=policy_shape(known)
    )
    chart = small_multiples(span + dots, "panel", in_order(found, "panel"), columns=2).resolve_scale(x="independent")
    return titled(chart, found)


def utilisation_over_time(connection: duckdb.DuckDBPyConnection) -> alt.Chart:
    """Utilisation over time.

    Mean share of busy processors in bins of {bin} (the longest bin used), from the first submission on. Policies that
    keep up with the load lie on one another; a line below the others wastes capacity there. Click a policy in the
    legend to single it out.
    """
    y = alt.Y("utilisation:Q", title="Utilisation (%)")
    return over_time(connection, STUDY, y)


def queue_over_time(connection: duckdb.DuckDBPyConnection) -> alt.Chart:
    """Queue length over time.

    Mean number of waiting jobs in bins of {bin} (the longest bin used), on a logarithmic axis; below one job the line is
    drawn at one. Peaks are where policies differ: see which queue grows and which one drains.
    """
    scale = alt.Scale(type="log", domainMin=1, nice=False)
    y = alt.Y("queue:Q", scale=scale, axis=decades_axis("Waiting jobs (log scale)"))
    return over_time(connection, STUDY, y)


def fairness(connection: duckdb.DuckDBPyConnection) -> alt.Chart:
    """Fairness: jobs that start later than in a fair schedule, and by how much.

    A job is late when it starts after its start in conservative backfilling with real run times, in which nobody who came
    later delays it; the miss time is the delay, zero when not late, averaged over all jobs. Lines are 95 % intervals.
    A policy may be late with few jobs and miss by much.
    """
    found = study_rows(connection, STUDY, "fairness")
    chart = late_and_missed(policies_of(found))
    chart = small_multiples(chart, "workload_label", in_order(found, "workload_label"))
    return titled(chart.resolve_scale(x="independent", y="independent"), found)


def effect_of_estimates(connection: duckdb.DuckDBPyConnection) -> alt.Chart:
    """Effect of the run-time estimates.

    The same jobs with other estimates: paired ratio to {reference} estimates under the same policy, with its 95 %
    interval as a band, on a logarithmic axis. With f, estimates lie between the run time and f + 1 times the run time;
    modal ones cluster at a few round times, as users give them. Above 1 the estimates cost, below 1 they help. A line
    that falls and then rises along f is the V shape known from the literature.
    """
    found = study_rows(connection, STUDY, "effect_of_estimates")
    for row in found:
        row["panel"] = f"{row['origin_label']}: {metric(row['metric']).label.lower()}"
    hover = tips(
        ("policy_label", "Policy"),
        ("variant", "Estimates"),
        ("ratio", "Ratio", ".4~r"),
        ("ratio_low", "from", ".4~r"),
        ("ratio_high", "to", ".4~r"),
    )
    tilted = alt.Axis(labelAngle=-40, labelLimit=150, labelOverlap=False)
    x = alt.X("variant:O", sort=in_order(found, "variant"), title="Estimates", axis=tilted)
    scale = alt.Scale(type="log", nice=False)
    axis = alt.Axis(title="Ratio (log scale)", tickCount=5, format="~g")
    y = alt.Y("ratio:Q", scale=scale, axis=axis)
    chart = lines(policies_of(found), x, y, hover, band=("ratio_low", "ratio_high")).properties(height=220)
    reference = "perfect" if any(row["variant"] == "exact" for row in found) else "the submitted"
    panels = in_order(found, "panel")
    return titled(small_multiples(chart, "panel", panels, columns=2), found, reference=reference)


def schedule_window(connection: duckdb.DuckDBPyConnection) -> alt.Chart:
    """The machine hour by hour: who holds which processors.

    {workload} around its longest queue under EASY ({hours} hours, from hour {begin} after the first
    submission). Time runs to the right; each row of pixels is a processor, each block a job, coloured by how
    long it waited. Empty space is idle capacity: compare how policies leave it. Processors are only counted by
    these policies; the picture gives each job the lowest-numbered free ones.
    """
    window = busiest_window(connection, STUDY)
    found = window_rows(connection, window, limit=1200)
    chart = (
        alt.Chart(height=max(160, min(320, window.processors)))
        .mark_rect(stroke="#ffffff", strokeWidth=0.3)
        .encode(
            x=alt.X("begin:Q", title="Hours since the first submission", scale=alt.Scale(nice=False, zero=False)),
            x2="end:Q",
            y=alt.Y("first:Q", title="Processors", scale=alt.Scale(domain=[0, window.processors], nice=False)),
            y2="last:Q",
            color=alt.Color("wait:Q", title="Wait (h)", scale=alt.Scale(scheme="viridis")),
            tooltip=tips(("job", "Job"), ("size", "Processors"), ("wait", "Wait (h)", ".2f"), ("run", "Run time (h)", ".2f"),
                         ("estimate", "Estimate (h)", ".2f")),
        )
    )  # fmt: skip
    values = {"workload": window.label, "hours": f"{window.hours:g}", "begin": f"{window.begin_h:,.0f}"}
    return titled(small_multiples(chart, "policy_label", in_order(found, "policy_label"), columns=2), found, **values)
