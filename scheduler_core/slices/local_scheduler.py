"""SCOJO-PECT stepped from outside: jobs come while the machine runs, and time of a class can be held for others.

A reservation is kept on the clock of its class (the request's, or by its estimate): in the slices of the class, jobs leave its
processors alone while the clock is within it. Predictions are worst cases: the latest times, whatever short jobs will come.
Nothing happens while no job and no reservation is present; the slices of an interval are laid out when a job has come, from
the begin of the interval on, as they are where all jobs are known from the start.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from scheduler_core.contracts import WORKLOAD_COLUMNS, JobClass
from scheduler_core.errors import ParameterError
from scheduler_core.kernel.profile import Profile, give_to_plan
from scheduler_core.kernel.records import Record, records
from scheduler_core.local_scheduler import (
    BEFORE_US,
    Completion,
    Frame,
    Job,
    Prediction,
    Request,
    Reservation,
    check_job,
    check_time,
)
from scheduler_core.slices import state
from scheduler_core.slices.engine import SliceScheduler, classes_by_estimate
from scheduler_core.slices.promises import plan_ahead
from scheduler_core.slices.state import LONG, MEDIUM, SHORT
from scheduler_core.slices.virtual_schedule import new_search
from scheduler_core.units import NEVER_US

if TYPE_CHECKING:
    from scheduler_core.slices.policies.pect import Pect

CLASS_NUMBERS = {name: number for number, name in enumerate(JobClass.categories)}


@dataclass(frozen=True, slots=True)
class Held:
    """A reservation on the clock of a class."""

    kind: int
    begin: int
    end: int
    processors: int


class Local:
    """One machine under SCOJO-PECT: a :class:`~scheduler_core.local_scheduler.LocalScheduler`.

    Parameters
    ----------
    policy
        The policy.
    processors
        Processors of the machine.
    """

    def __init__(self, policy: Pect, processors: int) -> None:
        self.policy = policy
        self.processors = processors
        self.scheduler = SliceScheduler(policy.setting(), pl.DataFrame(schema=WORKLOAD_COLUMNS), processors)
        self.now = BEFORE_US
        self.coming: list[tuple[int, int, Job]] = []
        self.numbers: list[int] = []
        self.unreported: list[int] = []
        self.held: dict[int, Held] = {}
        self.dropped: set[int] = set()
        self.reservations_made = 0

    @property
    def now_us(self) -> int:
        """The time up to which everything has happened."""
        return self.now

    def submit(self, job: Job) -> None:
        """Give the scheduler a job."""
        check_job(job, self.processors, self.now)
        heapq.heappush(self.coming, (job.submit_us, job.job, job))

    def advance(self, until_us: int) -> list[Completion]:
        """Let everything happen that happens up to a time, that time included."""
        check_time(until_us, self.now)
        self.take_submitted(until_us)
        while self.held and self.now < until_us:  # interval by interval: none is laid out for what is over
            interval = self.scheduler.cluster.rules.interval
            self.now = min(until_us, (self.now // interval + 1) * interval)
            self.scheduler.advance(self.now, NEVER_US)
            for number in [
                number for number, held in self.held.items() if self.reading(held.kind, self.now) >= held.end
            ]:
                self.forget(number)
        self.scheduler.advance(until_us, NEVER_US)
        self.now = until_us
        return self.completions()

    def take_submitted(self, until_us: int) -> None:
        """Put the jobs submitted by a time behind those the event loop knows, in the order of a workload."""
        jobs = []
        while self.coming and self.coming[0][0] <= until_us:
            jobs.append(heapq.heappop(self.coming)[2])
        asked = records(len(jobs), state.ASKED)
        for place, job in enumerate(jobs):
            asked[place].submit, asked[place].estimate = job.submit_us, job.estimate_us
            asked[place].work = min(job.runtime_us, job.estimate_us)
            asked[place].processors = job.size
            asked[place].job_class = self.kind_of(job.estimate_us, job.job_class)
        known = len(self.numbers)
        self.scheduler.add(asked, len(self.held))
        self.numbers += [job.job for job in jobs]
        self.unreported += range(known, known + len(jobs))

    def kind_of(self, estimate_us: int, job_class: str | None) -> int:
        """Return the number of a class: the one that is stated, else by estimate."""
        if job_class is not None:
            return CLASS_NUMBERS[job_class]
        return int(classes_by_estimate(self.policy, np.array([estimate_us]))[0])

    def completions(self) -> list[Completion]:
        """Take the jobs that are done and were not reported yet."""
        places = np.array(self.unreported, np.int64)
        became = self.scheduler.cluster.state[places]
        done = became["finish"] >= 0
        self.unreported = places[~done].tolist()
        found = sorted(
            zip(became["finish"][done].tolist(), places[done].tolist(), became["start"][done].tolist(), strict=True)
        )
        return [Completion(self.numbers[place], begin, end) for end, place, begin in found]

    def predict(self, request: Request, earliest_us: int) -> Prediction | None:
        """Say when a job would start and finish at the latest, by the plan of its class.

        A bound for a job that comes next: with conservative backfilling and ``guard`` no job that comes later delays it, and
        estimates bound run times, whatever short slices the intervals to come will have. Only where groups are formed may their
        order delay it. None where not all waiting jobs have reservations to go by.
        """
        cluster, at = self.scheduler.cluster, max(self.now, earliest_us, 0)
        if not cluster.rules.promises or not 1 <= request.processors <= self.processors:
            return None
        kind = self.kind_of(request.estimate_us, request.job_class)
        if cluster.clock.present > 0:
            first, now = self.reading(kind, at), int(cluster.clock.now)
        else:  # clocks stand until the job comes, and the first interval that is its own in full is the next one
            interval = cluster.rules.interval
            first, now = 0, -(-at // interval) * interval
        _, begins, ends = plan_ahead(request.processors, request.estimate_us, kind, first, now, cluster)
        comes_next = at == max(self.now, 0) and not (self.coming and self.coming[0][0] <= at)
        return Prediction(int(begins), int(ends), comes_next and not cluster.rules.groups)

    def reading(self, kind: int, time: int) -> int:
        """Return what a class's clock shows at a time to come at the most; within the interval in force, exactly."""
        clock, own, rules = (
            self.scheduler.cluster.clock,
            self.scheduler.cluster.classes[kind],
            self.scheduler.cluster.rules,
        )
        begin, end = self.slice_of(kind)
        gained = min(max(0, time - begin), end - begin)
        ahead = max(0, time - int(clock.wake if clock.phase == state.IDLE else clock.interval_end))
        return int(own.clock) + gained + min(ahead, -(-ahead // rules.interval) * self.most_work(kind))

    def slice_of(self, kind: int) -> tuple[int, int]:
        """Return from when until when a class's slice of the interval in force is still to work."""
        cluster = self.scheduler.cluster
        clock, classes, rules = cluster.clock, cluster.classes, cluster.rules
        if clock.phase == state.IDLE or kind < clock.slice:
            return 0, 0
        if kind == clock.slice and clock.phase != state.BETWEEN:
            return max(int(clock.now), int(clock.work_begin)), int(clock.slice_end)
        end = int(clock.interval_end)
        if kind == MEDIUM:
            end -= int(rules.switch + classes[LONG].work)
        if kind <= clock.slice or kind == SHORT:
            return 0, 0
        return end - int(classes[kind].work), end

    def most_work(self, kind: int) -> int:
        """Return how long a class's slice works at most in an interval."""
        rules = self.scheduler.cluster.rules
        if kind == SHORT:
            return int(rules.short_slice)
        remaining = rules.interval - 2 * rules.switch
        shares = ((rules.day_medium, rules.day_long), (rules.night_medium, rules.night_long))
        medium = [remaining * m // (m + n) for m, n in shares]
        return int(max(medium) if kind == MEDIUM else max(remaining - work for work in medium))

    def reserve(self, request: Request, frame: Frame) -> Reservation | None:
        """Hold processors on the clock of a class, as early as its plan has them and, at the latest, within the frame.

        None in two further cases: without ``guard`` jobs that start in another class's slice would not mind what is held, and
        the slices of the short class are laid out for jobs only.
        """
        kind = self.kind_of(request.estimate_us, request.job_class)
        if not self.scheduler.cluster.rules.guard or kind == SHORT or not 1 <= request.processors <= self.processors:
            return None
        self.make_room(len(self.held) + 1)
        clock = self.begin_interval()
        first = self.reading(kind, max(self.now, frame.earliest_us, 0))
        cluster, now = self.scheduler.cluster, int(clock.wake if clock.phase == state.IDLE else clock.now)
        begin, begins, ends = plan_ahead(request.processors, request.estimate_us, kind, first, now, cluster)
        if ends > frame.latest_us:
            clock.present -= 1
            return None
        self.reservations_made += 1
        self.held[self.reservations_made] = Held(kind, begin, begin + request.estimate_us, request.processors)
        self.change_plan(kind, begin, begin + request.estimate_us, -request.processors)
        return Reservation(self.reservations_made, request.processors, int(begins), int(ends))

    def begin_interval(self) -> Record:
        """Count a reservation as present; where no job was, the current interval is laid out as it would be for a job."""
        clock = self.scheduler.cluster.clock
        clock.goes_on = True  # let the slices end that no job was left to wait for
        self.scheduler.advance(self.now, NEVER_US)
        clock.goes_on = False
        clock.present += 1
        if clock.phase == state.IDLE:
            interval = self.scheduler.cluster.rules.interval
            clock.wake = max(0, self.now // interval * interval)
            self.scheduler.advance(self.now, NEVER_US)
        return clock

    def make_room(self, held: int) -> None:
        """Make room for so many reservations in the plans, and in the plans of a search."""
        self.scheduler.add(records(0, state.ASKED), held)
        if self.scheduler.setting.search is not None:
            self.scheduler.search = new_search(self.processors, 4 * self.processors + 4 * held, 0)

    def change_plan(self, kind: int, begin: int, end: int, processors: int) -> None:
        """Give processors to the plan of a class (negative: take them)."""
        plans, bounds = self.scheduler.cluster.plans, self.scheduler.cluster.bounds
        give_to_plan(Profile(plans[kind, 0], plans[kind, 1], bounds[kind]), begin, end, processors)

    def withdraw(self, reservation: Reservation) -> None:
        """Drop a reservation; reservations of jobs are brought forward when the machine goes on."""
        if reservation.number in self.dropped:
            raise ParameterError(f"reservation {reservation.number} was dropped before")
        self.dropped.add(reservation.number)
        held = self.held.get(reservation.number)
        if held is None:
            return
        own = self.scheduler.cluster.classes[held.kind]
        self.change_plan(held.kind, max(int(own.clock), held.begin), held.end, held.processors)
        own.given = True
        self.forget(reservation.number)

    def forget(self, number: int) -> None:
        """Take a reservation off the list: it is over, or was dropped."""
        del self.held[number]
        self.scheduler.cluster.clock.present -= 1
