"""The diagram of a workflow as a figure."""

from typing import Any

import altair as alt
import duckdb

from reports.diagrams import parts
from reports.diagrams.clock import Clock
from reports.diagrams.parts import rows_of as part
from reports.draw.charts import NoData, tips, titled
from reports.draw.theme import NEUTRAL
from reports.families.grid.choice import telling_workflows
from reports.families.grid.diagram import GridWindow, lateness, machine_of, read_window
from reports.families.grid.rows import GAP, HEIGHT, heights_of, rows_of_window
from scheduler_core.common.units import us_to_seconds

ROW = 21
"""Height of a task's row in print, in pixels; less where there are many."""
MOST_ROWS = 300
"""Height of all rows of tasks in print, in pixels."""
PRINTED = 700
"""Allocations the window of a printed workflow should have at most."""


def grid_figure(connection: duckdb.DuckDBPyConnection, workload: str, policy: str, workflow: int | None = None) -> Any:
    """Draw a workflow of a run of the store, replication 0; without its number, a telling one is chosen.

    The caption may use ``{workflow}``, ``{tasks}``, ``{clusters}``, ``{slides}`` (how often its slots moved, in words),
    ``{late}``, ``{begin}`` (when it was submitted) and ``{length}`` (from its submission to its last finish). Raises
    :class:`NoData` when the run is not there, is not one of a grid, ran no workflow, or has more than a picture can show.
    """
    folder = parts.run_of(connection, workload, policy, "grid")
    if workflow is not None:
        return draw_window(read_window(folder, workflow))
    clusters = len(machine_of(folder).clusters)
    chosen = next(iter(telling_workflows([folder], 1, clusters, most=PRINTED)), None)
    if chosen is None:
        raise NoData("No workflow ran.")
    return draw_window(read_window(folder, chosen.workflow, (chosen.begin_us, chosen.end_us), chosen.clusters))


def draw_window(window: GridWindow) -> Any:
    """Draw a workflow; see :func:`grid_figure`."""
    clock = Clock(window, (window.submit_us, "the workflow was submitted"))
    found = rows_of_window(window, clock)
    chart = parts.one_above_the_other([task_part(window, clock), cluster_part(window, clock)])
    tasks = window.tasks.rows(named=True)
    last = max(row["finish_us"] for row in tasks)
    return titled(
        chart.properties(spacing={"row": 8, "column": 0}),
        found,
        workflow=window.workflow,
        tasks=len(tasks),
        clusters=window.clusters.height,
        slides=moved(max(0, window.places.height - window.places["task"].n_unique())),
        late=sum(lateness(row) > 0 for row in tasks) or "none",
        begin=f"{us_to_seconds(window.submit_us) / 3600:,.4g} h",
        length=f"{us_to_seconds(last - window.submit_us) / clock.divisor:,.4g} {clock.unit}",
    )


def moved(times: int) -> str:
    """Return in words how often slots moved."""
    return {0: "Its slots did not move", 1: "Its slots moved once"}.get(times, f"Its slots moved {times} times")


def task_tips(clock: Clock) -> list[alt.Tooltip]:
    """Return the tooltip of a task."""
    unit = clock.unit
    return tips(
        ("task", "Task"), ("where", "Cluster"), ("frame", f"Frame ({unit})"), ("planned", f"Predicted ({unit})"),
        ("slides", "Slides"), ("cause", "Slot"), ("data", f"Data there ({unit})", ".4~r"),
        ("started", f"Started ({unit})", ".4~r"), ("finish", f"Finished ({unit})", ".4~r"),
        ("late", f"After its frame ({unit})", ".3~r"),
    )  # fmt: skip


def task_part(window: GridWindow, clock: Clock) -> Any:
    """Return the rows of the tasks."""
    numbers = window.tasks["task"].to_list()
    height = min(ROW * len(numbers), MOST_ROWS)
    every = -(-12 * len(numbers) // height)
    scale = alt.Scale(domain=[len(numbers), 0], nice=False)
    shown = [place for place in range(len(numbers)) if place % every == 0]
    words = f"{[str(number) for number in numbers]}[floor(datum.value)]"
    axis = alt.Axis(title="Task", values=[place + 0.5 for place in shown], labelExpr=words, grid=False, ticks=False,
                    minExtent=parts.AXIS_WIDTH)  # fmt: skip
    x, y = clock.axis(), alt.Y("low:Q", scale=scale, axis=axis)
    told = task_tips(clock)
    paint = alt.Color("colour:N", scale=None)
    wide = {"x": x, "x2": "end:Q", "y": y, "y2": "high:Q"}
    frames = part("frame").mark_rect(style="inked", fillOpacity=0, strokeWidth=1).encode(**wide, tooltip=told)
    slots = part("slot").mark_rect(opacity=0.5).encode(**wide, color=paint, tooltip=told)
    lines = part("sent").mark_rule(color=NEUTRAL, strokeWidth=1.1).encode(
        **wide, tooltip=tips(("from", "Data of task"), ("to", "For task"), ("takes", f"Takes ({clock.unit})", ".3~r"))
    )  # fmt: skip
    runs = part("run").mark_rect().encode(**wide, color=paint, tooltip=told)
    size = min(28, round(height / len(numbers) * 1.3))
    ready = part("ready").mark_point(shape="triangle-up", size=size, style="filled", filled=True, opacity=1)
    return alt.layer(frames, slots, lines, runs, ready.encode(x=x, y=y, tooltip=told)).properties(height=height)


def cluster_part(window: GridWindow, clock: Clock) -> Any:
    """Return the processors of the clusters: slices as a tint, jobs, the tasks of the workflow, and transfers."""
    heights = heights_of(window)
    names = dict(window.clusters.select("cluster", "name").rows())
    middles = [round(foot + height / 2, 5) for foot, height, _, _ in heights.values()]
    known = {f"{middle:.5f}": names[cluster] for cluster, middle in zip(heights, middles, strict=True)}
    axis = alt.Axis(title="Cluster", values=middles, labelExpr=f"{known}[format(datum.value, '.5f')]", grid=False, ticks=False,
                    minExtent=parts.AXIS_WIDTH)  # fmt: skip
    least = min(foot for foot, *_ in heights.values())
    scale = alt.Scale(domain=[least, 1], nice=False)
    x, y = clock.axis(shown=True), alt.Y("low:Q", scale=scale, axis=axis)
    wide = {"x": x, "x2": "end:Q", "y": y, "y2": "high:Q"}
    unit = clock.unit
    told = tips(
        ("what", "What"), ("job", "Job"), ("class", "Class"), ("size", "Processors"), ("begin", f"From ({unit})", ".4~r"),
        ("end", f"To ({unit})", ".4~r"), ("wait", f"Waited ({unit})", ".3~r"), ("finish", f"Finishes ({unit})", ".4~r"),
    )  # fmt: skip
    every = {"x": alt.value(0), "x2": alt.value("width"), "y": y}
    ground = part("cluster").mark_rect(color=NEUTRAL, opacity=0.07).encode(**every, y2="high:Q")
    foot = part("cluster").mark_rule(color=NEUTRAL, strokeWidth=0.7).encode(y=y)
    tints = [
        part("slice").transform_filter(f"datum.class == '{kind}'").mark_rect(color=paint, opacity=0.14).encode(**wide)
        for kind, paint in parts.CLASSES.items()
    ]
    behind = [
        part(kind)
        .mark_rect(style="papered", color=NEUTRAL, fillOpacity=opacity)
        .encode(**wide, strokeWidth=parts.edge_width((0.2, 0.6)), tooltip=told)
        for kind, opacity in (("local", 0.32), ("other", 0.75))
    ]
    own = part("task").mark_rect(style="inked", strokeWidth=0.9).encode(
        **wide, color=alt.Color("colour:N", scale=None), tooltip=told
    )  # fmt: skip
    links = [
        part(name).mark_rule(style="inked", strokeWidth=1, opacity=0.9, strokeDash=dash).encode(**wide)
        for name, dash in (("link", [1, 0]), ("waits", [2, 3]))
    ]
    texts = parts.numbers(part("task"), ("low", "high"), clock.scale, scale, parts.fits("text"))
    height = round(HEIGHT * (1 + GAP * (len(heights) - 1)))
    return alt.layer(ground, *tints, foot, *behind, own, *links, *texts).properties(height=height)
