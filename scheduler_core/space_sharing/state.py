"""What the event loop of space sharing keeps: the jobs, the machine, the rules; all flat arrays or plain numbers."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from scheduler_core.kernel import heap
from scheduler_core.kernel.jit import kernel

FREE, RUNNING, STARTED, WAITED = 0, 1, 2, 3
"""Places in :attr:`Cluster.counts`: free processors, running jobs, jobs started so far, and the sum of their waits."""

NO_BACKFILL, SKIP, EASY, CONSERVATIVE = 0, 1, 2, 3
BATCH, COMPLETIONS_FIRST, SUBMISSIONS_FIRST = 0, 1, 2
AS_SUBMITTED, BY_KEY, BY_SLOWDOWN, BY_LEVEL = 0, 1, 2, 3
AGING_OFF, AGING_FIXED, AGING_MEAN = 0, 1, 2

PASSES, LOOKED_AT, BACKFILLED, MOVED = 0, 1, 2, 3
"""Places in the counters: passes made, backfill candidates looked at, jobs started out of order, reservations moved."""


class Jobs(NamedTuple):
    """What is asked, by position; times in microseconds."""

    submit: np.ndarray
    run: np.ndarray  # min(run time, estimate): how long the job will hold its processors
    estimate: np.ndarray
    tested: np.ndarray  # what a candidate's end is computed from: the estimate, or the run
    size: np.ndarray


class Cluster(NamedTuple):
    """The machine: running jobs by actual end (a heap) and by expected end (sorted), and every job's start."""

    counts: np.ndarray
    end: np.ndarray
    end_job: np.ndarray
    expected: np.ndarray
    expected_job: np.ndarray
    expected_size: np.ndarray
    start: np.ndarray  # -1 until the job starts


class Rules(NamedTuple):
    """The parametrisation of the loop; every policy of the family is one of these."""

    backfill: int
    order: int
    backfill_order: int
    own_candidates: bool  # the candidates are kept in an order that is not the queue's
    instant: int
    ending_now_is_free: bool
    extra_processors: bool
    reserve_once: bool
    ties_are_extra: bool
    tested_by_estimate: bool
    candidates: int  # 0: all
    reservations: int  # 0: all
    compression: bool
    short_max: int
    medium_max: int
    aging: int
    aging_time: int


def new_cluster(jobs: int, processors: int) -> Cluster:
    """Make an idle machine, with room for every job that can run at once.

    A running job holds a processor, so there are at most as many as processors; twice that where the processors of jobs
    that end now are given away before their completions are taken.
    """
    room = min(jobs, 2 * processors) + 1
    times = [np.empty(room, np.int64) for _ in range(2)]
    return Cluster(
        counts=np.array([processors, 0, 0, 0], np.int64),
        end=times[0],
        end_job=np.empty(room, np.int32),
        expected=times[1],
        expected_job=np.empty(room, np.int32),
        expected_size=np.empty(room, np.int64),
        start=np.full(jobs, -1, np.int64),
    )


@kernel
def expected_place(cluster: Cluster, time: int, job: int) -> int:
    """Find the place of (expected end, position) among the running jobs."""
    low, high = 0, cluster.counts[RUNNING]
    while low < high:
        middle = (low + high) >> 1
        there = cluster.expected[middle]
        if there < time or (there == time and cluster.expected_job[middle] < job):
            low = middle + 1
        else:
            high = middle
    return low


@kernel
def start_job(now: int, job: int, jobs: Jobs, cluster: Cluster, expects: bool) -> None:
    """Give a job its processors; ``expects`` also files it under its expected end."""
    size = jobs.size[job]
    count = cluster.counts[RUNNING]
    if expects:
        ends = now + jobs.estimate[job]
        place = expected_place(cluster, ends, job)
        for k in range(count, place, -1):
            cluster.expected[k] = cluster.expected[k - 1]
            cluster.expected_job[k] = cluster.expected_job[k - 1]
            cluster.expected_size[k] = cluster.expected_size[k - 1]
        cluster.expected[place] = ends
        cluster.expected_job[place] = job
        cluster.expected_size[place] = size
    cluster.counts[RUNNING] = heap.push(cluster.end, cluster.end_job, count, now + jobs.run[job], job)
    cluster.counts[FREE] -= size
    cluster.counts[STARTED] += 1
    cluster.counts[WAITED] += now - jobs.submit[job]
    cluster.start[job] = now


@kernel
def complete_job(jobs: Jobs, cluster: Cluster, expects: bool) -> int:
    """Take the next completion: the job gives its processors back. Gives the job."""
    job = cluster.end_job[0]
    if expects:
        place = expected_place(cluster, cluster.start[job] + jobs.estimate[job], job)
        for k in range(place, cluster.counts[RUNNING] - 1):
            cluster.expected[k] = cluster.expected[k + 1]
            cluster.expected_job[k] = cluster.expected_job[k + 1]
            cluster.expected_size[k] = cluster.expected_size[k + 1]
    cluster.counts[RUNNING] = heap.pop(cluster.end, cluster.end_job, cluster.counts[RUNNING])
    cluster.counts[FREE] += jobs.size[job]
    return job
