"""Standstills of logs, and queues that are credited with waiting time."""

import polars as pl
import pytest
from hypothesis import given

import slotwise as sw
from scheduler_core.common.errors import ContractError, ParameterError
from scheduler_core.contracts.companions import STANDSTILLS_COLUMNS
from tests.slotwise.planning import small_jobs
from tests.slotwise.planning.small_jobs import HOUR_US, RECORDED, SECOND_US
from traces.drawn.jobs import OUTAGE
from traces.shape.credit import with_credit
from traces.shape.load import multiply_load
from traces.shape.standstills import standstills_of, with_standstills
from traces.shape.windows import from_first_job

HOUR = 3600


def workload(*rows, **columns):
    """Return a workload of jobs (submission, run time, size in seconds) on four processors."""
    return small_jobs.workload(small_jobs.jobs(*rows, **columns), 4)


def recorded(*rows, **columns):
    """Return a workload of jobs (submission, run time, size, recorded wait in seconds) on four processors."""
    waits = [row[3] * SECOND_US for row in rows]
    return workload(*[row[:3] for row in rows], recorded_wait_us=waits, **columns)


def test_a_standstill_lasts_while_a_job_fits_and_none_starts():
    """Job 1 runs for an hour. Job 2 fits beside it from its submission on, and starts after seven hours."""
    found = standstills_of(recorded((0, HOUR, 2, 0), (60, 10, 2, 7 * HOUR)), 6)
    assert found.rows() == [(60 * SECOND_US, 60 * SECOND_US + 7 * HOUR_US)]
    assert standstills_of(recorded((0, HOUR, 2, 0), (60, 10, 2, 7 * HOUR)), 7.5).is_empty()


def test_no_job_starts_in_a_standstill_and_others_follow_at_its_end():
    log = recorded((0, HOUR, 4, 0), (60, 10, 2, 7 * HOUR), (90, 10, 4, 8 * HOUR))
    asked = with_standstills(log, 6)
    made = sw.simulate(asked, "easy")
    assert made.jobs["start_us"].to_list() == [0, 60 * SECOND_US + 7 * HOUR_US, 70 * SECOND_US + 7 * HOUR_US]
    assert sw.check(asked, made).legal
    unchanged = sw.simulate(log, "easy")
    assert not sw.check(asked, unchanged).legal


@given(RECORDED)
def test_standstills_are_those_counted_second_by_second(rows):
    """A second belongs to a standstill if a job waits that fits in it; a start begins another one."""
    runs = [(submit + wait, submit + wait + run, size) for submit, run, size, wait in rows]
    still = []
    for second in range(90):
        busy = sum(size for begin, end, size in runs if begin <= second < end)
        fits = any(submit <= second < submit + wait and busy + size <= 4 for submit, _, size, wait in rows)
        starts = any(begin == second for begin, _, _ in runs)
        if fits and still and still[-1][1] == second and not starts:
            still[-1][1] = second + 1
        elif fits:
            still.append([second, second + 1])
    found = standstills_of(recorded(*rows), 1e-9)
    assert found.rows() == [(begin * SECOND_US, end * SECOND_US) for begin, end in still]


def test_the_outage_of_the_drawn_log_is_one_of_its_standstills():
    found = standstills_of(sw.read_log("drawn"), 6)
    begin, end = (SECOND_US * second for second in OUTAGE)
    assert found.filter((pl.col("begin_us") < end) & (pl.col("end_us") > begin)).height == 1
    assert found.height == 11


def test_a_log_without_waits_shows_none():
    with pytest.raises(ContractError, match="records no waits"):
        with_standstills(workload((0, 10, 1)), 6)
    with pytest.raises(ParameterError, match="hours above 0; found 0"):
        with_standstills(recorded((0, 10, 1, 0)), 0)


def test_standstills_move_with_the_jobs():
    asked = with_standstills(recorded((100, HOUR, 2, 0), (160, 10, 2, 7 * HOUR)), 6)
    begin, end = asked.companions["standstills"].row(0)
    busier = multiply_load(asked, 2).companions["standstills"].row(0)
    first = 100 * SECOND_US
    assert busier == (first + (begin - first) // 2, first + (end - first) // 2)
    moved = from_first_job(asked).companions["standstills"].row(0)
    assert moved == (begin - first, end - first)


def test_families_that_start_jobs_at_any_time_refuse_them():
    asked = with_standstills(recorded((0, HOUR, 2, 0), (60, 10, 2, 7 * HOUR)), 6)
    with pytest.raises(ParameterError, match="starts jobs at any time"):
        sw.simulate(asked, "gang")


@pytest.mark.parametrize(
    ("rows", "what"),
    [
        ([(5, 5)], "end_us is not after begin_us"),
        ([(-1, 5)], "begin_us is negative"),
        ([(0, 5), (4, 9)], "it begins before the one above it has ended"),
    ],
)
def test_broken_tables_are_refused(rows, what):
    table = pl.DataFrame(rows, schema=STANDSTILLS_COLUMNS, orient="row")
    jobs = workload((0, 10, 1))
    with pytest.raises(ContractError, match=what):
        type(jobs)(jobs.jobs, jobs.machine, companions={"standstills": table})


def test_a_queue_first_overtakes_all_others():
    jobs = workload((0, HOUR, 4), (10, 10, 4), (20, 10, 4), queue=[0, 0, 1])
    plain, credited = (
        sw.simulate(one, "fcfs").jobs["start_us"].to_list() for one in (jobs, with_credit(jobs, {1: 1000}))
    )
    assert plain == [0, HOUR_US, HOUR_US + 10 * SECOND_US]
    assert credited == [0, HOUR_US + 10 * SECOND_US, HOUR_US]


def test_credit_counts_in_hours():
    jobs = workload((0, 9 * HOUR, 4), (HOUR, 10, 4), (2 * HOUR, 10, 4), queue=[0, 0, 1])
    starts = {hours: sw.simulate(with_credit(jobs, {1: hours}), "fcfs").jobs["start_us"][2] for hours in (0.9, 1.1, -5)}
    assert starts == {0.9: 9 * HOUR_US + 10 * SECOND_US, 1.1: 9 * HOUR_US, -5: 9 * HOUR_US + 10 * SECOND_US}


def test_credit_is_refused_for_queues_that_no_job_names():
    jobs = workload((0, 10, 4), (10, 10, 4), queue=[0, 3])
    with pytest.raises(ParameterError, match="no job is of queue 7; found 0, 3"):
        with_credit(jobs, {7: 1})
    with pytest.raises(ParameterError, match="at most 100,000 hours"):
        with_credit(jobs, {3: 1e9})
