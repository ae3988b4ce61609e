"""A waiting queue in one flat array: positions of jobs in a stated order.

``bounds`` holds the index of the head and one past the last job. ``key`` gives a job's place (smaller first, ties by
position): fixed keys keep the queue sorted as jobs are inserted; keys that change are written before
:func:`sort` puts the queue in order again. Where only the head is ever looked at, the same array can be a binary heap by key
(:func:`push`, :func:`pop`): a long queue then costs its logarithm per job, and not its length. The head of a heap is at index 0.
"""

from typing import NamedTuple

import numpy as np

from scheduler_core.kernel.jit import kernel

FIRST, LAST = 0, 1


class Queue(NamedTuple):
    """Positions of waiting jobs; see the module's text."""

    jobs: np.ndarray
    bounds: np.ndarray
    key: np.ndarray


def new_queue(jobs: int, key: np.ndarray) -> Queue:
    """Make an empty queue with room for every job to pass through once."""
    return Queue(np.empty(jobs, np.int32), np.zeros(2, np.int64), key)


@kernel
def append(queue: Queue, job: int) -> None:
    """Put a job at the end."""
    queue.jobs[queue.bounds[LAST]] = job
    queue.bounds[LAST] += 1


@kernel
def insert(queue: Queue, job: int) -> None:
    """Put a job at its place by key; it comes after jobs of the same key that are already there."""
    jobs, key = queue.jobs, queue.key
    first, last = queue.bounds[FIRST], queue.bounds[LAST]
    own = key[job]
    low, high = first, last
    while low < high:
        middle = (low + high) >> 1
        if key[jobs[middle]] <= own:
            low = middle + 1
        else:
            high = middle
    for k in range(last, low, -1):
        jobs[k] = jobs[k - 1]
    jobs[low] = job
    queue.bounds[LAST] = last + 1


@kernel
def comes_before(job: int, other: int, key: np.ndarray) -> bool:
    """Return whether a job's place is before another's."""
    return key[job] < key[other] or (key[job] == key[other] and job < other)


@kernel
def push(queue: Queue, job: int) -> None:
    """Put a job into a queue that is a heap."""
    jobs, place = queue.jobs, queue.bounds[LAST]
    queue.bounds[LAST] += 1
    while place > 0:
        above = (place - 1) >> 1
        if not comes_before(job, jobs[above], queue.key):
            break
        jobs[place] = jobs[above]
        place = above
    jobs[place] = job


@kernel
def pop(queue: Queue) -> None:
    """Take the head out of a queue that is a heap."""
    queue.bounds[LAST] -= 1
    jobs, count, place = queue.jobs, queue.bounds[LAST], 0
    moved = jobs[count]
    while True:
        below = 2 * place + 1
        if below >= count:
            break
        if below + 1 < count and comes_before(jobs[below + 1], jobs[below], queue.key):
            below += 1
        if comes_before(moved, jobs[below], queue.key):
            break
        jobs[place] = jobs[below]
        place = below
    jobs[place] = moved


@kernel
def sort(queue: Queue) -> None:
    """Put the queue in order of its keys, ties by position; quick when little has changed since the last time."""
    jobs, key = queue.jobs, queue.key
    first, last = queue.bounds[FIRST], queue.bounds[LAST]
    for k in range(first + 1, last):
        job = jobs[k]
        own = key[job]
        place = k
        while place > first:
            before = jobs[place - 1]
            if key[before] < own or (key[before] == own and before < job):
                break
            jobs[place] = before
            place -= 1
        jobs[place] = job


@kernel
def drop_started(queue: Queue, start: np.ndarray) -> None:
    """Remove the jobs that have a start time, keeping the order of the others."""
    first, last = waiting_still(queue.jobs, queue.bounds[FIRST], queue.bounds[LAST], start)
    queue.bounds[FIRST], queue.bounds[LAST] = first, last


@kernel
def waiting_still(jobs: np.ndarray, first: int, last: int, start: np.ndarray) -> tuple[int, int]:
    """Move the jobs between two places that have no start time together, in order; return the places they are between now."""
    while first < last and start[jobs[first]] >= 0:
        first += 1
    kept = first
    while kept < last and start[jobs[kept]] < 0:
        kept += 1
    for k in range(kept, last):
        if start[jobs[k]] < 0:
            jobs[kept] = jobs[k]
            kept += 1
    return first, kept
