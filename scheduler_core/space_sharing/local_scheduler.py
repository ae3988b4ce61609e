"""Space sharing stepped from outside: jobs come while the machine runs, and processors can be held for others.

While a reservation is held, a job is started only if its estimate leaves the reservation its processors; the policies are
otherwise as they are. (Conservative backfilling takes the reservation out of its plan, and plans around it.) A machine that
left a job waiting for the sake of a reservation makes a pass when the reservation ends or is dropped.
"""

from __future__ import annotations

import heapq
from dataclasses import fields
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from scheduler_core.errors import ParameterError
from scheduler_core.kernel.profile import give_to_plan, hold_in_plan
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
from scheduler_core.space_sharing import state
from scheduler_core.space_sharing.engine import advance, new_state, read_only
from scheduler_core.space_sharing.orders import order_named
from scheduler_core.space_sharing.settings import settings_of
from scheduler_core.space_sharing.state import Jobs, State
from scheduler_core.units import NEVER_US

if TYPE_CHECKING:
    from scheduler_core.space_sharing.policy import SpaceSharingPolicy

FIRST_JOBS, FIRST_HELD = 256, 8
"""Room for jobs and for reservations at first; it doubles when it is used up."""


class Local:
    """One machine under a policy of space sharing: a :class:`~scheduler_core.local_scheduler.LocalScheduler`.

    Parameters
    ----------
    policy
        The policy.
    processors
        Processors of the machine.
    """

    def __init__(self, policy: SpaceSharingPolicy, processors: int) -> None:
        self.policy = policy
        self.processors = processors
        self.settings = settings_of(policy)
        self.now = BEFORE_US
        self.coming: list[tuple[int, int, Job]] = []
        self.numbers: list[int] = []
        self.unreported: list[int] = []
        self.held: dict[int, Reservation] = {}
        self.planned_at: dict[int, int] = {}
        self.dropped: set[int] = set()
        self.reservations_made = 0
        self.asked = Jobs(*(np.ones(FIRST_JOBS, kind) for kind in (np.int64,) * 4 + (np.int32,)))
        self.machine = new_state(self.asked, processors, self.settings, FIRST_HELD)
        self.show_jobs()

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
        advance(self.machine, until_us)
        self.now = until_us
        for number in [number for number, held in self.held.items() if held.end_us <= until_us]:
            self.forget(number)
        return self.completions()

    def take_submitted(self, until_us: int) -> None:
        """Put the jobs submitted by a time behind those the event loop knows, in the order of a workload."""
        while self.coming and self.coming[0][0] <= until_us:
            job = heapq.heappop(self.coming)[2]
            place = len(self.numbers)
            if place == len(self.asked.submit):
                self.enlarge(2 * place, len(self.machine.held.begin))
            run = min(job.runtime_us, job.estimate_us)
            tested = run if self.settings.tests_run_times else job.estimate_us
            for array, value in zip(self.asked, (job.submit_us, run, job.estimate_us, tested, job.size), strict=True):
                array[place] = value
            self.write_keys(place)
            self.numbers.append(job.job)
            self.unreported.append(place)
        self.show_jobs()

    def write_keys(self, place: int) -> None:
        """Write the keys of a job into queues that are kept in an order of fixed keys."""
        queues = {self.settings.order: self.machine.queue, self.settings.candidate_order: self.machine.candidates}
        for name, queue in queues.items():
            key = order_named(name).key
            if key is not None:
                queue.key[place] = key(self.asked.estimate[place : place + 1], self.asked.size[place : place + 1])[0]

    def show_jobs(self) -> None:
        """Let the event loop see the jobs that are known."""
        self.machine.jobs = read_only(Jobs(*(array[: len(self.numbers)] for array in self.asked)))

    def completions(self) -> list[Completion]:
        """Take the jobs that are done and were not reported yet."""
        places = np.array(self.unreported, np.int64)
        start = self.machine.cluster.start[places]
        finish = start + self.asked.run[places]
        done = (start >= 0) & (finish <= self.now)
        self.unreported = places[~done].tolist()
        found = sorted(zip(finish[done].tolist(), places[done].tolist(), start[done].tolist(), strict=True))
        return [Completion(self.numbers[place], begin, end) for end, place, begin in found]

    def enlarge(self, jobs: int, held: int) -> None:
        """Make room for so many jobs and reservations."""
        room = Jobs(*(np.ones(jobs, array.dtype) for array in self.asked))
        larger = new_state(room, self.processors, self.settings, held)
        copy_into(larger, self.machine)
        for array, before in zip(room, self.asked, strict=True):
            array[: len(before)] = before
        self.asked, self.machine = room, larger
        self.show_jobs()

    def predict(self, request: Request, earliest_us: int) -> Prediction | None:
        """Say when a job would start and finish: let a copy go on in which every job runs for its estimate and no other comes.

        A bound for a job that comes next where the policy keeps its predictions and, but for conservative backfilling, nothing
        is reserved.
        """
        if not 1 <= request.processors <= self.processors:
            return None
        at = max(self.now, earliest_us, 0)
        believed = self.as_believed()
        believed.coming = [entry for entry in self.coming if entry[0] <= at]
        heapq.heapify(believed.coming)
        believed.take_submitted(at)
        place = len(believed.numbers)
        job = Job(np.iinfo(np.int64).max, at, request.estimate_us, request.estimate_us, request.processors)
        heapq.heappush(believed.coming, (at, job.job, job))
        believed.take_submitted(at)
        believed.believe_estimates()
        advance(believed.machine, NEVER_US - 1)
        start = int(believed.machine.cluster.start[place])
        bound = self.policy.keeps_predictions and (self.is_conservative or not self.held)
        return Prediction(start, start + request.estimate_us, bound and self.comes_next(at))

    def comes_next(self, at: int) -> bool:
        """Whether nothing will have happened, and no job will have come, before a job that is submitted at a time."""
        return at == max(self.now, 0) and not (self.coming and self.coming[0][0] <= at)

    def as_believed(self) -> Local:
        """Return a copy that may go on by itself."""
        copy = Local.__new__(Local)
        copy.__dict__.update(self.__dict__)
        copy.numbers, copy.unreported = list(self.numbers), []
        copy.enlarge(len(self.asked.submit), len(self.machine.held.begin))
        return copy

    def believe_estimates(self) -> None:
        """Let every job run for as long as the scheduler believes: for its estimate, or what its plan knows."""
        known = len(self.numbers)
        believed = self.asked.tested if self.settings.plan_by == "runtime" else self.asked.estimate
        self.asked.run[:known] = believed[:known]
        cluster, running = self.machine.cluster, int(self.machine.cluster.counts[state.RUNNING])
        ties = cluster.end_tie[:running].copy()
        places = np.array([self.job_of(tie) for tie in ties], np.int64)
        ends = cluster.start[places] + self.asked.run[places]
        in_order = np.lexsort((ties, ends))  # what is sorted is a heap
        cluster.end[:running], cluster.end_tie[:running] = ends[in_order], ties[in_order]

    def job_of(self, tie: int) -> int:
        """Return the place of the job that stands in the heap of running jobs."""
        by_start = self.machine.rules.tied_completions == state.BY_START
        return int(self.machine.cluster.started_as[tie]) if by_start else int(tie)

    @property
    def is_conservative(self) -> bool:
        """Whether the policy has a plan of every job's reservation."""
        return self.machine.rules.backfill == state.CONSERVATIVE

    def reserve(self, request: Request, frame: Frame) -> Reservation | None:
        """Hold processors at the earliest time in a frame at which the plan, or the running jobs' estimates, leave them."""
        if not 1 <= request.processors <= self.processors:
            return None
        earliest = max(self.now, frame.earliest_us, 0)
        if len(self.held) == len(self.machine.held.begin):
            self.enlarge(len(self.asked.submit), 2 * len(self.held))
        if self.is_conservative:
            length = request.estimate_us
            begin = hold_in_plan(self.machine.profile, earliest, request.processors, length, frame.latest_us)
        else:
            begin = self.earliest_unused(request, earliest)
            begin = begin if begin + request.estimate_us <= frame.latest_us else -1
        if begin < 0:
            return None
        self.reservations_made += 1
        number = self.reservations_made
        self.held[number] = Reservation(number, request.processors, int(begin), int(begin) + request.estimate_us)
        self.planned_at[number] = int(self.machine.counters[state.PASSES])
        self.show_held()
        return self.held[number]

    def earliest_unused(self, request: Request, earliest: int) -> int:
        """Return the earliest time from which running jobs (by estimate) and other reservations leave enough processors."""
        cluster, running = self.machine.cluster, int(self.machine.cluster.counts[state.RUNNING])
        places = [self.job_of(tie) for tie in cluster.end_tie[:running]]
        taken = [(0, int(cluster.start[p] + self.asked.estimate[p]), int(self.asked.size[p])) for p in places]
        taken += [(held.begin_us, held.end_us, held.processors) for held in self.held.values()]

        def fits(begin: int) -> bool:
            end = begin + request.estimate_us
            times = [begin, *(first for first, _, _ in taken if begin < first < end)]
            used = (sum(size for first, last, size in taken if first <= time < last) for time in times)
            return max(used) + request.processors <= self.processors

        times = sorted({earliest, *(last for _, last, _ in taken if last > earliest)})
        return next(time for time in times if fits(time))

    def withdraw(self, reservation: Reservation) -> None:
        """Drop a reservation; jobs that were kept waiting, or planned, for its sake are looked at when the machine goes on."""
        if reservation.number in self.dropped:
            raise ParameterError(f"reservation {reservation.number} was dropped before")
        self.dropped.add(reservation.number)
        if reservation.number not in self.held:
            return
        planned_since = self.machine.counters[state.PASSES] > self.planned_at[reservation.number]
        self.forget(reservation.number)
        counts, clock = self.machine.cluster.counts, self.machine.cluster.clock
        if self.is_conservative:
            begin = max(self.now, reservation.begin_us)
            if begin < reservation.end_us:
                give_to_plan(self.machine.profile, begin, reservation.end_us, reservation.processors)
            clock[state.GIVEN] = clock[state.GIVEN] or planned_since
            if planned_since:
                clock[state.DUE] = self.now
        elif counts[state.BLOCKED]:
            clock[state.DUE] = self.now

    def forget(self, number: int) -> None:
        """Take a reservation off the list."""
        del self.held[number], self.planned_at[number]
        self.show_held()

    def show_held(self) -> None:
        """Let the event loop see what is held; conservative backfilling has it in its plan."""
        if self.is_conservative:
            return
        self.machine.cluster.counts[state.HELD] = len(self.held)
        begin, end, size = self.machine.held
        for place, held in enumerate(self.held.values()):
            begin[place], end[place], size[place] = held.begin_us, held.end_us, held.processors


def copy_into(larger: State, smaller: State) -> None:
    """Copy everything of a state but its jobs into one with room for no less."""
    for entry in fields(State):
        if entry.name in ("jobs", "rules"):
            continue
        before, after = getattr(smaller, entry.name), getattr(larger, entry.name)
        pairs = [(before, after)] if isinstance(before, np.ndarray) else zip(before, after, strict=True)
        for old, new in cast("list[tuple[Any, Any]]", pairs):
            new[: len(old)] = old
