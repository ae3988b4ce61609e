"""The trace in order: runs of tasks, what they waited for, and when tasks that did not run were ready.

A window begins anywhere, so nothing is known of a task before it is first seen. Rules about readiness use only the times at
which a task was certainly ready.
"""

from dataclasses import dataclass
from typing import Any

import polars as pl

from scheduler_core.checker.concurrent_gang.evidence import LENGTH, ConcurrentGangEvidence, latest
from scheduler_core.checker.evidence import aligned, once

NEVER = 2**62
"""A time that never comes."""

WAKING = ("disk", "phase", "wait")
"""Reasons for which a task stops running and later becomes ready without the scheduler."""


@dataclass(frozen=True)
class Trace:
    """What processors did within the window.

    * ``rows``: the trace with the ``number`` of each task, its ``slice``, and the ``run`` it belongs to.
    * ``runs``: the times for which a dispatched task had a processor, by processor and time. ``clipped`` runs began before the
      window. ``hidden`` runs took no time and follow from what the task did. ``work`` is the task's first activity after its
      switch; ``before`` is the task that ran before, null if unknown, -1 if there was none.
    * ``tokens``: the acts of tasks that the trace names (:func:`tokens_of`).
    * ``spins``: the times for which a task span in a slice. ``target_ns`` is when its wait ends, null if unknown;
      ``at_barrier``: whether it waited at a barrier.
    * ``gaps``: the times for which a task did not run, after a run or its placement, with the ``reason``. ``ready_ns`` is null
      if unknown; until ``until_ns`` the task was certainly ready; ``again``: whether it ran again.
    """

    rows: pl.DataFrame
    runs: pl.DataFrame
    tokens: pl.DataFrame
    spins: pl.DataFrame
    gaps: pl.DataFrame


@once
def trace_of(evidence: ConcurrentGangEvidence) -> Trace:
    """Return the trace in order."""
    rows = rows_of(evidence)
    seen = runs_of(evidence, rows)
    tokens = tokens_of(evidence, seen)
    runs = with_hidden(evidence, seen, tokens)
    spins = spins_of(evidence, rows, tokens)
    return Trace(rows, runs, tokens, spins, gaps_of(evidence, runs, spins))


def rows_of(evidence: ConcurrentGangEvidence) -> pl.DataFrame:
    """Return the rows with numbers of tasks, slices and runs."""
    table = evidence.numbered(evidence.tables["trace"]).with_columns(pl.col("activity").cast(pl.String))
    rows = table.sort("processor", "begin_ns", maintain_order=True)
    rows = rows.with_columns(slice=pl.col("begin_ns") // evidence.facts.slice_ns)
    same = [pl.col(name).eq_missing(pl.col(name).shift(1)) for name in ("processor", "slice", "number", "by")]
    goes_on = pl.all_horizontal(pl.col("begin_ns") == pl.col("end_ns").shift(1), *same)
    return rows.with_columns(run=(~goes_on).fill_null(True).cum_sum())


def runs_of(evidence: ConcurrentGangEvidence, rows: pl.DataFrame) -> pl.DataFrame:
    """Return the runs, by processor and time."""
    begin, slice_ns = evidence.window[0], evidence.facts.slice_ns
    switch = pl.col("activity") == "switch"
    of_runs = rows.filter(pl.col("number").is_not_null()).group_by("run", maintain_order=True)
    runs = of_runs.agg(
        pl.col("processor", "number", "job", "task", "by", "slice", "begin_ns").first(),
        pl.col("end_ns").last(),
        first=pl.col("activity").first(),
        work=pl.col("activity").filter(~switch).first(),
        last=pl.col("activity").last(),
        switches=switch.sum(),
        switch_ns=LENGTH.filter(switch).sum(),
    )
    same = pl.col("processor") == pl.col("processor").shift(1)
    return runs.with_columns(
        pl.col("by").cast(pl.String),
        clipped=(pl.col("begin_ns") == begin) & pl.lit(begin % slice_ns != 0),
        before=pl.when(same).then(pl.col("number").shift(1)).otherwise(pl.lit(None if begin else -1, pl.Int64)),
        hidden=pl.lit(False),
    )


def cut_short(evidence: ConcurrentGangEvidence) -> pl.Expr:
    """Return whether a run ended in its switch, before the task did anything."""
    return pl.col("work").is_null() & (pl.col("switch_ns") < evidence.facts.switch_ns).fill_null(False)


def tokens_of(evidence: ConcurrentGangEvidence, runs: pl.DataFrame) -> pl.DataFrame:
    """Return when tasks ended sends and receives, came to barriers and asked their disks: by task and time.

    Each has its slice and whether it began a wait (``waits``); ``may_wait`` if that is open, because the wait ended at that
    instant. ``alone`` marks acts without an observed run.
    """
    sent, received = (
        evidence.numbered(evidence.tables["trace_messages"].rename({who: "task"})).select(
            "number", time_ns=time, kind=pl.lit(kind), id="message", waits=pl.lit(False), may_wait=pl.lit(False)
        )
        for who, time, kind in (("sender", "sent_ns", "send"), ("receiver", "received_ns", "receive"))
    )
    waits = pl.col("released_ns").fill_null(NEVER) > pl.col("arrived_ns")
    arrived = evidence.barriers.select(
        "number", time_ns="arrived_ns", kind=pl.lit("barrier"), id="barrier", waits=waits, may_wait=~waits
    )
    asked = evidence.disks.select(
        "number", time_ns="issued_ns", kind=pl.lit("disk"), id=LENGTH, waits=pl.lit(False), may_wait=pl.lit(False)
    )
    begin, end, slice_ns = evidence.window[0], evidence.events_end_ns, evidence.facts.slice_ns
    order = pl.col("kind").replace_strict({"send": 1, "receive": 1, "barrier": 2, "disk": 3}, return_dtype=pl.Int8)
    inside = pl.col("time_ns").is_between(begin, end, closed="left")
    tokens = pl.concat([sent, received, arrived, asked]).filter(pl.col("number").is_not_null() & inside)
    stopped = pl.when(cut_short(evidence)).then(pl.col("end_ns") - 1)
    ran = runs.select("number", "begin_ns", stopped_ns=stopped.otherwise("end_ns"), ran_in="slice")
    tokens = tokens.with_columns(order=order, just_before=pl.col("time_ns") - 1)
    tokens = latest(tokens, "just_before", ran, "begin_ns", by="number")
    begins = runs.select("number", time_ns="begin_ns", begins=pl.lit(True)).unique()
    tokens = aligned(tokens, begins, "number", "time_ns")
    during = (pl.col("time_ns") <= pl.col("stopped_ns")).fill_null(False)
    at_begin = (pl.col("time_ns") == begin) & pl.lit(begin > 0)  # of a run that ended as the window began
    of_slice = pl.when(during).then("ran_in").when(at_begin).then((pl.col("time_ns") - 1) // slice_ns)
    alone = ~during & pl.col("begins").is_null() & ~at_begin
    tokens = tokens.with_columns(slice=of_slice.otherwise(pl.col("time_ns") // slice_ns), alone=alone)
    names = ("number", "time_ns", "kind", "id", "waits", "may_wait", "slice", "alone")
    return tokens.sort("number", "time_ns", "order", "id").select(*names)


def with_hidden(evidence: ConcurrentGangEvidence, runs: pl.DataFrame, tokens: pl.DataFrame) -> pl.DataFrame:
    """Add the runs that took no time: a task continued where it was, and waited again immediately."""
    task = evidence.bound.select("number", "processor", "job", "task")
    alone = tokens.filter("alone").unique(["number", "time_ns"], maintain_order=True)
    hidden = alone.join(task, on="number", maintain_order="left").select(
        *("processor", "number", "job", "task", "slice"),
        run=-1 - pl.int_range(pl.len(), dtype=pl.Int64),
        begin_ns="time_ns",
        end_ns="time_ns",
        clipped=pl.lit(False),
        hidden=pl.lit(True),
    )
    runs = runs.with_columns(pl.col("run").cast(pl.Int64))
    return pl.concat([runs, hidden], how="diagonal").sort("processor", "begin_ns", "end_ns", maintain_order=True)


def spins_of(evidence: ConcurrentGangEvidence, rows: pl.DataFrame, tokens: pl.DataFrame) -> pl.DataFrame:
    """Return the times for which tasks span, with what they waited for.

    Every receive that ended within the window is known. Of later receives only some are, not necessarily the next one.
    """
    spins = rows.filter(pl.col("activity") == "spin", pl.col("number").is_not_null())
    arrivals = evidence.barriers.select("number", "released_ns", came_ns="arrived_ns")
    receives = evidence.messages.filter(pl.col("received_ns") <= evidence.window[1])
    receives = receives.select("number", "received_ns", "arrived_ns", "message").sort("received_ns")
    spins = latest(spins, "begin_ns", tokens.select("number", "kind", token_ns="time_ns"), "token_ns", by="number")
    spins = latest(spins, "begin_ns", arrivals, "came_ns", by="number").join_asof(
        receives, left_on="end_ns", right_on="received_ns", by="number", strategy="forward", check_sortedness=False
    )
    released = pl.col("released_ns").fill_null(NEVER)
    at_barrier = ((pl.col("kind") == "barrier") & (released > pl.col("begin_ns"))).fill_null(False)
    known = pl.col("kind").is_not_null() | pl.col("number").is_in(evidence.came["number"].implode())
    target = pl.when(at_barrier).then(released).otherwise("arrived_ns")
    return spins.with_columns(at_barrier=at_barrier, target_ns=pl.when(known).then(target)).select(
        *("run", "processor", "number", "job", "task", "slice", "begin_ns", "end_ns", "at_barrier", "target_ns")
    )


def gaps_of(evidence: ConcurrentGangEvidence, runs: pl.DataFrame, spins: pl.DataFrame) -> pl.DataFrame:
    """Return the times for which tasks did not run, why, and when they were ready."""
    facts, (begin, end) = evidence.facts, evidence.window
    asked = evidence.disks.select("number", end_ns="issued_ns", disk_ns="end_ns").unique(["number", "end_ns"])
    # A task that came late goes on, and may wait at the next barrier at once.
    released = pl.col("released_ns").fill_null(NEVER).max()
    phase = evidence.barriers.filter("irregular").group_by("number", end_ns="arrived_ns").agg(phase_ns=released)
    span = spins.select("run", "end_ns", "target_ns", "at_barrier", span_ns=LENGTH)
    names = ("processor", "number", "job", "task", "run", "by", "slice", "begin_ns", "end_ns")
    after = aligned(runs.select(*names, cut=cut_short(evidence)), asked, "number", "end_ns")
    after = aligned(after, phase, "number", "end_ns")
    after = aligned(after, span.unique(["run", "end_ns"]), "run", "end_ns")
    after = aligned(after, evidence.bound.select("number", "application"), "number")
    at_tick = pl.col("end_ns") % facts.slice_ns == 0
    # A limit that leaves time before the tick is never reached at a tick.
    limited = pl.lit(facts.spin_ns is not None) & (pl.col("span_ns") == (facts.spin_ns or 0))
    limited = limited & ~(at_tick & pl.lit((facts.limit_left_ns or 0) > (facts.spin_ns or 0)))
    reasons = (
        ("disk", pl.col("disk_ns").is_not_null() & ~pl.col("cut")),
        ("phase", pl.col("phase_ns").is_not_null() & ~pl.col("cut")),
        ("wait", limited & (pl.col("target_ns").fill_null(NEVER) > pl.col("end_ns"))),
        ("tick", at_tick),
        ("window", pl.col("end_ns") == end),
        ("wait", pl.lit(facts.spin_ns == 0)),
        ("other", pl.lit(True)),
    )
    reason = pl.coalesce(pl.when(holds).then(pl.lit(word)) for word, holds in reasons)
    # With a limit of 0, a wait may begin and end in blocking at the tick.
    apart = pl.col("application").cast(pl.String).is_in(["compute", "io"])
    in_time = apart | pl.lit(facts.spin_ns != 0)
    ready: dict[str, Any] = {
        "disk": "disk_ns",
        "phase": "phase_ns",
        "wait": "target_ns",
        "tick": pl.when(in_time).then("end_ns"),
    }
    ready_ns = pl.coalesce(pl.when(reason=word).then(time) for word, time in ready.items())
    after = after.with_columns(reason=reason).with_columns(ready_ns=ready_ns)
    came = evidence.came.select(
        *("processor", "number", "job", "task"), end_ns="placed_ns", reason=pl.lit("placed"), ready_ns="placed_ns"
    )
    gaps = pl.concat([after, came.filter(pl.col("end_ns") < end)], how="diagonal").sort("number", "end_ns", "begin_ns")
    gaps = gaps.rename({"end_ns": "from_ns", "begin_ns": "ran_ns"})
    next_run = pl.when(pl.col("number") == pl.col("number").shift(-1)).then(pl.col("ran_ns").shift(-1))
    gaps = with_preempted(evidence, gaps.with_columns(next_ns=next_run), runs)
    owned = evidence.owners.group_by("number").agg(owned_ns=pl.col("begin_ns").max())
    gaps = aligned(gaps, owned.drop_nulls(), "number")
    waiting = pl.col("reason").is_in(["tick", "preempted"]) & (pl.col("target_ns") > pl.col("from_ns"))
    named = pl.max_horizontal("from_ns", pl.col("owned_ns").fill_null(begin))
    until = pl.coalesce("next_ns", pl.when(waiting).then(pl.lit(end)), named)
    return gaps.with_columns(until_ns=until, again=pl.col("next_ns").is_not_null()).sort("from_ns", maintain_order=True)


def with_preempted(evidence: ConcurrentGangEvidence, gaps: pl.DataFrame, runs: pl.DataFrame) -> pl.DataFrame:
    """Mark gaps as preempted if a task that became ready at that instant, the ``successor``, took the processor."""
    at_next = pl.col("ready_ns").is_null() | (pl.col("ready_ns") == pl.col("next_ns"))
    woken = gaps.filter(pl.col("reason").is_in(WAKING), at_next)
    woken = woken.select("processor", successor="number", from_ns="next_ns")
    # It is unknown when a task that appears for the first time became ready.
    known = evidence.came["number"].implode()
    first = runs.unique("number", keep="first", maintain_order=True).filter(~pl.col("number").is_in(known))
    woken = pl.concat([woken, first.select("processor", successor="number", from_ns="begin_ns")])
    woken = woken.with_columns(woken=pl.lit(True))
    follows = runs.select("processor", successor="number", from_ns="begin_ns").unique(["processor", "from_ns"])
    follows = follows.join(woken.unique(), on=["processor", "successor", "from_ns"])
    both = aligned(gaps, follows, "processor", "from_ns")
    taken = pl.col("woken").fill_null(False) & (pl.col("successor") != pl.col("number"))
    preempted = taken & (pl.col("reason") == "other")
    # Reaching the limit at that instant and being preempted then look the same.
    unclear = taken & (pl.col("reason") == "wait") & pl.lit(evidence.facts.limit_left_ns is not None)
    return both.with_columns(
        reason=pl.when(preempted).then(pl.lit("preempted")).otherwise("reason"),
        ready_ns=pl.when(preempted).then("from_ns").when(~unclear).then("ready_ns"),
    ).drop("woken")
