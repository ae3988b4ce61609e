"""The diagram of a workflow in headless Chromium: what pointing and the keys tell, at the width of a desk and of a phone."""

import pytest
from playwright.sync_api import expect

from tests.browser import diagrams
from tests.browser.diagrams import place
from tests.reports.families.grid import fixture as made

LIT = "() => { const held = slotwiseGrid.lit(); return held && held.job.job; }"
PLACE = """([job, begin]) => slotwiseGrid.state.places
    .filter(p => p.held.job.job === job && p.held.begin === begin).map(p => [p.x + p.w / 2, p.y + p.h / 2])"""
ROW = """(task) => slotwiseGrid.state.marks
    .filter(m => m.task && m.task.task === task).map(m => [m.x + m.w - 3, m.y + m.h / 2])[0]"""
TRANSFER = """([from, to]) => slotwiseGrid.state.marks
    .filter(m => m.transfer && m.transfer.from.task === from && m.transfer.to.task === to)
    .map(m => [m.x + m.w / 2, m.y + m.h / 2])[0]"""


@pytest.fixture(scope="module")
def schedules(tmp_path_factory):
    return made.write_page(tmp_path_factory.mktemp("workflow"))


@pytest.fixture(params=[1280, 390])
def page(open_page, schedules, request):
    with open_page(schedules, request.param, 1600) as page:
        page.wait_for_function("slotwiseGrid.state.places.length > 0")
        choose(page, "span", "1")
        yield page


def choose(page, name, value):
    diagrams.choose(page, "grid-controls", name, value)


def point(page, found):
    diagrams.point(page, "#grid-picture", found)


def test_pointing_at_a_task_on_its_cluster_or_in_its_row_tells_its_frame_and_how_it_slid(page):
    found = place(page, PLACE, [15, 130])
    assert len(found) == 2  # on its cluster, and in its row
    for one in found:
        point(page, one)
        assert page.evaluate(LIT) == 15
        tip = page.inner_text("#grid-tip")
        assert tip.startswith("Task 5 (job 15, medium)")
        for told in ("4 processors of cluster Arve", "2 min 10 s to 3 min 40 s", "twice to 2 min 10 s (others left early)",
                     "2 min 5 s (may start earlier)", "Rhone: 3 min 40 s"):  # fmt: skip
            assert told in tip, tip
    told = page.inner_text("#grid-job")
    assert told.startswith("Task 5 of workflow 7: 4 processors of cluster Arve (0–3) from 2 min 5 s to 2 min 15 s.")
    assert "slid twice, ended within its frame" in told


def test_pointing_at_a_row_a_transfer_and_a_local_job_tells_them(page):
    point(page, place(page, ROW, 2))
    assert page.inner_text("#grid-tip").startswith("Task 2 (job 12, medium)")
    assert "After its frame" in page.inner_text("#grid-tip")
    point(page, place(page, TRANSFER, [3, 5]))
    told = page.inner_text("#grid-tip")
    assert told.startswith("Data of task 3 for task 5")
    assert "from cluster Rhone to Arve" in told
    assert "10 s" in told
    point(page, place(page, PLACE, [3, 10])[0])
    assert page.inner_text("#grid-tip").startswith("Local job 3: medium")
    assert "4 of cluster Arve" in page.inner_text("#grid-tip")


def test_the_keys_walk_within_a_cluster_and_to_the_next(page):
    page.focus("#grid-picture")
    walked = []
    for _ in range(4):
        page.keyboard.press("ArrowRight")
        walked.append(page.evaluate(LIT))
    assert walked[0] in (1, 2, 3, 11)
    assert len(set(walked)) > 1
    page.keyboard.press("Escape")
    assert page.evaluate(LIT) is None


def test_tasks_are_walked_through(page):
    choose(page, "span", "4")
    page.click("#grid-controls [name=next]")
    first = page.evaluate("slotwiseGrid.view().begin")
    page.click("#grid-controls [name=next]")
    assert page.evaluate("slotwiseGrid.view().begin") > first
    assert "after the workflow's submission" in page.inner_text("#grid-where")


def test_other_policies_show_the_same_workflow_without_frames_or_with_counted_processors(page):
    assert "frame" in page.inner_text("#grid-legend")
    assert "1 of 5 tasks ended after its frame" in page.inner_text("#grid-where")
    choose(page, "policy", "1")
    assert "frame" not in page.inner_text("#grid-legend")
    assert "frame" not in page.inner_text("#grid-where")
    choose(page, "policy", "2")
    assert "only count processors" in page.inner_text("#grid-note")
    for colour in ("class", "job", "task"):
        choose(page, "colour", colour)
    choose(page, "workflow", "0")
    assert page.inner_text("#grid-window").startswith("Workflow 7 has 5 tasks, and was submitted 5 s after")


def test_the_tasks_stand_in_a_table(page):
    page.click("#grid-table summary")
    rows = page.locator("#grid-jobs tr")
    expect(rows).to_have_count(5)
    told = rows.nth(0).inner_text().split("\t")
    assert len(told) == 11
    (second,) = [row for row in rows.all_inner_texts() if row.startswith("2\t")]
    assert second.split("\t")[:5] == ["2", "12", "Arve", "2", "40 s"]
    assert second.split("\t")[-1] == "5 s"
