"""Fairness, and what the users' estimates do to a schedule."""

from __future__ import annotations

from typing import TYPE_CHECKING

import altair as alt

from reports.draw.charts import in_order, lines, policies_of, small_multiples, study_rows, tips, titled
from reports.draw.vocabulary import metric
from reports.figures.forms.policies import late_and_missed
from reports.figures.general.needs import needs

if TYPE_CHECKING:
    import duckdb


@needs(metrics=("late_share",), legend=True)
def fairness(connection: duckdb.DuckDBPyConnection, study: str) -> alt.Chart:
    """Fairness: jobs that start later than in a fair schedule, and by how much.

    A job is late when it starts after its start in conservative backfilling with real run times, in which no job that came
    later delays it; the miss time is the delay, zero when not late, averaged over all jobs. Lines are 95 % intervals.
    A policy may be late with few jobs and miss by much.
    """
    found = study_rows(connection, study, "fairness")
    chart = late_and_missed(policies_of(connection, found))
    chart = small_multiples(chart, "workload_label", in_order(found, "workload_label"))
    return titled(chart.resolve_scale(x="independent", y="independent"), found)


@needs(metrics=("mean_wait", "mean_bounded_slowdown_10"), variants=True, legend=True)
def effect_of_estimates(connection: duckdb.DuckDBPyConnection, study: str) -> alt.Chart:
    """Effect of the run-time estimates.

    The same jobs with other estimates: paired ratio to {reference} estimates under the same policy, with its 95 %
    interval as a band, on a logarithmic axis. With f, estimates lie between the run time and f + 1 times the run time;
    modal ones cluster at a few round times, as users give them. Above 1 the estimates cost, below 1 they help. A line
    that falls and then rises along f is the V shape known from the literature.
    """
    found = study_rows(connection, study, "effect_of_estimates")
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
    chart = lines(policies_of(connection, found), x, y, hover, band=("ratio_low", "ratio_high")).properties(height=220)
    reference = "perfect" if any(row["variant"] == "exact" for row in found) else "the submitted"
    panels = in_order(found, "panel")
    return titled(small_multiples(chart, "panel", panels, columns=2), found, reference=reference)
