"""The diagram of a workflow in headless Chromium: what pointing and the keys tell, at the width of a desk and of a phone."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser import diagrams
from tests.reports.families.grid import fixture as made

schedules, opened = diagrams.fixtures("grid", made.write_store, height=1600)
PLACE = "p.held.job.job === arg[0] && p.held.begin === arg[1]"


@pytest.fixture
def viewer(opened):
    opened.choose("span", "1")
    return opened


def test_pointing_at_a_task_on_its_cluster_or_in_its_row_tells_its_frame_and_how_it_slid(viewer):
    found = viewer.middles(PLACE, [15, 130])
    assert len(found) == 2  # on its cluster, and in its row
    for one in found:
        viewer.point(one)
        assert viewer.lit() == 15
        tip = viewer.says("tip")
        assert tip.startswith("Task 5 (job 15, medium)")
        for told in (
            "4 processors of cluster Arve",
            "day 0, 00:02:15 to day 0, 00:03:45",
            "twice to day 0, 00:02:15 (others left early)",
            "day 0, 00:02:10 (may start earlier)",
            "Rhone: day 0, 00:03:45",
        ):
            assert told in tip, tip
    told = viewer.says("job")
    assert told.startswith(
        "Task 5 of workflow 7: 4 processors of cluster Arve (0–3) from day 0, 00:02:10 to day 0, 00:02:20."
    )
    assert "slid twice, ended within its frame" in told


def test_processors_are_numbered_from_0_on_each_cluster(viewer):
    seen = viewer.value("viewer.allocations().filter(one => one.slot === 1).map(one => [one.job.job, one.begin])")
    first, count = viewer.value("viewer.workload().clusters[1].slice(2)")
    assert first > 0
    for job, begin in seen:
        viewer.point(viewer.middles(PLACE, [job, begin])[0])
        told = re.search(r"of cluster Rhone \(([\d–, ]+)\)", viewer.says("job"))
        assert max(map(int, re.findall(r"\d+", told[1]))) < count


def test_pointing_at_a_row_a_transfer_and_a_local_job_tells_them(viewer):
    right, middle = viewer.wait(
        "viewer.state.marks.filter(m => m.task?.task === 2).map(m => [m.x + m.w, m.y + m.h / 2])[0]"
    )
    viewer.point((right - 3, middle))
    assert viewer.says("tip").startswith("Task 2 (job 12, medium)")
    assert "After its frame" in viewer.says("tip")
    viewer.point(viewer.middles("p.transfer?.from.task === 3 && p.transfer.to.task === 5", of="marks")[0])
    told = viewer.says("tip")
    assert told.startswith("Data of task 3 for task 5")
    assert "from cluster Rhone to Arve" in told
    assert "10 s" in told
    viewer.point(viewer.middles(PLACE, [3, 10])[0])
    assert viewer.says("tip").startswith("Local job 3: medium")
    assert "4 of cluster Arve" in viewer.says("tip")


def test_the_keys_walk_within_a_cluster_and_to_the_next(viewer):
    walked = viewer.walk("ArrowRight", 4)
    assert walked[0] in (1, 2, 3, 11)
    assert len(set(walked)) > 1
    assert viewer.walk("Escape", 1) == [None]


def test_tasks_are_walked_through(viewer):
    viewer.choose("span", "4")
    viewer.control("next").click()
    first = viewer.value("viewer.view().begin")
    viewer.control("next").click()
    assert viewer.value("viewer.view().begin") > first
    assert "after the workflow's submission" in viewer.says("where")
    viewer.choose("span", "1")
    assert viewer.says("where").startswith("The window runs from 5 s before the workflow's submission to ")


def test_other_policies_show_the_same_workflow_without_frames_or_with_counted_processors(viewer):
    assert "frame" in viewer.says("legend")
    assert "1 of 5 tasks ended after its frame" in viewer.says("where")
    viewer.choose("policy", "1")
    assert "frame" not in viewer.says("legend")
    assert "frame" not in viewer.says("where")
    viewer.choose("policy", "2")
    assert "only count processors" in viewer.says("note")
    for colour in ("class", "job", "task"):
        viewer.choose("colour", colour)
    viewer.choose("workflow", "0")
    assert viewer.says("window").startswith("Workflow 7 has 5 tasks, and was submitted on day 0, 00:00:05.")


def test_the_tasks_stand_in_a_table(viewer):
    viewer.part("table").locator("summary").click()
    rows = viewer.part("jobs").locator("tr")
    expect(rows).to_have_count(5)
    told = [row.split("\t") for row in rows.all_inner_texts()]
    assert len(told[0]) == 11
    (second,) = [row for row in told if row[0] == "2"]
    assert second[:5] == ["2", "12", "Arve", "2", "40 s"]
    assert second[-1] == "5 s"
