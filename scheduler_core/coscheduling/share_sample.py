"""A few jobs that ask for shares, on which every step is taken once."""

from __future__ import annotations

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
    submit, runtime, level, asks = zip(*JOBS, strict=True)
    count, numbers = len(JOBS), list(range(1, len(JOBS) + 1))
    submit_us, runtime_us = [[time * MICROSECONDS for time in times] for times in (submit, runtime)]
    jobs = {
        "job": numbers,
        "submit_us": submit_us,
        "runtime_us": runtime_us,
        "estimate_us": runtime_us,
        "size": [2] * count,
    }
    sites = ["local" if word == "nothing" else "cross_site" for word in asks]
    shares = {
        "job": numbers,
        "level": level,
        "share_low": [0.2] * count,
        "share_high": [0.4] * count,
        "site": sites,
        "asks": asks,
        "wanted_us": submit_us,
    }
    alone = dict.fromkeys(BEHAVIOUR_COLUMNS, [0.0] * count) | {
        "job": numbers,
        "kind": ["cpu"] * count,
        "cpu": [1.0] * count,
    }
    behaviour = alone | {"application": [1] * count}
    slowdowns = {"application": [1], "beside": [1], "slowdown": [1.2]}
    return Workload(
        pl.DataFrame(jobs, schema=WORKLOAD_COLUMNS),
        Machine(2),
        companions={
            "behaviour": pl.DataFrame(behaviour, schema=BEHAVIOUR_COLUMNS),
            "slowdowns": pl.DataFrame(slowdowns, schema=SLOWDOWNS_COLUMNS),
            "shares": pl.DataFrame(shares, schema=SHARES_COLUMNS),
        },
    )
