"""RARS-HEFT: each task, in order of rank, goes to the cluster that predicts best (Cao 2009, section 4.4.6, Algorithm 1)."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

from scheduler_core.common.errors import ParameterError
from scheduler_core.grid.frames import Frame, FrameRule, rounded
from scheduler_core.grid.heft import rank, transfer_weight
from scheduler_core.stepping.local_scheduler import Booking, Job, Request

if TYPE_CHECKING:
    from collections.abc import Callable

    from scheduler_core.grid.clocks import Clocks
    from scheduler_core.grid.policies.grid import Grid
    from scheduler_core.grid.workflow import Clusters, Task, Workflow

FURTHEST_US = 2**60
"""Where a frame may lie at most, 36,500 years ahead: clusters count in 64 bits."""

PLACE = ("workflow", "task", "job", "cluster")
CANDIDATE_ENTRIES = (*PLACE, *Frame._fields[1:])
"""What is noted of each prediction, in this order."""

BOOKED_ENTRIES = (*PLACE, "made_us", *Frame._fields)
"""What is noted of each booking, in this order."""


class Placement:
    """Chooses clusters for tasks, and brings the tasks there."""

    def __init__(self, policy: Grid, clusters: Clusters, clocks: Clocks) -> None:
        self.policy, self.clusters, self.clocks = policy, clusters, clocks
        self.rule = FrameRule(policy)
        self.pinned = policy.frame_rule == "rigid"
        self.mean_transfers = policy.transfers_known == "mean"
        self.least_loaded = policy.ties == "least_loaded"
        self.load = [0] * len(clusters)
        self.candidates = array("q")
        self.chosen = array("q")  # rows of candidates
        self.booked = array("q")
        self.ranks = array("d")

    def ready_bounds(self, task: Task, now_us: int) -> Callable[[int], int]:
        """Return the function that says, for a cluster, from when on the data of a task are expected there: RB."""
        if self.mean_transfers:
            latest = [edge.source.latest_us + rounded(transfer_weight(edge, self.clusters)) for edge in task.before]
            bound = max(latest, default=now_us)
            return lambda _: max(now_us, bound)

        def bound_on(cluster: int) -> int:
            bound = now_us
            for edge in task.before:
                bound = max(bound, edge.source.latest_us + edge.time(edge.source.cluster, cluster))
            return bound

        return bound_on

    def choose(self, task: Task, now_us: int, ready_on: Callable[[int], int]) -> Frame:
        """Ask every cluster that fits a task; enter the best one with its frame, and return that frame."""
        best: Frame | None = None
        best_row, known = -1, -1
        for cluster in self.clusters.that_fit(task.size):
            _, estimate = self.clusters.times(task.job, task.runtime_us, task.estimate_us, cluster)
            if estimate != known:  # clusters of one speed ask for the same
                known, request = estimate, Request(task.size, estimate, task.job_class)
                slack = self.rule.slack(task.job_class, estimate)
            ready = ready_on(cluster)
            asked = self.rule.start_asked(now_us, ready, slack)
            self.require_near(task, asked)
            predicted = self.clocks.at(cluster, now_us).predict(request, asked)
            if predicted is None:
                continue
            frame = self.rule.frame(now_us, ready, asked, slack, predicted)
            self.require_near(task, frame.latest_us)
            self.candidates.extend((task.workflow, task.number, task.job, cluster, *frame[1:]))
            if best is None or self.is_better(frame, cluster, best, task.cluster):
                best, task.cluster, best_row = frame, cluster, len(self.candidates) // len(CANDIDATE_ENTRIES) - 1
        if best is None:
            raise ParameterError(
                f"{self.policy.name}: no cluster predicts when task {task.number} of workflow {task.workflow} would finish; the "
                f"policy '{self.policy.local}' of the clusters must make a plan to predict from"
            )
        self.chosen.append(best_row)
        task.earliest_us, task.latest_us = best.earliest_us, best.latest_us
        if self.least_loaded:
            self.load[task.cluster] += self.load_of(task)
        return best

    def require_near(self, task: Task, time_us: int) -> None:
        """Refuse a frame beyond the times that can be counted: slack has multiplied from task to task."""
        if time_us > FURTHEST_US:
            raise ParameterError(
                f"{self.policy.name}: the frame of task {task.number} of workflow {task.workflow} goes on to {time_us:,} us; "
                f"expected at most {FURTHEST_US:,}, some 36,500 years: make slpa, slpb or maf smaller (found "
                f"{self.policy.slpa:g}, {self.policy.slpb:g} and {self.policy.maf:g})"
            )

    def is_better(self, frame: Frame, cluster: int, best: Frame, best_cluster: int) -> bool:
        """Return whether a cluster takes the place of the best one so far."""
        if frame.latest_us != best.latest_us or not self.least_loaded:
            return frame.latest_us < best.latest_us
        return self.load[cluster] < self.load[best_cluster]

    def load_of(self, task: Task) -> int:
        """Return estimate times size of a task on its cluster."""
        return self.clusters.times(task.job, task.runtime_us, task.estimate_us, task.cluster)[1] * task.size

    def job_of(self, task: Task, submit_us: int) -> Job:
        """Return a task as a job of its cluster."""
        run, estimate = self.clusters.times(task.job, task.runtime_us, task.estimate_us, task.cluster)
        return Job(task.job, submit_us, run, estimate, task.size, task.job_class)

    def place(self, workflow: Workflow, now_us: int) -> None:
        """Choose a cluster for every task of a workflow, in order of rank, and book it there before the next is predicted."""
        for task in rank(workflow, self.clusters):
            frame = self.choose(task, now_us, self.ready_bounds(task, now_us))
            booking = Booking(
                frame.earliest_us, frame.expected_us, frame.latest_us, None if task.before else now_us, self.pinned
            )
            self.clocks.schedulers[task.cluster].book(self.job_of(task, now_us), booking)
            self.booked.extend((task.workflow, task.number, task.job, task.cluster, now_us, *frame))
            self.ranks.append(task.rank)

    def map(self, workflow: Workflow, now_us: int) -> None:
        """Choose a cluster for every task of a workflow, in order of rank, without booking any: HEFT by predictions."""
        for task in rank(workflow, self.clusters):
            self.choose(task, now_us, self.ready_bounds(task, now_us))

    def submit(self, task: Task, submit_us: int, now_us: int) -> None:
        """Submit a task to its cluster, now or later, as a job like any other; its completion is followed."""
        self.clocks.at(task.cluster, now_us).submit(self.job_of(task, submit_us), followed=True)

    def done(self, task: Task) -> None:
        """Note that a task is done."""
        if self.least_loaded:
            self.load[task.cluster] -= self.load_of(task)
