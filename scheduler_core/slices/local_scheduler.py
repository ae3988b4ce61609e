"""SCOJO-PECT stepped from outside: jobs come while the machine runs, and tasks are booked.

:mod:`scheduler_core.slices.bookings` specifies bookings. Predictions are worst cases: the latest times, whatever short jobs will
come. Nothing happens while no job is present. When a job has come, the slices of its interval are laid out from the begin of the
interval on, as if all jobs were known from the start.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from scheduler_core.common.errors import ParameterError
from scheduler_core.common.units import NEVER_US, seconds_to_us
from scheduler_core.contracts import WORKLOAD_COLUMNS, JobClass
from scheduler_core.kernel.jit import Direct
from scheduler_core.kernel.records import enlarged, records
from scheduler_core.slices import calls, state
from scheduler_core.slices.calls import COMING, Coming, Frame, no_jobs
from scheduler_core.slices.engine import SLIDING_UP, SliceScheduler, asked_of, refuse_endless, refuse_endless_jobs
from scheduler_core.slices.state import HELD_BACK, LONG, MEDIUM, SHORT
from scheduler_core.slices.tables import record_of
from scheduler_core.stepping import checks
from scheduler_core.stepping import local_scheduler as stepping

if TYPE_CHECKING:
    from scheduler_core.slices.policies.pect import Pect

CLASS_NUMBERS = {name: number for number, name in enumerate(JobClass.categories)}

LEAST_ROOM = 16
"""Least room for jobs given one by one, in front of those that come; there is room for as many as come."""

go_on_with = Direct(calls.go_on_with)
predict_slot = Direct(calls.predict_slot)
book_job = Direct(calls.book_job)
release_job = Direct(calls.release_job)
first_completion = Direct(calls.first_completion)


class Local:
    """One machine under SCOJO-PECT."""

    def __init__(self, policy: Pect, processors: int, rules: stepping.BookingRules = SLIDING_UP) -> None:
        self.policy = policy
        self.processors = processors
        self.scheduler = SliceScheduler(policy, pl.DataFrame(schema=WORKLOAD_COLUMNS), processors, rules)
        self.limits = seconds_to_us(policy.short_limit_s), seconds_to_us(policy.medium_limit_s)
        promises, groups = self.scheduler.cluster.rules.promises, self.scheduler.cluster.rules.groups
        plans = policy.facts().promises  # every waiting job has a reservation
        self.predicts, self.books = plans, plans and not groups
        self.promises = promises and not groups and rules.nominal == "worst_case"
        self.now = stepping.BEFORE_US
        self.given = self.followed = self.told = self.present = 0
        self.first_given = NEVER_US  # first submission of a job that was given since the machine went on
        # submission of followed jobs that come, and before when each is not done
        self.to_follow: list[tuple[int, int]] = []
        self.places: dict[int, tuple[int, int]] = {}  # of jobs held back: place and earliest start of the booking
        self.asked = records(1, COMING)
        self.asked_row = self.asked.view(np.ndarray)
        self.numbers = np.zeros(0, np.int64)
        self.is_reported = np.zeros(0, np.bool_)
        self.coming = no_jobs()._replace(numbers=self.numbers)
        self.look()

    @property
    def now_us(self) -> int:
        """The time up to which everything has happened."""
        return self.now

    def submit(self, job: stepping.Job, *, followed: bool = False) -> None:
        """Give the scheduler a job."""
        checks.check_job(job, self.processors, self.now)
        self.note_asked(job, followed)
        self.expect(1, followed)
        if self.coming.place[0] == 0:
            self.let_come(self.coming.jobs[:0])
        jobs, first = self.coming.jobs.view(np.ndarray), int(self.coming.place[0])
        behind = checks.place_among(jobs, first, len(jobs), job)
        jobs[first - 1 : behind - 1] = jobs[first:behind]
        jobs[behind - 1] = self.asked_row[0]
        self.coming.place[0] -= 1
        self.first_given = min(self.first_given, job.submit_us)
        if followed:
            self.to_follow.append((job.submit_us, job.submit_us + min(job.runtime_us, job.estimate_us)))

    def submit_many(self, jobs: pl.DataFrame) -> None:
        """Submit many jobs at once."""
        checks.check_jobs(jobs, self.processors, self.now)
        if jobs.height == 0:
            return
        refuse_endless_jobs(self.policy, jobs)
        self.expect(jobs.height, False)
        asked, coming = asked_of(self.policy, jobs), records(jobs.height, COMING)
        for name in state.ASKED.names or ():
            coming[name] = asked[name]
        coming["job"] = jobs["job"].to_numpy()
        self.let_come(coming)
        self.first_given = min(self.first_given, int(jobs["submit_us"][0]))

    def note_asked(self, job: stepping.Job, followed: bool) -> None:
        """Note what a job asks for the kernels."""
        work, kind = min(job.runtime_us, job.estimate_us), self.kind_of(job.estimate_us, job.job_class)
        refuse_endless(self.policy, job.job, work)
        self.asked_row[0] = job.submit_us, work, job.estimate_us, job.size, kind, job.job, followed

    def expect(self, jobs: int, followed: bool) -> None:
        """Make room for jobs that are given, and for what is kept of followed ones."""
        self.given += jobs
        if self.given > len(self.numbers):
            self.scheduler.make_room(self.given)
            room = len(self.scheduler.cluster.state)
            self.numbers, self.is_reported = enlarged(self.numbers, room), enlarged(self.is_reported, room)
            self.coming = self.coming._replace(numbers=self.numbers)
        if followed:
            self.followed += 1
            self.scheduler.make_booking_room(self.followed)
        if self.scheduler.cluster is not self.seen:
            self.look()

    def look(self) -> None:
        """Keep plain arrays of the jobs' state: reading a field of a record takes as long as a prediction."""
        self.seen = self.scheduler.cluster
        self.start, self.finish = (self.seen.state.view(np.ndarray)[name] for name in ("start", "finish"))
        self.booked_job, self.ended = (self.seen.bookings.view(np.ndarray)[name] for name in ("job", "ended"))

    def let_come(self, jobs: np.ndarray) -> None:
        """Put jobs among those that come, by submission, then number, with room in front."""
        jobs = np.concatenate([self.coming.jobs[int(self.coming.place[0]) :], jobs])
        jobs = jobs[np.lexsort((jobs["job"], jobs["submit"]))]
        front = max(LEAST_ROOM, len(jobs))
        room = np.concatenate([records(front, COMING), jobs]).view(np.recarray)
        self.coming = Coming(room, np.array([front]), self.numbers)

    def kind_of(self, estimate_us: int, job_class: str | None) -> int:
        """Return the number of a class: the one that is stated, else by estimate."""
        if job_class is not None:
            return CLASS_NUMBERS[job_class]
        short, medium = self.limits
        return SHORT if estimate_us < short else MEDIUM if estimate_us < medium else LONG

    def advance(self, until_us: int) -> list[stepping.Completion]:
        """Let everything happen that happens up to a time, that time included."""
        self.told = self.go_on(until_us, stops=False)
        return self.completions()

    def advance_to_completion(self, until_us: int) -> list[stepping.Completion]:
        """Let everything happen up to a time, or up to the first at which a followed job is done."""
        done = self.go_on(until_us, stops=True)
        return self.followed_completions(done) if done > self.told else []

    def go_on(self, until_us: int, stops: bool) -> int:
        """Let time pass; return how many followed jobs are done."""
        checks.check_time(until_us, self.now)
        scheduler = self.scheduler
        while True:
            found, at, done, self.present = go_on_with(
                scheduler.cluster, scheduler.search, self.coming, until_us, NEVER_US, stops, self.told
            )
            if found == state.MORE_ROWS:
                scheduler.enlarge()
            elif found == state.GROUP_FORMED:
                scheduler.optimise_group()
            else:
                break
        self.now = at if found == state.FOLLOWED_DONE else until_us
        if self.first_given <= self.now:
            self.first_given = NEVER_US
        return int(done)

    def completions(self) -> list[stepping.Completion]:
        """Take the jobs that are done and were not reported yet, by finish, then position."""
        finish = self.finish[: self.given]
        places = np.flatnonzero((finish >= 0) & ~self.is_reported[: self.given])
        places = places[np.argsort(finish[places], kind="stable")]
        self.is_reported[places] = True
        columns = self.numbers[places].tolist(), self.start[places].tolist(), finish[places].tolist()
        return [stepping.Completion(*row) for row in zip(*columns, strict=True)]

    def followed_completions(self, done: int) -> list[stepping.Completion]:
        """Take the followed jobs that are done and were not reported yet; ``done`` of them are."""
        booked, ended = self.booked_job, self.ended
        places = sorted(booked.item(ended.item(k)) for k in range(self.told, done))
        self.told = done
        self.is_reported[places] = True
        return [stepping.Completion(self.numbers.item(k), self.start.item(k), self.finish.item(k)) for k in places]

    def predict(self, request: stepping.Request, earliest_us: int) -> stepping.Prediction | None:
        """Say when a job would start and finish at the latest, by the plan of its class.

        It is a bound for a job that comes next: with conservative backfilling and ``guard`` no later job delays it, and estimates
        bound run times, whatever short slices later intervals have. Only the order of a group may delay it. Return None if not
        all waiting jobs have reservations.
        """
        if not self.predicts or not 1 <= request.processors <= self.processors:
            return None
        now = max(self.now, 0)
        at = max(now, earliest_us)
        kind = self.kind_of(request.estimate_us, request.job_class)
        begin, end = predict_slot(self.scheduler.cluster, request.processors, request.estimate_us, kind, at, now)
        return stepping.Prediction(begin, end, self.promises and at == now and self.first_given > at)

    def book(self, job: stepping.Job, booking: stepping.Booking) -> stepping.Prediction | None:
        """Book a job: it joins the queue of its class now."""
        checks.check_booking(job, self.processors, self.now)
        if not self.books:
            raise ParameterError(
                f"{self.policy.name}: bookings need a reservation for every waiting job: conservative backfilling with guard, "
                "no groups and no search"
            )
        self.note_asked(job, True)
        self.expect(1, True)
        if self.present == 0:
            self.wake_up()
        self.present += 1
        ready = HELD_BACK if booking.ready_us is None else booking.ready_us
        frame = Frame(booking.earliest_us, booking.expected_us, booking.latest_us, ready, booking.pinned)
        start = -1
        while start < 0:
            start, finish, place = book_job(self.scheduler.cluster, self.numbers, self.asked, self.now, frame)
            if start < 0:
                self.scheduler.enlarge()
        if booking.ready_us is None:
            self.places[job.job] = place, booking.earliest_us
        return None if start == NEVER_US else stepping.Prediction(start, finish, False)

    def wake_up(self) -> None:
        """Lay out the interval around now, because none is in force; an interval that begins now waits for the job."""
        scheduler = self.scheduler
        if self.now % scheduler.cluster.rules.interval:
            scheduler.begin_interval(self.now)
        else:
            scheduler.end_interval(self.now)

    def release(self, job: int, ready_us: int, earliest_us: int) -> None:
        """Let a booked job start."""
        place, before_us = self.places.get(job, (-1, None))
        checks.check_release(job, before_us, earliest_us)
        del self.places[job]
        while not release_job(self.scheduler.cluster, place, self.now, ready_us, earliest_us):
            self.scheduler.enlarge()

    def no_completion_before(self) -> int:
        """Return a time before which no followed job is done."""
        found: int = first_completion(self.scheduler.cluster, self.now)
        if self.to_follow:
            self.to_follow = [coming for coming in self.to_follow if coming[0] > self.now]
            found = min([found, *(least for _, least in self.to_follow)])
        return found

    def record(self) -> stepping.Record:
        """Return what has happened so far, as tables."""
        return record_of(self.scheduler.cluster, self.scheduler.searches, self.numbers)
