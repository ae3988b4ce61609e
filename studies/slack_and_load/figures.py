"""Figures of the study of how much slack is right."""

from math import exp, log
from typing import Any

import altair as alt
import duckdb

from reports.draw.charts import NoData, Row, in_order, queries_of, small_multiples, span, tips, titled
from reports.draw.marks import no_difference, tint
from reports.figures.forms.gain_lines import first_at_zero
from reports.figures.forms.pooled import pooled

rows_of = queries_of(__file__)

MEASURES = {
    "mean_workflow_makespan all": "Makespan of workflows",
    "mean_workflow_response all": "Response of workflows",
    "mean_slowdown local short": "Response of short local jobs",
    "mean_slowdown local medium": "Response of medium local jobs",
    "mean_slowdown local long": "Response of long local jobs",
    "utilisation_while_submitting all": "Utilisation while jobs come",
}
"""What slack may change, in words."""

WEIGHED = {"mean_workflow_makespan all": 2, "mean_slowdown local medium": 1, "mean_slowdown local long": 1}
"""What a slack is judged by: the makespan of workflows as much as the local jobs, both their classes alike."""

KINDS = {
    "relaxed": "Relaxed, no propagation",
    "spare time": "Spare time, propagation",
    "early": "Planned early, propagation",
    "early, kept": "Planned early, kept free, propagation",
}
"""Kinds of slack: leave to start early, time to wait, and leave that slots are planned by."""

SLACK = "Slack ahead of a task, of its run time (%)"
SHARES = {7: "#56b4e9", 13: "#0b7bc1", 26: "#cc79a7"}
"""Colours of the shares of tasks, in per cent."""

REGION = "#009e73"
LEGEND = alt.Legend(symbolType="stroke", symbolStrokeWidth=3, symbolOpacity=1)


def recommended_slack(connection: duckdb.DuckDBPyConnection) -> Any:
    """How much slack to recommend.

    The geometric mean of the workflows' makespan and the relative response times of medium and long local jobs (the
    makespan weighs as much as both classes), in per cent above propagation without slack, on the same draws. Above:
    slack is leave to start before the planned time, or is waited for, as the thesis also says. Below: slots are planned
    from the earliest start, and made anew or kept free. Shaded: the slack to recommend, where propagation without slack
    is not significantly better; lighter, where that holds at some shares of tasks only. {region} Bands are 95 %
    intervals over {units} draws.
    """
    found = [{**row, "value": 100 * (row["value"] - 1)} for row in _together(_raw(connection, list(WEIGHED)))]
    found = _panels(pooled(found))
    bounds = _regions(found)
    told = " ".join(_told(row) for row in bounds)
    chart = _lines(found + bounds, "Above propagation without slack (%)", columns=2)
    return titled(chart, found + bounds, units=span(found, "units"), region=told)


def slack_by_measure(connection: duckdb.DuckDBPyConnection) -> Any:
    """What slack changes, measure by measure.

    In per cent above propagation without slack, on the same draws. Higher is better for utilisation, lower for all
    others. Slack as leave to start early, without propagation. Bands are 95 % intervals over {units} draws.
    """
    return _by_measure(connection, "relaxed")


def spare_time_by_measure(connection: duckdb.DuckDBPyConnection) -> Any:
    """What spare time changes, measure by measure.

    The same where slack is waited for: the frame begins where the tasks before must have ended, and the start lies behind it.
    Bands are 95 % intervals over {units} draws.
    """
    return _by_measure(connection, "spare time")


def early_by_measure(connection: duckdb.DuckDBPyConnection) -> Any:
    """What planning from the earliest start changes, measure by measure.

    The same where a slot is planned from the earliest start, which slack moves ahead, and made anew at each event. Bands are 95 %
    intervals over {units} draws.
    """
    return _by_measure(connection, "early")


def _by_measure(connection: duckdb.DuckDBPyConnection, kind: str) -> Any:
    """Draw the changes of each measure by slack, for one kind of slack."""
    found = [
        {**row, "value": 100 * (row["value"] - 1), "panel": MEASURES[row["measure"]], "series": _share(row["share"])}
        for row in _raw(connection, list(MEASURES))
        if row["kind"] == kind
    ]
    if not any(row["slack"] > 0 for row in found):
        raise NoData("No such slack is part of this run.")
    found = pooled(found)
    order = list(MEASURES.values())
    found.sort(key=lambda row: (order.index(row["panel"]), row["share"], row["slack"]))
    return titled(_lines(found, "Above propagation without slack (%)", columns=3), found)


def _raw(connection: duckdb.DuckDBPyConnection, measures: list[str]) -> list[Row]:
    """Return what each slack changes against propagation without slack, a row per draw."""
    found = rows_of(connection, "slack_effects", measures=measures)
    if not any(row["slack"] > 0 for row in found):
        raise NoData("No slack is part of this run.")
    return found


def _together(found: list[Row]) -> list[Row]:
    """Return the weighed geometric mean of the ratios of each draw."""
    sums: dict[tuple[Any, ...], float] = {}
    for row in found:
        key = (row["kind"], row["share"], row["slack"], row["unit"])
        weight = WEIGHED[row["measure"]] / sum(WEIGHED.values())
        sums[key] = sums.get(key, 0.0) + weight * log(row["value"])
    names = ("kind", "share", "slack", "unit")
    return [{**dict(zip(names, key, strict=True)), "value": exp(total)} for key, total in sums.items()]


def _share(share: int) -> str:
    """Name a share of tasks."""
    return f"{share} % tasks"


def _panels(found: list[Row]) -> list[Row]:
    """Name the panel and the line of each row, in the order of kinds and shares."""
    named = [{**row, "panel": KINDS[row["kind"]], "series": _share(row["share"])} for row in found]
    return sorted(named, key=lambda row: (list(KINDS).index(row["kind"]), row["share"], row["slack"]))


def _regions(found: list[Row]) -> list[Row]:
    """Return the recommended region of each panel: where the intervals reach what propagation does, of all shares and of some.

    ``sure`` is where it begins for all shares (where it ends, if no slack is as good as propagation); None where some never get
    there.
    """
    rows = []
    for panel in in_order(found, "panel"):
        own = [row for row in found if row["panel"] == panel]
        kind, most = own[0]["kind"], max(row["slack"] for row in own)
        waited = kind != "relaxed"
        lows = [
            [(row["slack"], row["low"]) for row in own if row["series"] == name] for name in in_order(own, "series")
        ]
        ends = [first_at_zero(line[::-1] if waited else line) for line in lows]
        known = [end for end in ends if end is not None]
        if known:
            every = len(known) == len(ends)
            sure = (min(known) if waited else max(known)) if every else None
            edges = (0.0, max(known)) if waited else (min(known), most)
            rows.append({
                "panel": panel, "kind": kind, "from": edges[0], "until": edges[1], "sure": sure, "waited": waited,
            })  # fmt: skip
    return rows


def _told(row: Row) -> str:
    """Say a region in words."""
    some, sure = row["until"] if row["waited"] else row["from"], row["sure"]
    if row["waited"]:
        name = KINDS[row["kind"]].removesuffix(", propagation")
        if round(some) == 0:
            return f"{name}: no slack at any share of tasks."
        return f"{name}: up to {round(sure)} % at all shares of tasks, up to {some:.0f} % at some."
    if sure is None:
        return f"Without propagation: from {some:.0f} % on at some shares of tasks; at others none that was tried is enough."
    return f"Without propagation: from {sure:.0f} % on at all shares of tasks, from {some:.0f} % on at some."


def _lines(found: list[Row], title: str, columns: int) -> Any:
    """Draw changes by slack, a line per share of tasks, over the recommended regions where there are any."""
    drawn = {row.get("series") for row in found}
    known = {_share(share): colour for share, colour in SHARES.items() if _share(share) in drawn}
    colour = tint("series", known, sort=list(known), legend=LEGEND)
    hover = tips(("series", "Workload"), ("slack", "Slack (%)", "d"), ("value", title, "+.2f", "low", "high"))
    x = alt.X("slack:Q", title=SLACK, axis=alt.Axis(tickCount=4, format="d"), scale=alt.Scale(nice=False))
    y = alt.Y("value:Q", title=title, axis=alt.Axis(tickCount=6))
    base = alt.Chart().transform_filter("isValid(datum.slack)").encode(x=x, color=colour, tooltip=hover)
    shade = {"color": REGION, "opacity": 0.12}
    region = alt.Chart().transform_filter("isValid(datum.until)")
    some = region.mark_rect(**shade).encode(x=alt.X("from:Q", title=SLACK), x2="until:Q")
    region = alt.Chart().transform_filter("isValid(datum.sure)")
    region = region.transform_calculate(
        begin="datum.waited ? 0 : datum.sure", end="datum.waited ? datum.sure : datum.until"
    )
    every = region.mark_rect(**shade).encode(x=alt.X("begin:Q", title=SLACK), x2="end:Q")
    band = base.mark_area(opacity=0.15).encode(y=alt.Y("low:Q", title=title), y2="high:Q")
    line = base.mark_line().encode(y=y)
    dots = base.mark_point(size=45, filled=True).encode(y=y)
    chart = alt.layer(some, every, no_difference(0, "y"), band, line, dots).properties(height=220)
    panels = small_multiples(chart, found, "panel", columns=columns)
    return panels.resolve_scale(x="independent", y="independent")
