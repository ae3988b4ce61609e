"""Drawing a figure: chart, picture, print and the data behind it, side by side in one folder."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape

from reports.draw.charts import NoData
from reports.draw.pdf import canonical
from reports.draw.theme import config
from reports.measure.bounds import SECONDS, STORE_MEMORY, in_time
from scheduler_core.common.comma_separated import comma_separated
from scheduler_core.common.errors import StudyError, require
from scheduler_core.common.files import replacing, write_json, write_text

if TYPE_CHECKING:
    import duckdb

    Figure = Callable[[duckdb.DuckDBPyConnection], Any]

VEGA_LITE = "6.4"
STORE = "slotwise.duckdb"
"""File name of the store in a folder of results."""

PANEL_WIDTH = {1: 600, 2: 300, 3: 205}
"""Width of a panel in print, in pixels, by the number of panels side by side."""


def words_of(figure: Figure, values: dict[str, Any]) -> tuple[str, str]:
    """Return title and caption of a figure from its docstring, with the values of the data filled in.

    Raises
    ------
    StudyError
        When the figure has no docstring, or its caption speaks of a value that is not there.
    """
    title, _, rest = (inspect.getdoc(figure) or "").partition("\n")
    if not title:
        raise StudyError(
            f"the figure {figure.__module__}.{figure.__name__} has no docstring: it is the title and the caption"
        )
    try:
        return title.strip().rstrip("."), " ".join(rest.split()).format_map(values)
    except KeyError as value:
        raise StudyError(
            f"the caption of the figure {figure.__module__}.{figure.__name__} speaks of {{{value.args[0]}}}, a value it does "
            f"not have; end the function with: return titled(chart, rows, {value.args[0]}=...)"
        ) from None


def open_store(store: Path | str) -> duckdb.DuckDBPyConnection:
    """Return a read-only DuckDB connection to a store; its queries take at most :data:`~reports.measure.bounds.STORE_MEMORY`.

    Parameters
    ----------
    store
        The file, or the folder of results that holds it as ``slotwise.duckdb``.

    Raises
    ------
    StudyError
        When there is no such file.
    """
    import duckdb

    require(store, str | Path, "the path of a store, or of the folder of results that holds it")
    file = Path(store) / STORE if Path(store).is_dir() else Path(store)
    if not file.is_file():
        raise StudyError(f"{file}: there is no such store; the pipeline's target `all` makes it")
    try:
        connection = duckdb.connect(str(file), read_only=True)
    except duckdb.IOException as error:
        raise StudyError(f"{file}: this store cannot be opened: {str(error).splitlines()[0]}") from None
    # As a setting of the connection it would clash with other connections of the process to the same file.
    connection.execute(f"SET memory_limit = '{STORE_MEMORY}B'")
    return connection


def draw_figure(connection: duckdb.DuckDBPyConnection, figure: Figure, out: Path, name: str = "") -> dict[str, Any]:
    """Draw one figure and return its entry of ``figures.json``."""
    from altair.utils.schemapi import debug_mode

    name = name or figure.__name__
    try:
        where = f"the figure {figure.__module__}.{figure.__name__}"
        with (
            in_time(connection, where, SECONDS),
            debug_mode(False),
        ):  # a specification is checked once, whole, not at each step of making it
            chart = figure(connection)
        spec = specification(chart)
    except NoData as reason:
        title, _ = words_of(figure, Blank())
        return {"name": name, "title": title, "caption": "", "absent": str(reason)}
    if "values" not in spec.get("data", {}):
        raise StudyError(
            f"the figure {figure.__module__}.{figure.__name__} does not carry its rows, which become its CSV; end the function "
            "with: return titled(chart, rows)"
        )
    told = spec.get("usermeta", {})
    title, written = words_of(figure, told.get("caption", {}))
    written = f"{written} {told.get('further', '')}".strip()
    caption, printed = SCREEN_ONLY.sub(r"\1\2", written), SCREEN_ONLY.sub("", written).strip()
    spec["description"] = title
    write_figure(spec, out / name, caption)
    return {"name": name, "title": title, "caption": caption, "printed": printed}


SCREEN_ONLY = re.compile(r"(\s*)\[\[(.*?)\]\]")
"""Sentences of a caption in double brackets, which help on a screen and are left out in print."""


class Blank(dict[str, Any]):
    """Values of a caption that is not shown."""

    def __missing__(self, key: str) -> str:
        return ""


def specification(chart: Any) -> dict[str, Any]:
    """Return a chart as Vega-Lite, with the theme's configuration and panels at their width in print."""
    import altair as alt

    # rows are put in as they are, since walking through them costs more than all the rest; tests check specifications
    kept = chart.data
    carries_rows = isinstance(kept, alt.Data)
    try:
        chart.data = alt.Data(values=[]) if carries_rows else kept
        with alt.theme.enable("none"):
            spec = chart.to_dict(validate=False)
    finally:
        chart.data = kept
    if carries_rows:
        spec["data"] = {"values": list(kept.values)}
    spec.pop("config", None)
    set_width(spec)
    spec["config"] = config("light")
    return spec


def set_width(spec: dict[str, Any]) -> None:
    """Set the width of a view or of its panels as a page of print has room for."""
    width = PANEL_WIDTH[min(3, int(spec.get("columns", 1)))]
    if "concat" in spec:
        for part in spec["concat"]:
            part["width"] = width
    elif "facet" in spec:
        spec["spec"]["width"] = width
    else:
        spec["width"] = width


def write_figure(spec: dict[str, Any], stem: Path, caption: str = "") -> None:
    """Write chart, picture, print and data under the name ``stem`` with their endings; the picture carries its caption."""
    import vl_convert

    write_json(stem.with_suffix(".json"), spec)
    # as text: to take a dictionary apart costs the converter a third of its time
    svg = described(vl_convert.vegalite_to_svg(json.dumps(spec), VEGA_LITE), spec.get("description", ""), caption)
    write_text(stem.with_suffix(".svg"), svg)
    with replacing(stem.with_suffix(".pdf")) as temporary:
        temporary.write_bytes(canonical(vl_convert.svg_to_pdf(svg)))
    write_text(stem.with_suffix(".csv"), comma_separated(spec["data"]["values"]))


def described(svg: str, title: str, caption: str = "") -> str:
    """Say in a picture what it shows, for readers who do not see it."""
    label = escape(title, {'"': "&quot;"})
    head, end, rest = svg.partition(">")
    said = f"<title>{escape(title)}</title>" + (f"<desc>{escape(caption)}</desc>" if caption else "")
    return head.replace("<svg ", f'<svg role="img" aria-label="{label}" ', 1) + end + said + rest
