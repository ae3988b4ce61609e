"""The diagram of shared processors as a figure: worked examples of a study, and windows of its runs."""

from itertools import chain
from typing import Any

import altair as alt
import duckdb

from reports.diagrams import parts
from reports.diagrams.clock import Clock, clock_of
from reports.diagrams.windows import COLOURS, colour_jobs
from reports.draw.charts import Row, tips, titled
from reports.draw.theme import NEUTRAL
from reports.draw.vocabulary import significant
from reports.families.coscheduling.diagram import WHOLE, CoschedulingWindow, pair_changes, ranges, read_window

KINDS = {"cpu": "#d98c00", "network": "#56b4e9", "disk": "#8f6bb8", **parts.CLASSES, "special": "#2f9e6e"}
"""Colours of the dominant resources of jobs, and of the levels of jobs that request shares."""
HEIGHT = 300
"""Height of the machine in print, in pixels."""


def coscheduling_figure(
    connection: duckdb.DuckDBPyConnection,
    workload: str,
    policy: str,
    window: tuple[int, int] | None = None,
    by_kind: bool = False,
) -> Any:
    """Draw a window of a run of the store, replication 0, from ``begin`` to ``end`` in microseconds.

    Without ``window``, it is one in which many pairs are formed; ``(0, 0)`` takes the whole schedule. Jobs have their own
    colours or, ``by_kind``, those of their kinds. The caption may use ``{begin}``, ``{length}``, ``{jobs}``, ``{sharing}`` and
    ``{processors}``. Raises :class:`NoData` when the run is not there, or its window is empty or too full for a picture.
    """
    folder = parts.run_of(connection, workload, policy, "coscheduling")
    return draw_window(parts.window_of_run(folder, window, pair_changes, read_window), by_kind)


def draw_window(window: CoschedulingWindow, by_kind: bool = False) -> Any:
    """Draw a window; see :func:`coscheduling_figure`."""
    clock = clock_of(window)
    found = rows_of_window(window, clock, by_kind)
    parts.check_count(len(found))
    return titled(
        parts.one_above_the_other([machine_part(window, clock, by_kind)]),
        found,
        **clock.caption(),
        jobs=len({row["job"] for row in found}),
        sharing=len({row["job"] for row in found if row["beside"] != "no other job"}),
        processors=window.processors,
    )


def rows_of_window(window: CoschedulingWindow, clock: Clock, by_kind: bool) -> list[Row]:
    """Return the rectangles of the jobs: the processors they have alone, and their parts of shared ones."""
    own = {} if by_kind else colour_jobs([window])
    facts = {row["job"]: row for row in window.jobs.iter_rows(named=True)}
    height = 100 if window.stacked else window.processors
    found = []
    for row in window.allocations.iter_rows(named=True):
        job = facts[row["job"]]
        speed = 0.0 if row["suspended"] else row["share_ppm"] / row["slowdown_ppm"]
        edges = clock.clipped(row["begin_us"], row["end_us"])
        share = clock.share(row["begin_us"], row["end_us"])
        paint = COLOURS[own[row["job"]]] if own else KINDS.get(job["kind"], NEUTRAL)
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
                "small": tall < 7 or share * parts.WIDTH < 5, "colour": paint,
                "ink": parts.ink_on(paint),
            })  # fmt: skip
    return found


def machine_part(window: CoschedulingWindow, clock: Clock, by_kind: bool) -> Any:
    """Return the machine: shared processors have a heavy edge, suspended jobs are faint."""
    title, top = ("Share of every processor (%)", 100) if window.stacked else ("Processors", window.processors)
    y = parts.processor_axis(title, top)
    x = clock.axis(shown=True)
    unit = clock.unit
    hover = tips(
        ("job", "Job"), ("kind", "Kind"), ("size", "Processors"), ("beside", "Beside"), ("slowdown", "Slowdown"),
        ("speed", "Speed (% of that alone)", ".3~r"), ("share_of_time", "Share of the processors (%)", ".3~r"),
        ("begin", f"From ({unit})", ".5~r"), ("end", f"To ({unit})", ".5~r"), ("wait", f"Waited ({unit})", ".4~r"),
        ("finish", f"Finishes ({unit})", ".5~r"),
    )  # fmt: skip
    base = alt.Chart()
    faint = alt.when("datum.suspended").then(alt.value(0.4)).otherwise(alt.value(1))
    blocks = parts.framed(base, "shared", x=x, y=y, color=paint_of(window, by_kind), fillOpacity=faint, tooltip=hover)
    words = parts.numbers(base, ("first", "last"), clock.scale, y["scale"], parts.fits("text", "number"))
    return alt.layer(*blocks, *words).properties(height=HEIGHT)


def paint_of(window: CoschedulingWindow, by_kind: bool) -> alt.Color:
    """Encode the colour: of the kind of a job where that is known, else of the job."""
    kinds = {kind: shade for kind, shade in KINDS.items() if kind in set(window.jobs["kind"])}
    return parts.shades(kinds, "kind", "Kind") if by_kind and kinds else alt.Color("colour:N", scale=None)
