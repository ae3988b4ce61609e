"""A grid under SCOJO-PECT with booked workflows, as the theses say it: written without the specification and the engine.

The reader who wrote the program behind this one had Cao 2009, Kanavallil 2007 and a summary of how an earlier reader of Cao
had chosen, and nothing of this project. Another, who knew both, aligned it and left what the comparison with the engine uses:
clusters of equal speed under ``pect``; ``frame_rule`` ``literal`` (formula 5) or ``spare_time`` (the sentence below it);
reservations recalculated, or slots kept.

The reader and the specification agree, without alignment, on this: FCFS in order of submission or booking, planned anew at each
event; conservative plans in class time; shares of what the short slice and the switches leave; intervals at multiples of their
length; predictions by the worst case, with a short slice in each later interval; processors kept for life, lowest first; other
classes' jobs in two rounds, preempted ones first, none of which delays a planned job; ST for each candidate, one booking after
the loop over clusters, on the first one of equals; no start before EST nor before the data are there; propagation to the arrival
of the data, once all predecessors have finished.

The theses leave the following open, and the reader had chosen otherwise. The choice of the specification was put in its place:

1. The switch comes before each slice, not after it ("three times in 60 minutes").
2. The short slice is as long as short jobs need by the plan, at least a second, and does not end earlier ("dynamic, but less
   than 600 seconds"). A task calls for one if its bound lies in the interval, and not only once it may start.
3. An interval at whose begin no job is there is laid out when one comes, so after the bookings of that instant.
4. A job is killed at its estimate (in the theses run times are known).
5. In an instant clusters act on what they know; then tasks are freed and workflows booked; then the clusters concerned act again.
6. Until all its predecessors have finished a task waits for the time that was booked; past that it has no place in the plan.
   (The reader took the finish of each predecessor as it came, and planned on for those that were late.)
7. The plan is made anew once in an instant, before an interval is laid out, and then holds until the next one, for bookings and
   for jobs that start in another class's slice ("at each point of time"). The end of a slice is such an instant, and so is the
   time at which a waiting job is planned.
8. A job that runs in another class's slice counts in its own plan for what was left of it when it began there; a waiting job
   may begin there if it fits its own plan with all others in place. (The reader credited it with the time until the slice
   ends, and made the plan again.)
9. Tasks may run in short slices ("grid tasks ... only occupy long and mediums slices", section 5.1).
10. Preempted jobs are tried in order of their start, not of their submission.
11. Times are rounded to the nearest microsecond, not down; ranks are means over the clusters that fit a task, not over all.
12. Kept slots are another rule: the reader kept [scheduled start, latest finish) of the clock free, and let a task leave its
    slot only to start at once. Here a slot is as long as the estimate, in class time; it moves on with the clock until the
    latest finish, and up to wherever there is room. As to this rule, the program follows the specification.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import NamedTuple

from scheduler_core.declarations.policy import Policy
from tests.oracles.grid.workload import Grid, Workflow
from tests.oracles.job import Job as Asked

S = 1_000_000
SHORT, MEDIUM, LONG = CLASSES = ("short", "medium", "long")

Uses = list[tuple[int, int, int]]
"""What is taken of a plan: from, to, processors."""

Segment = tuple[str, int, int]
"""A part of an interval: a class or ``switch``, from, to."""


def exactly(number: float) -> Fraction:
    """Return a number as it is written."""
    return Fraction(str(number))


def nearest(number: Fraction) -> int:
    """Return the nearest whole microsecond."""
    return floor(number + Fraction(1, 2))


class Frame(NamedTuple):
    """What was booked for a task."""

    EST: int
    ST: int
    SST: int
    PRT: int
    LFT: int
    data: int  # when its data are expected


@dataclass(frozen=True)
class Constants:
    """The constants of the theses; times in microseconds."""

    interval: int
    switch: int
    short_slice: int
    share: Fraction
    limits: tuple[int, int]
    slpa: Fraction
    slpb: Fraction
    ahead: Mapping[str, Fraction]

    @classmethod
    def of(cls, policy: Policy) -> "Constants":
        """Read them from a policy."""
        medium, long = exactly(policy.share_medium), exactly(policy.share_long)
        maf, nbp = exactly(policy.maf), {MEDIUM: policy.nbp_medium, LONG: policy.nbp_long}
        return cls(
            *(round(time * S) for time in (policy.interval_s, policy.switch_s, policy.short_slice_s)),
            medium / (medium + long),
            (round(policy.short_limit_s * S), round(policy.medium_limit_s * S)),
            exactly(policy.slpa),
            exactly(policy.slpb),
            {SHORT: Fraction(0)} | {kind: maf * exactly(value) for kind, value in nbp.items()},
        )

    def layout(self, start: int, short: int | None) -> list[Segment]:
        """Return the segments of an interval; ``short`` is the length of its short slice, None without one."""
        rest = self.interval - (short or 0) - (2 if short is None else 3) * self.switch
        medium = floor(rest * self.share)
        lengths = [] if short is None else [(SHORT, short)]
        segments, time = [], start
        for kind, length in [*lengths, (MEDIUM, medium), (LONG, rest - medium)]:
            for name, lasts in (("switch", self.switch), (kind, length)):
                segments.append((name, time, time + lasts))
                time += lasts
        return segments


# Jobs ------------------------------------------------------------------------------------------------------------


class Job:
    """A local job, or a task of a workflow."""

    def __init__(self, asked: Asked, order: tuple[int, ...], constants: Constants, task: bool = False) -> None:
        self.size, self.run, self.estimate = asked.size, asked.stay, asked.estimate
        self.kind = CLASSES[sum(self.estimate >= limit for limit in constants.limits)]
        self.order, self.task = order, task
        self.cluster: Cluster | None = None
        self.place: int | None = None  # where it is planned while it waits, on the clock of its class
        self.processors: frozenset[int] = frozenset()  # since its start: "restarted on the same resources"
        self.done = 0
        self.running = False
        self.began_with = 0  # what was left of it when it began to run in this slice
        self.turn = 0  # its place in the order of starts
        self.start: int | None = None
        self.end: int | None = None
        self.pieces: list[list[int]] = []  # [from, to] of its runs
        self.before: list[tuple[Job, Mapping[tuple[int, int], int]]] = []
        self.after: list[tuple[Job, Mapping[tuple[int, int], int]]] = []
        self.frame: Frame | None = None
        self.EST = 0
        self.ready: int | None = None  # when its data are there, once that is known

    @property
    def left(self) -> int:
        """What it still runs, by its estimate."""
        return self.estimate - self.done

    @property
    def bound(self) -> int:
        """Before this it does not start, as far as is known."""
        return max(self.EST, self.frame.data if self.ready is None else self.ready) if self.frame else 0

    def may_start(self, now: int) -> bool:
        """Tell whether its earliest start has come and its data are there."""
        return not self.task or (self.ready is not None and self.bound <= now)


# Class time and plans --------------------------------------------------------------------------------------------


class Windows:
    """The slices of a class that are to come, glued together: class time, 0 is now."""

    def __init__(self, cluster: "Cluster", kind: str) -> None:
        self.kind, self.now, self.constants = kind, cluster.now, cluster.constants
        self.windows: list[tuple[int, int]] = []
        self.sums = [0]
        self.until = self.now
        segments, late = cluster.segments, self.now % self.constants.interval
        if not segments and late:
            segments = self.constants.layout(self.now - late, None)
        self.take(segments)

    def take(self, segments: Sequence[Segment]) -> None:
        """Add what an interval has."""
        for kind, begin, end in segments:
            begin = max(begin, self.now)
            if kind == self.kind and end > begin:
                self.windows.append((begin, end))
                self.sums.append(self.sums[-1] + end - begin)
            self.until = end

    def more(self) -> None:
        """Add an interval: "the real response time would only be better and never be worse than the predicted"."""
        self.take(self.constants.layout(self.until, self.constants.short_slice))

    def reading(self, time: int) -> int:
        """Return the class time at a time."""
        while self.until < time:
            self.more()
        return sum(min(end, time) - begin for begin, end in self.windows if begin < time)

    def start(self, reading: int) -> int:
        """Return when what is planned there starts."""
        while self.sums[-1] <= reading:
            self.more()
        i = max(i for i, sum_ in enumerate(self.sums) if sum_ <= reading)
        return self.windows[i][0] + reading - self.sums[i]

    def end(self, reading: int) -> int:
        """Return when what is planned until there ends."""
        return self.start(reading - 1) + 1


def steps(uses: Uses) -> list[tuple[int, int]]:
    """Return [(time, processors used from then on)]."""
    changes: dict[int, int] = {}
    for begin, end, size in uses:
        if end > begin:
            changes[begin] = changes.get(begin, 0) + size
            changes[end] = changes.get(end, 0) - size
    found, used = [], 0
    for time in sorted(changes):
        used += changes[time]
        found.append((time, used))
    return found


def peak(uses: Uses, begin: int, end: int) -> int:
    """Return the most processors that are used in a stretch."""
    found = steps(uses)
    nexts = [time for time, _ in found[1:]]
    return max(
        (used for (time, used), after in zip(found, nexts, strict=False) if time < end and after > begin), default=0
    )


def first_fit(uses: Uses, processors: int, bound: int, size: int, length: int) -> int:
    """Return the earliest time from a bound on at which a size is free for a length."""
    time, found = bound, steps(uses)
    for i, (begin, used) in enumerate(found):
        if used + size <= processors or found[i + 1][0] <= time:
            continue
        if begin >= time + length:
            break
        time = found[i + 1][0]
    return time


# A cluster -------------------------------------------------------------------------------------------------------


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


def ranks(tasks: Sequence[Job], clusters: Sequence[Cluster]) -> dict[Job, Fraction]:
    """Return the ranks, formulas (1) to (3), of tasks of which each stands behind those it waits for."""
    fitting = {task: [cluster.number for cluster in clusters if task.size <= cluster.processors] for task in tasks}
    found: dict[Job, Fraction] = {}
    for task in reversed(tasks):
        behind = [Fraction(0)]
        for other, transfers in task.after:
            times = [transfers[a, b] for a in fitting[task] for b in fitting[other]]
            behind.append(Fraction(sum(times), len(times)) + found[other])
        found[task] = task.estimate + max(behind)
    return found


class GridOfTheses:
    """Clusters, and the grid scheduler above them."""

    def __init__(self, policy: Policy, grid: Grid) -> None:
        self.constants = Constants.of(policy)
        self.frame_rule, self.propagation = policy.frame_rule, policy.propagation
        keeps = policy.reservations == "kept"
        self.clusters = [
            Cluster(number, site.processors, self.constants, keeps, policy.smart)
            for number, site in enumerate(grid.sites)
        ]
        self.now = -1
        self.jobs: dict[int, Job] = {}
        self.arrivals: list[Job] = []
        for cluster, local in zip(self.clusters, grid.local, strict=True):
            for asked in local:
                job = self.jobs[asked.job] = Job(asked, (asked.submit, 0, asked.job), self.constants)
                job.cluster = cluster
                self.arrivals.append(job)
        coming = sorted(grid.workflows, key=lambda flow: (flow.tasks[0].submit, flow.number))
        self.bookings = [(flow.tasks[0].submit, self.tasks_of(flow)) for flow in coming]

    def tasks_of(self, flow: Workflow) -> list[Job]:
        """Return the tasks of a workflow, joined by its edges."""
        tasks = [Job(asked, (), self.constants, task=True) for asked in flow.tasks]
        pairs = [(a.number, b.number) for a in self.clusters for b in self.clusters]
        for edge in flow.edges:
            transfers = {pair: flow.transfer(edge, pair) for pair in pairs}
            source, target = (tasks[number - 1] for number in edge)
            source.after.append((target, transfers))
            target.before.append((source, transfers))
        self.jobs |= {asked.job: task for asked, task in zip(flow.tasks, tasks, strict=True)}
        return tasks

    def run(self) -> dict[int, Job]:
        """Run until all jobs have finished; return them by number."""
        while any(job.end is None for job in self.jobs.values()):
            times = [*(job.order[0] for job in self.arrivals), *(time for time, _ in self.bookings)]
            times += [time for cluster in self.clusters for time in cluster.wakes()]
            self.instant(min(time for time in times if time > self.now))
        return self.jobs

    def instant(self, now: int) -> None:
        """Let clusters do what is due; free and book tasks; let the clusters concerned act again."""
        due = {cluster for cluster in self.clusters if now in cluster.wakes()}
        coming = [job for job in self.arrivals if job.order[0] == now]
        self.arrivals = [job for job in self.arrivals if job.order[0] > now]
        finished: list[Job] = []
        for cluster in self.clusters:
            cluster.advance(now)
            mine = [job for job in coming if job.cluster is cluster]
            if mine or cluster in due:
                finished += cluster.act(sorted(mine, key=lambda job: job.order))
        self.now = now
        given = [task for job in finished for task, _ in job.after if self.free(task)]
        while self.bookings and self.bookings[0][0] == now:
            _, tasks = self.bookings.pop(0)
            self.book(tasks)
            given += tasks
        for cluster in self.clusters:
            if any(task.cluster is cluster for task in given):
                cluster.act()

    def book(self, tasks: Sequence[Job]) -> None:
        """Book the tasks of a workflow (Algorithm 1)."""
        rank = ranks(tasks, self.clusters)
        for task in sorted(tasks, key=lambda task: -rank[task]):
            offers = [(self.offer(task, one), one) for one in self.clusters if task.size <= one.processors]
            task.frame, task.cluster = min(offers, key=lambda offer: offer[0].LFT)
            booked = sum(one.cluster is not None for one in self.jobs.values() if one.task)
            task.EST, task.order = task.frame.EST, (self.now, 1, booked)
            task.ready = None if task.before else self.now
            task.cluster.join(task)

    def offer(self, task: Job, cluster: Cluster) -> Frame:
        """Return what would be booked on a cluster: formulas (4) to (6)."""
        now, slack, ahead = self.now, nearest(task.estimate * self.constants.slpa), self.constants.ahead[task.kind]
        arrivals = [one.frame.LFT + transfers[one.cluster.number, cluster.number] for one, transfers in task.before]
        data = max([now, *arrivals])
        if self.frame_rule == "literal":
            EST, ST = max(now, data - slack - nearest(ahead * (data - now))), data
        else:
            EST, ST = data, now + nearest((data - now + slack) / (1 - ahead))
        SST, PRT = cluster.predict(task, ST)
        return Frame(EST, ST, SST, PRT, PRT + nearest(task.estimate * self.constants.slpb), data)

    def free(self, task: Job) -> bool:
        """Free a task whose predecessors have all finished; return whether they have (Algorithm 2)."""
        if task.ready is not None or any(one.end is None for one, _ in task.before):
            return False
        task.ready = max(one.end + times[one.cluster.number, task.cluster.number] for one, times in task.before)
        if self.propagation:
            task.EST = task.ready
        if task.place is None:
            task.place = task.cluster.fit(task, task.bound)
        return True


def simulate(policy: Policy, grid: Grid) -> dict[int, Job]:
    """Run a grid; return what became of its jobs, by number."""
    return GridOfTheses(policy, grid).run()
