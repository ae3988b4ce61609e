"""Closed hours, learned from the starts that a log recorded."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

import slotwise as sw
from scheduler_core.common.errors import ContractError, ParameterError
from scheduler_core.contracts.companions import CLOSED_HOURS_COLUMNS, EVERY_QUEUE
from tests.slotwise.planning import small_jobs
from tests.slotwise.planning.small_jobs import HOUR_US
from traces.generate import generate
from traces.ingest import read_log
from traces.shape.closed_hours import learned_closing, with_closed_hours
from traces.shape.hours import hours_of, hours_of_week
from traces.shape.load import multiply_load
from traces.shape.windows import from_first_job

MONDAY_S = 820454400  # 1 January 1996, midnight in UTC
DAYS = 180


def at(zone, offset_s=0):
    """Return the provenance of a log that begins on 1 January 1996 at midnight UTC."""
    return {"clock": {"start_s": MONDAY_S, "utc_offset_s": offset_s, "zone": zone}}


def night_hours(first_day=0):
    """Return periods from 6 to 18 o'clock of every day in which queue 1 is closed."""
    rows = [(1, 0, (24 * day + 6) * HOUR_US, (24 * day + 18) * HOUR_US) for day in range(first_day, DAYS)]
    return pl.DataFrame(rows, schema=CLOSED_HOURS_COLUMNS, orient="row")


def night_queue(closed=None, seed=3, jobs=10_000, popular_h=(), queues=True):
    """Return a drawn log of 64 processors under EASY whose every fourth job is of queue 1. It may have closed hours.

    Jobs ask for the least of some popular times that they do not exceed, if there are any, else for the most.
    """
    drawn = generate("lublin", jobs=jobs, seed=seed, processors=64, load=0.75)
    queue = [(pl.col("job") % 4 == 0).cast(pl.Int32).alias("queue")] if queues else []
    longer = [pl.when(pl.col("runtime_us") <= hours * HOUR_US).then(hours * HOUR_US) for hours in popular_h]
    estimate = [pl.coalesce(*longer, popular_h[-1] * HOUR_US).cast(pl.Int64).alias("estimate_us")] if popular_h else []
    drawn = drawn.transformed(drawn.jobs.with_columns(*queue, *estimate), {"step": "asked"})
    site = drawn if closed is None else replace(drawn, companions={"closed_hours": closed})
    made = sw.simulate(site, "easy").jobs.sort("job")
    waits = made.select("job", recorded_wait_us=made["start_us"] - made["submit_us"])
    table = drawn.jobs.join(waits, on="job", maintain_order="left")
    return replace(drawn.transformed(table, {"step": "recorded"}), provenance=at("UTC"))


def closed_hours(days, hours, queue=EVERY_QUEUE, longer_than_h=0):
    """Return periods of hours of the day, on days of the week counted from Monday."""
    rows = [
        (queue, longer_than_h * HOUR_US, (24 * day + hours[0]) * HOUR_US, (24 * day + hours[1]) * HOUR_US)
        for day in range(DAYS)
        if day % 7 in days
    ]
    return pl.DataFrame(rows, schema=CLOSED_HOURS_COLUMNS, orient="row")


def test_a_night_queue_is_learned_and_another_queue_has_no_closed_hours():
    found = learned_closing(night_queue(night_hours()))
    assert set(found) == {"1"}
    hours = set(hours_of_week(found["1"]))
    closed = {24 * day + hour for day in range(7) for hour in range(6, 18)}
    assert {hour for hour in closed if hour < 120} <= hours <= closed


def test_maintenance_on_one_day_is_learned():
    assert learned_closing(night_queue(closed_hours([1], (8, 12)), jobs=20_000)) == {"all": "tue:8-12"}


def test_a_limit_for_jobs_by_day_is_learned():
    """No job over 2 hours starts on working days from 7 to 16. Users ask for 1, 2, 4 or 12 hours."""
    popular = [1, 2, 4, 12]
    asked = night_queue(closed_hours(range(5), (7, 16), longer_than_h=2), popular_h=popular, queues=False)
    assert learned_closing(asked) == {"over2h": "workdays:7-16"}
    assert learned_closing(night_queue(popular_h=popular, queues=False)) == {}


def test_two_limits_are_learned():
    """No job over 2 hours starts on working days from 7 to 16, and none over 4 hours starts before the weekend."""
    closed = [closed_hours(range(5), (7, 16), longer_than_h=2), closed_hours(range(5), (0, 24), longer_than_h=4)]
    found = learned_closing(night_queue(pl.concat(closed), popular_h=[1, 2, 4, 12], queues=False, jobs=20_000))
    assert set(found) == {"over2h", "over4h"}
    short, long = (set(hours_of_week(found[whom])) for whom in ("over2h", "over4h"))
    assert len(short ^ set(hours_of_week("workdays:7-16"))) <= 2
    evenings = set(hours_of_week("workdays:16-7"))
    assert long <= evenings
    assert len(long) > len(evenings) / 2


@pytest.mark.parametrize("seed", [3, 5, 7])
def test_queues_that_start_at_all_hours_have_none(seed):
    assert learned_closing(night_queue(seed=seed)) == learned_closing(read_log("drawn")) == {}


def test_a_few_days_are_no_evidence():
    """Three weeks have one odd week: five working days, too few to expect six starts in an hour."""
    log = night_queue(night_hours())
    few = log.transformed(log.jobs.filter(pl.col("submit_us") < 21 * 24 * HOUR_US), {"step": "few"})
    assert learned_closing(few) == {}


def test_even_weeks_teach_nothing():
    """The queue is closed in the odd weeks alone, then in the even ones alone."""
    week = pl.col("begin_us") // (7 * 24 * HOUR_US) % 2
    assert learned_closing(night_queue(night_hours().filter(week == 1)))
    assert learned_closing(night_queue(night_hours().filter(week == 0))) == {}


def test_hours_follow_the_summer_time_of_the_zone():
    log = replace(small_jobs.workload(small_jobs.jobs((0, 10, 1)), 4), provenance=at("US/Mountain", -7 * 3600))
    begins, kinds = hours_of(log, 200 * 24 * HOUR_US)
    noon = (begins - 12 * HOUR_US) % (24 * HOUR_US) == 0
    assert set(np.unique(kinds[noon] % 24)) == {5, 6}  # UTC-7 in winter, UTC-6 in summer
    assert kinds[0] == 6 * 24 + 17  # Sunday, 31 December


def test_hours_begin_where_local_hours_do():
    log = replace(small_jobs.workload(small_jobs.jobs((0, 10, 1)), 4), provenance=at("UTC+5.5 h", 5 * 3600 + 1800))
    begins, kinds = hours_of(log, HOUR_US)
    assert (begins[0], kinds[0]) == (-HOUR_US // 2, 5)


def test_closed_hours_move_with_the_jobs():
    log = night_queue(night_hours())
    asked = with_closed_hours(log)
    begin, end = asked.companions["closed_hours"].row(0)[2:]
    first = log.jobs["submit_us"][0]
    assert from_first_job(asked).companions["closed_hours"].row(0)[2:] == (begin - first, end - first)
    busier = multiply_load(asked, 2).companions["closed_hours"].row(0)
    # Begin and end are rounded to whole microseconds, each for itself.
    assert busier[3] - busier[2] == pytest.approx((end - begin) / 2, abs=1)


def test_every_policy_of_space_sharing_keeps_closed_hours_and_others_refuse():
    asked = with_closed_hours(night_queue(night_hours()))
    assert asked.companions["closed_hours"].height
    for policy in ("easy", "conservative", "list"):
        assert sw.check(asked, sw.simulate(asked, policy)).legal
    free = replace(asked, companions={})
    assert not sw.check(asked, sw.simulate(free, "easy")).legal
    for policy in ("gang", lambda now, waiting, running, free: []):
        with pytest.raises(ParameterError, match="closed hours"):
            sw.simulate(asked, policy)


def test_the_digest_covers_queues_where_they_have_closed_hours():
    closed = replace(night_queue(jobs=100), companions={"closed_hours": night_hours()})
    other = replace(closed, jobs=closed.jobs.with_columns(queue=1 - pl.col("queue")))
    assert closed.digest != other.digest
    assert replace(closed, companions={}).digest == replace(other, companions={}).digest


@pytest.mark.parametrize(("drop", "words"), [("recorded_wait_us", "waits"), ("clock", "UnixStartTime")])
def test_a_log_that_does_not_tell_is_refused(drop, words):
    log = night_queue(jobs=100)
    less = replace(log, provenance={}) if drop == "clock" else replace(log, jobs=log.jobs.drop(drop))
    with pytest.raises(ContractError, match=words):
        with_closed_hours(less)


def test_a_table_of_closed_hours_is_in_order_and_without_overlap():
    log = night_queue(jobs=100)
    for rows, words in (
        ([(1, 0, 5, 9), (1, 0, 8, 12)], "has ended"),
        ([(2, 0, 5, 9), (1, 0, 8, 12)], "order"),
        ([(1, 7, 5, 9), (1, 0, 8, 12)], "order"),
        ([(1, 0, 5, 5)], "not after"),
        ([(1, -1, 5, 9)], "negative"),
    ):
        with pytest.raises(ContractError, match=words):
            replace(log, companions={"closed_hours": pl.DataFrame(rows, schema=CLOSED_HOURS_COLUMNS, orient="row")})
    with pytest.raises(ContractError, match="queues of jobs"):
        replace(log, jobs=log.jobs.drop("queue"), companions={"closed_hours": night_hours()})
    assert replace(log, jobs=log.jobs.drop("queue"), companions={"closed_hours": closed_hours([1], (8, 12))}).digest
