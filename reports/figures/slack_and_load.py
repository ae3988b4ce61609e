"""Figures of the study of how much slack is right."""

from __future__ import annotations

from math import exp, log
from typing import TYPE_CHECKING, Any

import altair as alt

from reports.draw.charts import NoData, Row, in_order, small_multiples, study_rows, tips, titled
from reports.draw.theme import NEUTRAL
from reports.figures.forms.policies import span
from reports.figures.forms.pooled import pooled

if TYPE_CHECKING:
    import duckdb

STUDY = "slack_and_load"
MEASURES = {
    "mean_workflow_makespan all": "Makespan of workflows",
    "mean_workflow_response all": "Response of workflows",
    "mean_slowdown local medium": "Response of medium local jobs",
    "mean_slowdown local long": "Response of long local jobs",
    "utilisation_while_submitting all": "Utilisation",
}
"""What slack may change, in words."""

WEIGHED = {"mean_workflow_makespan all": 1.0, "mean_slowdown local medium": 0.5, "mean_slowdown local long": 0.5}
"""What a slack is judged by: the makespan of workflows as much as the local jobs, both classes alike."""

KINDS = {
    "relaxed": "Relaxed, no propagation",
    "propagation": "Relaxed, propagation",
    "spare time": "Spare time, propagation",
}
VERDICTS = {"better": "#009e73", "worse": "#d98c00", "not told apart": "#c9ced6"}
"""Colours of what a slack does against none: surely better, surely worse, or neither for sure."""

SLACK = "Slack ahead of a task, of its run time (%)"


def slack_map(connection: duckdb.DuckDBPyConnection) -> Any:
    """What slack brings, over none.

    Change in per cent against no slack, on the same draws: upwards more tasks, to the right more slack. Coloured where the 95 %
    interval over {units} draws leaves out no change: green for the better (shorter; for utilisation higher), orange for the
    worse. "Relaxed" reservations may start in their frame, with propagation as soon as the data are there; under "spare time"
    slack is waited for.
    """
    found = _effects(connection, list(MEASURES))
    for row in found:
        good = row["metric"].startswith("utilisation")
        row["change"] = 100 * (row["value"] - 1)
        row["text"] = f"{row['change']:+.1f}"
        row["verdict"] = _verdict(row["low"], row["high"], higher_is_better=good)
        row["panel"] = f"{KINDS[row['kind']]}: {MEASURES[row['metric'] + ' ' + row['scope']].lower()}"
    order = [f"{KINDS[kind]}: {words.lower()}" for words in MEASURES.values() for kind in KINDS]
    return _map(found, [name for name in order if name in in_order(found, "panel")], "Change (%)")


def recommended_slack(connection: duckdb.DuckDBPyConnection) -> Any:
    """How much slack is to be recommended.

    Makespan of workflows and relative response of local jobs together, over those without slack: the mean of the change of the
    makespan and of that of medium and long local jobs, as ratios. Green: surely better than no slack (95 % interval over {units}
    draws); orange: surely worse; grey: no slack is as good, as far as {units} draws tell.
    """
    found = _effects(connection, list(WEIGHED), together=True)
    for row in found:
        row["change"] = 100 * (row["value"] - 1)
        row["text"] = f"{row['change']:+.1f}"
        row["verdict"] = _verdict(row["low"], row["high"], higher_is_better=False)
        row["panel"] = KINDS[row["kind"]]
    return _map(found, [words for words in KINDS.values() if words in in_order(found, "panel")], "Change (%)")


def best_slack(connection: duckdb.DuckDBPyConnection) -> Any:
    """Which slack is best, draw by draw.

    The slack with the least mean of makespans and of local responses (as above), of those that were tried, in each draw: small
    marks; large ones are their means with 95 % intervals over {units} draws. Marks that lie all over the axis mean that slack
    decides little.
    """
    single = _together(_raw(connection, list(WEIGHED)))
    best: dict[tuple[Any, ...], Row] = {}
    for row in sorted(single, key=lambda row: row["slack"]):
        key = (row["kind"], row["share"], row["unit"])
        if key not in best or row["value"] < best[key]["value"] - 1e-9:
            best[key] = row
    points = [
        {"panel": KINDS[row["kind"]], "share": row["share"], "unit": row["unit"], "value": row["slack"]}
        for row in best.values()
    ]
    points.sort(key=lambda row: (list(KINDS.values()).index(row["panel"]), row["share"]))
    means = [{**row, "mean": row["value"], "value": None} for row in pooled(points)]
    found = [*means, *points]
    y = alt.Y("share:O", title="Tasks (%)", sort="descending")
    x = {"title": SLACK, "scale": alt.Scale(domain=[0, 350])}
    hover = tips(
        ("share", "Tasks (%)"),
        ("mean", "Mean of the best (%)", ".3~r"),
        ("low", "from", ".3~r"),
        ("high", "to", ".3~r"),
    )
    large = alt.Chart().transform_filter("isValid(datum.mean)").encode(y=y, tooltip=hover)
    rule = large.mark_rule(strokeWidth=3, color="#0b7bc1", clip=True).encode(x=alt.X("low:Q", **x), x2="high:Q")
    dots = large.mark_point(size=90, filled=True, color="#0b7bc1").encode(x=alt.X("mean:Q", **x))
    small = alt.Chart().transform_filter("isValid(datum.value)").mark_tick(thickness=2, size=12, color=NEUTRAL)
    small = small.encode(x=alt.X("value:Q", **x), y=y)
    chart = alt.layer(small, rule, dots).properties(height=alt.Step(32))
    chart = small_multiples(chart, "panel", in_order(found, "panel"), columns=3)
    return titled(chart, found, units=span(means, "units"))


def _raw(connection: duckdb.DuckDBPyConnection, measures: list[str]) -> list[Row]:
    """Return what each slack changes against none, a row per draw."""
    found = study_rows(connection, STUDY, "slack_effects", measures=measures)
    if not any(row["slack"] > 0 for row in found):
        raise NoData("No slack is part of this run.")
    return found


def _effects(connection: duckdb.DuckDBPyConnection, measures: list[str], *, together: bool = False) -> list[Row]:
    """Return the changes pooled over draws, those of some slack alone."""
    found = _raw(connection, measures)
    return pooled([row for row in (_together(found) if together else found) if row["slack"] > 0])


def _together(found: list[Row]) -> list[Row]:
    """Return the weighed mean of the changes of each draw, as a ratio."""
    weights = sum(WEIGHED.values())
    sums: dict[tuple[Any, ...], float] = {}
    for row in found:
        key = (row["kind"], row["slack"], row["share"], row["workload_label"], row["unit"])
        sums[key] = sums.get(key, 0.0) + WEIGHED[f"{row['metric']} {row['scope']}"] * log(row["value"]) / weights
    names = ("kind", "slack", "share", "workload_label", "unit")
    return [{**dict(zip(names, key, strict=True)), "value": exp(total)} for key, total in sums.items()]


def _verdict(low: float, high: float, *, higher_is_better: bool) -> str:
    """Say whether an interval of ratios lies on the better or the worse side of one."""
    if low <= 1 <= high:
        return "not told apart"
    return "better" if (low > 1) == higher_is_better else "worse"


def _map(found: list[Row], panels: list[str], title: str) -> Any:
    """Draw changes as cells: slack across, the share of tasks upwards."""
    scale = alt.Scale(domain=list(VERDICTS), range=list(VERDICTS.values()))
    hover = tips(
        ("workload_label", "Workload"), ("slack", "Slack (%)", "d"), ("change", title, "+.2f"), ("verdict", "Against none"),
        ("low", "ratio from", ".4~r"), ("high", "to", ".4~r"), ("units", "Draws", "d"),
    )  # fmt: skip
    x = alt.X("slack:O", title=SLACK, axis=alt.Axis(labelAngle=0))
    base = alt.Chart().encode(x=x, y=alt.Y("share:O", title="Tasks (%)", sort="descending"), tooltip=hover)
    cells = base.mark_rect(stroke="white", strokeWidth=1.5).encode(
        color=alt.Color("verdict:N", title="Against no slack", scale=scale, sort=list(VERDICTS))
    )
    words = base.mark_text(fontSize=11, color="#1d2430").encode(text="text:N")
    chart = alt.layer(cells, words).properties(width=alt.Step(46), height=alt.Step(24))
    for row in found:
        row["order"] = panels.index(row["panel"])
    found.sort(key=lambda row: row["order"])
    return titled(small_multiples(chart, "panel", panels, columns=3), found, units=span(found, "units"))
