"""Distributed Hierarchical Control once more, slow and plain, from the docstring of the policy alone.

Controllers are blocks of processors looked up by their place; loads, rows and turns are worked out from the jobs
bound, from scratch in each pass, and a row is a dictionary of who holds which processors.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from scheduler_core.common.units import seconds_to_us
from scheduler_core.declarations.policy import Policy
from tests.oracles.gang.clock import Slices, SlotClock
from tests.oracles.gang.passes import GangSchedule, Passes
from tests.oracles.gang.state import Holding, Member
from tests.oracles.job import Job

Row = dict[Member, frozenset[int]]


@dataclass(frozen=True)
class Controller:
    """A controller: the block of ``width`` processors, a power of two, from ``first`` on."""

    first: int
    width: int

    @property
    def block(self) -> frozenset[int]:
        """Processors of the block, with those that are missing."""
        return frozenset(range(self.first, self.first + self.width))

    def halves(self) -> list[Controller]:
        """Return the controllers right below."""
        half = self.width // 2
        return [Controller(self.first, half), Controller(self.first + half, half)] if half else []


def width_for(processors: int) -> int:
    """Return the smallest power of two that is not below a number."""
    return next(2**level for level in itertools.count() if 2**level >= processors)


class HierarchicalRun(Passes):
    """A run of Distributed Hierarchical Control: who is bound to which controller, ``own`` as of the last pass."""

    def __init__(self, policy: Policy, jobs: list[Job], processors: int) -> None:
        fitting = [job for job in jobs if job.size <= processors]
        super().__init__(fitting, processors, SlotClock(0), Slices(seconds_to_us(policy.slice_s), math.inf, False))
        self.policy = policy
        self.root = Controller(0, width_for(processors))
        self.bound: dict[Member, Controller] = {}
        self.own: dict[Controller, list[Member]] = {}

    def running(self) -> list[Member]:
        """Return the jobs bound."""
        return list(self.bound)

    def make_pass(self, time: int, now: int) -> int:
        """Act on everything up to a boundary."""
        for member in self.leavers(time):
            del self.bound[member]
        for job in self.arrivals(time):
            self.bind(job)
        self.own = {c: [member for member, its in self.bound.items() if its == c] for c in set(self.bound.values())}
        cycle = self.cycle()
        for member in self.bound:
            places = [(k, tuple(sorted(row[member]))) for k, row in enumerate(cycle) if member in row]
            self.renew(member, Holding(tuple(places), 1.0), time, now)
        return len(cycle)

    def bind(self, job: Job) -> None:
        """Bind a job to the controller with the least load."""
        width = width_for(job.size)
        # Controllers whose first processors are missing do not come into question.
        firsts = [first for first in range(0, self.root.width, width) if first + job.size <= self.processors]
        controller = min((Controller(first, width) for first in firsts), key=self.load)
        processors = frozenset(range(controller.first, controller.first + job.size))
        self.bound[Member(job, processors)] = controller

    def load(self, controller: Controller) -> tuple[int, Fraction, int]:
        """Return what controllers are compared by."""
        there = [processor for processor in sorted(controller.block) if processor < self.processors]
        counts = [sum(processor in member.processors for member in self.bound) for processor in there]
        return max(counts), Fraction(sum(counts), len(counts)), controller.first

    def rows(self, controller: Controller) -> int:
        """Count the rows a controller needs."""
        below = [self.rows(half) for half in controller.halves()]
        return len(self.own.get(controller, [])) + max(below, default=0)

    def cycle(self) -> list[Row]:
        """Return which job runs where in each row."""
        cycle = [dict(self.turn(self.root, number, number)) for number in range(self.rows(self.root))]
        if self.policy.alternative:
            self.fill(cycle)
        return cycle

    def turn(self, controller: Controller, turn: int, row: int) -> Iterator[tuple[Member, frozenset[int]]]:
        """Return the jobs that run under a controller that has a turn."""
        rows, own = self.rows(controller), self.own.get(controller, [])
        if rows == 0:
            return
        if turn % rows >= len(own):
            for half in controller.halves():
                yield from self.turn(half, turn % rows - len(own), row)
            return
        member = own[turn % rows]
        yield member, member.processors
        if self.policy.selective_disabling:
            for half in controller.halves():
                yield from self.beside(half, member.processors, row)

    def beside(self, controller: Controller, used: frozenset[int], row: int) -> Iterator[tuple[Member, frozenset[int]]]:
        """Return the jobs that run under a controller on processors that a gang from above leaves idle."""
        if not controller.block & used:
            yield from self.turn(controller, row, row)
            return
        for half in controller.halves():
            yield from self.beside(half, used, row)

    def fill(self, cycle: list[Row]) -> None:
        """Let jobs run in addition in rows in which their processors are idle."""
        members = list(self.bound)
        pointer = 0
        for row in cycle:
            added = pointer
            for place in range(pointer, pointer + len(members)):
                member = members[place % len(members)]
                if not any(member.processors & used for used in row.values()):
                    row[member] = member.processors
                    added = place + 1
            pointer = added % len(members)


def schedule(policy: Policy, jobs: list[Job], processors: int) -> GangSchedule:
    """Run Distributed Hierarchical Control on jobs, on a machine of so many processors."""
    run = HierarchicalRun(policy, jobs, processors)
    run.go()
    return run.result(jobs)
