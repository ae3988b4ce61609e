"""The report in headless Chromium, as its reader meets it."""

import shutil

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed (Debian: apt-get install chromium)"),
]

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
DRAWN = "[...document.querySelectorAll('[data-chart]')].every(place => place.dataset.drawn === '%s')"
OVERFLOWING = """
() => [...document.querySelectorAll('h1, h2, h3, p, li, td, th, dd, dt, figcaption, summary, nav a')]
  .filter(e => !e.closest('.scroll') && !e.closest('nav') && e.offsetParent !== null)
  .filter(e => e.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
  .map(e => e.textContent.trim().slice(0, 60))
"""


@pytest.fixture(scope="module")
def browser():
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield chromium
        chromium.close()


def open_page(browser, path, width=1280, scheme="light"):
    """Open a page and wait until its charts are drawn; give it with what went wrong and what it asked for."""
    page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
    troubles, requests = [], []
    page.on("console", lambda message: troubles.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on("request", lambda request: requests.append(request.url))
    page.goto(path.as_uri())
    page.wait_for_function(DRAWN % scheme, timeout=60_000)
    return page, troubles, requests


def names(report):
    return sorted(path.name for path in report.glob("*.html"))


@pytest.mark.parametrize("width", [1280, 390])
def test_every_page_is_quiet_drawn_and_fits(browser, report, width):
    assert len(names(report)) >= 8
    for name in names(report):
        page, troubles, requests = open_page(browser, report / name, width)
        assert troubles == [], f"{name} at {width}"
        assert all(url.startswith(("file:", "data:")) for url in requests), f"{name} asked for {requests}"
        assert page.evaluate("document.documentElement.scrollWidth") <= width, f"{name} is wider than {width}"
        assert page.evaluate(OVERFLOWING) == [], f"{name} at {width}"
        for chart in page.query_selector_all("[data-chart]"):
            marks = chart.query_selector_all("svg .mark-symbol path, svg .mark-rect path, svg .mark-line path")
            assert marks, f"{name}: {chart.get_attribute('aria-label')} is empty"
            right = chart.evaluate("e => e.querySelector('svg').getBoundingClientRect().right")
            assert right <= width + 1, f"{name}: {chart.get_attribute('aria-label')} is cut off"
        page.close()


def test_dark_and_light_redraw_the_charts(browser, report):
    page, troubles, _ = open_page(browser, report / "study-easy_dialects.html", scheme="dark")
    ink = "getComputedStyle(document.body).color"
    dark = page.evaluate(ink)
    page.click("#theme")
    page.wait_for_function(DRAWN % "light", timeout=60_000)
    assert page.evaluate(ink) != dark
    assert troubles == []
    page.close()


def test_the_schedule_viewer_answers_to_the_pointer(browser, report):
    page, troubles, _ = open_page(browser, report / "schedules.html")
    before = page.inner_text("#job")
    page.query_selector("#below").scroll_into_view_if_needed()
    box = page.query_selector("#below").bounding_box()
    for share in (0.15, 0.3, 0.45, 0.6, 0.75, 0.9):
        page.mouse.move(box["x"] + box["width"] * share, box["y"] + box["height"] * 0.8)
        if page.inner_text("#job") != before:
            break
    assert page.inner_text("#job").startswith("Job ")
    page.select_option("select[name=colour]", "size")
    page.select_option("select[name=span]", "0.25")
    assert troubles == []
    page.close()


def test_it_prints_on_paper(browser, report, tmp_path):
    page, troubles, _ = open_page(browser, report / "index.html")
    page.pdf(path=tmp_path / "index.pdf")
    assert (tmp_path / "index.pdf").stat().st_size > 10_000
    assert troubles == []
    page.close()
