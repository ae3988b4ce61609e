"""The page of schedules in headless Chromium: windows are read when asked for, keys and readout serve all viewers alike."""

import json
import shutil

import pytest

from tests.reports.families.gang import fixture as gang_fixture
from tests.reports.families.slices import fixture as slices_fixture

VIEWERS = {"space-sharing": "slotwiseSpaceSharing", "gang": "slotwiseGang", "slices": "slotwiseSlices"}
CANVAS = {diagram: f"#{diagram}-picture" for diagram in VIEWERS}
DRAWN = "viewer => window[viewer].state.places.length > 0"
LIT = "viewer => window[viewer].lit()?.job.job ?? null"
LARGEST = 500_000


@pytest.fixture(scope="module")
def made(tmp_path_factory, report):
    """A page with each diagram: that of the small store, and those of the runs worked by hand."""
    return {
        "space-sharing": report / "schedules.html",
        "gang": gang_fixture.write_page(tmp_path_factory.mktemp("matrix_page"), {"gang": gang_fixture.schedule()}),
        "slices": slices_fixture.write_page(tmp_path_factory.mktemp("slice_page")),
    }


@pytest.fixture(params=list(VIEWERS))
def diagram(request):
    return request.param


@pytest.fixture
def viewer(open_page, made, diagram):
    """Open a diagram's page at a width and height, with its first window drawn."""

    def opened(width=1280, height=900):
        manager = open_page(made[diagram], width, height)
        page = manager.__enter__()
        closing.append(manager)
        page.locator(CANVAS[diagram]).evaluate("canvas => canvas.scrollIntoView({block: 'center'})")
        page.wait_for_function(DRAWN, arg=VIEWERS[diagram])
        return page

    closing = []
    yield opened
    for manager in closing:
        manager.__exit__(None, None, None)


def in_view(page, selector):
    box = page.locator(selector).bounding_box()
    return box["y"] >= 0 and box["y"] + box["height"] <= page.viewport_size["height"] + 0.5


def test_the_page_is_small_and_a_window_is_a_script_of_its_own(made):
    for page in made.values():
        text = page.read_text()
        assert len(text) < LARGEST
        assert '"fates"' not in text
        files = sorted((page.parent / "schedules").iterdir())
        assert files
        for file in files:
            name = f"schedules/{file.name}"
            assert f'data-file="{name}"' in text
            head, _, rest = file.read_text().partition(", ")
            assert head == f"slotwiseFiles.take({json.dumps(name)}"
            assert json.loads(rest.rstrip(";)\n"))["policies"][0]["held"]


def test_a_window_is_read_when_it_is_chosen_and_not_before(open_page, made):
    with open_page(made["space-sharing"]) as page:
        page.wait_for_function(DRAWN, arg="slotwiseSpaceSharing")
        scripts = "[...document.querySelectorAll('script[src^=\"schedules/\"]')].map(one => one.getAttribute('src'))"
        options = page.eval_on_selector_all(
            "#space-sharing-controls [name=workload] option", "all => all.map(o => o.dataset.file)"
        )
        assert len(options) > 1
        assert page.evaluate(scripts) == options[:1]
        page.select_option("#space-sharing-controls [name=workload]", "1")
        page.wait_for_function("file => file.includes(slotwiseSpaceSharing.state.window.workload)", arg=options[1])
        assert page.evaluate(scripts) == options[:2]


def test_missing_data_are_named(browser, made, tmp_path):
    shutil.copytree(made["slices"].parent, tmp_path / "bare")
    shutil.rmtree(tmp_path / "bare" / "schedules")
    page = browser.new_page()
    page.goto((tmp_path / "bare" / "schedules.html").as_uri())
    page.wait_for_function("document.getElementById('slices-job').textContent.includes('missing')")
    assert "schedules/slices-" in page.inner_text("#slices-job")
    assert page.locator("#slices-picture").get_attribute("aria-busy") is None
    page.close()


def test_the_keys_walk_zoom_and_step_in_every_viewer(viewer, diagram):
    page, name = viewer(), VIEWERS[diagram]
    page.focus(CANVAS[diagram])
    page.keyboard.press("ArrowRight")
    first = page.evaluate(LIT, name)
    assert first is not None
    assert page.inner_text(f"#{diagram}-job").startswith(f"Job {first}")
    page.keyboard.press("ArrowDown")
    assert page.evaluate(LIT, name) is not None
    span = f"document.querySelector('#{diagram}-controls [name=span]').selectedIndex"
    before = page.evaluate(span)
    page.keyboard.press("+")
    assert page.evaluate(span) == before + 1
    page.keyboard.press("-")
    assert page.evaluate(span) == before
    page.keyboard.press("+")
    page.keyboard.press("+")
    begin = page.evaluate("viewer => window[viewer].view().begin", name)
    page.keyboard.press("n")
    assert page.evaluate("viewer => window[viewer].view().begin", name) > begin
    page.keyboard.press("Escape")
    assert page.evaluate(LIT, name) is None


@pytest.mark.parametrize(("width", "height"), [(1280, 500), (390, 844)])
def test_the_readout_is_in_view_wherever_the_picture_is(viewer, diagram, width, height):
    page = viewer(width, height)
    page.evaluate(
        "selector => scrollTo(0, document.querySelector(selector).getBoundingClientRect().top + scrollY - 200)",
        CANVAS[diagram],
    )
    assert in_view(page, f"#{diagram}-job")
    page.focus(CANVAS[diagram])
    for key in ("ArrowRight", "ArrowDown", "ArrowDown", "ArrowRight"):
        page.keyboard.press(key)
        assert in_view(page, f"#{diagram}-job")
        box = page.evaluate(
            "viewer => { const v = window[viewer]; const p = v.state.places.find(one => one.held === v.lit());"
            "const top = v.canvas.getBoundingClientRect().top; return [top + p.y, top + p.y + p.h]; }",
            VIEWERS[diagram],
        )
        assert box[1] > 0
        assert box[0] < height


def test_the_tip_stays_inside_the_window(viewer, diagram):
    page = viewer(1280, 600)
    places = page.evaluate(
        "viewer => { const v = window[viewer]; const box = v.canvas.getBoundingClientRect();"
        "return v.state.places.map(p => [box.left + p.x + p.w / 2, box.top + p.y + p.h / 2]); }",
        VIEWERS[diagram],
    )
    shown = [place for place in places if 100 < place[0] < 1200 and 100 < place[1] < 500]
    assert shown
    for x, y in (max(shown, key=lambda place: place[1]), max(shown)):
        page.mouse.move(x, y)
        assert in_view(page, f"#{diagram}-tip")


def test_a_time_before_the_window_is_said_in_words(viewer, diagram):
    page = viewer()
    told = page.evaluate("[-1, -3600, -150339, 0, 7325].map(slotwiseDiagrams.moment)")
    assert told == [
        "1 s before the window",
        "1 h before the window",
        "41 h 46 min before the window",
        "0:00:00",
        "2:02:05",
    ]
    assert "−" not in page.inner_text(f"#{diagram}-where")


def test_pointing_finds_the_job_in_both_schedules(open_page, made):
    with open_page(made["space-sharing"], height=1200) as page:
        page.wait_for_function(DRAWN, arg="slotwiseSpaceSharing")
        both = page.evaluate(
            "(() => { const held = slotwiseSpaceSharing.allocations().find(one => one.slot === 0 && "
            " slotwiseSpaceSharing.under(one.job)[1]);"
            "const place = slotwiseSpaceSharing.state.places.find(p => p.held === held);"
            "return [held.job.job, place.x + place.w / 2, place.y + place.h / 2]; })()"
        )
        page.locator("#space-sharing-picture").hover(position={"x": both[1], "y": both[2]})
        told = page.inner_text("#space-sharing-job")
        assert told.startswith(f"Job {both[0]}: ")
        assert told.count("waited") == 2
        for colour in ("over", "size", "job"):
            page.select_option("#space-sharing-controls [name=colour]", colour)
            assert page.inner_text("#space-sharing-legend")


def test_colours_differ_from_idle_processors_on_dark_paper(open_page, made):
    contrast = """() => {
      const light = (text) => { const d = document.createElement('div'); d.style.color = text; document.body.append(d);
        const [r, g, b] = getComputedStyle(d).color.match(/\\d+/g).map(c => (c / 255) ** 2.2); d.remove();
        return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05; };
      const strip = document.querySelector('#space-sharing-legend .ramp').style.background.match(/rgb\\([^)]*\\)/g)[0];
      const idle = getComputedStyle(document.documentElement).getPropertyValue('--raised').trim();
      const [a, b] = [light(strip), light(idle)];
      return Math.max(a, b) / Math.min(a, b);
    }"""
    filtered = """[...document.querySelectorAll('canvas')].some(canvas => {
      for (let at = canvas; at; at = at.parentElement) if (getComputedStyle(at).filter !== 'none') return true;
      return false; })"""
    for scheme in ("light", "dark"):
        with open_page(made["space-sharing"], scheme=scheme) as page:
            page.wait_for_function(DRAWN, arg="slotwiseSpaceSharing")
            assert not page.evaluate(filtered), scheme
            assert page.evaluate(contrast) > 1.8, scheme
