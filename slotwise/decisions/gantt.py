"""Gantt charts of schedules: who holds which processors when."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import altair as alt
import numpy as np
import polars as pl

from reports.draw.drawing import VEGA_LITE
from reports.draw.pdf import canonical
from reports.draw.theme import DEALT, INK, SPARE_COLOURS, config
from scheduler_core.common.errors import ContractError, OutputError
from scheduler_core.common.files import replacing
from scheduler_core.common.units import MICROSECONDS
from scheduler_core.decisions.words import unit_of
from slotwise.decisions.blocks import blocks
from traces.export.numbering import Interval, counted_rows, merged, numbered

if TYPE_CHECKING:
    from scheduler_core.contracts import Schedule

MOST_JOBS = 500
"""The most jobs on one picture; with more, names and edges run together."""

LEAST_WIDTH, LEAST_HEIGHT = 0.05, 0.035
"""Shares of the chart that a rectangle must have for its job's number to be written into it."""

WIDTH, HEIGHT = 640, 320

COLOURS = (*DEALT, *SPARE_COLOURS)

FORMATS = (".svg", ".png", ".pdf")

COLUMNS = 80
"""Columns of a chart in characters, unless the reader's terminal has another width."""


@dataclass(frozen=True)
class Gantt:
    """A Gantt chart: notebooks show it as a picture, ``print`` in characters.

    Parameters
    ----------
    shown
        ``job, start_us, finish_us, first, end``: a row per allocation and run of adjacent processors.
    processors
        Height of the chart: the processors of the machine, once for each slot, or for each job that shares a processor.
    title
        What the height counts.
    low_us, high_us
        The time on the axis, in microseconds since the workload's zero.
    """

    shown: pl.DataFrame
    processors: int
    title: str
    low_us: int
    high_us: int

    @cached_property
    def chart(self) -> alt.LayerChart:
        """The picture as an Altair chart; raise :class:`ContractError` for more than :data:`MOST_JOBS` jobs."""
        if (count := self.shown["job"].n_unique()) > MOST_JOBS:
            raise ContractError(
                f"{count:,} jobs are too many for one picture; name at most {MOST_JOBS} with --jobs, or a shorter time with "
                "--window"
            )
        return picture(self)

    def save(self, path: Path | str) -> Path:
        """Write the picture as SVG, PNG or PDF, by the ending of the name; return the path."""
        draw(self.chart, Path(path))
        return Path(path)

    def text(self, columns: int = COLUMNS) -> str:
        """Return the chart in characters, so many ``columns`` wide. A character shows the job that holds its middle."""
        return blocks(self.shown, self.processors, self.low_us, self.high_us, columns, self.title)

    def _repr_svg_(self) -> str:
        return svg_of(self.chart)

    def __str__(self) -> str:
        return self.text()


def gantt(schedule: Schedule, jobs: Collection[int] | None = None, window: tuple[float, float] | None = None) -> Gantt:
    """Return a Gantt chart of a schedule; the axis fits what is shown.

    Policies of space sharing count processors; a job gets the lowest-numbered free ones. Where slots take turns, each slot has a
    band of its own. Where jobs share processors at once, a job is in the lowest band in which its processors are free.

    Raise :class:`ContractError` when there is no job to show, or a window ends before it begins.

    Parameters
    ----------
    jobs
        Numbers of the jobs to show; without them, all.
    window
        Begin and end of the time to show, in hours since the workload's zero.
    """
    shown = rectangles(schedule, jobs, window)
    low, high = window_us(window) if window is not None else (shown["start_us"].min(), shown["finish_us"].max())
    return Gantt(shown, *height_of(schedule, shown), int(low), int(high))  # type: ignore[arg-type]


def height_of(schedule: Schedule, shown: pl.DataFrame) -> tuple[int, str]:
    """Return the height of a chart of rectangles, and what it counts."""
    size, sharing = schedule.machine.processors, schedule.family.sharing
    if sharing == "none":
        return size, "processors"
    bands = int(shown["end"].max() - 1) // size + 1  # type: ignore[operator]
    return (
        size * bands,
        f"processors of {bands} slots" if sharing == "slots" else f"processors, for {bands} jobs on each",
    )


def rectangles(schedule: Schedule, jobs: Collection[int] | None, window: tuple[float, float] | None) -> pl.DataFrame:
    """Return ``job, start_us, finish_us, first, end`` of what a chart shows: a row per allocation and run of processors."""
    held = schedule.allocations.filter(pl.col("end_us") > pl.col("begin_us"))
    if jobs is not None:
        unknown = sorted(set(jobs) - set(held["job"]))
        if unknown:
            raise ContractError(f"job {unknown[0]} is not in the schedule, or did not run")
        held = held.filter(pl.col("job").is_in(list(jobs)))
    if window is not None:
        low, high = window_us(window)
        held = held.filter((pl.col("end_us") > low) & (pl.col("begin_us") < high))
    if held.is_empty():
        raise ContractError("no job runs in the time to show")
    counted = places_of(schedule) if held["processor_ids"].null_count() else {}
    size = schedule.machine.processors
    if schedule.family.sharing == "jobs":
        held = in_bands(held, size)
    else:
        held = held.with_columns(band=pl.col("slot") if schedule.family.sharing == "slots" else pl.lit(0))
    rows = [
        (job, begin, end, band * size + first, band * size + last + 1)
        for job, begin, end, band, ids in held.select("job", "begin_us", "end_us", "band", "processor_ids").iter_rows()
        for first, last in (counted[job, begin] if ids is None else merged(ids))
    ]
    return pl.DataFrame(rows, schema=["job", "start_us", "finish_us", "first", "end"], orient="row")


def places_of(schedule: Schedule) -> dict[tuple[int, int], list[Interval]]:
    """Return the processors of allocations that only count them, by job and begin; where slots take turns, a job keeps them."""
    first = numbered(schedule) if schedule.family.sharing == "slots" else {}
    return {(job, begin): first.get(job, taken) for job, begin, taken in counted_rows(schedule)}


def in_bands(held: pl.DataFrame, processors: int) -> pl.DataFrame:
    """Return allocations with the ``band`` of their job: the lowest in which its processors are free when it gets them."""
    ends = dict(held.group_by("job").agg(pl.col("end_us").max()).iter_rows())
    bands: dict[int, int] = {}
    free_from: list[np.ndarray] = []
    for job, begin, ids in (
        held.sort("begin_us", "slot", maintain_order=True).select("job", "begin_us", "processor_ids").iter_rows()
    ):
        if job in bands:
            continue
        band = next((band for band, free in enumerate(free_from) if free[ids].max() <= begin), len(free_from))
        if band == len(free_from):
            free_from.append(np.full(processors, np.iinfo(np.int64).min))
        free_from[band][ids] = ends[job]
        bands[job] = band
    return held.with_columns(band=pl.col("job").replace_strict(bands, return_dtype=pl.Int64))


def window_us(window: tuple[float, float]) -> tuple[int, int]:
    """Return a window in microseconds; raise :class:`ContractError` for one that ends before it begins, or is no window."""
    try:
        # times a float, so that a text is refused and not repeated 3.6 thousand million times
        low, high = (round(hours * 3600.0 * MICROSECONDS) for hours in window)
    except (TypeError, ValueError, OverflowError):
        raise ContractError(f"window: expected its begin and end in hours, such as (0, 24); found {window!r}") from None
    if high <= low:
        raise ContractError(f"the window ends at {window[1]:g} h, which is not after its begin, {window[0]:g} h")
    return low, high


def picture(shown: Gantt) -> alt.LayerChart:
    """Return a Gantt chart as an Altair chart."""
    low, high = shown.low_us, shown.high_us
    unit, length = unit_of((high - low) / MICROSECONDS)
    table = shown.shown.with_columns(
        (pl.col(name).clip(low, high) / (MICROSECONDS * length)).alias(name) for name in ("start_us", "finish_us")
    ).with_columns(label=pl.col("job").cast(pl.String), colour=pl.col("job") % len(COLOURS))
    x = alt.X(
        "start_us:Q",
        title=f"time, {unit}",
        scale=alt.Scale(domain=[low / (MICROSECONDS * length), high / (MICROSECONDS * length)], nice=False),
    )
    y = alt.Y("first:Q", title=shown.title, scale=alt.Scale(domain=[0, shown.processors], nice=False))
    colour = alt.Color("colour:O", scale=alt.Scale(domain=list(range(len(COLOURS))), range=list(COLOURS)), legend=None)
    base = alt.Chart(alt.Data(values=table.to_dicts()), width=WIDTH, height=HEIGHT)
    bars = base.mark_rect(stroke=INK["light"], strokeWidth=0.5, opacity=0.85).encode(
        x=x, x2="finish_us:Q", y=y, y2="end:Q", color=colour
    )
    wide = (high - low) / (MICROSECONDS * length) * LEAST_WIDTH
    tall = shown.processors * LEAST_HEIGHT
    labels = (
        base.transform_filter(f"datum.finish_us - datum.start_us >= {wide} && datum.end - datum.first >= {tall}")
        .transform_calculate(at="(datum.start_us + datum.finish_us) / 2", row="(datum.first + datum.end) / 2")
        .mark_text(fontSize=9)
        .encode(x="at:Q", y="row:Q", text="label:N")
    )
    return alt.layer(bars, labels)


def specification(chart: Any) -> dict[str, Any]:
    """Return a chart as Vega-Lite in the colours of the reports."""
    return {**chart.to_dict(), "config": config("light")}


def svg_of(chart: Any) -> str:
    """Return a chart as SVG."""
    import vl_convert

    return vl_convert.vegalite_to_svg(specification(chart), VEGA_LITE)


def draw(chart: Any, path: Path) -> None:
    """Write a chart as SVG, PNG or PDF, by the ending of the name; raise :class:`OutputError` for another one."""
    import vl_convert

    if path.suffix not in FORMATS:
        raise OutputError(f"{path}: expected a name that ends in {', '.join(FORMATS)}")
    if path.suffix == ".png":
        data = vl_convert.vegalite_to_png(specification(chart), VEGA_LITE, scale=2)
    else:
        svg = svg_of(chart)
        data = svg.encode() if path.suffix == ".svg" else canonical(vl_convert.svg_to_pdf(svg))
    with replacing(path) as temporary:
        temporary.write_bytes(data)
