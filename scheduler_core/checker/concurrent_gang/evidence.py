"""What the rules of Concurrent Gang read besides: each job's due work, the end of the run, and which tasks are bound where."""

from functools import cached_property

import polars as pl

from scheduler_core.checker.evidence import Evidence, aligned
from scheduler_core.common.units import NS_PER_US
from scheduler_core.concurrent_gang.facts import ConcurrentGangFacts
from scheduler_core.contracts import COMPANIONS

LENGTH = pl.col("end_ns") - pl.col("begin_ns")


def tick_by(name: str, slice_ns: int) -> pl.Expr:
    """Return the last tick at or before the time of a column of microseconds, which are rounded up."""
    return pl.col(name) * NS_PER_US // slice_ns * slice_ns


def tick_from(name: str, slice_ns: int) -> pl.Expr:
    """Return the first tick at or after the time of a column of microseconds, which are rounded up."""
    return (pl.col(name) * NS_PER_US - (NS_PER_US - 1) + slice_ns - 1) // slice_ns * slice_ns


class ConcurrentGangEvidence(Evidence):
    """The evidence of a schedule in which tasks block inside slices."""

    facts: ConcurrentGangFacts

    @property
    def unfinished(self) -> pl.Expr:
        """Whether a run that ends at a given time ended before a job: the job has no finish."""
        return pl.lit(self.facts.until_ns is not None) & pl.col("finish_us").is_null()

    @cached_property
    def end_ns(self) -> int:
        """When the run must end: at the first tick at or after the given time, or after all jobs have ended."""
        slice_ns, until = self.facts.slice_ns, self.facts.until_ns
        if until is not None:
            return -(-until // slice_ns) * slice_ns
        last = self.jobs.select(tick_from("finish_us", slice_ns).max()).item()
        if last is None:
            return 0
        told = self.tables["processor_activity"]["end_us"].max()
        after = last + slice_ns
        return int(after if told == after // NS_PER_US and self.may_end_late(last) else last)

    def may_end_late(self, tick_ns: int) -> bool:
        """Return whether a job that finished at a tick may have ended when it was dispatched there, after the clock.

        A task whose last statement blocked it ends when it runs again; a task that computed to its end has ended before the
        clock.
        """
        compute = pl.col("application").cast(pl.String) == "compute"
        jobs = self.jobs.filter(pl.col("finish_us") * NS_PER_US == tick_ns).select("job")
        return bool(jobs.join(self.companion("applications").filter(~compute), on="job").height)

    @cached_property
    def placed(self) -> pl.DataFrame:
        """A row per job that was placed, in the order of the workload.

        Its columns from the workload are ``position``, ``application`` and the application's columns (jobs of one task that would
        communicate compute), and the work due of each task (``work_ns``). From the schedule come ``start_us``, ``finish_us``,
        ``end_us`` of its allocation, ``outcome``, ``processor_ids``, and the ticks at which it came and left. A ``late`` job
        (:meth:`may_end_late`) may have left at the next tick.
        """
        alone = (pl.col("size") == 1) & pl.col("application").is_in(["messages", "supersteps", "barriers"])
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
                placed_ns=tick_by("begin_us", self.facts.slice_ns),
                left_ns=tick_from("finish_us", self.facts.slice_ns),
            )
            .with_columns(
                late=(pl.col("finish_us") * NS_PER_US == pl.col("left_ns"))
                & (pl.col("application").cast(pl.String) != "compute")
            )
        )

    @cached_property
    def bound(self) -> pl.DataFrame:
        """A row per placed task: its ``number`` by job and task, and the processor it is bound to."""
        jobs = self.placed.select(
            *("job", "position", "application", "placed_ns", "left_ns", "finish_us"),
            processor=pl.col("processor_ids").list.sort(),
        )
        tasks = jobs.explode("processor").with_columns(task=pl.int_range(pl.len(), dtype=pl.Int32).over("job"))
        return tasks.with_row_index("number").with_columns(pl.col("number").cast(pl.Int64))

    @cached_property
    def activity(self) -> pl.DataFrame:
        """What the placed jobs did with their time, with their columns of :attr:`placed`."""
        sums = self.tables["job_activity"].unique("job", keep="first")
        return aligned(self.placed, sums, "job").sort("position")

    def changes(self, *, late: bool) -> int:
        """Return at how many ticks jobs were placed or left; with ``late``, jobs that may have ended late did."""
        left = pl.col("left_ns") + pl.when(pl.lit(late) & pl.col("late")).then(self.facts.slice_ns).otherwise(0)
        ticks = pl.concat([self.placed["placed_ns"], self.placed.select(left).to_series()]).drop_nulls()
        return int(ticks.filter(ticks < self.end_ns).n_unique())

    # The window of the trace

    @cached_property
    def window(self) -> tuple[int, int]:
        """Begin and end of the window of the trace; equal if there is none."""
        begin, end = (min(time, self.end_ns) for time in self.facts.trace_ns)
        return begin, end

    @property
    def events_end_ns(self) -> int:
        """The trace's tables have all events before this time, and those at the end of the run if the window extends further."""
        return self.facts.trace_ns[1]

    @cached_property
    def traced_slices(self) -> tuple[int, int]:
        """The first slice that overlaps the window, and the first after it."""
        (begin, end), slice_ns = self.window, self.facts.slice_ns
        return (begin // slice_ns, -(-end // slice_ns)) if end > begin else (0, 0)

    def numbered(self, table: pl.DataFrame) -> pl.DataFrame:
        """Add to a table of tasks the ``number`` of each and the processor it is ``bound_to``; null for an unbound task."""
        bound = self.bound.select("job", "task", "number", bound_to="processor")
        return aligned(table, bound, "job", "task")

    @cached_property
    def disks(self) -> pl.DataFrame:
        """The disk requests of the trace, with their tasks' numbers."""
        return self.numbered(self.tables["trace_disks"])

    @cached_property
    def messages(self) -> pl.DataFrame:
        """The messages of the trace, with the number of the receiver's task."""
        return self.numbered(self.tables["trace_messages"].with_columns(task="receiver"))

    @cached_property
    def barriers(self) -> pl.DataFrame:
        """The arrivals at barriers of the trace, with tasks' numbers, and whether the barrier ends a phase."""
        kind = self.placed.select("job", irregular=pl.col("application").cast(pl.String) == "irregular")
        table = aligned(self.numbered(self.tables["trace_barriers"]), kind, "job")
        return table.with_columns(pl.col("irregular").fill_null(False))

    @cached_property
    def came(self) -> pl.DataFrame:
        """The tasks placed within the window; everything is known about them."""
        begin, end = self.window
        return self.bound.filter(pl.col("placed_ns").is_between(begin, end, closed="left"))

    @cached_property
    def owners(self) -> pl.DataFrame:
        """The owners of slices, with their numbers."""
        return self.numbered(self.tables["trace_slices"])

    @cached_property
    def owner_of_slices(self) -> pl.DataFrame:
        """The ``owner`` of each slice on each processor."""
        owners = self.owners.select("processor", slice=pl.col("begin_ns") // self.facts.slice_ns, owner="number")
        return owners.unique(["processor", "slice"], keep="first")

    def with_owners(self, table: pl.DataFrame) -> pl.DataFrame:
        """Add the ``owner`` of its slice on its processor to each row of a table."""
        return aligned(table, self.owner_of_slices, "processor", "slice")


def latest(table: pl.DataFrame, time: str, events: pl.DataFrame, at: str, *, by: str) -> pl.DataFrame:
    """Sort a table by time, and add to each row the last event ``at`` or before that time with the same ``by``."""
    events = events.sort(at, maintain_order=True)
    return table.sort(time, maintain_order=True).join_asof(
        events, left_on=time, right_on=at, by=by, check_sortedness=False
    )
