"""What follows from estimates: a small copy of a machine goes on until one more job starts.

The copy holds what is left of the machine, running and waiting jobs alone, in their order; every job runs for its estimate.
"""

from __future__ import annotations

import numpy as np

from scheduler_core.common.units import NEVER_US
from scheduler_core.kernel import heap
from scheduler_core.kernel.jit import kernel, kernel_entry
from scheduler_core.kernel.profile import earliest
from scheduler_core.kernel.queue import FIRST, LAST, Queue
from scheduler_core.space_sharing.easy_pass import HEAD
from scheduler_core.space_sharing.state import BY_START, EASY, HELD, NEXT_JOB, NOW, RUNNING, job_of
from scheduler_core.space_sharing.stepped_state import (
    CANDIDATE_KEY,
    CLOCK,
    ESTIMATE,
    FEW,
    KEY,
    KNOWN,
    MOVED_TO,
    OLDEST,
    RUN,
    SIZE,
    START,
    SUBMIT,
    TESTED,
    Blocks,
    Parts,
    parts_of,
)


@kernel_entry
def copy_with(
    at: int, size: int, length: int, key: int, candidate_key: int, machine: Blocks, believed: Blocks, step: np.ndarray
) -> int:
    """Make the copy, with one more job that comes at a time, behind all others; return the place of that job there.

    The keys are those of the job where the queue, or the candidates, are kept by keys.
    """
    parts, copy, times = parts_of(machine), parts_of(believed), believed.times
    moved_to = machine.places[MOVED_TO]
    for row in range(FEW):
        for k in range(8):
            believed.few[row, k] = machine.few[row, k]
    new = copy_jobs(machine, believed, step)
    copy.cluster.clock[NEXT_JOB] = new
    copy_running(parts, copy, moved_to)
    copy_queue(parts.queue, copy.queue, moved_to)
    if parts.rules.own_candidates:
        copy_queue(parts.candidates, copy.candidates, moved_to)
    copy_held(parts, copy)
    head = parts.reservation[HEAD]
    copy.reservation[HEAD] = moved_to[head] if head >= 0 and parts.cluster.start[head] < 0 else -1
    times[SUBMIT, new], times[START, new], times[SUBMIT, new + 1] = at, -1, NEVER_US
    times[RUN, new], times[ESTIMATE, new], times[TESTED, new] = length, length, length
    times[KEY, new], times[CANDIDATE_KEY, new] = key, candidate_key
    believed.places[SIZE, new] = size
    return new


@kernel_entry
def earliest_in_plan(at: int, size: int, length: int, machine: Blocks) -> int:
    """Return the earliest time from which a plan has processors for so long."""
    return earliest(parts_of(machine).profile, at, size, length)


@kernel
def copy_jobs(machine: Blocks, believed: Blocks, step: np.ndarray) -> int:
    """Copy the jobs that run or wait, in order of position, for their estimates; return how many there are."""
    times, its = machine.times, believed.times
    now = machine.few[CLOCK, NOW]
    first, count = step[KNOWN], 0
    for job in range(step[OLDEST], step[KNOWN]):
        if times[START, job] >= 0 and times[START, job] + times[RUN, job] <= now:
            continue
        first = min(first, job)
        machine.places[MOVED_TO, job] = count
        its[SUBMIT, count] = times[SUBMIT, job]
        its[RUN, count] = times[ESTIMATE, job]
        its[ESTIMATE, count] = times[ESTIMATE, job]
        its[TESTED, count] = times[TESTED, job]
        its[START, count] = times[START, job]
        its[KEY, count] = times[KEY, job]
        its[CANDIDATE_KEY, count] = times[CANDIDATE_KEY, job]
        believed.places[SIZE, count] = machine.places[SIZE, job]
        count += 1
    step[OLDEST] = first
    return count


@kernel
def copy_running(parts: Parts, copy: Parts, moved_to: np.ndarray) -> None:
    """Copy the running jobs, as they are believed to end."""
    cluster, its = parts.cluster, copy.cluster
    for k in range(cluster.counts[RUNNING]):
        tie = cluster.end_tie[k]
        job = moved_to[job_of(tie, cluster, parts.rules)]
        if parts.rules.tied_completions == BY_START:
            its.started_as[tie] = job
        else:
            tie = job
        heap.push(its.end, its.end_tie, k, its.start[job] + copy.jobs.run[job], tie)
        if parts.rules.backfill == EASY:
            its.expected[k] = cluster.expected[k]
            its.expected_job[k] = moved_to[cluster.expected_job[k]]
            its.expected_size[k] = cluster.expected_size[k]


@kernel
def copy_queue(queue: Queue, copy: Queue, moved_to: np.ndarray) -> None:
    """Copy a queue."""
    first, last = queue.bounds[FIRST], queue.bounds[LAST]
    for k in range(first, last):
        copy.jobs[k - first] = moved_to[queue.jobs[k]]
    copy.bounds[FIRST], copy.bounds[LAST] = 0, last - first


@kernel
def copy_held(parts: Parts, copy: Parts) -> None:
    """Copy what is held."""
    for k in range(parts.cluster.counts[HELD]):
        copy.held.begin[k] = parts.held.begin[k]
        copy.held.end[k] = parts.held.end[k]
        copy.held.size[k] = parts.held.size[k]
