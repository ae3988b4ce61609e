"""Intelligent fill: processors without an owner in the row get one by classification (da Silva 2000, section 8.4.3)."""

import numpy as np

from scheduler_core.concurrent_gang.state import READY
from scheduler_core.kernel.jit import kernel, kernel_step
from scheduler_core.kernel.records import Record


@kernel
def may_own(task: Record, for_io: bool, processors: np.ndarray) -> bool:
    """Return whether a task is ready and I/O-bound (or communicating), on a processor without an owner."""
    if task.state != READY or processors[task.processor].owner >= 0:
        return False
    return task.io_bound != 0 if for_io else task.communicating != 0


@kernel
def job_to_fill(for_io: bool, placed: np.ndarray, jobs: np.ndarray, tasks: np.ndarray, processors: np.ndarray) -> int:
    """Return the position of the job with most tasks that may own, -1 if there is none; jobs that communicate count whole."""
    best, most = -1, 0
    for position in placed:
        job = jobs[position]
        count = 0
        for task in range(job.first, job.first + job.width):
            count += may_own(tasks[task], for_io, processors)
        if count > most and (for_io or count == job.width):
            best, most = position, count
    return best


@kernel_step
def fill_slice(placed: np.ndarray, jobs: np.ndarray, tasks: np.ndarray, processors: np.ndarray) -> None:
    """Name owners for processors that have none in the row: step 5 of the clock.

    ``placed`` are the positions of the jobs that have not left, in the order in which they were placed.
    """
    for for_io in (True, False):
        position = job_to_fill(for_io, placed, jobs, tasks, processors)
        while position >= 0:
            job = jobs[position]
            for task in range(job.first, job.first + job.width):
                if may_own(tasks[task], for_io, processors):
                    processors[tasks[task].processor].owner = task
            position = job_to_fill(for_io, placed, jobs, tasks, processors)
