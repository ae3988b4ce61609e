"""Figures of the study of reservations in a grid that the thesis argues from and does not have.

Rigid reservations, independent tasks, utilisation, what became of reservations, and the main effects under every reading.
"""

from collections.abc import Sequence
from typing import Any

import altair as alt
import duckdb

from reports.draw.charts import NoData, Row, in_order, on_log_axis, queries_of, small_multiples, span, tips, titled
from reports.draw.marks import no_difference, tint, with_intervals
from reports.draw.theme import ACCENT
from reports.figures.forms.pooled import pooled
from reports.figures.forms.series_lines import series_lines
from reports.figures.forms.strategies import printed_marks
from reports.measure.queries import pairs

rows_of = queries_of(__file__)

SHARES = {"p-7": 7, "p-13": 13, "p-18": 18, "p-22": 22, "p-26": 26}
SHARE = "Tasks among medium and long jobs (%)"
CONTRAST = ("p-13", "p-26")
ARMS = {"grid_relaxed": "without propagation", "grid_propagation": "with propagation"}
COLOURS = {"with propagation": ACCENT, "without propagation": "#d98c00"}
MEANINGS = {
    ("mean_slowdown", "local medium"): "Relative response time: local medium jobs",
    ("mean_slowdown", "local long"): "Relative response time: local long jobs",
    ("mean_slowdown", "tasks medium"): "Relative response time: medium tasks",
    ("mean_workflow_makespan", "all"): "Workflows: makespan",
    ("mean_workflow_response", "all"): "Workflows: response",
    ("utilisation_while_submitting", "all"): "Clusters: utilisation",
}
"""What is compared between kinds of reservations, in words."""

MADE_OF = {
    "job_share": "Share of the jobs (%)",
    "mean_size": "Mean size (processors)",
    "mean_runtime": "Mean run time (s)",
}
"""What Table 3 says of the local jobs, in words."""


def rigid_and_relaxed(connection: duckdb.DuckDBPyConnection) -> Any:
    """Rigid reservations against relaxed ones.

    Ratios of other reservations to relaxed ones without propagation, on the same jobs. A rigid reservation never moves
    up and is kept free until its latest finish. A reservation without slack starts at the earliest at the latest finish
    of the tasks before it. HEFT books nothing and submits tasks as their data arrive. Left of the dashed line values
    are lower: shorter responses, less utilisation. Lines are 95 % intervals over {units} draws.
    """
    policies = ["grid_rigid", "grid_zero_slack", "grid_propagation", "grid_heft"]
    found = _ratios(connection, policies, "grid_relaxed", list(MEANINGS))
    return _marks(found, "Ratio to relaxed reservations (log scale)", by="workload_label")


def what_reservations_add(connection: duckdb.DuckDBPyConnection) -> Any:
    """What is left of the effect without reservations.

    Mean relative response time of medium jobs by the share of tasks: with reservations; where the same tasks are
    submitted unbooked as their data arrive; and where they come as jobs of their own, without reservations and without
    waiting for other tasks. All lines share the effect of splitting, which turns long work into medium work. The gap
    between the first two lines is the effect of reservations. Bands are 95 % intervals over {units} draws.
    """
    words = {"grid_relaxed": "reserved", "grid_heft": "unbooked", "grid_independent": "independent tasks"}
    scopes = {"medium": "All medium jobs, tasks included", "local medium": "Local medium jobs alone"}
    asked = {"metrics": ["mean_slowdown"], "scopes": list(scopes), "workloads": ["p-0", *SHARES]}
    found = rows_of(connection, "draws", policies=[*words, "no-workflows"], **asked)
    rows = [
        {"panel": scopes[row["scope"]], "series": words[policy], "share": SHARES.get(row["workload"], 0),
         "unit": row["unit"], "value": row["value"]}
        for policy in words for row in found if row["policy"] in (policy, "no-workflows")
    ]  # fmt: skip
    rows = sorted(pooled(rows), key=lambda row: (row["series"] != "reserved", row["share"]))
    chart = series_lines(
        rows, _share(), "Mean relative response time", [("share", "Share of tasks (%)", "d")],
        {"reserved": "#d98c00", "unbooked": "#5c5c5c", "independent tasks": "#009e73"},
    )  # fmt: skip
    return titled(chart, rows)


def classes_by_share(connection: duckdb.DuckDBPyConnection) -> Any:
    """What local jobs feel of the workflows.

    Mean relative response times of local jobs by class, over those of the same draw without workflows, in which the
    jobs to be split run as local jobs. Lines without and with propagation; bands are 95 % intervals over {units} draws.
    """
    scopes = {"local short": "Short local jobs", "local medium": "Medium local jobs", "local long": "Long local jobs"}
    asked = {"metrics": ["mean_slowdown"], "scopes": list(scopes), "workloads": ["p-0", *SHARES]}
    found = rows_of(connection, "draws", policies=[*ARMS, "no-workflows"], **asked)
    none = {(row["scope"], row["unit"]): row["value"] for row in found if row["policy"] == "no-workflows"}
    rows = [
        {"panel": scopes[row["scope"]], "series": ARMS[row["policy"]], "share": SHARES[row["workload"]],
         "unit": row["unit"], "value": row["value"] / none[row["scope"], row["unit"]]}
        for row in found if row["policy"] in ARMS and none.get((row["scope"], row["unit"]))
    ]  # fmt: skip
    if not rows:
        raise NoData("The workload without workflows is not part of this run.")
    rows = pooled(rows)
    chart = series_lines(
        rows, _share(), "Over no workflows (ratio)", [("share", "Share of tasks (%)", "d")], COLOURS, columns=3
    )
    return titled(chart, rows)


def utilisation(connection: duckdb.DuckDBPyConnection) -> Any:
    """Utilisation that workflows cost.

    Loss of utilisation of all clusters together, in percentage points, against the same draw without workflows. Left,
    over the whole run: all work is done in the end, so the loss says how much later the last job ends. Right, until the
    last submission, so the final drain of the queues does not count. Bands are 95 % intervals over {units} draws.
    """
    words = {"utilisation": "Until the last finish", "utilisation_while_submitting": "Until the last submission"}
    found = _lost(connection, list(words), all_clusters=True)
    rows = [{**row, "panel": words[row["metric"]], "series": ARMS[row["policy"]]} for row in found]
    return _losses(rows, COLOURS)


def utilisation_of_clusters(connection: duckdb.DuckDBPyConnection) -> Any:
    """Utilisation that each cluster loses.

    Loss of utilisation until the last submission, in percentage points, against the same draw without workflows. Jobs
    that are split leave the cluster they were submitted to, and their tasks run where the earliest finish was
    predicted: a cluster may lose because work goes elsewhere. Equal predictions go to the first cluster. Bands are 95 %
    intervals over {units} draws.
    """
    found = _lost(connection, ["utilisation_while_submitting"], all_clusters=False)
    rows = [
        {**row, "panel": ARMS[row["policy"]].capitalize(), "series": f"cluster {row['cluster_name']}"} for row in found
    ]
    return _losses(rows, None)


def slides(connection: duckdb.DuckDBPyConnection) -> Any:
    """When tasks start: before their slot, as booked, or later.

    The share of tasks that start before, at or after the start of their booked slot, under each kind of reservation;
    {slid}. Predictions assume that a class gets the least it can get of every interval, so slots lie late. The clock of
    a class mostly runs ahead of the prediction. A rigid slot then waits for its start time, and its processors idle.
    """
    policies = ["grid_rigid", "grid_zero_slack", "grid_relaxed", "grid_propagation"]
    found = rows_of(connection, "grid_starts", workloads=list(CONTRAST), policies=policies)
    known = {"before its slot": ACCENT, "as booked": "#8a8a8a", "later": "#d98c00"}
    hover = tips(("policy_label", "Reservations"), ("started", "Tasks that start"), ("value", "Share (%)", ".1f"),
                 ("hours", "mean distance (h)", ".2f"), ("tasks", "Tasks", ","))  # fmt: skip
    chart = alt.Chart(height=alt.Step(24)).mark_bar().encode(
        y=alt.Y("policy_label:N", sort=in_order(found, "policy_label"), title=None),
        x=alt.X("value:Q", title="Share of the tasks (%)", scale=alt.Scale(domain=[0, 100]), axis=alt.Axis(tickCount=5)),
        color=tint("started", known, sort=list(known)),
        order=alt.Order("place:Q"), tooltip=hover,
    )  # fmt: skip
    for row in found:
        row["place"] = list(known).index(row["started"])
    chart = small_multiples(chart, found, "workload_label", columns=2)
    last = [row for row in found if row["started"] == "before its slot"]
    told = [
        f"tasks that start before it are {row['hours']:.3g} h early on average "
        f"({row['policy_label']}, {row['workload_label']})"
        for row in last[-1:]
    ]
    return titled(chart, found, slid="; ".join(told) or "none slid up")


def main_effects_by_reading(connection: duckdb.DuckDBPyConnection) -> Any:
    """The main effects under every reading.

    Medium jobs at 26 % tasks over those without tasks; local medium jobs over those beside the same tasks submitted unbooked; the
    makespan with propagation over that without. The split and the frame of the first reading were chosen after they had been
    seen to give the printed shapes, and its reservations after makespans had been seen. Lines are 95 % intervals over {units}
    draws; hollow marks are not significant.
    """
    found = pooled(rows_of(connection, "grid_readings"))
    if len(in_order(found, "reading_label")) < 2:
        raise NoData("No other reading takes part at this scale.")
    found = sorted(found, key=lambda row: row["position"])
    for row in found:
        row["name"] = row["reading_label"]
    panels = ["Medium jobs at 26 %: over no tasks", "Local medium jobs at 26 %: over unbooked tasks",
              "Makespan at 26 %: with over without propagation"]  # fmt: skip
    found.sort(key=lambda row: panels.index(row["panel"]))
    return _marks(found, "Ratio (log scale)")


def local_jobs(connection: duckdb.DuckDBPyConnection) -> Any:
    """What the local jobs are made of (thesis, Table 3).

    Mean by class of run time, where no job is split; lines are 95 % intervals over {units} draws, diamonds the four
    seeds that the thesis prints.
    """
    both = rows_of(connection, "grid_local_jobs")
    measured = [row for row in both if row["value"] is not None]
    if not measured:
        raise NoData("The workload without workflows is not part of this run.")
    found = pooled([{name: row[name] for name in ("class", "metric", "unit", "value")} for row in measured])
    rows: list[Row] = [{**row, "panel": MADE_OF[row["metric"]], "name": f"{row['class']} jobs"} for row in found]
    rows += [
        {
            "panel": MADE_OF[row["metric"]],
            "name": f"{row['class']} jobs",
            "printed": row["printed"],
            "place": row["place"],
        }
        for row in both
        if row["printed"] is not None
    ]
    y = alt.Y("name:N", sort=in_order(rows, "name"), title=None)
    axis = alt.Axis(title=None, tickCount=4, format=",~r")
    hover = tips(("name", "Jobs"), ("value", "Mean", ",.3~r", "low", "high"))
    base = alt.Chart().transform_filter("isValid(datum.value)").encode(y=y, tooltip=hover)
    rule = base.mark_rule(strokeWidth=2.5, color=ACCENT).encode(x=alt.X("low:Q", axis=axis), x2="high:Q")
    dots = base.mark_point(size=55, filled=True, color=ACCENT).encode(x=alt.X("value:Q", axis=axis))
    chart = alt.layer(rule, dots, printed_marks(alt.X("printed:Q", axis=axis), y)).properties(height=alt.Step(26))
    chart = small_multiples(chart, rows, "panel", columns=3)
    return titled(chart.resolve_scale(x="independent"), rows, units=span(found, "units"))


def _share() -> alt.X:
    """Return the axis of shares of tasks."""
    return alt.X(
        "share:Q", title=SHARE, axis=alt.Axis(values=[0, *SHARES.values()]), scale=alt.Scale(domain=[0, 27], nice=False)
    )


def _ratios(
    connection: duckdb.DuckDBPyConnection, policies: Sequence[str], versus: str, meant: Sequence[tuple[str, str]]
) -> list[Row]:
    """Return ratios of policies to another on the workloads of the contrast, pooled over draws."""
    metrics, scopes = (list(dict.fromkeys(part)) for part in zip(*meant, strict=True))
    against = [[policy, versus] for policy in policies]
    asked = {"workloads": pairs(CONTRAST), "metrics": pairs(metrics), "scopes": pairs(scopes)}
    found = rows_of(connection, "draws_against", against=against, **asked)
    rows = pooled([
        {"workload": row["workload"], "workload_label": row["workload_label"], "policy": row["policy"],
         "policy_label": row["policy_label"], "metric": row["metric"], "scope": row["scope"], "unit": row["unit"],
         "value": row["value"] / row["versus"]}
        for row in found if (row["metric"], row["scope"]) in MEANINGS
    ])  # fmt: skip
    order = list(MEANINGS)
    rows.sort(key=lambda row: order.index((row["metric"], row["scope"])))
    return [{**row, "panel": MEANINGS[row["metric"], row["scope"]], "name": row["policy_label"]} for row in rows]


def _marks(found: list[Row], title: str, by: str | None = None) -> Any:
    """Draw ``value`` with ``low`` to ``high`` about one, a row per ``name``, a panel per ``panel``; hollow where one is held."""
    on_log_axis(found, "panel")
    scale, axis = alt.Scale(type="log", nice=False, padding=10), alt.Axis(title=title, tickCount=4, format="~g")
    hover = tips(*([(by, "Workload")] if by else []), ("name", "Row"), ("value", "Ratio", ".3~r", "low", "high"),
                 ("units", "Draws", "d"))  # fmt: skip
    y = alt.Y("name:N", sort=in_order(found, "name"), title=None, axis=alt.Axis(labelLimit=260))
    base = alt.Chart().encode(y=y, tooltip=hover)
    if by:
        names = in_order(found, by)
        known = dict(zip(names, ["#56b4e9", ACCENT] if len(names) > 1 else [ACCENT], strict=True))
        base = base.encode(color=tint(by, known), yOffset=alt.YOffset(f"{by}:N", sort=names))
    else:
        base = base.encode(color=alt.value(ACCENT))
    x, sure = alt.X("value:Q", scale=scale, axis=axis), "datum.low > 1 || datum.high < 1"
    marks = with_intervals(base, x, 55, low="drawn_low", sure=sure)
    chart = alt.layer(no_difference(1), *marks).properties(height=alt.Step(14 if by else 20))
    panels = small_multiples(chart, found, "panel", columns=3)
    return titled(panels.resolve_scale(x="independent"), found)


def _lost(connection: duckdb.DuckDBPyConnection, metrics: list[str], *, all_clusters: bool) -> list[Row]:
    """Return the points of utilisation lost, of all clusters together or of each, pooled over draws."""
    scopes = ["all"] if all_clusters else [f"cluster {number}" for number in range(4)]
    asked = {"against": [[arm, "no-workflows"] for arm in ARMS], "workloads": [[name, "p-0"] for name in SHARES]}
    found = rows_of(connection, "grid_lost", **asked, metrics=pairs(metrics), scopes=pairs(scopes))
    return [{**row, "share": SHARES[row["workload"]]} for row in pooled(found)]


def _losses(rows: list[Row], colours: dict[str, str] | None) -> Any:
    """Draw losses of utilisation by share of tasks."""
    chart = series_lines(rows, _share(), "Utilisation lost (points)", [("share", "Share of tasks (%)", "d")], colours)
    return titled(chart, rows)
