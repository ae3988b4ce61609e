"""Figures laid out for a column and a page of a paper."""

import json
import re

import pytest
import vl_convert

from reports.papers.layout import WIDTHS, in_points, size_of, wrapped
from reports.papers.parts import height_of, lay_out
from tests.conftest import DRAWN
from tests.reports.papers.boxes import Box
from tests.reports.papers.in_print import check_figures

COLUMN, PAGE = WIDTHS


@pytest.mark.parametrize(
    ("study", "width"),
    [
        *((study, COLUMN) for study in DRAWN),
        ("easy_dialects", PAGE),
        pytest.param("baseline", PAGE, marks=pytest.mark.thorough),  # twice as many figures, of the same kinds
    ],
)
def test_every_figure_is_as_wide_as_asked_for_and_readable(figures, browser, study, width):
    check_figures(browser, figures / study, {width: WIDTHS[width]})


def text(*corners):
    return Box("text", "role-axis-label", 7, corners)


def test_texts_that_lie_apart_or_are_turned_side_by_side_do_not_meet():
    flat = text((0, 0), (40, 0), (40, 8), (0, 8))
    assert flat.meets(text((30, 4), (70, 4), (70, 12), (30, 12)))
    assert not flat.meets(text((41, 0), (80, 0), (80, 8), (41, 8)))
    steep = text((0, 40), (30, 10), (35, 15), (5, 45))
    assert not steep.meets(text((15, 40), (45, 10), (50, 15), (20, 45)))
    assert not flat.lies_on(30, 20)


def some_figure(panels, *, labels=("FCFS", "EASY")):
    rows = [{"panel": f"log {n}", "policy": label, "wait": n + 1} for n in range(panels) for label in labels]
    encoding = {
        "x": {"field": "wait", "type": "quantitative", "title": "Mean wait (min)"},
        "y": {"field": "policy", "type": "nominal", "title": None},
    }
    return {
        "data": {"values": rows},
        "facet": {"field": "panel", "type": "nominal", "title": None},
        "columns": 3,
        "spec": {"mark": "point", "encoding": encoding, "height": {"step": 20}},
        "config": {"font": "DejaVu Sans", "axis": {"labelFontSize": 11}, "legend": {}, "text": {"fontSize": 9}},
    }


def texts_of(svg):
    return re.findall(r"<text[^>]*>([^<]*)</text>|<tspan[^>]*>([^<]*)</tspan>", svg)


def test_panels_wrap_at_the_width_instead_of_shrinking():
    spec = some_figure(8)
    (column,), (page,) = lay_out(spec, 85), lay_out(spec, 178)
    assert height_of(column) > 1.3 * height_of(page)


def test_a_long_label_goes_on_two_lines_and_is_whole():
    label = "Submissions first, ending jobs count as free"
    (svg,) = lay_out(some_figure(1, labels=("FCFS", label)), 85)
    words = " ".join(filter(None, (a or b for a, b in texts_of(svg))))
    assert label in words
    assert not any(label in (a, b) for a, b in texts_of(svg))


def test_the_specification_of_the_report_stays_as_it_is():
    spec = some_figure(2)
    before = json.dumps(spec)
    lay_out(spec, 85)
    assert json.dumps(spec) == before


def test_a_pdf_is_exactly_as_wide_and_embeds_its_fonts():
    pdf = vl_convert.svg_to_pdf(in_points(*lay_out(some_figure(2), 85)))
    box = re.search(rb"/MediaBox \[0 0 ([\d.]+) [\d.]+\]", pdf)
    assert float(box[1]) * 25.4 / 72 == pytest.approx(85, abs=0.01)
    fonts = re.findall(rb"/BaseFont /\w+\+([\w-]+)", pdf)
    assert fonts
    assert pdf.count(b"/FontFile") == len(set(fonts))


def test_words_go_on_as_few_lines_as_fit():
    assert wrapped("Mean wait", 200) == ["Mean wait"]
    assert wrapped("Mean wait of jobs", 70) == ["Mean wait", "of jobs"]
    assert wrapped("Indivisible", 5) == ["Indivisible"]
    assert wrapped("Load 200 % (81 %)", 5) == ["Load", "200\u00a0%", "(81\u00a0%)"]


def test_the_size_of_a_picture_is_read_from_its_head():
    assert size_of('<svg width="10" height="20.5" viewBox="0 0 10 20.5">') == (10, 20.5)
