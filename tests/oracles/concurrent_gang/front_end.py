"""The front end: which processors a job gets, which row has its turn, who owns the slice."""

from types import SimpleNamespace
from typing import Any

from scheduler_core.declarations.policy import Policy
from tests.oracles.concurrent_gang.tasks import Member, Task
from tests.oracles.gang.dhc import Controller, HierarchicalRun, width_for
from tests.oracles.gang.state import Member as Bound
from tests.oracles.job import Job

Owners = list[Task | None]


class FrontEnd:
    """What places jobs: it finds a place, takes a job up, lets jobs leave, and says whose turn it is.

    ``members`` are the jobs on the machine, in the order of their placement.
    """

    def __init__(self, policy: Policy, processors: int) -> None:
        self.policy, self.processors = policy, processors
        self.members: list[Member] = []

    def eligible(self) -> list[int]:
        """Return the processors to which fewer tasks are bound than may be."""
        cap = self.policy.tasks_per_processor
        bound = [sum(processor in member.processors for member in self.members) for processor in range(self.processors)]
        return [processor for processor, count in enumerate(bound) if cap == "unlimited" or count < cap]


class Matrix(FrontEnd):
    """The Ousterhout matrix."""

    def __init__(self, policy: Policy, processors: int) -> None:
        super().__init__(policy, processors)
        self.rows: list[Owners] = []
        self.current = -1

    def leave(self, gone: list[Member]) -> None:
        """Free the places of jobs that have ended, or of tasks; delete rows left empty."""
        self.members = [member for member in self.members if member not in gone]
        for row in self.rows:
            for processor, task in enumerate(row):
                ended = task is not None and self.policy.free_on_task_end and task.state == "ended"
                if task is not None and (task.member in gone or ended):
                    row[processor] = None
        kept = [any(row) for row in self.rows]
        self.current = sum(kept[: self.current + 1]) - 1
        self.rows = [row for row, stays in zip(self.rows, kept, strict=True) if stays]

    def find(self, job: Job) -> tuple[tuple[int, ...], int] | None:
        """Look through the rows, then for room for a new one."""
        eligible = self.eligible()
        rooms = [[p for p in eligible if row[p] is None] for row in self.rows]
        fitting = [number for number, room in enumerate(rooms) if len(room) >= job.size]
        if fitting and self.policy.packing != "one_job":
            number = fitting[0]
            if self.policy.packing == "best_fit":
                number = min(fitting, key=lambda row: (sum(task is None for task in self.rows[row]), row))
            return tuple(rooms[number][: job.size]), number
        if (self.policy.level == "unlimited" or len(self.rows) < self.policy.level) and len(eligible) >= job.size:
            return tuple(eligible[: job.size]), len(self.rows)
        return None

    def place(self, member: Member) -> None:
        """Write a job's tasks into its row."""
        self.members.append(member)
        if member.row == len(self.rows):
            self.rows.append([None] * self.processors)
        for task in member.tasks:
            self.rows[member.row][task.processor] = task

    def turn(self, tick: int) -> tuple[int | None, Owners]:
        """Go on to the next row, from the last to the first."""
        if not self.rows:
            return None, [None] * self.processors
        self.current = (self.current + 1) % len(self.rows)
        return self.current, list(self.rows[self.current])


class Hierarchy(FrontEnd):
    """Distributed Hierarchical Control."""

    def __init__(self, policy: Policy, processors: int) -> None:
        super().__init__(policy, processors)
        self.tree = Tree(policy, processors)

    def leave(self, gone: list[Member]) -> None:
        """Let jobs leave their controllers."""
        self.members = [member for member in self.members if member not in gone]
        self.tree.bound = {
            bound: controller for bound, controller in self.tree.bound.items() if self.member(bound) is not None
        }

    def member(self, bound: Bound) -> Member | None:
        """Return the job on the machine that stands in the tree."""
        return next((member for member in self.members if member.job is bound.job), None)

    def find(self, job: Job) -> tuple[tuple[int, ...], int] | None:
        """Ask the tree for the controller with the least load."""
        controller = self.tree.controller_for(job, self.eligible())
        if controller is None:
            return None
        return tuple(range(controller.first, controller.first + job.size)), -1

    def place(self, member: Member) -> None:
        """Bind a job to the controller that holds its processors."""
        self.members.append(member)
        controller = Controller(member.processors[0], width_for(member.job.size))
        self.tree.bound[Bound(member.job, frozenset(member.processors))] = controller

    def turn(self, tick: int) -> tuple[int | None, Owners]:
        """Let row tick mod R have the turn."""
        cycle = self.tree.built()
        owners: Owners = [None] * self.processors
        if not cycle:
            return None, owners
        for bound in cycle[tick % len(cycle)]:
            member = self.member(bound)
            for task in member.tasks if member else ():
                owners[task.processor] = task
        return tick % len(cycle), owners


class Tree(HierarchicalRun):
    """The tree of controllers, with its cycle as :mod:`tests.oracles.gang.dhc` builds it."""

    def __init__(self, policy: Policy, processors: int) -> None:
        self.policy: Any = SimpleNamespace(
            alternative=policy.fill == "alternative", selective_disabling=policy.selective_disabling
        )
        self.processors = processors
        self.root = Controller(0, width_for(processors))
        self.bound = {}
        self.own = {}

    def controller_for(self, job: Job, eligible: list[int]) -> Controller | None:
        """Return the controller with the least load of those whose first processors are all eligible."""
        width = width_for(job.size)
        firsts = range(0, self.root.width, width)
        found = [Controller(first, width) for first in firsts if set(range(first, first + job.size)) <= set(eligible)]
        return min(found, key=self.load, default=None)

    def built(self) -> list[Any]:
        """Build the cycle."""
        self.own = {c: [bound for bound, its in self.bound.items() if its == c] for c in set(self.bound.values())}
        return self.cycle()


def fill(owners: Owners, members: list[Member]) -> None:
    """Name more owners, for processors without one: of jobs that read and write, then of whole jobs that communicate."""
    while True:
        free = {processor for processor, owner in enumerate(owners) if owner is None}
        ready = {member: [t for t in member.tasks if t.state == "ready" and t.processor in free] for member in members}
        bound = {member: [task for task in tasks if task.learned.io_bound] for member, tasks in ready.items()}
        whole = [
            member
            for member, tasks in ready.items()
            if len(tasks) == member.job.size and all(task.learned.communicating for task in tasks)
        ]
        if any(bound.values()):
            chosen = max(bound.values(), key=len)
        elif whole:
            chosen = max(whole, key=lambda member: member.job.size).tasks
        else:
            return
        for task in chosen:
            owners[task.processor] = task
