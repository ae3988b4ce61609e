"""Figures of the study of SCOJO's shares: those of chapter 5 of Huang's thesis, its worked example and its slowdowns.

A hollow diamond is a value the thesis prints, of one workload; everything else is computed here.
"""

from typing import Any

import altair as alt
import duckdb

from reports.diagrams.allocations import runs_beside
from reports.draw.charts import NoData, Row, in_order, queries_of, small_multiples, tips, titled
from reports.draw.marks import no_difference, tint, with_intervals
from reports.draw.theme import ACCENT, NEUTRAL
from reports.families.coscheduling.charts import coscheduling_figure
from reports.figures.forms.strategies import PRINTED_COLOUR, printed_marks
from traces.shape.slowdowns import published_slowdowns

rows_of = queries_of(__file__)

COLOURS = {"FCFS": NEUTRAL, "Pri": "#d98c00", "PriCo": "#cc79a7", "PriCoB": ACCENT, "C2": "#56b4e9", "C3": "#009e73"}
"""Colours of the strategies."""

MEASURES = {
    "mean_response": ("response time (min)", 60.0),
    "mean_response_over_elapsed": ("relative response time", 1.0),
    "busy_time": ("total execution time (min)", 60.0),
}
"""What is measured, in words, and what a unit of the axis is in the store."""

TIMES = ("mean_response", "mean_response_over_elapsed")


def strategies(connection: duckdb.DuckDBPyConnection) -> Any:
    """Response times of the four strategies (thesis, figures 5-7 and 5-8).

    Relative response time: response time over the time from start to finish. FCFS and Pri (by priority) run one job at a
    time. PriCo runs two that go together, and PriCoB also fills a free share with jobs from behind. Lines are 95 % intervals
    over {units} draws of the arrivals that the thesis leaves open{diamonds}.
    """
    return _strategies(connection, ["case-1", "case-2"], TIMES)


def jobs_at_once(connection: duckdb.DuckDBPyConnection) -> Any:
    """Two jobs at once, or three (thesis, figures 5-9 and 5-10).

    PriCoB with shares of 40, 40 and 20 %: at most two jobs (C2, slowed down 1.2 times) or three (C3, 1.3 times). Lines are 95 %
    intervals over {units} draws{diamonds}.
    """
    return _strategies(connection, ["case-3"], TIMES)


def execution_times(connection: duckdb.DuckDBPyConnection) -> Any:
    """Total execution time.

    The time in which at least one job runs. Two jobs that slow each other down 1.2 times take 1.2 times as long
    together as one after the other, so coscheduling keeps the machine busy for longer. Lines are 95 % intervals over
    {units} draws{diamonds}.
    """
    return _strategies(connection, ["case-1", "case-2"], ["busy_time"])


def gains_by_class(connection: duckdb.DuckDBPyConnection) -> Any:
    """Who gains, by class of job.

    How much shorter the mean response time is than under FCFS, on the same jobs; lines span nine tenths of the {units}
    draws. Special jobs are the shortest. Left of the dashed line a class does worse than under FCFS.
    """
    found = rows_of(connection, "scojo_share_classes")
    hover = tips(("strategy", "Strategy"), ("class", "Jobs"), ("value", "Gain (%)", ".3~r"),
                 ("low", "nine tenths from", ".3~r"),
                 ("high", "to", ".3~r"))  # fmt: skip
    names = in_order(found, "strategy")
    base = alt.Chart().encode(
        y=alt.Y("class:N", sort=in_order(found, "class"), title=None), yOffset=alt.YOffset("strategy:N", sort=names),
        color=_colour(names, legend=True), tooltip=hover,
    )  # fmt: skip
    title = "Gain in mean response time over FCFS (%)"
    axis = alt.Axis(title=title, tickCount=5)
    marks = with_intervals(base, alt.X("value:Q", axis=axis), 60)
    chart = alt.layer(no_difference(0), *marks).properties(height=alt.Step(12))
    chart = small_multiples(chart, found, "workload_label", columns=2)
    return titled(chart.resolve_scale(x="independent"), found)


def worked_example(connection: duckdb.DuckDBPyConnection) -> Any:
    """The worked example: twelve jobs, three at once (thesis, Table 5-1 and figure 5-5).

    Above, hollow: from start to finish as printed. Below: as computed here, darker with a larger share of every processor.
    Jobs 1 and 11 are long, 2, 3 and 12 medium, 7 and 9 short, the others special; job 11 has reserved its start.
    """
    file = runs_beside(connection) / "table-5-1" / "scojo_c3" / "allocations.parquet"
    if not file.is_file():
        raise NoData("The worked example is not part of this run.")
    found = rows_of(connection, "scojo_share_example", allocations=file.as_posix())
    for row in found:
        row["name"] = f"job {row['job']}"
    y = alt.Y("name:N", sort=in_order(found, "name"), title=None)
    offset = alt.YOffset("whose:N", sort=["printed", "here"], scale=alt.Scale(paddingOuter=0.15))
    x = alt.X("begin:Q", title="Minutes since the first submission", axis=alt.Axis(tickCount=8))
    hover = tips(("name", "Job"), ("whose", "Which"), ("begin", "from (min)", ".2f"), ("end", "to (min)", ".2f"),
                 ("share", "Share (%)", ".3~r"))  # fmt: skip
    base = alt.Chart().encode(y=y, yOffset=offset, x=x, x2="end:Q", tooltip=hover)
    printed = base.transform_filter("datum.whose === 'printed'").mark_bar(
        filled=False, stroke=PRINTED_COLOUR, strokeWidth=1.3, height=6
    )
    shade = alt.Opacity("share:Q", title="Share (%)", scale=alt.Scale(domain=[0, 100], range=[0.15, 1]))
    ours = base.transform_filter("datum.whose === 'here'").mark_bar(color=ACCENT, height=8).encode(opacity=shade)
    return titled(alt.layer(printed, ours).properties(height=alt.Step(11)), found)


def shares_over_time(connection: duckdb.DuckDBPyConnection) -> Any:
    """Who has which share of the machine (Table 5-1, as it comes out here).

    The worked example under C3, {length}. A block is a job on all processors, as high as its share of their time, with its number
    and its speed as a part of that alone. When a job ends the third is promoted to a larger share, and the next job that starts
    takes the free place.
    """
    return coscheduling_figure(connection, "table-5-1", "scojo_c3", window=(0, 0), by_kind=True)


def slowdowns(connection: duckdb.DuckDBPyConnection) -> Any:
    """Slowdowns of programs beside each other (thesis, Table 5-2).

    A program of a row runs beside one of a column: its time over the time that its share of the processors would give, as
    measured for the thesis. Below 1 it is faster, as one hides the waits of the other. In case 1 two programs are coscheduled
    if both slowdowns are at most {limit}, which holds for {together} of {pairs} pairs.
    """
    found = rows_of(connection, "scojo_share_limit")
    limit = found[0]["slowdown_limit"]
    table = published_slowdowns("huang_2004")
    cells: list[Row] = [
        {
            "row": row,
            "column": column,
            "slowdown": table.slowdowns[row, column],
            "beside": table.slowdowns[column, row],
            "apart": max(table.slowdowns[row, column], table.slowdowns[column, row]) > limit,
        }
        for row in table.applications
        for column in table.applications
    ]
    hover = tips(("row", "Program"), ("column", "beside"), ("slowdown", "Slowdown", ".1f"),
                 ("beside", "of the other", ".1f"))  # fmt: skip
    base = alt.Chart(height=alt.Step(38)).encode(
        y=alt.Y("row:N", sort=list(table.applications), title="Program"),
        x=alt.X("column:N", sort=list(table.applications), title="beside", axis=alt.Axis(labelAngle=0, orient="top")),
        tooltip=hover,
    )
    scale = alt.Scale(domain=[0.8, 1, 3.2], range=["#8fc7ea", "#f3f3f3", "#c2501f"])
    tiles = base.mark_rect(stroke="white").encode(color=alt.Color("slowdown:Q", title="Slowdown", scale=scale))
    words = base.mark_text(fontWeight="bold").encode(
        text=alt.Text("slowdown:Q", format=".1f"),
        color=alt.when("datum.slowdown > 2").then(alt.value("white")).otherwise(alt.value("#1d2430")),
    )
    crossed = base.transform_filter("datum.apart").mark_text(text="apart", dy=12, fontSize=10)
    crossed = crossed.encode(
        color=alt.when("datum.slowdown > 2").then(alt.value("white")).otherwise(alt.value("#1d2430"))
    )
    pairs = len(table.applications) * (len(table.applications) + 1) // 2
    apart = sum(cell["apart"] for cell in cells if cell["row"] <= cell["column"])
    return titled(alt.layer(tiles, words, crossed), cells, limit=f"{limit:g}", together=pairs - apart, pairs=pairs)


def _strategies(connection: duckdb.DuckDBPyConnection, workloads: list[str], metrics: Any) -> Any:
    """Draw strategies by metrics, a panel per workload and metric, with what the thesis prints."""
    found: list[Row] = []
    for metric in metrics:
        words, divisor = MEASURES[metric]
        own = rows_of(connection, "intervals_printed", metrics=[metric], workloads=sorted(workloads), policies=None)
        for row in own:
            row |= {name: row[name] / divisor for name in ("value", "low", "high", "printed") if row[name] is not None}
            strategy, _, _ = row["policy_label"].partition(",")
            found.append({**row, "strategy": strategy, "panel": f"{row['workload_label']}: {words}"})
    names = [name for name in COLOURS if name in in_order(found, "strategy")]
    y = alt.Y("strategy:N", sort=names, title=None)
    hover = tips(("strategy", "Strategy"), ("value", "Mean", ",.4~r", "low", "high"))
    axis = alt.Axis(title=None, tickCount=5)
    base = alt.Chart().encode(y=y, color=_colour(names, legend=False), tooltip=hover)
    bars = base.mark_bar(height=8, opacity=0.35).encode(x=alt.X("value:Q", axis=axis))
    layers = [bars, *with_intervals(base, alt.X("value:Q", axis=axis), 60)]
    if any(row["printed"] is not None for row in found):
        layers.append(printed_marks(alt.X("printed:Q", axis=axis), y))
    chart = alt.layer(*layers).properties(height=alt.Step(26))
    chart = small_multiples(chart, found, "panel", columns=2)
    return titled(chart.resolve_scale(x="independent"), found)


def _colour(names: list[str], legend: bool) -> alt.Color:
    """Encode the strategy as colour."""
    return tint("strategy", {name: COLOURS[name] for name in names}, legend=alt.Legend() if legend else None)
