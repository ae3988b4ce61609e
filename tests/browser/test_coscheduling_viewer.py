"""The diagram of shared processors in headless Chromium: what pointing and the keys tell, at a desk and on a phone."""

import pytest
from playwright.sync_api import expect

from tests.browser import diagrams
from tests.browser.diagrams import place
from tests.reports.families.coscheduling import fixture as made

LIT = "() => { const held = slotwiseCoscheduling.lit(); return held && held.job.job; }"
PLACE = """([job, time]) => slotwiseCoscheduling.state.places
    .filter(p => p.held.job.job === job && p.held.begin <= time && p.held.end > time)
    .map(p => [p.x + p.w / 2, p.y + p.h / 2])[0]"""


@pytest.fixture(scope="module")
def schedules(tmp_path_factory):
    return made.write_page(tmp_path_factory.mktemp("nodes"))


@pytest.fixture(params=[(1280, "light"), (390, "dark")], ids=["desk", "phone"])
def page(open_page, schedules, request):
    width, scheme = request.param
    with open_page(schedules, width, 1400, scheme) as page:
        page.wait_for_function("slotwiseCoscheduling.state.places.length > 0")
        choose(page, "span", "1")
        yield page


def choose(page, name, value):
    diagrams.choose(page, "coscheduling-controls", name, value)


def point(page, job, time):
    diagrams.point(page, "#coscheduling-picture", place(page, PLACE, [job, time]))


def test_pointing_at_a_job_tells_who_shares_its_processors_and_how_fast_it_is(page):
    point(page, 2, 30)
    assert page.evaluate(LIT) == 2
    told = page.inner_text("#coscheduling-job")
    assert told == (
        "Job 2 (disk): 4 processors (0–3), beside job 1 (cpu) from 0:00:00 to 0:01:15, at 80 % of its speed alone "
        "(slowdown 1.25). Waited 0 s, started 0:00:00, finishes 0:01:15."
    )
    assert "Beside\njob 1 (cpu)" in page.inner_text("#coscheduling-tip")
    point(page, 4, 140)
    assert "beside no other job" in page.inner_text("#coscheduling-job")
    page.mouse.move(0, 0)
    expect(page.locator("#coscheduling-tip")).to_be_hidden()


def test_those_beside_the_job_looked_at_stand_out(page):
    shade = """([job, time]) => { const v = slotwiseCoscheduling;
        const p = v.state.places.find(p => p.held.job.job === job && p.held.begin <= time &&
        p.held.end > time && p.h > 14); const d = devicePixelRatio;
        return [...v.canvas.getContext('2d').getImageData((p.x + p.w / 4) * d, (p.y + p.h / 4) * d, 1, 1).data]; }"""
    before = {job: page.evaluate(shade, [job, time]) for job, time in ((2, 30), (1, 30), (5, 90))}
    point(page, 2, 30)
    after = {job: page.evaluate(shade, [job, time]) for job, time in ((2, 30), (1, 30), (5, 90))}
    assert after[2] == before[2]
    assert after[1] == before[1]
    assert after[5] != before[5]


def test_a_suspended_job_is_seen(page):
    point(page, 6, 60)
    assert "from 0:00:50 to 0:01:40, suspended." in page.inner_text("#coscheduling-job")
    assert "suspended" in page.inner_text("#coscheduling-legend")


def test_the_keys_walk_across_the_machine_and_from_pair_to_pair(page):
    page.focus("#coscheduling-picture")
    page.keyboard.press("ArrowRight")
    first = page.evaluate(LIT)
    page.keyboard.press("ArrowDown")
    assert {first, page.evaluate(LIT)} == {1, 2}
    page.keyboard.press("Escape")
    assert page.evaluate(LIT) is None
    choose(page, "span", "8")
    page.click("#coscheduling-controls [name=next]")
    assert page.evaluate("slotwiseCoscheduling.view().begin + slotwiseCoscheduling.view().span / 4") == pytest.approx(
        20
    )
    page.click("#coscheduling-controls [name=next]")
    assert page.evaluate("slotwiseCoscheduling.view().begin + slotwiseCoscheduling.view().span / 4") == pytest.approx(
        75
    )


def test_colours_say_speed_or_kind(page):
    choose(page, "colour", "speed")
    assert "speed" in page.inner_text("#coscheduling-legend")
    choose(page, "colour", "kind")
    assert all(word in page.inner_text("#coscheduling-legend") for word in ("cpu", "network", "disk"))
    choose(page, "workload", "1")
    assert page.input_value("#coscheduling-controls [name=colour]") == "job"


def test_shares_of_the_machine_are_said(page):
    choose(page, "workload", "1")
    choose(page, "span", "1")
    point(page, 3, 50)
    told = page.inner_text("#coscheduling-job")
    assert "beside job 1 and job 2 from 0:00:40 to 0:01:13, at 20 % of its processors" in told
    assert "15.4 % of its speed alone (slowdown 1.3)" in told


def test_the_jobs_stand_in_a_table(page):
    page.click("#coscheduling-table summary")
    rows = page.locator("#coscheduling-jobs tr")
    expect(rows).to_have_count(6)
    told = rows.nth(0).inner_text().split("\t")
    assert told == ["1", "cpu", "6", "0:00:00", "0 s", "0:00:00", "2, 5", "62.5 %", "0:02:07"]


def test_a_page_without_shared_processors_has_no_diagram_of_them(report):
    assert "coscheduling-controls" not in (report / "schedules.html").read_text()


def test_the_same_jobs_are_seen_without_sharing(page):
    choose(page, "policy", "1")
    point(page, 2, 120)
    assert "beside no other job from 0:01:40 to 0:02:40, at 100 % of its speed alone." in page.inner_text(
        "#coscheduling-job"
    )
    assert "only counts them" in page.inner_text("#coscheduling-note")
