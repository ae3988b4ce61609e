"""What holds for every figure of a paper."""

import itertools
import json

import pytest

from reports.papers.layout import PT_PER_MM, WIDTHS, lay_out
from tests.reports.papers.boxes import boxes_of

LEAST_TEXT_PT = 6.5


def check_figures(browser, folder):
    """Lay out all figures of a folder at both widths: size, texts on the page, labels apart."""
    paths = sorted(path for path in folder.glob("*.json") if path.name != "figures.json")
    assert paths
    page = browser.new_page()
    wrong = []
    for path, (name, millimetres) in itertools.product(paths, WIDTHS.items()):
        boxes, width, height = boxes_of(page, lay_out(json.loads(path.read_text()), millimetres))
        assert width == pytest.approx(millimetres * PT_PER_MM, abs=0.1)
        labels = [box for box in boxes if not box.is_mark]
        meeting = [(a.text, b.text) for a, b in itertools.combinations(labels, 2) if a.meets(b)]
        small = [box.text for box in boxes if box.size < LEAST_TEXT_PT]
        outside = [box.text for box in boxes if not box.lies_on(width, height)]
        cut = [box.text for box in labels if box.text.endswith("…")]
        found = {"meeting": meeting[:3], "small": small, "outside": outside, "cut": cut}
        wrong += [(path.stem, name, kind, texts) for kind, texts in found.items() if texts]
    page.close()
    assert wrong == []
