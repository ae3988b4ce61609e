"""How waits are spread over the jobs."""

import altair as alt
import duckdb

from reports.draw import charts
from reports.draw.ticks import DURATIONS, duration_axis, extent
from reports.figures.forms.policies import wait_words
from reports.figures.general.needs import needs

PARTS = ["median", "95 %", "99 %"]


@needs(metrics=("mean_wait",))
def wait_percentiles(connection: duckdb.DuckDBPyConnection, study: str) -> alt.Chart:
    """Median and tail of the wait.

    Three marks per policy: half of the jobs, 95 % and 99 % of them wait no longer. The axis is logarithmic. {wait} A
    policy may have a better median and a worse tail: the farther apart the marks, the more a few jobs pay for the many.
    Waits below one second are drawn at one second.
    """
    found = charts.study_rows(connection, study, "wait_percentiles")
    known = charts.policies_of(connection, found)
    base = alt.Chart().encode(y=charts.policy_axis(known), color=charts.policy_colour(known, legend=False))
    shown = extent(found, "least", "most")
    axis, scale_of_waits = duration_axis("Wait (log scale)", shown), log_scale(shown)
    across = alt.X("least:Q", scale=scale_of_waits, axis=axis)
    spread = base.mark_rule(strokeWidth=2, opacity=0.5).encode(x=across, x2="most:Q")
    scale = alt.Scale(domain=PARTS, range=["circle", "square", "triangle-right"])
    dots = base.mark_point(size=70, filled=True).encode(
        x=alt.X("wait:Q", scale=scale_of_waits, axis=axis),
        shape=alt.Shape("part:N", sort=PARTS, title=None, scale=scale),
        tooltip=charts.tips(("policy_label", "Policy"), ("part", "Percentile"), ("wait", "Wait (s)", ",.0f")),
    )
    facets = charts.small_multiples(spread + dots, found, "workload_label")
    return charts.titled(charts.own_rows(facets, found, "workload_label"), found, wait=wait_words(connection))


@needs(metrics=("mean_wait",), legend=True)
def wait_distribution(connection: duckdb.DuckDBPyConnection, study: str) -> alt.Chart:
    """Distribution of waits.

    The wait that a given share of the jobs does not exceed, on a logarithmic axis. {wait} The lower curve is better for
    that share. Where curves cross, one policy is better for some jobs and the other for others. Waits below one second
    are drawn at one second. [[Click a policy in the legend to single it out.]]
    """
    found = charts.study_rows(connection, study, "wait_distribution")
    x = alt.X("share:Q", title="Jobs (%)", scale=alt.Scale(domain=[0, 100]))
    shown = extent(found, "wait")
    y = alt.Y("wait:Q", scale=log_scale(shown), axis=duration_axis("Wait not exceeded (log scale)", shown))
    chart = charts.lines(charts.policies_of(connection, found), x, y, []).properties(height=220)
    facets = charts.small_multiples(chart, found, "workload_label")
    return charts.titled(facets, found, wait=wait_words(connection))


def log_scale(shown: tuple[float, float] | None) -> alt.Scale:
    """Return the logarithmic scale of an axis of waits that begins at the last round time before what is ``shown``."""
    return alt.Scale(
        type="log", domainMin=max([1, *(one for one in DURATIONS[0] if shown and one <= shown[0])]), nice=False
    )
