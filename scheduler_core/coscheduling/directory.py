"""The dynamic directory: registrations of jobs, measurements of their applications, and statistics of the site.

Only the scheduler has access to the first two (:class:`Directory`). Users and other sites ask the :class:`Monitor`, which
knows sums over jobs but nothing about a single job.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, fields
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


@dataclass(frozen=True)
class SiteStatistics:
    """The statistics of the site that others may see.

    ``available_share_ppm`` is the part of the processors' time that is assigned to no job, ``available_memory_kb`` the memory of
    a processor that no job holds (0 where the machine's is not known); ``running`` and ``waiting`` count jobs.
    """

    available_share_ppm: int
    available_memory_kb: int
    running: int
    waiting: int


class Monitor:
    """Statistics of the site, sampled at the multiples of a period, and forecasts of them."""

    def __init__(self, period: int, begin: int, statistics: SiteStatistics) -> None:
        self.period, self.until, self.current = period, begin, statistics
        self.samples: deque[SiteStatistics] = deque(maxlen=SAMPLES)
        self.compared = self.distance = self.asked = 0

    def observe(self, now: int) -> None:
        """Take the samples due by now; nothing has changed between them."""
        number = now // self.period - self.until // self.period
        self.until = now
        for _ in range(min(number, SAMPLES + 1)):  # from then on forecasts are what is sampled
            if self.samples:
                self.distance += abs(self.mean_of("available_share_ppm") - self.current.available_share_ppm)
                self.compared += 1
            self.samples.append(self.current)
        self.compared += max(0, number - SAMPLES - 1)

    def forecast(self) -> SiteStatistics:
        """Return the forecast: the mean of the latest samples, or the present statistics if there are none."""
        return SiteStatistics(*(self.mean_of(entry.name) for entry in fields(SiteStatistics)))

    def mean_of(self, name: str) -> int:
        """Return the forecast of one statistic."""
        samples = self.samples or [self.current]
        return sum(getattr(sample, name) for sample in samples) // len(samples)

    def statistics(self) -> tuple[SiteStatistics, SiteStatistics]:
        """Answer a user or another site: the latest sample, and the forecast."""
        self.asked += 1
        return self.samples[-1] if self.samples else self.current, self.forecast()

    @property
    def error(self) -> int:
        """How far forecasts of the available share were from the next sample, on average."""
        return self.distance // self.compared if self.compared else 0
