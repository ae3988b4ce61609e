"""The front end: which jobs are placed on which processors, and which row has its turn; called when the workload changes."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scheduler_core.common.units import NEVER_US, NS_PER_US
from scheduler_core.concurrent_gang.dhc import Tree
from scheduler_core.concurrent_gang.matrix import ENDLESS, Matrix

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scheduler_core.concurrent_gang.policies.concurrent_gang import ConcurrentGang

LAYOUTS: dict[str, type[Matrix | Tree]] = {"matrix": Matrix, "dhc": Tree}
"""What places jobs and holds the rows, by the policy's ``front``."""


class Placement(NamedTuple):
    """A job that has been placed: its position, its processors in ascending order, and the row it was placed in."""

    job: int
    processors: np.ndarray
    row: int


class FrontEnd:
    """Places jobs at ticks and holds the rows that take turns.

    Jobs come in the order of submission (``submit_us``), with as many tasks as ``sizes`` says; none is larger than the machine.
    Tasks have one number each in the whole run: task j of the job at position i is ``first_task[i] + j``. ``turn`` is the row
    whose turn begins with the last tick told, -1 while there are no rows. Every further tick moves it on by one, cyclically
    (under DHC, too: so it stays the number of slices so far, modulo the rows).
    """

    def __init__(
        self, policy: ConcurrentGang, processors: int, slice_ns: int, submit_us: np.ndarray, sizes: np.ndarray
    ) -> None:
        self.slice_ns, self.submit_us = slice_ns, submit_us
        self.sizes = np.asarray(sizes, dtype=np.int64)
        self.first_task = np.concatenate(([0], np.cumsum(self.sizes)))
        self.most_tasks = ENDLESS if isinstance(policy.tasks_per_processor, str) else policy.tasks_per_processor
        self.frees_places, self.skips = policy.free_on_task_end, policy.queue == "skip"
        self.layout = LAYOUTS[policy.front](policy, processors, self.first_task)
        self.tasks = np.zeros(processors, dtype=np.int64)  # tasks bound to each processor
        self.where: dict[int, np.ndarray] = {}  # processors of the jobs that have not left
        self.submitted = 0
        self.queued = np.zeros(0, dtype=np.int64)  # positions of the jobs that are submitted and not placed
        self.turn = -1
        self.placed: list[Placement] = []  # by the last tick told, in order

    @property
    def rows(self) -> np.ndarray:
        """A row per turn, a column per processor: numbers of tasks, -1 where the row names none.

        Without ``free_on_task_end`` tasks that have ended stay named until their job leaves. A tick may make a new array.
        """
        return self.layout.rows

    @property
    def next_submit_ns(self) -> int:
        """When the next job is submitted.

        A tick before it may be left out if no job has ended since the last (with ``free_on_task_end``: no task while jobs are
        queued). The next call then names all tasks that have ended.
        """
        if self.submitted == len(self.submit_us):
            return NEVER_US
        return int(self.submit_us[self.submitted]) * NS_PER_US

    def tick(self, now_ns: int, turn: int, gone: Iterable[int] = (), ended: Iterable[int] = ()) -> bool:
        """Do steps 3 and 4 of a tick: jobs leave, jobs are placed, the next row gets its turn.

        ``turn`` is the row whose turn has just ended, -1 if none had one. ``gone`` are positions of jobs, ``ended`` numbers of
        tasks that have ended since the last call; tasks matter only with ``free_on_task_end``. Return whether a job left or was
        placed, which is a change of the workload.
        """
        self.layout.turn = turn
        before = len(self.where)
        for job in gone:
            held = self.where.pop(job)
            self.layout.leave(job, held)
            self.tasks[held] -= 1
        left = len(self.where) < before
        if self.frees_places:
            self.free_places(ended)
        submitted = int(np.searchsorted(self.submit_us, now_ns // NS_PER_US, side="right"))
        self.queued = np.concatenate([self.queued, np.arange(self.submitted, submitted)])
        self.submitted = submitted
        placed = self.serve_queue()
        self.turn = self.layout.next_turn(now_ns // self.slice_ns)
        self.placed = [Placement(job, self.where[job], self.row_of(job)) for job in placed]
        return left or bool(placed)

    def free_places(self, ended: Iterable[int]) -> None:
        """Make the places of ended tasks idle, for jobs that have not left."""
        for number in ended:
            job = int(np.searchsorted(self.first_task, number, side="right")) - 1
            if job in self.where:
                at = number - self.first_task[job]
                self.layout.take_out(np.array([number]), self.where[job][at : at + 1])

    def serve_queue(self) -> list[int]:
        """Walk the queue once and place every job that can be placed; return these jobs."""
        placed: list[int] = []
        at = 0
        while at < len(self.queued):
            eligible = self.tasks < self.most_tasks
            fitting = self.sizes[self.queued[at:]] <= self.layout.largest(eligible)
            if not (fitting.any() if self.skips else fitting[0]):
                break
            at += int(np.argmax(fitting))
            job = int(self.queued[at])
            self.queued = np.delete(self.queued, at)
            self.where[job] = self.layout.place(job, eligible)
            self.tasks[self.where[job]] += 1
            placed.append(job)
        return placed

    def row_of(self, job: int) -> int:
        """Return the first row that names a job."""
        return int(np.argmax(self.rows[:, self.where[job][0]] == self.first_task[job]))
