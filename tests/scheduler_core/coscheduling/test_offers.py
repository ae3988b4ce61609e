"""Reservations: windows, the slots that are offered, and that start and share are what was promised."""

import random

import polars as pl
import pytest

from scheduler_core.common.units import NEVER_US
from scheduler_core.coscheduling.offers import Slot, is_safe, slots
from scheduler_core.coscheduling.share_jobs import window
from scheduler_core.declarations.policy import get_policy
from tests.oracles.job import Job
from tests.scheduler_core.coscheduling.share_cases import PERCENT, application, asks, job, rules, site
from tests.scheduler_core.examples import Case
from tests.scheduler_core.scenario import us
from tests.scheduler_core.subjects import assert_legal


def test_window_ends_when_the_job_does_with_its_share_and_the_worst_slowdown() -> None:
    found = window(rules("scojo_c3"), asks(40), us(7), done=us(20))
    assert (found.begin, found.end) == (us(7), us(7) + 80_001_000 * 13 // 4)


def test_window_where_shares_follow_slowdowns_needs_none() -> None:
    assert window(rules("scojo_c3(accounting='effective')"), asks(40), 0).end == 100_001_000 * 10 // 4


def test_windows_do_not_end_where_slowdowns_are_not_known() -> None:
    assert window(rules("scojo_c3(slowdown='table', learns=True)"), asks(40), 0).end == NEVER_US


def test_slots_are_the_time_asked_for_and_the_ends_of_windows() -> None:
    """Two jobs run; the third asks for 40 % from 10 s on, when two are enough, and a place is free after the first window."""
    found = site("scojo_c2(reclaim='off')", asks(40), asks(40, estimate=us(50)))
    first, second = us(50.001) * 3, us(100.001) * 3
    assert slots(found, asks(40, wanted=us(10))) == [
        Slot(first, 40 * PERCENT, 1_200_000),
        Slot(second, 40 * PERCENT, 1_000_000),
    ]
    assert slots(site("scojo_c3", asks(40), asks(40)), asks(20, wanted=us(10)))[0] == Slot(
        us(10), 20 * PERCENT, 1_300_000
    )


def test_no_more_slots_are_offered_than_the_policy_says() -> None:
    found = site("scojo_c2(offers=1)", asks(40), asks(40, estimate=us(50)))
    assert [slot.start for slot in slots(found, asks(40))] == [us(50.001) * 3]


def test_as_much_is_promised_as_others_are_sure_to_leave() -> None:
    running = asks(30, 90)
    assert slots(site("scojo_c2", running), asks(20, 80))[0].share == 70 * PERCENT
    assert slots(site("scojo_c2", running), asks(20, 50))[0].share == 50 * PERCENT
    assert slots(site("scojo_pricob", asks(50)), asks(50))[0].share == 50 * PERCENT


def test_promise_leaves_what_was_promised_to_a_job_that_comes_later() -> None:
    found = site("scojo_c3")
    found.reserved = [(us(50), asks(60, position=1))]
    assert slots(found, asks(20, 80, position=2))[0] == Slot(0, 40 * PERCENT, 1_000_000)
    assert slots(found, asks(50, 80, position=2))[0].start == us(50) - (-100_001_000 * 13 // 6)


def test_promised_share_counts_the_slowdown_where_shares_follow_it() -> None:
    """Beside a job that needs 30 % x 1.2 there are 64 %, with which as much is done as with 53.3 % alone."""
    slot = slots(site("scojo_c2(accounting='effective')", asks(30)), asks(20, 80))[0]
    assert slot == Slot(0, 640_000 * 10 // 12, 1_200_000)


def test_start_is_safe_if_the_job_is_gone_by_then_or_may_stay() -> None:
    found = site("scojo_c2", asks(30))
    found.reserved = [(us(1000), asks(40, position=1))]
    assert is_safe(found, asks(30, position=2))
    found.reserved = [(us(200), asks(40, position=1))]
    assert not is_safe(found, asks(30, position=2))  # three at once
    assert is_safe(found, asks(60, position=2, estimate=us(50)))


def test_slot_beside_an_application_that_slows_the_job_down_too_much_is_not_offered() -> None:
    set_by = "scojo_c2(slowdown='table')"
    central = asks(40, of=application("Central"))
    found = slots(site(set_by, asks(40, of=application("Grid-2400"))), central)
    assert [(slot.start > 0, slot.slowdown) for slot in found] == [(True, 1_000_000)]


def drawn(seed: int) -> list[Job]:
    """Draw jobs some of which ask for slots."""
    draw, jobs, time = random.Random(seed), [], 0.0
    for number in range(1, draw.randint(4, 14)):
        time += draw.choice((0, 0, 1, 5, 20))
        low = draw.choice((0.1, 0.2, 0.4, 0.6))
        high = max(low, draw.choice((0.3, 0.4, 0.9)))
        level = draw.choice(("long", "medium", "short", "special"))
        runtime = draw.choice((0.000001, 0.3, 1, 3.7, 10, 40))
        site_, word = draw.choice((("local", "nothing"), ("local", "nothing"), ("cross_site", "reserves")))
        wanted = us(time + (draw.choice((0, 0, 3, 30)) if word == "reserves" else 0))
        jobs.append(job(number, time, runtime, level, low, high, site=site_, asks=word, wanted=wanted))
    return jobs


@pytest.mark.parametrize(
    "call", ["scojo_c2", "scojo_c3(reclaim='off')", "scojo_c3(accounting='effective')", "scojo_pricob"]
)
def test_jobs_start_when_and_have_what_was_promised(call: str) -> None:
    reserved = 0
    for seed in range(20):
        case = Case(drawn(seed), 2, get_policy(call))
        schedule = case.policy.simulate(case.workload)
        promised = schedule.tables["offers"].filter(pl.col("taken") == "reserved")
        reserved += promised.height
        kept = promised.select("job", "start_us", share="share_ppm", slowdown="slowdown_ppm")
        assert kept.join(schedule.jobs, on=["job", "start_us"]).height == kept.height
        rows = schedule.allocations.join(kept, on="job")
        if "effective" in call:
            least = pl.col("share") / pl.col("slowdown") * (1 - 3e-6)
            assert rows.filter(pl.col("rate") < least).is_empty()
        else:
            assert rows.filter(pl.col("share_ppm") < pl.col("share")).is_empty()
        assert_legal(case)
    assert reserved > 20
