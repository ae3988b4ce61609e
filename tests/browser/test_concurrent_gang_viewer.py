"""The diagram of activities in headless Chromium: what pointing and the keys tell, at the width of a desk and of a phone."""

import pytest
from playwright.sync_api import expect

from tests.browser import diagrams
from tests.browser.diagrams import place
from tests.reports.families.concurrent_gang import fixture as made

LIT = "() => { const held = slotwiseConcurrentGang.lit(); return held && [held.job.job, held.task, held.processor]; }"
PLACE = """([job, processor, local, activity]) => slotwiseConcurrentGang.state.places
    .filter(p => p.held.job.job === job && p.held.processor === processor && p.held.local === local)
    .filter(p => p.held.activity === activity && p.w > 4)
    .map(p => [p.x + p.w / 2, p.y + p.h / 2])[0]"""
MARK = """([kind, processor, activity]) => slotwiseConcurrentGang.state.marks
    .filter(m => m[kind] && m.w > 4 && (processor === null || m[kind].processor === processor))
    .filter(m => !activity || m[kind].activity === activity)
    .map(m => [m.x + m.w / 2, m.y + m.h / 2])[0]"""


@pytest.fixture(scope="module")
def schedules(tmp_path_factory):
    return made.write_page(tmp_path_factory.mktemp("activities"))


@pytest.fixture(params=[1280, 390])
def page(open_page, schedules, request):
    with open_page(schedules, request.param, 1400) as page:
        page.wait_for_function("slotwiseConcurrentGang.state.places.length > 0")
        yield page


def choose(page, name, value):
    diagrams.choose(page, "concurrent-gang-controls", name, value)


def point(page, found):
    diagrams.point(page, "#concurrent-gang-picture", found)


def of_workload(page, index, policy):
    choose(page, "workload", str(index))
    choose(page, "policy", str(policy))
    choose(page, "span", page.locator("#concurrent-gang-controls [name=span] option").first.get_attribute("value"))


def test_pointing_at_a_task_tells_who_chose_it(page):
    of_workload(page, 0, 1)
    point(page, place(page, PLACE, [3, 3, True, "compute"]))
    assert page.evaluate(LIT) == [3, 3, 3]
    told = page.inner_text("#concurrent-gang-job")
    assert told.startswith("Job 3 (program, 4 tasks), task 3 computes on processor 3 from 20.2 ms")
    assert "chosen by the local scheduler" in told
    assert "it ends not before the run ends" in told
    assert page.inner_text("#concurrent-gang-tip").startswith("Job 3, task 3: computes")
    point(page, place(page, PLACE, [2, 0, False, "compute"]))
    assert "chosen by the gang scheduler, as owner of row 3" in page.inner_text("#concurrent-gang-job")


def test_pointing_at_what_is_idle_tells_why(page):
    of_workload(page, 0, 0)
    point(page, place(page, MARK, ["idle", 3, "empty"]))
    assert page.inner_text("#concurrent-gang-tip").startswith("Idle: no owner")
    of_workload(page, 1, 0)
    point(page, place(page, MARK, ["idle", None, "blocked"]))
    assert page.inner_text("#concurrent-gang-tip").startswith("Idle: the owner is blocked")
    assert "its disk" in page.inner_text("#concurrent-gang-tip")
    point(page, place(page, MARK, ["slice", None, None]))
    assert page.inner_text("#concurrent-gang-tip").startswith("Slice of row")
    page.mouse.move(0, 0)
    expect(page.locator("#concurrent-gang-tip")).to_be_hidden()


def test_disks_are_told(page):
    of_workload(page, 1, 0)
    found = place(page, MARK, ["disk", None, None])
    point(page, found)
    assert page.inner_text("#concurrent-gang-tip").startswith("Disk of processor")
    assert "Served" in page.inner_text("#concurrent-gang-tip")


def test_the_time_of_processors_is_summed_over_what_is_seen(page):
    of_workload(page, 0, 0)
    told = page.inner_text("#concurrent-gang-where")
    assert told.startswith("0 ms to 90 ms: ")
    assert "8.3 % idle without an owner" in told
    assert "0 % of what ran was chosen locally" in told


def test_the_keys_walk_along_and_across_processors(page):
    of_workload(page, 0, 0)
    page.focus("#concurrent-gang-picture")
    page.keyboard.press("ArrowRight")
    assert page.evaluate(LIT) == [3, 0, 0]
    page.keyboard.press("ArrowDown")
    assert page.evaluate(LIT) == [3, 1, 1]
    page.keyboard.press("Escape")
    assert page.evaluate(LIT) is None


def test_slices_are_walked_through_and_zoomed_into(page):
    of_workload(page, 0, 1)
    choose(page, "span", "0.01")
    assert page.evaluate("slotwiseConcurrentGang.view().span") == pytest.approx(0.01)
    for _ in range(2):
        page.click("#concurrent-gang-controls [name=next]")
    assert page.evaluate("slotwiseConcurrentGang.view().begin") == pytest.approx(0.02)
    assert page.inner_text("#concurrent-gang-where").startswith("20 ms to 30 ms")
    page.click("#concurrent-gang-controls [name=previous]")
    assert page.evaluate("slotwiseConcurrentGang.view().begin") == pytest.approx(0.01)
    page.focus("#concurrent-gang-picture")
    page.keyboard.press("+")
    assert page.evaluate("slotwiseConcurrentGang.view().span") < 0.01


def test_messages_are_drawn_on_demand(page):
    of_workload(page, 1, 0)
    pixels = "() => document.getElementById('concurrent-gang-picture').toDataURL()"
    choose(page, "links", "none")
    without = page.evaluate(pixels)
    choose(page, "links", "all")
    assert page.evaluate(pixels) != without
    choose(page, "links", "job")
    assert page.evaluate(pixels) == without  # no job is looked at


def test_colours_may_tell_applications(page):
    of_workload(page, 1, 1)
    assert "I/O" not in page.inner_text("#concurrent-gang-legend")
    choose(page, "colour", "application")
    legend = page.inner_text("#concurrent-gang-legend")
    assert "I/O" in legend
    assert "supersteps" in legend


def test_the_jobs_stand_in_a_table(page):
    of_workload(page, 0, 1)
    page.click("#concurrent-gang-table summary")
    rows = page.locator("#concurrent-gang-jobs tr")
    expect(rows).to_have_count(3)
    told = rows.filter(has=page.locator("th", has_text="3")).inner_text().split("\t")
    assert told[:3] == ["3", "program", "4"]
    assert told[-1] == "not before the run ends"


def test_a_page_without_traces_has_no_diagram_of_them(report):
    assert "concurrent-gang-controls" not in (report / "schedules.html").read_text()
