"""The space-sharing oracle: EASY backfilling with one reservation, or with several."""

from collections.abc import Iterator
from dataclasses import dataclass

from scheduler_core.declarations.policy import Policy
from tests.oracles.job import Job
from tests.oracles.plan import Use, earliest, fits
from tests.oracles.space_sharing.state import Pass, State, start_heads


@dataclass
class Reservation:
    """The head's reservation: whose it is, its shadow time, and the extra processors left."""

    head: Job
    shadow: int
    extra: int


def reserve(state: State, head: Job, ending: set[Job], ties_are_extra: bool) -> Reservation:
    """Step 2 of EASY: add up the processors of the running jobs by expected end until the head fits."""
    ends = {job: start + job.estimate for job, start in state.running.items() if job not in ending}
    free = state.free(ending)
    by_end = sorted(ends, key=lambda job: (ends[job], job.position))
    while free < head.size:
        last = by_end.pop(0)
        free += last.size
    shadow = ends[last]
    if ties_are_extra:
        free += sum(job.size for job in by_end if ends[job] == shadow)
    return Reservation(head, shadow, free - head.size)


class SingleReservationPass(Pass):
    """EASY where one job, the queue's head, holds a reservation: with all its dialects."""

    def __init__(self, policy: Policy) -> None:
        super().__init__(policy)
        self.kept: Reservation | None = None

    def __call__(self, state: State) -> None:
        """Steps 1 to 3."""
        queue = [job for job in state.ordered(state.queue, self.policy.order) if not state.held(job)]
        ending = {job for job, start in state.running.items() if start + job.estimate == state.now}
        if self.policy.ending_now == "occupied":
            ending = set()
        rest = start_heads(state, queue, ending)
        if not rest:
            self.kept = None
            return
        stayed = self.kept is not None and self.kept.head == queue[0] == rest[0]
        if self.policy.reservation == "each_pass" or not stayed:
            self.kept = reserve(state, rest[0], ending, self.policy.tied_releases == "extra")
        self.backfill(state, rest, ending)

    def forget(self) -> None:
        """Give the head's reservation up."""
        self.kept = None

    def backfill(self, state: State, rest: list[Job], ending: set[Job]) -> None:
        """Step 3: look at the candidates."""
        reservation = self.kept
        for job in candidates_of(self.policy, state, rest[1:]):
            by_shadow = state.now + tested(self.policy, job) <= reservation.shadow
            on_extra = self.policy.extra_processors and job.size <= reservation.extra
            if state.fits(job, ending) and (by_shadow or on_extra):
                state.start(job)
                if not by_shadow:
                    reservation.extra -= job.size


def candidates_of(policy: Policy, state: State, others: list[Job]) -> Iterator[Job]:
    """Yield the candidates looked at: the queue behind the jobs with a reservation, in backfill order, without held ones."""
    if policy.backfill_order != "queue":
        others = state.ordered(others, policy.backfill_order)
    looked = 0
    for job in others:
        if looked != policy.candidates and not state.held(job):
            looked += 1
            yield job


def tested(policy: Policy, job: Job) -> int:
    """Return the run time that the test of a candidate believes in."""
    return job.stay if policy.candidate_runtime == "real" else job.estimate


class SeveralReservationsPass(Pass):
    """EASY where the first N jobs of the queue, or all, hold reservations that last for the pass."""

    def __call__(self, state: State) -> None:
        """Plan the first N jobs, then backfill the others into the plan."""
        queue = state.ordered(state.queue, self.policy.order)
        plan = [Use(start, start + job.estimate, job.size) for job, start in state.running.items()]
        most = len(queue) if self.policy.reservations == "all" else self.policy.reservations
        holders: list[Job] = []
        for job in queue:
            if len(holders) == most or state.held(job):
                continue
            holders.append(job)
            begin = earliest(state.processors, plan, state.now, job.estimate, job.size)
            plan.append(Use(begin, begin + job.estimate, job.size))
            if begin == state.now:
                state.start(job)
        for job in candidates_of(self.policy, state, [job for job in queue if job not in holders]):
            length = tested(self.policy, job)
            if fits(state.processors, plan, state.now, length, job.size):
                plan.append(Use(state.now, state.now + length, job.size))
                state.start(job)
