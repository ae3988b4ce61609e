"""Distributed Hierarchical Control for tasks that block: jobs are bound to controllers, whose cycle is the rows.

Tree, binding and cycle are those of the policy ``dhc`` (:mod:`scheduler_core.gang.policies.dhc`), with one difference:
a job may have to wait, because a processor takes a limited number of tasks. Controllers are numbered as a heap: 1 spans the
machine, 2 c and 2 c + 1 span the halves of c.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import numpy as np

from scheduler_core.concurrent_gang.matrix import IDLE

if TYPE_CHECKING:
    from scheduler_core.concurrent_gang.policies.concurrent_gang import ConcurrentGang


class Tree:
    """The controllers and their cycle of rows; :class:`~scheduler_core.concurrent_gang.matrix.Matrix` explains rows."""

    def __init__(self, policy: ConcurrentGang, processors: int, first_task: np.ndarray) -> None:
        self.selective, self.alternative = policy.selective_disabling, policy.fill == "alternative"
        self.processors, self.first_task = processors, first_task
        self.leaves = 1 << (processors - 1).bit_length()
        self.bound = np.zeros(processors, dtype=np.int64)  # jobs that hold each processor
        self.gangs: defaultdict[int, list[int]] = defaultdict(list)  # jobs of each controller, in the order of binding
        self.controller: dict[int, int] = {}  # of each job, in the order of binding
        self.depth: dict[int, int] = {}  # rows of each controller that has some
        self.rows = np.zeros((0, processors), dtype=np.int64)
        self.turn, self.stale = -1, False

    def begin(self, node: int) -> int:
        """Return the first processor that a controller spans."""
        return node * self.width(node) - self.leaves

    def width(self, node: int) -> int:
        """Return how many processors a controller spans, including those that do not exist."""
        return self.leaves >> (node.bit_length() - 1)

    def size(self, job: int) -> int:
        """Return how many tasks a job has."""
        return int(self.first_task[job + 1] - self.first_task[job])

    def largest(self, eligible: np.ndarray) -> int:
        """Return the size of the largest job for which there is a controller: smaller ones have one, too."""
        refused = np.append(np.flatnonzero(~eligible), self.processors)
        starts = np.arange(self.processors)
        runs = refused[np.searchsorted(refused, starts)] - starts  # eligible processors from each on
        largest, width = 0, 1
        while width <= self.leaves:
            of_level = int(np.minimum(runs[::width], width).max())
            largest = max(largest, of_level if 2 * of_level > width else 0)
            width *= 2
        return largest

    def place(self, job: int, eligible: np.ndarray) -> np.ndarray:
        """Bind a job to the controller of its level with the least load, and return its processors."""
        size = self.size(job)
        width = 1 << (size - 1).bit_length()
        loads = []
        for begin in range(0, self.processors - size + 1, width):
            if eligible[begin : begin + size].all():
                bound = self.bound[begin : begin + width]
                loads.append((int(bound.max()), int(bound.sum()) / len(bound), begin))
        begin = min(loads)[2]
        node = (self.leaves + begin) // width
        self.gangs[node].append(job)
        self.controller[job] = node
        self.bound[begin : begin + size] += 1
        self.stale = True
        return np.arange(begin, begin + size)

    def take_out(self, numbers: np.ndarray, processors: np.ndarray) -> None:
        """Do nothing: the places of ended tasks stay with their job, which is bound as a whole."""

    def leave(self, job: int, processors: np.ndarray) -> None:
        """Remove a job that holds these processors."""
        self.gangs[self.controller.pop(job)].remove(job)
        self.bound[processors] -= 1
        self.stale = True

    def next_turn(self, slices: int) -> int:
        """Return the row whose turn comes after so many slices in total, -1 if there are no rows."""
        if self.stale:
            self.build_cycle()
        self.turn = slices % len(self.rows) if len(self.rows) else -1
        return self.turn

    def build_cycle(self) -> None:
        """Make the rows of the cycle."""
        with_some = {node >> k for node, jobs in self.gangs.items() if jobs for k in range(node.bit_length())}
        self.depth = {}
        for node in sorted(with_some, reverse=True):
            below = max(self.depth.get(2 * node, 0), self.depth.get(2 * node + 1, 0))
            self.depth[node] = len(self.gangs[node]) + below
        self.rows = np.full((self.depth.get(1, 0), self.processors), IDLE, dtype=np.int64)
        for row in range(len(self.rows)):
            self.walk(1, row, row, 0)
        if self.alternative:
            self.run_where_idle()
        self.stale = False

    def walk(self, node: int, row: int, turn: int, busy_to: int) -> None:
        """Let a controller and those below it choose the jobs of a row; its processors before ``busy_to`` are in use."""
        begin, rows = self.begin(node), self.depth.get(node, 0)
        if not rows or busy_to >= begin + self.width(node):
            return
        turn %= rows
        jobs = self.gangs[node]
        if busy_to > begin:
            turn_below = row
        elif turn >= len(jobs):
            turn_below = turn - len(jobs)
        else:
            self.run(jobs[turn], row, begin)
            if not self.selective:
                return
            turn_below, busy_to = row, begin + self.size(jobs[turn])
        self.walk(2 * node, row, turn_below, busy_to)
        self.walk(2 * node + 1, row, turn_below, busy_to)

    def run(self, job: int, row: int, begin: int) -> None:
        """Name a job's tasks in a row, from a processor on."""
        self.rows[row, begin : begin + self.size(job)] = np.arange(self.first_task[job], self.first_task[job + 1])

    def run_where_idle(self) -> None:
        """Let jobs run in further rows in which all their processors are idle, in turn from row to row."""
        jobs = [(job, self.begin(node)) for job, node in self.controller.items()]
        following = 0
        for row, held in enumerate(self.rows):
            first = following
            for k in range(first, first + len(jobs)):
                job, begin = jobs[k % len(jobs)]
                if (held[begin : begin + self.size(job)] == IDLE).all():
                    self.run(job, row, begin)
                    following = (k + 1) % len(jobs)
