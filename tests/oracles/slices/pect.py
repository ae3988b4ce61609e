"""The oracle of slices: SCOJO-PECT, instant by instant, everything worked out anew from jobs and slices."""

from collections.abc import Iterator, Sequence

from scheduler_core.declarations.policy import Policy
from tests.oracles.plan import Use, earliest, fits
from tests.oracles.slices.state import CLASSES, SHORT, Asked, Calendar, Job, Outcome, Result, Slice

COUNTERS = (
    *("passes", "slices", "backfilled", "resumed_elsewhere", "started_elsewhere"),
    *("planned_elsewhere", "dynamic", "requests", "groups_medium", "groups_long", "grouped"),
    *("orders", "tree_nodes", "pruned", "pruned_leaves", "searches"),
)


class Run:
    """A run of the policy: queues, started jobs and slices."""

    def __init__(self, policy: Policy, jobs: Sequence[Asked], processors: int) -> None:
        self.policy = policy
        self.processors = processors
        self.asked = jobs
        self.calendar = Calendar(policy)
        every = [Job(position, job, self.calendar.class_of(job)) for position, job in enumerate(jobs)]
        self.jobs = [job for job in every if job.size <= processors]
        self.to_come = list(self.jobs)
        self.waiting: dict[int, list[Job]] = {kind: [] for kind in CLASSES}
        self.started: dict[int, list[Job]] = {kind: [] for kind in CLASSES}
        self.room: set[int] = set()  # classes whose reservations are to be brought forward
        self.arrived: list[Job] = []
        self.left: list[Job] = []
        self.time = 0
        self.result = Result(counters=dict.fromkeys(COUNTERS, 0))

    def count(self, counter: str, more: int = 1) -> None:
        """Count something."""
        self.result.counters[counter] += more

    def go(self) -> Result:
        """Run until the last job has left."""
        if self.jobs:
            self.time = self.interval_of(self.jobs[0].submit)
            self.instant()
            while self.to_come or any(self.waiting.values()) or any(self.started.values()):
                self.time = self.next_instant()
                self.instant()
        runs = {job.position: job for job in self.jobs}
        rejected = Outcome(None, None, 0, "rejected")
        self.result.jobs = [runs[p].outcome() if p in runs else rejected for p in range(len(self.asked))]
        self.result.allocations = sorted(held for job in self.jobs for held in job.held)
        self.result.slices = self.calendar.rows()
        self.count("slices", len(self.result.slices))
        return self.result

    # What there is ---------------------------------------------------------------------------------------------

    def clock(self, kind: int) -> int:
        """Return the clock of a class now."""
        return self.calendar.clock(kind, self.time)

    def running(self) -> list[Job]:
        """Return the jobs that run now."""
        return [job for kind in CLASSES for job in self.started[kind] if job.began is not None]

    def free(self) -> set[int]:
        """Return the processors on which no job runs."""
        return set(range(self.processors)).difference(*(job.processors for job in self.running()))

    def open_to(self, kind: int) -> set[int]:
        """Return the free processors that no started, unfinished job of the class holds."""
        return self.free().difference(*(job.processors for job in self.started[kind]))

    def queue(self, kind: int) -> list[Job]:
        """Return the waiting jobs of a class in queue order."""
        return sorted(self.waiting[kind], key=lambda job: job.position)

    def all_reserved(self, kind: int) -> bool:
        """Tell whether every waiting job of the class has a reservation."""
        return self.policy.backfilling == "conservative"

    def with_reservations(self, kind: int) -> list[Job]:
        """Return the waiting jobs of a class that have reservations, in queue order."""
        queue = self.queue(kind)
        if self.all_reserved(kind):
            return queue
        return queue[:1] if self.policy.backfilling == "easy" else []

    def promising(self) -> bool:
        """Tell whether reservations are promises."""
        return self.policy.backfilling == "conservative" and self.policy.guard

    def used_by_started(self, kind: int) -> Iterator[Use]:
        """Return what started jobs take of their own class's plan.

        While one runs in another class's slice the clock stands still, and its rest counts as it was when it began.
        """
        now = self.clock(kind)
        for job in self.started[kind]:
            rest = job.rest_when_it_began if job.slot != kind else job.rest(self.time)
            yield Use(now, now + rest, job.size)

    def used_by_guests(self, kind: int) -> Iterator[Use]:
        """Return what jobs of other classes take of the plan of the class whose slice it is."""
        for job in self.running():
            if job.slot == kind and job.kind != kind:
                end = self.end_of_guest(job)
                yield Use(self.calendar.clock(kind, job.began), self.calendar.clock(kind, end), job.size)

    def unreserved(self, kind: int) -> list[Use]:
        """Return the plan of a class without its reservations."""
        return [*self.used_by_started(kind), *self.used_by_guests(kind)]

    def plan(self, kind: int, without: Job | None = None) -> list[Use]:
        """Return the plan of a class, one job's reservation aside."""
        reserved = [
            Use(job.reservation, job.reservation + job.estimate, job.size)
            for job in self.waiting[kind]
            if job.reservation is not None and job is not without
        ]
        return [*self.unreserved(kind), *reserved]

    # Instants --------------------------------------------------------------------------------------------------

    def interval_of(self, time: int) -> int:
        """Return the begin of the interval a time lies in."""
        return time // self.calendar.interval * self.calendar.interval

    def present(self) -> bool:
        """Tell whether any job waits or is unfinished."""
        return any(self.waiting.values()) or any(self.started.values())

    def next_instant(self) -> int:
        """Return the next time at which something happens."""
        if self.time >= self.calendar.ends:  # the interval is passed over
            return self.interval_of(self.to_come[0].submit)
        times = [job.submit for job in self.to_come] + self.times_in_interval()
        return min(time for time in times if time > self.time)

    def times_in_interval(self) -> list[int]:
        """List when something may happen in the interval in force, past times among them, if no job comes."""
        times = [self.calendar.ends, *(job.leaves for job in self.running())]
        times += [time for piece in self.calendar.slices for time in (piece.work, piece.end)]
        piece = self.calendar.slice_at(self.time)
        if piece is not None:
            v = self.clock(piece.kind)
            times += [self.time + clock - v for clock in self.alarms(piece.kind)]
        return times

    def alarms(self, kind: int) -> list[int]:
        """Return the readings of the clock of the slice's class at which a pass is made."""
        return [job.reservation for job in self.waiting[kind] if job.reservation is not None]

    def instant(self) -> None:
        """Do what happens at an instant, in its order."""
        self.leave()
        self.end_slice()
        room, self.room = self.room, set()
        for kind in CLASSES:
            if kind in room:
                self.bring_forward(kind)
        self.arrive()
        self.begin_interval()
        piece = self.calendar.slice_at(self.time)
        if piece is not None:
            self.count("passes")
            self.make_pass(piece)

    def leave(self) -> None:
        """Let jobs leave whose work is done."""
        self.left = sorted((job for job in self.running() if job.leaves == self.time), key=lambda job: job.position)
        for job in self.left:
            if job.slot != job.kind or job.rest(self.time) > 0:
                self.room.add(job.kind)
            if job.slot != job.kind and self.time < self.end_of_guest(job):
                self.room.add(job.slot)
            job.stop(self.time)
            job.finish = self.time
            self.started[job.kind].remove(job)

    def end_of_guest(self, job: Job) -> int:
        """Return when what a running job takes of the plan of another class's slice ends."""
        piece = self.calendar.slice_at(job.began)
        return min(job.began + job.rest_when_it_began, piece.end)

    def end_slice(self) -> None:
        """Suspend unfinished jobs if a slice ends now."""
        if any(piece.end == self.time for piece in self.calendar.slices):
            for job in self.running():
                if job.slot != job.kind:
                    self.room.add(job.kind)
                job.stop(self.time)

    def arrive(self) -> None:
        """Let the jobs submitted now join their queues."""
        self.arrived = [job for job in self.to_come if job.submit == self.time]
        self.to_come = [job for job in self.to_come if job.submit != self.time]
        for job in self.arrived:
            self.waiting[job.kind].append(job)
            if job in self.with_reservations(job.kind):
                self.reserve(job)
            if self.promising():
                self.promise(job, 0)

    def begin_interval(self) -> None:
        """Lay out an interval that begins now, if any job is there before its end."""
        if self.time % self.calendar.interval:
            return
        end = self.time + self.calendar.interval
        if self.present() or any(job.submit < end for job in self.to_come):
            short = bool(self.waiting[SHORT] or self.started[SHORT])
            self.calendar.lay_out(self.time, self.need() if short else None)

    def need(self) -> int:
        """Return how long short jobs would take if their slice went on."""
        plan = list(self.plan(SHORT))
        if not self.all_reserved(SHORT):
            plan = self.unreserved(SHORT)
            for job in self.queue(SHORT):
                begin = earliest(self.processors, plan, self.clock(SHORT), job.estimate, job.size)
                plan.append(Use(begin, begin + job.estimate, job.size))
        return max(use.end for use in plan) - self.clock(SHORT)

    # Reservations ----------------------------------------------------------------------------------------------

    def best_for(self, job: Job) -> int:
        """Return the earliest reservation a job could have with all others in place."""
        plan = self.plan(job.kind, without=job)
        return earliest(self.processors, plan, self.clock(job.kind), job.estimate, job.size)

    def reserve(self, job: Job) -> None:
        """Make the earliest reservation for a job."""
        job.reservation = self.best_for(job)

    def promise(self, job: Job, group: int) -> None:
        """Promise a job its reservation."""
        left = job.reservation + job.estimate - self.clock(job.kind)
        finish = self.calendar.finish(job.kind, self.time, left)
        self.result.promises.append((job.position, 0, self.time, group, job.reservation, finish))

    def make_anew(self, kind: int) -> None:
        """Cancel all reservations of a class and make anew those that it has."""
        for job in self.queue(kind):
            job.reservation = None
        for job in self.with_reservations(kind):
            self.reserve(job)

    def bring_forward(self, kind: int) -> None:
        """Bring the reservations of a class forward."""
        if not self.all_reserved(kind) or not self.policy.guard:
            self.make_anew(kind)
            return
        before = None
        while before != (after := [job.reservation for job in self.queue(kind)]):
            before = after
            for job in self.queue(kind):
                job.reservation = min(job.reservation, self.best_for(job))

    # A pass ----------------------------------------------------------------------------------------------------

    def make_pass(self, piece: Slice) -> None:
        """Start and resume jobs in the slice at work."""
        if self.time == piece.work:
            for job in self.started[piece.kind]:
                self.run(job, piece)
        self.start_own(piece)
        self.lend(piece)

    def lend(self, piece: Slice) -> None:
        """Lend what the class of the slice leaves idle to the other classes, if the policy does."""
        if self.policy.smart:
            others = [kind for kind in CLASSES if kind != piece.kind]
            self.lend_to_suspended(piece, others)
            self.lend_to_waiting(piece, others)

    def run(self, job: Job, piece: Slice) -> None:
        """Let a job that has processors run."""
        assert job.began is None
        assert job.processors <= self.free()
        job.began, job.slot = self.time, piece.kind

    def start(self, job: Job, piece: Slice) -> None:
        """Start a waiting job on the lowest processors it can have."""
        queue = self.waiting[job.kind]
        if any(other.position < job.position for other in queue):
            self.count("backfilled")
        queue.remove(job)
        job.reservation = None
        job.processors = frozenset(sorted(self.open_to(job.kind))[: job.size])
        assert len(job.processors) == job.size
        self.run(job, piece)
        self.started[job.kind].append(job)
        if job.kind != piece.kind:
            self.count("started_elsewhere")
            self.room.add(job.kind)

    def start_own(self, piece: Slice) -> None:
        """Start jobs of the slice's own class."""
        if self.all_reserved(piece.kind):
            self.start_reserved(piece)
        else:
            self.start_easy(piece)

    def start_reserved(self, piece: Slice) -> None:
        """Start the jobs whose reservations are for now."""
        for job in self.queue(piece.kind):
            if job.reservation == self.clock(piece.kind):
                self.start(job, piece)

    def start_easy(self, piece: Slice) -> None:
        """Start jobs from the head of the queue, reserve for the first that cannot unless with first fit, and go on."""
        queue = self.queue(piece.kind)
        for job in queue:
            job.reservation = None
        head: Job | None = None
        for job in queue:
            if self.fits_now(job, piece.kind, job.estimate):
                self.start(job, piece)
            elif head is None and self.policy.backfilling == "easy":
                head = job
                self.reserve(job)

    def fits_now(self, job: Job, kind: int, length: int) -> bool:
        """Tell whether a job's size is free for so long from now on in the plan of a class, its own reservation aside."""
        return fits(self.processors, self.plan(kind, without=job), self.clock(kind), length, job.size)

    def fits_slice(self, job: Job, piece: Slice) -> bool:
        """Tell whether a job of another class fits the slice."""
        return self.fits_now(job, piece.kind, min(job.rest(self.time), piece.end - self.time))

    def may_start_elsewhere(self, job: Job, piece: Slice) -> bool:
        """Tell whether a waiting job may start in another class's slice."""
        return (
            len(self.open_to(job.kind)) >= job.size
            and self.fits_slice(job, piece)
            and (not self.policy.guard or self.fits_now(job, job.kind, job.estimate))
        )

    def lend_to_suspended(self, piece: Slice, kinds: Sequence[int]) -> None:
        """Let suspended jobs of other classes run again."""
        for kind in kinds:
            for job in self.started[kind]:
                if job.began is None and job.processors <= self.free() and self.fits_slice(job, piece):
                    self.run(job, piece)
                    self.count("resumed_elsewhere")

    def lend_to_waiting(self, piece: Slice, kinds: Sequence[int]) -> None:
        """Let waiting jobs of other classes start."""
        for kind in kinds:
            for job in self.queue(kind):
                if self.may_start_elsewhere(job, piece):
                    self.start(job, piece)
