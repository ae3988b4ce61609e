"""How large the trees are that an optimiser searches."""

import math


def tree_size(jobs: int) -> tuple[int, int]:
    """Count the paths and the tree nodes (without the root) of the tree of all orders of some jobs.

    The printed sizes are in Table 2 of the source (Kanavallil 2007, p. 21).
    """
    return math.factorial(jobs), sum(math.perm(jobs, depth) for depth in range(1, jobs + 1))
