"""Bookings as the oracles of clusters keep them, call by call."""

from collections.abc import Sequence

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core.contracts import WORKLOAD_COLUMNS
from scheduler_core.declarations.policy import Policy, get_policy
from scheduler_core.stepping.local_scheduler import Booking, BookingRules, Job, Request, local_scheduler
from tests.oracles.grid.booking import Frame
from tests.oracles.grid.recalculation import cluster_in_slices
from tests.oracles.grid.slices import Rules
from tests.oracles.grid.space import SpaceCluster
from tests.oracles.job import Job as Asked
from tests.profiles import searching

PECT = "pect(interval_s=40, switch_s=1, short_slice_s=6, share_medium=0.4, share_long=0.5, short_limit_s=4, medium_limit_s=12)"
TICKS = {"conservative": 1, "easy": 1, PECT: 1_000_000}
"""What times are multiples of, in microseconds, by policy."""

NOMINAL = st.sampled_from(("worst_case", "mean"))
RULES = st.one_of(
    st.builds(Rules, NOMINAL, st.booleans(), st.booleans()),
    st.builds(Rules, NOMINAL, reservations=st.sampled_from(("recalculated", "kept"))),
)
"""What a cluster in slices may do with bookings."""


class Both:
    """A machine and its oracle: what is asked of one is asked of the other, and the answers must agree."""

    def __init__(self, policy: Policy, processors: int, rules: Rules, own: Sequence[Asked]) -> None:
        own = sorted(own, key=lambda job: job.position)
        self.machine = local_scheduler(policy, processors, BookingRules(**vars(rules)))
        rows = [(job.job, job.submit, job.runtime, job.estimate, job.size) for job in own]
        self.machine.submit_many(pl.DataFrame(rows, schema=WORKLOAD_COLUMNS, orient="row"))
        in_slices = policy.name == "pect"
        self.oracle = (
            cluster_in_slices(policy, own, processors, rules)
            if in_slices
            else SpaceCluster(policy.name, processors, own)
        )
        self.late = 0

    def advance(self, until: int) -> None:
        """Let both go on; what has happened must be the same."""
        self.machine.advance(until)
        while (time := self.oracle.next_instant()) is not None and time <= until:
            self.oracle.instant_at(time)
        self.oracle.time = until
        record = self.machine.record()
        assert sorted(record.jobs.select("job", "start_us", "finish_us").rows()) == sorted(map(tuple, self.oracle.done))
        assert record.slides.rows() == [tuple(slide) for slide in self.oracle.slides]
        assert record.counters["lost_slots"] == self.oracle.lost + self.late

    def predict(self, size: int, length: int, earliest: int) -> None:
        """Ask for a prediction."""
        found = self.machine.predict(Request(size, length), earliest)
        expected = self.oracle.predict(Asked(-2, self.oracle.time, length, length, size), earliest)
        assert (found.start_us, found.finish_us) == tuple(expected)

    def book(self, asked: Asked, frame: Frame) -> None:
        """Book a job."""
        job = Job(asked.job, asked.submit, asked.runtime, asked.estimate, asked.size)
        found = self.machine.book(job, Booking(frame.earliest, frame.expected, frame.latest, frame.ready, frame.pinned))
        expected = self.oracle.book(asked, frame)
        self.late += expected is None and isinstance(self.oracle, SpaceCluster)
        assert (found and (found.start_us, found.finish_us)) == (expected and tuple(expected))

    def release(self, job: int, ready: int, earliest: int) -> None:
        """Release a booked job."""
        self.machine.release(job, ready, earliest)
        self.oracle.release(job, ready, earliest)


@pytest.mark.parametrize("call", TICKS)
@searching(150)
@given(data=st.data())
def test_a_machine_keeps_bookings_as_the_oracle_does(call: str, data: st.DataObject) -> None:
    tick, policy = TICKS[call], get_policy(call)

    def time(least: int, most: int) -> int:
        return tick * data.draw(st.integers(least, most))

    def job(number: int, submit: int) -> Asked:
        estimate = time(1, 25 if tick > 1 else 9)
        runtime = data.draw(st.sampled_from((estimate, estimate, max(1, estimate // 2), estimate + tick)))
        return Asked(number, submit, runtime, estimate, data.draw(st.integers(1, processors)))

    processors = data.draw(st.sampled_from((1, 2, 4, 6)))
    rules = data.draw(RULES) if policy.name == "pect" else Rules()
    own = [job(k + 1, time(0, 30)) for k in range(data.draw(st.integers(0, 12)))]
    both = Both(policy, processors, rules, own)
    now, number, held_back = 0, 1000, []
    both.advance(0)
    for _ in range(data.draw(st.integers(1, 14))):
        action = data.draw(st.sampled_from(("on", "on", "book", "book", "release", "predict")))
        if action == "on":
            now += time(0, 20 if tick > 1 else 6)
            both.advance(now)
        elif action == "predict":
            both.predict(data.draw(st.integers(1, processors)), time(1, 9), now + time(0, 9))
        elif action == "book":
            number += 1
            earliest, expected = now + time(-1, 12), now + time(-1, 12)
            ready = data.draw(st.sampled_from((None, None, now, now + 2 * tick)))
            frame = Frame(earliest, expected, expected + time(5, 100), ready, data.draw(st.booleans()))
            both.book(job(number, now), frame)
            held_back += [(number, earliest)] if ready is None else []
        elif held_back:
            booked, earliest = held_back.pop(data.draw(st.integers(0, len(held_back) - 1)))
            both.release(booked, now + time(0, 4), earliest - time(0, 5))
    for booked, earliest in held_back:
        both.release(booked, now, earliest)
    both.advance(10_000 * tick)
