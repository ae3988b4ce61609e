"""Figures of the study of reservations in a grid: those of section 5.2 of Cao's thesis, whose values are lost."""

from collections.abc import Sequence
from typing import Any

import altair as alt
import duckdb

from reports.draw.charts import NoData, Row, queries_of, small_multiples, tips, titled
from reports.draw.marks import tint
from reports.draw.theme import ACCENT
from reports.figures.forms.pooled import pooled
from reports.figures.forms.series_lines import series_lines

rows_of = queries_of(__file__)

SHARES = {"p-0": 0, "p-7": 7, "p-13": 13, "p-18": 18, "p-22": 22, "p-26": 26}
"""Workloads by their shares of tasks, in per cent."""

SHARE = "Tasks among medium and long jobs (%)"
RESPONSE = "Mean relative response time"
PORTION = "Slack ahead of a task, of its run time (%)"
CLASSES = {"medium": ACCENT, "long": "#d98c00", "short": "#8a8a8a"}
ARMS = {"with propagation": ACCENT, "without propagation": "#d98c00"}
"""Colours of classes of jobs, and of schedules with and without propagation."""

LEVEL = (
    "With propagation the lines are level: a task that is held back is not planned before its data are expected, and once its "
    "predecessors are done its earliest start is the arrival of its data, whatever its slack."
)
"""Why slack does nothing under propagation, said where it does nothing."""

PROPAGATION = {"grid_propagation": "with propagation", "grid_relaxed": "without propagation"}
SEEDS = ("71", "13", "3", "31")


def jobs_by_share(connection: duckdb.DuckDBPyConnection) -> Any:
    """Relative response times by the share of tasks (thesis, figure 22).

    Response over run time, mean over jobs, without propagation; left over all jobs, as in the thesis, right over local
    jobs alone. More tasks also change the jobs: one long job may become five medium tasks. Bands are 95 % intervals
    over {units} draws.
    """
    scopes = {"medium": "All jobs, tasks included", "long": "All jobs, tasks included",
              "local medium": "Local jobs alone", "local long": "Local jobs alone"}  # fmt: skip
    return _by_share(connection, scopes)


def tasks_by_share(connection: duckdb.DuckDBPyConnection) -> Any:
    """Relative response times of tasks by their share (thesis, figure 23).

    Without propagation. Left, the response of a task counts from the submission of its workflow, and so includes the
    tasks before it; right, it counts from the arrival of its data. Bands are 95 % intervals over {units} draws.
    """
    found = _means(
        connection, ["grid_relaxed"], ["tasks medium", "tasks long"], ["mean_slowdown", "mean_slowdown_from_ready"]
    )
    words = {
        "mean_slowdown": "From the workflow's submission",
        "mean_slowdown_from_ready": "From the arrival of the data",
    }
    for row in found:
        row |= {"panel": words[row["metric"]], "series": f"{row['scope'].removeprefix('tasks ')} tasks"}
    colours = {f"{name} tasks": colour for name, colour in CLASSES.items()}
    return _lines(found, RESPONSE, colours)


def makespan_by_share(connection: duckdb.DuckDBPyConnection) -> Any:
    """Makespans of workflows by the share of tasks (thesis, figure 24).

    From the first start to the last finish of a workflow's tasks, mean over workflows; right, its response, from
    submission on. Propagation lets a task start as soon as its predecessors are done and their data are there. Bands
    are 95 % intervals over {units} draws, which have the same jobs with and without it: the paired difference is more
    certain than the bands suggest.
    """
    words = {"mean_workflow_makespan": "Makespan", "mean_workflow_response": "Response"}
    found = _means(connection, list(PROPAGATION), ["all"], list(words))
    for row in found:
        row |= {"panel": words[row["metric"]], "series": PROPAGATION[row["policy"]], "value": row["value"] / 3600}
    return _lines(found, "Mean over workflows (h)", ARMS)


def jobs_by_seed(connection: duckdb.DuckDBPyConnection) -> Any:
    """Relative response times with and without propagation (thesis, figure 25).

    All medium and long jobs at 26 % tasks, one draw each of four workloads named after the thesis' seeds. The thesis'
    generator is lost, so only the loads are the same. A single draw has no interval; claims judge it in twenty batches.
    """
    return _by_seed(connection, "mean_slowdown", {"medium": "Medium jobs", "long": "Long jobs"}, RESPONSE)


def tasks_by_seed(connection: duckdb.DuckDBPyConnection) -> Any:
    """Relative response times of tasks with and without propagation (thesis, figure 26).

    Medium and long tasks at 26 %, from the submission of their workflow; one draw each of four workloads.
    """
    return _by_seed(connection, "mean_slowdown", {"tasks medium": "Medium tasks", "tasks long": "Long tasks"}, RESPONSE)


def makespan_by_seed(connection: duckdb.DuckDBPyConnection) -> Any:
    """Makespans with and without propagation (thesis, figure 27).

    Mean over the workflows of a draw, at 26 % tasks; one draw each of four workloads.
    """
    return _by_seed(connection, "mean_workflow_makespan", {"all": "Workflows"}, "Mean makespan (h)", 3600)


def jobs_by_slack(connection: duckdb.DuckDBPyConnection) -> Any:
    """Relative response times by slack (thesis, figure 28).

    All medium and long jobs at 26 % tasks, where the move-ahead factor is 0. The thesis shows the lines with propagation. {level}
    Bands are 95 % intervals over {units} draws, on which all portions have the same jobs.
    """
    return _by_slack(connection, {"medium": "Medium jobs", "long": "Long jobs"})


def tasks_by_slack(connection: duckdb.DuckDBPyConnection) -> Any:
    """Relative response times of tasks by slack (thesis, figure 29).

    Medium and long tasks at 26 %, from the submission of their workflow, where the move-ahead factor is 0. {level} Bands are 95 %
    intervals over {units} draws.
    """
    return _by_slack(connection, {"tasks medium": "Medium tasks", "tasks long": "Long tasks"})


def _means(
    connection: duckdb.DuckDBPyConnection, policies: Sequence[str], scopes: Sequence[str], metrics: Sequence[str]
) -> list[Row]:
    """Return means by share of tasks, a row per draw; without tasks all policies have the one schedule."""
    asked = {"scopes": list(scopes), "metrics": list(metrics), "workloads": list(SHARES)}
    found = rows_of(connection, "draws", policies=[*policies, "no-workflows"], **asked)
    none = [row for row in found if row["policy"] == "no-workflows"]
    every = [{**row, "policy": policy} for policy in policies for row in none]
    every += [row for row in found if row["policy"] != "no-workflows"]
    return [{**row, "share": SHARES[row["workload"]]} for row in every]


def _by_share(connection: duckdb.DuckDBPyConnection, scopes: dict[str, str]) -> Any:
    """Draw relative response times of classes by share, a panel per group of jobs."""
    found = _means(connection, ["grid_relaxed"], list(scopes), ["mean_slowdown"])
    for row in found:
        row |= {"panel": scopes[row["scope"]], "series": f"{row['scope'].split()[-1]} jobs"}
    return _lines(found, RESPONSE, {f"{name} jobs": colour for name, colour in CLASSES.items()})


def _lines(found: list[Row], title: str, colours: dict[str, str]) -> Any:
    """Draw lines by share of tasks."""
    kept = ("panel", "series", "share", "unit", "value")
    rows = pooled([{name: row[name] for name in kept} for row in found])
    rows.sort(key=lambda row: row["share"])
    rows.sort(key=lambda row: [*colours].index(row["series"]))
    x = alt.X(
        "share:Q", title=SHARE, axis=alt.Axis(values=list(SHARES.values())), scale=alt.Scale(domain=[0, 27], nice=False)
    )
    chart = series_lines(rows, x, title, [("share", "Share of tasks (%)", "d")], colours)
    return titled(chart, rows)


def _by_seed(
    connection: duckdb.DuckDBPyConnection, metric: str, scopes: dict[str, str], title: str, divisor: float = 1
) -> Any:
    """Draw one draw of each of four workloads with and without propagation, a panel per kind of jobs."""
    asked = {"scopes": list(scopes), "metrics": [metric], "workloads": ["four-seeds"], "policies": list(PROPAGATION)}
    found = [
        {
            "panel": scopes[row["scope"]], "arm": PROPAGATION[row["policy"]], "seed": f"seed {SEEDS[row['unit']]}",
            "value": row["value"] / divisor,
        }
        for row in rows_of(connection, "draws", **asked)
        if row["unit"] < len(SEEDS)
    ]  # fmt: skip
    if not found:
        raise NoData("No draw of the four seeds is part of this run.")
    hover = tips(("seed", "Draw"), ("arm", "Schedule"), ("value", title, ",.3~r"))
    chart = alt.Chart(height=190).mark_bar().encode(
        x=alt.X("seed:N", sort=[f"seed {seed}" for seed in ("71", "3", "31", "13")], title=None, axis=alt.Axis(labelAngle=0)),
        xOffset=alt.XOffset("arm:N", sort=list(ARMS)),
        y=alt.Y("value:Q", title=title, axis=alt.Axis(tickCount=6)),
        color=tint("arm", ARMS, sort=list(ARMS)),
        tooltip=hover,
    )  # fmt: skip
    chart = small_multiples(chart, found, "panel", columns=2)
    return titled(chart.resolve_scale(y="independent"), found)


def _by_slack(connection: duckdb.DuckDBPyConnection, scopes: dict[str, str]) -> Any:
    """Draw relative response times by slack, with and without propagation, a panel per kind of jobs."""
    policies = [f"{arm}-{slack:03}" for arm in ("with", "without") for slack in range(0, 400, 50)]
    asked = {"workloads": ["four-seeds"], "policies": policies, "metrics": ["mean_slowdown"], "scopes": list(scopes)}
    found = pooled([
        {"arm": row["policy"].split("-")[0] + " propagation", "portion": float(row["policy"].split("-")[1]),
         "scope": row["scope"], "unit": row["unit"], "value": row["value"]}
        for row in rows_of(connection, "draws", **asked)
    ])  # fmt: skip
    for row in found:
        row |= {"panel": scopes[row["scope"]], "series": row["arm"]}
    x = alt.X("portion:Q", title=PORTION, axis=alt.Axis(tickCount=8))
    chart = series_lines(found, x, RESPONSE, [("portion", "Slack (%)", "d")], ARMS)
    followed = {(row["panel"], row["value"]) for row in found if row["series"] == "with propagation"}
    level = LEVEL if 0 < len(followed) <= len(scopes) else ""
    return titled(chart, found, level=level)
