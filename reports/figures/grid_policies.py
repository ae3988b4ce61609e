"""Figures of the study of what clusters do and what the grid does."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from reports.draw.charts import NoData, Row, study_rows, titled
from reports.figures.forms.arms import arms
from reports.figures.forms.policies import span
from reports.figures.forms.pooled import pooled

if TYPE_CHECKING:
    import duckdb

STUDY = "grid_policies"
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
EQUAL, UNEQUAL = "clusters-equal", "clusters-unequal"


def ways_by_local_policy(connection: duckdb.DuckDBPyConnection) -> Any:
    """What comes of it, by what clusters and grid do.

    Means on equal clusters, from top to bottom by how tasks come to clusters, coloured by what the clusters do; logarithmic axes.
    Response over run time of a local job is at least 1. Lines are 95 % intervals over {units} draws, on which all have the same
    jobs: differences are surer than the intervals look.
    """
    found = _means(connection, EQUAL, MEASURES)
    return titled(arms(found, COLOURS, "way", "Mean (log scale)"), found, units=span(found, "units"))


def against_submission(connection: duckdb.DuckDBPyConnection) -> Any:
    """Reservations against none.

    What comes of each way over what comes of HEFT under the same policy of the clusters, where a task is submitted when its data
    are there; equal clusters, the same jobs. Left of the dashed line there is less than with HEFT: shorter times, or less
    utilisation. Lines are 95 % intervals over {units} draws; hollow marks cannot be told from no difference.
    """
    single = _single(connection, EQUAL, MEASURES)
    versus = {(row["kind"], row["panel"], row["unit"]): row["value"] for row in single if row["way"].startswith("HEFT")}
    ratios = [
        {**row, "value": row["value"] / versus[row["kind"], row["panel"], row["unit"]], "panel": _plain(row["panel"])}
        for row in single
        if not row["way"].startswith("HEFT") and versus.get((row["kind"], row["panel"], row["unit"]))
    ]
    if not ratios:
        raise NoData("HEFT without reservations is not part of this run.")
    found = pooled(ratios)
    return titled(
        arms(found, COLOURS, "way", "Over HEFT (ratio, log scale)", about_one=True), found, units=span(found, "units")
    )


def unequal_clusters(connection: duckdb.DuckDBPyConnection) -> Any:
    """Unequal clusters against equal ones.

    Four clusters of equal power: one of 256 processors at half the speed, two as before, one of 64 at twice the speed; each
    draws local jobs for its size. Over the means on four equal clusters, which have other jobs. Lines are 95 %
    intervals over {units} draws.
    """
    equal = {
        (row["kind"], row["way"], row["panel"], row["unit"]): row["value"]
        for row in _single(connection, EQUAL, MEASURES)
    }
    ratios = [
        {**row, "value": row["value"] / there, "panel": _plain(row["panel"])}
        for row in _single(connection, UNEQUAL, MEASURES)
        if (there := equal.get((row["kind"], row["way"], row["panel"], row["unit"])))
    ]
    if not ratios:
        raise NoData("Unequal clusters are not part of this run.")
    found = pooled([{name: value for name, value in row.items() if name != "workload_label"} for row in ratios])
    return titled(
        arms(found, COLOURS, "way", "Over equal clusters (ratio, log scale)", about_one=True),
        found,
        units=span(found, "units"),
    )


def _single(connection: duckdb.DuckDBPyConnection, workload: str, measures: Mapping[str, str]) -> list[Row]:
    """Return measures of the policies on a workload, a row per draw."""
    found = study_rows(connection, STUDY, "grid_arms", measures=list(measures))
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


def _plain(panel: str) -> str:
    """Return a panel's title without the unit, which a ratio has not."""
    return panel.split(" (")[0]
