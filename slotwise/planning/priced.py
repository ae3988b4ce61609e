"""Every job starts when it costs least, at given prices of processors over time: the Lagrangian relaxation of a machine."""

import numpy as np

from scheduler_core.kernel.jit import kernel, kernel_entry


@kernel
def price_until(time: float, step: float, cumulated: np.ndarray) -> float:
    """Return the price of one processor from 0 up to a time; it is 0 after the last step."""
    place = time / step
    last = cumulated.size - 1
    if place >= last:
        return cumulated[last]
    whole = int(place)
    return cumulated[whole] + (place - whole) * (cumulated[whole + 1] - cumulated[whole])


@kernel
def start_cost(
    start: float, submit: float, run: float, size: int, weight: float, step: float, cumulated: np.ndarray
) -> float:
    """Return what a start costs: the weighted wait, and the price of the processors for the run time."""
    paid = price_until(start + run, step, cumulated) - price_until(start, step, cumulated)
    return weight * (start - submit) + size * paid


@kernel_entry
def cheapest_starts(
    submit: np.ndarray,
    run: np.ndarray,
    size: np.ndarray,
    weight: np.ndarray,
    step: float,
    cumulated: np.ndarray,
    used: np.ndarray,
) -> float:
    """Return the sum of all jobs' least costs, and add the processor time that they then use in each step to ``used``.

    ``cumulated[k]`` is the price of one processor from 0 to ``k`` steps. The cost of a start is linear between starts at which
    the job begins or ends at the edge of a step, so only these are tried, until the wait alone costs more than the best.
    """
    total = 0.0
    for job in range(submit.size):
        first = submit[job]
        best_start = first
        best = start_cost(first, first, run[job], size[job], weight[job], step, cumulated)
        for offset in (0.0, run[job]):
            edge = (int((first + offset) / step) + 1) * step - offset
            while weight[job] * (edge - first) < best:
                cost = start_cost(edge, first, run[job], size[job], weight[job], step, cumulated)
                if cost < best:
                    best, best_start = cost, edge
                edge += step
        total += best
        place = int(best_start / step)
        now, end = best_start, best_start + run[job]
        while now < end and place < used.size:
            until = min(end, (place + 1) * step)
            used[place] += (until - now) * size[job]
            now = until
            place += 1
    return total
