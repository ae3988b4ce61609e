"""Figures of the study of adaptive SCOJO: those of Huang's chapter 7, a worked matrix, two other readings and real logs.

A hollow diamond is a value the thesis prints, of one random instance; everything else is computed here.
"""

from typing import Any

import altair as alt
import duckdb

from reports.draw.charts import NoData, Row, in_order, on_log_axis, queries_of, small_multiples, tips, titled
from reports.draw.marks import no_difference, tint, with_intervals
from reports.draw.theme import ACCENT, NEUTRAL
from reports.families.gang.charts import gang_figure
from reports.figures.forms.strategies import printed_marks, strategy_dots
from reports.measure.catalogue import metric
from traces.models.huang import FITTED_SCALE

rows_of = queries_of(__file__)

MEASURES = {"mean_response": "Mean response time", "mean_relative_response": "Mean bounded slowdown"}
TWO_COLOURS = [ACCENT, "#d98c00"]
APPROACHES = {"PRI-EB": "#d98c00", "PRI-B-WA": "#009e73", "PRI-B-WA-FA": ACCENT}
"""The approaches of figure 7-4 and their colours."""


def _strategies(connection: duckdb.DuckDBPyConnection, name: str, figure: str, title: str, log: bool) -> Any:
    """Draw the ten strategies by the metric ``name`` beside what ``figure`` of the thesis prints."""
    found = _strategy_rows(connection, name, figure)
    return titled(strategy_dots(found, title, log), found)


def _strategy_rows(connection: duckdb.DuckDBPyConnection, name: str, figure: str) -> list[Row]:
    """Return the ten strategies by the metric ``name`` beside what ``figure`` of the thesis prints; on logs without a figure."""
    asked = {"metric": name, "figure": figure, "divisor": metric(name).divisor}
    return rows_of(connection, "scojo_strategies", **asked)


def multiprogramming_levels(connection: duckdb.DuckDBPyConnection) -> alt.Chart:
    """FCFS and PRI-B-WA-FA by multiprogramming level (thesis, figure 7-1).

    Each panel has its own vertical axis, because the two strategies differ by factors. The band
    is the 95 % interval over {units} random instances{diamonds}. The thesis finds FCFS best at
    level 5 and PRI-B-WA-FA best at level 1; its two instances of the same workload differ by more than its levels do.
    """
    found = rows_of(connection, "scojo_levels")
    for row in found:
        unit = " (h)" if row["metric"] == "mean_response" else ""
        row["panel"] = f"{row['which']}: {MEASURES[row['metric']].lower()}{unit}"
        row["place"] = "figure 7-1"
    x = alt.X("level:O", title="Multiprogramming level (slots)", axis=alt.Axis(labelAngle=0))
    scale = alt.Scale(zero=False, nice=True)
    hover = tips(("level", "Level"), ("value", "Mean", ",.4~r", "low", "high"))
    base = alt.Chart().encode(x=x, tooltip=hover)
    axis = alt.Axis(title=None, format=",~r", tickCount=5)
    band = base.mark_area(opacity=0.18, color=ACCENT).encode(y=alt.Y("low:Q", scale=scale, axis=axis), y2="high:Q")
    line = base.mark_line(color=ACCENT, point={"size": 45, "color": ACCENT}).encode(
        y=alt.Y("value:Q", scale=scale, axis=axis)
    )
    quoted = printed_marks(x, alt.Y("printed:Q", scale=scale, axis=axis))
    chart = alt.layer(band, line, quoted).properties(height=150)
    panels = small_multiples(chart, found, "panel", columns=2).resolve_scale(y="independent")
    return titled(panels, found)


def response_times(connection: duckdb.DuckDBPyConnection) -> alt.Chart:
    """Mean response time of the ten strategies (thesis, figure 7-2).

    Logarithmic axis; lines are 95 % intervals over {units} random instances{diamonds}. Gang
    scheduling runs at a multiprogramming level of 5, adaptive strategies at 2. PRI: by priority; B, EB: with backfilling,
    EASY backfilling; WA: sizes adapted to the load; FA: jobs grown into free processors.
    """
    return _strategies(connection, "mean_response", "figure 7-2", "Mean response time (h, log scale)", log=True)


def bounded_slowdowns(connection: duckdb.DuckDBPyConnection) -> alt.Chart:
    """Mean bounded slowdown of the ten strategies (thesis, figure 7-3).

    Response time over run time alone; run times below 60 s count as 60 s, and ratios may be below 1, as in the thesis.
    Logarithmic axis; lines are 95 % intervals over {units} random instances{diamonds}.
    """
    return _strategies(
        connection, "mean_relative_response", "figure 7-3", "Mean bounded slowdown (log scale)", log=True
    )


def slowdowns_by_class(connection: duckdb.DuckDBPyConnection) -> alt.Chart:
    """Bounded slowdown by class and by flexibility (thesis, figure 7-4).

    Short, medium and long jobs above, moldable, rigid and malleable ones below; logarithmic axis, 95 % intervals over {units}
    random instances{diamonds}. Long jobs wait for all others, and most
    malleable jobs are long.
    """
    found = rows_of(connection, "scojo_classes")
    for row in found:
        row["place"] = "figure 7-4, PRI-B-WA-FA"
    on_log_axis(found, "workload_label")
    shown = in_order(found, "policy_label")
    known = {name: colour for name, colour in APPROACHES.items() if name in shown}
    offset = alt.YOffset("policy_label:N", sort=list(known))
    scale = alt.Scale(type="log", nice=False, padding=12)
    axis = alt.Axis(title="Mean bounded slowdown (log scale)", format=",~r", tickCount=5)
    y = alt.Y("job_class:N", sort=in_order(found, "job_class"), title=None)
    colour = tint("policy_label", known, legend=alt.Legend(symbolType="circle"))
    hover = tips(("policy_label", "Strategy"), ("job_class", "Jobs"),
                 ("value", "Mean bounded slowdown", ",.4~r", "low", "high"))  # fmt: skip
    base = alt.Chart().encode(y=y, yOffset=offset, color=colour, tooltip=hover)
    marks = with_intervals(base, alt.X("value:Q", scale=scale, axis=axis), 50, low="drawn_low")
    quoted = printed_marks(alt.X("printed:Q", scale=scale, axis=axis), y).encode(yOffset=offset)
    chart = alt.layer(*marks, quoted).properties(height=alt.Step(13))
    panels = small_multiples(chart, found, "workload_label", columns=2)
    printed = any(row["printed"] is not None for row in found)
    diamonds = ", diamonds the values the thesis prints for PRI-B-WA-FA" if printed else ""
    return titled(panels.resolve_scale(x="independent"), found, diamonds=diamonds)


def effective_utilisation(connection: duckdb.DuckDBPyConnection) -> alt.Chart:
    """Effective utilisation of the ten strategies (thesis, figure 7-5).

    Utilisation less the cost of context switches (10 % of a turn while several slots take turns) and of resizing; 95 %
    intervals over {units} random instances{diamonds}. The axis does not begin at zero.
    The figure of processor time shows where the rest goes.
    """
    return _strategies(connection, "effective_utilisation", "figure 7-5", "Effective utilisation (%)", log=False)


def processor_time(connection: duckdb.DuckDBPyConnection) -> alt.Chart:
    """Where the processor time goes.

    Shares of all processor time until the last finish, means over the instances: turns of jobs without the time for
    switching and resizing, that time, and processors that idle in a slot's turn. The thesis says that less than 0.5 %
    idles; first fit on 64 processors with jobs of up to 32 leaves more idle.
    """
    found = rows_of(connection, "scojo_processor_time")
    names = ["jobs", "switching and resizing", "no job"]
    colour = alt.Color("what:N", title="Processor time for", sort=names,
                       scale=alt.Scale(domain=names, range=[ACCENT, "#d98c00", NEUTRAL]))  # fmt: skip
    chart = alt.Chart(height=alt.Step(20)).mark_bar().encode(
        y=alt.Y("policy_label:N", sort=in_order(found, "policy_label"), title=None),
        x=alt.X("share:Q", title="Processor time (%)", scale=alt.Scale(domain=[0, 100]), axis=alt.Axis(tickCount=5)),
        color=colour, order=alt.Order("place:Q"),
        tooltip=tips(("policy_label", "Strategy"), ("what", "For"), ("share", "Share (%)", ".2f")),
    )  # fmt: skip
    return titled(small_multiples(chart, found, "workload_label", columns=2), found)


def makespans(connection: duckdb.DuckDBPyConnection) -> alt.Chart:
    """Makespan of the ten strategies (thesis, figure 7-6).

    First start to last finish; 95 % intervals over {units} random instances{diamonds}. Axes do not begin at zero. Sizes
    of jobs include their printed upper ends; the fitted reading excludes them, to meet the two printed makespans.
    """
    return _strategies(connection, "makespan_from_first_start", "figure 7-6", "Makespan (h)", log=False)


def job_efficiencies(connection: duckdb.DuckDBPyConnection) -> alt.Chart:
    """Accumulated job efficiency of the ten strategies (thesis, figure 7-7).

    Speed-up over processors, over all processor time at work; 95 % intervals over {units} random instances{diamonds}.
    Gang scheduling has 65 % by definition, as every job runs on its optimal size; jobs on fewer
    processors are more efficient.
    """
    return _strategies(connection, "job_efficiency", "figure 7-7", "Accumulated job efficiency (%)", log=False)


def matrix(connection: duckdb.DuckDBPyConnection) -> Any:
    """The Ousterhout matrix: who holds which processors in which slot.

    {length} of workload 1 under PRI-B-WA-FA, two slots that take turns: a band per slot, time to the right, processors
    upwards, a block per job. Malleable jobs change their size when the load is classified anew (triangles). Processors are
    only counted, so each job is drawn in one piece where possible.
    """
    return gang_figure(connection, "huang-1", "scojo_pri_b_wa_fa", by_flexibility=True)


def cost_of_switching(connection: duckdb.DuckDBPyConnection) -> alt.Chart:
    """Context switches that slow the jobs (other readings).

    Mean response time over that of the same strategy at level 1, where nothing is switched, against the part of a turn a
    switch takes; the band is the range over {units} random instances. Below the dashed line time sharing helps. Only a cost
    at which FCFS is below the line and PRI-B-WA-FA above it gives the levels the thesis calls best.
    """
    found = rows_of(connection, "scojo_switching")
    if not any(row["cost"] for row in found):
        raise NoData("No reading of this scale lets switching slow the jobs.")
    colour = alt.Color("level:N", title=None, scale=alt.Scale(range=TWO_COLOURS))
    hover = tips(("level", "Level"), ("cost", "Cost (%)"), ("ratio", "Over level 1", ".4~r", "least", "most"))  # fmt: skip
    x = alt.X("cost:Q", title="Context switch (% of a turn)", axis=alt.Axis(values=[0, 3, 5, 10]))
    scale, axis = alt.Scale(zero=False), alt.Axis(title="Response time over level 1", tickCount=5)
    base = alt.Chart().encode(x=x, color=colour, tooltip=hover)
    band = base.mark_area(opacity=0.18).encode(y=alt.Y("least:Q", scale=scale, axis=axis), y2="most:Q")
    line = base.mark_line(point=True).encode(y=alt.Y("ratio:Q", scale=scale, axis=axis))
    chart = alt.layer(no_difference(1, "y"), band, line).properties(height=150)
    return titled(small_multiples(chart, found, "panel", columns=2), found)


def fitted_reading(connection: duckdb.DuckDBPyConnection) -> alt.Chart:
    """By the letter, and fitted.

    Mean response time under the headline, and under the reading whose gaps, sizes and backfilling were chosen to come near
    what the thesis prints; 95 % intervals over {units} random instances{diamonds}. In workload 1 the fitted gaps are {gaps}
    times those of the formula, with which every strategy waits far longer than in the thesis.
    """
    found = rows_of(connection, "scojo_fitted")
    if all(row["headline"] for row in found):
        raise NoData("The fitted reading is not part of this scale.")
    for row in found:
        row["kind"], row["place"] = row["reading"], "figure 7-2"
    chart = strategy_dots(found, "Mean response time (h, log scale)", log=True)
    return titled(chart, found, gaps=f"{FITTED_SCALE[1]:g}")


def real_logs(connection: duckdb.DuckDBPyConnection) -> alt.Chart:
    """Beyond the thesis: the strategies on jobs of real logs.

    Gaps between submissions are scaled to an offered load of 1, classes are those of workload 2, and which job is moldable
    or malleable is dealt out by class, as no log records it; speed-up is that of the thesis. Users' estimates are as
    submitted. Logarithmic axes; lines are 95 % intervals over {units} batches.
    """
    metrics = ("mean_response", "mean_relative_response")
    found = [{**row, "metric": name} for name in metrics for row in _strategy_rows(connection, name, "")]
    for row in found:
        del row["printed"], row["place"]
        unit = " (h)" if row["metric"] == "mean_response" else ""
        row["panel"] = f"{row['workload_label']}: {MEASURES[row['metric']].lower()}{unit}"
    return titled(strategy_dots(found, "Mean (log scale)", log=True, column="panel"), found)
