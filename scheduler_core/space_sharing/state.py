"""What the event loop of space sharing keeps: the jobs, the machine, the rules; all flat arrays or plain numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scheduler_core.common.units import NEVER_US
from scheduler_core.kernel import heap
from scheduler_core.kernel.jit import kernel

if TYPE_CHECKING:
    from scheduler_core.kernel.profile import Profile
    from scheduler_core.kernel.queue import Queue

FREE, RUNNING, STARTED, WAITED, HELD, BLOCKED = range(COUNTS := 6)
"""Places in :attr:`Cluster.counts`.

Free processors; running jobs; jobs started so far, and the sum of their waits; reservations held; whether the last pass left
a job waiting for the sake of one.
"""

NOW, NEXT_JOB, DUE, GIVEN = range(CLOCKS := 4)
"""Places in :attr:`Cluster.clock`.

Time of the last instant; the next job to arrive; the time at which a pass is due though nothing ends and no job comes;
whether the plan was given processors since the last pass.
"""

NO_BACKFILL, EASY, CONSERVATIVE = range(3)
WAIT, SKIP = range(2)
BATCH, COMPLETIONS_FIRST, SUBMISSIONS_FIRST = range(3)
BY_POSITION, BY_START = range(2)
OCCUPIED, COUNTS_AS_FREE = range(2)
EACH_PASS, ONCE = range(2)
EXTRA, NOT_EXTRA = range(2)
BY_ESTIMATE, BY_RUN_TIME = range(2)
AGING_OFF, AGING_FIXED, AGING_MEAN = range(3)

PASSES, LOOKED_AT, BACKFILLED, MOVED = 0, 1, 2, 3
"""Places in the counters: passes made, backfill candidates looked at, jobs started out of order, reservations moved."""


class Jobs(NamedTuple):
    """What is asked, by position; times in microseconds."""

    submit: np.ndarray
    run: np.ndarray  # min(run time, estimate): how long the job will hold its processors
    estimate: np.ndarray
    tested: np.ndarray  # what a candidate's end is computed from, or the plan counts on: the estimate, or the run
    size: np.ndarray


class Cluster(NamedTuple):
    """The machine: running jobs by actual end (a heap) and by expected end (sorted), and every job's start.

    ``end_tie`` orders the completions of one instant: the job itself, or how many jobs had started before it; then
    ``started_as`` holds the jobs in the order of their starts.
    """

    counts: np.ndarray
    clock: np.ndarray
    end: np.ndarray
    end_tie: np.ndarray
    started_as: np.ndarray
    expected: np.ndarray
    expected_job: np.ndarray
    expected_size: np.ndarray
    start: np.ndarray  # -1 until the job starts


class Held(NamedTuple):
    """The reservations held from outside; ``counts[HELD]`` says how many there are.

    The event loop is given None where there are none: then it is compiled without the look at them, with which EASY takes a
    tenth longer.
    """

    begin: np.ndarray
    end: np.ndarray
    size: np.ndarray


class Rules(NamedTuple):
    """The parametrisation of the loop: the parameters of the policies under their own names, words as numbers."""

    backfill: int
    when_blocked: int
    order: int
    backfill_order: int
    own_candidates: bool  # the candidates are kept in an order that is not the queue's
    instant: int
    tied_completions: int
    ending_now: int
    extra_processors: bool
    reservation: int
    tied_releases: int
    candidate_runtime: int
    candidates: int  # 0: all
    reservations: int  # 0: all
    compression: bool
    short_limit: int
    medium_limit: int
    aging: int
    aging_time: int


@dataclass(slots=True)
class State:
    """All that the event loop reads and writes; nothing is kept elsewhere, so that several machines can run side by side."""

    jobs: Jobs
    cluster: Cluster
    held: Held
    rules: Rules
    queue: Queue
    candidates: Queue  # the queue again, where candidates have no order of their own
    profile: Profile
    reserved: np.ndarray
    reservation: np.ndarray
    counters: np.ndarray


def new_cluster(jobs: int, processors: int, by_start: bool = False) -> Cluster:
    """Make an idle machine, with room for every job that can run at once.

    A running job holds a processor, so there are at most as many as processors; twice that where the processors of jobs
    that end now are given away before their completions are taken.
    """
    room = min(jobs, 2 * processors) + 1
    clock = np.zeros(CLOCKS, np.int64)
    clock[DUE] = NEVER_US
    counts = np.zeros(COUNTS, np.int64)
    counts[FREE] = processors
    return Cluster(
        counts=counts,
        clock=clock,
        end=np.empty(room, np.int64),
        end_tie=np.empty(room, np.int32),
        started_as=np.empty(jobs if by_start else 0, np.int32),
        expected=np.empty(room, np.int64),
        expected_job=np.empty(room, np.int32),
        expected_size=np.empty(room, np.int64),
        start=np.full(jobs, -1, np.int64),
    )


def new_held(count: int) -> Held:
    """Make room for reservations."""
    return Held(*(np.zeros(count, np.int64) for _ in Held._fields))


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
def start_job(now: int, job: int, jobs: Jobs, cluster: Cluster, rules: Rules) -> None:
    """Give a job its processors; EASY also files it under its expected end."""
    size = jobs.size[job]
    count = cluster.counts[RUNNING]
    if rules.backfill == EASY:
        ends = now + jobs.estimate[job]
        place = expected_place(cluster, ends, job)
        for k in range(count, place, -1):
            cluster.expected[k] = cluster.expected[k - 1]
            cluster.expected_job[k] = cluster.expected_job[k - 1]
            cluster.expected_size[k] = cluster.expected_size[k - 1]
        cluster.expected[place] = ends
        cluster.expected_job[place] = job
        cluster.expected_size[place] = size
    tie = job
    if rules.tied_completions == BY_START:
        tie = cluster.counts[STARTED]
        cluster.started_as[tie] = job
    cluster.counts[RUNNING] = heap.push(cluster.end, cluster.end_tie, count, now + jobs.run[job], tie)
    cluster.counts[FREE] -= size
    cluster.counts[STARTED] += 1
    cluster.counts[WAITED] += now - jobs.submit[job]
    cluster.start[job] = now


@kernel
def job_of(tie: int, cluster: Cluster, rules: Rules) -> int:
    """Return the job that an entry of ``end_tie`` stands for."""
    return cluster.started_as[tie] if rules.tied_completions == BY_START else tie


@kernel
def complete_job(jobs: Jobs, cluster: Cluster, rules: Rules) -> int:
    """Take the next completion: the job gives its processors back. Returns the job."""
    job = job_of(cluster.end_tie[0], cluster, rules)
    if rules.backfill == EASY:
        place = expected_place(cluster, cluster.start[job] + jobs.estimate[job], job)
        for k in range(place, cluster.counts[RUNNING] - 1):
            cluster.expected[k] = cluster.expected[k + 1]
            cluster.expected_job[k] = cluster.expected_job[k + 1]
            cluster.expected_size[k] = cluster.expected_size[k + 1]
    cluster.counts[RUNNING] = heap.pop(cluster.end, cluster.end_tie, cluster.counts[RUNNING])
    cluster.counts[FREE] += jobs.size[job]
    return job
