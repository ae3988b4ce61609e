"""The diagram of slices in headless Chromium: what pointing and the keys tell, at the width of a desk and of a phone."""

import pytest
from playwright.sync_api import expect

from tests.browser import diagrams
from tests.browser.diagrams import place
from tests.reports.families.slices import fixture as made

LIT = "() => { const held = slotwiseSlices.lit(); return held && held.job.job; }"
PLACE = """([job, begin]) => slotwiseSlices.state.places
    .filter(p => p.held.job.job === job && p.held.begin === begin).map(p => [p.x + p.w / 2, p.y + p.h / 2])[0]"""
MARK = """([kind, time]) => slotwiseSlices.state.marks
    .filter(m => m[kind] && m[kind].begin <= time && m[kind].end > time).map(m => [m.x + m.w / 2, m.y + m.h / 2])[0]"""


@pytest.fixture(scope="module")
def schedules(tmp_path_factory):
    return made.write_page(tmp_path_factory.mktemp("slices"))


@pytest.fixture(params=[1280, 390])
def page(open_page, schedules, request):
    with open_page(schedules, request.param, 1400) as page:
        page.wait_for_function("slotwiseSlices.state.places.length > 0")
        choose(page, "workload", "1")
        choose(page, "span", "1")
        yield page


def choose(page, name, value):
    diagrams.choose(page, "slices-controls", name, value)


def point(page, found):
    diagrams.point(page, "#slices-picture", found)


def test_pointing_at_a_job_tells_whose_slice_it_is_lent_and_its_place_in_the_plan(page):
    point(page, place(page, PLACE, [11, 64 + 288]))
    assert page.evaluate(LIT) == 11
    told = page.inner_text("#slices-job")
    assert told.startswith("Job 11 (medium): 7 processors (0–6), lent part of a long slice from 352 s to 369 s")
    assert "place 3 of group 1" in told
    assert "Waited 2 min 49 s, started 274 s, finishes 369 s." in told
    assert page.inner_text("#slices-tip").startswith("Job 11: medium")
    point(page, place(page, PLACE, [3, 68]))
    assert "in a slice of its class" in page.inner_text("#slices-job")


def test_pointing_at_the_queue_a_group_and_a_slice_tells_them(page):
    point(page, place(page, MARK, ["queue", 64 + 78]))
    assert page.inner_text("#slices-tip").startswith("5 waiting")
    assert "8, 9, 11, 12, 14" in page.inner_text("#slices-tip")
    point(page, place(page, MARK, ["group", 200]))
    assert page.inner_text("#slices-tip").startswith("Group 1: 5 medium jobs")
    point(page, place(page, MARK, ["slice", 100]))
    assert page.inner_text("#slices-tip").startswith("Slice of long jobs")
    page.mouse.move(0, 0)
    expect(page.locator("#slices-tip")).to_be_hidden()


def test_the_keys_walk_by_begin_and_across_the_machine(page):
    page.focus("#slices-picture")
    walked = []
    for _ in range(6):
        page.keyboard.press("ArrowRight")
        walked.append(page.evaluate(LIT))
    assert walked == [1, 2, 3, 1, 2, 3]
    for _ in range(2):
        page.keyboard.press("ArrowRight")
    assert page.evaluate(LIT) == 10
    page.keyboard.press("ArrowDown")
    assert page.evaluate(LIT) == 13
    page.keyboard.press("Escape")
    assert page.evaluate(LIT) is None


def test_slices_are_walked_through_and_zoomed_into(page):
    choose(page, "span", "4")
    page.click("#slices-controls [name=next]")
    begins = page.evaluate("slotwiseSlices.slices().map(slice => slice.begin)")
    first = page.evaluate("slotwiseSlices.view().begin")
    assert first in begins
    page.click("#slices-controls [name=previous]")
    assert page.evaluate("slotwiseSlices.view().begin") in begins[: begins.index(first)]
    page.focus("#slices-picture")
    page.keyboard.press("-")
    assert page.input_value("#slices-controls [name=span]") == "2"
    assert "slices" in page.inner_text("#slices-where")


def test_switching_and_counted_processors_are_said(page):
    assert "switching" not in page.inner_text("#slices-legend")
    choose(page, "policy", "1")
    assert "switching" in page.inner_text("#slices-legend")
    assert "only counts processors" in page.inner_text("#slices-note")
    point(page, place(page, MARK, ["slice", 100]))
    assert "Switching" in page.inner_text("#slices-tip")


def test_the_jobs_stand_in_a_table(page):
    page.click("#slices-table summary")
    rows = page.locator("#slices-jobs tr")
    expect(rows).to_have_count(12)
    told = rows.filter(has=page.locator("th", has_text="11")).inner_text().split("\t")
    assert told == ["11", "medium", "7", "1, place 3", "105 s", "2 min 49 s", "274 s", "4", "2", "369 s"]


def test_a_page_without_slices_has_no_diagram_of_them(report):
    assert "slices-controls" not in (report / "schedules.html").read_text()
