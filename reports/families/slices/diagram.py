"""The diagram of a machine that belongs to one class of jobs at a time: processors against time, slice after slice.

It follows Figures 3 and 13 of Kanavallil 2007: blocks are jobs, the letters S, M and L above name the class that owns the
slice, and a dotted line ends a slice. The life of a group is marked as in Figure 7.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import polars as pl

from reports.diagrams.allocations import AllocationWindow, overlaps, place, table_of, tables_of_run
from scheduler_core.contracts import JobClass

CLASSES = ("short", "medium", "long")
"""Classes in the order of the slices of an allocation; an allocation's ``slot`` is the place in it."""


@dataclass(frozen=True, kw_only=True)
class SlicesWindow(AllocationWindow):
    """A window of one replication of a schedule with slices.

    Attributes
    ----------
    jobs
        A row per job that runs or waits in the window: what it asked and what became of it, its ``class`` (where no workload
        states one: as the policy took it), and ``group`` and ``place`` where it was a member of one, else null.
    allocations
        A row per stretch in which a job runs, with the ``class`` of the slice and ``lent`` (another class's slice); their
        ``slot`` is 0, as there is one machine.
    slices
        The slices that meet the window: ``class, begin_us, work_us`` (when switching ends), ``end_us``.
    groups
        The groups that are open in the window: ``group, class, formed_us, ended_us, jobs``.
    waiting
        The queue: ``begin_us, end_us, short, medium, long`` and ``numbers``, the jobs that wait, in order of submission.
    """

    slices: pl.DataFrame
    groups: pl.DataFrame
    waiting: pl.DataFrame

    def until(self, end_us: int) -> SlicesWindow:
        """Return a whole schedule on an axis that ends later."""
        return replace(self, end_us=end_us, waiting=queue(self.jobs, self.begin_us, end_us))


def group_changes(folder: Path) -> pl.Series:
    """Return when groups of jobs were formed and when they ended, in microseconds."""
    found = table_of(folder, "groups").select("formed_us", "ended_us").collect()
    return pl.concat([found["formed_us"], found["ended_us"]])


def read_window(folder: Path, begin_us: int, end_us: int) -> SlicesWindow:
    """Return a window of a run; raise :class:`SlotwiseError` when the run has no slices, or the window is empty."""
    tables = tables_of_run(folder, "slices")
    held = tables.within("allocations", begin_us, end_us).sort("begin_us", "job").with_columns(
        pl.col("slot").replace_strict(dict(enumerate(CLASSES)), return_dtype=JobClass).alias("class"),
        pl.lit(0, dtype=pl.Int32).alias("slot"),
    )  # fmt: skip
    runs, named = place(held, tables.processors)
    jobs = tables.table("jobs").filter(present(begin_us, end_us)).collect()
    shown = described(jobs, tables.table("members").collect(), tables.parameters)
    own = shown.select("job", pl.col("class").alias("own"))
    slices = tables.within("slices", begin_us, end_us).sort("begin_us")
    groups = tables.table("groups").filter(overlaps(begin_us, end_us, "formed_us", "ended_us")).collect()
    return SlicesWindow(
        **tables.of_window(begin_us, end_us),
        jobs=shown,
        allocations=held.with_columns(runs).join(own, on="job", how="left", maintain_order="left").select(
            "job", "slot", "class", "begin_us", "end_us", "processors",
            (pl.col("class") != pl.col("own")).alias("lent"), "runs",
        ),
        slices=slices.select(
            "class", "begin_us", (pl.col("begin_us") + pl.col("overhead_us")).alias("work_us"), "end_us"
        ),
        groups=groups.select("group", "class", "formed_us", "ended_us", "jobs"),
        waiting=queue(shown, begin_us, end_us),
        named=named,
    )  # fmt: skip


def present(begin_us: int, end_us: int) -> pl.Expr:
    """Select the jobs that are on the machine or in its queue in a window."""
    return pl.col("start_us").is_not_null() & overlaps(begin_us, end_us, "submit_us", "finish_us")


def described(jobs: pl.DataFrame, members: pl.DataFrame, parameters: dict[str, Any]) -> pl.DataFrame:
    """Return the facts of each job for its tooltip; a class that the workload does not state is the policy's."""
    estimate_s = pl.col("estimate_us") / 1e6
    by_estimate = (
        pl.when(estimate_s < parameters.get("short_limit_s", 0.0)).then(pl.lit("short"))
        .when(estimate_s < parameters.get("medium_limit_s", float("inf"))).then(pl.lit("medium"))
        .otherwise(pl.lit("long")).cast(JobClass)
    )  # fmt: skip
    stated = pl.col("class").fill_null(by_estimate) if "class" in jobs.columns else by_estimate
    # a job is a member once, unless its group ended before it started
    last = members.group_by("job").agg(pl.col("group", "place").sort_by("group").last())
    return (
        jobs.with_columns(stated.alias("class"))
        .select("job", "class", "size", "submit_us", "start_us", "finish_us", "runtime_us", "estimate_us", "preemptions",
                pl.col("outcome").cast(pl.String))
        .join(last, on="job", how="left")
        .sort("submit_us", "job")
    )  # fmt: skip


def queue(jobs: pl.DataFrame, begin_us: int, end_us: int) -> pl.DataFrame:
    """Return the waiting jobs over time: how many of each class, and their numbers."""
    waits = jobs.filter(
        (pl.col("submit_us") < pl.col("start_us")) & overlaps(begin_us, end_us, "submit_us", "start_us")
    )
    edges = pl.concat([waits["submit_us"], waits["start_us"]]).clip(begin_us, end_us).to_list()
    times = pl.DataFrame({"begin_us": sorted({begin_us, end_us, *edges})}, schema={"begin_us": pl.Int64})
    spans = times.with_columns(pl.col("begin_us").shift(-1).alias("end_us")).drop_nulls()
    ordered = waits.select("job", "class", "submit_us", "start_us")
    met = spans.join_where(
        ordered, pl.col("submit_us") <= pl.col("begin_us"), pl.col("start_us") > pl.col("begin_us")
    ).sort("begin_us", "submit_us", "job")
    counts = met.group_by("begin_us").agg(
        *((pl.col("class") == kind).sum().cast(pl.Int64).alias(kind) for kind in CLASSES),
        pl.col("job").alias("numbers"),
    )
    return (
        spans.join(counts, on="begin_us", how="left")
        .with_columns(pl.col(*CLASSES).fill_null(0), pl.col("numbers").fill_null([]))
        .sort("begin_us")
    )
