"""The recent usage of each user, counted where an order is fair share.

:class:`~scheduler_core.space_sharing.policy.SpaceSharingPolicy` defines the order.
"""

from typing import NamedTuple

import numpy as np

from scheduler_core.kernel.jit import kernel, kernel_step
from scheduler_core.kernel.queue import FIRST, LAST, Queue
from scheduler_core.kernel.records import Record


class Usage(NamedTuple):
    """The recent usage of each account, in processors times microseconds, at the time ``at``.

    Account 0 is that of all jobs, account 1 that of the jobs whose user is unknown; one for each user follows.
    """

    account: np.ndarray  # of each job
    submit: np.ndarray  # when the order of submission takes each job as submitted, in microseconds
    used: np.ndarray
    processors: np.ndarray  # of the running jobs
    at: np.ndarray


def new_usage(user: np.ndarray, submit: np.ndarray) -> Usage:
    """Return the usage of an idle machine from the user of each job, from 0, and its submission; user -1 is unknown."""
    used, processors, at = (np.zeros(int(user.max(initial=-1)) + 3, np.int64) for _ in range(3))
    return Usage(user + 2, np.array(submit), used, processors, at)


@kernel
def count_processors(now: int, job: int, processors: int, usage: Usage | None, rules: Record) -> None:
    """Count the processors that a job takes, or gives back (less than 0), among those of its user and of all jobs."""
    if usage is not None and rules.half_life > 0:
        used_by(now, 0, usage, rules.half_life)
        used_by(now, usage.account[job], usage, rules.half_life)
        usage.processors[0] += processors
        usage.processors[usage.account[job]] += processors


@kernel_step
def used_by(now: int, account: int, usage: Usage, half_life: int) -> int:
    """Return the recent usage of an account now."""
    used, processors, at = usage.used[account], usage.processors[account], usage.at[account]
    while at // half_life < now // half_life:
        end = (at // half_life + 1) * half_life
        halved = (used + processors * (end - at)) >> 1
        if halved == used and end - at == half_life:
            end = now // half_life * half_life  # so it stays from one window to the next
        used, at = halved, end
    usage.used[account] = used + processors * (now - at)
    usage.at[account] = now
    return usage.used[account]


@kernel
def key_by_share(now: int, queue: Queue, usage: Usage | None, rules: Record) -> None:
    """Write the keys of the waiting jobs: their submissions, later by the shares of their users."""
    if usage is not None:
        total = np.float64(used_by(now, 0, usage, rules.half_life))
        for k in range(queue.bounds[FIRST], queue.bounds[LAST]):
            job = queue.jobs[k]
            queue.key[job] = usage.submit[job]
            if total > 0:
                share = np.float64(used_by(now, usage.account[job], usage, rules.half_life)) / total
                queue.key[job] += np.int64(np.float64(rules.usage_weight) * share)
