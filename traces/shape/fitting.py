"""When jobs that waited would have fitted on the machine, as a log recorded their starts."""

import numpy as np

from scheduler_core.kernel.jit import kernel_entry


@kernel_entry
def fitting_times(
    instants: np.ndarray,
    free: np.ndarray,
    first: np.ndarray,
    last: np.ndarray,
    size: np.ndarray,
    fitted: np.ndarray,
    fitting: np.ndarray,
) -> None:
    """Add to ``fitted`` how long each job fitted while it waited, and to ``fitting`` how many waiting jobs fitted in each step.

    Step ``i`` lasts from ``instants[i]`` to ``instants[i + 1]``, with ``free[i]`` processors free. Job ``j`` waits from step
    ``first[j]`` up to step ``last[j]``, exclusive, for ``size[j]`` processors. The cost is the number of steps in all waits.
    """
    for job in range(size.size):
        for step in range(first[job], last[job]):
            if free[step] >= size[job]:
                fitted[job] += instants[step + 1] - instants[step]
                fitting[step] += 1
