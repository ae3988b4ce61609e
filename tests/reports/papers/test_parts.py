"""Figures that are too tall for a page are divided between panels, or between rows."""

import re
from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reports.papers.parts import TALL, balanced, filled, height_of, lay_out
from tests.reports.papers.specimens import dots, in_panels

VALUES = re.compile(r"X-axis[^\"]*values from ([\d.]+) to ([\d.]+)")


def labels_of(svg, begin):
    return re.findall(rf">({begin} \d+)<", svg)


def ends_of(svg):
    """Return where the horizontal axes of a picture begin and end."""
    return {(float(low), float(high)) for low, high in VALUES.findall(svg)}


@pytest.mark.parametrize("millimetres", [85, 178])
def test_panels_are_shown_once_each_in_order_and_whole(millimetres):
    rows, facet = in_panels(3, 44)
    parts = lay_out(dots(rows, facet=facet, columns=1), millimetres)
    assert len(parts) > 1
    assert max(map(height_of, parts)) <= TALL
    shown = [labels_of(svg, "log") for svg in parts]
    assert list(chain(*shown)) == facet["sort"]
    assert all({f"rule {n:02}" for n in range(44)} <= set(labels_of(svg, "rule")) for svg in parts)


def test_parts_share_the_axis_that_their_panels_shared():
    rows, facet = in_panels(3, 44)
    parts = lay_out(dots(rows, facet=facet, columns=1), 85)
    assert [ends_of(svg) for svg in parts] == [{(0, 132)}] * len(parts)


def test_parts_keep_the_axes_that_each_panel_had_alone():
    rows, facet = in_panels(3, 44)
    parts = lay_out(dots(rows, facet=facet, columns=1, resolve={"scale": {"x": "independent"}}), 85)
    assert set().union(*map(ends_of, parts)) == {(0, 44 * (panel + 1)) for panel in range(3)}


@pytest.mark.parametrize("panels", [0, 2])
def test_a_panel_taller_than_a_page_is_divided_between_rows(panels):
    rows, facet = in_panels(max(panels, 1), 90)
    parts = lay_out(dots(rows, **({"facet": facet, "columns": 2} if panels else {})), 85)
    assert max(map(height_of, parts)) <= TALL
    assert [label for svg in parts for label in labels_of(svg, "rule")] == [f"rule {n:02}" for n in range(90)] * max(
        panels, 1
    )
    assert len(parts) > panels
    assert all(len(ends_of(svg)) == 1 for svg in parts)


def test_panels_of_a_row_stay_together():
    rows, _ = in_panels(1, 44)
    panel = dots(rows)
    data, config = panel.pop("data"), panel.pop("config")
    panels = [{**panel, "title": f"log {place}"} for place in range(1, 5)]
    parts = lay_out({"data": data, "config": config, "concat": panels, "columns": 2}, 85)
    assert [labels_of(svg, "log") for svg in parts] == [["log 1", "log 2"], ["log 3", "log 4"]]


def test_a_figure_is_drawn_closer_before_it_is_divided():
    rows, _ = in_panels(1, 40)
    spec = dots(rows)
    (loose,) = lay_out(spec, 85)
    spec["height"] = {"step": 40}
    (close,) = lay_out(spec, 85)
    assert height_of(loose) < height_of(close) <= TALL


HEIGHTS = st.lists(st.integers(1, 200), min_size=1, max_size=9)


@given(HEIGHTS, st.integers(1, 9))
def test_no_other_division_has_a_lower_greatest_sum(heights, count):
    parts = balanced(heights, count)
    assert list(chain(*parts)) == list(range(len(heights)))
    assert len(parts) <= count
    greatest = max(sum(heights[place] for place in part) for part in parts)
    assert all(len(filled(heights, limit)) > count for limit in range(max(heights), greatest))
