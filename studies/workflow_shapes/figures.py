"""Figures of the study of workflows of other shapes."""

from typing import Any

import duckdb

from reports.draw.charts import NoData, Row, queries_of, titled
from reports.figures.forms.arms import arms
from reports.figures.forms.pooled import MEAN_OF_RATIOS, pooled

rows_of = queries_of(__file__)

MEASURES = {
    "mean_workflow_makespan all": "Makespan of workflows",
    "mean_workflow_response all": "Response of workflows",
    "mean_slowdown local medium": "Response of medium local jobs",
    "mean_slowdown local long": "Response of long local jobs",
    "utilisation_while_submitting all": "Utilisation",
}
COLOURS = {
    "reserved, relaxed, propagation": "#0b7bc1",
    "reserved, relaxed": "#d98c00",
    "reserved, rigid": "#8a8a8a",
    "HEFT, submitted when ready": "#009e73",
}
RELAXED = "reserved, relaxed"


def shapes_over_relaxed(connection: duckdb.DuckDBPyConnection) -> Any:
    """Propagation, rigid reservations and no reservations, by shape.

    Ratios to relaxed reservations without propagation, on the same jobs. In each shape these become workflows with the same
    work. Left of the dashed line there is less: shorter times, less utilisation. Lines are 95 % intervals over {units}
    draws; hollow marks are not significant. {estimator}
    """
    single = _single(connection, list(MEASURES))
    versus = {(row["shape"], row["panel"], row["unit"]): row["value"] for row in single if row["kind"] == RELAXED}
    ratios = [
        {**row, "value": row["value"] / versus[row["shape"], row["panel"], row["unit"]]}
        for row in single
        if row["kind"] != RELAXED and versus.get((row["shape"], row["panel"], row["unit"]))
    ]
    if not ratios:
        raise NoData("Relaxed reservations are not part of this run.")
    found = pooled(ratios)
    chart = arms(found, COLOURS, "shape", "Ratio to relaxed (log scale)", about_one=True)
    return titled(chart, found, estimator=MEAN_OF_RATIOS)


def makespans_by_shape(connection: duckdb.DuckDBPyConnection) -> Any:
    """How long workflows of each shape take.

    Means in hours on logarithmic axes. Workflows of all shapes are made of the same jobs and have their work; one of many
    levels takes longer, as its tasks come one after the other. Lines are 95 % intervals over {units} draws.
    """
    times = list(MEASURES)[:2]
    found = pooled([{**row, "value": row["value"] / 3600} for row in _single(connection, times)])
    return titled(arms(found, COLOURS, "shape", "Mean (h, log scale)", columns=2), found)


def _single(connection: duckdb.DuckDBPyConnection, measures: list[str]) -> list[Row]:
    """Return measures by shape and way, a row per draw."""
    return [
        {
            "panel": MEASURES[row["measure"]],
            "kind": row["way"],
            "shape": row["workload_label"],
            "unit": row["unit"],
            "value": row["value"],
        }
        for row in rows_of(connection, "grid_arms", measures=measures)
    ]
