"""What holds waiting jobs: the running jobs of each user, where a policy has ceilings, and closed hours.

:class:`~scheduler_core.space_sharing.policy.SpaceSharingPolicy` defines both, and
:mod:`~scheduler_core.space_sharing.passing_over` keeps them.
"""

from typing import NamedTuple

import numpy as np

from scheduler_core.common.units import NEVER_US
from scheduler_core.kernel.jit import kernel


class ClosedHours(NamedTuple):
    """Closed hours: those of one group of jobs are together and in order.

    ``group`` is that of each job; -1 where no hours are closed to it. ``next`` is the row of each group that lasts or comes next,
    up to ``last``, the row behind its own.
    """

    group: np.ndarray
    next: np.ndarray
    last: np.ndarray
    begin: np.ndarray
    end: np.ndarray


class Ceilings(NamedTuple):
    """The running jobs of each user, by the user's place among the numbers of users.

    ``remaining`` is the remaining requested time of a user's running jobs at the time ``at``, in processors times microseconds.
    ``aside`` has the jobs that a pass has taken from the front of the queue, ``passed`` in number.
    """

    user: np.ndarray  # of each job; -1 where it is unknown, and no ceiling holds the job
    running: np.ndarray
    processors: np.ndarray
    remaining: np.ndarray
    at: np.ndarray
    aside: np.ndarray
    passed: np.ndarray  # one entry
    closed: ClosedHours


def new_ceilings(user: np.ndarray, closed: ClosedHours | None) -> Ceilings:
    """Return the count of an idle machine from the user of each job, from 0; -1 stands for an unknown one."""
    users = int(user.max(initial=-1)) + 1
    running, processors, remaining, at = (np.zeros(users, np.int64) for _ in range(4))
    if closed is None:
        closed = ClosedHours(np.full(len(user), -1, np.int64), *(np.empty(0, np.int64) for _ in range(4)))
    return Ceilings(
        user, running, processors, remaining, at, np.empty(len(user), np.int32), np.zeros(1, np.int64), closed
    )


@kernel
def closed_until(now: int, job: int, closed: ClosedHours) -> int:
    """Return the end of the closed hours of a job that last now; -1 if the job may start."""
    row = row_of_closed(now, closed.group[job], closed)
    return closed.end[row] if row >= 0 and closed.begin[row] <= now else -1


@kernel
def row_of_closed(now: int, group: int, closed: ClosedHours) -> int:
    """Return the row of the closed hours of a group that last now, or come next; -1 if there are no more."""
    if group < 0:
        return -1
    while closed.next[group] < closed.last[group] and closed.end[closed.next[group]] <= now:
        closed.next[group] += 1
    return closed.next[group] if closed.next[group] < closed.last[group] else -1


@kernel
def next_boundary(now: int, job: int, closed: ClosedHours) -> int:
    """Return the next time at which closed hours of a job begin or end; NEVER_US if there is none."""
    row = row_of_closed(now, closed.group[job], closed)
    if row < 0:
        return NEVER_US
    return closed.end[row] if closed.begin[row] <= now else closed.begin[row]


@kernel
def remaining_of(now: int, user: int, ceilings: Ceilings) -> int:
    """Return the remaining requested time of a user's running jobs, in processors times microseconds."""
    ceilings.remaining[user] -= ceilings.processors[user] * (now - ceilings.at[user])
    ceilings.at[user] = now
    return ceilings.remaining[user]


@kernel
def count_start(now: int, job: int, size: int, estimate: int, ceilings: Ceilings | None) -> None:
    """Count a job that starts among the running ones of its user."""
    if ceilings is not None:
        change_count(now, ceilings.user[job], 1, size, estimate, ceilings)


@kernel
def count_end(now: int, job: int, size: int, expected_end: int, ceilings: Ceilings | None) -> None:
    """Take a job that ends, perhaps before its expected end, from the running ones of its user."""
    if ceilings is not None:
        change_count(now, ceilings.user[job], -1, size, expected_end - now, ceilings)


@kernel
def change_count(now: int, user: int, jobs: int, size: int, left: int, ceilings: Ceilings) -> None:
    """Add a job with ``left`` microseconds of its estimate to the running ones of a user, or take it away (``jobs`` -1)."""
    if user >= 0:
        remaining_of(now, user, ceilings)
        ceilings.running[user] += jobs
        ceilings.processors[user] += jobs * size
        ceilings.remaining[user] += jobs * np.int64(size) * left
