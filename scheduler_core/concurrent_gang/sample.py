"""A few jobs of all applications, on which the kernels are compiled."""

from __future__ import annotations

import polars as pl

from scheduler_core.common.units import MICROSECONDS
from scheduler_core.contracts import WORKLOAD_COLUMNS, Machine, Workload
from scheduler_core.contracts.applications import APPLICATIONS_COLUMNS, PROGRAMS_COLUMNS

RUNTIME_US = MICROSECONDS // 2
BURST_US = 5_000
PROGRAM = (
    (0, "compute", 1_000, 0),
    (0, "disk", 1_000, 0),
    (0, "send", 0, 1),
    (0, "barrier", 0, 0),
    (1, "receive", 0, 1),
    (1, "barrier", 0, 0),
)
"""Task, statement, time in microseconds, message."""


def sample_workload() -> Workload:
    """Return a job of each application on a machine of two processors."""
    words = ("compute", "io", "messages", "supersteps", "irregular", "program")
    count, numbers = len(words), list(range(1, len(words) + 1))
    jobs = {
        "job": numbers,
        "submit_us": [0] * count,
        "runtime_us": [RUNTIME_US] * count,
        "estimate_us": [RUNTIME_US] * count,
        "size": [2] * count,
    }
    applications = {
        "job": numbers,
        "application": words,
        "seed": numbers,
        "burst_us": [0, BURST_US, BURST_US, BURST_US, BURST_US, 0],
        "disk_us": [0, BURST_US, 0, 0, 0, 0],
        "spread": ["exponential"] * count,
        "imbalance": [0.0, 0.0, 0.0, 0.5, 0.0, 0.0],
        "most_tasks": [0, 0, 0, 0, 4, 0],
    }
    task, statement, time_us, message = zip(*PROGRAM, strict=True)
    programs = {
        "job": [numbers[-1]] * len(PROGRAM),
        "task": task,
        "step": [sum(other[0] == row[0] for other in PROGRAM[:at]) for at, row in enumerate(PROGRAM)],
        "statement": statement,
        "time_us": time_us,
        "message": message,
    }
    return Workload(
        pl.DataFrame(jobs, schema=WORKLOAD_COLUMNS),
        Machine(2),
        companions={
            "applications": pl.DataFrame(applications, schema=APPLICATIONS_COLUMNS),
            "programs": pl.DataFrame(programs, schema=PROGRAMS_COLUMNS),
        },
    )
