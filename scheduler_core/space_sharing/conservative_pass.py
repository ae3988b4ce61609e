"""One pass of conservative backfilling: plan the arrivals, move reservations forward, start what is due."""

from __future__ import annotations

import numpy as np

from scheduler_core.common.units import NEVER_US
from scheduler_core.kernel.jit import kernel
from scheduler_core.kernel.profile import Profile, add, earlier, earliest
from scheduler_core.kernel.queue import FIRST, LAST, Queue
from scheduler_core.space_sharing.state import MOVED, Cluster, Jobs, Rules, start_job


@kernel
def plan_queue(
    now: int,
    queue: Queue,
    jobs: Jobs,
    profile: Profile,
    reserved: np.ndarray,
    compress: bool,
    counters: np.ndarray,
) -> None:
    """Go once over the queue: give arrivals a reservation, and with ``compress`` move the others forward.

    ``reserved`` is the begin of each job's reservation, -1 for an arrival.
    """
    for k in range(queue.bounds[FIRST], queue.bounds[LAST]):
        job = queue.jobs[k]
        if reserved[job] < 0:
            plan_arrival(now, job, jobs, profile, reserved)
        elif compress and reserved[job] > now:
            size, length = jobs.size[job], jobs.tested[job]
            begin = earlier(profile, now, size, length, reserved[job])
            if begin < reserved[job]:
                add(profile, reserved[job], reserved[job] + length, size)
                add(profile, begin, begin + length, -size)
                reserved[job] = begin
                counters[MOVED] += 1


@kernel
def plan_arrival(now: int, job: int, jobs: Jobs, profile: Profile, reserved: np.ndarray) -> None:
    """Give a job that has just arrived its reservation."""
    begin = earliest(profile, now, jobs.size[job], jobs.tested[job])
    add(profile, begin, begin + jobs.tested[job], -jobs.size[job])
    reserved[job] = begin


@kernel
def start_due(now: int, queue: Queue, jobs: Jobs, cluster: Cluster, rules: Rules, reserved: np.ndarray) -> int:
    """Start every job whose reservation begins now; return the begin of the next reservation."""
    due = NEVER_US
    waiting = queue.jobs
    first, last = queue.bounds[FIRST], queue.bounds[LAST]
    kept = first
    for k in range(first, last):
        job = waiting[k]
        if reserved[job] == now:
            start_job(now, job, jobs, cluster, rules)
        else:
            due = min(due, reserved[job])
            waiting[kept] = job
            kept += 1
    if kept == first:
        queue.bounds[FIRST] = last
    else:
        queue.bounds[LAST] = kept
    return due
