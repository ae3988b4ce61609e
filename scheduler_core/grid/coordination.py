"""Coordination: a finished task sends its data, and a task with all its data is released (Cao 2009, sections 4.5 and 4.9)."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

from scheduler_core.grid.rars_heft import Placement

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scheduler_core.grid.policies.grid import Grid
    from scheduler_core.grid.workflow import Edge, Task, Workflow

FREED_ENTRIES = ("job", "ready_us", "freed_us")
"""What is noted of a booked task when it is let go, in this order."""


class Coordination:
    """Follows the tasks of workflows: what comes to which cluster at their submission, and when predecessors are done."""

    def __init__(self, policy: Grid, placement: Placement) -> None:
        self.way, self.propagation = policy.tasks, policy.propagation
        self.placement = placement
        self.following: dict[int, Task] = {}
        self.given: set[int] = set()  # clusters with new work at this instant, which do again what is due
        self.freed = array("q")

    def submitted(self, workflow: Workflow, now_us: int) -> None:
        """Place a workflow that is submitted now."""
        root = workflow.tasks[0]
        self.following.update((task.job, task) for task in workflow.tasks)
        if self.way == "reserved":
            self.placement.place(workflow, now_us)
            self.given.update(task.cluster for task in workflow.tasks)
            self.freed.extend((root.job, now_us, root.earliest_us))
        elif self.way == "when_ready":
            self.placement.map(workflow, now_us)
            self.placement.submit(root, now_us, now_us)
            self.given.add(root.cluster)
        elif self.way == "just_in_time":
            self.map_and_submit(root, now_us)
        else:
            for task in workflow.tasks:
                self.map_and_submit(task, now_us)

    def done(self, jobs: Iterable[int], now_us: int) -> None:
        """Send the data of tasks that are done now, and release the tasks whose predecessors are all done."""
        tasks = [self.following.pop(job) for job in jobs]
        for task in tasks:
            task.finish_us = now_us
            self.placement.done(task)
        if self.way == "independent":
            return
        for task in sorted(tasks, key=lambda task: (task.workflow, task.number)):
            for edge in task.after:
                edge.target.undone -= 1
                if edge.target.undone == 0:
                    self.let_go(edge.target, now_us)

    def let_go(self, task: Task, now_us: int) -> None:
        """Let a task start whose predecessors are all done."""
        if self.way == "just_in_time":
            self.map_and_submit(task, now_us)
            return
        ready = ready_on(task.before, task.cluster)
        self.given.add(task.cluster)
        if self.way == "when_ready":
            self.placement.submit(task, ready, now_us)
            return
        if self.propagation:
            task.earliest_us = propagated(task.earliest_us, now_us, ready)
        self.freed.extend((task.job, ready, task.earliest_us))
        self.placement.clocks.at(task.cluster, now_us).release(task.job, ready, task.earliest_us)

    def map_and_submit(self, task: Task, now_us: int) -> None:
        """Choose a cluster for a task whose data are sent, or which waits for none, and submit it there."""
        waits_for = task.before if self.way == "just_in_time" else []
        frame = self.placement.choose(task, now_us, lambda cluster: ready_on(waits_for, cluster, now_us))
        self.placement.submit(task, frame.from_us, now_us)
        self.given.add(task.cluster)
        if frame.from_us == now_us:
            self.placement.clocks.advance(task.cluster, now_us)

    def go_through_again(self, now_us: int) -> None:
        """Let the clusters with new work do again what is due now."""
        for cluster in sorted(self.given):
            self.placement.clocks.advance(cluster, now_us)
        self.given.clear()


def ready_on(edges: Iterable[Edge], cluster: int, otherwise: int = 0) -> int:
    """Return when the data of some edges are on a cluster; ``otherwise`` where there are none."""
    return max((edge.source.finish_us + edge.time(edge.source.cluster, cluster) for edge in edges), default=otherwise)


def propagated(earliest_us: int, now_us: int, ready_us: int) -> int:
    """Return the earliest start of a task whose predecessors are all done now, and whose data are there at ``ready_us``.

    Tasks may then start earlier than booked (section 4.9, Algorithm 2). The printed formula adds the finish of predecessors to
    the current time; what is meant is the later of the two. A start is never put off.
    """
    return min(earliest_us, max(now_us, ready_us))
