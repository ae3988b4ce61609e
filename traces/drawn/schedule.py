"""The recorded waits of the drawn log: EASY backfilling in each partition, with cancellations and an outage.

The queue is in the order of submission. Its head has a reservation at the earliest time at which enough processors will be free
if all jobs run to their limits; every pass computes it again. Other jobs start if they end before that time or leave the head's
processors alone. At one instant completions, cancellations and submissions come first, then one pass. These are the defaults of
slotwise's policy ``easy``; the tests compare both.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence

from traces.drawn.jobs import CANCELLED, FAILED, Job


def give_waits(jobs: Sequence[Job], processors: int, outage: tuple[int, int] | None = None) -> None:
    """Set ``wait`` of every job of a partition, and ``runtime`` and ``status`` of jobs that an outage or a lost patience ends."""
    machine = Machine(processors)
    events = sorted(
        {job.submit for job in jobs} | {job.submit + job.patience for job in jobs if job.patience is not None}
    )
    events += outage or ()
    heapq.heapify(events)
    coming = 0
    while events:
        now = heapq.heappop(events)
        while events and events[0] == now:
            heapq.heappop(events)
        down = outage is not None and outage[0] <= now < outage[1]
        machine.complete(now)
        if down:
            machine.crash(now)
        machine.cancel(now)
        while coming < len(jobs) and jobs[coming].submit <= now:
            machine.queue.append(jobs[coming])
            coming += 1
        if not down:
            for end in machine.start_jobs(now):
                heapq.heappush(events, end)


class Machine:
    """The processors of a partition, its running jobs and its queue."""

    def __init__(self, processors: int) -> None:
        self.free = processors
        self.queue: list[Job] = []
        self.running: list[Job] = []

    def complete(self, now: int) -> None:
        """Release the processors of jobs that have ended."""
        ended = [job for job in self.running if end_of(job) <= now]
        self.running = [job for job in self.running if end_of(job) > now]
        self.free += sum(job.size for job in ended)

    def crash(self, now: int) -> None:
        """End all running jobs."""
        for job in self.running:
            job.runtime, job.status = max(1, now - start_of(job)), FAILED
        self.free += sum(job.size for job in self.running)
        self.running = []

    def cancel(self, now: int) -> None:
        """Remove waiting jobs that have lost patience."""
        for job in self.queue:
            if job.patience is not None and job.submit + job.patience <= now:
                job.status = CANCELLED
        self.queue = [job for job in self.queue if job.status != CANCELLED or job.patience is None]

    def start_jobs(self, now: int) -> list[int]:
        """Make a pass of EASY backfilling; return when the started jobs end."""
        started = []
        while self.queue and self.queue[0].size <= self.free:
            started.append(self.start(self.queue[0], now))
        if self.queue:
            shadow, extra = self.reservation()
            for job in self.queue[1:]:
                fits_before = now + job.limit <= shadow
                if job.size <= self.free and (fits_before or job.size <= extra):
                    extra -= 0 if fits_before else job.size
                    started.append(self.start(job, now))
        return started

    def start(self, job: Job, now: int) -> int:
        """Start a waiting job; return when it ends."""
        self.queue = [other for other in self.queue if other is not job]
        self.running.append(job)
        self.free -= job.size
        job.wait = now - job.submit
        return end_of(job)

    def reservation(self) -> tuple[int, int]:
        """Return when the head will start at the latest, and how many processors it leaves free then."""
        free, shadow = self.free, 0
        ends = sorted((start_of(job) + job.limit, job.size) for job in self.running)
        for end, size in ends:
            if free >= self.queue[0].size and end > shadow:
                break
            free, shadow = free + size, end
        return shadow, free - self.queue[0].size


def start_of(job: Job) -> int:
    """Return when a running job started."""
    return job.submit + (job.wait or 0)


def end_of(job: Job) -> int:
    """Return when a running job ends."""
    return start_of(job) + job.runtime
