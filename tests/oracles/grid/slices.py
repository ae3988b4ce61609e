"""The oracle of the grid: a cluster in slices, stepped instant by instant, that keeps bookings."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from scheduler_core.declarations.policy import Policy
from tests.oracles.grid.booking import Booked, Done, Frame, Slide, Slot, booked
from tests.oracles.grid.class_time import ClassTime
from tests.oracles.job import Job as Asked
from tests.oracles.plan import earliest, fits
from tests.oracles.slices.pect import Run
from tests.oracles.slices.state import CLASSES, SHORT, Job, Slice


@dataclass(frozen=True)
class Rules:
    """What a cluster does with bookings; :mod:`tests.oracles.grid.recalculation` has the rules that are not ``rebooked``."""

    nominal: str = "worst_case"
    slide_down_backfill: bool = False
    slide_down_avoid_preemption: bool = False
    reservations: str = "rebooked"


@dataclass(eq=False)
class BookedJob(Job):
    """A booked job; ``least`` is the least clock to which it may be moved."""

    booking: Booked = field(default=None)  # type: ignore[assignment]
    least: int = 0
    acted_on: int = -1  # when it was released


class SliceCluster(Run):
    """One cluster under SCOJO-PECT, to which jobs may come while it runs."""

    def __init__(self, policy: Policy, jobs: Sequence[Asked], processors: int, rules: Rules) -> None:
        super().__init__(policy, (), processors)
        self.rules = rules
        self.coming = list(jobs)
        self.time = -1
        self.called = False
        self.joined = 0
        self.done: list[Done] = []
        self.slides: list[Slide] = []
        self.lost = 0
        self.idle: list[int] = []  # passes made while no job was present

    # What there is ---------------------------------------------------------------------------------------------

    def in_force(self) -> bool:
        """Tell whether an interval is in force."""
        return self.time < self.calendar.ends

    def class_time(self, kind: int) -> ClassTime:
        """Return the time a class gets."""
        return ClassTime(self.calendar, kind, self.time, self.rules.nominal)

    def reading(self, kind: int, time: int) -> int:
        """Return R(x)."""
        now = self.clock(kind)
        return now if time <= self.time else now + self.class_time(kind).gets_by(time)

    def slot(self, kind: int, begin: int, estimate: int, bound: int) -> Slot:
        """Return when a job with a slot is predicted to start and to finish."""
        times, clock = self.class_time(kind), self.clock(kind)
        start = max(self.time, bound, times.has_got(begin + 1 - clock) - 1)
        return Slot(start, max(start + estimate, times.has_got(begin + estimate - clock)))

    def booked_in(self, kind: int) -> list[BookedJob]:
        """Return the waiting booked jobs of a class in queue order."""
        return [job for job in self.queue(kind) if isinstance(job, BookedJob)]

    def may_start(self, job: Job) -> bool:
        """Tell whether a waiting job may start."""
        return not isinstance(job, BookedJob) or job.booking.may_start(self.time)

    def least_for(self, job: Job) -> int:
        """Return the least clock at which a waiting job's slot may begin."""
        now = self.clock(job.kind)
        return max(now, self.reading(job.kind, job.booking.bound), job.least) if isinstance(job, BookedJob) else now

    def best_for(self, job: Job) -> int:
        """Return the earliest slot a job could have with all others in place."""
        plan = self.plan(job.kind, without=job)
        return earliest(self.processors, plan, self.least_for(job), job.estimate, job.size)

    # Calls -----------------------------------------------------------------------------------------------------

    def predict(self, asked: Asked, earliest_start: int) -> Slot:
        """Say when a job would start and finish."""
        kind, at = self.calendar.class_of(asked), max(earliest_start, self.time)
        plan = self.plan(kind)
        begin = earliest(self.processors, plan, self.reading(kind, at), asked.estimate, asked.size)
        return self.slot(kind, begin, asked.estimate, at)

    def take_place(self) -> int:
        """Return the place of a job that joins a queue."""
        self.joined += 1
        return self.joined

    def lay_out_around(self, until: int) -> None:
        """Lay out the interval around now, as a job has come in it; passes would have been made up to a time."""
        if not self.in_force() and self.time % self.calendar.interval:
            self.calendar.lay_out(self.interval_of(self.time), None)
            self.idle += [
                s.work for s in self.calendar.slices if s.begin >= self.interval_of(self.time) and s.work < until
            ]

    def catch_up(self) -> None:
        """Count the passes that were made while no job was present, as one has come."""
        self.count("passes", len(self.idle))
        self.idle = []

    def book(self, asked: Asked, frame: Frame) -> Slot | None:
        """Book a job."""
        self.lay_out_around(self.time + 1)
        job = BookedJob(self.take_place(), asked, self.calendar.class_of(asked), booking=booked(asked, frame))
        self.jobs.append(job)
        self.waiting[job.kind].append(job)
        self.called = True
        self.catch_up()
        if job.booking.ready is None and job.booking.bound < self.time:
            self.lost += 1
            job.booking.pinned = False
            return None
        return self.place(job, "booked")

    def place(self, job: BookedJob, cause: str) -> Slot:
        """Put a job's slot where it can be earliest."""
        job.reservation = self.best_for(job)
        return self.slid(job, cause)

    def slid(self, job: BookedJob, cause: str) -> Slot:
        """Write down where a job's slot is now."""
        slot = self.slot(job.kind, job.reservation, job.estimate, job.booking.bound)
        self.slides.append(Slide(job.asked.job, self.time, *slot, cause))
        return slot

    def release(self, number: int, ready: int, earliest_start: int) -> None:
        """Let a booked job start."""
        job = next(job for kind in CLASSES for job in self.booked_in(kind) if job.asked.job == number)
        job.booking.release(ready, earliest_start)
        job.acted_on = self.time
        self.called = True
        if job.reservation is None:
            self.place(job, "freed")

    def submit(self, asked: Asked) -> None:
        """Take a job that is submitted now or later."""
        self.coming = sorted([*self.coming, asked], key=lambda job: job.position)
        self.called = self.called or asked.submit == self.time

    # Instants --------------------------------------------------------------------------------------------------

    def next_instant(self) -> int | None:  # type: ignore[override]
        """Return when something happens next."""
        if self.called:
            return self.time
        times = [job.submit for job in self.coming]
        if self.in_force():
            times += [*self.times_in_interval(), *self.times_of_bounds()]
        return min((time for time in times if time > self.time), default=None)

    def times_of_bounds(self) -> Iterator[int]:
        """Return when bounds of waiting jobs are reached, or have passed."""
        for job in (job for kind in CLASSES for job in self.booked_in(kind)):
            if job.booking.ready is not None:
                yield job.booking.bound
            elif job.reservation is not None:
                yield self.last_instant(job) + 1

    def last_instant(self, job: BookedJob) -> int:
        """Return the last instant at which the slot of a held back job counts."""
        return job.booking.bound

    def instant_at(self, time: int) -> None:
        """Do what happens at an instant."""
        self.time, self.called = time, False
        present = self.present()
        self.leave()
        self.done += [Done(job.asked.job, job.outcome().start or 0, time) for job in self.left]
        self.end_slice()
        for kind in CLASSES:
            for job in self.booked_in(kind):
                self.look_at(job)
        self.move_reservations()
        self.arrive()
        self.begin_interval()
        piece = self.calendar.slice_at(self.time)
        if piece is not None:
            if present or self.present():
                self.count("passes")
            else:
                self.idle.append(time)
            self.make_pass(piece)

    def move_reservations(self) -> None:
        """Bring reservations forward, in the classes that have got room."""
        room, self.room = self.room, set()
        for kind in CLASSES:
            if kind in room:
                self.bring_forward(kind)

    def end_slice(self) -> None:
        """Suspend unfinished jobs if a slice ends now; those that run since now are in the next one."""
        if any(piece.end == self.time for piece in self.calendar.slices):
            for job in self.running():
                if job.began == self.time:
                    continue
                if job.slot != job.kind:
                    self.room.add(job.kind)
                job.stop(self.time)

    def look_at(self, job: BookedJob) -> None:
        """See whether a waiting job is to be set aside, or its class brought forward."""
        if self.has_passed(job) and job.reservation is not None:
            job.reservation, job.booking.pinned = None, False
            self.lost += 1
            self.room.add(job.kind)
        if self.is_due(job):
            self.room.add(job.kind)

    def has_passed(self, job: BookedJob) -> bool:
        """Tell whether a job is held back past its bound."""
        return job.booking.ready is None and job.booking.bound < self.time

    def is_due(self, job: BookedJob) -> bool:
        """Tell whether a job was released now, or is released and has its bound now."""
        return job.acted_on == self.time or (job.booking.ready is not None and job.booking.bound == self.time)

    def arrive(self) -> None:
        """Let the jobs submitted now join their queues."""
        arrived = [asked for asked in self.coming if asked.submit <= self.time]
        self.coming = [asked for asked in self.coming if asked.submit > self.time]
        if arrived:
            self.lay_out_around(self.time)
            self.idle = [time for time in self.idle if time < self.time]
            self.catch_up()
        for asked in arrived:
            job = Job(self.take_place(), asked, self.calendar.class_of(asked))
            self.jobs.append(job)
            self.waiting[job.kind].append(job)
            self.reserve(job)
            self.promise(job, 0)

    def begin_interval(self) -> None:
        """Lay out an interval that begins now, if any job is there."""
        if self.in_force() or self.time % self.calendar.interval or not self.present():
            return
        short = bool(self.started[SHORT]) or any(self.asks(job) for job in self.waiting[SHORT])
        self.calendar.lay_out(self.time, self.need() if short else None)

    def asks(self, job: Job) -> bool:
        """Tell whether a waiting short job asks for a slice in the interval that begins now."""
        if not isinstance(job, BookedJob):
            return True
        return job.reservation is not None and job.booking.bound < self.time + self.calendar.interval

    def need(self) -> int:
        """Return how long short jobs would take if their slice went on."""
        asking = [job for job in self.waiting[SHORT] if self.asks(job)]
        ends = [job.reservation + job.estimate for job in asking if job.reservation is not None]
        return max([*ends, *(use.end for use in self.used_by_started(SHORT))]) - self.clock(SHORT)

    def bring_forward(self, kind: int) -> None:
        """Move the reservations of a class to the earliest times, in rounds."""
        before = {job: job.reservation for job in self.queue(kind)}
        moved = True
        while moved:
            moved = False
            for job in self.queue(kind):
                if job.reservation is None or (isinstance(job, BookedJob) and job.booking.pinned):
                    continue
                better = self.best_for(job)
                if better < job.reservation:
                    job.reservation, moved = better, True
        for job in self.booked_in(kind):
            if job.reservation != before[job]:
                self.slid(job, "freed" if self.is_due(job) else "room")

    # A pass ----------------------------------------------------------------------------------------------------

    def make_pass(self, piece: Slice) -> None:
        """Start and resume jobs in the slice at work."""
        if self.time == piece.work:
            for job in self.started[piece.kind]:
                if job.began is None:
                    self.run(job, piece)
        self.look_at_slots(piece)
        self.start_reserved(piece)
        if self.rules.slide_down_backfill:
            for job in self.queue(piece.kind):
                if self.may_start(job):
                    self.make_way(job, piece)
        self.lend(piece)

    def look_at_slots(self, piece: Slice) -> None:
        """Make the slots anew that are reached and may not be used, or had better not be."""
        moved = False
        for job in self.booked_in(piece.kind):
            if job.reservation != self.clock(piece.kind):
                continue
            if job.booking.bound > self.time:
                job.booking.pinned = False
                self.lost += 1
                self.place(job, "not_ready")
                moved = True
            elif self.rules.slide_down_avoid_preemption and self.may_start(job) and not job.booking.pinned:
                moved = self.avoid_preemption(job, piece) or moved
        if moved:
            self.bring_forward(piece.kind)

    def avoid_preemption(self, job: BookedJob, piece: Slice) -> bool:
        """Let a job wait for the next slice of its class if that saves a suspension; tell whether it does."""
        left = piece.end - self.time
        _, work = self.class_time(job.kind).nominal_work()
        if job.estimate <= left or -(-job.estimate // work) - 1 >= -(-(job.estimate - left) // work):
            return False
        after = self.clock(job.kind) + left
        begin = earliest(self.processors, self.plan(job.kind, without=job), after, job.estimate, job.size)
        if self.slot(job.kind, begin, job.estimate, job.booking.bound).finish > job.booking.frame.latest:
            return False
        job.reservation, job.least = begin, after
        self.slid(job, "slid_down")
        return True

    def start_reserved(self, piece: Slice) -> None:
        """Start the jobs whose reservations are for now."""
        for job in self.queue(piece.kind):
            if job.reservation == self.clock(piece.kind) and self.may_start(job):
                self.start(job, piece)

    def make_way(self, job: Job, piece: Slice) -> None:
        """Start a waiting job now if a booked one can make way for it."""
        now = self.clock(piece.kind)
        for other in self.booked_in(piece.kind):
            slot = other.reservation
            if other is job or other.booking.pinned or slot is None or slot >= now + job.estimate:
                continue
            was, job.reservation, other.reservation = job.reservation, None, None
            if fits(self.processors, self.plan(piece.kind), now, job.estimate, job.size):
                job.reservation = now
                begin = self.best_for(other)
                finish = self.slot(piece.kind, begin, other.estimate, other.booking.bound).finish
                if begin > slot and finish <= other.booking.frame.latest:
                    other.reservation = begin
                    self.slid(other, "slid_down")
                    self.start(job, piece)
                    self.room.add(piece.kind)
                    return
            job.reservation, other.reservation = was, slot

    def may_start_elsewhere(self, job: Job, piece: Slice) -> bool:
        """Tell whether a waiting job may start in another class's slice."""
        return self.may_start(job) and super().may_start_elsewhere(job, piece)
