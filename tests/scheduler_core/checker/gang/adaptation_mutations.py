"""Broken sizes, reconfigurations and rates: by name the rule that must catch it, the kind of schedule, what is changed."""

import polars as pl

from tests.scheduler_core.checker.broken_schedules import (
    counters,
    held,
    held_by,
    of_job,
    one_job,
    parameters,
    with_allocation,
)
from tests.scheduler_core.checker.gang.broken_gangs import called_moldable, rows_of

FLEXIBILITY = pl.col("flexibility").cast(pl.String)

ADAPTATION_MUTATIONS = {
    ("sizes are within what a job allows", "adaptive"): {
        "a rigid job grows": lambda s: with_allocation(
            s, rows_of(s, FLEXIBILITY == "rigid")[0], processors=pl.col("processors") + 1
        ),
        "a moldable job is resized": called_moldable,
        "a job above its most processors": lambda s: with_allocation(
            s, rows_of(s, FLEXIBILITY == "malleable", pl.col("size_max") < 16)[0], processors=16
        ),
        "a job below its fewest processors": lambda s: with_allocation(
            s, rows_of(s, FLEXIBILITY == "malleable", pl.col("size_min") > 1)[0], processors=1
        ),
        "other sizes without adaptation": lambda s: parameters(s, sizing="optimum"),
        "the table states another size": lambda s: of_job(s, 2, processors=pl.col("processors") + 1),
    },
    ("sizes change only when the policy may resize", "adaptive"): {
        "running jobs that ought to be left alone": lambda s: parameters(s, sizing="load_at_start"),
        "adaptations too close to each other": lambda s: parameters(s, reconfiguration_s=200.0),
    },
    ("a reconfiguration costs its stall", "adaptive"): {
        "a reconfiguration for nothing": lambda s: held(s, overhead_us=0)
    },
    ("a reconfiguration costs its stall", "plain"): {
        "a stall no resize caused": lambda s: held_by(s, 2, overhead_us=1)
    },
    ("resizings are counted", "adaptive"): {
        "a resizing not counted": lambda s: counters(s, resizings=-1),
        "processors resized not counted": lambda s: counters(s, resized_processors=1),
    },
    ("rates follow sizes and speed-up", "adaptive"): {
        "a rate that is a trifle too high": lambda s: held_by(
            s, s.allocations["job"][20], rate=pl.col("rate") * (1 + 1e-9)
        )
    },
    ("rates follow sizes and speed-up", "plain"): {
        "a rigid job that speeds up": lambda s: held_by(s, one_job(s, FLEXIBILITY == "rigid"), rate=1.5)
    },
}
