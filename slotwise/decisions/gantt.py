"""Gantt charts of schedules: who holds which processors when."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING, Any

import altair as alt
import polars as pl

from reports.draw.drawing import VEGA_LITE
from reports.draw.pdf import canonical
from reports.draw.theme import DEALT, INK, SPARE_COLOURS, config
from scheduler_core.common.errors import ContractError, OutputError
from scheduler_core.common.files import replacing
from scheduler_core.common.units import MICROSECONDS
from traces.export.numbering import numbered

if TYPE_CHECKING:
    from scheduler_core.contracts import Schedule

MOST_JOBS = 500
"""The most jobs on one chart; with more, names and edges run together."""

LEAST_WIDTH, LEAST_HEIGHT = 0.05, 0.035
"""Shares of the chart that a rectangle must have for its job's number to be written into it."""

WIDTH, HEIGHT = 640, 320

UNITS = (("days", 86_400, 4 * 86_400), ("h", 3600, 2 * 3600), ("min", 60, 5 * 60), ("s", 1, 0))
"""Units of the axis: name, seconds, and the least span that is shown in them."""

FORMATS = (".svg", ".png", ".pdf")


def gantt(
    schedule: Schedule, jobs: Collection[int] | None = None, window: tuple[float, float] | None = None
) -> alt.LayerChart:
    """Return a Gantt chart of a schedule of space sharing as an Altair chart.

    Policies of space sharing count processors; a job gets the lowest-numbered free ones. The axis fits what is shown.

    Parameters
    ----------
    jobs
        Numbers of the jobs to show; without them, all.
    window
        Begin and end of the time to show, in hours since the workload's zero.

    Raises
    ------
    ContractError
        For a schedule of another family, no job to show, or more jobs than :data:`MOST_JOBS`.
    """
    shown = rectangles(schedule, jobs, window)
    first, last = shown["start_us"].min(), shown["finish_us"].max()
    low, high = window_us(window) if window else (int(first), int(last))  # type: ignore[arg-type]
    unit, length = unit_of((high - low) / MICROSECONDS)
    table = shown.with_columns(
        (pl.col(name).clip(low, high) / (MICROSECONDS * length)).alias(name) for name in ("start_us", "finish_us")
    ).with_columns(label=pl.col("job").cast(pl.String), colour=pl.col("job") % len(COLOURS))
    x = alt.X(
        "start_us:Q",
        title=f"time, {unit}",
        scale=alt.Scale(domain=[low / (MICROSECONDS * length), high / (MICROSECONDS * length)], nice=False),
    )
    y = alt.Y("first:Q", title="processors", scale=alt.Scale(domain=[0, schedule.machine.processors], nice=False))
    colour = alt.Color("colour:O", scale=alt.Scale(domain=list(range(len(COLOURS))), range=list(COLOURS)), legend=None)
    base = alt.Chart(alt.Data(values=table.to_dicts()), width=WIDTH, height=HEIGHT)
    bars = base.mark_rect(stroke=INK["light"], strokeWidth=0.5, opacity=0.85).encode(
        x=x, x2="finish_us:Q", y=y, y2="end:Q", color=colour
    )
    wide = (high - low) / (MICROSECONDS * length) * LEAST_WIDTH
    tall = schedule.machine.processors * LEAST_HEIGHT
    labels = (
        base.transform_filter(f"datum.finish_us - datum.start_us >= {wide} && datum.end - datum.first >= {tall}")
        .transform_calculate(at="(datum.start_us + datum.finish_us) / 2", row="(datum.first + datum.end) / 2")
        .mark_text(fontSize=9)
        .encode(x="at:Q", y="row:Q", text="label:N")
    )
    return alt.layer(bars, labels)


COLOURS = (*DEALT, *SPARE_COLOURS)


def rectangles(schedule: Schedule, jobs: Collection[int] | None, window: tuple[float, float] | None) -> pl.DataFrame:
    """Return ``job, start_us, finish_us, first, end`` of what a chart shows: a row per job and run of adjacent processors."""
    if schedule.family.name != "space_sharing":
        raise ContractError(f"Gantt charts are of space sharing; this is a schedule of {schedule.family.label.lower()}")
    ended = schedule.jobs.filter(pl.col("finish_us").is_not_null()).select("job", "start_us", "finish_us")
    if jobs is not None:
        unknown = sorted(set(jobs) - set(ended["job"]))
        if unknown:
            raise ContractError(f"job {unknown[0]} is not in the schedule, or did not run")
        ended = ended.filter(pl.col("job").is_in(list(jobs)))
    if window is not None:
        low, high = window_us(window)
        ended = ended.filter((pl.col("finish_us") > low) & (pl.col("start_us") < high))
    if ended.is_empty():
        raise ContractError("no job runs in the time to show")
    if ended.height > MOST_JOBS:
        raise ContractError(
            f"{ended.height:,} jobs are too many for one chart; name at most {MOST_JOBS} with --jobs, or a shorter time with "
            "--window"
        )
    held = numbered(schedule)
    rows = [
        {"job": job, "start_us": start, "finish_us": finish, "first": first, "end": last + 1}
        for job, start, finish in ended.iter_rows()
        for first, last in held[job]
    ]
    return pl.DataFrame(rows)


def window_us(window: tuple[float, float]) -> tuple[int, int]:
    """Return a window in microseconds; raise :class:`ContractError` for one that ends before it begins."""
    low, high = (round(hours * 3600 * MICROSECONDS) for hours in window)
    if high <= low:
        raise ContractError(f"the window ends at {window[1]:g} h, which is not after its begin, {window[0]:g} h")
    return low, high


def unit_of(span_s: float) -> tuple[str, int]:
    """Return the unit of an axis and its seconds."""
    return next((name, seconds) for name, seconds, least in UNITS if span_s >= least)


def draw(chart: Any, path: Path) -> None:
    """Write a chart as SVG, PNG or PDF, by the ending of the name; raise :class:`OutputError` for another one."""
    import vl_convert

    spec = {**chart.to_dict(), "config": config("light")}
    if path.suffix not in FORMATS:
        raise OutputError(f"{path}: expected a name that ends in {', '.join(FORMATS)}")
    if path.suffix == ".png":
        data = vl_convert.vegalite_to_png(spec, VEGA_LITE, scale=2)
    else:
        svg = vl_convert.vegalite_to_svg(spec, VEGA_LITE)
        data = svg.encode() if path.suffix == ".svg" else canonical(vl_convert.svg_to_pdf(svg))
    with replacing(path) as temporary:
        temporary.write_bytes(data)
