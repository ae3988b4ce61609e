"""What the classifier learns of tasks, and the priorities and choices that follow from it."""

from __future__ import annotations

import polars as pl

from scheduler_core.checker.concurrent_gang.evidence import ConcurrentGangEvidence
from scheduler_core.checker.concurrent_gang.ready import CLASSES, HALF, ONE, memberships_of, priority_of, waits_at_ends
from scheduler_core.checker.concurrent_gang.trace import trace_of
from scheduler_core.checker.evidence import aligned

SHOWN, NOT_SHOWN, LESS = 800_000, 200_000, 5


def learned_from_what_was_seen(evidence: ConcurrentGangEvidence) -> tuple[int, pl.DataFrame]:
    """The classifier learns of exactly the tasks that ran in a slice, at its end; a task showed I/O if it asked its disk in it.

    It showed communication if it ended enough sends, receives and arrivals, or began a wait.
    """
    facts, (begin, end) = evidence.facts, evidence.window
    slice_ns = facts.slice_ns
    if facts.classifier == "none":
        table = evidence.tables["trace_memberships"]
        return table.height, table
    whole = (pl.col("slice") * slice_ns >= begin) & ((pl.col("slice") + 1) * slice_ns < end)
    runs = trace_of(evidence).runs.filter(whole)
    ran = runs.group_by("number", "slice").agg(pl.col("begin_ns").last(), ran=pl.lit(True))
    learned = memberships_of(evidence).filter(whole)
    counts = (
        trace_of(evidence)
        .tokens.group_by("number", "slice")
        .agg(asked=(pl.col("kind") == "disk").any(), statements=(pl.col("kind") != "disk").sum())
    )
    waits = [
        trace_of(evidence).spins.select("number", "slice"),
        trace_of(evidence).tokens.filter("waits").select("number", "slice"),
    ]
    waited = pl.concat(waits).unique().with_columns(waited=pl.lit(True))
    both = learned.join(ran, on=["number", "slice"], how="full", coalesce=True)
    for table in (counts, waited, waits_at_ends(evidence)):
        both = aligned(both, table, "number", "slice")
    asked, seen = pl.col("asked").fill_null(False), pl.col("statements").fill_null(0) >= facts.statements
    communicates = seen | pl.col("waited").fill_null(False)
    # A wait may begin at the very tick that ends the slice.
    at_the_end = pl.col("may_wait").fill_null(False) & pl.col("communication_seen")
    # A task whose last statement had blocked it ends when it runs again, which takes no time.
    ends = trace_of(evidence).runs.group_by("number").agg(last=pl.col("slice").max())
    both = aligned(both, ends, "number")
    ended = pl.col("last").fill_null(-1) < pl.col("slice")
    broken = (
        (pl.col("ran").is_null() & ~ended)
        | pl.col("at_ns").is_null()
        | (pl.col("at_ns") % slice_ns != 0)
        | (pl.col("io_seen") != asked)
        | ((pl.col("communication_seen") != communicates) & ~at_the_end)
    )
    names = (
        "at_ns",
        "number",
        "slice",
        "job",
        "task",
        "io_seen",
        "asked",
        "communication_seen",
        "statements",
        "waited",
    )
    return both.height, both.filter(broken.fill_null(False)).sort("slice", "number").select(*names)


def memberships_follow(evidence: ConcurrentGangEvidence) -> tuple[int, pl.DataFrame]:
    """Memberships follow from the earlier ones and the observation, by the classifier's rule; priorities from memberships."""
    facts, table = evidence.facts, memberships_of(evidence)
    if facts.classifier == "none" or table.is_empty():
        return 0, table.clear()
    shown = {
        "io": pl.col("io_seen"),
        "communication": pl.col("communication_seen"),
        "computation": ~pl.col("io_seen") & ~pl.col("communication_seen"),
    }
    same = pl.col("number") == pl.col("number").shift(1)
    rows = table.with_columns(
        pl.when(same).then(pl.col(f"{name}_measured_ppm").shift(1)).otherwise(None).alias(f"{name}_kept_ppm")
        for name in CLASSES
    ).cast({name: pl.Int64 for name in table.columns if name.endswith("_ppm")})
    came = pl.col("number").is_in(evidence.came["number"].implode())
    first = ~same.fill_null(False)
    broken = priority_of(evidence, "_ppm") != pl.col("priority_ppm")
    for name in CLASSES:
        before = pl.when(same).then(pl.col(f"{name}_ppm").shift(1)).when(came & first).then(pl.lit(HALF))
        broken = broken | (pl.col(f"{name}_before_ppm") != before).fill_null(False)
    if facts.classifier == "counting":
        for name in CLASSES:
            due = pl.when(shown[name]).then(SHOWN).otherwise(NOT_SHOWN) + pl.col(f"{name}_before_ppm") // LESS
            broken = broken | (pl.col(f"{name}_ppm") != due) | (pl.col(f"{name}_measured_ppm") != 0)
    else:
        measured = {name: pl.col(f"{name}_measured_ppm") for name in CLASSES}
        for name in CLASSES:
            kept = pl.when(came & first).then(pl.lit(HALF)).otherwise(pl.col(f"{name}_kept_ppm"))
            due = pl.when(shown[name]).then(HALF).otherwise(0) + kept // 2
            broken = broken | (measured[name] != due).fill_null(False)
        weighed = {name: measured[name] * pl.col(f"{name}_before_ppm") for name in CLASSES}
        least = {
            name: pl.max_horizontal(weighed[name] * ONE // pl.sum_horizontal(weighed.values()), pl.lit(facts.least_ppm))
            for name in CLASSES
        }
        for name in CLASSES:
            due = pl.max_horizontal(least[name] * ONE // pl.sum_horizontal(least.values()), pl.lit(1))
            broken = broken | (pl.col(f"{name}_ppm") != due)
    return table.height, table.filter(rows.select(broken.fill_null(True)).to_series())
