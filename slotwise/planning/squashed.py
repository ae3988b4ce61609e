"""One fast processor in place of a parallel machine: preemptive schedules that no parallel schedule can beat."""

import numpy as np

from scheduler_core.kernel.heap import pop, push
from scheduler_core.kernel.jit import kernel_entry


@kernel_entry
def squashed_schedule(
    submit: np.ndarray,
    length: np.ndarray,
    key: np.ndarray,
    by_remaining: bool,
    keys: np.ndarray,
    jobs: np.ndarray,
    response: np.ndarray,
    busy: np.ndarray,
) -> None:
    """Schedule jobs preemptively on one processor, the job with the smallest key first; jobs are sorted by submission.

    With ``by_remaining``, ``key`` must be the lengths; they shrink to the remaining ones. ``keys`` and ``jobs`` have room for
    all jobs; those that wait are in them. Each job's response time goes to ``response``; its mean busy time, from its
    submission, to ``busy``. Both must be 0 before. The cost is n log n.
    """
    remaining = response  # holds what is left of a job until it ends
    waiting = 0
    arrived = 0
    now = 0.0
    while arrived < submit.size or waiting:
        if not waiting and now < submit[arrived]:
            now = submit[arrived]
        while arrived < submit.size and submit[arrived] <= now:
            remaining[arrived] = length[arrived]
            waiting = push(keys, jobs, waiting, key[arrived], arrived)
            arrived += 1
        job = jobs[0]
        end = now + remaining[job]
        ends = arrived == submit.size or end <= submit[arrived]
        if not ends:
            end = submit[arrived]
        busy[job] += (end - now) / length[job] * ((now + end) / 2 - submit[job])
        if ends:
            response[job] = end - submit[job]
            waiting = pop(keys, jobs, waiting)
        else:
            remaining[job] -= end - now
            if by_remaining:
                keys[0] = remaining[job]  # it was the smallest, and shrinks
        now = end
