"""The matrix of gang scheduling as a figure: a band per slot, below the line of the level.

The page of schedules also draws time slices; figures do not.
"""

from typing import Any

import altair as alt
import duckdb
import polars as pl

from reports.diagrams import parts
from reports.diagrams.allocations import job_rectangles
from reports.diagrams.clock import Clock, clock_of
from reports.diagrams.windows import COLOURS, colour_jobs
from reports.draw.charts import Row, tips, titled
from reports.draw.theme import ACCENT, NEUTRAL
from reports.families.gang.diagram import GangWindow, level_changes, read_window
from reports.families.gang.layout import gathered

FLEXIBILITIES = {"rigid": "#8a93a0", "moldable": "#56b4e9", "malleable": "#2f9e6e"}


def gang_figure(connection: duckdb.DuckDBPyConnection, workload: str, policy: str, by_flexibility: bool = False) -> Any:
    """Draw a telling window of a run of the store, replication 0.

    ``by_flexibility`` colours jobs by their flexibility and gathers the processors of each; otherwise every job has its own
    colour and its numbered processors.

    The caption may use ``{begin}``, ``{length}``, ``{jobs}``, ``{slots}`` and ``{processors}``. Raises :class:`NoData` when the
    run is not there, is not one of gang scheduling, or has more than a picture can show.
    """
    matrix = parts.window_of_run(parts.run_of(connection, workload, policy, "gang"), None, level_changes, read_window)
    return draw_window(gathered(matrix) if by_flexibility else matrix, by_flexibility)


def draw_window(matrix: GangWindow, by_flexibility: bool = False) -> Any:
    """Draw a window; see :func:`gang_figure`."""
    clock = clock_of(matrix)
    found = [*phase_rows(matrix, clock), *job_rows(matrix, paints_of(matrix, by_flexibility), clock)]
    parts.check_count(len(found))
    resized = any(row.get("change") for row in found)
    bands = [band(matrix, slot, clock, by_flexibility, resized) for slot in range(matrix.slots)]
    chart = parts.one_above_the_other([level_part(matrix, clock), *bands]).properties(spacing={"row": 6, "column": 0})
    return titled(
        chart.resolve_scale(color="shared") if by_flexibility else chart,
        found,
        **clock.caption(),
        jobs=matrix.jobs.height,
        slots=matrix.slots,
        processors=matrix.processors,
    )


def paints_of(matrix: GangWindow, by_flexibility: bool) -> dict[int, str]:
    """Return the colour of each job."""
    if not by_flexibility:
        return {job: COLOURS[number] for job, number in colour_jobs([matrix]).items()}
    words = matrix.jobs.select("job", pl.col("flexibility").cast(pl.String)).rows()
    return {job: FLEXIBILITIES[word] for job, word in words}


def job_rows(matrix: GangWindow, paints: dict[int, str], clock: Clock) -> list[Row]:
    """Return the rows of the rectangles of jobs."""
    found = []
    for row in job_rectangles(matrix):
        wide = (row["end_us"] - row["begin_us"]) / (matrix.end_us - matrix.begin_us) * parts.WIDTH
        tall = (row["last"] - row["first"]) / matrix.processors * band_height(matrix)
        text = str(row["job"]) if wide > 10 + 8 * len(str(row["job"])) and tall > 10 else ""
        paint = paints[row["job"]]
        sizes = row["size_min"], row["size"], row["size_max"]
        found.append({
            "part": "job", "slot": row["row"], "job": row["job"], "class": row["class"] or "not stated",
            "flexibility": row["flexibility"], "begin": clock.shown(row["begin_us"]), "end": clock.shown(row["end_us"]),
            "first": row["first"], "last": row["last"], "size": row["processors"], "sizes": "/".join(map(str, sizes)),
            "rate": round(row["rate"], 4), "wait": clock.lasting(row["start_us"] - row["submit_us"]),
            "finish": clock.shown(row["finish_us"]),
            "change": row["change"] if row["first"] == row["runs"][0] and wide > 14 else 0,
            "text": text, "small": tall < 7 or wide < 7, "colour": paint, "ink": parts.ink_on(paint),
        })  # fmt: skip
    return found


def phase_rows(matrix: GangWindow, clock: Clock) -> list[Row]:
    """Return the rows of the level line, and of the slots that exist, behind their jobs."""
    found: list[Row] = []
    for phase in matrix.phases:
        edges = {"begin": clock.shown(phase.begin_us), "end": clock.shown(phase.end_us)}
        found.append({"part": "level", **edges, "level": phase.level})
        found += [{"part": "idle", "slot": slot, **edges} for slot in phase.slots]
    return found


def band_height(matrix: GangWindow) -> int:
    """Return the height of a slot's band in pixels."""
    return max(44, min(120, 420 // matrix.slots))


def band(matrix: GangWindow, slot: int, clock: Clock, by_flexibility: bool, resized: bool) -> Any:
    """Return the band of a slot; ``resized`` marks where jobs grew and shrank."""
    own = f"datum.slot == {slot}"
    y = parts.processor_axis(f"Slot {slot}", matrix.processors, [0, matrix.processors])
    x = clock.axis(shown=slot == matrix.slots - 1)
    idle = parts.rows_of("idle").transform_filter(own).mark_rect(color=NEUTRAL, opacity=0.25)
    idle = idle.encode(x=x, x2="end:Q", y=alt.value(0), y2=alt.value(band_height(matrix)))
    base = parts.rows_of("job").transform_filter(own)
    used = {word: shade for word, shade in FLEXIBILITIES.items() if word in set(matrix.jobs["flexibility"])}
    named = alt.Scale(domain=list(used), range=list(used.values()))
    by = alt.Color("flexibility:N", scale=named, title="Flexibility")
    paint = by if by_flexibility else alt.Color("colour:N", scale=None)
    edge, hover = parts.edge_width((0.25, 0.8)), job_tips(clock)
    rectangles = base.mark_rect(stroke="#ffffff").encode(
        x=x, x2="end:Q", y=y, y2="last:Q", color=paint, strokeWidth=edge, tooltip=hover
    )
    words = parts.numbers(base, ("first", "last"), clock.scale, y["scale"], "datum.text")
    marks = [arrows(base, x, y, grew) for grew in (True, False)] if resized else []
    return alt.layer(idle, rectangles, *words, *marks).properties(height=band_height(matrix))


def job_tips(clock: Clock) -> list[alt.Tooltip]:
    """Return the tooltip of a job."""
    return tips(
        ("job", "Job"), ("class", "Class"), ("flexibility", "Flexibility"), ("size", "Processors"),
        ("sizes", "Least/optimum/most"), ("slot", "Slot"), ("rate", "Rate in its time slices"),
        ("wait", f"Waited ({clock.unit})", ".4~r"), ("finish", f"Finishes ({clock.unit})", ".5~r"),
    )  # fmt: skip


def level_part(matrix: GangWindow, clock: Clock) -> Any:
    """Return the level as a step line."""
    x = clock.axis()
    most = max([2, *(phase.level for phase in matrix.phases)])
    axis = alt.Axis(title="Level", values=[0, most], grid=False, format="d", minExtent=parts.AXIS_WIDTH)
    y = alt.Y("level:Q", scale=alt.Scale(domain=[0, most], nice=False), axis=axis)
    base = parts.rows_of("level")
    area = base.mark_rect(color=ACCENT, opacity=0.14).encode(x=x, x2="end:Q", y=y, y2=alt.datum(0))
    line = base.mark_rule(color=ACCENT, strokeWidth=2).encode(x=x, x2="end:Q", y=y)
    return alt.layer(area, line).properties(height=36)


def arrows(base: alt.Chart, x: alt.X, y: alt.Y, grew: bool) -> Any:
    """Mark the jobs that grew (up) or shrank (down) where they did so."""
    shape = "triangle-up" if grew else "triangle-down"
    return (
        base.transform_filter("datum.change > 0" if grew else "datum.change < 0")
        .mark_point(shape=shape, size=30, filled=True, color="#10151d", stroke="#ffffff", strokeWidth=1, xOffset=6, yOffset=-7)
        .encode(x=x, y=y)
    )  # fmt: skip
