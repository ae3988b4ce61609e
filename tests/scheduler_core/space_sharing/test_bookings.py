"""Bookings in space sharing: as the oracle keeps them, call by call, and a few worked by hand."""

import polars as pl
import pytest

from scheduler_core.common.errors import ParameterError
from scheduler_core.common.units import NEVER_US
from scheduler_core.declarations.policy import get_policy
from scheduler_core.stepping.local_scheduler import Booking, BookingRules, Job, LocalScheduler, local_scheduler

POLICIES = ("conservative", "easy")
END_US = 10_000


def all_done(machine: LocalScheduler, until: int = END_US) -> dict[int, int]:
    """Let a machine go on; return the starts of the jobs that are done then."""
    machine.advance(until)
    return dict(machine.record().jobs.select("job", "start_us").rows())


@pytest.mark.parametrize("policy", POLICIES)
def test_a_followed_job_stops_the_machine_when_it_is_done(policy: str) -> None:
    machine = local_scheduler(get_policy(policy), 4)
    machine.submit(Job(1, 0, 5, 5, 2), followed=True)
    machine.submit(Job(2, 0, 3, 3, 2))
    machine.advance(0)
    assert machine.book(Job(3, 0, 2, 2, 2), Booking(0, 0, 9, ready_us=0)) is not None
    assert 0 < machine.no_completion_before() <= 5
    done = machine.advance_to_completion(100)
    assert [(one.job, one.start_us, one.finish_us) for one in done] == [(1, 0, 5), (3, 3, 5)]
    assert machine.now_us == 5
    assert machine.no_completion_before() == NEVER_US
    assert machine.advance_to_completion(100) == []
    assert machine.now_us == 100
    assert [one.job for one in machine.advance(100)] == [2]


@pytest.mark.parametrize("policy", POLICIES)
def test_a_machine_that_goes_on_reports_followed_jobs_too(policy: str) -> None:
    machine = local_scheduler(get_policy(policy), 4)
    machine.submit(Job(1, 0, 5, 5, 2), followed=True)
    machine.advance(0)
    assert machine.book(Job(2, 0, 2, 2, 2), Booking(0, 0, 9, ready_us=0)) is not None
    assert [one.job for one in machine.advance(3)] == [2]
    assert [one.job for one in machine.advance(9)] == [1]


def test_a_booking_goes_forward_in_the_plan_when_its_data_come_early() -> None:
    """Booked for 10, released at 4: conservative backfilling moves it to 6, where job 1 has left; EASY starts it there."""
    for policy, slides in (("conservative", [(4, 6)]), ("easy", [(6, 6)])):
        machine = local_scheduler(get_policy(policy), 4)
        machine.submit(Job(1, 0, 6, 6, 3))
        machine.advance(0)
        machine.book(Job(2, 0, 5, 5, 4), Booking(0, 10, 20))
        machine.advance(4)
        machine.release(2, 5, 0)
        assert all_done(machine) == {1: 0, 2: 6}
        moved = machine.record().slides.filter(pl.col("cause") != "booked")
        assert moved.select("at_us", "start_us").rows() == slides
        assert moved["cause"].to_list() == ["freed"]


@pytest.mark.parametrize("policy", POLICIES)
def test_a_pinned_booking_stays_and_jobs_that_would_reach_into_it_wait(policy: str) -> None:
    machine = local_scheduler(get_policy(policy), 4)
    machine.advance(0)
    machine.book(Job(9, 0, 4, 4, 3), Booking(10, 10, 20, pinned=True))
    machine.release(9, 0, 0)
    machine.submit(Job(1, 1, 9, 9, 2))
    machine.submit(Job(2, 1, 9, 9, 2))
    machine.submit(Job(3, 2, 30, 30, 1))
    assert all_done(machine) == {1: 1, 2: 1, 9: 10, 3: 10}


@pytest.mark.parametrize("policy", POLICIES)
def test_others_use_the_processors_of_a_task_that_is_late(policy: str) -> None:
    """The data are expected at 5 and come at 20: from the microsecond after, job 1 may have the processors."""
    machine = local_scheduler(get_policy(policy), 4)
    machine.advance(0)
    machine.book(Job(9, 0, 4, 4, 4), Booking(0, 5, 9))
    machine.submit(Job(1, 1, 10, 10, 2))
    machine.advance(18)
    machine.release(9, 20, 0)
    assert all_done(machine) == {1: 6, 9: 20}
    record = machine.record()
    assert record.counters["lost_slots"] == 1
    assert record.slides["cause"].to_list() == ["booked", "not_ready"]


def test_what_cannot_be_booked_is_refused() -> None:
    machine = local_scheduler(get_policy("conservative"), 4)
    machine.advance(5)
    with pytest.raises(ParameterError, match="job 1: expected its submission at 5 us; found 6"):
        machine.book(Job(1, 6, 1, 1, 1), Booking(0, 0, 9))
    with pytest.raises(ParameterError, match="job 1: expected one that is booked here and was not released"):
        machine.release(1, 5, 5)
    machine.book(Job(1, 5, 1, 1, 1), Booking(7, 8, 9))
    with pytest.raises(ParameterError, match="expected an earliest start by 7 us; found 8"):
        machine.release(1, 8, 8)
    for policy in ("fcfs", "easy(reservations=2)"):
        other = local_scheduler(get_policy(policy), 4)
        other.advance(5)
        with pytest.raises(ParameterError, match="take bookings"):
            other.book(Job(1, 5, 1, 1, 1), Booking(0, 9, 9))
    with pytest.raises(ParameterError, match="slide down only where classes of jobs take turns"):
        local_scheduler(get_policy("easy"), 4, BookingRules(slide_down_backfill=True))
