"""Broken promises to waiting jobs: by name the rule that must catch it, the kind of schedule, what is changed."""

import polars as pl

from tests.scheduler_core.checker.broken_schedules import again, changed, parameters, said, table, without
from tests.scheduler_core.checker.concurrent_gang.machine_in_slices import S

PROMISE_MUTATIONS = {
    ("promises are made when they are due", "own"): {
        "a promise is missing": lambda s: without(s, "promises"),
        "a promise is made twice": lambda s: again(s, "promises"),
        "a promise made late": lambda s: changed(s, "promises", "made_us", 1),
        "promises in another order": lambda s: table(s, "promises", s.tables["promises"].reverse()),
        "a promise of another cluster": lambda s: said(s, "promises", cluster=1),
        "promises where only the first job has a reservation": lambda s: parameters(s, backfilling="easy"),
        "promises that others' starts may break": lambda s: parameters(s, guard=False),
    },
    ("promises are made when they are due", "groups"): {
        "a group renews no promise": lambda s: without(s, "promises", pl.col("group") > 0),
        "a promise by a group of another class": lambda s: changed(s, "promises", "group", 99, pl.col("group") > 0),
    },
    ("promised finishes follow from promised clocks", "own"): {
        "a promised finish a tick early": lambda s: changed(s, "promises", "finish_us", -1),
        "a promised finish of the next interval": lambda s: changed(s, "promises", "finish_us", 120 * S),
        "finishes promised without the worst case": lambda s: parameters(s, short_slice_s=25.0),
        "finishes promised without the night": lambda s: parameters(
            s, night_share_medium=0.4, night_share_long=0.6, night_begins_h=22, night_ends_h=23
        ),
    },
    ("promises are kept", "own"): {
        "a start later than promised": lambda s: table(s, "promises", clock_us=pl.col("clock_us").clip(upper_bound=S)),
        "a finish later than promised": lambda s: table(s, "promises", finish_us=pl.col("made_us") + S),
    },
    ("promises are no later than needed", "own"): {
        "a promise before the class clock": lambda s: table(s, "promises", clock_us=0),
        "a promise later than any job needs": lambda s: changed(
            s, "promises", "clock_us", 9000 * S, pl.col("made_us") > 99 * S
        ),
    },
    ("promises leave room for started jobs", "lent"): {
        "a promise on processors that are held": lambda s: table(s, "promises", clock_us=0)
    },
    ("promises leave room for started jobs", "groups"): {
        "members promised the same processors": lambda s: table(
            s, "promises", clock_us=pl.col("clock_us").min().over("made_us", "group")
        )
    },
}
