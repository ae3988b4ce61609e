"""Concurrent Gang once more, slow and plain, from the docstrings of its family and policy alone."""

import heapq
from collections.abc import Iterator
from typing import Any, NamedTuple

from scheduler_core.declarations.policy import Policy
from tests.oracles.concurrent_gang.classify import Classifier, Taught, ppm
from tests.oracles.concurrent_gang.front_end import FrontEnd, Hierarchy, Matrix, Owners, fill
from tests.oracles.concurrent_gang.machine import CLOCK, DISPATCH, Machine, Processor
from tests.oracles.concurrent_gang.programs import Network
from tests.oracles.concurrent_gang.tables import ConcurrentSchedule, tell
from tests.oracles.concurrent_gang.tasks import Member, Task
from tests.oracles.job import Job


class Slice(NamedTuple):
    """A slice: when it began, whose turn it is, the owners."""

    begin: int
    row: int | None
    owners: Owners


class Lesson(NamedTuple):
    """What was learned of a task, and when."""

    at: int
    task: Task
    taught: Taught


def nanoseconds(value: float, unit: int) -> int:
    """Return a parameter in whole nanoseconds."""
    return round(value * unit)


def whole_microseconds(value: float, unit: int) -> int:
    """Return a parameter in nanoseconds, rounded to the nearest microsecond; the unit is in microseconds."""
    return 1000 * round(value * unit)


class Run(Machine):
    """A run of the policy: the front end, the clock, the local schedulers."""

    def __init__(self, policy: Policy, jobs: list[Job], processors: int) -> None:
        self.network = Network(nanoseconds(policy.latency_us, 1000), nanoseconds(policy.overhead_us, 1000))
        super().__init__(processors, self.network, nanoseconds(policy.switch_us, 1000))
        self.policy = policy
        self.slice = whole_microseconds(policy.slice_ms, 1000)
        self.next_tick = 0
        self.coming = [job for job in sorted(jobs, key=lambda job: job.position) if job.size <= processors]
        self.positions = {job: position for position, job in enumerate(self.coming)}
        self.queue: list[Job] = []
        self.front: FrontEnd = {"matrix": Matrix, "dhc": Hierarchy}[policy.front](policy, processors)
        self.everyone: list[Member] = []
        self.slices: list[Slice] = []
        self.lessons: list[Lesson] = []
        self.changes = 0
        self.classifier = Classifier(
            policy.classifier,
            policy.statements,
            ppm(policy.least_membership),
            policy.priority,
            ppm(policy.alpha),
            None if policy.beta == "none" else ppm(policy.beta),
        )
        base = self.network.baseline
        self.limit = base if policy.spin_us == "baseline" else nanoseconds(policy.spin_us, 1000)
        self.left_over = nanoseconds(policy.delta_switches * policy.switch_us, 1000)
        self.until = None if policy.until_s == "done" else whole_microseconds(policy.until_s, 1_000_000)

    def go(self) -> None:
        """Let everything happen until the end."""
        self.push(0, CLOCK, (0,), None)
        while True:
            self.now, kind, number, _, about = self.pop()
            if kind == CLOCK:
                if self.is_over():
                    break
                self.tick()
            elif kind == DISPATCH:
                self.counters["events"] += 1
                self.dispatch(self.processors[number[0]])
            else:
                self.event(kind, number, about)
        for processor in self.processors:
            self.turn_to(processor, "")

    def is_over(self) -> bool:
        """Tell whether the run ends at this tick."""
        if self.until is not None:
            return self.now >= self.until
        ended = [member for member in self.everyone if member.finish is not None]
        return len(ended) == len(self.positions)

    # The clock.

    def tick(self) -> None:
        """Do what the clock does."""
        self.next_tick = self.now + self.slice
        self.push(self.next_tick, CLOCK, (0,), None)
        for processor in self.processors:
            if processor.running is not None:
                self.preempt(processor)
        self.learn()
        self.place_jobs()
        row, owners = self.front.turn(self.now // self.slice)
        owners = [owner if self.may_own(owner) else None for owner in owners]
        if self.policy.fill == "intelligent":
            fill(owners, self.front.members)
        self.slices.append(Slice(self.now, row, owners))
        for processor, owner in zip(self.processors, owners, strict=True):
            processor.owner, processor.begun = owner, True
            self.set_idle(processor)
            self.ask_dispatch(processor)

    def may_own(self, owner: Task | None) -> bool:
        """Tell whether a task that a row names, if it names one, owns the slice."""
        return owner is not None and owner.state != "ended" and self.policy.gang

    def learn(self) -> None:
        """Update the classes of all tasks that ran in the slice that ends."""
        members = sorted(self.front.members, key=lambda member: member.position)
        for task in (task for member in members for task in member.tasks if task.ran):
            if self.policy.classifier != "none":
                taught = self.classifier.update(task.learned, task.asked_disk, task.executed, task.waited)
                self.lessons.append(Lesson(self.now, task, taught))
            task.begin_slice()

    def place_jobs(self) -> None:
        """Let the front end act."""
        gone = [member for member in self.front.members if member.finish is not None]
        self.front.leave(gone)
        for processor in self.processors:
            processor.bound = [task for task in processor.bound if task.member not in gone]
        submitted = [job for job in self.coming if 1000 * job.submit <= self.now]
        self.queue += submitted
        self.coming = self.coming[len(submitted) :]
        placed = 0
        for job in list(self.queue):
            found = self.front.find(job)
            if found is not None:
                self.place(job, *found)
                placed += 1
            elif self.policy.queue == "fcfs":
                break
        self.changes += bool(gone or placed)

    def place(self, job: Job, processors: tuple[int, ...], row: int) -> None:
        """Place a job."""
        self.queue.remove(job)
        position, order = self.positions[job], len(self.everyone)
        member = Member(job, position, self.now, order, processors, row, self.network)
        self.front.place(member)
        self.everyone.append(member)
        for task in member.tasks:
            self.processors[task.processor].bound.append(task)

    # The local schedulers.

    def dispatch(self, processor: Processor) -> None:
        """Let a processor choose a task."""
        processor.asked, begun, processor.begun = False, processor.begun, False
        owner = processor.owner
        if owner is not None and owner.state == "ready" and (begun or self.policy.resume_owner):
            self.run(processor, owner, "gang")
            return
        eligible = [task for task in processor.bound if task.state == "ready" and self.may_run(task)]
        if eligible:
            self.run(processor, min(eligible, key=self.precedence), "local")

    def may_run(self, task: Task) -> bool:
        """Tell whether the local scheduler may choose a task."""
        if self.policy.local == "none":
            return False
        return self.policy.local == "round_robin" or self.classifier.above_floor(task.learned)

    def precedence(self, task: Task) -> tuple[int, int, int]:
        """Return what the local scheduler chooses by, the least first."""
        priority = self.classifier.priority(task.learned) if self.policy.local == "priority" else 0
        return -priority, task.chosen, task.member.order

    def ready(self, task: Task) -> None:
        """Let a task that has become ready run if it may."""
        processor = self.processors[task.processor]
        running = processor.running
        if running is None:
            self.ask_dispatch(processor)
            return
        resumed = self.policy.resume_owner and processor.owner is task
        if resumed or (self.policy.boost and processor.by == "local" and self.outranks(task, running)):
            self.counters["preempted_local"] += 1
            self.preempt(processor)
            self.ask_dispatch(processor)

    def outranks(self, task: Task, running: Task) -> bool:
        """Tell whether a task that is ready takes precedence of a locally chosen one."""
        if self.policy.local != "priority" or not self.may_run(task):
            return False
        return self.classifier.priority(task.learned) > self.classifier.priority(running.learned)

    def spin_limit(self, task: Task) -> int | None:
        """Return how long a task may spin from now on."""
        if self.policy.waiting == "spin":
            return None
        if self.policy.waiting == "spin_block":
            return self.limit
        others = (
            other
            for other in self.processors[task.processor].bound
            if other.member is not task.member and other.state == "ready" and other.learned.io_bound
        )
        enough = self.next_tick - self.now >= self.limit + self.left_over
        return self.limit if enough and any(others) else None

    def balances(self, task: Task) -> bool:
        """Tell whether a worker may take pieces of others."""
        return self.policy.balance and task.member.job.size >= 3

    def pop(self) -> tuple[int, int, tuple[int, ...], int, Any]:
        """Return the next event."""
        return heapq.heappop(self.heap)

    def placed(self) -> Iterator[Member]:
        """Return the jobs that were placed, in the order of the workload."""
        yield from sorted(self.everyone, key=lambda member: member.position)


def schedule(policy: Policy, jobs: list[Job], processors: int) -> ConcurrentSchedule:
    """Run Concurrent Gang on jobs, on a machine of so many processors."""
    run = Run(policy, jobs, processors)
    run.go()
    return tell(run, jobs)
