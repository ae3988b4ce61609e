"""A figure of a paper as one picture, or as parts that fit a page each: panels and rows of an axis stay whole."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterator
from itertools import combinations
from typing import Any, NamedTuple

from reports.papers.layout import (
    DISCRETE,
    LEAST_PANEL,
    LINE,
    PT_PER_MM,
    PT_PER_PX,
    SQUEEZES,
    TURNED,
    Spec,
    Squeeze,
    column,
    encodings_of,
    fitted,
    least_panel,
    shape_of,
    size_of,
    sized,
)

TALL = 210
"""The most millimetres of a page that a picture may take beside its caption."""

MOST_GROUPS = 8
"""Groups of rows of an axis that are told apart when they are divided."""

HEIGHT = re.compile(r'height="([\d.]+)mm"')


class Picture(NamedTuple):
    """A figure, or a part of it, as SVG, and whether it fits a page."""

    svg: str
    fits: bool


Draw = Callable[[Spec, Squeeze], Picture]


def lay_out(spec: Spec, millimetres: float, tall: float = TALL) -> list[str]:
    """Return a figure as SVG, in parts of at most ``tall`` mm: ``millimetres`` wide, its texts of 7 pt.

    Panels are as wide as the space allows. A figure that is too tall is drawn closer. If it stays too tall, it has as few parts
    as possible, with the same axes and of similar heights.

    Parameters
    ----------
    spec
        The specification with its data, as the pipeline saves it.
    """
    page = millimetres * PT_PER_MM / PT_PER_PX
    columns, legend = shape_of(spec, page)

    def draw(part: Spec, squeeze: Squeeze) -> Picture:
        across = max(1, min(columns, len(panels_of(part))))
        for side_by_side in range(legend, 0, -1):
            svg, panel = fitted(part, page, across, side_by_side, squeeze)
            if size_of(svg)[0] <= page:
                break
        # Turned labels of a horizontal axis need a line each.
        narrow = panel < max(LEAST_PANEL, least_panel(part) * LINE / TURNED) and squeeze != SQUEEZES[0]
        picture = sized(svg, millimetres, page)
        return Picture(picture, height_of(picture) <= tall and size_of(svg)[0] <= page and not narrow)

    if found := fitting([spec], draw):
        return found
    groups: list[list[Any]] = []
    for groups in groupings(spec, columns):
        alone = [fitting([part_of(spec, group)], draw) for group in groups]
        if all(alone):
            return in_parts(spec, groups, [height_of(svg) for (svg,) in alone], draw)
    if not groups:
        return [draw(spec, SQUEEZES[0]).svg]
    return [svg for group in groups for svg in lay_out(part_of(spec, group), millimetres, tall)]


def fitting(parts: list[Spec], draw: Draw) -> list[str]:
    """Return parts drawn as loosely as all of them fit a page; nothing when one does not."""
    for squeeze in SQUEEZES:
        found: list[str] = []
        for part in parts:
            svg, fits = draw(part, squeeze)
            if not fits:
                break
            found.append(svg)
        else:
            return found
    return []


def in_parts(spec: Spec, groups: list[list[Any]], heights: list[float], draw: Draw) -> list[str]:
    """Return groups, each of which fits a page, as the fewest parts."""
    for count in range(2, len(groups)):
        parts = [[item for group in part for item in groups[group]] for part in balanced(heights, count)]
        if found := fitting([part_of(spec, part) for part in parts], draw):
            return found
    return [svg for group in groups for svg in fitting([part_of(spec, group)], draw)]


def balanced(heights: list[float], count: int) -> list[list[int]]:
    """Return the places of heights, in order, in at most ``count`` parts whose greatest sum is the least."""
    sums = sorted({sum(heights[first:last]) for first, last in combinations(range(len(heights) + 1), 2)})
    return next(parts for limit in sums if len(parts := filled(heights, limit)) <= count and limit >= max(heights))


def filled(heights: list[float], limit: float) -> list[list[int]]:
    """Return the places of heights, in order, in parts that are filled up to a limit."""
    parts: list[list[int]] = [[]]
    for place, height in enumerate(heights):
        if parts[-1] and sum(heights[one] for one in parts[-1]) + height > limit:
            parts.append([])
        parts[-1].append(place)
    return parts


def height_of(svg: str) -> float:
    """Return how tall a picture of :func:`lay_out` is, in millimetres."""
    found = HEIGHT.search(svg)
    assert found is not None
    return float(found[1])


def groupings(spec: Spec, columns: int) -> Iterator[list[list[Any]]]:
    """Yield ways to divide a figure, the coarsest first: rows of panels, panels, or rows of the axis of its only panel."""
    panels = panels_of(spec)
    together = spec.get("columns", 1) if "concat" in spec else 1  # panels of a row belong together
    if len(panels) > 1:
        sizes = {size: None for size in (max(columns, together), columns, 1) if size < len(panels)}
        yield from (in_groups(panels, size) for size in sizes)
    elif len(rows := values_in_order(spec, row_axis(spec))) > 1:
        yield in_groups(rows, math.ceil(len(rows) / MOST_GROUPS))


def panels_of(spec: Spec) -> list[Any]:
    """Return the panels of a figure, or their names; empty for a figure without."""
    return list(spec["concat"]) if "concat" in spec else values_in_order(spec, spec.get("facet", {}))


def in_groups(items: list[Any], size: int) -> list[list[Any]]:
    """Return items in groups of a size, in order; the last group may be smaller."""
    return [items[first : first + size] for first in range(0, len(items), size)]


def row_axis(spec: Spec) -> Spec:
    """Return the encoding of the nominal vertical axis; empty without one."""
    return next((one for channel, one in encodings_of(spec) if channel == "y" and one.get("type") in DISCRETE), {})


def values_in_order(spec: Spec, encoding: Spec) -> list[Any]:
    """Return the values of a nominal channel in the order in which the figure shows them."""
    found = column(spec["data"]["values"], encoding.get("field"))
    order = encoding.get("sort", "ascending")
    if isinstance(order, list):
        return sorted(found, key=lambda value: order.index(value) if value in order else len(order))
    return sorted(found, reverse=order == "descending") if order else found


def part_of(spec: Spec, items: list[Any]) -> Spec:
    """Return a specification with some of its panels, or of the rows of its only panel; its scales stay as they are."""
    if items[0] in spec.get("concat", []):
        return {**spec, "concat": items}
    facet = spec.get("facet", {})
    is_panel = len(column(spec["data"]["values"], facet.get("field"))) > 1
    field = (facet if is_panel else row_axis(spec))["field"]
    apart = spec.get("resolve", {}).get("scale", {}) if is_panel else {}
    shared = [channel for channel in ("x", "y") if apart.get(channel) != "independent"]
    rows = [row for row in spec["data"]["values"] if row.get(field) in (*items, None)]
    return {**with_domains(spec, spec["data"]["values"], shared), "data": {"values": rows}}


def with_domains(part: Any, rows: list[Any], channels: Collection[str]) -> Any:
    """Return a copy of a specification whose scales of some channels reach over all rows."""
    if isinstance(part, list):
        return [with_domains(one, rows, channels) for one in part]
    if not isinstance(part, dict):
        return part
    found = {key: value if key == "data" else with_domains(value, rows, channels) for key, value in part.items()}
    for channel in channels:
        encodings = part.get("encoding", {})
        scale = encodings.get(channel, {}).get("scale", {})
        if encodings.get(channel, {}).get("type") == "quantitative" and scale is not None and "domain" not in scale:
            fields = [encodings.get(end, {}).get("field") for end in (channel, f"{channel}2")]
            values = [value for field in fields for value in column(rows, field)]
            if ends := [value for value in values if value > 0 or scale.get("type") != "log"]:
                zero = {} if scale.get("type") == "log" else {"zero": True}  # the default of scales without a domain
                reach = {**zero, **scale, "domain": {"unionWith": [min(ends), max(ends)]}}
                found["encoding"][channel] = {**encodings[channel], "scale": reach}
    return found
