"""Jobs that take every step of a grid, on which its kernels are compiled."""

import polars as pl

from scheduler_core.common.units import HOUR_US
from scheduler_core.contracts import WORKLOAD_COLUMNS, Cluster, Machine, Workload
from scheduler_core.contracts.workflows import EDGES_COLUMNS, TASKS_COLUMNS

LOCAL, TASKS = 12, 3


def sample() -> Workload:
    """Return a dozen jobs for two clusters of two processors, and a workflow of three tasks in a row that waits with them."""
    numbers = range(LOCAL + TASKS)
    columns = {
        "job": [number + 1 for number in numbers],
        "submit_us": [min(number, LOCAL) for number in numbers],
        "runtime_us": [HOUR_US] * len(numbers),
        "estimate_us": [HOUR_US + number for number in numbers],
        "size": [1 + number % 2 for number in numbers],
        "home": [number // 2 % 2 if number < LOCAL else None for number in numbers],
    }
    tasks = {"job": list(range(LOCAL + 1, LOCAL + TASKS + 1)), "workflow": [1] * TASKS, "task": [1, 2, 3]}
    edges = [(1, 1, 2, 0, HOUR_US), (1, 2, 3, 0, HOUR_US)]
    return Workload(
        pl.DataFrame(columns, schema={**WORKLOAD_COLUMNS, "home": pl.Int16}),
        Machine(clusters=(Cluster(2), Cluster(2))),
        companions={
            "tasks": pl.DataFrame(tasks, schema=TASKS_COLUMNS),
            "edges": pl.DataFrame(edges, schema=EDGES_COLUMNS, orient="row"),
        },
    )
