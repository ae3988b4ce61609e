"""Bookings in space sharing: as the oracle keeps them, call by call, and a few worked by hand."""

from collections.abc import Sequence

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core.common.errors import ParameterError
from scheduler_core.common.units import NEVER_US
from scheduler_core.declarations.policy import get_policy
from scheduler_core.stepping.local_scheduler import Booking, BookingRules, Job, LocalScheduler, Request, local_scheduler
from tests.oracles.grid.booking import Frame
from tests.oracles.grid.space import SpaceCluster
from tests.oracles.job import Job as Asked
from tests.scheduler_core.examples import searching

POLICIES = ("conservative", "easy")
END_US = 10_000


class Both:
    """A machine and its oracle: what is asked of one is asked of the other, and the answers must agree."""

    def __init__(self, policy: str, processors: int, own: Sequence[Asked]) -> None:
        own = sorted(own, key=lambda job: job.position)
        self.machine = local_scheduler(get_policy(policy), processors)
        rows = [(job.job, job.submit, job.runtime, job.estimate, job.size) for job in own]
        self.machine.submit_many(
            pl.DataFrame(rows, ["job", "submit_us", "runtime_us", "estimate_us", "size"], orient="row")
        )
        self.oracle = SpaceCluster(policy, processors, list(own))
        self.number = 1000

    def advance(self, until: int) -> None:
        """Let both go on; what has happened must be the same."""
        self.machine.advance(until)
        while (time := self.oracle.next_instant()) is not None and time <= until:
            self.oracle.instant_at(time)
        self.oracle.time = until
        self.agree()

    def agree(self) -> None:
        """Hold against each other what has happened."""
        record = self.machine.record()
        done = sorted(record.jobs.select("job", "start_us", "finish_us").rows())
        assert done == sorted(tuple(one) for one in self.oracle.done)
        slides = record.slides.rows()
        assert slides == [(one.job, one.at, one.start, one.finish, one.cause) for one in self.oracle.slides]
        assert record.counters["lost_slots"] == self.oracle.lost + len(self.booked_late)

    booked_late: tuple[int, ...] = ()

    def predict(self, size: int, length: int, earliest: int) -> None:
        """Ask for a prediction."""
        mine = self.machine.predict(Request(size, length), earliest)
        its = self.oracle.predict(Asked(-2, self.oracle.time, length, length, size), earliest)
        assert mine is not None
        assert (mine.start_us, mine.finish_us) == tuple(its)

    def book(self, asked: Asked, frame: Frame) -> None:
        """Book a job."""
        job = Job(asked.job, asked.submit, asked.runtime, asked.estimate, asked.size)
        mine = self.machine.book(job, Booking(frame.earliest, frame.expected, frame.latest, frame.ready, frame.pinned))
        its = self.oracle.book(asked, frame)
        assert (mine is None) == (its is None)
        if mine is None:
            self.booked_late += (asked.job,)
        elif its is not None:
            assert (mine.start_us, mine.finish_us) == tuple(its)

    def release(self, job: int, ready: int, earliest: int) -> None:
        """Release a booked job."""
        self.machine.release(job, ready, earliest)
        self.oracle.release(job, ready, earliest)


def drawn_job(data: st.DataObject, number: int, submit: int, processors: int) -> Asked:
    """Draw a job of a few ticks."""
    estimate = data.draw(st.integers(1, 9))
    runtime = data.draw(st.sampled_from((estimate, estimate, max(1, estimate // 2), estimate + 1)))
    return Asked(number, submit, runtime, estimate, data.draw(st.integers(1, processors)))


@pytest.mark.parametrize("policy", POLICIES)
@searching(150)
@given(data=st.data())
def test_a_machine_keeps_bookings_as_the_oracle_does(policy: str, data: st.DataObject) -> None:
    processors = data.draw(st.sampled_from((1, 2, 4, 6)))
    own = [
        drawn_job(data, k + 1, data.draw(st.integers(0, 30)), processors) for k in range(data.draw(st.integers(0, 12)))
    ]
    both = Both(policy, processors, own)
    now, held_back = 0, []
    both.advance(0)
    for _ in range(data.draw(st.integers(1, 14))):
        action = data.draw(st.sampled_from(("on", "on", "book", "book", "release", "predict")))
        if action == "on":
            now += data.draw(st.integers(0, 6))
            both.advance(now)
        elif action == "predict":
            both.predict(
                data.draw(st.integers(1, processors)), data.draw(st.integers(1, 9)), now + data.draw(st.integers(0, 9))
            )
        elif action == "book":
            both.number += 1
            earliest, expected = (now + data.draw(st.integers(-1, 12)) for _ in range(2))
            ready = data.draw(st.sampled_from((None, None, now, now + 2)))
            frame = Frame(earliest, expected, expected + 20, ready, data.draw(st.booleans()))
            both.book(drawn_job(data, both.number, now, processors), frame)
            held_back += [(both.number, earliest)] if ready is None else []
        elif held_back:
            job, earliest = held_back.pop(data.draw(st.integers(0, len(held_back) - 1)))
            both.release(job, now + data.draw(st.integers(0, 4)), earliest - data.draw(st.integers(0, 5)))
    for job, earliest in held_back:
        both.release(job, now, earliest)
    both.advance(END_US)


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
