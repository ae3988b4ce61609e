"""The diagram of slices in headless Chromium: what pointing and the keys tell, at the width of a desk and of a phone."""

import pytest
from playwright.sync_api import expect

from tests.browser import diagrams
from tests.reports.families.slices import fixture as made

schedules, opened = diagrams.fixtures("slices", made.write_store)
PLACE = "p.held.job.job === arg[0] && p.held.begin === arg[1]"


@pytest.fixture
def viewer(opened):
    opened.choose("workload", "1")
    opened.choose("span", "1")
    return opened


def mark(viewer, kind, time):
    return viewer.middles("p[arg[0]]?.begin <= arg[1] && p[arg[0]].end > arg[1]", [kind, time], of="marks")[0]


def test_pointing_at_a_job_tells_whose_slice_it_is_lent_and_its_place_in_the_plan(viewer):
    viewer.point(viewer.middles(PLACE, [11, 64 + 288])[0])
    assert viewer.lit() == 11
    told = viewer.says("job")
    assert told.startswith(
        "Job 11 (medium): 7 processors (0–6), lent part of a long slice from day 0, 00:05:52 to day 0, 00:06:09"
    )
    assert "place 3 of group 1" in told
    assert "Waited 2 min 49 s, started on day 0, 00:04:34, finishes on day 0, 00:06:09." in told
    assert viewer.says("tip").startswith("Job 11: medium")
    viewer.point(viewer.middles(PLACE, [3, 68])[0])
    assert "in a slice of its class" in viewer.says("job")


def test_pointing_at_the_queue_a_group_and_a_slice_tells_them(viewer):
    viewer.point(mark(viewer, "queue", 64 + 78))
    assert viewer.says("tip").startswith("5 waiting")
    assert "8, 9, 11, 12, 14" in viewer.says("tip")
    viewer.point(mark(viewer, "group", 200))
    assert viewer.says("tip").startswith("Group 1: 5 medium jobs")
    viewer.point(mark(viewer, "slice", 100))
    assert viewer.says("tip").startswith("Slice of long jobs")
    viewer.page.mouse.move(0, 0)
    expect(viewer.part("tip")).to_be_hidden()


def test_the_keys_walk_by_begin_and_across_the_machine(viewer):
    assert viewer.walk("ArrowRight", 8) == [1, 2, 3, 1, 2, 3, 13, 10]
    assert viewer.walk("ArrowDown", 1) == [13]
    assert viewer.walk("Escape", 1) == [None]


def test_slices_are_walked_through_and_zoomed_into(viewer):
    viewer.choose("span", "4")
    viewer.control("next").click()
    begins = viewer.value("viewer.slices().map(slice => slice.begin)")
    first = viewer.value("viewer.view().begin")
    assert first in begins
    viewer.control("previous").click()
    assert viewer.value("viewer.view().begin") in begins[: begins.index(first)]
    viewer.press("-")
    assert viewer.control("span").input_value() == "2"
    assert "slices" in viewer.says("where")


def test_switching_and_counted_processors_are_said(viewer):
    assert "switching" not in viewer.says("legend")
    viewer.choose("policy", "1")
    assert "switching" in viewer.says("legend")
    assert "only counts processors" in viewer.says("note")
    viewer.point(mark(viewer, "slice", 100))
    assert "Switching" in viewer.says("tip")


def test_the_jobs_stand_in_a_table(viewer):
    viewer.part("table").locator("summary").click()
    rows = viewer.part("jobs").locator("tr")
    expect(rows).to_have_count(12)
    told = rows.filter(has=viewer.page.locator("th", has_text="11")).inner_text().split("\t")
    assert told == [
        "11",
        "medium",
        "7",
        "1, place 3",
        "day 0, 00:01:45",
        "2 min 49 s",
        "day 0, 00:04:34",
        "4",
        "2",
        "day 0, 00:06:09",
    ]
