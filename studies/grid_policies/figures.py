"""Figures of the study of what clusters do and what the grid does."""

from collections.abc import Mapping
from typing import Any

import duckdb

from reports.draw.charts import NoData, Row, queries_of, titled
from reports.figures.forms.arms import arms
from reports.figures.forms.pooled import MEAN_OF_RATIOS, pooled

rows_of = queries_of(__file__)

LOCALS = {"pect": "SCOJO-PECT", "easy": "EASY", "conservative": "conservative backfilling"}
COLOURS = {"SCOJO-PECT": "#0b7bc1", "EASY": "#d98c00", "conservative backfilling": "#009e73"}
WORKFLOWS = {
    "mean_workflow_makespan all": "Makespan of workflows (h)",
    "mean_workflow_response all": "Response of workflows (h)",
}
LOCAL_JOBS = {
    "mean_slowdown local short": "Short local jobs: response over run time",
    "mean_slowdown local medium": "Medium local jobs: response over run time",
    "mean_slowdown local long": "Long local jobs: response over run time",
}
USE = {"utilisation_while_submitting all": "Utilisation while jobs come (%)"}
MEASURES = {**WORKFLOWS, **LOCAL_JOBS, **USE}
SCALES = {**dict.fromkeys(WORKFLOWS, 1 / 3600), **dict.fromkeys(USE, 100.0)}
EQUAL, ESTIMATES, UNEQUAL = "clusters-equal", "clusters-estimates", "clusters-unequal"
HEFT = "HEFT, submitted when ready"


def ways_by_local_policy(connection: duckdb.DuckDBPyConnection) -> Any:
    """Results on equal clusters, by the policies of grid and clusters.

    Means. Rows: how the grid hands tasks to clusters. Colours: the policy of the clusters. Axes are logarithmic.
    Response over run time of a local job is at least 1. Lines are 95 % intervals over {units} draws, on which all have
    the same jobs, so differences are more certain than the intervals suggest.
    """
    found = _means(connection, EQUAL, MEASURES)
    return titled(arms(found, COLOURS, "way", "Mean (log scale)"), found)


def against_submission(connection: duckdb.DuckDBPyConnection) -> Any:
    """Reservations against HEFT without reservations.

    Ratios of each way to HEFT under the same policy of the clusters, on equal clusters with the same jobs. HEFT submits a task
    when its data are there. Left of the dashed line there is less than with HEFT: shorter times, or less utilisation. Lines are
    95 % intervals over {units} draws; hollow marks are not significant. {estimator}
    """
    return _over_heft(connection, EQUAL)


def with_estimates(connection: duckdb.DuckDBPyConnection) -> Any:
    """The same where run times are estimated by users.

    Jobs end before they are expected to, which opens holes: with run times that are known exactly, reservations under backfilling
    stay where they were made, whether they are relaxed or not. EASY and conservative backfilling give a rigid reservation away
    once its task is held back past its start; SCOJO-PECT keeps it free. Ratios are to HEFT under the same policy of the
    clusters; lines are 95 % intervals over {units} draws. {estimator}
    """
    return _over_heft(connection, ESTIMATES)


def unequal_clusters(connection: duckdb.DuckDBPyConnection) -> Any:
    """The same on unequal clusters.

    A large cluster a little faster than before, one as before, and two small slower ones. Ratios are to HEFT under the same
    policy of the clusters; lines are 95 % intervals over {units} draws. {estimator}
    """
    return _over_heft(connection, UNEQUAL)


def _over_heft(connection: duckdb.DuckDBPyConnection, workload: str) -> Any:
    """Draw measures of each way over those of HEFT without reservations, under the same policy of the clusters."""
    single = _single(connection, workload, MEASURES)
    versus = {(row["kind"], row["panel"], row["unit"]): row["value"] for row in single if row["way"] == HEFT}
    ratios = [
        {
            **row,
            "value": row["value"] / versus[row["kind"], row["panel"], row["unit"]],
            "panel": row["panel"].split(" (")[0],
        }
        for row in single
        if row["way"] != HEFT and versus.get((row["kind"], row["panel"], row["unit"]))
    ]
    if not ratios:
        raise NoData("HEFT without reservations, or what is held against it, is not part of this run.")
    found = pooled(ratios)
    chart = arms(found, COLOURS, "way", "Ratio to HEFT (log scale)", about_one=True)
    return titled(chart, found, estimator=MEAN_OF_RATIOS)


def _single(connection: duckdb.DuckDBPyConnection, workload: str, measures: Mapping[str, str]) -> list[Row]:
    """Return measures of the policies on a workload, a row per draw."""
    found = rows_of(connection, "grid_arms", measures=list(measures))
    return [
        {
            "panel": measures[row["measure"]],
            "kind": LOCALS[row["local"]],
            "way": row["way"],
            "unit": row["unit"],
            "value": row["value"] * SCALES.get(row["measure"], 1),
        }
        for row in found
        if row["workload"] == workload
    ]


def _means(connection: duckdb.DuckDBPyConnection, workload: str, measures: Mapping[str, str]) -> list[Row]:
    """Return measures pooled over draws."""
    return pooled(_single(connection, workload, measures))
