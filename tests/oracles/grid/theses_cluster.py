"""A cluster under SCOJO-PECT as the theses say it (see :mod:`tests.oracles.grid.from_the_theses`)."""

from collections.abc import Iterable, Iterator

from tests.oracles.grid.theses_plan import CLASSES, SHORT, Constants, Job, S, Segment, Uses, Windows, first_fit, peak


class Cluster:
    """A cluster under SCOJO-PECT, with bookings."""

    def __init__(self, number: int, processors: int, constants: Constants, keeps: bool, lends: bool) -> None:
        self.number, self.processors, self.constants = number, processors, constants
        self.keeps, self.lends = keeps, lends
        self.now = 0
        self.jobs: list[Job] = []
        self.segments: list[Segment] = []  # what is left of the interval, from the one that is now
        self.clocks = dict.fromkeys(CLASSES, 0)
        self.turns = 0

    @property
    def slice(self) -> str | None:
        """The class whose slice it is."""
        return self.segments[0][0] if self.segments and self.segments[0][0] in CLASSES else None

    def started(self, kind: str) -> list[Job]:
        """Return the started jobs of a class, in order of start."""
        return sorted((j for j in self.jobs if j.kind == kind and j.processors), key=lambda j: j.turn)

    def waiting(self, kind: str) -> list[Job]:
        """Return the waiting jobs of a class, "first come first serve"."""
        return sorted((j for j in self.jobs if j.kind == kind and not j.processors), key=lambda j: j.order)

    def running(self) -> list[Job]:
        """Return the jobs that run."""
        return [job for job in self.jobs if job.running]

    # Time

    def advance(self, time: int) -> None:
        """Let time go by in which nothing happens."""
        if self.slice:
            self.clocks[self.slice] += time - self.now
        for job in self.running():
            job.done += time - self.now
        self.now = time

    def wakes(self) -> Iterator[int]:
        """Return when something happens by itself."""
        if self.segments:
            yield self.segments[0][2]
        for job in self.jobs:
            if job.running:
                yield self.now + job.run - job.done
            if job.processors:
                continue
            if job.task:
                late = max(job.bound, job.frame.LFT if self.is_kept(job) else 0) + 1
                yield job.bound if job.ready is not None else late
            if job.kind == self.slice and job.place is not None:
                yield self.now + job.place - self.clocks[job.kind]

    def act(self, coming: Iterable[Job] = ()) -> list[Job]:
        """Do what is due; return the jobs that finished."""
        finished = [job for job in self.running() if job.done >= job.run]
        for job in finished:
            self.stop(job)
            job.end = self.now
            self.jobs.remove(job)
        self.end_slice()
        self.replan()
        for job in coming:
            self.join(job)
        self.begin_slice()
        if self.slice:
            self.start_own(self.slice)
            if self.lends:
                self.lend(self.slice)
        return finished

    # Slices

    def end_slice(self) -> None:
        """Stop all jobs where a slice ends: "unfinished jobs are forcibly stopped and suspended"."""
        if self.segments and self.segments[0][2] <= self.now:
            for job in self.running():
                self.stop(job)
        self.segments = [segment for segment in self.segments if segment[2] > self.now]

    def begin_slice(self) -> None:
        """Begin an interval or a slice where one is due."""
        if not self.segments and self.jobs:
            late = self.now % self.constants.interval
            segments = self.constants.layout(self.now - late, None if late else self.short_slice())
            self.segments = [segment for segment in segments if segment[2] > self.now]
        if self.slice and self.segments[0][1] == self.now:
            for job in self.started(self.slice):
                if not job.running:
                    self.go(job)

    def short_slice(self) -> int | None:
        """Return how long the short slice is to be, None if there is none."""
        lengths = [job.left for job in self.started(SHORT)]
        until = self.now + self.constants.interval
        calling = [job for job in self.waiting(SHORT) if job.place is not None and job.bound < until]
        lengths += [job.place - self.clocks[SHORT] + job.estimate for job in calling]
        return min(self.constants.short_slice, max(S, *lengths)) if lengths else None

    # Runs

    def go(self, job: Job) -> None:
        """Let a job run."""
        if not job.processors:
            job.processors = frozenset(self.idle(job.kind)[: job.size])
            job.start, job.turn = self.now, self.turns
            self.turns += 1
        job.running, job.began_with, job.place = True, job.left, None
        if job.pieces and job.pieces[-1][1] == self.now:
            return
        job.pieces.append([self.now, self.now])

    def stop(self, job: Job) -> None:
        """Stop a job."""
        job.running = False
        job.pieces[-1][1] = self.now

    def idle(self, kind: str) -> list[int]:
        """Return the processors that are idle and not held by a started job of a class."""
        busy = {p for job in self.jobs if job.running or job.kind == kind for p in job.processors}
        return [p for p in range(self.processors) if p not in busy]

    # Plans

    def span(self, job: Job) -> int:
        """Return how long a job would run in this slice at most."""
        return min(job.left, self.segments[0][2] - self.now)

    def uses(self, kind: str, but: Job | None = None) -> Uses:
        """Return what is taken of the plan of a class, on its clock."""
        clock = self.clocks[kind]
        lent = [job for job in self.running() if job.kind != self.slice]
        uses = [(clock, clock + (j.began_with if j in lent else j.left), j.size) for j in self.started(kind)]
        if self.slice == kind:
            uses += [(clock, clock + self.span(job), job.size) for job in lent]
        planned = [job for job in self.waiting(kind) if job.place is not None and job is not but]
        return uses + [(job.place, job.place + job.estimate, job.size) for job in planned]

    def fit(self, job: Job, bound: int) -> int:
        """Return the earliest place for a waiting job with all others in place."""
        least = self.clocks[job.kind]
        if bound > self.now:
            least += Windows(self, job.kind).reading(bound)
        return first_fit(self.uses(job.kind, but=job), self.processors, least, job.size, job.estimate)

    def predict(self, task: Job, bound: int) -> tuple[int, int]:
        """Return the scheduled start and the predicted response of a task that may not start before a bound."""
        place, windows = self.fit(task, bound) - self.clocks[task.kind], Windows(self, task.kind)
        return windows.start(place), windows.end(place + task.estimate)

    def join(self, job: Job) -> None:
        """Take a job in, behind all others."""
        self.jobs.append(job)
        job.place = self.fit(job, job.bound)

    def replan(self) -> None:
        """Plan all waiting jobs anew."""
        for kind in CLASSES:
            waiting = self.waiting(kind)
            kept = {job: job.place for job in waiting if self.is_kept(job)}
            for job in waiting:
                job.place = None
            for job, place in kept.items():  # no other job takes them
                least = max(place, self.clocks[kind])
                job.place = first_fit(self.uses(kind), self.processors, least, job.size, job.estimate)
            others = [job for job in waiting if job not in kept and (job.may_start(self.now) or self.now <= job.bound)]
            moved = True
            while moved:
                for job in others:
                    job.place = None
                for job in others:
                    job.place = self.fit(job, job.bound)
                moved = False
                for job in kept:  # "slides up if there are enough resources"
                    place = self.fit(job, job.bound)
                    if place < job.place:
                        job.place, moved = place, True

    def is_kept(self, job: Job) -> bool:
        """Tell whether a waiting task has a slot that is kept free."""
        return self.keeps and job.frame is not None and job.place is not None and self.now <= job.frame.LFT

    # Starts

    def start_own(self, kind: str) -> None:
        """Start the jobs that are planned now in the slice of their class."""
        for job in self.waiting(kind):
            if job.place == self.clocks[kind] and job.may_start(self.now):
                self.go(job)

    def lend(self, kind: str) -> None:
        """Run jobs of other classes "if there are enough resources and if it does not cause the delay of any jobs"."""
        others = [one for one in CLASSES if one != kind]
        for job in [job for one in others for job in self.started(one)]:
            taken = any(other.processors & job.processors for other in self.running())
            if not taken and self.fits(job, kind, self.span(job)):
                self.go(job)
        for job in [job for one in others for job in self.waiting(one)]:
            if (
                job.may_start(self.now)
                and len(self.idle(job.kind)) >= job.size
                and self.fits(job, kind, self.span(job))
                and self.fits(job, job.kind, job.estimate)
            ):
                self.go(job)

    def fits(self, job: Job, kind: str, length: int) -> bool:
        """Tell whether a job delays no job of a class."""
        clock = self.clocks[kind]
        return peak(self.uses(kind, but=job), clock, clock + length) + job.size <= self.processors


# The grid --------------------------------------------------------------------------------------------------------
