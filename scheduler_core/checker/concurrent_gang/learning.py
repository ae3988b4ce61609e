"""What the classifier learns of tasks, and the priorities and choices that follow from it."""

import polars as pl

from scheduler_core.checker.concurrent_gang.evidence import ConcurrentGangEvidence
from scheduler_core.checker.concurrent_gang.ready import CLASSES, HALF, ONE, memberships_of, priority_of, waits_at_ends
from scheduler_core.checker.concurrent_gang.trace import trace_of
from scheduler_core.checker.evidence import NOTHING_CHECKED, aligned

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
    tokens, spins = trace_of(evidence).tokens, trace_of(evidence).spins
    at_disk = pl.col("kind") == "disk"
    counts = tokens.group_by("number", "slice").agg(asked=at_disk.any(), statements=(~at_disk).sum())
    waits = [table.select("number", "slice") for table in (spins, tokens.filter("waits"))]
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
    found = ("io_seen", "asked", "communication_seen", "statements", "waited")
    wrong = both.filter(broken).sort("slice", "number")
    return both.height, wrong.select("at_ns", "number", "slice", "job", "task", *found)


def memberships_follow(evidence: ConcurrentGangEvidence) -> tuple[int, pl.DataFrame]:
    """Memberships follow from the earlier ones and the observation, by the classifier's rule; priorities from memberships."""
    facts, table = evidence.facts, memberships_of(evidence)
    if facts.classifier == "none" or table.is_empty():
        return NOTHING_CHECKED
    shown = {
        "io": pl.col("io_seen"),
        "communication": pl.col("communication_seen"),
        "computation": ~pl.col("io_seen") & ~pl.col("communication_seen"),
    }
    rows = table.cast({name: pl.Int64 for name in table.columns if name.endswith("_ppm")})
    same = (pl.col("number") == pl.col("number").shift(1)).fill_null(False)
    came = ~same & pl.col("number").is_in(evidence.came["number"].implode())
    after, before, measured = (
        {name: pl.col(f"{name}{end}_ppm") for name in CLASSES} for end in ("", "_before", "_measured")
    )
    broken = [priority_of(evidence, "_ppm") != pl.col("priority_ppm")]
    broken += [(before[name] != known_before(after[name], same, came)).fill_null(False) for name in CLASSES]
    if facts.classifier == "counting":
        broken += [
            after[name] != pl.when(shown[name]).then(SHOWN).otherwise(NOT_SHOWN) + before[name] // LESS
            for name in CLASSES
        ]
        broken += [measured[name] != 0 for name in CLASSES]
    else:
        seen = {name: pl.when(shown[name]).then(HALF).otherwise(0) for name in CLASSES}
        kept = {name: known_before(measured[name], same, came) // 2 for name in CLASSES}
        broken += [(measured[name] != seen[name] + kept[name]).fill_null(False) for name in CLASSES]
        weighed = parts_of_one([measured[name] * before[name] for name in CLASSES], facts.least_ppm)
        due = parts_of_one(weighed, 1)
        broken += [after[name] != part for name, part in zip(CLASSES, due, strict=True)]
    return table.height, table.filter(rows.select(pl.any_horizontal(broken).fill_null(True)).to_series())


def known_before(value: pl.Expr, same: pl.Expr, came: pl.Expr) -> pl.Expr:
    """Return a task's value after its slice before; one half for a task that came in the window, else null if unknown."""
    return pl.when(same).then(value.shift(1)).when(came).then(pl.lit(HALF))


def parts_of_one(values: list[pl.Expr], least: int) -> list[pl.Expr]:
    """Return what part of their sum each value is, in millionths, but at least ``least``."""
    whole = pl.sum_horizontal(values)
    return [pl.max_horizontal(value * ONE // whole, pl.lit(least)) for value in values]
