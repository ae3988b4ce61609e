"""The world of preemptive and moldable policies: that of space sharing, in which jobs can be suspended and have several sizes."""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from scheduler_core.common.errors import PolicyError
from scheduler_core.common.units import MICROSECONDS
from scheduler_core.space_sharing.own_view import Job, Suspend, sizes_words
from scheduler_core.space_sharing.own_world import IDLE_CALLS, STRANGER, World, elements


def flat(chosen: Any) -> Iterator[Any]:
    """Yield the elements of a policy's answer, and of the lists in it."""
    for one in elements(chosen):
        if type(one) is list or type(one) is tuple:
            yield from flat(one)
        else:
            yield one


class Shape(NamedTuple):
    """The sizes of a job, ``fewest`` to ``most``. It asked for ``best``. If ``kept``, it has one size to its end.

    ``rate`` is its rate on a number of processors, in multiples of that on ``best``.
    """

    fewest: int
    best: int
    most: int
    kept: bool
    rate: Callable[[int], float]


@dataclass(frozen=True)
class Held:
    """A time in which the job of a position held its processors; ``work_us`` is what it did, as a time on its best size."""

    position: int
    begin_us: int
    end_us: int
    size: int
    rate: float
    work_us: int
    places: tuple[int, ...] | None


class PreemptiveWorld(World):
    """The state of a simulation whose jobs may be suspended, and be given sizes.

    ``run_us`` and ``left_us`` have what is left of the run time and of the estimate of each job at its last start, on its best
    size, and ``start_us`` that start. ``ran`` lists the times in which jobs held processors, once these have ended. A policy
    that ``suspends`` may return :class:`Suspend`. ``shapes`` has that of each job, and nothing if the policy chooses no sizes.
    """

    def __init__(self, *arguments: Any, suspends: bool, shapes: Sequence[Shape] = ()) -> None:
        super().__init__(*arguments)
        self.suspends, self.shapes = suspends, shapes
        self.left_us = [round(job.estimate * MICROSECONDS) for job in self.jobs]
        # Estimates are divided as `remaining` is later, so that equal times compare as equal to the last bit.
        known = zip(self.jobs, (left / MICROSECONDS for left in self.left_us), strict=True)
        self.jobs = [job._replace(estimate=s, remaining=s, suspended=False) for job, s in known]
        if shapes:
            self.jobs = [
                job._replace(sizes=range(shape.fewest, shape.most + 1), rate=shape.rate)
                for job, shape in zip(self.jobs, shapes, strict=True)
            ]
        self.rates = [1.0] * len(self.jobs)
        self.ran: list[Held] = []
        self.suspended: set[int] = set()  # by the answer that is being followed
        self.brief = 0  # suspensions in a row of jobs that ran for less than a second

    def instants(self) -> Iterator[int]:
        """Yield each time at which a policy is called, when running jobs show what remains of them; then end the last jobs."""
        for now in super().instants():
            for position, job in self.held.items():
                left = self.lasts_us(self.left_us[position], position) - (now - self.start_us[position])
                self.held[position] = job._replace(remaining=left / MICROSECONDS)
            yield now
        while self.ends:
            self.now, position = heapq.heappop(self.ends)
            self.end(position)

    def lasts_us(self, work_us: int, position: int) -> int:
        """Return how long work, as a time on the best size of a job, takes at its present rate."""
        rate = self.rates[position]
        return work_us if rate == 1 else math.ceil(work_us / rate)

    def length_us(self, position: int) -> int:
        """Return for how long a job runs, in microseconds, from its start now."""
        return self.lasts_us(self.run_us[position], position)

    def take(self, chosen: Any) -> None:
        """Suspend jobs first, and then do the rest of what a policy chose."""
        answer, self.suspended = list(flat(chosen)), set()
        if self.suspends:
            for one in answer:
                if type(one) is Suspend:
                    self.suspend(self.job_of(one.job))
            answer = [one for one in answer if type(one) is not Suspend]
        super().take(answer)

    def suspend(self, asked: Job) -> None:
        """Suspend a running job now: its processors are free, and it waits at its place in the order of submission."""
        job = self.held.get(asked.position, STRANGER)
        if job.number != asked.number:
            raise PolicyError(f"{self.where()}it suspends job {asked.number}, which {self.state_words(asked)}")
        position, ran_us = job.position, self.now - self.start_us[job.position]
        self.brief = self.brief + 1 if ran_us < MICROSECONDS else 0
        if self.brief == IDLE_CALLS:
            raise PolicyError(
                f"{self.where()}{self.brief:,} times in a row it suspends a job within a second of its start"
            )
        self.ends.remove((self.start_us[position] + self.length_us(position), position))
        heapq.heapify(self.ends)
        # Rounding must not end a job that has not ended.
        done_us = min(math.floor(ran_us * self.rates[position]), self.run_us[position] - 1)
        self.end(position, done_us)
        self.run_us[position] -= done_us
        self.left_us[position] -= done_us
        self.suspended.add(position)
        self.queue[position] = self.set_aside(job)
        for later in [other for other in self.queue if other > position]:
            self.queue.move_to_end(later)

    def set_aside(self, job: Job) -> Job:
        """Return a job that is suspended now, as its policy sees it: a moldable job keeps its size, another its best one."""
        job = job._replace(started=None, expected_end=None, processors=None, suspended=True)
        left = self.left_us[job.position]
        if self.shapes and self.shapes[job.position].kept:
            lasts = self.lasts_us(left, job.position)
            return job._replace(remaining=lasts / MICROSECONDS, sizes=range(job.size, job.size + 1))
        size = self.shapes[job.position].best if self.shapes else job.size
        return job._replace(remaining=left / MICROSECONDS, size=size)

    def end(self, position: int, done_us: int | None = None) -> None:
        """Release the processors of a job, which has done some of its work, by default all that was left."""
        work = self.run_us[position] if done_us is None else done_us
        size, rate, places = self.held[position].size, self.rates[position], self.placed.get(position)
        self.ran.append(Held(position, self.start_us[position], self.now, size, rate, work, places))
        super().end(position)

    def begin(self, asked: Job, processors: Iterable[int] | None = None, size: int | None = None) -> None:
        """Start or resume a waiting job now, on some size if the policy chooses sizes."""
        if asked.position in self.suspended:
            raise PolicyError(
                f"{self.where()}it suspends job {asked.number} and starts it in the same answer; resume it in a later call"
            )
        if not self.shapes:
            super().begin(asked, processors, size)
        else:
            self.start(self.given_size(self.queued(asked, "starts"), size), processors)
        job, end_us = self.held[asked.position], self.now + self.lasts_us(self.left_us[asked.position], asked.position)
        self.held[job.position] = job._replace(expected_end=end_us / MICROSECONDS, suspended=False)

    def given_size(self, job: Job, size: int | None) -> Job:
        """Return a waiting job with the size that it is given; it then has the rate of that size."""
        sizes = job.sizes or range(job.size, job.size + 1)
        given = job.size if size is None else size
        if isinstance(given, bool) or not isinstance(given, int | np.integer) or given not in sizes:
            kind = "" if len(sizes) > 1 else " and keeps its size" if job.suspended else " and is rigid"
            raise PolicyError(
                f"{self.where()}it starts job {job.number} on {given!r} processors; {sizes_words(sizes)}{kind}"
            )
        if len(sizes) > 1:
            self.rates[job.position] = self.shapes[job.position].rate(int(given))
        return job._replace(size=int(given))

    def state_words(self, asked: Job) -> str:
        """Return why a job cannot be started or suspended."""
        job = self.by_number.get(asked.number, STRANGER)
        if job.position in self.queue:
            return "is suspended already" if self.queue[job.position].suspended else "has not started yet"
        if job.position >= 0 and self.start_us[job.position] >= 0 and job.position not in self.held:
            return "has ended"
        return super().state_words(asked)
