"""The matrix diagram in headless Chromium: what hovering and the keys tell, and that the time slices are right."""

from playwright.sync_api import expect

from reports.families.gang.diagram import read_window
from tests.browser import diagrams
from tests.reports.families.gang import fixture as worked
from tests.reports.families.gang.time_slices import time_slices
from tests.reports.families.stores import window_of


def write_store(root):
    bare = {**worked.POLICY, "parameters": {**worked.POLICY["parameters"], "slice_s": 0.0}}
    runs = {"gang": worked.schedule(), "at_once": worked.schedule(named=False, policy=bare)}
    return worked.write_store(root, runs)


schedules, viewer = diagrams.fixtures("gang", write_store)


def test_hovering_tells_all_of_a_gang_and_finds_it_in_every_piece(viewer):
    viewer.choose("processors", "numbered")
    places = viewer.middles("p.held.job.job === 6")
    assert len(places) == 2  # processors 0, 1 and 4, 5
    for place in places:
        viewer.point(place)
        assert viewer.lit("slot") == [6, 1]
        told = viewer.says("job")
        assert told.startswith("Job 6 (medium, malleable): 4 processors (least 2, optimum 4, most 8), slot 1")
        assert "processors 0–1, 4–5. It works at full speed in its time slices; 3 slots take turns." in told
        assert "Waited 9 s, started on day 0, 00:00:24, finishes on day 0, 00:00:48." in told
        assert viewer.says("tip").startswith("Job 6: medium, malleable")
        assert "12 s on 4 processors" in viewer.says("tip")
    viewer.choose("processors", "gathered")
    assert len(viewer.middles("p.held.job.job === 6")) == 1
    viewer.page.mouse.move(0, 0)
    expect(viewer.part("tip")).to_be_hidden()


def test_a_resizing_is_told(viewer):
    viewer.choose("processors", "numbered")
    viewer.point(viewer.middles("p.held.change < 0")[0])
    told = viewer.says("job")
    assert "3 processors (least 2, optimum 5, most 8), 2 fewer than before" in told
    rate = viewer.value("viewer.lit().rate")
    assert f"It works at {100 * rate:.3g} % of its speed on 5 processors in its time slices" in told


def test_a_policy_named_by_letters_spells_them_out(viewer):
    assert not viewer.says("note").startswith("gang")
    label = viewer.value("viewer.workload().policies[0].label = 'PRI-B-WA'")
    viewer.control("policy").dispatch_event("change")
    parts = ("in order of priority (PRI)", "backfilling that delays no job ahead (B)", "sizes follow the load (WA)")
    assert viewer.says("note").startswith(f"{label}: the queue {', '.join(parts)}.")


def test_the_keys_walk_through_jobs_and_slots(viewer):
    # by begin; job 1 is resized twice, and after its last allocation nothing comes
    assert viewer.walk("ArrowRight", 7) == [1, 2, 4, 1, 1, 1, 1]
    viewer.press("ArrowLeft", *["ArrowDown"] * 6)
    job, slot = viewer.lit("slot")
    assert slot > 0
    assert viewer.says("job").startswith(f"Job {job} ")
    assert viewer.walk("Escape", 1) == [None]


def test_the_time_slices_follow_the_turns_of_the_slots(viewer):
    viewer.choose("view", "slices")
    shown = viewer.value("viewer.slices(0, 54).map(t => [t.slot, t.place, t.begin, t.end])")
    taken = time_slices(window_of(read_window, worked.schedule(), 0, 54 * worked.SECOND), 0, 54 * worked.SECOND)
    assert shown == [[t.slot, t.place, t.begin_us / worked.SECOND, t.end_us / worked.SECOND] for t in taken]
    assert "a time slice of 3 s at level 2, time slices grow as slots become fewer" in viewer.says("where")
    begin = viewer.value("viewer.view().begin")
    viewer.control("next").click()
    assert viewer.value("viewer.view().begin") > begin


def test_a_policy_without_slices_says_so_and_keeps_to_the_matrix(viewer):
    viewer.choose("view", "slices")
    viewer.choose("policy", "1")
    assert viewer.control("view").input_value() == "matrix"
    assert "has no time slices" in viewer.says("note")
    assert "only counts processors" in viewer.says("note")


def test_colours_by_class_are_named_in_the_legend_and_jobs_stand_in_a_table(viewer):
    viewer.choose("colour", "class")
    assert "short" in viewer.says("legend")
    viewer.part("table").locator("summary").click()
    rows = viewer.part("jobs").locator("tr")
    expect(rows).to_have_count(len(worked.JOBS))
    assert "5 → 3 → 6" in rows.first.inner_text()
