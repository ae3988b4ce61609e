"""Figures of the study of slowdown models that err: what is left of the gain of matchmaking, by how wrong they are."""

from typing import Any

import altair as alt
import duckdb

from reports.draw.charts import queries_of, span, titled
from reports.figures.forms.gain_lines import gain_lines, where_nothing_is_sure

rows_of = queries_of(__file__)

FORMULAS = {"printed": "formula as printed", "unshared_counted": "unshared time counted"}
"""Names of the formulas, by the parameter of the policy."""

KINDS = ["either way", "slower", "slower, parted above 2"]
METRICS = {
    "mean_response": "Gain in mean response time (%)",
    "mean_relative_response": "Gain in relative response time (%)",
}


def gain_against_error(connection: duckdb.DuckDBPyConnection) -> Any:
    """The gain that is left when the slowdown model errs.

    By how much L-R (matchmaking by response times) shortens the mean response time of pure space sharing (PSS), on the
    same jobs. The slowdown of a pair is the predicted one times 1 + error x, where x is drawn once for each pair: from
    −1 to 1 (either way), or from 0 to 1 (slower). “Parted above 2”: a pair that turns out to be slowed down more than
    twofold, which is worse than taking turns, is parted. Bands are 95 % intervals over {units} draws of the jobs; a
    ring stands where the lower end reaches no gain.
    """
    return _gains(connection, "mean_response", ["L-R"], KINDS)


def relative_gain_against_error(connection: duckdb.DuckDBPyConnection) -> Any:
    """The same for relative response times.

    Response time over run time, run times below 60 s counted as 60 s: short jobs count most here. Bands are 95 % intervals over
    {units} draws of the jobs.
    """
    return _gains(connection, "mean_relative_response", ["L-R"], KINDS)


def strategies_against_error(connection: duckdb.DuckDBPyConnection) -> Any:
    """Which strategy bears more.

    The horizontal axis is the largest error: by how much more than predicted a pair may be slowed down. L-R and L-U1
    choose the partner by its profit, which the error distorts; L-FM takes the first partner that fits. Bands are 95 %
    intervals over {units} draws of the jobs; a ring stands where the lower end reaches no gain.
    """
    return _gains(connection, "mean_response", ["L-R", "L-U1", "L-FM"], ["slower"])


def _gains(connection: duckdb.DuckDBPyConnection, metric: str, strategies: list[str], kinds: list[str]) -> Any:
    """Draw the gain in a metric against the error, a panel per formula and workload."""
    found = rows_of(connection, "error_gains", metric=metric, strategies=strategies, kinds=kinds)
    for row in found:
        row["panel"] = f"{row['workload_label']}: {FORMULAS[row['formula']]}"
        row["series"] = row["kind"] if len(strategies) == 1 else row["strategy"]
    units = span(found, "units")
    found += where_nothing_is_sure(found, "error", " %")
    x = alt.X("error:Q", title="Largest error of the slowdown (%)", axis=alt.Axis(tickCount=6))
    chart = gain_lines(found, x, METRICS[metric], [("error", "Largest error (%)")])
    return titled(chart.resolve_scale(y="independent"), found, units=units)
