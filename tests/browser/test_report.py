"""The report in headless Chromium, as its reader meets it."""

from contextlib import contextmanager

import pytest

DRAWN = "[...document.querySelectorAll('[data-chart]')].every(place => place.dataset.drawn === '%s')"
UNFOLD = "for (const fold of document.querySelectorAll('main details')) fold.open = true"
OVERFLOWING = """
() => [...document.querySelectorAll('h1, h2, h3, p, li, td, th, dd, dt, figcaption, summary, nav a')]
  .filter(e => !e.closest('.scroll') && !e.closest('nav') && e.offsetParent !== null)
  .filter(e => e.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
  .map(e => e.textContent.trim().slice(0, 60))
"""
DESK = 1280
CUT = """all => all.filter(e => e.offsetParent && e.scrollWidth > e.clientWidth + 1).map(e => e.ariaLabel)"""
SMALLEST = 9
"""Pixels that a word of a chart has at least."""
TOO_SMALL = """least => [...document.querySelectorAll('svg text')].filter(e => e.textContent.trim() && e.getScreenCTM())
  .map(e => {
  const { a, b } = e.ownerSVGElement.getScreenCTM();
  return [e.textContent, parseFloat(getComputedStyle(e).fontSize) * Math.hypot(a, b)];
}).filter(([, size]) => size < least)"""
TEXTS = """() => {
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT, (node) =>
    node.parentElement.closest('script, style, template') ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT);
  const found = [];
  while (walk.nextNode()) found.push(walk.currentNode.textContent);
  return found;
}"""


def names(report):
    return sorted(path.name for path in report.glob("*.html"))


@pytest.fixture
def drawn_page(open_page):
    """Open a page and all that is folded, scroll through it, and wait until its charts are drawn."""

    @contextmanager
    def drawn(path, width=1280, scheme="light"):
        with open_page(path, width, scheme=scheme) as page:
            page.evaluate(UNFOLD)
            for place in page.query_selector_all("[data-chart]"):
                place.evaluate("place => place.scrollIntoView({block: 'center'})")
                page.wait_for_function("place => place.dataset.drawn", arg=place, timeout=60_000)
            page.wait_for_function(DRAWN % scheme, timeout=60_000)
            yield page

    return drawn


@pytest.mark.parametrize("width", [1280, 390])
def test_every_page_is_quiet_drawn_and_fits(drawn_page, report, width):
    assert len(names(report)) >= 8
    for name in names(report):
        with drawn_page(report / name, width) as page:
            assert page.evaluate(OVERFLOWING) == [], f"{name} at {width}"
            cut = page.eval_on_selector_all(".scroll", CUT)
            assert width < DESK or cut == [], f"{name} cuts columns of {cut}"
            assert page.evaluate(TOO_SMALL, SMALLEST) == [], f"{name} at {width}"
            marked = [text for text in page.evaluate(TEXTS) if "`" in text or "**" in text]
            assert marked == [], f"{name} shows marks of its markup"
            for chart in page.query_selector_all("[data-chart]"):
                marks = chart.query_selector_all("svg .mark-symbol path, svg .mark-rect path, svg .mark-line path")
                assert marks, f"{name}: {chart.get_attribute('aria-label')} is empty"
                right = chart.evaluate("e => e.querySelector('svg').getBoundingClientRect().right")
                assert right <= width + 1, f"{name}: {chart.get_attribute('aria-label')} is cut off"


def test_dark_and_light_redraw_the_charts(drawn_page, report):
    with drawn_page(report / "study-easy_dialects.html", scheme="dark") as page:
        ink = "getComputedStyle(document.body).color"
        dark = page.evaluate(ink)
        page.click("#theme")
        page.wait_for_function(DRAWN % "light", timeout=60_000)
        assert page.evaluate(ink) != dark


@pytest.mark.parametrize(("name", "file"), [("checks", "checks"), ("provenance", "runs"), ("provenance", "policies")])
@pytest.mark.parametrize("width", [1280, 390])
def test_long_tables_are_read_when_they_are_opened(open_page, report, name, file, width):
    with open_page(report / f"{name}.html", width) as page:
        fold = f"details[data-file='tables/{file}.js']"
        assert page.locator(f"{fold} tbody tr").count() == 0
        page.click(f"{fold} summary")
        page.wait_for_selector(f"{fold} tbody tr")
        groups = page.eval_on_selector_all(f"{fold} option", "all => all.map(one => one.value)")
        first = page.inner_text(f"{fold} tbody")
        if len(groups) > 1:
            page.select_option(f"{fold} select", groups[1])
            assert page.inner_text(f"{fold} tbody") != first


def test_it_prints_on_paper(drawn_page, report, tmp_path):
    with drawn_page(report / "index.html") as page:
        page.pdf(path=tmp_path / "index.pdf")
        assert (tmp_path / "index.pdf").stat().st_size > 10_000
