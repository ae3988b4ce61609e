"""Which processors each job has, by number: derived after the run from starts, ends and who joined whom."""

import numpy as np

from scheduler_core.coscheduling.state import World
from scheduler_core.kernel.jit import kernel_entry
from scheduler_core.kernel.processor_sets import copy, fill_with_all, join, leave, take_lowest

WORD = 64


@kernel_entry
def replay(starts: np.ndarray, ends: np.ndarray, mate: np.ndarray, masks: np.ndarray, world: World) -> None:
    """Write the processors of every job to ``masks``, a row of 64-bit words each; two more rows are scratch.

    ``starts`` and ``ends`` are the jobs in the order of their starts and of their ends; ``mate`` is -1 for each. If one
    of two jobs on the same processors has ended, the other holds them all.
    """
    free, scratch = masks[len(starts)], masks[len(starts) + 1]
    fill_with_all(free, world.rules.processors)
    ended = 0
    for k in range(len(starts)):
        job = starts[k]
        host, size = world.state[job].host, world.asked[job].processors
        while ended < len(ends) and world.state[ends[ended]].finish <= world.start[job]:
            gone = ends[ended]
            copy(scratch, masks[gone])
            if mate[gone] >= 0:
                leave(scratch, masks[mate[gone]])
                mate[mate[gone]] = -1
            join(free, scratch)
            ended += 1
        if host < 0:
            take_lowest(free, masks[job], size)
        else:
            copy(scratch, masks[host])
            take_lowest(scratch, masks[job], size)
            mate[job], mate[host] = host, job


def processors_of(world: World) -> np.ndarray:
    """Return the processors of every job, a row of 64-bit words each."""
    total = len(world.start)
    masks = np.zeros((total + 2, -(-int(world.rules.processors) // WORD)), np.uint64)
    starts = np.argsort(world.state["order"], kind="stable")
    ends = np.argsort(world.state["finish"], kind="stable")
    replay(starts, ends, np.full(total, -1, np.int64), masks, world)
    return masks[:total]
