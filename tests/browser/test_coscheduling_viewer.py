"""The diagram of shared processors in headless Chromium: what pointing and the keys tell, at a desk and on a phone."""

import pytest
from playwright.sync_api import expect

from tests.browser import diagrams
from tests.reports.families.coscheduling import fixture as made

LOOKS = {"desk": (1280, "light"), "phone": (390, "dark")}
schedules, opened = diagrams.fixtures("coscheduling", made.write_store, looks=LOOKS)


@pytest.fixture
def viewer(opened):
    opened.choose("span", "1")
    return opened


def point(viewer, job, time):
    chosen = "p.held.job.job === arg[0] && p.held.begin <= arg[1] && p.held.end > arg[1]"
    viewer.point(viewer.middles(chosen, [job, time])[0])


def test_pointing_at_a_job_tells_who_shares_its_processors_and_how_fast_it_is(viewer):
    point(viewer, 2, 30)
    assert viewer.lit() == 2
    assert viewer.says("job") == (
        "Job 2 (disk): 4 processors (0–3), beside job 1 (cpu) from day 0, 00:00 to day 0, 00:01:15, at 80 % of its speed alone "
        "(slowdown 1.25). Waited 0 s, started on day 0, 00:00, finishes on day 0, 00:01:15."
    )
    assert "Beside\njob 1 (cpu)" in viewer.says("tip")
    point(viewer, 4, 140)
    assert "beside no other job" in viewer.says("job")
    viewer.page.mouse.move(0, 0)
    expect(viewer.part("tip")).to_be_hidden()


def test_those_beside_the_job_looked_at_stand_out(viewer):
    shade = """(([job, time]) => {
        const p = viewer.state.places.find(p => p.held.job.job === job && p.held.begin <= time &&
        p.held.end > time && p.h > 14); const d = devicePixelRatio;
        return [...viewer.canvas.getContext('2d').getImageData((p.x + p.w / 4) * d, (p.y + p.h / 4) * d, 1, 1).data]; })(arg)"""
    times = {2: 30, 1: 30, 5: 90}
    before = {job: viewer.value(shade, [job, time]) for job, time in times.items()}
    point(viewer, 2, 30)
    after = {job: viewer.value(shade, [job, time]) for job, time in times.items()}
    assert [job for job in times if after[job] != before[job]] == [5]


def test_a_suspended_job_is_seen(viewer):
    point(viewer, 6, 60)
    assert "from day 0, 00:00:50 to day 0, 00:01:40, suspended." in viewer.says("job")
    assert "suspended" in viewer.says("legend")


def test_the_keys_walk_across_the_machine_and_from_pair_to_pair(viewer):
    assert {*viewer.walk("ArrowRight", 1), *viewer.walk("ArrowDown", 1)} == {1, 2}
    assert viewer.walk("Escape", 1) == [None]
    viewer.choose("span", "8")
    for pair in (20, 75):
        viewer.control("next").click()
        assert viewer.value("viewer.view().begin + viewer.view().span / 4") == pytest.approx(pair)


def test_colours_say_speed_or_kind(viewer):
    viewer.choose("colour", "speed")
    assert "speed" in viewer.says("legend")
    viewer.choose("colour", "kind")
    assert all(word in viewer.says("legend") for word in ("cpu", "network", "disk"))
    viewer.choose("workload", "1")
    assert viewer.control("colour").input_value() == "job"


def test_shares_of_the_machine_are_said(viewer):
    viewer.choose("workload", "1")
    viewer.choose("span", "1")
    point(viewer, 3, 50)
    told = viewer.says("job")
    assert "beside job 1 and job 2 from day 0, 00:00:40 to day 0, 00:01:12, at 20 % of its processors" in told
    assert "15.4 % of its speed alone (slowdown 1.3)" in told


def test_the_jobs_stand_in_a_table(viewer):
    viewer.part("table").locator("summary").click()
    rows = viewer.part("jobs").locator("tr")
    expect(rows).to_have_count(6)
    told = rows.nth(0).inner_text().split("\t")
    assert told == ["1", "cpu", "6", "day 0, 00:00", "0 s", "day 0, 00:00", "2, 5", "62.5 %", "day 0, 00:02:07"]


def test_the_same_jobs_are_seen_without_sharing(viewer):
    viewer.choose("policy", "1")
    point(viewer, 2, 120)
    assert "beside no other job from day 0, 00:01:40 to day 0, 00:02:40, at 100 % of its speed alone." in viewer.says(
        "job"
    )
    assert "only counts them" in viewer.says("note")
