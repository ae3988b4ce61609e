"""What runs of each user, counted where a policy has ceilings.

:class:`~scheduler_core.space_sharing.policy.SpaceSharingPolicy` defines the ceilings, and
:mod:`~scheduler_core.space_sharing.passing_over` keeps them.
"""

from typing import NamedTuple

import numpy as np

from scheduler_core.kernel.jit import kernel


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


def new_ceilings(user: np.ndarray) -> Ceilings:
    """Return the count of an idle machine from the user of each job, from 0; -1 stands for an unknown one."""
    users = int(user.max(initial=-1)) + 1
    running, processors, remaining, at = (np.zeros(users, np.int64) for _ in range(4))
    return Ceilings(user, running, processors, remaining, at, np.empty(len(user), np.int32), np.zeros(1, np.int64))


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
