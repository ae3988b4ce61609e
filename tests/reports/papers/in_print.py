"""What holds for every figure of a paper."""

import itertools
import json

import pytest

from reports.papers.layout import PT_PER_MM, WIDTHS
from reports.papers.parts import TALL, lay_out
from tests.headless_chromium import blank_page
from tests.reports.papers.boxes import boxes_of

LEAST_TEXT_PT = 6.5


def check_figures(browser, folder, widths=WIDTHS):
    """Lay out all figures of a folder at some widths: size, texts on the page, labels apart."""
    paths = sorted(path for path in folder.glob("*.json") if path.name != "figures.json")
    assert paths
    wrong = []
    with blank_page(browser) as page:
        for path, (name, millimetres) in itertools.product(paths, widths.items()):
            for svg in lay_out(json.loads(path.read_text()), millimetres):
                boxes, width, height = boxes_of(page, svg)
                assert width == pytest.approx(millimetres * PT_PER_MM, abs=0.1)
                wrong += [
                    (path.stem, name, kind, found) for kind, found in flaws(boxes, width, height).items() if found
                ]
    assert wrong == []


def flaws(boxes, width, height):
    """Return what is wrong with a picture: texts that meet, are small, lie outside or are cut; a height above a page's."""
    labels = [box for box in boxes if not box.is_mark]
    return {
        "meeting": [(a.text, b.text) for a, b in itertools.combinations(labels, 2) if a.meets(b)][:3],
        "small": [box.text for box in boxes if box.size < LEAST_TEXT_PT],
        "outside": [box.text for box in boxes if not box.lies_on(width, height)],
        "cut": [box.text for box in labels if box.text.endswith("…")],
        "tall": [height / PT_PER_MM] if height / PT_PER_MM > TALL + 0.1 else [],
    }
