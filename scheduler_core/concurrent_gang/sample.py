"""A few jobs of all applications, on which the kernels are compiled."""

import polars as pl

from scheduler_core.common.units import MICROSECONDS
from scheduler_core.contracts import WORKLOAD_COLUMNS, Machine, Workload
from scheduler_core.contracts.applications import APPLICATIONS_COLUMNS, PROGRAMS_COLUMNS

RUNTIME_US = MICROSECONDS // 2
BURST_US = 5_000
APPLICATIONS = (
    ("compute", 0, 0, 0.0, 0),
    ("io", BURST_US, BURST_US, 0.0, 0),
    ("messages", BURST_US, 0, 0.0, 0),
    ("supersteps", BURST_US, 0, 0.5, 0),
    ("irregular", BURST_US, 0, 0.0, 4),
    ("barriers", BURST_US, 0, 0.0, 0),
    ("program", 0, 0, 0.0, 0),
)
"""Application, burst, disk request, imbalance, most tasks."""

PROGRAM = (
    (0, 0, "compute", 1_000, 0),
    (0, 1, "disk", 1_000, 0),
    (0, 2, "send", 0, 1),
    (0, 3, "barrier", 0, 0),
    (1, 0, "receive", 0, 1),
    (1, 1, "barrier", 0, 0),
)
"""Task, step, statement, time in microseconds, message."""


def sample_workload() -> Workload:
    """Return a job of each application on a machine of two processors."""
    jobs = [(job, 0, RUNTIME_US, RUNTIME_US, 2) for job in range(1, len(APPLICATIONS) + 1)]
    applications = [
        (job, word, job, burst_us, disk_us, "exponential", imbalance, most_tasks)
        for job, (word, burst_us, disk_us, imbalance, most_tasks) in enumerate(APPLICATIONS, start=1)
    ]
    programs = [(len(APPLICATIONS), *statement) for statement in PROGRAM]
    return Workload(
        pl.DataFrame(jobs, WORKLOAD_COLUMNS, orient="row"),
        Machine(2),
        companions={
            "applications": pl.DataFrame(applications, APPLICATIONS_COLUMNS, orient="row"),
            "programs": pl.DataFrame(programs, PROGRAMS_COLUMNS, orient="row"),
        },
    )
