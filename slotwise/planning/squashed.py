"""One fast processor in place of a parallel machine: preemptive schedules that no parallel schedule can beat."""

import numpy as np

from scheduler_core.kernel.jit import kernel, kernel_entry


@kernel
def sift_up(heap: np.ndarray, key: np.ndarray, place: int) -> None:
    """Move the entry at a place up until its parent has no larger key."""
    while place > 0:
        parent = (place - 1) // 2
        if key[heap[parent]] <= key[heap[place]]:
            return
        heap[parent], heap[place] = heap[place], heap[parent]
        place = parent


@kernel
def sift_down(heap: np.ndarray, key: np.ndarray, size: int) -> None:
    """Move the first entry down until no child has a smaller key."""
    place = 0
    while True:
        child = 2 * place + 1
        if child >= size:
            return
        if child + 1 < size and key[heap[child + 1]] < key[heap[child]]:
            child += 1
        if key[heap[place]] <= key[heap[child]]:
            return
        heap[child], heap[place] = heap[place], heap[child]
        place = child


@kernel_entry
def squashed_schedule(
    submit: np.ndarray,
    length: np.ndarray,
    key: np.ndarray,
    by_remaining: bool,
    heap: np.ndarray,
    response: np.ndarray,
    busy: np.ndarray,
) -> None:
    """Schedule jobs preemptively on one processor, the job with the smallest key first; jobs are sorted by submission.

    With ``by_remaining``, keys must be the lengths; they shrink to the remaining ones. ``heap`` has room for all jobs. Each
    job's response time goes to ``response``; its mean busy time, from its submission, to ``busy``. Both must be 0 before. The
    cost is n log n.
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
            heap[waiting] = arrived
            sift_up(heap, key, waiting)
            waiting += 1
            arrived += 1
        job = heap[0]
        end = now + remaining[job]
        ends = arrived == submit.size or end <= submit[arrived]
        if not ends:
            end = submit[arrived]
        busy[job] += (end - now) / length[job] * ((now + end) / 2 - submit[job])
        if ends:
            response[job] = end - submit[job]
            waiting -= 1
            heap[0] = heap[waiting]
            sift_down(heap, key, waiting)
        else:
            remaining[job] -= end - now
            if by_remaining:
                key[job] = remaining[job]
        now = end
