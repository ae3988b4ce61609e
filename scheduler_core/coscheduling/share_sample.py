"""A few jobs that ask for shares, on which every step is taken once."""

import polars as pl

from scheduler_core.common.units import MICROSECONDS
from scheduler_core.contracts import WORKLOAD_COLUMNS, Machine, Workload
from scheduler_core.contracts.companions import BEHAVIOUR_COLUMNS, SHARES_COLUMNS, SLOWDOWNS_COLUMNS

JOBS = (
    (0, 300, "long", "nothing"),
    (10, 60, "medium", "nothing"),
    (20, 60, "medium", "nothing"),
    (30, 10, "special", "reserves"),
    (40, 30, "short", "picks"),
    (50, 10, "special", "nothing"),
)
"""Submission and run time in seconds, class of priority, what is asked of offered slots."""


def sample_workload() -> Workload:
    """Return the jobs on a machine of two processors."""
    jobs, shares, behaviour = [], [], []
    computes = dict.fromkeys(BEHAVIOUR_COLUMNS, 0) | {"kind": "cpu", "cpu": 1, "application": 1}
    for job, (submit_s, runtime_s, level, asks) in enumerate(JOBS, start=1):
        submit_us, runtime_us = submit_s * MICROSECONDS, runtime_s * MICROSECONDS
        jobs.append((job, submit_us, runtime_us, runtime_us, 2))
        site = "local" if asks == "nothing" else "cross_site"
        shares.append((job, level, 0.2, 0.4, site, asks, submit_us))
        behaviour.append(computes | {"job": job})
    return Workload(
        pl.DataFrame(jobs, WORKLOAD_COLUMNS, orient="row"),
        Machine(2),
        companions={
            "behaviour": pl.DataFrame(behaviour, BEHAVIOUR_COLUMNS),
            "slowdowns": pl.DataFrame([(1, 1, 1.2)], SLOWDOWNS_COLUMNS, orient="row"),
            "shares": pl.DataFrame(shares, SHARES_COLUMNS, orient="row"),
        },
    )
