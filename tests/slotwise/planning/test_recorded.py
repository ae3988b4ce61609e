"""What a log says of its machine."""

import re
from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from hypothesis import given

from scheduler_core.common.errors import ContractError
from slotwise.planning.recorded import (
    HeavyWeek,
    SlowClock,
    idle_waiting,
    recorded_use,
    slow_clock,
    unknown_words,
    use_sentences,
    with_recorded_wait,
)
from tests.slotwise.planning.small_jobs import HOUR_US, RECORDED, SECOND_US, jobs, workload

HOUR = 3600


def test_a_job_that_waits_on_an_idle_machine_is_seen():
    """Job 1 runs for an hour. Job 2 waits for three hours, the last two beside an idle machine."""
    table = jobs((0, HOUR, 4), (0, HOUR, 4), recorded_wait_us=[0, 3 * HOUR_US])
    use = recorded_use(table, 4)
    assert (use.most, use.time_above) == (4, 0)
    assert use.wait_fitting == pytest.approx(2 / 3)
    assert use.time_fitting == pytest.approx(2 / 4)
    assert (use.standstills, use.standstill_h) == (1, pytest.approx(2))
    assert (use.outages, use.outage_h) == (1, pytest.approx(2))


def test_more_processors_in_use_than_there_are_is_seen():
    table = jobs((0, HOUR, 3), (0, 2 * HOUR, 3), recorded_wait_us=[0, 0])
    use = recorded_use(table, 4)
    assert (use.most, use.time_above) == (6, pytest.approx(0.5))
    assert (use.at(0.5), use.at(1.0)) == (3, 6)


def test_a_start_ends_a_standstill():
    """A job of one processor starts in the middle of two hours in which another would fit: no period lasts an hour."""
    table = jobs((0, 10, 1), (0, 10, 1), (0, 10, 1), recorded_wait_us=[0, 3000 * SECOND_US, 6000 * SECOND_US])
    assert recorded_use(table, 4).standstills == 0


@given(RECORDED)
def test_fitting_times_are_those_counted_second_by_second(rows):
    table = jobs(*[row[:3] for row in rows], recorded_wait_us=[row[3] * SECOND_US for row in rows])
    runs = [(submit + wait, submit + wait + run, size) for submit, run, size, wait in rows]
    fitted = waited = 0
    busy_seconds = set()
    for submit, _, size, wait in rows:
        for second in range(submit, submit + wait):
            waited += 1
            if sum(other for begin, end, other in runs if begin <= second < end) + size <= 4:
                fitted += 1
                busy_seconds.add(second)
    use = recorded_use(table, 4)
    assert use.wait_fitting == pytest.approx(fitted / max(waited, 1e-6))
    span = max(end for _, end, _ in runs) - rows[0][0]
    assert use.time_fitting == pytest.approx(len(busy_seconds) / span)


@pytest.mark.parametrize(
    ("waits", "reason"),
    [([None, None, 5], "records the wait of 1 of 3 jobs"), ([0, 0, 0], "every wait that the log records")],
)
def test_logs_without_usable_waits_are_refused(waits, reason):
    table = jobs((0, 5, 1), (1, 5, 1), (2, 5, 1), recorded_wait_us=waits)
    with pytest.raises(ContractError, match=reason):
        with_recorded_wait(workload(table, 4))


def test_jobs_without_a_wait_are_counted():
    log = workload(jobs((0, 5, 1), (1, 5, 1), (2, 5, 1), recorded_wait_us=[None, 0, 5]), 4)
    assert unknown_words(log).startswith("The log records no wait (field 3, negative) for 1 of 3 jobs")
    assert unknown_words(log.first(3).transformed(log.jobs[1:], {"step": "known"})) == ""


def test_a_log_without_the_column_is_refused():
    with pytest.raises(ContractError, match="records no waits"):
        with_recorded_wait(workload(jobs((0, 5, 1)), 4))


def test_quantiles_are_of_time_not_of_jobs():
    table = jobs((0, 99 * HOUR, 1), (0, HOUR, 3), recorded_wait_us=[0, 0])
    assert recorded_use(table, 4).at(0.95) == 1
    assert np.isclose(recorded_use(table, 4).at(1.0), 4)


def weeks_of(*processors, least=1):
    """Return a log of a machine of 8 processors: in each week jobs hold so many of them, and one of ``least`` always waits."""
    week = 7 * 24 * HOUR
    rows = [
        row for place, size in enumerate(processors) for row in ((place * week, week, size), (place * week, 1, least))
    ]
    return jobs(*rows, recorded_wait_us=[0, week * SECOND_US] * len(processors))


@pytest.mark.parametrize(
    ("processors", "words"),
    [
        ((4, 4, 4, 4, 4, 8), 'Until day 35 of the log, jobs held at most 4 of the 8 .* --where "submit >= 3024000"'),
        (
            (8, 8, 4, 4, 4, 4, 4),
            'From day 14 of the log on, jobs held at most 4 of the 8 .* --where "submit < 1209600"',
        ),
        ((4, 4, 3, 4, 4), "In all of the log, jobs held at most 4 of the 8 processors, .* say so: --procs 4"),
    ],
)
def test_a_machine_of_another_size_is_suspected_where_jobs_wait_beside_it(processors, words):
    """Jobs never start on half of the machine, although others wait that would fit."""
    use = recorded_use(weeks_of(*processors), 8)
    assert re.match(words, next(use_sentences(use)))


@pytest.mark.parametrize(
    ("processors", "least"),
    [((4, 4, 8, 4, 4, 8, 4), 1), ((4, 4, 4, 8, 8), 1), ((4, 4, 4, 4, 4, 8), 5), ((4, 4, 4, 4, 4, 7, 7), 1)],
)
def test_a_quiet_time_is_no_smaller_machine(processors, least):
    """Neither less than four weeks count, nor weeks in which no waiting job would have fitted, nor if jobs always fit."""
    assert recorded_use(weeks_of(*processors, least=least), 8).low is None


def test_waiting_beside_free_processors_is_said_not_to_be_for_them():
    (words,) = use_sentences(recorded_use(weeks_of(4, 4, 4, 8, 4, 4, 4), 8))
    assert words.startswith("Most waiting was not for free processors.")
    assert list(use_sentences(recorded_use(weeks_of(4, 8, 8, 8, 8, 4), 8))) == []


def test_under_fcfs_jobs_that_fit_wait_for_processors_all_the_same():
    """A job of one processor waits for ever behind one that needs them all, beside a long one of four."""
    days = 3 * 7 * 24 * HOUR
    table = jobs((0, days, 4), (0, 10, 8), (0, 10, 1), recorded_wait_us=[0, days * SECOND_US, (days + 10) * SECOND_US])
    use = recorded_use(table, 8)
    assert use.wait_fitting == days / (2 * days + 10)
    assert use.wait_idle == 0
    alone = recorded_use(table[[0, 2]], 8)
    assert (alone.wait_fitting, alone.wait_idle) == pytest.approx((1, 1))


def test_idle_waiting_is_that_of_each_pool_without_its_standstills():
    first = jobs((0, 100, 4), (0, 100, 2), recorded_wait_us=[0, 100 * SECOND_US])
    second = jobs((0, 100, 1), (0, 100, 2), recorded_wait_us=[0, 300 * SECOND_US])
    assert idle_waiting([workload(first, 4), workload(second, 4)]) == pytest.approx(300 / 400)
    still = pl.DataFrame({"begin_us": [0, 250 * SECOND_US], "end_us": [100 * SECOND_US, 10**12]})
    closed = replace(workload(second, 4), companions={"standstills": still})
    assert idle_waiting([closed]) == pytest.approx(200 / 300)
    assert idle_waiting([workload(second, 2)]) == pytest.approx(200 / 300)
    assert idle_waiting([workload(first, 4)]) == 0


def weeks_waiting(*shortest_h):
    """Return a log of 20 jobs in each week, with waits from so many hours on."""
    week = 7 * 24 * HOUR
    rows = [(place * week + 1000 * job, 60, 1) for place in range(len(shortest_h)) for job in range(20)]
    waits = [int(hours * HOUR_US) + 500 * job * SECOND_US for hours in shortest_h for job in range(20)]
    return jobs(*rows, recorded_wait_us=waits)


@pytest.mark.parametrize(
    ("shortest_h", "slow"),
    [
        ((0, 1, 1, 1, 0, 0), SlowClock(1, 3, 1)),
        ((0, 2, 2, 1, 1, 1), SlowClock(3, 5, 1)),
        ((0, 1, 0, 1, 0), None),
        ((0.0, 1.1, 1.1, 1.1), None),
        ((0, 0, 0), None),
    ],
)
def test_a_clock_of_submissions_that_was_slow_is_seen(shortest_h, slow):
    assert slow_clock(weeks_waiting(*shortest_h)) == slow


def test_waits_that_only_begin_at_an_hour_are_no_slow_clock():
    """Only one job of twenty-five waits about an hour, the others far longer."""
    log = weeks_waiting(1, 1, 1).with_columns(
        recorded_wait_us=pl.when(pl.col("recorded_wait_us") > HOUR_US).then(9 * HOUR_US).otherwise(HOUR_US)
    )
    assert slow_clock(log) == SlowClock(0, 2, 1)
    more = pl.concat([log, *[log.filter(pl.col("recorded_wait_us") > HOUR_US)] * 1])
    assert slow_clock(more) is None


@pytest.mark.parametrize(("weeks", "hours", "share"), [(10, 10, 10 / 19), (10, 8, None), (9, 100, None)])
def test_a_week_with_most_of_the_waiting_is_told_in_a_log_of_many(weeks, hours, share):
    """Week 2 waits so many hours, each other week one."""
    waits = [HOUR_US * (hours if week == 2 else 1) for week in range(weeks)]
    use = recorded_use(jobs(*((week * 7 * 86400, 60, 4) for week in range(weeks)), recorded_wait_us=waits), 4)
    assert use.heavy == (None if share is None else HeavyWeek(2, pytest.approx(share)))
    told = [sentence for sentence in use_sentences(use) if "of all recorded waiting" in sentence]
    assert told == (
        []
        if share is None
        else [
            "53% of all recorded waiting is of the jobs submitted in week 2, so mean waits and their ratios rest on that week. "
            'See the others, too: --where "submit < 1209600 OR submit >= 1814400".'
        ]
    )


def test_the_weeks_of_a_slow_clock_can_be_left_out():
    use = recorded_use(weeks_waiting(0, 0, 1, 1, 0, 0), 8)
    (words,) = (sentence for sentence in use_sentences(use) if "clock" in sentence)
    assert words.startswith("From week 2 to week 3 no job waited less than 1 h")
    assert words.endswith(f'--where "submit < {7 * 24 * HOUR} OR submit >= {5 * 7 * 24 * HOUR}".')


def test_gpus_are_told_where_they_are_not_simulated():
    use = recorded_use(weeks_of(8, 8), 8, gpu_jobs=3)
    assert next(use_sentences(use)).startswith("The log has 3 jobs with GPUs, which are not simulated.")
