"""The page of testable sentences in headless Chromium: on a phone no column hides behind an edge."""

import pytest

from reports.pages import render
from reports.pages.sources_page import NOT_TESTABLE, TESTED, counts

LAID = """() => [...document.querySelectorAll('.sentences tbody td')].map(e => e.getBoundingClientRect())
  .map(({ left, right, top }) => [left, right, top])"""
SENTENCE = {
    "section": "section 6.11, page 84",
    "sentence": "Backfilling reduces the mean response time of short and medium jobs on both machines " * 2,
    "paraphrased": False,
    "state": TESTED,
    "reason": "",
    "needs": "",
    "claims": [
        {"verdict": "reproduced", "mix": "", "href": "study-a.html#b", "headline": "Backfilling shortens responses"}
    ],
}


@pytest.fixture(scope="module")
def page_file(tmp_path_factory):
    out = tmp_path_factory.mktemp("coverage")
    render.write_assets(out / "assets")
    left_out = {
        **SENTENCE,
        "claims": [],
        "state": NOT_TESTABLE,
        "reason": "No number of the source can be read from its figure.",
    }
    sentences = [SENTENCE, left_out]
    source = {"source": "A paper", "sentences": sentences, "counts": counts(sentences)}
    covered = {"title": "Coverage", "sources": [source], "counts": counts(sentences)}
    render.write_page(render.environment(), out, [], "coverage.html", "coverage.html", covered)
    return out / "coverage.html"


@pytest.mark.parametrize(("width", "columns"), [(1280, 2), (390, 1)])
def test_sentences_stand_beside_their_claims_or_above_them(open_page, page_file, width, columns):
    with open_page(page_file, width) as page:
        cells = page.evaluate(LAID)
        assert all(0 <= left < right <= width for left, right, _ in cells), f"a column is out of sight at {width}"
        assert len({left for left, _, _ in cells}) == columns
        assert [top for _, _, top in cells] == sorted(top for _, _, top in cells)
