"""FCFS that gives each job as many processors as are free, in plain Python; the rate of a size is a fraction."""

import math
from fractions import Fraction
from typing import Any

from tests.oracles.job import Job

Allocation = tuple[int, int, int, int]
"""Number of a job, begin, end and processors."""


def rate(job: Job, size: int, processors: int) -> Fraction:
    """Return the speed-up on a size over that on the size asked for (Huang 2004, section 6.6)."""
    fewest, most = job.fewest(), job.most(processors)
    points = {
        fewest: Fraction(80, 100) * fewest,
        most: Fraction(50, 100) * most,
        job.size: Fraction(65, 100) * job.size,
    }
    if size in points:
        return points[size] / points[job.size]
    left, right = (fewest, job.size) if size < job.size else (job.size, most)
    speed = points[left] + (points[right] - points[left]) * Fraction(size - left, right - left)
    return speed / points[job.size]


def rate_by(law: dict[str, Any], best: int, size: int) -> Fraction:
    """Return the rate on a size by Amdahl's law or Downey's model, in multiples of that on the size asked for."""
    if law["speed_up"] == "amdahl":
        serial = Fraction(law["serial"])
        return (serial + (1 - serial) / best) / (serial + (1 - serial) / size)
    average, variance = Fraction(law.get("parallelism", 1)) * best, Fraction(law["variance"])
    speeds = [downey(Fraction(processors), max(average, Fraction(1)), variance) for processors in (size, best)]
    return speeds[0] / speeds[1]


def downey(n: Fraction, average: Fraction, variance: Fraction) -> Fraction:
    """Return the speed-up on n processors (Downey 1997, equations of low and of high variance)."""
    if variance <= 1:
        if n <= average:
            return average * n / (average + variance / 2 * (n - 1))
        if n <= 2 * average - 1:
            return average * n / (variance * (average - Fraction(1, 2)) + n * (1 - variance / 2))
        return average
    if n <= average + average * variance - variance:
        return n * average * (variance + 1) / (variance * (n + average - 1) + average)
    return average


def length(job: Job, size: int, processors: int) -> int:
    """Return how long a job runs on a size: its rate as the nearest double, and its time as whole microseconds, rounded up."""
    if size == job.size or job.flexibility == "rigid":
        return job.stay
    return math.ceil(job.stay / float(rate(job, size, processors)))


def widest_fcfs(jobs: list[Job], processors: int) -> list[Allocation]:
    """Return the allocations: the first in the queue starts on as many processors as it may have and as are free."""
    coming, queue = [job for job in jobs if job.size <= processors], list[Job]()
    running, found = list[tuple[int, int]](), list[Allocation]()
    while coming or queue:
        now = min([job.submit for job in coming[:1]] + [end for end, _ in running])
        running = [one for one in running if one[0] > now]
        while coming and coming[0].submit == now:
            queue.append(coming.pop(0))
        while queue:
            job, free = queue[0], processors - sum(size for _, size in running)
            sizes = [job.size] if job.flexibility == "rigid" else range(job.fewest(), job.most(processors) + 1)
            fitting = [size for size in sizes if size <= free]
            if not fitting:
                break
            queue.pop(0)
            end = now + length(job, max(fitting), processors)
            running.append((end, max(fitting)))
            found.append((job.job, now, end, max(fitting)))
    return sorted(found)
