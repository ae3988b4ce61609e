"""The oracle of SCOJO's shares: who runs, who waits, who has a reservation; a pass, and what is projected."""

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from scheduler_core.common.units import seconds_to_us
from scheduler_core.declarations.policy import Policy
from tests.oracles.coscheduling.machine import MILLION
from tests.oracles.coscheduling.shares import LEVELS, Terms, Window, divided_up
from tests.oracles.job import Job


@dataclass(frozen=True)
class Runs:
    """A job that runs: since when, with which priority; its open row, with what was done before; the end of its window.

    ``beside`` are those in the row, None before the first one.
    """

    job: Job
    start: int
    priority: int
    begin: int
    window_end: float
    share: int = MILLION
    slowdown: int = MILLION
    done: int = 0
    beside: frozenset[Job] | None = None

    def work_until(self, now: int) -> int:
        """Return the work done so far."""
        return self.done + (now - self.begin) * self.share // self.slowdown

    def end(self, work: int) -> int:
        """Return when so much work will be done."""
        return self.begin + divided_up((work - self.done) * self.slowdown, self.share)


@dataclass
class Site:
    """All that decides: the running jobs in order of start, the queue, pending reserved starts.

    Where what is to come is projected, the priorities of waiting jobs are ``fixed``, and jobs are slowed down as is believed.
    """

    policy: Policy
    terms: Terms
    now: int = -1
    running: list[Runs] = field(default_factory=list)
    queue: list[Job] = field(default_factory=list)
    reserved: dict[Job, int] = field(default_factory=dict)
    fixed: Mapping[Job, int] | None = None

    def jobs(self) -> list[Job]:
        """List the running jobs."""
        return [one.job for one in self.running]

    # Priorities

    def priority(self, job: Job, *, waits: bool = True) -> int:
        """Return the priority of a job, now."""
        if self.policy.order == "fcfs":
            return 0
        if waits and self.fixed is not None:
            return self.fixed[job]
        steps, time = 0, seconds_to_us(self.policy.aging_s)
        if waits and self.policy.aging == "per_job":
            steps = (self.now - job.submit) // time
        elif waits and self.policy.aging == "all_at_once":
            steps = self.now // time - job.submit // time
        return min(15, LEVELS[job.shares.level] + self.policy.aging_step * steps)

    def next_rise(self, job: Job) -> list[int]:
        """List the next time at which the priority of a waiting job rises, if it does."""
        if self.policy.order == "fcfs" or self.policy.aging == "off" or self.priority(job) == 15:
            return []
        time = seconds_to_us(self.policy.aging_s)
        since = job.submit if self.policy.aging == "per_job" else 0
        return [since + ((self.now - since) // time + 1) * time]

    def in_order(self) -> list[Job]:
        """Return the queue in order of priority."""
        return sorted(self.queue, key=lambda job: (-self.priority(job), job.position))

    # Windows

    def windows(self) -> list[Window]:
        """List the windows of running and of reserved jobs."""
        running = [Window(one.job, self.now, one.window_end) for one in self.running]
        return running + [
            Window(job, start, start + self.terms.longest(job, 0), reserved=True)
            for job, start in self.reserved.items()
        ]

    def is_safe(self, job: Job) -> bool:
        """Tell whether a job may start now without danger to a reserved start."""
        own = Window(job, self.now, self.now + self.terms.longest(job, 0))
        return self.terms.hold([*self.windows(), own])

    # Starts

    def start(self, job: Job, *, waited: bool = True) -> None:
        """Start a job now."""
        if waited:
            self.queue.remove(job)
        end = self.now + self.terms.longest(job, 0)
        self.running.append(Runs(job, self.now, self.priority(job, waits=waited), self.now, end))

    def start_reserved(self) -> list[Job]:
        """Start the reserved jobs whose time has come."""
        due = sorted((job for job, start in self.reserved.items() if start == self.now), key=lambda job: job.position)
        for job in due:
            del self.reserved[job]
            self.start(job, waited=False)
        return due

    def start_element(self, queue: list[Job]) -> int:
        """Start the first element of the plan if nothing runs; return how many jobs that were."""
        if self.running:
            return 0
        element: list[Job] = []
        for job in queue:
            if not self.terms.coschedulable([*element, job]):
                break
            element.append(job)
        for number, job in enumerate(element):
            if not self.is_safe(job):
                return number
            self.start(job)
        return len(element)

    def is_admissible(self, job: Job) -> bool:
        """Tell whether a job may run beside those that run."""
        if not self.terms.coschedulable([*self.jobs(), job]) or not self.is_safe(job):
            return False
        rule, priorities = self.policy.priority_rule, [one.priority for one in self.running]
        if not priorities or rule == "any":
            return True
        return self.priority(job) >= (priorities[0] if rule == "equal_or_higher" else max(priorities))

    def join(self, queue: list[Job]) -> int:
        """Let jobs at the head of the queue join the running ones; return how many."""
        joined = 0
        for job in queue:
            may = self.policy.joins == "head" or (self.policy.joins == "arrivals" and job.submit == self.now)
            if not may or not self.is_admissible(job):
                break
            self.start(job)
            joined += 1
        return joined

    # Shares

    def assign(self, *, all_rows_end: bool = False) -> list[tuple[Runs, int]]:
        """Begin the rows that are due: all, or those of jobs that run beside others than before.

        Return the rows that are broken off, each with the work that is done then.
        """
        jobs, ended = self.jobs(), []
        for place, share in enumerate(self.terms.assigned(jobs)):
            one = self.running[place]
            beside = frozenset(job for job in jobs if job is not one.job)
            if beside == one.beside and not all_rows_end:
                continue
            done = one.work_until(self.now) if one.beside is not None else 0
            ended.append((one, done))
            slowdown = self.terms.slowdown(one.job, jobs, believed=self.fixed is not None)
            self.running[place] = dataclasses.replace(
                one,
                begin=self.now,
                done=done,
                share=share,
                slowdown=slowdown,
                beside=beside,
                window_end=min(one.window_end, self.now + self.terms.longest(one.job, done)),
            )
        return ended

    # What is to come

    def project(self, queue: Sequence[Job], work_of: Callable[[Job], int]) -> tuple[dict[Job, int], dict[Job, int]]:
        """Return when jobs will start and end if none comes and none is backfilled, by what is predicted of their work."""
        ahead = dataclasses.replace(
            self,
            running=list(self.running),
            queue=list(queue),
            reserved=dict(self.reserved),
            fixed={job: self.priority(job) for job in queue},
        )
        starts: dict[Job, int] = {}
        ends: dict[Job, int] = {}
        ahead.assign(all_rows_end=True)
        work = {one.job: work_of(one.job) for one in ahead.running}
        work |= {one.job: one.job.estimate for one in ahead.running if work[one.job] <= one.done}
        while ahead.running or ahead.reserved or ahead.queue:
            due = {one.job: one.end(work[one.job]) for one in ahead.running}
            ahead.now = min([*due.values(), *ahead.reserved.values()])
            ends |= {job: end for job, end in due.items() if end == ahead.now}
            ahead.running = [one for one in ahead.running if one.job not in ends]
            here = ahead.jobs()
            ahead.start_reserved()
            ahead.start_element(list(ahead.queue))
            ahead.join(list(ahead.queue))
            ahead.assign()
            started = [job for job in ahead.jobs() if job not in here]
            starts |= dict.fromkeys(started, ahead.now)
            work |= {job: work_of(job) for job in started}
        return starts, ends

    def backfill(self, queue: Sequence[Job], work_of: Callable[[Job], int]) -> int:
        """Start jobs that delay none ahead of them; return how many."""
        if not self.policy.backfilling or not queue:
            return 0
        before, _ = self.project(queue, work_of)
        started = 0
        for job in queue:
            ahead = [other for other in queue[: queue.index(job)] if other in self.queue]
            if self.is_admissible(job) and (not ahead or self.keeps_the_rule(job, ahead, queue, before, work_of)):
                self.start(job)
                started += 1
        return started

    def keeps_the_rule(
        self,
        job: Job,
        ahead: Sequence[Job],
        queue: Sequence[Job],
        before: Mapping[Job, int],
        work_of: Callable[[Job], int],
    ) -> bool:
        """Tell whether a job may be backfilled, by what would be if it were."""
        tried = dataclasses.replace(self, running=list(self.running), queue=list(self.queue))
        tried.start(job)
        starts, ends = tried.project([other for other in queue if other in tried.queue], work_of)
        if self.policy.backfill_rule == "own_end":
            return ends[job] <= before[ahead[0]]
        return all(starts[other] <= before[other] for other in ahead)
