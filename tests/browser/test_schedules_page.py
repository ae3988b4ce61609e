"""The page of schedules in headless Chromium: windows are read when asked for, keys and readout serve all viewers alike."""

import json
import re
import shutil
from contextlib import ExitStack, contextmanager

import polars as pl
import pytest

from scheduler_core.decisions.words import instant, lasting
from tests.browser.diagrams import Viewer
from tests.reports.families import stores
from tests.reports.families.concurrent_gang import fixture as concurrent_gang_fixture
from tests.reports.families.coscheduling import fixture as coscheduling_fixture
from tests.reports.families.gang import fixture as gang_fixture
from tests.reports.families.grid import fixture as grid_fixture
from tests.reports.families.slices import fixture as slices_fixture

DIAGRAMS = ("space-sharing", "gang", "slices")
OTHERS = ("gang", "slices", "coscheduling", "grid", "concurrent-gang")
DRAWN = "viewer.state.places.length > 0"
LARGEST = 500_000
TICK = r"(day \d+, )?\d\d:\d\d(:\d\d(\.\d+)?)?"


STORES = {
    "gang": lambda folder: gang_fixture.write_store(folder, {"gang": gang_fixture.schedule()}),
    "slices": slices_fixture.write_store,
    "coscheduling": coscheduling_fixture.write_store,
    "grid": grid_fixture.write_store,
    "concurrent-gang": concurrent_gang_fixture.write_store,
}
"""How to write the store of a family, by its diagram."""


@pytest.fixture(scope="module")
def made(tmp_path_factory, report):
    """A page with each diagram: that of the small store, and those of the runs worked by hand."""
    worked = {
        name: stores.write_page(STORES[name](tmp_path_factory.mktemp(name))) for name in DIAGRAMS if name in STORES
    }
    return {"space-sharing": report / "schedules.html", **worked}


@pytest.fixture(params=DIAGRAMS)
def viewer(open_page, made, request):
    """Open a diagram's page at a width and height, with its first window drawn."""
    with ExitStack() as closing:

        def opened(width=1280, height=900, **more):
            found = Viewer(closing.enter_context(open_page(made[request.param], width, height, **more)), request.param)
            found.part("picture").evaluate("canvas => canvas.scrollIntoView({block: 'center'})")
            found.wait(DRAWN)
            return found

        yield opened


@pytest.fixture
def both(open_page, made):
    """Open the page of space sharing, whose diagram has two schedules."""

    @contextmanager
    def opened(**more):
        with open_page(made["space-sharing"], **more) as page:
            found = Viewer(page, "space-sharing")
            found.wait(DRAWN)
            yield found

    return opened


def in_view(viewer, part):
    box = viewer.part(part).bounding_box()
    return box["y"] >= 0 and box["y"] + box["height"] <= viewer.page.viewport_size["height"] + 0.5


def test_a_page_has_the_diagrams_of_its_runs_only(report):
    text = (report / "schedules.html").read_text()
    assert 'id="space-sharing-controls"' in text
    assert not [name for name in OTHERS if f"{name}-controls" in text]


def test_the_page_is_small_and_a_window_is_a_script_of_its_own(made):
    for page in made.values():
        text = page.read_text()
        assert len(text) < LARGEST
        assert '"fates"' not in text
        files = sorted((page.parent / "schedules").glob("*/*.js"))
        assert files
        for file in files:
            name = f"schedules/{file.parent.name}/{file.name}"
            assert f'data-file="{name}"' in text
            head, _, rest = file.read_text().partition(", ")
            assert head == f"slotwiseFiles.take({json.dumps(name)}"
            assert json.loads(rest.rstrip(";)\n"))["policies"][0]["held"]


def test_a_window_is_read_when_it_is_chosen_and_not_before(both):
    with both() as viewer:
        scripts = "[...document.querySelectorAll('script[src^=\"schedules/\"]')].map(one => one.getAttribute('src'))"
        options = viewer.control("workload").locator("option").evaluate_all("all => all.map(o => o.dataset.file)")
        assert len(options) > 1
        assert viewer.value(scripts) == options[:1]
        viewer.choose("workload", "1")
        viewer.wait("arg.includes(viewer.state.window.workload)", options[1])
        assert viewer.value(scripts) == options[:2]


def test_paper_shows_what_was_drawn_and_nothing_that_needs_a_mouse(both):
    with both() as viewer:
        viewer.page.emulate_media(media="print")
        viewer.page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
        assert viewer.part("picture").is_visible()
        for part in ("job", "why", "table"):
            assert viewer.part(part).is_hidden(), part
        viewer.page.emulate_media(media="screen")
        viewer.part("table").evaluate("table => { table.open = true; }")
        viewer.part("picture").focus()
        viewer.page.keyboard.press("ArrowRight")
        viewer.wait("document.querySelector('#space-sharing-why code') !== null")
        viewer.page.emulate_media(media="print")
        for part in ("job", "why", "table"):
            assert viewer.part(part).is_visible(), part


def test_a_diagram_that_is_printed_before_it_is_drawn_says_so(open_page, made):
    with open_page(made["space-sharing"], 718, 200) as page:
        page.emulate_media(media="print")
        note = "getComputedStyle(document.querySelector('.viewer'), '::after').content"
        page.evaluate("document.querySelector('.viewer').classList.remove('drawn')")
        assert "scroll to it first" in page.evaluate(note)
        assert page.locator(".viewer .diagram").is_hidden()


def test_missing_data_are_named(browser, made, tmp_path):
    shutil.copytree(made["slices"].parent, tmp_path / "bare")
    shutil.rmtree(tmp_path / "bare" / "schedules")
    page = browser.new_page()
    page.goto((tmp_path / "bare" / "schedules.html").as_uri())
    page.wait_for_function("document.getElementById('slices-job').textContent.includes('missing')")
    assert "schedules/slices/" in page.inner_text("#slices-job")
    assert page.locator("#slices-picture").get_attribute("aria-busy") is None
    page.close()


def test_the_keys_walk_zoom_and_step_in_every_viewer(viewer):
    shown = viewer()
    (first,) = shown.walk("ArrowRight", 1)
    assert first is not None
    assert shown.says("job").startswith(f"Job {first}")
    assert f" --job {first} --log " in shown.says("why")
    assert shown.walk("ArrowDown", 1) != [None]
    span = "viewer.form.span.selectedIndex"
    before = shown.value(span)
    shown.press("+")
    assert shown.value(span) == before + 1
    shown.press("-")
    assert shown.value(span) == before
    shown.press("+", "+")
    begin = shown.value("viewer.view().begin")
    shown.press("n")
    assert shown.value("viewer.view().begin") > begin
    assert shown.walk("Escape", 1) == [None]


def test_the_command_that_explains_a_job_names_the_run_in_which_it_is_drawn(both):
    with both() as viewer:
        viewer.choose("above", "0")
        viewer.choose("below", "1")
        workload, policies = viewer.value(
            "[viewer.state.window.workload, viewer.state.window.policies.map(one => one.policy)]"
        )
        seen = set()
        for key in ("ArrowRight", "ArrowDown", "ArrowDown", "ArrowDown"):
            (job,) = viewer.walk(key, 1)
            policy = policies[viewer.value("viewer.lit().slot")]
            command = f"slotwise explain results/runs/{workload}/{policy} --job {job} --log results/workloads/{workload}.parquet"
            assert viewer.part("why").locator("code").inner_text() == command
            seen.add(policy)
        assert len(seen) == 2, "jobs of both schedules were looked at"


@pytest.mark.parametrize("name", STORES)
def test_the_command_that_explains_a_job_names_a_run_that_has_it(open_page, tmp_path, name):
    with open_page(stores.write_page(STORES[name](tmp_path)), 1280, 1600) as page:
        viewer = Viewer(page, name)
        viewer.wait(DRAWN)
        (job,) = viewer.walk("ArrowRight", 1)
        words = viewer.part("why").locator("code").inner_text().split()
    assert words[:2] + words[3:5] == ["slotwise", "explain", "--job", str(job)]
    assert job in pl.read_parquet(f"{words[2]}/jobs.parquet")["job"].to_list()


@pytest.mark.parametrize(("width", "height"), [(1280, 500), (390, 844)])
def test_the_readout_is_in_view_wherever_the_picture_is(viewer, width, height):
    shown = viewer(width, height)
    shown.value("scrollTo(0, viewer.canvas.getBoundingClientRect().top + scrollY - 200)")
    assert in_view(shown, "job")
    for key in ("ArrowRight", "ArrowDown", "ArrowDown", "ArrowRight"):
        shown.press(key)
        assert in_view(shown, "job")
        top, foot = shown.value(
            "((p, top) => [top + p.y, top + p.y + p.h])(viewer.state.places.find(one => one.held === viewer.lit()), "
            "viewer.canvas.getBoundingClientRect().top)"
        )
        assert foot > 0
        assert top < height


def test_the_tip_stays_inside_the_window(viewer):
    shown = viewer(1280, 600)
    left, top = shown.value("(box => [box.left, box.top])(viewer.canvas.getBoundingClientRect())")
    places = [(left + x, top + y) for x, y in shown.middles("true")]
    seen = [(x, y) for x, y in places if 100 < x < 1200 and 100 < y < 500]
    assert seen
    for x, y in (max(seen, key=lambda place: place[1]), max(seen)):
        shown.page.mouse.move(x, y)
        assert in_view(shown, "tip")


def test_a_click_keeps_a_job_and_takes_the_tip_away(viewer):
    shown = viewer()
    left, top = shown.value("(box => [box.left, box.top])(viewer.canvas.getBoundingClientRect())")
    job, number, x, y = shown.value(
        "(box => [box.held.job.job, box.held.number, box.x + box.w / 2, box.y + box.h / 2])"
        "(viewer.state.places.reduce((a, b) => (a.w * a.h > b.w * b.h ? a : b)))"
    )
    shown.page.mouse.move(left + x, top + y)
    assert shown.part("tip").is_visible()
    shown.page.mouse.down()
    shown.page.mouse.up()
    shown.page.mouse.move(left + x + 1, top + y)
    assert shown.value("viewer.state.pinned") == number
    assert shown.part("tip").is_hidden()
    assert shown.says("job").startswith(f"Job {job}")
    shown.press("Escape")
    shown.page.mouse.move(left + x - 1, top + y)
    assert shown.part("tip").is_visible()


def test_a_length_of_time_is_rounded_before_it_is_split_into_units(both):
    lengths = [0, 2.484, 59.94, 59.96, 60.4, 119.7, 3599.4, 3599.6, 7_169, 7_170, 97_197]
    with both() as viewer:
        told = viewer.value("arg.map(slotwiseDiagrams.lasting)", lengths)
    assert told == [lasting(round(length * 10**6)) for length in lengths], "as explanations write them"
    minutes = ["0 s", "2.48 s", "59.9 s", "1 min", "1 min", "2 min", "59 min 59 s"]
    assert told == [*minutes, "1 h", "1 h 59 min", "2 h", "27 h"]


def test_points_in_time_are_written_one_way_on_axis_in_sentences_and_in_details(viewer):
    """As explanations write them: day, hours and minutes, and seconds where they are not zero."""
    shown = viewer()
    begin = int(shown.value("viewer.workload().begin"))
    times = [-begin, 86_399.9 - begin, 0, 61, 125_000]
    assert shown.value("arg.map(viewer.moment)", times) == [instant((begin + int(time)) * 10**6) for time in times]
    shown.value(
        """(window.told = [], CanvasRenderingContext2D.prototype.fillText = function (text) { window.told.push(text); },
        viewer.form.colour.dispatchEvent(new Event("change")))"""
    )
    ticks = [text for text in shown.value("told") if re.fullmatch(TICK, text)]
    assert ticks[0].startswith("day ")
    assert len({text.split(", ")[0] for text in ticks if text.startswith("day ")}) == sum(
        "day " in text for text in ticks
    )
    shown.press("ArrowRight")
    for words in (shown.says("job"), shown.says("where"), shown.says("window")):
        assert re.findall(r"\d:\d\d", re.sub(r"day \d+, \d\d:\d\d(:\d\d)?", "", words)) == [], words
        assert "day " in words or "begin of the schedule" in words


def test_pointing_finds_the_job_in_both_schedules(both):
    with both(height=1200) as viewer:
        job = viewer.value("viewer.allocations().find(one => one.slot === 0 && viewer.under(one.job)[1]).job.job")
        viewer.point(viewer.middles("p.held.job.job === arg && p.held.slot === 0", job)[0])
        told = viewer.says("job")
        assert told.startswith(f"Job {job}: ")
        assert told.count("waited") == 2
        for colour in ("over", "size", "job"):
            viewer.choose("colour", colour)
            assert viewer.says("legend")


def test_colours_differ_from_idle_processors_on_dark_paper(both):
    contrast = """(() => {
      const light = (text) => { const d = document.createElement('div'); d.style.color = text; document.body.append(d);
        const [r, g, b] = getComputedStyle(d).color.match(/\\d+/g).map(c => (c / 255) ** 2.2); d.remove();
        return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05; };
      const strip = document.querySelector('#space-sharing-legend .ramp').style.background.match(/rgb\\([^)]*\\)/g)[0];
      const idle = getComputedStyle(document.documentElement).getPropertyValue('--raised').trim();
      const [a, b] = [light(strip), light(idle)];
      return Math.max(a, b) / Math.min(a, b);
    })()"""
    filtered = """[...document.querySelectorAll('canvas')].some(canvas => {
      for (let at = canvas; at; at = at.parentElement) if (getComputedStyle(at).filter !== 'none') return true;
      return false; })"""
    for scheme in ("light", "dark"):
        with both(scheme=scheme) as viewer:
            assert not viewer.value(filtered), scheme
            assert viewer.value(contrast) > 1.8, scheme
