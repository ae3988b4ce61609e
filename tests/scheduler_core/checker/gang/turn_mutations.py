"""Broken levels, slots and turns: by name the rule that must catch it, the kind of schedule, what is changed."""

import polars as pl

from tests.scheduler_core.checker.broken_schedules import counters, held, held_by, parameters, said, shifted_work, table
from tests.scheduler_core.checker.gang.broken_gangs import resized

TURN_MUTATIONS = {
    ("levels are without gaps and shares follow from them", "plain"): {
        "a gap between levels": lambda s: said(s, "levels", nth=2, begin_us=pl.col("begin_us") + 1),
        "levels end before the last finish": lambda s: table(s, "levels", s.tables["levels"][:-1]),
        "levels begin before the first start": lambda s: said(s, "levels", begin_us=pl.col("begin_us") - 1),
        "no levels at all": lambda s: table(s, "levels", s.tables["levels"].clear()),
        "neighbours of equal level": lambda s: said(
            s, "levels", nth=1, level=pl.col("level").shift(1), share=pl.col("share").shift(1)
        ),
        "a share that is too large": lambda s: said(s, "levels", nth=1, share=pl.col("share") + 1e-9),
        "switches that ought to slow": lambda s: parameters(s, switch_slows=True),
        "more levels than the policy allows": lambda s: parameters(s, level=2),
    },
    ("levels are without gaps and shares follow from them", "slow switches"): {
        "switches that ought not to slow": lambda s: parameters(s, switch_slows=False)
    },
    ("no more slots are held than take turns", "plain"): {
        "a slot that has no turn": lambda s: said(s, "levels", level=pl.col("level") - 1),
        "a turn for no job": lambda s: table(
            s, "levels", level=pl.when(pl.col("level") == 0).then(1).otherwise(pl.col("level")).cast(pl.Int32)
        ),
        "a job in a slot of its own": lambda s: held_by(s, 2, slot=9),
    },
    ("everything begins at the boundary of a time slice", "fixed slices"): {
        "a start off the boundary, slices fixed": lambda s: held_by(s, 7, begin_us=pl.col("begin_us") + 1),
        "a level that changes off the boundary": lambda s: said(s, "levels", nth=2, begin_us=pl.col("begin_us") + 1),
        "slices that ought to grow": lambda s: parameters(s, slice="scaled"),
    },
    ("everything begins at the boundary of a time slice", "plain"): {
        "a start off the boundary, slices scaled": lambda s: held_by(s, 7, begin_us=pl.col("begin_us") + 1),
        "slices that ought not to grow": lambda s: parameters(s, slice="fixed", slice_s=6.5),
    },
    ("turns follow the slot clock", "plain"): {
        "a turn a microsecond too long": lambda s: held_by(s, 2, turn_us=pl.col("turn_us") + 1),
        "an allocation that ends a slice later": lambda s: held_by(s, 2, end_us=pl.col("end_us") + 6_000_000),
    },
    ("turns follow the slot clock", "adaptive"): {
        "a stall longer than the turn": lambda s: held_by(s, 2, overhead_us=pl.col("turn_us") + 1),
        "a stall below nothing": lambda s: held_by(s, 2, overhead_us=-1),
    },
    ("work done is work asked", "adaptive"): {
        "work is lost": lambda s: held_by(s, 2, work_us=pl.col("work_us") - 1),
        "work moves from one allocation to another": lambda s: shifted_work(s, resized(s), by=3),
        "work goes on during the stall": lambda s: held(s, overhead_us=pl.col("overhead_us") + 10),
    },
    ("busy and idle processor-time add up", "plain"): {
        "busy time is missed": lambda s: counters(s, busy_us=-1, idle_us=1),
        "idle time is missed": lambda s: counters(s, idle_us=-1),
    },
    ("times by load add up", "plain"): {"time of high load is missed": lambda s: counters(s, high_us=-1)},
}
