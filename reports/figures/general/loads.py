"""Measures against the offered load, where a study runs a model at several loads."""

from collections.abc import Callable
from functools import partial
from typing import Any

import altair as alt
import duckdb

from reports.draw import charts
from reports.draw.ticks import duration_axis, extent, number_axis
from reports.figures.general.needs import needs


@needs(metrics=("mean_bounded_slowdown_10",), loads=2, legend=True)
def slowdown_against_load(connection: duckdb.DuckDBPyConnection, study: str) -> alt.Chart:
    """Bounded slowdown against offered load.

    Each line is a policy, its band the 95 % interval over {units} independent units (batches of a log,
    replications of a model). The vertical axis is logarithmic: equal steps are equal factors. All policies see the same
    jobs at a load. Where bands part, policies differ. A policy carries loads up to the point at which its line turns up
    steeply.
    """
    title = "Mean bounded slowdown, bound 10 s (log scale)"
    return _against_load(connection, study, "mean_bounded_slowdown_10", partial(number_axis, title), "Slowdown")


@needs(metrics=("mean_response",), loads=2, legend=True)
def response_against_load(connection: duckdb.DuckDBPyConnection, study: str) -> alt.Chart:
    """Response time against offered load.

    Mean time from submission to finish, on a logarithmic axis. Each line is a policy, its band the 95 % interval over
    {units} independent units (batches of a log, replications of a model). Long jobs weigh more here than in the
    slowdown, so policies that favour short jobs gain less.
    """
    title = "Mean response time (log scale)"
    return _against_load(connection, study, "mean_response", partial(duration_axis, title), "Response time (s)")


def _against_load(
    connection: duckdb.DuckDBPyConnection, study: str, name: str, axis: Callable[..., alt.Axis], title: str
) -> Any:
    found = charts.study_rows(connection, study, "measure_against_load", metric=name)
    charts.on_log_axis(found, "source")
    hover = charts.tips(("policy_label", "Policy"), ("load", "Load (%)"), ("value", title, ",.3~r", "low", "high"))
    y = alt.Y(
        "value:Q", scale=alt.Scale(type="log", nice=False), axis=axis(extent(found, "drawn_low", "value", "high"))
    )
    x = alt.X("load:Q", title="Offered load (%)", scale=alt.Scale(zero=False), axis=alt.Axis(tickCount=8))
    chart = charts.lines(charts.policies_of(connection, found), x, y, hover, band=("drawn_low", "high")).properties(
        height=300
    )
    if len(charts.in_order(found, "source")) > 1:
        chart = charts.small_multiples(chart, found, "source").resolve_scale(x="independent", y="independent")
    return charts.titled(chart, found)
