"""The dynamic directory: registrations of jobs, measurements of their applications, and samples of what is available.

Only the scheduler has access to the first two (:class:`Directory`). The samples (:class:`Monitor`) are for users and other sites.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from scheduler_core.coscheduling.share_jobs import ShareJob

SAMPLES = 10
"""Measurements over which a mean slides."""


def latest() -> deque[int]:
    """Return an empty list of measurements that keeps only the latest."""
    return deque(maxlen=SAMPLES)


class Registration(NamedTuple):
    """A job's application (0: none) and estimate, as registered when it was submitted."""

    application: int
    estimate: int


class Directory:
    """The scheduler's knowledge: registrations of jobs, and measurements of their applications."""

    def __init__(self, learns: bool) -> None:
        self.learns = learns
        self.registered: dict[ShareJob, Registration] = {}
        self.run_times: dict[int, deque[int]] = {}
        self.slowdowns: dict[tuple[int, int], deque[int]] = {}

    def register(self, job: ShareJob) -> None:
        """Register a job as it is submitted."""
        self.registered[job] = Registration(job.application, job.estimate)

    def record_run(self, job: ShareJob, work: int) -> None:
        """Record the work of a job as it leaves."""
        self.run_times.setdefault(self.registered.pop(job).application, latest()).append(work)

    def record_slowdown(self, application: int, beside: int, slowdown: int) -> None:
        """Record the slowdown of an application beside another."""
        self.slowdowns.setdefault((application, beside), latest()).append(slowdown)

    def run_time(self, job: ShareJob) -> int:
        """Return the predicted work of a job: the recent mean of its application, at most its estimate."""
        application, estimate = self.registered[job]
        measured = self.run_times.get(application) if self.learns and application else None
        return min(estimate, sum(measured) // len(measured)) if measured else estimate

    def work_left(self, job: ShareJob, done: int) -> int:
        """Return the predicted remaining work of a running job; by its estimate once it exceeds the prediction."""
        left = self.run_time(job) - done
        return left if left > 0 else job.estimate - done

    def measured_slowdown(self, application: int, beside: int) -> int | None:
        """Return the recent mean slowdown of an application beside another; None: they never ran together."""
        measured = self.slowdowns.get((application, beside))
        return sum(measured) // len(measured) if measured else None


class Monitor:
    """The share of the site that is available, sampled at the multiples of a period, and how wrong forecasts of it are.

    A forecast is the mean of the latest samples. ``available`` is all less the shares assigned: a sum over jobs, which tells
    nothing of a single one.
    """

    def __init__(self, period: int, begin: int, available: int) -> None:
        self.period, self.until, self.available = period, begin, available
        self.samples = latest()
        self.compared = self.distance = 0

    def observe(self, now: int) -> None:
        """Take the samples due by now; nothing has changed between them."""
        number = now // self.period - self.until // self.period
        self.until = now
        for _ in range(min(number, SAMPLES + 1)):  # from then on forecasts are what is sampled
            if self.samples:
                self.distance += abs(sum(self.samples) // len(self.samples) - self.available)
                self.compared += 1
            self.samples.append(self.available)
        self.compared += max(0, number - SAMPLES - 1)

    @property
    def error(self) -> int:
        """How far forecasts were from the next sample, on average."""
        return self.distance // self.compared if self.compared else 0
