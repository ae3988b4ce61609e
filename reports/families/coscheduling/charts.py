"""The diagram of shared processors as a figure: worked examples of a study, and windows of its runs.

A figure file draws one with :func:`nodes_figure`; :func:`draw_nodes` draws any
:class:`~reports.families.coscheduling.diagram.NodeWindow`, for example of a schedule made by hand for a text.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

import altair as alt

from reports.diagrams.allocations import is_of, runs_beside
from reports.diagrams.clock import Clock
from reports.diagrams.windows import COLOURS, colour_jobs, telling_window
from reports.draw.charts import NoData, Row, tips, titled
from reports.draw.theme import NEUTRAL
from reports.draw.vocabulary import significant
from reports.families.coscheduling.diagram import WHOLE, NodeWindow, pair_changes, ranges, read_nodes
from reports.families.gang.charts import AXIS_WIDTH, CLASSES, PRINTED, WIDTH, luminance
from reports.families.slices.charts import fits, last_finish, one_above_the_other
from scheduler_core.common.errors import SlotwiseError
from scheduler_core.common.units import us_to_seconds

if TYPE_CHECKING:
    import duckdb

KINDS = {"cpu": "#d98c00", "network": "#56b4e9", "disk": "#8f6bb8", **CLASSES, "special": "#2f9e6e"}
"""Colours of what dominates in a job, and of the levels of jobs that ask for shares."""
HEIGHT = 300
"""Height of the machine in print, in pixels."""
MOST_RECTANGLES = 2500


def nodes_figure(
    connection: duckdb.DuckDBPyConnection,
    workload: str,
    policy: str,
    window: tuple[int, int] | None = None,
    colour: str = "job",
) -> Any:
    """Draw a window of a run of the store, replication 0.

    Parameters
    ----------
    connection
        The store; the run is read from ``runs/`` beside it.
    workload, policy
        Ids of the run.
    window
        Begin and end in microseconds; None chooses one in which many pairs are formed, ``(0, 0)`` takes the whole schedule.
    colour
        ``job``, ``kind`` or ``speed``.

    Returns
    -------
    chart
        Its caption may use ``{begin}``, ``{length}``, ``{jobs}``, ``{sharing}`` and ``{processors}``.

    Raises
    ------
    NoData
        When the run is not there, no jobs may share processors in it, or nothing is in the window, or too much for a picture.
    """
    folder = runs_beside(connection) / workload / policy
    if not is_of(folder, "coscheduling"):
        raise NoData(f"There is no run of {workload} under {policy} in which jobs may share processors.")
    chosen = telling_window([folder], pair_changes, wanted=PRINTED) if window is None else window
    if chosen == (0, 0):
        chosen = 0, last_finish(folder)
    if chosen is None or chosen[1] <= chosen[0]:
        raise NoData("No job ran.")
    return draw_nodes(read_nodes(folder, *chosen), colour)


def draw_nodes(window: NodeWindow, colour: str = "job") -> Any:
    """Draw a window of shared processors; see :func:`nodes_figure`, also for what the caption may use.

    Raises
    ------
    NoData
        When nothing runs in the window, or more than a picture can show.
    """
    if colour not in ("job", "kind", "speed"):
        raise SlotwiseError(f"a diagram of shared processors has the colours job, kind and speed; found {colour}")
    if not window.allocations.height:
        raise NoData("No job runs in the window.")
    clock = Clock(window, None)
    found = rows_of_window(window, clock, colour)
    if len(found) > MOST_RECTANGLES:
        raise NoData(f"The window has more rectangles than a printed picture can show ({len(found)}).")
    chart = one_above_the_other([machine_part(window, clock, colour)])
    return titled(
        chart,
        found,
        begin=f"{us_to_seconds(window.begin_us) / clock.far_unit[0]:,.6g} {clock.far_unit[1]}",
        length=f"{us_to_seconds(window.end_us - window.begin_us) / clock.divisor:,.4g} {clock.unit}",
        jobs=len({row["job"] for row in found}),
        sharing=len({row["job"] for row in found if row["beside"] != "no other job"}),
        processors=window.processors,
    )


def rows_of_window(window: NodeWindow, clock: Clock, colour: str) -> list[Row]:
    """Return the rectangles of the jobs: those they have alone, and their parts of those that are shared."""
    numbers = colour_jobs([window]) if colour == "job" else {}
    facts = {row["job"]: row for row in window.jobs.iter_rows(named=True)}
    height = 100 if window.stacked else window.processors
    found = []
    for row in window.allocations.iter_rows(named=True):
        job = facts[row["job"]]
        speed = 0.0 if row["suspended"] else row["share_ppm"] / row["slowdown_ppm"]
        edges = clock.clipped(row["begin_us"], row["end_us"])
        share = clock.share(row["begin_us"], row["end_us"])
        paint = COLOURS[numbers[row["job"]]] if numbers else KINDS.get(job["kind"], NEUTRAL)
        number = str(row["job"])
        words = {"text": f"{number} · {round(100 * speed)} %" if row["beside"] else number, "number": number}
        told = {
            "job": row["job"], "kind": job["kind"] or "not stated", "size": row["processors"], "speed": round(100 * speed, 1),
            "share_of_time": round(100 * row["share_ppm"] / WHOLE, 1), "slowdown": significant(row["slowdown_ppm"] / WHOLE),
            "beside": ", ".join(map(str, row["beside"])) or "no other job",
            "wait": clock.lasting(job["start_us"] - job["submit_us"]), "finish": clock.shown(job["finish_us"]),
        }  # fmt: skip
        for (low, high), shared in chain(
            ((r, False) for r in ranges(row["alone"])), ((r, True) for r in ranges(row["bands"]))
        ):
            tall = (high - low) / window.processors * HEIGHT
            found.append({
                "part": "job", "panel": 0, **edges, **told, "first": round(low * height / window.processors, 4),
                "last": round(high * height / window.processors, 4), "shared": shared and bool(row["beside"]),
                "suspended": row["suspended"], "share": share, **(words if tall > 10 else {"text": "", "number": ""}),
                "small": tall < 7 or share * WIDTH < 5, "colour": paint,
                "ink": "dark" if colour == "speed" or luminance(paint) > 0.22 else "light",
            })  # fmt: skip
    return found


def machine_part(window: NodeWindow, clock: Clock, colour: str) -> Any:
    """Return the machine: blocks with a heavy edge where processors are shared, faint ones where a job is suspended."""
    title, top = ("Share of every processor (%)", 100) if window.stacked else ("Processors", window.processors)
    scale = alt.Scale(domain=[0, top], nice=False)
    y = alt.Y("first:Q", scale=scale, axis=alt.Axis(title=title, grid=False, tickCount=5, minExtent=AXIS_WIDTH))
    x = clock.axis(shown=True)
    unit = clock.unit
    hover = tips(
        ("job", "Job"), ("kind", "Kind"), ("size", "Processors"), ("beside", "Beside"), ("slowdown", "Slowdown"),
        ("speed", "Speed (% of that alone)", ".3~r"), ("share_of_time", "Share of the processors (%)", ".3~r"),
        ("begin", f"From ({unit})", ".5~r"), ("end", f"To ({unit})", ".5~r"), ("wait", f"Waited ({unit})", ".4~r"),
        ("finish", f"Finishes ({unit})", ".5~r"),
    )  # fmt: skip
    base = alt.Chart()
    thin = alt.when("datum.small").then(alt.value(0.25)).otherwise(alt.value(0.9))
    thick = alt.when("datum.small").then(alt.value(0.6)).otherwise(alt.value(1.8))
    faint = alt.when("datum.suspended").then(alt.value(0.4)).otherwise(alt.value(1))
    blocks = [
        base.transform_filter(which).mark_rect(style=style).encode(
            x=x, x2="end:Q", y=y, y2="last:Q", color=paint_of(window, colour), strokeWidth=width, fillOpacity=faint, tooltip=hover
        )
        for which, style, width in (("!datum.shared", "papered", thin), ("datum.shared", "inked", thick))
    ]  # fmt: skip
    middle = base.transform_calculate(
        middle="(datum.begin + datum.end) / 2", height="(datum.first + datum.last) / 2", word=fits("text", "number")
    )
    words = [
        middle.transform_filter(f"datum.word != '' && datum.ink == '{ink}'")
        .mark_text(fontSize=10, color=shade)
        .encode(x=alt.X("middle:Q", scale=clock.scale), y=alt.Y("height:Q", scale=scale), text="word:N")
        for ink, shade in (("dark", "#10151d"), ("light", "#ffffff"))
    ]
    return alt.layer(*blocks, *words).properties(height=HEIGHT)


def paint_of(window: NodeWindow, colour: str) -> alt.Color:
    """Encode the colour: of the job, of its kind, or of its speed."""
    if colour == "speed":
        scale = alt.Scale(
            domain=[33.3, 66.7, 100], range=["#cf4b57", "#e69f00", "#4c7fd0"], clamp=True, interpolate="rgb"
        )
        legend = alt.Legend(gradientLength=200, values=[33, 50, 75, 100])
        return alt.Color("speed:Q", title="Speed (% of that alone)", scale=scale, legend=legend)
    kinds = [kind for kind in KINDS if kind in set(window.jobs["kind"])]
    if colour == "kind" and kinds:
        scale = alt.Scale(domain=kinds, range=[KINDS[kind] for kind in kinds])
        legend = alt.Legend(symbolType="square", symbolOpacity=1, symbolStrokeWidth=0)
        return alt.Color("kind:N", title="Kind", scale=scale, legend=legend)
    return alt.Color("colour:N", scale=None)
