"""The page of a study in headless Chromium: the answer comes first, charts come when asked for, nothing is cut or lost."""

import functools
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest
from playwright.sync_api import expect

STUDY = "study-baseline.html"
HIGHEST = 12_000
LARGEST = 500_000
MEGABIT = 1_000_000 / 8
SEEN = """e => {
  const box = e.getBoundingClientRect();
  return e.contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2));
}"""
DRAWN = "[...document.querySelectorAll('[data-chart][data-drawn]')].map(place => place.dataset.chart)"
TOUCHING = """() => {
  const found = [];
  for (const axis of document.querySelectorAll('.role-axis-label')) {
    const level = [...axis.querySelectorAll('text')].filter(e => !/rotate/.test(e.getAttribute('transform')));
    const labels = level.filter(e => getComputedStyle(e).opacity !== '0' && e.textContent.trim());
    const boxes = labels.map(e => [e.textContent, e.getBoundingClientRect()]).filter(([, box]) => box.width);
    boxes.forEach(([one, a], i) => boxes.slice(i + 1).forEach(([other, b]) => {
      const across = Math.max(a.left, b.left) - Math.min(a.right, b.right);
      const along = Math.max(a.top, b.top) - Math.min(a.bottom, b.bottom);
      if (across < 2 && along < -2) found.push(one + ' | ' + other);
    }));
  }
  return found;
}"""
BOTTOM = "e => e.getBoundingClientRect().bottom"


@pytest.fixture
def page(open_page, report):
    with open_page(report / STUDY) as page:
        yield page


@pytest.fixture
def served(report):
    """Serve the report as a site does; return its address."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *said):
            """Keep silent."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=report))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_the_first_screen_holds_the_answer_and_the_figure_that_shows_it(page):
    assert "to 0.6 of FCFS's" in page.inner_text(".answer-box")
    assert page.inner_text(".numbers dd").startswith("0.60")
    assert page.inner_text(".hero h2") == "Backfilling shortens waits"
    assert page.eval_on_selector(".answer-box", BOTTOM) < page.eval_on_selector(".hero h2", BOTTOM)
    page.wait_for_function("document.querySelector('.hero [data-chart]').dataset.drawn")
    assert page.eval_on_selector(".hero .canvas", BOTTOM) <= 900


@pytest.mark.parametrize("width", [1280, 390])
def test_no_page_is_endless(open_page, report, width):
    for path in sorted(report.glob("*.html")):
        assert path.stat().st_size < LARGEST, path.name
        with open_page(path, width) as page:
            assert page.evaluate("document.documentElement.scrollHeight") < HIGHEST, path.name


def test_charts_are_drawn_when_they_come_into_view_and_their_pictures_stand_there_before(page):
    page.wait_for_function("document.querySelector('.hero [data-chart]').dataset.drawn")
    page.wait_for_timeout(500)
    places = page.eval_on_selector_all("[data-chart]", "places => places.map(place => place.dataset.chart)")
    before = page.evaluate(DRAWN)
    assert 0 < len(before) < len(places)
    waiting = page.locator("[data-chart]:not([data-drawn])").locator("visible=true").last
    name = waiting.get_attribute("data-chart")
    assert waiting.locator("img").get_attribute("src") == f"{name}.svg"
    waiting.evaluate("place => place.scrollIntoView({block: 'center'})")
    expect(page.locator(f"[data-chart='{name}']")).to_have_attribute("data-drawn", "light")
    assert page.locator(f"[data-chart='{name}'] img").count() == 0
    assert page.locator(f"[data-chart='{name}'] svg").count() == 1


def test_a_page_without_a_chart_in_view_does_not_load_the_library(open_page, report):
    with open_page(report / STUDY, 1280, 60) as page:
        page.wait_for_timeout(500)
        assert page.evaluate(DRAWN) == []
        assert page.evaluate("window.vegaEmbed === undefined")


def test_folded_figures_open_and_are_drawn(page):
    fold = page.locator("details.folded").first
    fold.locator("summary").click()
    expect(fold.locator("[data-chart]")).to_have_attribute("data-drawn", "light")


def test_it_answers_before_a_line_of_ten_megabits_has_carried_two_seconds(browser, served):
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    received = []
    wire = page.context.new_cdp_session(page)
    wire.send("Network.enable")
    wire.on("Network.loadingFinished", lambda event: received.append(event["encodedDataLength"]))
    page.goto(f"{served}/{STUDY}", wait_until="domcontentloaded")
    before_it_answers = sum(received)
    page.click("#claims .fold >> nth=0", timeout=5_000)
    assert page.locator("tr.more.open").count() == 1
    assert page.locator(".hero img, .hero svg").count() >= 1
    assert 10_000 < before_it_answers < 2 * 10 * MEGABIT
    page.close()


def test_the_keyboard_reaches_claims_tables_and_menus(page):
    fold = page.locator("#claims .fold").first
    fold.focus()
    page.keyboard.press("Enter")
    expect(fold).to_have_attribute("aria-expanded", "true")
    more = page.locator(f"#{fold.get_attribute('aria-controls')}")
    expect(more).to_be_visible()
    assert "Reproduced when" in more.inner_text()
    page.keyboard.press("Enter")
    expect(more).to_be_hidden()
    page.locator(".menu summary").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".menu a").first).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".menu a").first).to_be_hidden()
    page.locator("#tables select").focus()
    page.keyboard.press("ArrowDown")
    assert page.locator(".one-of").nth(1).is_visible()
    assert page.locator(".one-of").first.is_hidden()


def test_an_address_opens_what_it_names(open_page, report):
    with open_page(report / STUDY) as page:
        folded = page.eval_on_selector("details.folded figure", "figure => figure.id")
        page.evaluate("name => { location.hash = name }", folded)
        expect(page.locator(f"#{folded}")).to_be_visible()
        page.evaluate("location.hash = 'claim-sjf-starves'")
        expect(page.locator("#more-sjf-starves")).to_be_visible()


def test_verdicts_are_told_to_those_who_do_not_see_them(page):
    assert page.locator("#claims .strip").first.get_attribute("aria-label") == "reproduced under 3 readings"
    page.hover("#claims .strip >> nth=0 >> .square >> nth=1")
    expect(page.locator("#claims .strip .square").nth(1)).to_have_attribute("title", "Conservative: reproduced")
    for chart in page.query_selector_all("[data-chart]"):
        assert chart.get_attribute("role") == "img"
        assert chart.get_attribute("aria-label")
        described = chart.get_attribute("aria-describedby")
        assert page.locator(f"#{described}").count() == 1


def test_all_of_it_is_printed_and_nothing_is_cut(open_page, report, tmp_path):
    with open_page(report / STUDY, 1280, scheme="dark") as page:
        assert page.locator(".evidence").first.is_hidden()
        page.set_viewport_size({"width": 718, "height": 1000})  # A4 less its margins
        page.emulate_media(media="print", color_scheme="dark")
        page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
        for selector in (".evidence", "details.folded figure", ".one-of"):
            for one in page.locator(selector).all():
                assert one.is_visible(), selector
        for table in page.locator(".policies, .ledger").all():
            assert table.evaluate("e => e.getBoundingClientRect().right") <= 718
        paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert paper == "rgb(255, 255, 255)"
        colours = page.eval_on_selector_all(
            "#tables p .better, #tables p .worse", "es => es.map(e => getComputedStyle(e).color)"
        )
        assert len(set(colours)) == 2
        assert "rgb(0, 0, 0)" not in colours
        page.evaluate("window.dispatchEvent(new Event('afterprint'))")
        assert page.locator("details.folded[open]").count() == 0
        page.pdf(path=tmp_path / "study.pdf")
        assert (tmp_path / "study.pdf").stat().st_size > 20_000


def test_tables_show_all_their_columns_on_a_desk(page):
    for table in page.locator(".one-of.chosen .scroll").all():
        assert table.evaluate("e => e.scrollWidth <= e.clientWidth")


def test_the_navigation_is_never_cut(open_page, report):
    for width in (1600, 1280, 1000, 600, 390):
        with open_page(report / STUDY, width) as page:
            for link in page.query_selector_all(".bar nav > a, .bar nav > details > summary"):
                box = link.bounding_box()
                assert box["x"] >= 0, (width, link.inner_text())
                assert box["x"] + box["width"] <= width, (width, link.inner_text())
                assert link.evaluate(SEEN), (width, link.inner_text())


def test_labels_of_an_axis_do_not_touch(page):
    page.evaluate("document.querySelectorAll('main details').forEach(d => d.open = true)")
    for place in page.query_selector_all("[data-chart]"):
        place.scroll_into_view_if_needed()
    page.wait_for_function("document.querySelectorAll('[data-chart]:not([data-drawn])').length === 0")
    assert page.evaluate(TOUCHING) == []
