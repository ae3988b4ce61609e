"""The matrix diagram as a figure: worked examples for studies, in the matrix or as time slices.

A figure file draws one with :func:`matrix_figure`; :func:`draw_matrix` draws any
:class:`~reports.families.gang.diagram.MatrixWindow`, for example of a schedule made by hand for a text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import altair as alt
import polars as pl

from reports.diagrams.allocations import AllocationWindow, is_of, rectangles_of, runs_beside
from reports.diagrams.windows import COLOURS, colour_jobs, telling_window
from reports.draw.charts import NoData, Row, panels, tips, titled
from reports.draw.theme import ACCENT, NEUTRAL
from reports.families.gang.diagram import (
    MatrixWindow,
    level_changes,
    pieces,
    read_matrix,
    telling_stretch,
    time_slices,
)
from reports.families.gang.layout import gathered
from scheduler_core.common.errors import SlotwiseError
from scheduler_core.common.units import us_to_seconds

if TYPE_CHECKING:
    import duckdb

CLASSES = {"short": "#56b4e9", "medium": "#d98c00", "long": "#8f6bb8"}
KINDS = {"rigid": "#8a93a0", "moldable": "#56b4e9", "malleable": "#2f9e6e"}
COLOURED_BY = {"job": {}, "class": CLASSES, "flexibility": KINDS}
"""What colour may say, with the colours of its words."""

UNITS = ((600.0, 1.0, "s"), (10_800.0, 60.0, "min"), (float("inf"), 3600.0, "h"))
"""Unit of the time axis by the length shown: up to so many seconds, divisor, name."""

WIDTH = 600
"""Width in print, in pixels, by which it is decided which rectangles have room for a job's number."""
MOST_RECTANGLES = 2500
PRINTED = 90
"""Allocations a window for print should have where none is chosen."""
FAR = 20
"""A window that begins later than so many of its lengths has a time axis of its own."""
MACHINE_HEIGHT = 260
AXIS_WIDTH = 34
"""Room for the labels of a vertical axis, the same for every part of a picture, in pixels."""


def matrix_figure(
    connection: duckdb.DuckDBPyConnection,
    workload: str,
    policy: str,
    mode: str = "matrix",
    window: tuple[int, int] | None = None,
    colour: str = "job",
    gather: bool = False,
) -> Any:
    """Draw a window of a run of the store, replication 0.

    Parameters
    ----------
    connection
        The store; the run is read from ``runs/`` beside it.
    workload, policy
        Ids of the run.
    mode
        ``matrix`` (a band per slot) or ``time slices`` (slice after slice, for some cycles).
    window
        Begin and end in microseconds; None chooses one that shows something.
    colour
        ``job``, ``class`` or ``flexibility``.
    gather
        Whether jobs are drawn in one piece where possible, giving up the processors' numbers
        (:func:`reports.families.gang.layout.gathered`); say so in the caption.

    Returns
    -------
    chart
        Its caption may use ``{begin}``, ``{length}``, ``{jobs}``, ``{slots}`` and ``{processors}``.

    Raises
    ------
    NoData
        When the run is not there, is none of gang scheduling, has nothing in the window, or has no slices to draw as time slices.
    """
    folder = runs_beside(connection) / workload / policy
    if not is_of(folder, "gang"):
        raise NoData(f"There is no run of gang scheduling of {workload} under {policy}.")
    chosen = window or telling_window([folder], level_changes, wanted=PRINTED)
    if chosen is None:
        raise NoData("No job ran.")
    matrix = read_matrix(folder, *chosen)
    matrix = gathered(matrix) if gather else matrix
    numbers = colour_jobs([matrix])
    if window is None and mode == "time slices":
        matrix = matrix.cut(*telling_stretch(matrix))
    return draw_matrix(matrix, mode, colour, numbers)


def draw_matrix(
    matrix: MatrixWindow, mode: str = "matrix", colour: str = "job", numbers: dict[int, int] | None = None
) -> Any:
    """Draw a matrix; see :func:`matrix_figure` for ``mode`` and ``colour``, and for what the caption may use.

    ``numbers`` are the colours of the jobs (:func:`~reports.diagrams.windows.colour_jobs`), for pictures that must agree.

    Raises
    ------
    NoData
        When nothing runs in the window, more than a picture can show, or the policy has no slices to draw as time slices.
    """
    if mode not in ("matrix", "time slices") or colour not in COLOURED_BY:
        raise SlotwiseError(
            f"a matrix diagram has the modes matrix and time slices, and colours {', '.join(COLOURED_BY)}; found {mode}, {colour}"
        )
    if not matrix.allocations.height:
        raise NoData("No job runs in the window.")
    paints = paints_of(matrix, colour, colour_jobs([matrix]) if numbers is None else numbers)
    try:
        found = matrix_rows(matrix, paints) if mode == "matrix" else time_slice_rows(matrix, paints)
    except SlotwiseError as reason:
        raise NoData(f"{str(reason)[:1].upper()}{str(reason)[1:]}.") from reason
    if len(found) > MOST_RECTANGLES:
        raise NoData(f"The window has more rectangles than a printed picture can show ({len(found)}).")
    parts = matrix_parts(matrix, found, colour) if mode == "matrix" else time_slice_parts(matrix, colour)
    chart = panels(parts, columns=1).properties(spacing={"row": 6, "column": 0})
    if colour != "job":
        chart = chart.resolve_scale(color="shared")
    divisor, name = unit_of(matrix)
    scale, unit = (3600.0, "h") if origin_of(matrix) else (divisor, name)
    return titled(
        chart,
        found,
        begin=f"{us_to_seconds(matrix.begin_us) / scale:,.6g} {unit}",
        length=f"{us_to_seconds(matrix.end_us - matrix.begin_us) / divisor:,.4g} {name}",
        jobs=matrix.jobs.height,
        slots=matrix.slots,
        processors=matrix.processors,
    )


def unit_of(matrix: AllocationWindow) -> tuple[float, str]:
    """Return divisor (of seconds) and name of the unit of the time axis."""
    length = us_to_seconds(matrix.end_us - matrix.begin_us)
    return next((divisor, name) for most, divisor, name in UNITS if length <= most)


def paints_of(matrix: MatrixWindow, colour: str, numbers: dict[int, int]) -> dict[int, str]:
    """Return the colour of each job."""
    if colour == "job":
        return {job: COLOURS[numbers[job]] for job in matrix.jobs["job"].to_list()}
    words = matrix.jobs.select("job", pl.col(colour).cast(pl.String)).rows()
    return {job: COLOURED_BY[colour].get(word, NEUTRAL) for job, word in words}


def origin_of(matrix: MatrixWindow) -> int:
    """Return the time the axis counts from: the first submission, or the window's begin where that is far away."""
    far = matrix.begin_us > FAR * (matrix.end_us - matrix.begin_us)
    return matrix.begin_us if far else 0


def shown_time(matrix: MatrixWindow, at_us: int) -> float:
    """Return a time as the axis shows it."""
    divisor, _ = unit_of(matrix)
    return round(us_to_seconds(at_us - origin_of(matrix)) / divisor, 6)


def job_rows(
    matrix: MatrixWindow, drawn: pl.DataFrame, paints: dict[int, str], heights: tuple[float, float]
) -> list[Row]:
    """Return the rows of the rectangles of jobs.

    ``drawn`` has ``allocation, row, begin_us, end_us, first, last``; ``heights`` are the height in pixels of a picture's
    machine, and the least of a rectangle with a number.
    """
    divisor, _ = unit_of(matrix)
    span = matrix.end_us - matrix.begin_us
    facts = matrix.allocations.with_row_index("allocation").join(matrix.jobs, on="job", how="left")
    scaled = 1e6 * divisor
    joined = drawn.join(
        facts.with_columns(pl.col("allocation").cast(pl.Int64)).drop("begin_us", "end_us", "slot"),
        on="allocation",
        how="left",
    ).sort("row", "begin_us", "first")
    found = []
    for row in joined.iter_rows(named=True):
        wide = (row["end_us"] - row["begin_us"]) / span * WIDTH
        tall = (row["last"] - row["first"]) / matrix.processors * heights[0]
        text = str(row["job"]) if wide > 10 + 8 * len(str(row["job"])) and tall > heights[1] else ""
        paint = paints[row["job"]]
        resized = row["change"] if row["first"] == row["runs"][0] and wide > 14 else 0
        sizes = row["size_min"], row["size"], row["size_max"]
        found.append({
            "part": "job", "slot": row["row"], "job": row["job"], "class": row["class"] or "not stated",
            "flexibility": row["flexibility"], "begin": shown_time(matrix, row["begin_us"]),
            "end": shown_time(matrix, row["end_us"]), "first": row["first"], "last": row["last"],
            "size": row["processors"], "sizes": "/".join(map(str, sizes)), "rate": round(row["rate"], 4),
            "wait": round((row["start_us"] - row["submit_us"]) / scaled, 6),
            "finish": shown_time(matrix, row["finish_us"]), "change": resized, "text": text, "small": tall < 7 or wide < 7,
            "colour": paint, "ink": "dark" if luminance(paint) > 0.22 else "light",
        })  # fmt: skip
    return found


def luminance(colour: str) -> float:
    """Return the relative luminance of a colour ``#rrggbb``."""
    red, green, blue = (int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5))
    return float(0.2126 * red**2.2 + 0.7152 * green**2.2 + 0.0722 * blue**2.2)


def phase_rows(matrix: MatrixWindow) -> list[Row]:
    """Return the rows of the level line, and of the slots there are (their idle processors show)."""
    found: list[Row] = []
    for phase in matrix.phases:
        edges = {"begin": shown_time(matrix, phase.begin_us), "end": shown_time(matrix, phase.end_us)}
        found.append({"part": "level", **edges, "level": phase.level})
        found += [{"part": "idle", "slot": slot, **edges} for slot in phase.slots]
    return found


def matrix_rows(matrix: MatrixWindow, paints: dict[int, str]) -> list[Row]:
    """Return all rows of the matrix."""
    drawn = rectangles_of(matrix)
    if drawn.height > MOST_RECTANGLES:
        raise SlotwiseError(f"the window has {drawn.height} rectangles, more than a printed picture can show")
    return [*phase_rows(matrix), *job_rows(matrix, drawn, paints, (band_height(matrix), 10))]


def time_slice_rows(matrix: MatrixWindow, paints: dict[int, str]) -> list[Row]:
    """Return all rows of the time slices: the slices, the switches before them, and what runs in them."""
    taken = time_slices(matrix, matrix.begin_us, matrix.end_us)
    rectangles = rectangles_of(matrix).select("allocation", "row", "first", "last")
    drawn = pieces(matrix, taken).join(rectangles, on="allocation").rename({"from_us": "begin_us", "to_us": "end_us"})
    found = [row for row in phase_rows(matrix) if row["part"] == "level"]
    for one in taken:
        edges = {"begin": shown_time(matrix, one.begin_us), "end": shown_time(matrix, one.end_us)}
        found.append({"part": "time_slice", "slot": one.slot, **edges, "text": str(one.slot), "place": one.place})
        if one.work_us > one.begin_us:
            found.append({"part": "switch", **edges, "end": shown_time(matrix, one.work_us)})
    return [*found, *job_rows(matrix, drawn, paints, (MACHINE_HEIGHT, 10))]


def band_height(matrix: MatrixWindow) -> int:
    """Return the height of a slot's band in pixels."""
    return max(44, min(120, 420 // matrix.slots))


def matrix_parts(matrix: MatrixWindow, found: list[Row], colour: str) -> list[Any]:
    """Return the level line and a band per slot, one above the other on one time axis."""
    bands = []
    resized = any(row.get("change") for row in found)
    for slot in range(matrix.slots):
        own = f"datum.slot == {slot}"
        y = processor_axis(matrix, f"Slot {slot}", [0, matrix.processors])
        x = time_axis(matrix, shown=slot == matrix.slots - 1)
        idle = alt.Chart().transform_filter(f"datum.part == 'idle' && {own}").mark_rect(color=NEUTRAL, opacity=0.25)
        idle = idle.encode(x=x, x2="end:Q", y=alt.value(0), y2=alt.value(band_height(matrix)))
        layers = [idle, *job_layers(matrix, colour, f"datum.part == 'job' && {own}", x, y)]
        if resized:
            layers += [arrows(own, x, y, grew) for grew in (True, False)]
        bands.append(alt.layer(*layers).properties(height=band_height(matrix)))
    return [level_part(matrix), *bands]


def time_slice_parts(matrix: MatrixWindow, colour: str) -> list[Any]:
    """Return the level line, the slots' numbers and the slices, one above the other on one time axis."""
    x, hidden = time_axis(matrix), time_axis(matrix, shown=False)
    y = processor_axis(matrix, "Processors", None)
    numbers = alt.Chart().transform_filter("datum.part == 'time_slice'")
    boxes = numbers.mark_rect(color=NEUTRAL, opacity=0.25, stroke="#ffffff").encode(
        x=hidden, x2="end:Q", y=alt.value(0), y2=alt.value(16)
    )
    middle = numbers.transform_calculate(middle="(datum.begin + datum.end) / 2")
    words = middle.mark_text(fontSize=9).encode(
        x=alt.X("middle:Q", scale=time_scale(matrix), title=None), y=alt.value(8), text="text:N"
    )
    title = alt.Chart().transform_filter("datum.part == 'level'").mark_point(opacity=0, size=0)
    strip = alt.layer(
        boxes,
        words,
        title.encode(x=hidden, y=alt.Y("slot:N", title="Slot", axis=alt.Axis(labels=False, minExtent=AXIS_WIDTH))),
    )
    ground = numbers.mark_rect(color=NEUTRAL, opacity=0.25).encode(
        x=x, x2="end:Q", y=alt.value(0), y2=alt.value(MACHINE_HEIGHT)
    )
    switch = alt.Chart().transform_filter("datum.part == 'switch'").mark_rect(color="#444c57")
    switch = switch.encode(x=x, x2="end:Q", y=alt.value(0), y2=alt.value(MACHINE_HEIGHT))
    width = alt.when("datum.place == 0").then(alt.value(1.8)).otherwise(alt.value(0.6))
    edges = numbers.mark_rule(color="#1d2430").encode(x=x, strokeWidth=width)
    blocks = job_layers(matrix, colour, "datum.part == 'job'", x, y)
    slices = alt.layer(ground, switch, *blocks, edges).properties(height=MACHINE_HEIGHT)
    return [level_part(matrix), strip.properties(height=16), slices]


def level_part(matrix: MatrixWindow) -> Any:
    """Return the level as a step line."""
    x = time_axis(matrix, shown=False)
    most = max([2, *(phase.level for phase in matrix.phases)])
    axis = alt.Axis(title="Level", values=[0, most], grid=False, format="d", minExtent=AXIS_WIDTH)
    y = alt.Y("level:Q", scale=alt.Scale(domain=[0, most], nice=False), axis=axis)
    base = alt.Chart().transform_filter("datum.part == 'level'")
    area = base.mark_rect(color=ACCENT, opacity=0.14).encode(x=x, x2="end:Q", y=y, y2=alt.datum(0))
    line = base.mark_rule(color=ACCENT, strokeWidth=2).encode(x=x, x2="end:Q", y=y)
    return alt.layer(area, line).properties(height=36)


def job_layers(matrix: MatrixWindow, colour: str, own: str, x: alt.X, y: alt.Y) -> list[Any]:
    """Return the jobs as rectangles, with their numbers where there is room."""
    _, unit = unit_of(matrix)
    if colour == "job":
        paint = alt.Color("colour:N", scale=None)
    else:
        known = {word: shade for word, shade in COLOURED_BY[colour].items() if word in used_words(matrix, colour)}
        known |= {"not stated": NEUTRAL} if "not stated" in used_words(matrix, colour) else {}
        scale = alt.Scale(domain=[*known], range=[*known.values()])
        paint = alt.Color(f"{colour}:N", scale=scale, title=colour.capitalize())
    hover = tips(
        ("job", "Job"), ("class", "Class"), ("flexibility", "Flexibility"), ("size", "Processors"),
        ("sizes", "Least/optimum/most"), ("slot", "Slot"), ("rate", "Rate in its time slices"),
        ("wait", f"Waited ({unit})", ".4~r"), ("finish", f"Finishes ({unit})", ".5~r"),
    )  # fmt: skip
    base = alt.Chart().transform_filter(own)
    edge = alt.when("datum.small").then(alt.value(0.25)).otherwise(alt.value(0.8))
    rectangles = base.mark_rect(stroke="#ffffff").encode(
        x=x, x2="end:Q", y=y, y2="last:Q", color=paint, strokeWidth=edge, tooltip=hover
    )
    middle = base.transform_calculate(middle="(datum.begin + datum.end) / 2", height="(datum.first + datum.last) / 2")
    scale = alt.Scale(domain=[0, matrix.processors], nice=False)
    words = [
        middle.transform_filter(f"datum.text != '' && datum.ink == '{ink}'")
        .mark_text(fontSize=9, color=shade)
        .encode(x=alt.X("middle:Q", scale=time_scale(matrix)), y=alt.Y("height:Q", scale=scale), text="text:N")
        for ink, shade in (("dark", "#10151d"), ("light", "#ffffff"))
    ]
    return [rectangles, *words]


def used_words(matrix: MatrixWindow, colour: str) -> set[str]:
    """List the classes or flexibilities that occur."""
    return {word or "not stated" for word in matrix.jobs[colour].cast(pl.String).to_list()}


def arrows(own: str, x: alt.X, y: alt.Y, grew: bool) -> Any:
    """Mark the jobs that grew (up) or shrank (down) where they did so."""
    which = "datum.change > 0" if grew else "datum.change < 0"
    base = alt.Chart().transform_filter(f"datum.part == 'job' && {own} && {which}")
    shape = "triangle-up" if grew else "triangle-down"
    return base.mark_point(
        shape=shape, size=30, filled=True, color="#10151d", stroke="#ffffff", strokeWidth=1, xOffset=6, yOffset=-7
    ).encode(x=x, y=y)


def time_scale(matrix: MatrixWindow) -> alt.Scale:
    """Return the one scale of all parts of a picture."""
    edges = [shown_time(matrix, edge) for edge in (matrix.begin_us, matrix.end_us)]
    return alt.Scale(domain=edges, nice=False, zero=False)


def time_axis(matrix: MatrixWindow, shown: bool = True) -> alt.X:
    """Return the time axis; only the lowest part of a picture shows it."""
    _, unit = unit_of(matrix)
    since = "the first submission"
    if origin_of(matrix):
        since = f"{us_to_seconds(matrix.begin_us) / 3600:,.3f} h after {since}"
    axis = alt.Axis(title=f"Time since {since} ({unit})" if shown else None, labels=shown, ticks=shown,
                    grid=False, domain=shown, tickCount=10)  # fmt: skip
    return alt.X("begin:Q", scale=time_scale(matrix), axis=axis)


def processor_axis(matrix: MatrixWindow, title: str, values: list[int] | None) -> alt.Y:
    """Return the axis of processors."""
    ticks: dict[str, Any] = {"tickCount": 5} if values is None else {"values": values}
    axis = alt.Axis(title=title, grid=False, minExtent=AXIS_WIDTH, **ticks)
    return alt.Y("first:Q", scale=alt.Scale(domain=[0, matrix.processors], nice=False), axis=axis)
