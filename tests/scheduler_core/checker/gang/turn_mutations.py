"""Broken levels, slots and turns: by name the rule that must catch it, the kind of schedule, what is changed."""

import polars as pl

from tests.scheduler_core.checker.broken_schedules import (
    at_row,
    counters,
    for_job,
    held,
    levels,
    parameters,
    rows_of,
    shifted_work,
    with_levels,
)

TURN_MUTATIONS = {
    "a gap between levels": (
        "levels are without gaps and shares follow from them",
        "plain",
        lambda s: levels(s, begin_us=at_row(2, "begin_us", pl.col("begin_us") + 1)),
    ),
    "levels end before the last finish": (
        "levels are without gaps and shares follow from them",
        "plain",
        lambda s: with_levels(s, s.tables["levels"][:-1]),
    ),
    "levels begin before the first start": (
        "levels are without gaps and shares follow from them",
        "plain",
        lambda s: levels(s, begin_us=at_row(0, "begin_us", pl.col("begin_us") - 1)),
    ),
    "no levels at all": (
        "levels are without gaps and shares follow from them",
        "plain",
        lambda s: with_levels(s, s.tables["levels"].clear()),
    ),
    "neighbours of equal level": (
        "levels are without gaps and shares follow from them",
        "plain",
        lambda s: levels(
            s, level=at_row(1, "level", pl.col("level").shift(1)), share=at_row(1, "share", pl.col("share").shift(1))
        ),
    ),
    "a share that is too large": (
        "levels are without gaps and shares follow from them",
        "plain",
        lambda s: levels(s, share=at_row(1, "share", pl.col("share") + 1e-9)),
    ),
    "switches that ought to slow": (
        "levels are without gaps and shares follow from them",
        "plain",
        lambda s: parameters(s, switch_slows=True),
    ),
    "switches that ought not to slow": (
        "levels are without gaps and shares follow from them",
        "slow switches",
        lambda s: parameters(s, switch_slows=False),
    ),
    "more levels than the policy allows": (
        "levels are without gaps and shares follow from them",
        "plain",
        lambda s: parameters(s, level=2),
    ),
    "a slot that has no turn": (
        "no more slots are held than take turns",
        "plain",
        lambda s: levels(s, level=at_row(0, "level", pl.col("level") - 1)),
    ),
    "a turn for no job": (
        "no more slots are held than take turns",
        "plain",
        lambda s: levels(s, level=pl.when(pl.col("level") == 0).then(1).otherwise(pl.col("level")).cast(pl.Int32)),
    ),
    "a job in a slot of its own": (
        "no more slots are held than take turns",
        "plain",
        lambda s: held(s, slot=for_job(2, "slot", pl.lit(9, pl.Int32))),
    ),
    "a start off the boundary, slices fixed": (
        "everything begins at the boundary of a time slice",
        "fixed slices",
        lambda s: held(s, begin_us=for_job(7, "begin_us", pl.col("begin_us") + 1)),
    ),
    "a start off the boundary, slices scaled": (
        "everything begins at the boundary of a time slice",
        "plain",
        lambda s: held(s, begin_us=for_job(7, "begin_us", pl.col("begin_us") + 1)),
    ),
    "a level that changes off the boundary": (
        "everything begins at the boundary of a time slice",
        "fixed slices",
        lambda s: levels(s, begin_us=at_row(2, "begin_us", pl.col("begin_us") + 1)),
    ),
    "slices that ought not to grow": (
        "everything begins at the boundary of a time slice",
        "plain",
        lambda s: parameters(s, slice="fixed", slice_s=6.5),
    ),
    "slices that ought to grow": (
        "everything begins at the boundary of a time slice",
        "fixed slices",
        lambda s: parameters(s, slice="scaled"),
    ),
    "a turn a microsecond too long": (
        "turns follow the slot clock",
        "plain",
        lambda s: held(s, turn_us=for_job(2, "turn_us", pl.col("turn_us") + 1)),
    ),
    "an allocation that ends a slice later": (
        "turns follow the slot clock",
        "plain",
        lambda s: held(s, end_us=for_job(2, "end_us", pl.col("end_us") + 6_000_000)),
    ),
    "a stall longer than the turn": (
        "turns follow the slot clock",
        "adaptive",
        lambda s: held(s, overhead_us=for_job(2, "overhead_us", pl.col("turn_us") + 1)),
    ),
    "a stall below nothing": (
        "turns follow the slot clock",
        "adaptive",
        lambda s: held(s, overhead_us=for_job(2, "overhead_us", pl.lit(-1, pl.Int64))),
    ),
    "work is lost": (
        "work done is work asked",
        "adaptive",
        lambda s: held(s, work_us=for_job(2, "work_us", pl.col("work_us") - 1)),
    ),
    "work moves from one allocation to another": (
        "work done is work asked",
        "adaptive",
        lambda s: shifted_work(s, rows_of(s, pl.col("processors") != pl.col("processors_before"))[0], by=3),
    ),
    "work goes on during the stall": (
        "work done is work asked",
        "adaptive",
        lambda s: held(s, overhead_us=pl.col("overhead_us") + 10),
    ),
    "busy time is missed": (
        "busy and idle processor-time add up",
        "plain",
        lambda s: counters(s, busy_us=-1, idle_us=1),
    ),
    "idle time is missed": ("busy and idle processor-time add up", "plain", lambda s: counters(s, idle_us=-1)),
    "time of high load is missed": ("times by load add up", "plain", lambda s: counters(s, high_us=-1)),
}
