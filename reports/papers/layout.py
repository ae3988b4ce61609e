"""A figure laid out for a column or a page of a paper: text of 7 pt, and exactly as wide as asked for.

Specifications of the pipeline are in pixels, with text of 11 pixels. On paper 11 pixels become 7 pt, so a column has few
pixels. Panels share this width anew: each width takes as many columns of panels as stay readable, and texts that would be
wider than their place go on several lines.
"""

from __future__ import annotations

import copy
import functools
import json
import math
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from reports.draw.drawing import VEGA_LITE

Spec = dict[str, Any]

WIDTHS = {"85mm": 85, "178mm": 178}
"""Millimetres of a column and of a page of a paper in two columns."""

TEXT_PX, TEXT_PT = 11, 7
"""Size of all texts, in pixels of the specification and in points on paper."""

PT_PER_PX = TEXT_PT / TEXT_PX
PT_PER_MM = 72 / 25.4

LEAST_PANEL = 85
"""Pixels of a panel (19 mm) below which there is one column of panels less."""

LEAST_WIDE = 300
"""The same for panels that take the width of the report's page, such as those over time."""

MOST_COLUMNS = 4
NARROWEST = 60
"""Pixels of a panel below which nothing is gained."""

TRIES = 7
"""How often panels are drawn anew, each time nearer to the width asked for."""

STEP = 0.75
"""How much closer the rows of a nominal axis stand than on the page."""

LINE = 13
"""Pixels from line to line of a text."""

LEAST_STEP = 6.5
"""Pixels from mark to mark of a row that has several."""

BAR = 0.8
"""The most height of a bar as part of its row."""

TURNED = 17
"""Pixels from label to label of a horizontal axis with turned labels."""

PLAIN_STEP = 22
"""Pixels of a row of a nominal axis if the specification states none."""

ASPECT = 0.75
"""The most height of a panel as part of its width; panels below :data:`FLAT` pixels keep their height."""

FLAT = 110


class Squeeze(NamedTuple):
    """How close a figure is drawn.

    Attributes
    ----------
    height
        Scales the height of panels and the distance of rows, as far as their texts allow.
    labels
        The most part of the width that the labels of an axis may take before they go on several lines.
    """

    height: float = 1
    labels: float = 0.36


SQUEEZES = (Squeeze(), Squeeze(0.7, 0.5), Squeeze(0.5, 0.5), Squeeze(0.5, 0.7))
"""From the looser to the closer; each is for figures that are too tall under the one before."""

SYMBOL = 34
"""Pixels of a symbol of a legend and the space around it."""

FONT_SIZE = re.compile("(?:^f|F)ontSize$")
NARROW, WIDE = frozenset("ijltfrI.,:;'|!()[] \u00a01-"), frozenset("mwMW%@–×")
PANELS = ("concat", "facet")
DISCRETE = ("nominal", "ordinal")


def shape_of(spec: Spec, page: float) -> tuple[int, int]:
    """Return how many columns of panels a figure of ``page`` pixels has, and how many columns its legends have."""
    least = least_panel(spec)
    for columns in columns_tried(spec, page):
        svg, width = fitted(spec, page, columns)
        if width >= least and size_of(svg)[0] <= page:
            break
    legend = MOST_COLUMNS
    while legend > 1 and (size_of(svg)[0] > page or width < LEAST_PANEL):
        legend -= 1
        svg, width = fitted(spec, page, columns, legend)
    return columns, legend


def columns_tried(spec: Spec, page: float) -> Iterator[int]:
    """Yield numbers of columns of panels, the most first; panels that stand below one another stay so."""
    panels = len(spec["concat"]) if "concat" in spec else len(values_of(spec, spec.get("facet", {}).get("field", "")))
    if spec.get("columns", 1) == 1 or panels < 2:
        yield from (2, 1) if "facet" in spec and panels > 1 and page > 2 * LEAST_WIDE else (1,)
        return
    most = range(min(MOST_COLUMNS, panels, int(page / LEAST_PANEL)), 0, -1)
    if "concat" in spec:  # panels of a row belong together
        yield from (columns for columns in most if columns == 1 or columns % spec["columns"] == 0)
    else:
        yield from dict.fromkeys(math.ceil(panels / math.ceil(panels / columns)) for columns in most)


def least_panel(spec: Spec) -> float:
    """Return the least width of a panel: every category of a horizontal axis needs room for its turned label."""
    across = [e.get("field") for c, e in encodings_of(spec) if c == "x" and e.get("type") in DISCRETE]
    return max([LEAST_PANEL, *(TURNED * len(values_of(spec, field)) for field in across)])


def fitted(
    spec: Spec, page: float, columns: int, legend: int = MOST_COLUMNS, squeeze: Squeeze = SQUEEZES[0]
) -> tuple[str, float]:
    """Return the picture with the widest panels that ``page`` pixels have room for, and the width of a panel.

    The picture is wider than ``page`` when a text or a legend is.
    """
    width, known = math.floor(0.8 * page / columns), math.inf
    for _ in range(TRIES):
        svg = render(transformed(spec, page, columns, width, legend, squeeze))
        found = size_of(svg)[0]
        if 0 <= page - found < columns or page < found == known or width == NARROWEST:
            break
        known, last = found, width
        width = max(NARROWEST, math.floor(width + (page - found) / columns))
    else:
        width = last
    return svg, width


def transformed(spec: Spec, page: float, columns: int, width: float, legend: int, squeeze: Squeeze) -> Spec:
    """Return a copy of a specification for ``columns`` columns of panels of ``width`` pixels."""
    found: Spec = copy.deepcopy({key: value for key, value in spec.items() if key != "data"})
    found["data"] = dict(spec["data"])
    arrange(found, columns)
    for view in views_of(found):
        view["width"] = width
        set_height(view, width, squeeze.height)
    rows = spec["data"]["values"]
    for channel, encoding in encodings_of(found):
        if channel == "text" and encoding.get("type") == "nominal":
            rows = found["data"]["values"] = fit_texts(encoding, rows, width)
        fit_encoding(channel, encoding, rows, width, squeeze.labels * page / columns)
    raise_texts(found)
    for view in views_of(found):
        fit_steps(view, rows, squeeze.height)
        fit_title(view, width)
    fit_header(found, rows, width)
    fit_legends(found, rows, page, legend)
    found["config"]["padding"] = 2
    found["config"]["axis"]["labelLimit"] = found["config"]["legend"]["labelLimit"] = page
    found["config"]["legend"]["layout"] = {"top": {"direction": "vertical", "margin": 4, "anchor": "start"}}
    set_fonts(found)
    return found


def arrange(spec: Spec, columns: int) -> None:
    """Set the number of columns of panels, and the least space between them."""
    if any(key in spec for key in PANELS):
        spec["columns"] = columns
        spec["spacing"] = {"row": 16, "column": 16}


def views_of(spec: Spec) -> list[Spec]:
    """Return the views that have a width: the panels, or the specification itself."""
    return list(spec["concat"]) if "concat" in spec else [spec["spec"]] if "facet" in spec else [spec]


def set_height(view: Spec, width: float, part: float) -> None:
    """Make a view no taller than its width allows, or a part of that."""
    height = view.get("height")
    if isinstance(height, int | float):
        view["height"] = part * min(height, max(FLAT, ASPECT * width))


def fit_steps(view: Spec, rows: list[Any], part: float) -> None:
    """Give every row of a nominal axis a part of its height, but at least that of its label."""
    encodings = dict(encodings_of(view))
    if "height" not in view and encodings.get("y", {}).get("type") in DISCRETE:
        view["height"] = {"step": PLAIN_STEP}
    height = view.get("height")
    lines = max((encoding.get("lines", 1) for _, encoding in encodings_of(view)), default=1)
    if isinstance(height, int | float) and encodings.get("y", {}).get("type") in DISCRETE and lines > 1:
        view["height"] = max(height, LINE * lines * len(column(rows, encodings["y"].get("field"))))
    if not isinstance(height, dict):
        return
    offset = encodings.get("yOffset", {}).get("field")
    parts = len({row.get(offset) for row in rows}) if offset and height.get("for") != "position" else 1
    height["step"] = max(part * STEP * height["step"], LEAST_STEP, LINE * lines / parts)
    for mark in [layer["mark"] for layer in view.get("layer", [view]) if isinstance(layer.get("mark"), dict)]:
        if isinstance(mark.get("height"), int | float):
            mark["height"] = min(mark["height"], BAR * height["step"])


def fit_encoding(channel: str, encoding: Spec, rows: list[Any], width: float, limit: float) -> None:
    """Put titles and nominal labels of an axis on as many lines as they need."""
    if channel not in ("x", "y"):
        return
    for holder in (encoding, encoding.get("axis") or {}):
        if isinstance(title := holder.get("title"), str):
            holder["title"] = one_or_more(wrapped(title, width if channel == "x" else FLAT))
    axis = encoding.get("axis", {})
    if axis:
        axis.pop("labelLimit", None)
        if channel == "x" and axis.get("labelAngle") and width < TURNED * len(column(rows, encoding.get("field"))):
            encoding["axis"] = {**axis, "labelAngle": -90, "labelAlign": "right", "labelBaseline": "middle"}
    if encoding.get("type") in DISCRETE and channel == "y" and axis is not None and "labelExpr" not in axis:
        labels = {str(value): wrapped(str(value), limit) for value in column(rows, encoding.get("field"))}
        if any(len(lines) > 1 for lines in labels.values()):
            encoding["axis"] = {**axis, "labelExpr": by_label(labels)}
            encoding["lines"] = max(map(len, labels.values()))


def fit_texts(encoding: Spec, rows: list[Any], width: float) -> list[Any]:
    """Return rows in which texts of marks that are wider than their panel have line breaks."""
    field = encoding.get("field")
    lines = {value: wrapped(str(value), 0.9 * width) for value in column(rows, field)}
    most = max(map(len, lines.values()), default=1)
    if most == 1:
        return rows
    encoding["lines"] = most + 0.5  # a bar is a little lower than its row
    return [row | {field: "\n".join(lines[row[field]])} if row.get(field) is not None else row for row in rows]


def raise_texts(part: Any) -> None:
    """Put texts of several lines as far above the middle of their row as below; Vega centres the first line."""
    if isinstance(part, list):
        for one in part:
            raise_texts(one)
    elif isinstance(part, dict):
        text, mark = part.get("encoding", {}).get("text"), part.get("mark")
        if isinstance(text, dict) and isinstance(mark, dict) and text.get("lines", 1) > 1:
            mark["dy"], mark["lineBreak"] = -LINE * (int(text["lines"]) - 1) / 2, "\n"
        for key in ("layer", "concat", "spec"):
            raise_texts(part.get(key))


def fit_title(view: Spec, width: float) -> None:
    """Put the title of a panel on as many lines as it needs."""
    title = view.get("title")
    if isinstance(title, str):
        view["title"] = one_or_more(wrapped(title, width, bold=True))
    elif isinstance(title, dict) and isinstance(title.get("text"), str):
        title["text"] = one_or_more(wrapped(title["text"], width, bold=True))


def fit_header(spec: Spec, rows: list[Any], width: float) -> None:
    """Put the headers of panels on as many lines as they need; a colon begins a line, as on the page."""
    facet = spec.get("facet", {})
    if "field" in facet:
        labels = {
            str(value): [line for part in str(value).split(": ") for line in wrapped(part, width, bold=True)]
            for value in column(rows, facet["field"])
        }
        most = max(map(len, labels.values()), default=1)  # equal headers keep the panels of a row level
        labels = {label: [""] * (most - len(lines)) + lines for label, lines in labels.items()}
        facet["header"] = {**(facet.get("header") or {}), "labelExpr": by_label(labels), "labelLimit": 0}


def fit_legends(spec: Spec, rows: list[Any], page: float, most: int) -> None:
    """Give every legend as many columns as ``page`` pixels have room for, ``most`` at the most."""
    spec["config"]["legend"]["columns"] = most
    for _, encoding in encodings_of(spec):
        legend = encoding.get("legend")
        if isinstance(legend, dict) and isinstance(legend.get("gradientLength"), int | float):
            legend["gradientLength"] = min(legend["gradientLength"], page / 2)
        names = (encoding.get("scale") or {}).get("domain") or column(rows, encoding.get("field"))
        if "scale" in encoding and legend is not None and isinstance(names, list) and encoding.get("type") == "nominal":
            longest = max((width_of(str(name)) for name in names), default=1)
            columns = max(1, min(most, int(page / (longest + SYMBOL))))
            encoding["legend"] = {**(legend or {}), "columns": columns}


def set_fonts(part: Any) -> None:
    """Set the size of every text."""
    if isinstance(part, dict):
        for key, value in part.items():
            if FONT_SIZE.search(key) and isinstance(value, int | float):
                part[key] = TEXT_PX
            elif key != "data":
                set_fonts(value)
    elif isinstance(part, list):
        for one in part:
            set_fonts(one)


def encodings_of(part: Any) -> Iterator[tuple[str, Spec]]:
    """Yield every channel of a specification with its definition."""
    if isinstance(part, dict):
        for channel, encoding in part.get("encoding", {}).items():
            if isinstance(encoding, dict):
                yield channel, encoding
        for key in ("layer", "concat", "spec"):
            yield from encodings_of(part.get(key))
    elif isinstance(part, list):
        for one in part:
            yield from encodings_of(one)


def values_of(spec: Spec, field: str | None) -> list[Any]:
    """List the distinct values of a column of the data."""
    return column(spec["data"]["values"], field)


def column(rows: list[Any], field: str | None) -> list[Any]:
    """List the distinct values of a column, in the order they come."""
    return list(dict.fromkeys(row[field] for row in rows if row.get(field) is not None)) if field else []


def by_label(labels: dict[str, list[str]]) -> str:
    """Return the Vega expression that puts labels on their lines."""
    return (
        f"({json.dumps({label: one_or_more(lines) for label, lines in labels.items()})})[datum.label] || (datum.label)"
    )


def one_or_more(lines: list[str]) -> str | list[str]:
    """Return a text of one line as text, of several as a list."""
    return lines[0] if len(lines) == 1 else lines


def wrapped(text: str, width: float, *, bold: bool = False) -> list[str]:
    """Return a text on lines of at most ``width`` pixels; a longer word has a line of its own, and "14 %" is one word."""
    lines = [""]
    for word in text.replace(" %", "\u00a0%").split(" "):
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and width_of(longer, bold=bold) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def width_of(text: str, *, bold: bool = False) -> float:
    """Return about how wide a text of DejaVu Sans is, in pixels of a specification."""
    em = sum(
        0.38 if letter in NARROW else 0.95 if letter in WIDE else 0.7 if letter.isupper() else 0.62 for letter in text
    )
    return em * TEXT_PX * (1.12 if bold else 1)


def render(spec: Spec) -> str:
    """Return a specification as SVG."""
    return rendered(json.dumps(spec))


@functools.lru_cache(maxsize=32)
def rendered(spec: str) -> str:
    """Return a specification as SVG. A layout tries many specifications twice."""
    import vl_convert

    return str(vl_convert.vegalite_to_svg(spec, VEGA_LITE))


SIZE = re.compile(r'width="([\d.]+)" height="([\d.]+)" viewBox="0 0 [\d.]+ [\d.]+"')


def size_of(svg: str) -> tuple[float, float]:
    """Return width and height of a picture, in pixels."""
    found = SIZE.search(svg)
    assert found is not None
    return float(found[1]), float(found[2])


def sized(svg: str, millimetres: float, page: float) -> str:
    """Return a picture whose size is ``millimetres``, with ``page`` pixels across it."""
    height = size_of(svg)[1]
    tall = millimetres * height / page
    size = f'width="{millimetres:g}mm" height="{tall:.3f}mm" viewBox="0 0 {page:.4f} {height:g}"'
    return SIZE.sub(size, svg, count=1)


def in_points(svg: str) -> str:
    """Return a picture whose millimetres became points, the unit of PDF."""
    return re.sub(r'="([\d.]+)mm"', lambda found: f'="{float(found[1]) * PT_PER_MM:.4f}"', svg, count=2)
