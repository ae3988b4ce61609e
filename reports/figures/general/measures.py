"""Measures of policies, side by side and against the policy that the study compares with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reports.draw.charts import also
from reports.figures.forms.policies import unfinished_words, values_beside_ratios, wait_words
from reports.figures.general.needs import needs

if TYPE_CHECKING:
    import altair as alt
    import duckdb


@needs(metrics=("mean_response",), policies=2)
def mean_response(connection: duckdb.DuckDBPyConnection, study: str) -> alt.Chart:
    """Mean response time by policy.

    Mean time from submission to finish, on a logarithmic axis. Lines are 95 % intervals over {units} independent units
    (batches of a log, replications of a model). {compared} Response time means the same under every policy, however jobs
    are interrupted{first}.
    """
    chart = values_beside_ratios(connection, study, "mean_response", "Mean response time (log scale)", duration=True)
    return also(chart, first="" if unfinished_words(connection) else ", so it is the first measure to compare by")


@needs(metrics=("mean_wait",), policies=2)
def mean_wait(connection: duckdb.DuckDBPyConnection, study: str) -> alt.Chart:
    """Mean wait by policy.

    Mean wait, on a logarithmic axis. {wait} Lines are 95 % intervals over {units} independent units (batches of a log,
    replications of a model). {compared}
    """
    chart = values_beside_ratios(connection, study, "mean_wait", "Mean wait (log scale)", duration=True)
    return also(chart, wait=wait_words(connection))


@needs(metrics=("mean_bounded_slowdown_10",), policies=2)
def mean_bounded_slowdown(connection: duckdb.DuckDBPyConnection, study: str) -> alt.Chart:
    """Mean bounded slowdown by policy.

    Response time over run time; run times below 10 s count as 10 s. Lines are 95 % intervals over {units} units.
    {compared} Slowdown gives short jobs more weight, so orders that favour them gain more here than in mean response
    time.
    """
    title = "Mean bounded slowdown, bound 10 s (log scale)"
    return values_beside_ratios(connection, study, "mean_bounded_slowdown_10", title, duration=False)
