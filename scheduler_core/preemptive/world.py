"""The world of preemptive policies: that of space sharing, in which running jobs can be suspended."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator
from typing import Any

from scheduler_core.common.errors import PolicyError
from scheduler_core.common.units import MICROSECONDS
from scheduler_core.space_sharing.own_view import Job, Suspend
from scheduler_core.space_sharing.own_world import IDLE_CALLS, STRANGER, World, elements


def flat(chosen: Any) -> Iterator[Any]:
    """Yield the elements of a policy's answer, and of the lists in it."""
    for one in elements(chosen):
        if type(one) is list or type(one) is tuple:
            yield from flat(one)
        else:
            yield one


class PreemptiveWorld(World):
    """The state of a simulation whose jobs may be suspended.

    ``run_us`` and ``left_us`` have what is left of the run time and of the estimate of each job, as of its last start, and
    ``start_us`` that start. ``allocations`` lists those that have ended: position of the job, begin, end, processors by number.
    """

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.left_us = [round(job.estimate * MICROSECONDS) for job in self.jobs]
        # Estimates are divided as `remaining` is later, so that equal times compare as equal to the last bit.
        known = zip(self.jobs, (left / MICROSECONDS for left in self.left_us), strict=True)
        self.jobs = [job._replace(estimate=s, remaining=s, suspended=False) for job, s in known]
        self.allocations: list[tuple[int, int, int, tuple[int, ...] | None]] = []
        self.suspended: set[int] = set()  # by the answer that is being followed
        self.brief = 0  # suspensions in a row of jobs that ran for less than a second

    def instants(self) -> Iterator[int]:
        """Yield each time at which a policy is called, when running jobs show what remains of them; then end the last jobs."""
        for now in super().instants():
            for position, job in self.held.items():
                left = self.left_us[position] - (now - self.start_us[position])
                self.held[position] = job._replace(remaining=left / MICROSECONDS)
            yield now
        while self.ends:
            self.now, position = heapq.heappop(self.ends)
            self.end(position)

    def take(self, chosen: Any) -> None:
        """Suspend jobs first, and then do the rest of what a policy chose."""
        answer, self.suspended = list(flat(chosen)), set()
        for one in answer:
            if type(one) is Suspend:
                self.suspend(self.job_of(one.job))
        super().take([one for one in answer if type(one) is not Suspend])

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
        self.ends.remove((self.start_us[position] + self.run_us[position], position))
        heapq.heapify(self.ends)
        self.end(position)
        self.run_us[position] -= ran_us
        self.left_us[position] -= ran_us
        self.suspended.add(position)
        self.queue[position] = job._replace(started=None, expected_end=None, processors=None, suspended=True)
        for later in [other for other in self.queue if other > position]:
            self.queue.move_to_end(later)

    def end(self, position: int) -> None:
        """Release the processors of a job, and list its allocation."""
        self.allocations.append((position, self.start_us[position], self.now, self.placed.get(position)))
        super().end(position)

    def begin(self, asked: Job, processors: Iterable[int] | None = None) -> None:
        """Start or resume a waiting job now."""
        if asked.position in self.suspended:
            raise PolicyError(
                f"{self.where()}it suspends job {asked.number} and starts it in the same answer; resume it in a later call"
            )
        super().begin(asked, processors)
        job, end_us = self.held[asked.position], self.now + self.left_us[asked.position]
        self.held[job.position] = job._replace(expected_end=end_us / MICROSECONDS, suspended=False)

    def state_words(self, asked: Job) -> str:
        """Return why a job cannot be started or suspended."""
        job = self.by_number.get(asked.number, STRANGER)
        if job.position in self.queue:
            return "is suspended already" if self.queue[job.position].suspended else "has not started yet"
        if job.position >= 0 and self.start_us[job.position] >= 0 and job.position not in self.held:
            return "has ended"
        return super().state_words(asked)
