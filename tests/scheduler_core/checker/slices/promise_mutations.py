"""Broken promises to waiting jobs: by name the rule that must catch it, the kind of schedule, what is changed."""

import polars as pl

from tests.scheduler_core.checker.broken_schedules import at_row, parameters
from tests.scheduler_core.checker.concurrent_gang.machine_in_slices import S
from tests.scheduler_core.checker.slices.broken_slices import again, changed, table, without

PROMISE_MUTATIONS = {
    "a promise is missing": ("promises are made when they are due", "own", lambda s: without(s, "promises")),
    "a promise is made twice": ("promises are made when they are due", "own", lambda s: again(s, "promises")),
    "a promise made late": (
        "promises are made when they are due",
        "own",
        lambda s: changed(s, "promises", "made_us", 1),
    ),
    "promises in another order": (
        "promises are made when they are due",
        "own",
        lambda s: table(s, "promises", s.tables["promises"].reverse()),
    ),
    "a promise of another cluster": (
        "promises are made when they are due",
        "own",
        lambda s: table(s, "promises", cluster=at_row(0, "cluster", pl.lit(1, pl.Int16))),
    ),
    "promises where only the first job has a reservation": (
        "promises are made when they are due",
        "own",
        lambda s: parameters(s, backfilling="easy"),
    ),
    "promises that others' starts may break": (
        "promises are made when they are due",
        "own",
        lambda s: parameters(s, guard=False),
    ),
    "a group renews no promise": (
        "promises are made when they are due",
        "groups",
        lambda s: without(s, "promises", pl.col("group") > 0),
    ),
    "a promise by a group of another class": (
        "promises are made when they are due",
        "groups",
        lambda s: changed(s, "promises", "group", 99, pl.col("group") > 0),
    ),
    "a promised finish a tick early": (
        "promised finishes follow from promised clocks",
        "own",
        lambda s: changed(s, "promises", "finish_us", -1),
    ),
    "a promised finish of the next interval": (
        "promised finishes follow from promised clocks",
        "own",
        lambda s: changed(s, "promises", "finish_us", 120 * S),
    ),
    "finishes promised without the worst case": (
        "promised finishes follow from promised clocks",
        "own",
        lambda s: parameters(s, short_slice_s=25.0),
    ),
    "finishes promised without the night": (
        "promised finishes follow from promised clocks",
        "own",
        lambda s: parameters(s, night_share_medium=0.4, night_share_long=0.6, night_begins_h=22, night_ends_h=23),
    ),
    "a start later than promised": (
        "promises are kept",
        "own",
        lambda s: table(s, "promises", clock_us=pl.col("clock_us").clip(upper_bound=S)),
    ),
    "a finish later than promised": (
        "promises are kept",
        "own",
        lambda s: table(s, "promises", finish_us=pl.col("made_us") + S),
    ),
    "a promise before the class clock": (
        "promises are no later than needed",
        "own",
        lambda s: table(s, "promises", clock_us=pl.lit(0, pl.Int64)),
    ),
    "a promise later than any job needs": (
        "promises are no later than needed",
        "own",
        lambda s: changed(s, "promises", "clock_us", 9000 * S, pl.col("made_us") > 99 * S),
    ),
    "a promise on processors that are held": (
        "promises leave room for started jobs",
        "lent",
        lambda s: table(s, "promises", clock_us=pl.lit(0, pl.Int64)),
    ),
    "members promised the same processors": (
        "promises leave room for started jobs",
        "groups",
        lambda s: table(s, "promises", clock_us=pl.col("clock_us").min().over("made_us", "group")),
    ),
}
