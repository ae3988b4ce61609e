"""The diagram of activities as a figure: a window of the trace of a run, or several with remarks."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt
import duckdb

from reports.diagrams import parts
from reports.draw.charts import NoData, Row, tips, titled
from reports.draw.theme import NEUTRAL
from reports.families.concurrent_gang.diagram import ConcurrentGangWindow, read_window, telling_slices
from reports.families.concurrent_gang.rows import LANE, at, barrier_rows, paints_of, rows_of_window
from scheduler_core.common.units import us_to_seconds

MOST_ROWS = 4000
"""Rows of the trace that a printed picture can show."""
LANE_HEIGHT = 24
"""Height of a lane in print, in pixels; less where there are many."""
MOST_HEIGHT = 420
HEAD = 0.75
"""Room for the numbers of the rows above the lanes, in lanes."""
REMARK = "#b3261e"


@dataclass(frozen=True)
class Remark:
    """A numbered mark at a moment on a processor."""

    number: int
    at_ns: int
    processor: int


@dataclass(frozen=True)
class Panel:
    """A window with its title, the words below it and its remarks; ``barriers`` draws the barriers that were passed."""

    title: str
    window: ConcurrentGangWindow
    remarks: Sequence[Remark] = ()
    barriers: bool = False
    below: str = ""


def concurrent_gang_figure(connection: duckdb.DuckDBPyConnection, workload: str, policy: str) -> Any:
    """Draw telling slices from the trace of a run of the store, replication 0.

    The caption may use ``{begin}`` (s), ``{length}`` (ms), ``{jobs}``, ``{processors}`` and ``{slices}``. Raises
    :class:`NoData` when the run is not there, is not one of Concurrent Gang, was not traced, or has more than a picture can show.
    """
    folder = parts.run_of(connection, workload, policy, "concurrent_gang")
    chosen = telling_slices([folder], most=MOST_ROWS, longest=4)
    if chosen is None:
        raise NoData(
            f"The run of {workload} under {policy} was not traced, or too much happens in a slice for a picture."
        )
    return draw_panels([Panel("", read_window(folder, chosen))])


def draw_panels(shown: Sequence[Panel]) -> Any:
    """Draw windows one above the other; see :func:`concurrent_gang_figure`."""
    found: list[Row] = []
    paints = paints_of([panel.window for panel in shown])
    for number, panel in enumerate(shown):
        found += rows_of_window(panel.window, paints, number)
        found += barrier_rows(panel.window, number) if panel.barriers else []
        found += [
            {
                "part": "remark", "panel": number, "begin": at(panel.window, remark.at_ns), "text": str(remark.number),
                "low": remark.processor + LANE[0] + 0.1,
            }
            for remark in panel.remarks
        ]  # fmt: skip
    stacked = [lanes(panel, number, number == len(shown) - 1) for number, panel in enumerate(shown)]
    first = shown[0].window
    return titled(
        parts.one_above_the_other(stacked).properties(spacing={"row": 12, "column": 0}),
        found,
        begin=f"{us_to_seconds(first.begin_us):,.6g}",
        length=f"{us_to_seconds(first.end_us - first.begin_us) * 1000:,.4g}",
        jobs=first.allocations["job"].n_unique(),
        processors=first.processors,
        slices=first.slices["begin_ns"].n_unique(),
    )


def lanes(panel: Panel, number: int, last: bool) -> Any:
    """Return the lanes of a window: owners, what runs, disks, slices, remarks."""
    window = panel.window
    count = window.processors
    height = min(LANE_HEIGHT * (count + HEAD), MOST_HEIGHT)
    length = at(window, window.end_ns)
    title = "Time since the window began (ms)" if window.begin_us else "Time (ms)"
    axis = alt.Axis(title=title if last else None, labels=last, ticks=last, domain=last, grid=False, tickCount=10)
    across = alt.Scale(domain=[0, length], nice=False, zero=False)
    every = -(-11 * count // round(height))
    named = alt.Axis(title="Processor", values=[p + 0.42 for p in range(0, count, every)], labelExpr="floor(datum.value)",
                     grid=False, ticks=False, domain=False, minExtent=parts.AXIS_WIDTH)  # fmt: skip
    down = alt.Scale(domain=[count, -HEAD], nice=False, zero=False)
    x, y = alt.X("begin:Q", scale=across, axis=axis), alt.Y("low:Q", scale=down, axis=named)
    wide = {"x": x, "x2": "end:Q", "y": y, "y2": "high:Q"}
    paint = alt.Color("colour:N", scale=None)
    told = tips(("job", "Job"), ("task", "Task"), ("does", "Does"), ("by", "Chosen by"), ("processor", "Processor"),
                ("begin", "From (ms)", ".6~r"), ("end", "To (ms)", ".6~r"))  # fmt: skip
    served = tips(("job", "Disk serves job"), ("task", "Task"), ("begin", "From (ms)", ".6~r"), ("end", "To (ms)", ".6~r"),
                  ("waits", "Waited (ms)", ".4~r"))  # fmt: skip

    def part(name: str) -> alt.Chart:
        return parts.rows_of(name, number)

    words = parts.numbers(part("turn"), ("low", "high"), across, down, parts.fits("text"))
    slices = part("slice")
    middle = slices.transform_calculate(middle="(datum.begin + datum.end) / 2", word=parts.fits("text"))
    heads = middle.mark_text(fontSize=10).encode(
        x=alt.X("middle:Q", scale=across), y=alt.Y(datum=-HEAD / 2 - 0.05, scale=down), text="word:N"
    )  # fmt: skip
    dot = alt.Y("low:Q", scale=down)
    layers = [
        part("owner").mark_rect(opacity=0.24).encode(**wide, color=paint),
        part("blocked").mark_rule(strokeDash=[1.5, 3], strokeWidth=1.4).encode(x=x, x2="end:Q", y=y, color=paint),
        part("compute").mark_rect().encode(**wide, color=paint, tooltip=told),
        part("message").mark_rect().encode(**wide, color=paint, tooltip=told),
        part("message").mark_rect(style="filled", strokeWidth=0, opacity=0.5).encode(**wide, tooltip=told),
        part("spin").mark_rect(opacity=0.12).encode(**wide, color=paint, tooltip=told),
        part("stripe").mark_rule(strokeWidth=1.3).encode(**wide, color=paint),
        part("switch").mark_rect(color=NEUTRAL).encode(**wide, tooltip=told),
        part("turn").mark_rect(style="papered", fillOpacity=0, strokeWidth=0.8).encode(**wide),
        part("disk").mark_rect(style="papered", strokeWidth=0.3).encode(**wide, color=paint, tooltip=served),
        part("barrier")
        .mark_rule(style="inked", strokeWidth=1.1, opacity=0.85)
        .encode(
            x=x, y=y, y2="high:Q", tooltip=tips(("job", "Job"), ("number", "Barrier"), ("begin", "Passed (ms)", ".6~r"))
        ),
        *words,
        slices.mark_rule(style="inked", strokeWidth=0.8, opacity=0.7).encode(x=x),
        heads,
        part("remark").mark_point(shape="circle", size=135, filled=True, color=REMARK, opacity=1).encode(x=x, y=dot),
        part("remark").mark_text(fontSize=9, fontWeight="bold", color="#ffffff").encode(x=x, y=dot, text="text:N"),
    ]
    chart = alt.layer(*layers).properties(height=round(height))
    if not panel.title:
        return chart
    return chart.properties(title=alt.Title(panel.title, subtitle=panel.below, subtitlePadding=2))
