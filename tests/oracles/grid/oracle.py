"""The grid once more, slow and plain: what clusters and the grid do, instant by instant.

Written from the docstrings of the policy, of bookings and of the tables alone. All clusters are stepped together through every
instant of any of them, where the engine lets each go on by itself as long as nothing can come from another.
"""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from scheduler_core.declarations.policy import Policy, get_policy
from tests.oracles.grid.booking import Frame, Slide
from tests.oracles.grid.frames import Offer, offer, whole
from tests.oracles.grid.heft import by_rank, ranks, transfer_weight
from tests.oracles.grid.recalculation import cluster_in_slices
from tests.oracles.grid.slices import Rules, SliceCluster
from tests.oracles.grid.space import SpaceCluster
from tests.oracles.grid.workload import Grid, Workflow
from tests.oracles.job import Job
from tests.oracles.slices.state import Calendar

Row = tuple[Any, ...]

Cluster = SliceCluster | SpaceCluster


@dataclass(eq=False)
class Task:
    """A task of an admitted workflow: where it was placed, with which frame, and what became of it."""

    flow: Workflow
    number: int
    rank: float
    cluster: int = -1
    offer: Offer | None = None
    made: int = 0
    earliest: int = 0  # EST in force
    ready: int | None = None
    finish: int | None = None

    @property
    def job(self) -> Job:
        """Its job."""
        return self.flow.tasks[self.number - 1]

    @property
    def name(self) -> tuple[int, int, int]:
        """Its workflow, number and job."""
        return (self.flow.number, self.number, self.job.job)


@dataclass
class Result:
    """A schedule: the tables of the contract, jobs by number."""

    jobs: dict[int, Row] = field(default_factory=dict)
    allocations: list[Row] = field(default_factory=list)
    slices: list[Row] = field(default_factory=list)
    promises: list[Row] = field(default_factory=list)
    reservations: list[Row] = field(default_factory=list)
    candidates: list[Row] = field(default_factory=list)
    slides: list[Row] = field(default_factory=list)
    arrivals: list[Row] = field(default_factory=list)
    counters: dict[str, int] = field(default_factory=dict)


class GridRun:
    """A run of the policy."""

    def __init__(self, policy: Policy, grid: Grid) -> None:
        self.policy, self.grid = policy, grid
        self.kinds = Calendar(policy)  # of which only the classes of jobs are asked
        self.clusters = [self.cluster_of(number) for number in range(len(grid.sites))]
        self.coming = sorted(grid.workflows, key=lambda flow: (flow.tasks[0].submit, flow.number))
        self.tasks: dict[int, Task] = {}  # by number of the job
        self.rejected: list[Job] = []
        self.counts: Counter[str] = Counter()
        self.result = Result()
        self.time = -1
        every = [*(job for jobs in grid.local for job in jobs), *(job for flow in grid.workflows for job in flow.tasks)]
        self.killed = {job.job: job.runtime > job.estimate for job in every}
        self.seen = [0] * len(self.clusters)  # completions of each cluster that were looked at

    def cluster_of(self, number: int) -> Cluster:
        """Make a cluster with the local jobs that fit it."""
        site = self.grid.sites[number]
        local = [self.grid.on(job, number) for job in self.grid.local[number] if job.size <= site.processors]
        if self.policy.local != "pect":
            return SpaceCluster(self.policy.local, site.processors, local)
        names = ("nominal", "slide_down_backfill", "slide_down_avoid_preemption", "reservations")
        rules = Rules(*(getattr(self.policy, name) for name in names))
        return cluster_in_slices(pect_of(self.policy), local, site.processors, rules)

    # Time ------------------------------------------------------------------------------------------------------

    def go(self) -> Result:
        """Run until nothing happens any more."""
        while True:
            times = [time for one in self.clusters if (time := one.next_instant()) is not None]
            times += [flow.tasks[0].submit for flow in self.coming[:1]]
            if not times:
                return self.told()
            self.time = min(times)
            self.instant()

    def instant(self) -> None:
        """Do what happens at an instant."""
        for one in self.clusters:
            self.catch_up(one)
        for task in self.done_now():
            self.coordinate(task)
        while self.coming and self.coming[0].tasks[0].submit == self.time:
            self.admit(self.coming.pop(0))
        for one in self.clusters:
            self.catch_up(one)

    def catch_up(self, one: Cluster) -> None:
        """Let a cluster do what is due now."""
        if one.next_instant() == self.time:
            one.instant_at(self.time)
        one.time = self.time

    def done_now(self) -> list[Task]:
        """Return the tasks that are done now, in order of workflow, then task."""
        found = []
        for number, one in enumerate(self.clusters):
            for done in one.done[self.seen[number] :]:
                if done.job in self.tasks:
                    self.tasks[done.job].finish = done.finish
                    found.append(self.tasks[done.job])
            self.seen[number] = len(one.done)
        return sorted(found, key=lambda task: task.name)

    # Tasks -----------------------------------------------------------------------------------------------------

    def of(self, flow: Workflow, number: int) -> Task:
        """Return a task by its workflow and number."""
        return self.tasks[flow.tasks[number - 1].job]

    def admit(self, flow: Workflow) -> None:
        """Admit a workflow and place its tasks, or reject it."""
        self.counts["workflows"] += 1
        if not all(self.grid.fits(job) for job in flow.tasks):
            self.counts["rejected_workflows"] += 1
            self.rejected += flow.tasks
            return
        found = ranks(self.grid, flow)
        for number, job in enumerate(flow.tasks, start=1):
            self.tasks[job.job] = Task(flow, number, found[number])
        self.counts["tasks"] += len(found)
        order = {"independent": sorted(found), "just_in_time": [1]}.get(self.policy.tasks, by_rank(found))
        for number in order:
            self.place(self.of(flow, number))

    def place(self, task: Task) -> None:
        """Choose a cluster for a task, and book it there or submit it."""
        offers = {cluster: self.asked(task, cluster) for cluster in self.grid.fits(task.job)}
        by = {cluster: (one.latest, self.load(cluster), cluster) for cluster, one in offers.items()}
        task.cluster = min(by, key=lambda cluster: by[cluster])
        for cluster, one in offers.items():
            row = (cluster, one.given, one.start, one.finish, one.earliest, one.latest, cluster == task.cluster)
            self.result.candidates.append((*task.name, *row))
        task.offer, task.made = offers[task.cluster], self.time
        task.earliest = task.offer.earliest
        if self.policy.tasks == "reserved":
            self.book(task)
        elif self.policy.tasks != "when_ready":
            self.submit(task, task.offer.given)
        elif task.number == 1:
            self.submit(task, self.time)

    def load(self, cluster: int) -> int:
        """Return the work of the tasks on a cluster that are not done, where that decides between equals."""
        if self.policy.ties == "first":
            return 0
        mine = [task.job for task in self.tasks.values() if task.cluster == cluster and task.finish is None]
        return sum(self.grid.on(job, cluster).estimate * job.size for job in mine)

    def asked(self, task: Task, cluster: int) -> Offer:
        """Ask a cluster for a task."""
        job = self.grid.on(task.job, cluster)
        expected = self.expected(task, cluster)

        def predict(start: int) -> Any:
            self.counts["predictions"] += 1
            return self.clusters[cluster].predict(job, start)

        if self.policy.tasks == "reserved":
            return offer(self.policy, self.time, expected, job.estimate, self.kinds.class_of(job), predict)
        slot = predict(expected)
        return Offer(expected, expected, slot.start, slot.finish, expected, slot.finish)

    def expected(self, task: Task, cluster: int) -> int:
        """Return when the data of a task are expected on a cluster; in time, when they are there."""
        if self.policy.tasks == "independent":
            return self.time
        if self.policy.tasks == "just_in_time":
            return max(self.time, self.arrival(task, cluster))
        times = [self.time]
        for number in task.flow.before(task.number):
            before, edge = self.of(task.flow, number), (number, task.number)
            known = whole(transfer_weight(self.grid, task.flow, edge))
            if self.policy.transfers_known == "matrix":
                known = task.flow.transfer(edge, (before.cluster, cluster))
            times.append(before.offer.latest + known)
        return max(times)

    def arrival(self, task: Task, cluster: int) -> int:
        """Return when the data of a task whose predecessors are done are on a cluster; its submission for a root."""
        times = []
        for number in task.flow.before(task.number):
            before = self.of(task.flow, number)
            times.append(before.finish + task.flow.transfer((number, task.number), (before.cluster, cluster)))
        return max(times, default=task.job.submit)

    def book(self, task: Task) -> None:
        """Book a task on the cluster that was chosen."""
        found = task.offer
        task.ready = self.time if task.number == 1 else None
        frame = Frame(found.earliest, found.expected, found.latest, task.ready, self.policy.frame_rule == "rigid")
        self.clusters[task.cluster].book(self.grid.on(task.job, task.cluster), frame)
        self.counts["bookings"] += 1

    def submit(self, task: Task, time: int) -> None:
        """Submit a task to the cluster that was chosen, as a job like any other."""
        job = self.grid.on(task.job, task.cluster)
        cluster = self.clusters[task.cluster]
        cluster.submit(Job(job.job, time, job.runtime, job.estimate, job.size, job_class=job.job_class))
        task.ready = time
        if time == self.time and self.policy.tasks != "when_ready":
            self.catch_up(cluster)

    def coordinate(self, task: Task) -> None:
        """Send the data of a task that is done, and free the tasks that have waited for it last."""
        if self.policy.tasks == "independent":
            return
        for number in task.flow.after(task.number):
            after = self.of(task.flow, number)
            before = [self.of(task.flow, one) for one in task.flow.before(number)]
            if all(one.finish is not None for one in before) and after.ready is None:
                self.free(after)

    def free(self, task: Task) -> None:
        """Free a task: its predecessors are done."""
        if self.policy.tasks == "just_in_time":
            self.place(task)
            return
        ready = self.arrival(task, task.cluster)
        if self.policy.tasks == "when_ready":
            self.submit(task, ready)
            return
        task.ready = ready
        if self.policy.propagation:
            task.earliest = min(task.earliest, max(self.time, ready))
        self.clusters[task.cluster].release(task.job.job, ready, task.earliest)

    # What became of it -----------------------------------------------------------------------------------------

    def told(self) -> Result:
        """Return the tables."""
        found = self.result
        for number, one in enumerate(self.clusters):
            tell = self.tell_slices if self.policy.local == "pect" else self.tell_space
            tell(number, one)  # type: ignore[arg-type]
            found.slides += [(*slide,) for slide in one.slides]
        found.jobs |= {job: (0, None, None, 0, "rejected") for job in self.killed if job not in found.jobs}
        found.allocations.sort()
        for task in self.tasks.values():
            if self.policy.tasks == "reserved":
                self.tell_reservation(task)
            if self.policy.tasks != "independent":
                self.tell_arrivals(task)
        order = {row[2]: place for place, row in enumerate(found.candidates)}
        found.reservations.sort(key=lambda row: order[row[2]])
        found.arrivals.sort()
        found.counters = {**self.counters(), **self.slid()}
        return found

    def outcome(self, number: int) -> str:
        """Return how a job ended: it is killed where its estimate is below its run time, as the workload has them."""
        return "killed" if self.killed[number] else "finished"

    def tell_slices(self, number: int, one: SliceCluster) -> None:
        """Tell what happened on a cluster in slices."""
        names = {job.position: job.asked.job for job in one.jobs}
        first = sum(site.processors for site in self.grid.sites[:number])
        for job in one.jobs:
            start, finish, preemptions, _ = job.outcome()
            outcome = self.outcome(job.asked.job)
            self.result.jobs[job.asked.job] = (number, start, finish, preemptions, outcome)
            for held in job.held:
                row = (names[held.position], held.begin, held.end, number, held.slot)
                self.result.allocations.append((*row, tuple(first + processor for processor in held.processors)))
        self.result.slices += [(number, *row[1:]) for row in one.calendar.rows()]
        self.result.promises += [(names[row[0]], number, *row[2:]) for row in one.result.promises]

    def tell_space(self, number: int, one: SpaceCluster) -> None:
        """Tell what happened on a cluster in space sharing."""
        for done in one.done:
            self.result.jobs[done.job] = (number, done.start, done.finish, 0, self.outcome(done.job))
            self.result.allocations.append((done.job, done.start, done.finish, number, 0, None))

    def tell_reservation(self, task: Task) -> None:
        """Tell of the reservation of a task."""
        one = task.offer
        frame = (one.earliest, one.given, one.start, one.finish, one.latest, one.expected)
        row = (*task.name, task.cluster, task.made, task.rank, *frame, task.ready, task.earliest)
        self.result.reservations.append(row)

    def tell_arrivals(self, task: Task) -> None:
        """Tell of the data sent to a task."""
        for number in task.flow.before(task.number):
            before, edge = self.of(task.flow, number), (number, task.number)
            clusters = (before.cluster, task.cluster)
            arrived = before.finish + task.flow.transfer(edge, clusters)
            self.result.arrivals.append((task.flow.number, *edge, *clusters, before.finish, arrived))

    def counters(self) -> dict[str, int]:
        """Return what is counted."""
        late = [task for task in self.tasks.values() if task.offer and (task.finish or 0) > task.offer.latest]
        found = {
            name: self.counts[name] for name in ("workflows", "rejected_workflows", "tasks", "predictions", "bookings")
        }
        found["late_tasks"] = len(late) if self.policy.tasks == "reserved" else 0
        found["lost_slots"] = sum(one.lost for one in self.clusters)
        for one in self.clusters:
            if self.policy.local == "pect":
                sums = {**one.result.counters, "slices": len(one.calendar.slices)}
                found |= {name: found.get(name, 0) + sums[name] for name in LOCAL}
        return found

    def slid(self) -> dict[str, int]:
        """Count the slots that slid up and down."""
        counts = {"slides_up": 0, "slides_down": 0}
        for one in self.clusters:
            last: dict[int, Slide] = {}
            for slide in one.slides:
                if slide.job in last and slide.start != last[slide.job].start:
                    counts["slides_up" if slide.start < last[slide.job].start else "slides_down"] += 1
                last[slide.job] = slide
        return counts


LOCAL = ("passes", "slices", "backfilled", "resumed_elsewhere", "started_elsewhere")
"""Counters of clusters in slices that are summed."""


def pect_of(policy: Policy) -> Policy:
    """Return the policy that clusters in slices are under."""
    names = ("interval_s", "switch_s", "short_slice_s", "share_medium", "share_long")
    more = ("short_limit_s", "medium_limit_s", "smart")
    return get_policy("pect", **{name: getattr(policy, name) for name in (*names, *more)})


def simulate(policy: Policy, grid: Grid) -> Result:
    """Run a policy of the grid."""
    return GridRun(policy, grid).go()
