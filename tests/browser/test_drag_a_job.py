"""The page on which jobs are dragged: its schedulers are those of slotwise, and mouse, keys and form change the jobs."""

import random
import re

import polars as pl
import pytest

import slotwise as sw
from docs.pictures import TEN_JOBS
from scheduler_core.contracts import WORKLOAD_COLUMNS, Machine, Workload

POLICIES = ("fcfs", "easy", "conservative")
SECOND = 10**6


@pytest.fixture
def page(site, open_page):
    with open_page(site / "tutorials" / "drag-a-job.html") as page:
        yield page


def drawn_jobs(seed):
    """Draw a few jobs with many ties; some reach their estimates, and some are wider than the machine."""
    chance = random.Random(seed)
    processors = chance.randint(1, 9)
    submissions = sorted(chance.choices(range(0, 40, chance.choice((1, 5))), k=chance.randint(1, 14)))
    jobs = [
        {
            "number": number,
            "submit": submit,
            "run": chance.randint(1, 20),
            "estimate": chance.randint(1, 25),
            "size": chance.randint(1, processors + (chance.random() < 0.1)),
        }
        for number, submit in enumerate(submissions, start=1)
    ]
    return jobs, processors


def workload_of(jobs, processors):
    times = {"submit_us": "submit", "runtime_us": "run", "estimate_us": "estimate"}
    rows = [
        {"job": job["number"], "size": job["size"], **{to: job[key] * SECOND for to, key in times.items()}}
        for job in jobs
    ]
    return Workload(pl.DataFrame(rows, schema=WORKLOAD_COLUMNS), Machine(processors))


def starts_of(workload, policy):
    """Return the start of every job that ran, in seconds."""
    ran = sw.simulate(workload, policy).jobs.filter(pl.col("start_us").is_not_null())
    return dict(zip(ran["job"].to_list(), (ran["start_us"] // SECOND).to_list(), strict=True))


@pytest.mark.parametrize("policy", POLICIES)
def test_the_schedulers_of_the_page_start_every_job_when_slotwise_does(page, policy):
    code = "([policy, sets]) => sets.map(([jobs, p]) => [...schedulers[policy](jobs, p)].map(([job, at]) => [job.number, at]))"
    sets = [drawn_jobs(seed) for seed in range(100)]
    found = [dict(starts) for starts in page.evaluate(code, [policy, sets])]
    assert found == [starts_of(workload_of(*one), policy) for one in sets]
    assert sum(len(starts) for starts in found) > 500


def said(page):
    return {policy: page.text_content(f"[data-policy={policy}] p span").strip() for policy in POLICIES}


def test_the_page_begins_with_the_ten_jobs_and_shows_the_metrics_of_slotwise(page):
    workload = sw.read_log(TEN_JOBS)
    for policy in POLICIES:
        ended = sw.simulate(workload, policy).jobs
        wait = (ended["start_us"] - ended["submit_us"]).mean() / SECOND / 60
        response, run = ended["finish_us"] - ended["submit_us"], ended["finish_us"] - ended["start_us"]
        slowdown = (response / run).mean()  # every run time is above 10 s
        shown = [float(number) for number in re.findall(r"[\d.]+", said(page)[policy])]
        assert shown == [pytest.approx(wait, abs=0.051), pytest.approx(slowdown, abs=0.0051)]


def test_the_four_things_to_try_come_out_as_the_page_says(page):
    def ten(policy):
        jobs = page.evaluate("tenJobs.jobs")
        code = "([policy, jobs]) => [...schedulers[policy](jobs, 8)].map(([job, at]) => [job.number, at / 60])"
        return lambda **changes: dict(page.evaluate(code, [policy, changed(jobs, **changes)]))

    def changed(jobs, number, **more):
        return [{**job, **more} if job["number"] == number else job for job in jobs]

    fcfs, easy, conservative = (ten(policy) for policy in POLICIES)
    as_it_is = conservative(number=0)
    assert conservative(number=10, estimate=1200)[10] == as_it_is[10] == 65
    assert conservative(number=10, estimate=900, run=900)[10] == easy(number=0)[10] == 40
    assert (conservative(number=8, size=4)[8], easy(number=8, size=4)[8]) == (as_it_is[8] - 20, easy(number=0)[8] - 5)
    assert fcfs(number=3, submit=1500)[4] == 20
    long = {"number": 10, "run": 3600, "estimate": 3600}
    assert easy(**long)[8] == 100
    assert sum(easy(**long).values()) > sum(conservative(**long).values())  # of starts, and so of waits


def test_a_bar_is_dragged_and_resized(page):
    bar = page.locator(".job").nth(9)
    box = bar.locator(".bar").bounding_box()
    middle = box["y"] + box["height"] / 2
    before = said(page)
    drag(page, (box["x"] + 20, middle), -60)
    assert page.input_value("[name=submit]") == "22"
    assert said(page) != before
    box = bar.locator(".bar").bounding_box()
    drag(page, (box["x"] + box["width"], middle), 75)
    assert page.input_value("[name=run]") == "30"
    assert "runs for 30 min, requests 30 min" in bar.get_attribute("aria-label")
    page.get_by_role("button", name="Start again").click()
    assert said(page) == before


def drag(page, place, by):
    page.mouse.move(*place)
    page.mouse.down()
    page.mouse.move(place[0] + by / 2, place[1])
    page.mouse.move(place[0] + by, place[1])
    page.mouse.up()


def test_keys_and_form_change_a_job(page):
    job = page.locator(".job").nth(7)
    job.focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowLeft", "Shift+ArrowRight", "ArrowDown", "ArrowDown"):
        page.keyboard.press(key)
    assert job.get_attribute("aria-label") == (
        "Job 8: submitted at 31 min, runs for 11 min, requests 11 min and 6 of 8 processors"
    )
    page.fill("[name=size]", "99")
    page.locator("[name=size]").blur()
    assert page.input_value("[name=size]") == "8"
    page.fill("[name=estimate]", "5")
    page.locator("[name=estimate]").blur()
    assert page.input_value("[name=run]") == "5"


def test_a_finger_drags_a_job_on_a_phone(site, browser):
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page = context.new_page()
    page.goto((site / "tutorials" / "drag-a-job.html").as_uri())
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    bar = page.locator(".job").nth(9).locator(".bar")
    bar.scroll_into_view_if_needed()
    box = bar.bounding_box()
    finger = context.new_cdp_session(page)
    y = box["y"] + box["height"] / 2
    touch = lambda kind, *places: finger.send(  # noqa: E731
        "Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x in places]}
    )
    touch("touchStart", box["x"] + 10)
    for x in (-5, -20, -40):
        touch("touchMove", box["x"] + 10 + x)
    touch("touchEnd")
    assert int(page.input_value("[name=submit]")) < 25
    context.close()
