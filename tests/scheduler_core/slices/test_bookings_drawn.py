"""Bookings in slices on drawn clusters: what must hold whatever is booked, released and submitted, and when."""

from dataclasses import dataclass, replace
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scheduler_core.common.units import NEVER_US
from scheduler_core.slices.local_scheduler import Local
from scheduler_core.slices.policies.pect import Pect
from scheduler_core.stepping.local_scheduler import Booking, BookingRules, Job, Prediction, Record, Request
from tests.scheduler_core.slices.test_stepping import PROCESSORS, SMALL, S, drawn_jobs, workload_of

FIRST_TASK = 100

drawn_rules = st.builds(
    BookingRules,
    nominal=st.sampled_from(("worst_case", "mean")),
    slide_down_backfill=...,
    slide_down_avoid_preemption=...,
)


@dataclass(frozen=True)
class Task:
    """A task that is booked; times in seconds, those of its frame from its booking on; ``released`` None: as it is booked."""

    booked: int
    run: int
    above: int
    size: int
    earliest: int
    expected: int
    slack: int
    released: int | None
    transfer: int
    pinned: bool

    @property
    def ready(self) -> int:
        """When its data are there."""
        return self.booked + (self.released or 0) + self.transfer


drawn_tasks = st.lists(
    st.builds(
        Task,
        booked=st.integers(0, 120),
        run=st.integers(1, 25),
        above=st.integers(0, 6),
        size=st.integers(1, PROCESSORS),
        earliest=st.integers(0, 90),
        expected=st.integers(0, 90),
        slack=st.integers(10, 200),
        released=st.none() | st.integers(0, 100),
        transfer=st.sampled_from((0, 0, 3, 30)),
        pinned=st.booleans(),
    ),
    min_size=1,
    max_size=6,
)


def run(
    policy: Pect, rules: BookingRules, jobs: pl.DataFrame, tasks: list[Task], steps: list[int]
) -> tuple[Record, dict[int, Prediction | None], Local]:
    """Let everything happen, with stops on the way; return the record, and what was said at each booking."""
    scheduler = Local(policy, PROCESSORS, rules)
    scheduler.submit_many(jobs)
    said = {}
    calls = sorted(
        [(task.booked, 1, number) for number, task in enumerate(tasks, FIRST_TASK)]
        + [(task.booked + task.released, 2, number) for number, task in enumerate(tasks, FIRST_TASK) if task.released is not None]
        + [(step, 0, 0) for step in steps]
    )  # fmt: skip
    for at, what, number in calls:
        while scheduler.now_us < at * S:
            scheduler.advance_to_completion(at * S)
        if what == 1:
            task = tasks[number - FIRST_TASK]
            times = (
                round((task.booked + part) * S) for part in (task.earliest, task.expected, task.expected + task.slack)
            )
            ready = task.ready * S if task.released is None else None
            asked = Job(number, at * S, task.run * S, (task.run + task.above) * S, task.size)
            said[number] = scheduler.book(asked, Booking(*times, ready_us=ready, pinned=task.pinned))
        elif what == 2:
            task = tasks[number - FIRST_TASK]
            scheduler.release(number, task.ready * S, (task.booked + task.earliest) * S)
        if what:
            scheduler.advance_to_completion(at * S)
    scheduler.advance(NEVER_US - 1)
    return scheduler.record(), said, scheduler


@pytest.mark.parametrize("smart", [False, True])
@given(rules=drawn_rules, jobs=drawn_jobs, tasks=drawn_tasks, steps=st.lists(st.integers(0, 200), max_size=4))
@settings(max_examples=150)
def test_what_is_booked_runs_in_its_time_and_promises_are_kept(
    smart: bool, rules: BookingRules, jobs: list[tuple[int, int, int, int]], tasks: list[Task], steps: list[int]
) -> None:
    policy, local = Pect(**SMALL, smart=smart), workload_of(jobs).jobs
    record, said, scheduler = run(policy, rules, local, tasks, steps)
    assert set(record.jobs["job"]) == {*local["job"], *said}
    times = {row["job"]: row for row in record.jobs.rows(named=True)}
    for number, task in enumerate(tasks, FIRST_TASK):
        assert times[number]["start_us"] >= max(task.booked + task.earliest, task.ready) * S
        done = record.allocations.filter(pl.col("job") == number)["work_us"].sum()
        assert done == task.run * S
    for row in record.tables["promises"].rows(named=True):
        assert row["job"] < FIRST_TASK
        assert times[row["job"]]["finish_us"] <= row["finish_us"]
    no_processor_is_used_twice(record.allocations)
    plans_are_whole(scheduler)
    slides_are_in_order(record, said)
    stopped, *_ = run(policy, rules, local, tasks, [])
    assert stopped.jobs.equals(record.jobs)
    assert stopped.slides.equals(record.slides)
    assert stopped.allocations.equals(record.allocations)


def no_processor_is_used_twice(allocations: pl.DataFrame) -> None:
    """Hold the allocations of each processor against each other."""
    each = allocations.explode("processor_ids").sort("processor_ids", "begin_us")
    gap = each.select((pl.col("begin_us") - pl.col("end_us").shift(1).over("processor_ids")).min()).item()
    assert gap is None or gap >= 0


def plans_are_whole(scheduler: Local) -> None:
    """When all is done, the plans of all classes have all processors from now on."""
    cluster = scheduler.scheduler.cluster
    for kind in range(3):
        first, last = cluster.bounds[kind]
        times, free = cluster.plans[kind, :, first:last]
        ahead = [
            count for count, end in zip(free, [*times[1:], NEVER_US], strict=True) if end > cluster.classes[kind].clock
        ]
        assert set(ahead) == {PROCESSORS}


def slides_are_in_order(record: Record, said: dict[int, Prediction | None]) -> None:
    """A slot is booked once, first and as said; it moves to an earlier time unless it is made anew or slides down."""
    for number, prediction in said.items():
        rows = record.slides.filter(pl.col("job") == number).rows(named=True)
        assert [row["cause"] == "booked" for row in rows] == [
            prediction is not None and place == 0 for place in range(len(rows))
        ]
        if prediction is not None:
            assert (rows[0]["start_us"], rows[0]["finish_us"]) == (prediction.start_us, prediction.finish_us)
        for row in rows:
            assert row["finish_us"] > row["start_us"]


@given(jobs=drawn_jobs, tasks=drawn_tasks)
@settings(max_examples=60)
def test_what_is_booked_and_may_start_at_once_is_a_job_like_others(
    jobs: list[tuple[int, int, int, int]], tasks: list[Task]
) -> None:
    """A task that may start as it is booked does what a job does that is submitted then, behind the others."""
    local = workload_of(jobs).jobs
    at_once = {"earliest": 0, "expected": 0, "released": None, "transfer": 0, "pinned": False}
    one_at_a_time = {
        task.booked: replace(task, **at_once) for task in tasks
    }  # jobs of one time are considered together
    free = [one_at_a_time[booked] for booked in sorted(one_at_a_time)]
    record, said, _ = run(Pect(**SMALL), BookingRules(), local, free, [])
    scheduler: Any = Local(Pect(**SMALL), PROCESSORS)
    scheduler.submit_many(local)
    predicted = {}
    for number, task in enumerate(free, FIRST_TASK):
        while scheduler.now_us < task.booked * S:
            scheduler.advance(task.booked * S)
        asked = Job(number, task.booked * S, task.run * S, (task.run + task.above) * S, task.size)
        predicted[number] = scheduler.predict(Request(asked.size, asked.estimate_us), scheduler.now_us)
        scheduler.submit(asked)
    scheduler.advance(NEVER_US - 1)
    assert scheduler.record().jobs.sort("job").equals(record.jobs.sort("job"))
    assert {number: (found.start_us, found.finish_us) for number, found in predicted.items()} == {
        number: (found.start_us, found.finish_us) for number, found in said.items() if found is not None
    }
