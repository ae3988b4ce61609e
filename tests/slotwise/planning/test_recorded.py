"""What a log says of its machine."""

import re

import numpy as np
import pytest
from hypothesis import given

from scheduler_core.common.errors import ContractError
from slotwise.planning.recorded import recorded_use, unknown_words, use_sentences, with_recorded_wait
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
    ("processors", "least"), [((4, 4, 8, 4, 4, 8, 4), 1), ((4, 4, 4, 8, 8), 1), ((4, 4, 4, 4, 4, 8), 5)]
)
def test_a_quiet_time_is_no_smaller_machine(processors, least):
    """Neither less than four weeks count, nor weeks in which no waiting job would have fitted."""
    assert recorded_use(weeks_of(*processors, least=least), 8).low is None


def test_waiting_beside_free_processors_is_said_not_to_be_for_them():
    (words,) = use_sentences(recorded_use(weeks_of(4, 4, 4, 8, 4, 4, 4), 8))
    assert words.startswith("Most waiting was not for free processors.")
    assert list(use_sentences(recorded_use(weeks_of(4, 8, 8, 8, 8, 4), 8))) == []
