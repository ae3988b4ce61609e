"""Broken sizes, reconfigurations and rates: by name the rule that must catch it, the kind of schedule, what is changed."""

import polars as pl

from tests.scheduler_core.checker.broken_schedules import (
    counters,
    for_job,
    held,
    jobs,
    jobs_called,
    one_job,
    parameters,
    rows_of,
    with_allocation,
)

FLEXIBILITY = pl.col("flexibility").cast(pl.String)

ADAPTATION_MUTATIONS = {
    "a rigid job grows": (
        "sizes are within what a job allows",
        "adaptive",
        lambda s: with_allocation(s, rows_of(s, FLEXIBILITY == "rigid")[0], processors=pl.col("processors") + 1),
    ),
    "a moldable job is resized": (
        "sizes are within what a job allows",
        "adaptive",
        lambda s: jobs_called(s, "moldable", rows_of(s, pl.col("processors") != pl.col("processors_before"))[0]),
    ),
    "a job above its most processors": (
        "sizes are within what a job allows",
        "adaptive",
        lambda s: with_allocation(
            s, rows_of(s, FLEXIBILITY == "malleable", pl.col("size_max") < 16)[0], processors=pl.lit(16, pl.Int32)
        ),
    ),
    "a job below its fewest processors": (
        "sizes are within what a job allows",
        "adaptive",
        lambda s: with_allocation(
            s, rows_of(s, FLEXIBILITY == "malleable", pl.col("size_min") > 1)[0], processors=pl.lit(1, pl.Int32)
        ),
    ),
    "other sizes without adaptation": (
        "sizes are within what a job allows",
        "adaptive",
        lambda s: parameters(s, sizing="optimum"),
    ),
    "the table states another size": (
        "sizes are within what a job allows",
        "adaptive",
        lambda s: jobs(s, processors=for_job(2, "processors", pl.col("processors") + 1)),
    ),
    "running jobs that ought to be left alone": (
        "sizes change only when the policy may resize",
        "adaptive",
        lambda s: parameters(s, sizing="load_at_start"),
    ),
    "adaptations too close to each other": (
        "sizes change only when the policy may resize",
        "adaptive",
        lambda s: parameters(s, reconfiguration_s=200.0),
    ),
    "a reconfiguration for nothing": (
        "a reconfiguration costs its stall",
        "adaptive",
        lambda s: held(s, overhead_us=pl.lit(0, pl.Int64)),
    ),
    "a stall no resize caused": (
        "a reconfiguration costs its stall",
        "plain",
        lambda s: held(s, overhead_us=for_job(2, "overhead_us", pl.lit(1, pl.Int64))),
    ),
    "a resizing not counted": ("resizings are counted", "adaptive", lambda s: counters(s, resizings=-1)),
    "processors resized not counted": (
        "resizings are counted",
        "adaptive",
        lambda s: counters(s, resized_processors=1),
    ),
    "a rate that is a trifle too high": (
        "rates follow sizes and speed-up",
        "adaptive",
        lambda s: held(s, rate=for_job(s.allocations["job"][20], "rate", pl.col("rate") * (1 + 1e-9))),
    ),
    "a rigid job that speeds up": (
        "rates follow sizes and speed-up",
        "plain",
        lambda s: held(s, rate=for_job(one_job(s, FLEXIBILITY == "rigid"), "rate", 1.5)),
    ),
}
