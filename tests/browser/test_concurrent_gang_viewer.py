"""The diagram of activities in headless Chromium: what pointing and the keys tell, at the width of a desk and of a phone."""

import pytest
from playwright.sync_api import expect

from tests.browser import diagrams
from tests.reports.families.concurrent_gang import fixture as made

schedules, viewer = diagrams.fixtures("concurrent-gang", made.write_store)


def place(viewer, job, processor, local):
    chosen = "p.held.job.job === arg[0] && p.held.processor === arg[1] && p.held.local === arg[2]"
    return viewer.middles(f"{chosen} && p.held.activity === 'compute' && p.w > 4", [job, processor, local])[0]


def mark(viewer, kind, **of):
    chosen = "p[arg[0]] && p.w > 4 && Object.entries(arg[1]).every(([key, value]) => p[arg[0]][key] === value)"
    return viewer.middles(chosen, [kind, of], of="marks")[0]


def of_workload(viewer, index, policy):
    viewer.choose("workload", str(index))
    viewer.choose("policy", str(policy))
    viewer.choose("span", viewer.control("span").locator("option").first.get_attribute("value"))


def test_pointing_at_a_task_tells_who_chose_it(viewer):
    of_workload(viewer, 0, 1)
    viewer.point(place(viewer, 3, 3, local=True))
    assert viewer.lit("task", "processor") == [3, 3, 3]
    told = viewer.says("job")
    assert told.startswith("Job 3 (program, 4 tasks), task 3 computes on processor 3 from 20.2 ms")
    assert "chosen by the local scheduler" in told
    assert "it ends not before the run ends" in told
    assert viewer.says("tip").startswith("Job 3, task 3: computes")
    viewer.point(place(viewer, 2, 0, local=False))
    assert "chosen by the gang scheduler, as owner of row 3" in viewer.says("job")


def test_pointing_at_what_is_idle_tells_why(viewer):
    of_workload(viewer, 0, 0)
    viewer.point(mark(viewer, "idle", processor=3, activity="empty"))
    assert viewer.says("tip").startswith("Idle: no owner")
    of_workload(viewer, 1, 0)
    viewer.point(mark(viewer, "idle", activity="blocked"))
    assert viewer.says("tip").startswith("Idle: the owner is blocked")
    assert "its disk" in viewer.says("tip")
    viewer.point(mark(viewer, "slice"))
    assert viewer.says("tip").startswith("Slice of row")
    viewer.page.mouse.move(0, 0)
    expect(viewer.part("tip")).to_be_hidden()


def test_disks_are_told(viewer):
    of_workload(viewer, 1, 0)
    viewer.point(mark(viewer, "disk"))
    assert viewer.says("tip").startswith("Disk of processor")
    assert "Served" in viewer.says("tip")


def test_the_time_of_processors_is_summed_over_what_is_seen(viewer):
    of_workload(viewer, 0, 0)
    told = viewer.says("where")
    assert told.startswith("0 ms to 90 ms: ")
    assert "8.3 % idle without an owner" in told
    assert "0 % of what ran was chosen locally" in told


def test_the_keys_walk_along_and_across_processors(viewer):
    of_workload(viewer, 0, 0)
    assert viewer.walk("ArrowRight", 1, "task", "processor") == [[3, 0, 0]]
    assert viewer.walk("ArrowDown", 1, "task", "processor") == [[3, 1, 1]]
    assert viewer.walk("Escape", 1) == [None]


def test_slices_are_walked_through_and_zoomed_into(viewer):
    of_workload(viewer, 0, 1)
    viewer.choose("span", "0.01")
    assert viewer.value("viewer.view().span") == pytest.approx(0.01)
    for _ in range(2):
        viewer.control("next").click()
    assert viewer.value("viewer.view().begin") == pytest.approx(0.02)
    assert viewer.says("where").startswith("20 ms to 30 ms")
    viewer.control("previous").click()
    assert viewer.value("viewer.view().begin") == pytest.approx(0.01)
    viewer.press("+")
    assert viewer.value("viewer.view().span") < 0.01


def test_messages_are_drawn_on_demand(viewer):
    of_workload(viewer, 1, 0)
    pixels = {}
    for links in ("none", "all", "job"):
        viewer.choose("links", links)
        pixels[links] = viewer.value("viewer.canvas.toDataURL()")
    assert pixels["all"] != pixels["none"]
    assert pixels["job"] == pixels["none"]  # no job is looked at


def test_colours_may_tell_applications(viewer):
    of_workload(viewer, 1, 1)
    assert "I/O" not in viewer.says("legend")
    viewer.choose("colour", "application")
    assert "I/O" in viewer.says("legend")
    assert "supersteps" in viewer.says("legend")


def test_the_jobs_stand_in_a_table(viewer):
    of_workload(viewer, 0, 1)
    viewer.part("table").locator("summary").click()
    rows = viewer.part("jobs").locator("tr")
    expect(rows).to_have_count(3)
    told = rows.filter(has=viewer.page.locator("th", has_text="3")).inner_text().split("\t")
    assert told[:3] == ["3", "program", "4"]
    assert told[-1] == "not before the run ends"
