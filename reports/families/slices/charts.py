"""The diagram of slices as a figure: worked examples of a study, and windows of its runs.

A figure file draws one with :func:`slice_figure`; :func:`draw_slices` draws any
:class:`~reports.families.slices.diagram.SliceWindow`, for example of a schedule made by hand for a text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import altair as alt
import polars as pl

from reports.diagrams.allocations import is_of, runs_beside
from reports.diagrams.clock import Clock
from reports.diagrams.windows import telling_window
from reports.draw.charts import NoData, Row, panels, tips, titled
from reports.draw.theme import NEUTRAL
from reports.families.gang.charts import AXIS_WIDTH, CLASSES, PRINTED, WIDTH
from reports.families.slices.diagram import SliceWindow, group_changes, read_slices
from reports.families.slices.rows import HEIGHT, rows_of_window
from scheduler_core.common.errors import SlotwiseError
from scheduler_core.common.units import us_to_seconds

if TYPE_CHECKING:
    import duckdb

ROOM = "panel_width"
"""The parameter of a chart that has the width of the panels; the report's page sets it to what there is."""
MARGIN, DIGIT = 4, 6.3
"""Room a word needs beside its letters, and a letter, in pixels."""


def slice_figure(
    connection: duckdb.DuckDBPyConnection,
    workload: str,
    policy: str,
    window: tuple[int, int] | None = None,
    colour: str = "class",
    zero: tuple[int, str] | None = None,
) -> Any:
    """Draw a window of a run of the store, replication 0.

    Parameters
    ----------
    connection
        The store; the run is read from ``runs/`` beside it.
    workload, policy
        Ids of the run.
    window
        Begin and end in microseconds; None chooses one that shows something, ``(0, 0)`` takes the whole schedule.
    colour
        ``class`` (similar shades for the jobs of a class) or ``job``.
    zero
        Where the time axis has its zero, in microseconds, and what that moment is; None: the first submission.

    Returns
    -------
    chart
        Its caption may use ``{begin}``, ``{length}``, ``{jobs}``, ``{processors}``, ``{slices}`` and ``{groups}``.

    Raises
    ------
    NoData
        When the run is not there, has no slices, or nothing in the window, or too much for a picture.
    """
    folder = runs_beside(connection) / workload / policy
    if not is_of(folder, "slices"):
        raise NoData(f"There is no run of {workload} under {policy} with slices.")
    chosen = telling_window([folder], group_changes, wanted=PRINTED) if window is None else window
    if chosen == (0, 0):
        chosen = 0, last_finish(folder)
    if chosen is None or chosen[1] <= chosen[0]:
        raise NoData("No job ran.")
    return draw_slices(read_slices(folder, *chosen), colour, zero)


def last_finish(folder: Any) -> int:
    """Return when the last job of replication 0 finishes; 0 when none does."""
    jobs = pl.scan_parquet(folder / "jobs.parquet").filter(pl.col("replication") == 0)
    return int(jobs.select(pl.col("finish_us").max()).collect().item() or 0)


def draw_slices(window: SliceWindow, colour: str = "class", zero: tuple[int, str] | None = None) -> Any:
    """Draw a window of slices; see :func:`slice_figure`, also for what the caption may use.

    Raises
    ------
    NoData
        When nothing runs in the window, or more than a picture can show.
    """
    if colour not in ("class", "job"):
        raise SlotwiseError(f"a diagram of slices has the colours class and job; found {colour}")
    if not window.allocations.height:
        raise NoData("No job runs in the window.")
    clock = Clock(window, zero)
    found = rows_of_window(window, clock, colour)
    parts = [waiting_part(window, clock), *([group_part(clock, found)] if window.groups.height else []), letter_part(clock),
             machine_part(window, clock)]  # fmt: skip
    chart = one_above_the_other(parts).properties(spacing={"row": 5, "column": 0}).resolve_scale(color="shared")
    return titled(
        chart,
        found,
        begin=f"{us_to_seconds(window.begin_us) / clock.far_unit[0]:,.6g} {clock.far_unit[1]}",
        length=f"{us_to_seconds(window.end_us - window.begin_us) / clock.divisor:,.4g} {clock.unit}",
        jobs=window.allocations["job"].n_unique(),
        processors=window.processors,
        slices=window.slices.height,
        groups=window.groups.height,
    )


def one_above_the_other(parts: list[Any]) -> Any:
    """Set parts of a picture on one time axis; they may ask for their width (:func:`fits`)."""
    return panels(parts, columns=1).properties(params=[alt.VariableParameter(name=ROOM, value=WIDTH)])


def rows_of(part: str, panel: int) -> alt.Chart:
    """Return a chart of the rows of one part of one machine."""
    return alt.Chart().transform_filter(f"datum.part == '{part}' && datum.panel == {panel}")


def fits(*texts: str) -> str:
    """Return the expression for the first of some words of a row for which its mark has room, else no word."""
    room = f"datum.share * {ROOM}"
    tries = [f"{room} > {MARGIN} + {DIGIT} * length(datum.{text}) ? datum.{text} : " for text in texts]
    return "".join(tries) + "''"


def waiting_part(window: SliceWindow, clock: Clock, panel: int = 0) -> Any:
    """Return the queue as a strip."""
    most = max(1, window.waiting.select(pl.sum_horizontal("short", "medium", "long").max()).item() or 0)
    axis = alt.Axis(title="Waiting", values=[0, most], format="d", grid=False, minExtent=AXIS_WIDTH)
    y = alt.Y("low:Q", scale=alt.Scale(domain=[0, most], nice=False), axis=axis)
    hover = tips(("class", "Class"), ("waiting", "Waiting jobs", "d"), ("numbers", "All that wait"),
                 ("begin", f"From ({clock.unit})"), ("end", f"To ({clock.unit})"))  # fmt: skip
    base = rows_of("waiting", panel)
    return (
        base.mark_rect()
        .encode(x=clock.axis(), x2="end:Q", y=y, y2="high:Q", color=class_colour(), tooltip=hover)
        .properties(height=40)
    )


def class_colour() -> alt.Color:
    """Encode the class as colour; every part has the same legend."""
    scale = alt.Scale(domain=list(CLASSES), range=list(CLASSES.values()))
    return alt.Color(
        "class:N",
        scale=scale,
        title="Class",
        legend=alt.Legend(symbolType="square", symbolOpacity=1, symbolStrokeWidth=0),
    )


def strip_axis(title: str) -> alt.Y:
    """Return an axis that only says what a strip is."""
    return alt.Y("strip:N", title=title, axis=alt.Axis(labels=False, ticks=False, domain=False, minExtent=AXIS_WIDTH,
                 titleAngle=0, titleAlign="right", titleBaseline="middle", titlePadding=4))  # fmt: skip


def strip_title(clock: Clock, title: str, panel: int) -> Any:
    """Return an invisible mark that carries a strip's title."""
    base = rows_of("slice", panel).transform_calculate(strip="''")
    return base.mark_point(opacity=0, size=0).encode(x=clock.axis(), y=strip_axis(title))


def group_part(clock: Clock, found: list[Row], panel: int = 0) -> Any:
    """Return the groups as bars from formation to end, with an arrow at either that lies in the window."""
    base = rows_of("group", panel)
    tall = 16
    low = base.transform_calculate(top=f"datum.lane * {tall + 2}", bottom=f"datum.lane * {tall + 2} + {tall}")
    hover = tips(("group", "Group"), ("class", "Class"), ("members", "Jobs", "d"), ("begin", f"Formed ({clock.unit})"),
                 ("end", f"Ended ({clock.unit})"))  # fmt: skip
    y = alt.Y("top:Q", scale=None, axis=None)
    bars = low.mark_rect(style="inked", strokeWidth=1, fillOpacity=0.35).encode(
        x=clock.axis(), x2="end:Q", y=y, y2=alt.Y2("bottom:Q"), color=class_colour(), tooltip=hover
    )
    middle = low.transform_calculate(
        middle="(datum.begin + datum.end) / 2",
        half="(datum.top + datum.bottom) / 2",
        word=fits("text", "brief", "number"),
    )
    words = middle.mark_text(fontSize=9).encode(
        x=alt.X("middle:Q", scale=clock.scale, axis=None), y=alt.Y("half:Q", scale=None, axis=None), text="word:N"
    )
    lanes = [row["lane"] for row in found if row["part"] == "group"]
    height = (max(lanes) + 1) * (tall + 2) - 2
    return (
        alt.layer(bars, words, strip_title(clock, "Group", panel))
        .resolve_scale(y="independent")
        .properties(height=height)
    )


def letter_part(clock: Clock, panel: int = 0) -> Any:
    """Return the slices' letters."""
    base = rows_of("slice", panel)
    hover = tips(("class", "Slice of class"), ("begin", f"Begins ({clock.unit})"), ("end", f"Ends ({clock.unit})"))
    boxes = base.mark_rect(style="papered", fillOpacity=0.6).encode(
        x=clock.axis(), x2="end:Q", y=alt.value(0), y2=alt.value(16), color=class_colour(), tooltip=hover
    )
    room = f"datum.share * {ROOM} > 5.5 ? datum.text : ''"
    middle = base.transform_calculate(middle="(datum.begin + datum.end) / 2", word=room)
    words = middle.mark_text(fontSize=10, fontWeight="bold").encode(
        x=alt.X("middle:Q", scale=clock.scale, title=None), y=alt.value(8.5), text="word:N"
    )
    return alt.layer(boxes, words, strip_title(clock, "Slice", panel)).properties(height=16)


def machine_part(window: SliceWindow, clock: Clock, panel: int = 0, height: int = HEIGHT) -> Any:
    """Return the machine: whose slice it is as a tint, switching in grey, the jobs, ends of slices, begin and end of groups."""
    x = clock.axis(shown=True)
    slices = rows_of("slice", panel)
    tall = {"y": alt.value(0), "y2": alt.value(height)}
    grounds = [
        slices.transform_filter(f"datum.class == '{kind}'").mark_rect(color=paint, opacity=0.13).encode(x=x, x2="end:Q", **tall)
        for kind, paint in CLASSES.items()
    ]  # fmt: skip
    switch = rows_of("switch", panel).mark_rect(color=NEUTRAL, opacity=0.75)
    edges = slices.transform_filter("datum.ends").mark_rule(
        style="inked", strokeWidth=1, strokeDash=[2, 2], opacity=0.75
    )
    layers = [*grounds, switch.encode(x=x, x2="end:Q", **tall), *job_layers(window, clock, x, panel)]
    layers.append(edges.encode(x=alt.X("end:Q", scale=clock.scale), **tall))
    groups = rows_of("group", panel)
    for edge, inside in (("begin", "formed"), ("end", "ended")) if window.groups.height else ():
        own = groups.transform_filter(f"datum.{inside}")
        at = alt.X(f"{edge}:Q", scale=clock.scale)
        layers.append(own.mark_rule(style="inked", strokeWidth=2).encode(x=at, **tall))
        arrow = own.mark_point(shape="triangle-down", size=90, style="filled", filled=True, opacity=1, yOffset=5)
        layers.append(arrow.encode(x=at, y=alt.value(0)))
    return alt.layer(*layers).properties(height=height)


def job_layers(window: SliceWindow, clock: Clock, x: alt.X, panel: int) -> list[Any]:
    """Return the jobs as rectangles, those of groups with a dark edge, with their numbers where there is room."""
    scale = alt.Scale(domain=[0, window.processors], nice=False)
    y = alt.Y("first:Q", scale=scale, axis=alt.Axis(title="Processors", grid=False, tickCount=5, minExtent=AXIS_WIDTH))
    unit = clock.unit
    hover = tips(
        ("job", "Job"), ("class", "Class"), ("size", "Processors"), ("slice", "In the slice of class"), ("lent", "Lent"),
        ("plan", "Plan"), ("submitted", f"Submitted ({unit})", ".5~r"), ("wait", f"Waited ({unit})", ".4~r"),
        ("begin", f"From ({unit})", ".5~r"), ("end", f"To ({unit})", ".5~r"), ("finish", f"Finishes ({unit})", ".5~r"),
    )  # fmt: skip
    base = rows_of("job", panel)
    paint = alt.Color("colour:N", scale=None)
    thin = alt.when("datum.small").then(alt.value(0.25)).otherwise(alt.value(0.9))
    thick = alt.when("datum.small").then(alt.value(0.6)).otherwise(alt.value(1.8))
    blocks = [
        base.transform_filter(which).mark_rect(style=style).encode(
            x=x, x2="end:Q", y=y, y2="last:Q", color=paint, strokeWidth=width, tooltip=hover
        )
        for which, style, width in (("!datum.planned", "papered", thin), ("datum.planned", "inked", thick))
    ]  # fmt: skip
    middle = base.transform_calculate(
        middle="(datum.begin + datum.end) / 2", height="(datum.first + datum.last) / 2", word=fits("text")
    )
    words = [
        middle.transform_filter(f"datum.word != '' && datum.ink == '{ink}'")
        .mark_text(fontSize=10, color=shade)
        .encode(x=alt.X("middle:Q", scale=clock.scale), y=alt.Y("height:Q", scale=scale), text="word:N")
        for ink, shade in (("dark", "#10151d"), ("light", "#ffffff"))
    ]
    return [*blocks, *words]
