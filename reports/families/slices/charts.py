"""The diagram of slices as a figure: worked examples of a study, and windows of its runs."""

from typing import Any

import altair as alt
import duckdb
import polars as pl

from reports.diagrams import parts
from reports.diagrams.clock import Clock, clock_of
from reports.draw.charts import Row, tips, titled
from reports.draw.theme import NEUTRAL
from reports.families.slices.diagram import SlicesWindow, group_changes, read_window
from reports.families.slices.rows import HEIGHT, rows_of_window


def slices_figure(
    connection: duckdb.DuckDBPyConnection,
    workload: str,
    policy: str,
    window: tuple[int, int] | None = None,
    zero: tuple[int, str] | None = None,
) -> Any:
    """Draw a window of a run of the store, replication 0, from ``begin`` to ``end`` in microseconds.

    Without ``window``, a telling one is chosen; ``(0, 0)`` takes the whole schedule. ``zero`` is the moment at which the time
    axis is 0, in microseconds, and its name; without it, the first submission. The caption may use ``{begin}``, ``{length}``,
    ``{jobs}``, ``{processors}``, ``{slices}`` and ``{groups}``. Raises :class:`NoData` when the run is not there or has no
    slices, or its window is empty or too full for a picture.
    """
    folder = parts.run_of(connection, workload, policy, "slices")
    return draw_window(parts.window_of_run(folder, window, group_changes, read_window), zero)


def draw_window(window: SlicesWindow, zero: tuple[int, str] | None = None) -> Any:
    """Draw a window; see :func:`slices_figure`."""
    clock = clock_of(window, zero)
    found = rows_of_window(window, clock)
    groups = [group_part(clock, found)] if window.groups.height else []
    stacked = [waiting_part(window, clock), *groups, letter_part(clock), machine_part(window, clock)]
    chart = parts.one_above_the_other(stacked).properties(spacing={"row": 5, "column": 0}).resolve_scale(color="shared")
    return titled(
        chart,
        found,
        **clock.caption(),
        jobs=window.allocations["job"].n_unique(),
        processors=window.processors,
        slices=window.slices.height,
        groups=window.groups.height,
    )


def waiting_part(window: SlicesWindow, clock: Clock) -> Any:
    """Return the queue as a strip."""
    most = max(1, window.waiting.select(pl.sum_horizontal("short", "medium", "long").max()).item() or 0)
    axis = alt.Axis(title="Waiting", values=[0, most], format="d", grid=False, minExtent=parts.AXIS_WIDTH)
    y = alt.Y("low:Q", scale=alt.Scale(domain=[0, most], nice=False), axis=axis)
    hover = tips(("class", "Class"), ("waiting", "Waiting jobs", "d"), ("numbers", "All that wait"),
                 ("begin", f"From ({clock.unit})"), ("end", f"To ({clock.unit})"))  # fmt: skip
    base = parts.rows_of("waiting", 0)
    return (
        base.mark_rect()
        .encode(x=clock.axis(), x2="end:Q", y=y, y2="high:Q", color=class_colour(), tooltip=hover)
        .properties(height=40)
    )


def class_colour() -> alt.Color:
    """Encode the class as colour; every part has the same legend."""
    return parts.shades(parts.CLASSES, "class", "Class")


def strip_title(clock: Clock, title: str) -> Any:
    """Return an invisible mark whose axis carries a strip's title."""
    axis = alt.Axis(labels=False, ticks=False, domain=False, minExtent=parts.AXIS_WIDTH, titleAngle=0, titleAlign="right",
                    titleBaseline="middle", titlePadding=4)  # fmt: skip
    base = parts.rows_of("slice", 0).transform_calculate(strip="''")
    return base.mark_point(opacity=0, size=0).encode(x=clock.axis(), y=alt.Y("strip:N", title=title, axis=axis))


def group_part(clock: Clock, found: list[Row]) -> Any:
    """Return the groups as bars from formation to end, with an arrow at either that lies in the window."""
    base = parts.rows_of("group", 0)
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
        word=parts.fits("text", "brief", "number"),
    )
    words = middle.mark_text(fontSize=9).encode(
        x=alt.X("middle:Q", scale=clock.scale, axis=None), y=alt.Y("half:Q", scale=None, axis=None), text="word:N"
    )
    lanes = [row["lane"] for row in found if row["part"] == "group"]
    height = (max(lanes) + 1) * (tall + 2) - 2
    return alt.layer(bars, words, strip_title(clock, "Group")).resolve_scale(y="independent").properties(height=height)


def letter_part(clock: Clock) -> Any:
    """Return the slices' letters."""
    base = parts.rows_of("slice", 0)
    hover = tips(("class", "Slice of class"), ("begin", f"Begins ({clock.unit})"), ("end", f"Ends ({clock.unit})"))
    boxes = base.mark_rect(style="papered", fillOpacity=0.6).encode(
        x=clock.axis(), x2="end:Q", y=alt.value(0), y2=alt.value(16), color=class_colour(), tooltip=hover
    )
    room = f"datum.share * {parts.ROOM} > 5.5 ? datum.text : ''"
    middle = base.transform_calculate(middle="(datum.begin + datum.end) / 2", word=room)
    words = middle.mark_text(fontSize=10, fontWeight="bold").encode(
        x=alt.X("middle:Q", scale=clock.scale, title=None), y=alt.value(8.5), text="word:N"
    )
    return alt.layer(boxes, words, strip_title(clock, "Slice")).properties(height=16)


def machine_part(window: SlicesWindow, clock: Clock, panel: int = 0, height: int = HEIGHT) -> Any:
    """Return the machine: whose slice it is as a tint, switching in grey, the jobs, ends of slices, begin and end of groups."""
    x = clock.axis(shown=True)
    slices = parts.rows_of("slice", panel)
    tall = {"y": alt.value(0), "y2": alt.value(height)}
    grounds = [
        slices.transform_filter(f"datum.class == '{kind}'").mark_rect(color=paint, opacity=0.13).encode(x=x, x2="end:Q", **tall)
        for kind, paint in parts.CLASSES.items()
    ]  # fmt: skip
    switch = parts.rows_of("switch", panel).mark_rect(color=NEUTRAL, opacity=0.75)
    edges = slices.transform_filter("datum.ends").mark_rule(
        style="inked", strokeWidth=1, strokeDash=[2, 2], opacity=0.75
    )
    layers = [*grounds, switch.encode(x=x, x2="end:Q", **tall), *job_layers(window, clock, x, panel)]
    layers.append(edges.encode(x=alt.X("end:Q", scale=clock.scale), **tall))
    groups = parts.rows_of("group", panel)
    for edge, inside in (("begin", "formed"), ("end", "ended")) if window.groups.height else ():
        own = groups.transform_filter(f"datum.{inside}")
        at = alt.X(f"{edge}:Q", scale=clock.scale)
        layers.append(own.mark_rule(style="inked", strokeWidth=2).encode(x=at, **tall))
        arrow = own.mark_point(shape="triangle-down", size=90, style="filled", filled=True, opacity=1, yOffset=5)
        layers.append(arrow.encode(x=at, y=alt.value(0)))
    return alt.layer(*layers).properties(height=height)


def job_layers(window: SlicesWindow, clock: Clock, x: alt.X, panel: int) -> list[Any]:
    """Return the jobs as rectangles, those of groups with a dark edge, with their numbers where there is room."""
    y = parts.processor_axis("Processors", window.processors)
    unit = clock.unit
    hover = tips(
        ("job", "Job"), ("class", "Class"), ("size", "Processors"), ("slice", "In the slice of class"), ("lent", "Lent"),
        ("plan", "Plan"), ("submitted", f"Submitted ({unit})", ".5~r"), ("wait", f"Waited ({unit})", ".4~r"),
        ("begin", f"From ({unit})", ".5~r"), ("end", f"To ({unit})", ".5~r"), ("finish", f"Finishes ({unit})", ".5~r"),
    )  # fmt: skip
    base = parts.rows_of("job", panel)
    blocks = parts.framed(base, "planned", x=x, y=y, color=alt.Color("colour:N", scale=None), tooltip=hover)
    return [*blocks, *parts.numbers(base, ("first", "last"), clock.scale, y["scale"], parts.fits("text"))]
