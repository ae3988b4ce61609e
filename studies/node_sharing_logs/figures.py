"""Figures of the study of node sharing on real logs: what matchmaking gains over the load, for which jobs, and who pays."""

from collections.abc import Sequence
from typing import Any

import altair as alt
import duckdb

from reports.draw import charts
from reports.draw.marks import no_difference, with_intervals
from reports.figures.forms.gain_lines import gain_lines

rows_of = charts.queries_of(__file__)

MEASURES = {"mean_response": "mean response time", "mean_bounded_slowdown_60": "mean bounded slowdown"}
CLASSES = {
    "all": "all jobs",
    "short": "run less than 10 min",
    "medium": "10 min to 3 h",
    "long": "3 h and more",
    "any narrow": "up to a tenth of the machine",
    "any wide": "more than half of it",
}
"""Classes of jobs by the scope of their metrics."""

NEAR_OWN_LOAD = 90
"""The load, in %, at which classes of jobs are compared: the one nearest to what such machines carry."""


def gain_against_load(connection: duckdb.DuckDBPyConnection) -> Any:
    """What node sharing gains, by load.

    How much lower mean response time and mean bounded slowdown (bound 60 s) are than under pure space sharing (PSS), on the
    same jobs: the first {jobs} of each log, with the gaps between submissions scaled to the load. Bands are 95 %
    intervals over {units} batches of consecutive jobs; above the dashed line sharing gains. The resource use of jobs is
    drawn for each user, because no log records it. AM pairs a job with the next in the queue only; the others search
    the queue: L-FM takes the first match, L-U1 the best by utilisation, L-R the best by response time. L-N is L-U1 on
    standard processors; all others are hyperthreaded.
    """
    found = _swept(connection, list(MEASURES))
    for row in found:
        row["panel"] = f"{row['log']}: {MEASURES[row['metric']]}"
        row["series"] = row["policy_label"]
    x = alt.X("load:Q", title="Offered load (%)", scale=alt.Scale(zero=False, padding=8), axis=alt.Axis(tickCount=6))
    colours = {look.label: look.colour for look in charts.policies_of(connection, found)}
    chart = gain_lines(found, x, "Gain over PSS (%)", [("load", "Load (%)")], colours)
    jobs = f"{max(row['jobs'] for row in found):,}"
    return charts.titled(chart.resolve_scale(y="independent"), found, jobs=jobs)


def other_draws(connection: duckdb.DuckDBPyConnection) -> Any:
    """The same gains under other draws of what jobs do.

    Gain in mean response time over pure space sharing (PSS) at a load of {load} %. No log records the resource use of
    jobs; here it is drawn in {draws} ways: four times for each user, and for each job on its own. The jobs are the same
    in all. Lines are 95 % intervals over {units} batches of consecutive jobs.
    """
    found = rows_of(connection, "sharing_gains", metrics=["mean_response"], scopes=["all"])
    found = [row for row in found if round(row["load"]) == NEAR_OWN_LOAD]
    for row in found:
        row["draw"] = row["drawn"] or "as above"
    known = charts.policies_of(connection, found)
    shown = {row["policy_label"] for row in found if row["drawn"]}
    if not shown:
        raise charts.NoData("This scale has one draw only.")
    found = [row for row in found if row["policy_label"] in shown]
    hover = charts.tips(("policy_label", "Strategy"), ("draw", "Draw"), ("value", "Gain (%)", ".3~r", "low", "high"))
    labels = [look.label for look in known if look.label in shown]
    known = [look for look in known if look.label in shown]
    base = alt.Chart().encode(
        y=alt.Y("draw:N", sort=charts.in_order(found, "draw"), title=None),
        yOffset=alt.YOffset("policy_label:N", sort=labels), color=charts.policy_colour(known), tooltip=hover,
    )  # fmt: skip
    x, shape = alt.X("value:Q", title="Gain in mean response time (%)"), charts.policy_shape(known, legend=True)
    marks = with_intervals(base, x, 50, rule={"strokeWidth": 2}, shape=shape)
    chart = alt.layer(no_difference(0), *marks).properties(height=alt.Step(11))
    chart = charts.small_multiples(chart, found, "log", columns=2)
    draws = len({row["draw"] for row in found})
    return charts.titled(chart, found, load=NEAR_OWN_LOAD, draws=draws)


def who_gains(connection: duckdb.DuckDBPyConnection) -> Any:
    """Who gains, and who does not.

    How much shorter the mean wait is than under pure space sharing (PSS), by class of job, at a load of {load} %. The wait of
    a job that shares processors includes the time by which it is slowed down. Lines are 95 % intervals over {units} batches;
    hollow marks are not significant.
    """
    found = _swept(connection, ["mean_wait"], list(CLASSES))
    found = [row for row in found if round(row["load"]) == NEAR_OWN_LOAD and row["value"] is not None]
    for row in found:
        row["jobs"] = CLASSES[row["scope"]]
        row["sure"] = row["low"] is not None and (row["low"] > 0 or row["high"] < 0)
    known = charts.policies_of(connection, found)
    labels = [look.label for look in known]
    hover = charts.tips(("policy_label", "Strategy"), ("jobs", "Jobs"), ("value", "Gain (%)", ".3~r", "low", "high"))
    base = alt.Chart().encode(
        y=alt.Y("jobs:N", sort=charts.in_order(found, "jobs"), title=None),
        yOffset=alt.YOffset("policy_label:N", sort=labels), color=charts.policy_colour(known), tooltip=hover,
    )  # fmt: skip
    x = alt.X("value:Q", title="Gain in mean wait (%)", axis=alt.Axis(tickCount=5))
    shape = charts.policy_shape(known, legend=True)
    marks = with_intervals(base, x, 45, sure="datum.sure", rule={"strokeWidth": 2}, shape=shape)
    chart = alt.layer(no_difference(0), *marks).properties(height=alt.Step(9))
    chart = charts.small_multiples(chart, found, "log", columns=2).resolve_scale(x="independent")
    return charts.titled(chart, found, load=NEAR_OWN_LOAD)


def who_pays(connection: duckdb.DuckDBPyConnection) -> Any:
    """Who pays: jobs that finish later than without sharing.

    The share of jobs that finish at least a minute later with a strategy than under pure space sharing (PSS). A partner
    may slow a job down, or other jobs may be put before it. [[Hover for those that finish earlier, and by how much.]]
    """
    found = rows_of(connection, "sharing_later")
    known = charts.policies_of(connection, found)
    hover = charts.tips(("policy_label", "Strategy"), ("load", "Load (%)"),
                        ("later", "Jobs that finish later (%)", ".1f"),
                        ("later_h", "by (median, h)", ".2~r"), ("earlier", "earlier (%)", ".1f"),
                        ("earlier_h", "by (median, h)", ".2~r"))  # fmt: skip
    base = alt.Chart().encode(
        x=alt.X("load:Q", title="Offered load (%)", scale=alt.Scale(zero=False, padding=8), axis=alt.Axis(tickCount=6)),
        y=alt.Y("later:Q", title="Jobs that finish later (%)"), color=charts.policy_colour(known), tooltip=hover,
    )  # fmt: skip
    dots = base.mark_point(size=50, filled=True).encode(shape=charts.policy_shape(known, legend=True))
    chart = alt.layer(base.mark_line(), dots).properties(height=200)
    return charts.titled(charts.small_multiples(chart, found, "log", columns=2), found)


def _swept(
    connection: duckdb.DuckDBPyConnection, metrics: list[str], scopes: Sequence[str] = ("all",)
) -> list[charts.Row]:
    """Return the gains at all loads, of the jobs with what was drawn for them first."""
    found = rows_of(connection, "sharing_gains", metrics=metrics, scopes=list(scopes))
    return [row for row in found if not row["drawn"]]
