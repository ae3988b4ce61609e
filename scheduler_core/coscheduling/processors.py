"""Which processors each job has, by number: found after the run from starts, ends and who joined whom."""

from __future__ import annotations

import numpy as np

from scheduler_core.kernel.jit import kernel_entry
from scheduler_core.kernel.processor_sets import copy, fill_with_all, join, leave, take_lowest

WORD = 64


@kernel_entry
def replay(
    starts: np.ndarray,
    ends: np.ndarray,
    start: np.ndarray,
    finish: np.ndarray,
    host: np.ndarray,
    size: np.ndarray,
    processors: int,
    free: np.ndarray,
    scratch: np.ndarray,
    mate: np.ndarray,
    masks: np.ndarray,
) -> None:
    """Write the processors of every job to ``masks``, a row of 64-bit words each.

    ``starts`` and ``ends`` are the jobs in the order of their starts and of their ends; ``host`` is the job that one
    joined, -1 where it was given processors. Of two jobs on the same processors one has them all.
    """
    fill_with_all(free, processors)
    ended = 0
    for k in range(len(starts)):
        job = starts[k]
        while ended < len(ends) and finish[ends[ended]] <= start[job]:
            gone = ends[ended]
            copy(scratch, masks[gone])
            if mate[gone] >= 0:
                leave(scratch, masks[mate[gone]])
                mate[mate[gone]] = -1
            join(free, scratch)
            ended += 1
        if host[job] < 0:
            take_lowest(free, masks[job], size[job])
        else:
            copy(scratch, masks[host[job]])
            take_lowest(scratch, masks[job], size[job])
            mate[job], mate[host[job]] = host[job], job


def processors_of(
    order: np.ndarray, start: np.ndarray, finish: np.ndarray, host: np.ndarray, size: np.ndarray, processors: int
) -> np.ndarray:
    """Return the processors of every job, a row of 64-bit words each; ``order`` says how many jobs had started before it."""
    total, words = len(start), -(-processors // WORD)
    masks = np.zeros((total, words), np.uint64)
    replay(
        np.argsort(order, kind="stable"),
        np.argsort(finish, kind="stable"),
        np.ascontiguousarray(start),
        np.ascontiguousarray(finish),
        np.ascontiguousarray(host),
        np.ascontiguousarray(size),
        processors,
        np.zeros(words, np.uint64),
        np.zeros(words, np.uint64),
        np.full(total, -1, np.int64),
        masks,
    )
    return masks
