"""The matrix diagram in headless Chromium: what hovering and the keys tell, and that the time slices are right."""

import pytest
from playwright.sync_api import expect

from reports.families.gang.diagram import read_window
from tests.browser import diagrams
from tests.reports.families.gang import fixture as worked
from tests.reports.families.gang.time_slices import time_slices
from tests.reports.families.stores import window_of

LIT = "() => { const held = slotwiseGang.lit(); return held && [held.job.job, held.slot]; }"
PLACES = "job => slotwiseGang.state.places.filter(p => p.held.job.job === job).map(p => [p.x + p.w / 2, p.y + p.h / 2])"


@pytest.fixture(scope="module")
def schedules(tmp_path_factory):
    bare = {**worked.POLICY, "parameters": {**worked.POLICY["parameters"], "slice_s": 0.0}}
    runs = {"gang": worked.schedule(), "at_once": worked.schedule(named=False, policy=bare)}
    return worked.write_page(tmp_path_factory.mktemp("matrix"), runs)


@pytest.fixture(params=[1280, 390])
def page(open_page, schedules, request):
    with open_page(schedules, request.param, 1400) as page:
        page.wait_for_function("slotwiseGang.state.places.length > 0")
        yield page


def choose(page, name, value):
    diagrams.choose(page, "gang-controls", name, value)


def test_hovering_tells_all_of_a_gang_and_finds_it_in_every_piece(page):
    choose(page, "processors", "numbered")
    places = page.evaluate(PLACES, 6)
    assert len(places) == 2  # processors 0, 1 and 4, 5
    for x, y in places:
        page.mouse.move(0, 0)
        page.locator("#gang-picture").hover(position={"x": x, "y": y})
        assert page.evaluate(LIT) == [6, 1]
        told = page.inner_text("#gang-job")
        assert told.startswith("Job 6 (medium, malleable): 4 processors (least 2, optimum 4, most 8), slot 1")
        assert "processors 0–1, 4–5; rate 1 in its time slices, 3 slots take turns" in told
        assert "Waited 9 s, started 0:00:24, finishes 0:00:48." in told
        tip = page.inner_text("#gang-tip")
        assert tip.startswith("Job 6: medium, malleable")
        assert "12 s alone on 4 processors" in tip
    choose(page, "processors", "gathered")
    assert len(page.evaluate(PLACES, 6)) == 1
    page.mouse.move(0, 0)
    expect(page.locator("#gang-tip")).to_be_hidden()


def test_a_resizing_is_told(page):
    choose(page, "processors", "numbered")
    x, y = page.evaluate(
        "slotwiseGang.state.places.filter(p => p.held.change < 0).map(p => [p.x + p.w / 2, p.y + p.h / 2])[0]"
    )
    page.locator("#gang-picture").hover(position={"x": x, "y": y})
    assert "3 processors (least 2, optimum 5, most 8), 2 fewer than before" in page.inner_text("#gang-job")


def test_the_keys_walk_through_jobs_and_slots(page):
    page.focus("#gang-picture")
    slot_0 = []
    for _ in range(7):
        page.keyboard.press("ArrowRight")
        slot_0.append(page.evaluate(LIT)[0])
    assert slot_0 == [
        1,
        2,
        4,
        1,
        1,
        1,
        1,
    ]  # by begin; job 1 is resized twice, and after its last allocation nothing comes
    page.keyboard.press("ArrowLeft")
    for _ in range(6):
        page.keyboard.press("ArrowDown")
    assert page.evaluate(LIT)[1] > 0
    assert page.inner_text("#gang-job").startswith(f"Job {page.evaluate(LIT)[0]} ")
    page.keyboard.press("Escape")
    assert page.evaluate(LIT) is None


def test_the_time_slices_follow_the_turns_of_the_slots(page):
    choose(page, "view", "slices")
    shown = page.evaluate("slotwiseGang.slices(0, 54).map(t => [t.slot, t.place, t.begin, t.end])")
    taken = time_slices(window_of(read_window, worked.schedule(), 0, 54 * worked.SECOND), 0, 54 * worked.SECOND)
    assert shown == [[t.slot, t.place, t.begin_us / worked.SECOND, t.end_us / worked.SECOND] for t in taken]
    assert "a time slice of 3 s at level 2, time slices grow as slots become fewer" in page.inner_text("#gang-where")
    begin = page.evaluate("slotwiseGang.view().begin")
    page.click("#gang-controls [name=next]")
    assert page.evaluate("slotwiseGang.view().begin") > begin


def test_a_policy_without_slices_says_so_and_keeps_to_the_matrix(page):
    choose(page, "view", "slices")
    choose(page, "policy", "1")
    assert page.input_value("#gang-controls [name=view]") == "matrix"
    note = page.inner_text("#gang-note")
    assert "has no time slices" in note
    assert "only counts processors" in note


def test_colours_by_class_are_named_in_the_legend_and_jobs_stand_in_a_table(page):
    choose(page, "colour", "class")
    assert "short" in page.inner_text("#gang-legend")
    page.click("#gang-table summary")
    rows = page.locator("#gang-jobs tr")
    expect(rows).to_have_count(len(worked.JOBS))
    assert "5 → 3 → 6" in rows.first.inner_text()


def test_a_page_of_space_sharing_has_no_trace_diagram(report):
    text = (report / "schedules.html").read_text()
    assert 'id="space-sharing-controls"' in text
    assert "matrix" not in text
