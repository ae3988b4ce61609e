"""Run-time classes of jobs, as the publications define them."""

from typing import NamedTuple

import polars as pl

from scheduler_core.common.units import seconds_to_us
from scheduler_core.contracts import JobClass


class Limits(NamedTuple):
    """Upper limits of short and of medium jobs in seconds, and whether a job exactly at a limit is in the class below it."""

    short_s: float
    medium_s: float
    included: bool


LIMITS = {
    "pect": Limits(600, 10_800, included=False),  # SCOJO-PECT and its group optimisation: 10 min and 3 h, section 7
    "lomarc": Limits(60, 3600, included=True),  # Sodan and Lan, LOMARC: 1 min and 1 h, section 6.2
    "scojo": Limits(180, 3600, included=True),  # SCOJO, second workload: 3 min and 1 h, Table 7-2
}
"""Limits by name."""


def run_time_class(name: str) -> pl.Expr:
    """Return the column ``class`` by run time, with the limits of a publication in :data:`LIMITS`."""
    limits, time = LIMITS[name], pl.col("runtime_us")
    below = time.le if limits.included else time.lt
    short = pl.when(below(seconds_to_us(limits.short_s))).then(pl.lit("short"))
    up_to_medium = short.when(below(seconds_to_us(limits.medium_s))).then(pl.lit("medium"))
    return up_to_medium.otherwise(pl.lit("long")).cast(JobClass).alias("class")
