"""Space sharing stepped from outside: jobs come while the machine runs, and processors can be held for others.

While a reservation is held, a job is started only if its estimate leaves the reservation its processors; under ``easy`` with one
reservation the head's own is made beside it; the policies are otherwise as they are. (Conservative backfilling takes the
reservation out of its plan, and plans around it.) A machine that left a job waiting for the sake of a reservation makes a pass
when the reservation ends or is dropped. What bookings do says :mod:`scheduler_core.space_sharing.bookings`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from scheduler_core.common.errors import ParameterError
from scheduler_core.common.units import NEVER_US
from scheduler_core.space_sharing import state
from scheduler_core.space_sharing import stepped_state as rows
from scheduler_core.space_sharing.bookings import hold_at
from scheduler_core.space_sharing.engine import COUNTERS, allocations_table
from scheduler_core.space_sharing.orders import order_named
from scheduler_core.space_sharing.policies.easy import Easy
from scheduler_core.space_sharing.predicted import copy_with, earliest_in_plan
from scheduler_core.space_sharing.settings import settings_of
from scheduler_core.space_sharing.stepped_loop import first_completion, go_on, insert_coming
from scheduler_core.space_sharing.stepped_state import (
    enlarged_blocks,
    enlarged_tasks,
    new_blocks,
    new_tasks,
)
from scheduler_core.stepping.local_scheduler import (
    BECAME_COLUMNS,
    BEFORE_US,
    SLIDES_COLUMNS,
    Booking,
    BookingRules,
    Cause,
    Completion,
    Job,
    Prediction,
    Record,
    Request,
    check_booking,
    check_job,
    check_release,
    check_time,
)

if TYPE_CHECKING:
    from scheduler_core.space_sharing.policy import SpaceSharingPolicy

FIRST_ROOM = 256
"""Room for jobs, bookings and slides at first; it doubles when it is used up."""


class Local:
    """One machine under a policy of space sharing: a :class:`~scheduler_core.stepping.local_scheduler.LocalScheduler`.

    Parameters
    ----------
    policy
        The policy.
    processors
        Processors of the machine.
    rules
        What it does with bookings: nothing but sliding up.
    """

    def __init__(self, policy: SpaceSharingPolicy, processors: int, rules: BookingRules | None = None) -> None:
        if rules is not None and (rules.slide_down_backfill or rules.slide_down_avoid_preemption):
            raise ParameterError(f"{policy.name}: bookings slide down only where classes of jobs take turns")
        self.policy = policy
        self.processors = processors
        self.settings = settings_of(policy)
        self.is_conservative = self.settings.backfill == "conservative"
        self.books = self.is_conservative or policy == Easy()
        self.machine = new_blocks(FIRST_ROOM, processors, self.settings)
        self.believed = new_blocks(FIRST_ROOM, processors, self.settings)
        self.tasks = new_tasks(FIRST_ROOM)
        self.tasks.step[rows.AT] = BEFORE_US
        self.nothing = new_tasks(1)
        self.unreported = np.zeros(0, np.int64)
        self.looked_at = 0
        self.bookings: dict[int, int] = {}

    @property
    def now_us(self) -> int:
        """The time up to which everything has happened."""
        return int(self.tasks.step[rows.AT])

    def submit(self, job: Job, *, followed: bool = False) -> None:
        """Give the scheduler a job."""
        check_job(job, self.processors, self.now_us)
        self.make_room(1)
        run = min(job.runtime_us, job.estimate_us)
        key, candidate_key = self.keys(np.array([job.estimate_us]), np.array([job.size], np.int32))
        insert_coming(
            np.array(
                [
                    job.job,
                    job.submit_us,
                    run,
                    job.estimate_us,
                    self.tested(run, job.estimate_us),
                    job.size,
                    key[0],
                    candidate_key[0],
                    followed,
                ],
                np.int64,
            ),
            self.tasks,
        )

    def submit_many(self, jobs: pl.DataFrame) -> None:
        """Submit many jobs at once."""
        names = ("job", "submit_us", "runtime_us", "estimate_us", "size")
        number, submit, runtime, estimate, size = (jobs[name].to_numpy() for name in names)
        refused = (submit < self.now_us) | (size < 1) | (size > self.processors) | (np.minimum(runtime, estimate) < 1)
        for k in np.flatnonzero(refused)[:1].tolist():
            job = Job(int(number[k]), int(submit[k]), int(runtime[k]), int(estimate[k]), int(size[k]))
            check_job(job, self.processors, self.now_us)
        self.make_room(len(jobs))
        run = np.minimum(runtime, estimate)
        tested = run if self.settings.tests_run_times else estimate
        new = np.array([number, submit, run, estimate, tested, size, *self.keys(estimate, size), np.zeros(len(jobs))])
        coming, step = self.tasks.coming, self.tasks.step
        first, last = int(step[rows.TAKEN]), int(step[rows.GIVEN_JOBS])
        merged = np.concatenate([coming[:, first:last], new.astype(np.int64)], axis=1)
        in_order = np.lexsort((merged[rows.COMING_JOB], merged[rows.COMING_SUBMIT]))
        step[rows.GIVEN_JOBS] = first + merged.shape[1]
        coming[:, first : step[rows.GIVEN_JOBS]] = merged[:, in_order]

    def keys(self, estimate: np.ndarray, size: np.ndarray) -> list[np.ndarray]:
        """Return the keys of jobs in the queue and among the candidates, where these are kept by fixed keys."""
        keys = [order_named(name).key for name in (self.settings.order, self.settings.candidate_order)]
        return [np.zeros(len(size), np.int64) if key is None else key(estimate, size) for key in keys]

    def tested(self, run_us: int, estimate_us: int) -> int:
        """Return the time that a plan counts on, or a candidate's end is computed from."""
        return run_us if self.settings.tests_run_times else estimate_us

    def make_room(self, jobs: int) -> None:
        """Make room for so many more jobs, bookings."""
        step = self.tasks.step
        there = int(step[rows.KNOWN] + step[rows.GIVEN_JOBS] - step[rows.TAKEN] + step[rows.BOOKINGS])
        room = self.machine.times.shape[1]
        needed = there + jobs + 2
        given = int(step[rows.GIVEN_JOBS]) + jobs
        if needed > room or given > self.tasks.coming.shape[1]:
            larger = max(needed, given, 2 * room)
            self.machine, self.believed = enlarged_blocks(self.machine, larger), enlarged_blocks(self.believed, larger)
            self.tasks = enlarged_tasks(self.tasks, larger, max(larger, self.tasks.slides.shape[1]))

    def advance(self, until_us: int) -> list[Completion]:
        """Let everything happen that happens up to a time, that time included."""
        check_time(until_us, self.now_us)
        self.go_on(until_us, False)
        known = int(self.tasks.step[rows.KNOWN])
        places = np.concatenate([self.unreported, np.arange(self.looked_at, known)])
        self.looked_at = known
        times = self.machine.times
        start, finish = times[rows.START, places], times[rows.START, places] + times[rows.RUN, places]
        done, reported = (start >= 0) & (finish <= until_us), self.machine.places[rows.REPORTED, places] > 0
        self.unreported = places[~done & ~reported]
        return self.completions(places[done & ~reported])

    def completions(self, places: np.ndarray) -> list[Completion]:
        """Return the completions of jobs, by finish, ties by place."""
        times = self.machine.times
        start = times[rows.START, places]
        finish = start + times[rows.RUN, places]
        in_order = np.lexsort((places, finish))
        numbers = times[rows.NUMBER, places]
        return [Completion(int(numbers[k]), int(start[k]), int(finish[k])) for k in in_order]

    def advance_to_completion(self, until_us: int) -> list[Completion]:
        """Let everything happen up to a time, or to the first completion of a followed job."""
        check_time(until_us, self.now_us)
        self.go_on(until_us, True)
        count = int(self.tasks.step[rows.DONE])
        if count == 0:
            return []
        places, joined = self.tasks.done[:, :count]
        self.machine.places[rows.REPORTED, places] = 1
        times = self.machine.times
        found = []
        for place in places[np.argsort(joined)].tolist():
            start = int(times[rows.START, place])
            found.append(Completion(int(times[rows.NUMBER, place]), start, start + int(times[rows.RUN, place])))
        return found

    def go_on(self, until_us: int, to_completion: bool) -> None:
        """Let the machine go on, with room for all that slides."""
        while (ends := go_on(self.machine, self.tasks, until_us, to_completion, -1)) != rows.CAME_SO_FAR:
            if ends == rows.NEEDS_HOLD:
                self.hold(int(self.tasks.step[rows.UNPLACED]), rows.NOT_READY)
            else:
                self.make_room_for_slides()

    def make_room_for_slides(self) -> None:
        """Double the room for slides."""
        self.tasks = enlarged_tasks(self.tasks, self.tasks.coming.shape[1], 2 * self.tasks.slides.shape[1])

    def no_completion_before(self) -> int:
        """Return a time before which no followed job is done."""
        return int(first_completion(self.machine, self.tasks))

    def predict(self, request: Request, earliest_us: int) -> Prediction | None:
        """Say when a job would start and finish: as the plan has it, or if every job runs for its estimate and no other comes.

        A bound for a job that comes next where the policy keeps its predictions and, but for conservative backfilling, nothing
        is held. Jobs that are submitted and were not considered yet are not known.
        """
        if not 1 <= request.processors <= self.processors:
            return None
        now, length = self.now_us, request.estimate_us
        at = max(now, earliest_us, 0)
        key, candidate_key = 0, 0
        if self.settings.order != "fcfs" or self.settings.candidate_order != "fcfs":
            keys = self.keys(np.array([length]), np.array([request.processors], np.int32))
            key, candidate_key = (int(one[0]) for one in keys)
        start = self.place(at, request.processors, length, key, candidate_key)
        free = self.is_conservative or not self.tasks.step[rows.WAITING]
        bound = self.policy.keeps_predictions and free and at == max(now, 0) and not self.is_due(at)
        return Prediction(int(start), int(start) + length, bound)

    def place(self, at: int, size: int, length: int, key: int = 0, candidate_key: int = 0) -> int:
        """Return when a job that comes at a time, behind all others, would start."""
        if self.is_conservative:
            return int(earliest_in_plan(at, size, length, self.machine))
        new = copy_with(at, size, length, key, candidate_key, self.machine, self.believed, self.tasks.step)
        go_on(self.believed, self.nothing, NEVER_US - 1, False, new)
        return int(self.believed.times[rows.START, new])

    def is_due(self, at: int) -> bool:
        """Whether something is still to happen at a time, before a job that is submitted then is considered."""
        step, clock = self.tasks.step, self.machine.few[rows.CLOCK]
        comes = (
            step[rows.TAKEN] < step[rows.GIVEN_JOBS] and self.tasks.coming[rows.COMING_SUBMIT, step[rows.TAKEN]] <= at
        )
        return bool(comes or step[rows.CALLED] or clock[state.GIVEN] or clock[state.DUE] <= at)

    def book(self, job: Job, booking: Booking) -> Prediction | None:
        """Book a job: it gets a hold."""
        check_booking(job, self.processors, self.now_us)
        if not self.books:
            raise ParameterError(
                f"{self.policy.name}: among policies of space sharing only conservative backfilling, and easy with its defaults, "
                "take bookings"
            )
        self.make_room(1)
        step, booked = self.tasks.step, self.tasks.booked
        one = int(step[rows.BOOKINGS])
        step[rows.BOOKINGS] += 1
        self.bookings[job.job] = one
        run = min(job.runtime_us, job.estimate_us)
        length = self.tested(run, job.estimate_us)
        ready = -1 if booking.ready_us is None else booking.ready_us
        booked[:, one] = (
            job.job,
            run,
            job.estimate_us,
            length,
            job.size,
            booking.earliest_us,
            booking.expected_us,
            ready,
            booking.pinned,
            rows.SET_ASIDE,
            -1,
            0,
            step[rows.NEXT_JOINED],
        )
        step[rows.NEXT_JOINED] += 1
        self.tasks.waiting[step[rows.WAITING]] = one
        step[rows.WAITING] += 1
        step[rows.CALLED] = 1
        if ready < 0 and max(booking.earliest_us, booking.expected_us) < self.now_us:
            step[rows.LOST] += 1
            return None
        begin = self.hold(one, rows.BY_BOOKING)
        return Prediction(begin, begin + length, self.is_conservative and ready >= 0)

    def hold(self, one: int, cause: int) -> int:
        """Make a hold for a booking that has none, at its place; return its begin."""
        booked, now = self.tasks.booked, self.now_us
        ready = int(booked[rows.READY, one])
        data = ready if ready >= 0 else int(booked[rows.EXPECTED_DATA, one])
        at = max(now, int(booked[rows.EARLIEST, one]), data)
        begin = self.place(at, int(booked[rows.BOOKED_SIZE, one]), int(booked[rows.LENGTH, one]))
        if self.tasks.step[rows.SLIDES] == self.tasks.slides.shape[1]:
            self.make_room_for_slides()
        hold_at(begin, one, cause, self.machine, self.tasks)
        return begin

    def release(self, job: int, ready_us: int, earliest_us: int) -> None:
        """Let a booked job start, as its predecessors are done."""
        one, booked = self.bookings.get(job, -1), self.tasks.booked
        held_back = one >= 0 and booked[rows.READY, one] < 0
        check_release(job, int(booked[rows.EARLIEST, one]) if held_back else None, earliest_us)
        booked[rows.READY, one], booked[rows.EARLIEST, one], booked[rows.FRESH, one] = ready_us, earliest_us, 1
        self.tasks.step[rows.CALLED] = 1

    def record(self) -> Record:
        """Return what has happened so far, as tables."""
        step, times, places = self.tasks.step, self.machine.times, self.machine.places
        known = int(step[rows.KNOWN])
        start = times[rows.START, :known]
        done = (start >= 0) & (start + times[rows.RUN, :known] <= self.now_us)
        jobs = pl.DataFrame(
            {
                "job": times[rows.NUMBER, :known][done],
                "start_us": start[done],
                "finish_us": (start + times[rows.RUN, :known])[done],
                "preemptions": np.zeros(int(done.sum()), np.int32),
            },
            schema=BECAME_COLUMNS,
        )
        sizes = pl.Series("processors", places[rows.SIZE, :known][done]).cast(pl.Int32)
        held = jobs.with_columns(sizes, pl.lit(0, pl.Int16).alias("cluster")).sort("job", "start_us")
        slides = self.tasks.slides[:, : step[rows.SLIDES]]
        causes = pl.Series("cause", Cause.categories.gather(slides[rows.SLIDE_CAUSE]), Cause)
        written = pl.DataFrame(dict(zip(SLIDES_COLUMNS, slides[:4], strict=False))).with_columns(causes)
        counters = dict(zip(COUNTERS, self.machine.few[rows.COUNTERS].tolist(), strict=False))
        return Record(jobs, allocations_table(held), written, {}, {**counters, "lost_slots": int(step[rows.LOST])})
