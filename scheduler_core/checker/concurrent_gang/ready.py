"""What was known of tasks: memberships and priorities, and which tasks were certainly ready when another was chosen."""

import polars as pl

from scheduler_core.checker.concurrent_gang.evidence import ConcurrentGangEvidence, latest
from scheduler_core.checker.concurrent_gang.trace import trace_of
from scheduler_core.checker.evidence import aligned, once

ONE, HALF = 1_000_000, 500_000
"""Memberships, in millionths."""

CLASSES = ("io", "communication", "computation")


@once
def memberships_of(evidence: ConcurrentGangEvidence) -> pl.DataFrame:
    """Return what was learned, with tasks' numbers and the slice that ended."""
    table = evidence.numbered(evidence.tables["trace_memberships"])
    slices = pl.col("at_ns") // evidence.facts.slice_ns - 1
    return table.with_columns(slice=slices).sort("number", "at_ns", maintain_order=True)


def priority_of(evidence: ConcurrentGangEvidence, suffix: str) -> pl.Expr:
    """Return the priority that follows from memberships."""
    facts = evidence.facts
    io = pl.col(f"io{suffix}").cast(pl.Int64)
    if facts.less_communication:
        io = io - pl.col(f"communication{suffix}")
    return pl.max_horizontal(io * facts.alpha_ppm // ONE, pl.col(f"computation{suffix}").cast(pl.Int64))


@once
def known_priorities(evidence: ConcurrentGangEvidence) -> pl.DataFrame:
    """Return, by task and time, each task's known priority and whether it was I/O-bound, from that time on."""
    table = memberships_of(evidence)
    first = table.unique("number", keep="first", maintain_order=True)
    came = evidence.came.filter(~pl.col("number").is_in(first["number"].implode()))
    came = came.with_columns(pl.lit(HALF).alias(f"{name}_ppm") for name in CLASSES)
    before = pl.lit(evidence.window[0] - 1, pl.Int64)
    parts = ((table, pl.col("at_ns"), "_ppm"), (first, before, "_before_ppm"), (came, before, "_ppm"))
    return pl.concat(
        part.select("number", from_ns=since, priority=priority_of(evidence, suffix), io_bound=io_bound(suffix))
        for part, since, suffix in parts
    ).sort("from_ns", "number")


def io_bound(suffix: str) -> pl.Expr:
    """Return whether a task's membership in I/O is above both others."""
    return pl.col(f"io{suffix}") > pl.max_horizontal(f"communication{suffix}", f"computation{suffix}")


def with_known(
    evidence: ConcurrentGangEvidence, table: pl.DataFrame, task: str, column: str, name: str
) -> pl.DataFrame:
    """Add what was known of each row's task in its slice: its ``priority``, or whether it was ``io_bound``."""
    known = known_priorities(evidence).select(known_ns="from_ns", **{task: "number", name: column})
    begin = pl.col("slice") * evidence.facts.slice_ns
    found = latest(table.with_columns(slice_ns=begin), "slice_ns", known, "known_ns", by=task)
    return found.drop("slice_ns", "known_ns")


def with_priority(evidence: ConcurrentGangEvidence, table: pl.DataFrame, task: str, name: str) -> pl.DataFrame:
    """Add the priority of each row's task in its slice."""
    return with_known(evidence, table, task, "priority", name)


@once
def ready_times(evidence: ConcurrentGangEvidence) -> pl.DataFrame:
    """Return the times at which tasks were certainly ready and did not run, slice by slice, with their priorities."""
    slice_ns = evidence.facts.slice_ns
    gaps = trace_of(evidence).gaps.filter(pl.col("ready_ns") < pl.col("until_ns"))
    begin, end = pl.col("ready_ns"), pl.col("until_ns")
    pieces = gaps.select(
        *("processor", "number", "job", "task", "ready_ns", "until_ns"),
        slice=pl.int_ranges(begin // slice_ns, (end - 1) // slice_ns + 1),
    ).explode("slice")
    pieces = pieces.with_columns(
        from_ns=pl.max_horizontal("ready_ns", pl.col("slice") * slice_ns),
        to_ns=pl.min_horizontal("until_ns", (pl.col("slice") + 1) * slice_ns),
    )
    return with_priority(evidence, pieces, "number", "priority")


@once
def choices_of(evidence: ConcurrentGangEvidence) -> pl.DataFrame:
    """Return the dispatches with priority, the task's dispatch before (in the window), and its job's placement."""
    last = pl.when(~pl.col("clipped").shift(1)).then(pl.col("begin_ns").shift(1)).over("number")
    runs = trace_of(evidence).runs.sort("processor", "begin_ns").with_columns(last_ns=last)
    placed = evidence.bound.select("number", "placed_ns")
    seen = runs.filter(~pl.col("clipped"), ~pl.col("hidden"))
    return with_priority(evidence, aligned(seen, placed, "number"), "number", "priority")


@once
def rivals_of(evidence: ConcurrentGangEvidence) -> pl.DataFrame:
    """Return, for each choice of the local scheduler, the other tasks of the processor that were certainly ready."""
    chosen = choices_of(evidence).filter(pl.col("by") == "local")
    gaps = trace_of(evidence).gaps.filter(pl.col("number").is_not_null())
    others = gaps.select("processor", rival="number").unique().sort("processor", "rival")
    pairs = chosen.join(others, on="processor", maintain_order="left_right").filter(pl.col("rival") != pl.col("number"))
    when = gaps.select("ready_ns", "until_ns", "reason", gap_ns="from_ns", rival="number")
    pairs = latest(pairs, "begin_ns", when, "gap_ns", by="rival").drop("gap_ns")
    begin = pl.col("begin_ns")
    # A task that becomes ready at that instant may come too late: through a choice on another processor at the same instant.
    at_once = pl.col("ready_ns") == begin
    late = (pl.col("reason") == "phase") | ((pl.col("reason") == "wait") & pl.lit(evidence.facts.latency_ns == 0))
    pairs = pairs.filter(pl.col("ready_ns") <= begin, begin < pl.col("until_ns"), ~(at_once & late))
    pairs = with_priority(evidence, pairs, "rival", "rival_priority")
    last = trace_of(evidence).runs.filter(~pl.col("clipped")).select(rival_last_ns="begin_ns", rival="number")
    pairs = latest(pairs, "begin_ns", last, "rival_last_ns", by="rival")
    placed = evidence.bound.select(rival="number", rival_placed_ns="placed_ns")
    return aligned(pairs, placed, "rival")


@once
def waits_at_ends(evidence: ConcurrentGangEvidence) -> pl.DataFrame:
    """Return tasks and slices for which it is open whether a wait began: at the tick that ended the slice, or with a limit of 0.

    At the tick it may have begun if the task next receives or spins, or does not reappear. If a phase or barrier ended when a
    task came, the task had waited if others came at that instant after it.
    """
    runs = trace_of(evidence).runs.sort("number", "begin_ns", "end_ns", maintain_order=True)
    waits = pl.col("work").shift(-1).over("number").is_in(["spin", "receive"])
    last = pl.col("run") == pl.col("run").last().over("number")
    at_tick = (pl.col("end_ns") % evidence.facts.slice_ns == 0) & (waits.fill_null(False) | last)
    may = at_tick | pl.lit(evidence.facts.spin_ns == 0)
    late = trace_of(evidence).tokens.filter("may_wait").select("number", "slice")
    return pl.concat([runs.filter(may).select("number", "slice"), late]).unique().with_columns(may_wait=pl.lit(True))
