"""What the rules of Concurrent Gang look at besides: what is due of a job, when the run ends, which tasks are bound where."""

from __future__ import annotations

from functools import cached_property

import numpy as np
import polars as pl

from scheduler_core.checker.evidence import Evidence
from scheduler_core.concurrent_gang.facts import ConcurrentGangFacts
from scheduler_core.contracts.companions import COMPANIONS

NS_PER_US = 1000


def up_to_us(time_ns: int) -> int:
    """Return a time in microseconds, rounded up."""
    return -(-time_ns // NS_PER_US)


class ConcurrentGangEvidence(Evidence):
    """The evidence of a schedule inside whose slices tasks block."""

    @cached_property
    def facts(self) -> ConcurrentGangFacts:
        """What the policy states of itself."""
        facts: ConcurrentGangFacts = self.policy.facts()
        return facts

    @property
    def unfinished(self) -> pl.Expr:
        """Whether a run that ends at a given time ended before a job: it has no finish."""
        return pl.lit(self.facts.until_ns is not None) & pl.col("finish_us").is_null()

    @cached_property
    def end_ns(self) -> int:
        """When the run must end: at the first tick by which the given time has come, or all jobs have ended."""
        slice_ns = self.facts.slice_ns
        last = self.facts.until_ns
        if last is None:
            # A finish is rounded up: in truth it may be before a tick that is no whole microsecond.
            last_us = self.jobs["finish_us"].max()
            last = 0 if last_us is None else int(last_us) * NS_PER_US  # type: ignore[arg-type]
            tick = last // slice_ns * slice_ns
            return tick if tick > last - NS_PER_US else -(-last // slice_ns) * slice_ns
        return -(-last // slice_ns) * slice_ns

    def companion(self, name: str) -> pl.DataFrame:
        """Return a companion table of the workload; one that it does not have has no rows."""
        empty = pl.DataFrame(schema=dict(COMPANIONS[name].columns))
        return self.companions.get(name, empty).select(*COMPANIONS[name].columns)

    @cached_property
    def placed(self) -> pl.DataFrame:
        """A row per job that was placed, in the order of the workload.

        What it is (``position`` in the workload, ``application`` and its columns; jobs of one task that would communicate
        compute), the work due of each task (``work_ns``), and what the schedule says became of it (``start_us``,
        ``finish_us``, ``end_us`` of its allocation, ``outcome``, ``processor_ids``).
        """
        alone = (pl.col("size") == 1) & pl.col("application").is_in(["messages", "supersteps", "irregular"])
        compute = pl.lit("compute").cast(COMPANIONS["applications"].columns["application"])
        held = self.allocations.select("job", "begin_us", "end_us", "processor_ids", "slot", "rate", held_us="work_us")
        held = held.unique("job", keep="first", maintain_order=True)
        asked = self.asked.with_row_index("position").join(self.companion("applications"), on="job", how="left")
        became = self.jobs.select("job", "start_us", "finish_us", "outcome").unique("job", keep="first")
        return (
            asked.join(held, on="job")
            .join(became, on="job", how="left")
            .sort("position")
            .with_columns(
                application=pl.when(alone).then(compute).otherwise("application"),
                work_ns=pl.min_horizontal("runtime_us", "estimate_us") * NS_PER_US,
                ended=pl.col("outcome").cast(pl.String).is_in(["finished", "killed"]),
            )
        )

    @cached_property
    def bound(self) -> pl.DataFrame:
        """A row per task that was placed: its ``number`` by job and task, and the processor it is bound to."""
        jobs = self.placed.select(
            "job",
            "position",
            "begin_us",
            "finish_us",
            "application",
            "seed",
            processor=pl.col("processor_ids").list.sort(),
        )
        tasks = jobs.explode("processor").with_columns(task=pl.int_range(pl.len(), dtype=pl.Int32).over("job"))
        return tasks.with_row_index("number").with_columns(pl.col("number").cast(pl.Int64))

    @cached_property
    def activity(self) -> pl.DataFrame:
        """What the jobs that were placed did with their time, beside what they are."""
        sums = self.tables["job_activity"].unique("job", keep="first")
        return self.placed.join(sums, on="job", how="left", maintain_order="left").sort("position")

    @cached_property
    def ticks_of_change(self) -> np.ndarray:
        """The ticks at which jobs were placed or left."""
        slice_ns = self.facts.slice_ns
        start, finish = (self.placed[name].drop_nulls().to_numpy() * NS_PER_US for name in ("begin_us", "finish_us"))
        left = -(-(finish - NS_PER_US + 1) // slice_ns) * slice_ns
        ticks = np.unique(np.concatenate([start // slice_ns * slice_ns, left]))
        return ticks[ticks < self.end_ns]
