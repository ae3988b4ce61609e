"""What the printed diagrams of all families share: the run and its window, and marks on one time axis."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import altair as alt

from reports.diagrams.allocations import AllocationWindow, is_of, last_finish, runs_beside
from reports.diagrams.windows import telling_window
from reports.draw.charts import NoData, also, panels, rows, show
from scheduler_core.declarations.families import family

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import duckdb

    from reports.diagrams.windows import Changes

Drawn = TypeVar("Drawn", bound=AllocationWindow)

WIDTH = 600
"""Width in print, in pixels; it decides which rectangles have room for a job's number."""
MOST_RECTANGLES = 2500
"""Rectangles a printed picture can show."""
PRINTED = 90
"""Allocations a chosen window should have in print."""
AXIS_WIDTH = 34
"""Room for the labels of a vertical axis, the same for every part of a picture, in pixels."""
CLASSES = {"short": "#56b4e9", "medium": "#d98c00", "long": "#8f6bb8"}
"""Colours of the classes of jobs."""
ROOM = "panel_width"
"""The parameter of a chart with the width of its panels; pages set it to the available width."""
MARGIN, DIGIT = 4, 6.3
"""Room a word needs beside its letters, and room for a letter, in pixels."""
INKS = {"dark": "#10151d", "light": "#ffffff"}
"""Colours of the numbers of jobs, by the name :func:`ink_on` gives."""


def run_of(connection: duckdb.DuckDBPyConnection, workload: str, policy: str, family_name: str) -> Path:
    """Return the folder of a run of the store; raise :class:`NoData` when no run of this family is there."""
    folder = runs_beside(connection) / workload / policy
    if not is_of(folder, family_name):
        raise NoData(f"There is no run of {workload} under {policy} in the family {family(family_name).label}.")
    return folder


def window_of_run(
    folder: Path, window: tuple[int, int] | None, changes_of: Changes, read_window: Callable[..., Drawn]
) -> Drawn:
    """Return the window of a run to print, replication 0.

    ``window`` is its begin and end in microseconds. ``None`` chooses a telling one
    (:func:`~reports.diagrams.windows.telling_window`); ``(0, 0)`` is the whole schedule. Raises :class:`NoData` when no job ran.
    """
    if window == (0, 0):
        window = (0, last_finish(folder))
    chosen = telling_window([folder], changes_of, wanted=PRINTED) if window is None else window
    if chosen is None or chosen[1] <= chosen[0]:
        raise NoData("No job ran.")
    return read_window(folder, *chosen)


def first_run(
    connection: duckdb.DuckDBPyConnection,
    study: str,
    query: str,
    figure: Callable[[duckdb.DuckDBPyConnection, str, str], Any],
) -> Any:
    """Draw the first run that a query finds among those of a study; the caption may use its ``{workload}`` and ``{policy}``."""
    show(connection, study)
    (first, *_) = rows(connection, query)
    chart = figure(connection, first["workload"], first["policy"])
    return also(chart, workload=first["workload_label"], policy=first["policy_label"])


def framed(base: alt.Chart, column: str, **encoding: Any) -> list[Any]:
    """Return rectangles from ``first`` to ``last``; those with a true ``column`` have a heavy edge."""
    styles = ((f"!datum.{column}", "papered", (0.25, 0.9)), (f"datum.{column}", "inked", (0.6, 1.8)))
    return [
        base.transform_filter(which).mark_rect(style=style).encode(
            x2="end:Q", y2="last:Q", strokeWidth=edge_width(width), **encoding
        )
        for which, style, width in styles
    ]  # fmt: skip


def check_count(rectangles: int) -> None:
    """Raise :class:`NoData` when there are more rectangles than a printed picture can show."""
    if rectangles > MOST_RECTANGLES:
        raise NoData(f"The window has more rectangles than a printed picture can show ({rectangles}).")


def one_above_the_other(parts: Sequence[Any]) -> Any:
    """Stack parts of a picture on one time axis; they may ask for their width (:func:`fits`)."""
    stacked = panels(parts, columns=1)
    stacked.params = [alt.VariableParameter(name=ROOM, value=WIDTH)]
    return stacked


def rows_of(part: str, panel: int | None = None) -> alt.Chart:
    """Return a chart of the rows of one part; ``panel`` numbers the machine where a picture has several."""
    own = f"datum.part == '{part}'" + ("" if panel is None else f" && datum.panel == {panel}")
    return alt.Chart().transform_filter(own)


def fits(*texts: str) -> str:
    """Return the expression for the first of some words of a row that fits on its mark, else no word."""
    room = f"datum.share * {ROOM}"
    tries = [f"{room} > {MARGIN} + {DIGIT} * length(datum.{text}) ? datum.{text} : " for text in texts]
    return "".join(tries) + "''"


def numbers(base: alt.Chart, edges: tuple[str, str], across: alt.Scale, down: alt.Scale, word: str) -> list[Any]:
    """Return the words of rectangles, in their middle, in an ink that can be read on their colour.

    ``edges`` are the columns of the lower and the upper edge; ``word`` is an expression, as :func:`fits` gives it.
    """
    low, high = edges
    middle = base.transform_calculate(
        middle="(datum.begin + datum.end) / 2", height=f"(datum.{low} + datum.{high}) / 2", word=word
    )
    return [
        middle.transform_filter(f"datum.word != '' && datum.ink == '{ink}'")
        .mark_text(fontSize=10, color=shade)
        .encode(x=alt.X("middle:Q", scale=across), y=alt.Y("height:Q", scale=down), text="word:N")
        for ink, shade in INKS.items()
    ]


def ink_on(colour: str) -> str:
    """Return which of :data:`INKS` can be read on a colour ``#rrggbb``."""
    red, green, blue = (int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5))
    luminance = 0.2126 * red**2.2 + 0.7152 * green**2.2 + 0.0722 * blue**2.2
    return "dark" if luminance > 0.22 else "light"


def edge_width(thin: tuple[float, float]) -> Any:
    """Return the width of an edge: the first for small rectangles, else the second."""
    return alt.when("datum.small").then(alt.value(thin[0])).otherwise(alt.value(thin[1]))


def shades(words: dict[str, str], column: str, title: str) -> alt.Color:
    """Encode a column as colour, with a square of each colour in the legend."""
    scale = alt.Scale(domain=list(words), range=list(words.values()))
    legend = alt.Legend(symbolType="square", symbolOpacity=1, symbolStrokeWidth=0)
    return alt.Color(f"{column}:N", scale=scale, title=title, legend=legend)


def processor_axis(title: str, top: int, values: list[int] | None = None) -> alt.Y:
    """Return the axis of processors, or of their share, from 0 to ``top``."""
    ticks: dict[str, Any] = {"tickCount": 5} if values is None else {"values": values}
    axis = alt.Axis(title=title, grid=False, minExtent=AXIS_WIDTH, **ticks)
    return alt.Y("first:Q", scale=alt.Scale(domain=[0, top], nice=False), axis=axis)
