"""Lines of jobs, linked in both directions: a job joins or leaves anywhere at a constant cost.

A *line* is a record with the fields ``first`` and ``last`` (-1: it is empty), and maybe others. *Links* are an array of records,
one per job, with the fields ``next`` and ``previous`` (-1: there is none), and maybe others. A job is in one line at a time, so
that many lines can share one array of links.
"""

import numpy as np

from scheduler_core.kernel.jit import kernel
from scheduler_core.kernel.records import Record


@kernel
def join(before: int, after: int, line: Record, links: np.ndarray) -> None:
    """Make two jobs neighbours; -1 stands for the end of the line."""
    if before < 0:
        line.first = after
    else:
        links[before].next = after
    if after < 0:
        line.last = before
    else:
        links[after].previous = before


@kernel
def insert_before(job: int, after: int, line: Record, links: np.ndarray) -> None:
    """Put a job into a line before another job of it; at the end where ``after`` is -1."""
    before = line.last if after < 0 else links[after].previous
    join(before, job, line, links)
    join(job, after, line, links)


@kernel
def remove(job: int, line: Record, links: np.ndarray) -> None:
    """Take a job out of the line it is in; its own links stay as they were."""
    join(links[job].previous, links[job].next, line, links)
