"""Figures of chapter 8 of da Silva's thesis: what measuring tasks at run time gains over gang scheduling, by what jobs do."""

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt
import duckdb

from reports.draw import charts
from reports.draw.marks import no_difference, tint, with_intervals
from reports.draw.theme import ACCENT
from reports.draw.ticks import extent, number_ticks
from reports.figures.forms.pooled import pooled, pooled_ratios
from reports.figures.forms.series_lines import series_lines
from reports.figures.forms.stacked import activity_shares
from reports.figures.forms.strategies import printed_marks
from reports.measure.queries import pairs

rows_of = charts.queries_of(__file__)

MIXTURES = {
    "io": "8.3", "io-msg": "8.4", "io-msg-emb": "8.5", "io-bsp": "8.6", "io-bsp-emb": "8.7", "emb-msg": "8.10", "emb-bsp": "8.11",
}  # fmt: skip
"""Mixtures of chapter 8, and the numbers of the thesis' figures of what is gained on them."""
SPIN_CONTROL = {"io-bsp": "8.8", "io-msg": "8.9"}
OVER_TIME = {"emb-16": "8.12", "io-16": "8.13"}
PROCESSORS = {"8 processors": "#56b4e9", "16 processors": ACCENT}
METRICS = {"jobs_completed": "Throughput", "utilisation_spin_busy": "Utilisation"}
LEVELS = {"jobs_completed": "Jobs completed", "utilisation_spin_busy": "Utilisation (%)"}
POINTS = 25
"""Points of a line over time."""


def gains_by_mixture(connection: duckdb.DuckDBPyConnection) -> Any:
    """What measuring at run time gains over gang scheduling, by what jobs do.

    Jobs completed, and processor time with a running task (one that spins counts), over those of gang scheduling on the
    same jobs, with 95 % intervals over {units} draws; mixtures of the thesis: input and output (I/O), message passing
    (Msg), bulk synchronous parallel (BSP) and embarrassingly parallel jobs (Emb). A hollow mark may be chance, because
    its interval contains 1. Red diamonds are ratios of values in the thesis' tables.
    """
    found = _ratios(connection, list(MIXTURES), "gang_rt", "gang")
    for row in found:
        row["panel"], row["row"], row["kind"] = METRICS[row["metric"]], _mixture(row), f"{row['processors']} processors"
    found.sort(key=lambda row: row["metric"] == "jobs_completed")
    chart = _ratio_dots(found)
    return charts.titled(chart, found)


def figures_8_3_to_8_11(connection: duckdb.DuckDBPyConnection) -> Any:
    """Gang scheduling with measurements over gang scheduling, a panel per figure (thesis, Figures 8.3 to 8.7, 8.10 and 8.11).

    Ratios of jobs completed (throughput) and of processor time with a running task (utilisation) on the same jobs,
    with 95 % intervals over {units} draws. A hollow mark may be chance, because its interval contains 1. Red diamonds
    are ratios of values in Tables 8.1 to 8.6; the thesis prints no numbers for the other figures.
    """
    return _by_figure(connection, MIXTURES, "gang_rt", "gang")


def figures_8_8_and_8_9(connection: duckdb.DuckDBPyConnection) -> Any:
    """What spin control adds to priorities (thesis, Figures 8.8 and 8.9).

    Ratios of jobs completed and of utilisation, with priorities and spin control over priorities alone, on the same
    jobs, with 95 % intervals over {units} draws. A hollow mark may be chance, because its interval contains 1. A
    processor that spins counts as used, so that a task which blocks in its place lowers utilisation unless another
    one runs.
    """
    return _by_figure(connection, SPIN_CONTROL, "gang_rt", "gang_rt_nospin")


def tables_8_1_to_8_6(connection: duckdb.DuckDBPyConnection) -> Any:
    """Jobs completed and utilisation beside what the thesis prints (Tables 8.1 to 8.6).

    Means over {units} draws with 95 % intervals of the mean. Red diamonds are the printed values; each is of one run, on jobs
    that are not at hand. A claim about such a run is judged by the interval of one draw, which is wider.
    """
    found = rows_of(connection, "concurrent_gang_tables")
    looks = {look.label: look.colour for look in charts.policies_of(connection, found)}
    for row in found:
        row["panel"], row["row"], row["kind"] = LEVELS[row["metric"]], row["workload_label"], row["policy_label"]
    rows = pooled(found)
    chart = _dots(rows, looks, alt.Scale(zero=True, nice=True), alt.Axis(title=None, tickCount=6))
    return charts.titled(chart, rows)


def figures_8_12_and_8_13(connection: duckdb.DuckDBPyConnection) -> Any:
    """Utilisation as time goes on under distributed hierarchical control (thesis, Figures 8.12 and 8.13).

    Processor time with a running task, from the start to each time, on 16 processors: means over {units} draws, bands are 95 %
    intervals.
    """
    found = rows_of(
        connection,
        "concurrent_gang_by_time",
        what="utilisation",
        parts=50,
        workloads=list(OVER_TIME),
        policies=["dhc_alt", "dhc_rt"],
    )
    until = max(row["end_s"] for row in found)
    looks = {look.label: look.colour for look in charts.policies_of(connection, found)}
    rows = pooled([
        {"panel": f"{row['workload_label']} (Figure {OVER_TIME[row['workload']]})", "series": row["policy_label"],
         "hours": row["end_s"] / 3600, "unit": row["unit"], "value": row["value"]}
        for row in found if (row["end_s"] * POINTS) % until == 0
    ])  # fmt: skip
    x = alt.X("hours:Q", title="Time (h)", axis=alt.Axis(tickCount=6))
    chart = series_lines(rows, x, "Utilisation (%)", [("hours", "Hours", ".2~f")], looks, zero=True)
    return charts.titled(chart, rows)


def gains_by_load(connection: duckdb.DuckDBPyConnection) -> Any:
    """What measuring at run time gains, by the load.

    Ratios of jobs completed and of utilisation to gang scheduling on the same jobs, whose gaps are scaled: the load is the work
    of the jobs, if each ran alone, over what the 8 processors can do. Means over {units} draws, bands are 95 % intervals. The
    thesis prints no load and scales nothing. So all other figures take the jobs as they come, several times what the machine can
    do.
    """
    loads = [f"{mixture}-at-load-{load}" for mixture in ("io", "io-msg-emb") for load in ("050", "100", "200")]
    asked = {"workloads": pairs(loads), "metrics": pairs(METRICS), "scopes": pairs(["all"])}
    found = pooled_ratios(rows_of(connection, "draws_against", against=[["gang_rt", "gang"]], **asked))
    for row in found:
        row["panel"], row["series"] = METRICS[row["metric"]], str(row["workload_label"]).rsplit(", load", 1)[0]
    x = alt.X("load:Q", title="Offered load (%)", scale=alt.Scale(zero=False), axis=alt.Axis(tickCount=6))
    chart = series_lines(found, x, "Ratio to gang scheduling", [("load", "Load (%)", "d")])
    return charts.titled(chart, found)


def activities_by_mixture(connection: duckdb.DuckDBPyConnection) -> Any:
    """What processors do with their time on mixtures of jobs.

    Mean shares over {units} draws, 16 processors. Grey is idle: dark where the slice's owner waits and no other task runs, light
    where the slice has no owner on the processor. A processor that spins looks busy and does nothing; the thesis counts it as
    used in chapter 8. A panel shows the systems that were run on its mixture.
    """
    workloads, policies = [f"{mixture}-16" for mixture in MIXTURES], ["gang", "gang_rt_nospin", "gang_rt"]
    return activity_shares(rows_of(connection, "processor_activities", workloads=workloads, policies=policies))


def slices_run_ahead(connection: duckdb.DuckDBPyConnection) -> Any:
    """How many slices were fast-forwarded.

    Slices of jobs that were fast-forwarded, per slice of the machine, on 16 processors and in chapter 6: mean over
    {units} draws. A slice is fast-forwarded if only the owners' programs can act in it: they then run one after the
    other, without events. All else runs event by event, and so does the traced window. Tests show that schedules are
    the same to the last byte. Runs without fast-forwarded slices are left out.
    """
    found = pooled(rows_of(connection, "concurrent_gang_run_ahead"))
    if not found:
        raise charts.NoData("No slice was fast-forwarded.")
    looks = {look.label: look.colour for look in charts.policies_of(connection, found)}
    hover = charts.tips(("workload_label", "Workload"), ("policy_label", "Policy"), ("value", "Slices", ".3~r"))
    chart = alt.Chart(height=alt.Step(9)).mark_bar().encode(
        x=alt.X("value:Q", title="Slices of jobs fast-forwarded, per slice", axis=alt.Axis(tickCount=6)),
        y=alt.Y("workload_label:N", sort=charts.in_order(found, "workload_label"), title=None),
        yOffset=alt.YOffset("place:N"), color=tint("policy_label", looks), tooltip=hover,
    )  # fmt: skip
    return charts.titled(chart, found)


def _ratios(
    connection: duckdb.DuckDBPyConnection, mixtures: Sequence[str], policy: str, versus: str
) -> list[charts.Row]:
    """Return ratios of a policy to another, with intervals, by mixture, processors and metric."""
    workloads = [f"{mixture}-{processors}" for mixture in mixtures for processors in (8, 16)]
    found = rows_of(connection, "concurrent_gang_ratios", workloads=pairs(workloads), against=[[policy, versus]])
    return pooled_ratios(found)


def _mixture(row: charts.Row) -> str:
    """Return the label of a workload without its processors."""
    return str(row["workload_label"]).rsplit(", ", 1)[0]


def _by_figure(connection: duckdb.DuckDBPyConnection, figures: Mapping[str, str], policy: str, versus: str) -> Any:
    """Draw ratios of a policy to another, a panel per figure of the thesis."""
    found = _ratios(connection, list(figures), policy, versus)
    for row in found:
        number = figures[row["workload"].rsplit("-", 1)[0]]
        row["panel"], row["row"] = f"Figure {number}: {_mixture(row)}", METRICS[row["metric"]]
        row["kind"] = f"{row['processors']} processors"
    chart = _ratio_dots(found)
    return charts.titled(chart, found)


def _ratio_dots(found: Sequence[charts.Row]) -> Any:
    """Draw ratios about the line of one on a logarithmic axis that all panels share."""
    charts.on_log_axis(found)
    for row in found:
        row["told"] = row["low"] is not None and (row["low"] > 1 or row["high"] < 1)
    scale = alt.Scale(type="log", nice=False, padding=14)
    ticks = number_ticks(extent(found, "drawn_low", "high", "printed"))
    axis = alt.Axis(title="Ratio (log scale)", values=ticks, labelExpr="format(datum.value, '~g')")
    return _dots(found, PROCESSORS, scale, axis, about_one=True)


def _dots(
    found: Sequence[charts.Row], looks: Mapping[str, str], scale: alt.Scale, axis: alt.Axis, *, about_one: bool = False
) -> Any:
    """Draw ``value`` with its interval beside ``printed``: a line per ``row``, a mark per ``kind``, a panel per ``panel``."""
    shown = charts.in_order(found, "kind")
    kinds = [kind for kind in looks if kind in shown]
    colour = tint("kind", {kind: looks[kind] for kind in kinds}, sort=kinds)
    hover = charts.tips(("row", "What"), ("kind", "Of"), ("value", "Value", ".3~r", "low", "high"),
                        ("units", "Draws", "d"))  # fmt: skip
    y = alt.Y("row:N", sort=charts.in_order(found, "row"), title=None, axis=alt.Axis(labelLimit=240, grid=True))
    offset = alt.YOffset("kind:N", sort=kinds)
    base = alt.Chart().encode(y=y, yOffset=offset, color=colour, tooltip=hover)
    x = alt.X("value:Q", scale=scale, axis=axis)
    low, sure = ("drawn_low", "datum.told") if about_one else ("low", "")
    layers = [*([no_difference(1)] if about_one else []), *with_intervals(base, x, 55, low=low, sure=sure)]
    if any(row["printed"] is not None for row in found):
        layers.append(printed_marks(alt.X("printed:Q", scale=scale, axis=axis), y).encode(yOffset=offset))
    chart = alt.layer(*layers).properties(height=alt.Step(13))
    panels = charts.small_multiples(chart, found, "panel", columns=2)
    if not about_one:
        return panels.resolve_scale(x="independent")
    # else a cell without a panel has an axis
    return panels.resolve_axis(x="independent") if len(charts.in_order(found, "panel")) % 2 else panels
