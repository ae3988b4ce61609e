"""Intelligent fill: processors without an owner in the row get one by classification (da Silva 2000, section 8.4.3)."""

from __future__ import annotations

import numpy as np

from scheduler_core.kernel.jit import kernel, kernel_step

NO_CANDIDATE, READY_IO, READY_COMMUNICATING = 0, 1, 2
"""What a task is to the fill: ready and I/O-bound, ready and communicating, or neither."""


@kernel
def own_slice(
    job: int, kind: int, owner: np.ndarray, first_task: np.ndarray, bound_to: np.ndarray, candidate: np.ndarray
) -> None:
    """Make tasks of one kind of a job owners of the slice, on processors that have none."""
    for task in range(first_task[job], first_task[job + 1]):
        if candidate[task] == kind and owner[bound_to[task]] < 0:
            owner[bound_to[task]] = task


@kernel_step
def fill_slice(
    owner: np.ndarray,
    placed: np.ndarray,
    count: int,
    first_task: np.ndarray,
    bound_to: np.ndarray,
    candidate: np.ndarray,
) -> None:
    """Name owners for processors that have none in the row: step 5 of the clock.

    Parameters
    ----------
    owner
        The number of the task that owns the slice on each processor, -1 where none does; it is changed.
    placed, count
        Positions of the jobs that have not left, in the order in which they were placed, and how many there are.
    first_task
        The number of the first task of the job at each position; one entry more than jobs.
    bound_to
        The processor of each task.
    candidate
        The kind of each task of the placed jobs.
    """
    while True:
        best, most = -1, 0
        for k in range(count):
            tasks = 0
            for task in range(first_task[placed[k]], first_task[placed[k] + 1]):
                if candidate[task] == READY_IO and owner[bound_to[task]] < 0:
                    tasks += 1
            if tasks > most:
                best, most = placed[k], tasks
        if best < 0:
            break
        own_slice(best, READY_IO, owner, first_task, bound_to, candidate)
    while True:
        best, most = -1, 0
        for k in range(count):
            begin, end = first_task[placed[k]], first_task[placed[k] + 1]
            task = begin
            while task < end and candidate[task] == READY_COMMUNICATING and owner[bound_to[task]] < 0:
                task += 1
            if task == end and end - begin > most:
                best, most = placed[k], end - begin
        if best < 0:
            break
        own_slice(best, READY_COMMUNICATING, owner, first_task, bound_to, candidate)
