"""Sizes of jobs under gang scheduling: when they may change, and what a change costs."""

import polars as pl

from scheduler_core.checker.evidence import counters_agree
from scheduler_core.checker.gang.evidence import GangEvidence
from scheduler_core.checker.sizes import within_bounds

HALF_TICK_US = 0.5 + 1e-6


def sizes_are_allowed(evidence: GangEvidence) -> tuple[int, pl.DataFrame]:
    """A rigid job holds what it asked for, any other a size within its bounds; a moldable job keeps its size to the finish.

    Every job holds what it asked for if the policy does not choose sizes.
    """
    return within_bounds(evidence, evidence.sequence, chosen=evidence.facts.resizes_at_start)


def resizings(evidence: GangEvidence) -> pl.DataFrame:
    """Return the allocations that begin with another size than the job's allocation before."""
    return evidence.sequence.filter(pl.col("processors") != pl.col("size_before"))


def resized_when_allowed(evidence: GangEvidence) -> tuple[int, pl.DataFrame]:
    """A running job changes size only if the policy resizes, and no sooner after its last change than the policy allows."""
    changed = resizings(evidence).select("job", "cluster", "begin_us", "size_before", "processors")
    if not evidence.facts.resizes_running:
        return evidence.sequence.height, changed
    instants = changed.select("cluster", "begin_us").unique().sort("cluster", "begin_us")
    since = (pl.col("begin_us") - pl.col("begin_us").shift(1)).over("cluster")
    early = instants.with_columns(since_last_us=since).filter(pl.col("since_last_us") < evidence.facts.resize_apart_us)
    return evidence.sequence.height, early


def stalls_are_served(evidence: GangEvidence) -> tuple[int, pl.DataFrame]:
    """A job's stalls last as long as its gained and lost processors cost; a job that was not resized has none."""
    processors = (pl.col("processors") - pl.col("size_before")).abs()
    due = resizings(evidence).group_by("job").agg(resized=pl.len(), due_us=(processors * evidence.facts.stall_us).sum())
    stalled = evidence.allocations.group_by("job").agg(pl.col("overhead_us").sum())
    both = stalled.join(due, on="job", how="left").with_columns(pl.col("resized", "due_us").fill_null(0))
    unequal = (pl.col("overhead_us") - pl.col("due_us")).abs() > HALF_TICK_US * pl.col("resized")
    return both.height, both.filter(unequal).sort("job")


def resizings_are_counted(evidence: GangEvidence) -> tuple[int, pl.DataFrame]:
    """The counters of resizings equal the number of size changes of running jobs and the processors they moved."""
    changed = resizings(evidence)
    by = int((changed["processors"].cast(pl.Int64) - changed["size_before"]).abs().sum())
    return counters_agree(evidence, {"resizings": changed.height, "resized_processors": by})
