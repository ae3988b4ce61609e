"""The diagram of activities: what each processor did at every instant of a traced window, and for which task.

Each processor has a lane. A running task has the colour of its job; it fills the lane if the gang scheduler chose it, and its
lower part if a local scheduler did. The background has the colour of the slice's owner, so an idle or replaced owner shows.
Below each lane is what its disk served.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl

from reports.diagrams.allocations import AllocationWindow, place, table_of, tables_of_run
from scheduler_core.common.errors import SlotwiseError
from scheduler_core.declarations.families import family

NANOSECONDS = 1000
"""Nanoseconds in a microsecond: the trace counts the former, windows the latter."""
MOST = 9000
"""Rows of the trace that a window may have under any of its policies."""
MOST_SLICES = 10
"""Slices of a window at most."""

WORDS = {
    "compute": "computes",
    "send": "sends",
    "receive": "receives",
    "spin": "spins",
    "switch": "is switched to",
    "blocked": "idle: the slice's owner is blocked",
    "empty": "idle: the slice has no owner here",
}
"""The activity of a processor or its task, in words."""


@dataclass(frozen=True, kw_only=True)
class ConcurrentGangWindow(AllocationWindow):
    """A window of the trace of one replication. Times in its tables are nanoseconds.

    Attributes
    ----------
    jobs
        A row per job bound to a processor in the window: what it asked and what became of it (``finish_us`` null where it did
        not end).
    allocations
        The processors that jobs are bound to; ``slot`` is the row of the job. Task ``n`` has the processor at place ``n`` of
        ``processor_ids``.
    activity
        What processors did, cut to the window: ``processor, begin_ns, end_ns, activity, job, task, by``.
    disks
        Requests issued, waiting or served in the window: ``processor, job, task, issued_ns, begin_ns, end_ns``.
    messages
        Messages sent or received in the window: ``job, message, sender, receiver, sent_ns, arrived_ns, received_ns``.
    barriers
        Arrivals: ``job, barrier, task, arrived_ns, released_ns``.
    slices
        The slices that meet the window, with the owner on every processor: ``begin_ns, row, processor, job, task``.
    memberships
        What was learned at the ends of slices: the columns of ``trace_memberships``.
    """

    activity: pl.DataFrame
    disks: pl.DataFrame
    messages: pl.DataFrame
    barriers: pl.DataFrame
    slices: pl.DataFrame
    memberships: pl.DataFrame

    @property
    def begin_ns(self) -> int:
        """Begin of the window."""
        return self.begin_us * NANOSECONDS

    @property
    def end_ns(self) -> int:
        """End of the window."""
        return self.end_us * NANOSECONDS


def read_window(folder: Path, window: tuple[int, int] | None = None) -> ConcurrentGangWindow:
    """Return a window of the trace of a run.

    ``window`` is begin and end in microseconds, within the window of the trace; without it, all of the trace. Raises
    :class:`SlotwiseError` when the run is not one of Concurrent Gang, or has no trace in the window.
    """
    tables = tables_of_run(folder, "concurrent_gang")
    traced = extent(tables.table("trace"))
    begin_us, end_us = window or traced or (0, 0)
    if traced is None or end_us <= begin_us or begin_us < traced[0] or end_us > traced[1]:
        found = f"a trace from {traced[0]} to {traced[1]}" if traced else "no trace (the policy's trace_s is 0)"
        raise SlotwiseError(
            f"a diagram of activities from {begin_us} to {end_us} microseconds needs a trace of this time; found {found}"
        )
    begin, end = begin_us * NANOSECONDS, end_us * NANOSECONDS

    def table(name: str) -> pl.LazyFrame:
        return tables.table(name).select(*family("concurrent_gang").tables[name].columns)

    begins, ends = pl.col("begin_ns"), pl.col("end_ns")
    held = tables.within("allocations", begin_us, end_us).sort("begin_us", "job")
    runs, named = place(held, tables.processors)
    jobs = tables.table("jobs").filter(pl.col("job").is_in(held["job"].implode())).collect()
    slices = table("trace_slices").collect()
    first = slices.filter(begins <= begin)["begin_ns"].max()
    return ConcurrentGangWindow(
        **tables.of_window(begin_us, end_us),
        jobs=jobs.select("job", "size", "submit_us", "start_us", "finish_us", "runtime_us", "estimate_us",
                         pl.col("outcome").cast(pl.String)).sort("submit_us", "job"),
        allocations=held.with_columns(runs).select("job", "slot", "begin_us", "end_us", "processors", "processor_ids", "runs"),
        activity=table("trace").filter((begins < end) & (ends > begin)).collect()
        .with_columns(begins.clip(lower_bound=begin), ends.clip(upper_bound=end), pl.col("activity", "by").cast(pl.String))
        .sort("processor", "begin_ns"),
        disks=table("trace_disks").filter((pl.col("issued_ns") < end) & (ends > begin)).collect(),
        messages=table("trace_messages")
        .filter((pl.col("sent_ns") < end) & (pl.col("received_ns").fill_null(end) >= begin)).collect(),
        barriers=table("trace_barriers")
        .filter((pl.col("arrived_ns") < end) & (pl.col("released_ns").fill_null(end) >= begin)).collect(),
        slices=slices.filter((begins >= (0 if first is None else first)) & (begins < end)).sort("begin_ns", "processor"),
        memberships=table("trace_memberships").filter(pl.col("at_ns").is_between(begin, end)).collect(),
        named=named,
    )  # fmt: skip


def extent(trace: pl.LazyFrame) -> tuple[int, int] | None:
    """Return begin and end of a trace, in microseconds; None where there is none."""
    begin, end = trace.select(pl.col("begin_ns").min(), pl.col("end_ns").max()).collect().row(0)
    return None if begin is None else (begin // NANOSECONDS, end // NANOSECONDS)


def telling_slices(folders: Sequence[Path], most: int = MOST, longest: int = MOST_SLICES) -> tuple[int, int] | None:
    """Choose one window for the runs of a workload: neighbouring slices in which processors have most tasks by turns.

    A window has as many whole slices as possible, at most ``longest``, with at most ``most`` rows of the trace in every run. The
    one with most different tasks on a processor in a slice, summed over slices, processors and runs, is taken; ties go to the
    earlier. None when the runs have no trace in common, nothing ran there, or a single slice is too full for a picture.
    """
    read = [slice_counts(folder) for folder in folders]
    edges = sorted(set.intersection(*(set(counts["begin_ns"].to_list()) for counts in read))) if read else []
    if not edges:
        return None
    kept = [counts.filter(pl.col("begin_ns").is_in(edges)).sort("begin_ns") for counts in read]
    rows = np.array([counts["rows"].to_list() for counts in kept])
    tasks = np.array([counts["tasks"].to_list() for counts in kept]).sum(axis=0)
    ends = np.array([counts["end_ns"].to_list() for counts in kept]).min(axis=0)
    for length in range(min(longest, len(edges)), 0, -1):
        window = np.ones(length, dtype=np.int64)
        full = np.array([np.convolve(row, window, "valid") for row in rows]).max(axis=0)
        told = np.where(full <= most, np.convolve(tasks, window, "valid"), -1)
        best = int(np.argmax(told))
        if told[best] > 0:
            return edges[best] // NANOSECONDS, int(ends[best + length - 1]) // NANOSECONDS
    return None


def slice_counts(folder: Path) -> pl.DataFrame:
    """Count rows and different tasks of the trace, a processor at a time, by slice: ``begin_ns, end_ns, rows, tasks``."""
    trace = table_of(folder, "trace").sort("begin_ns")
    slices = table_of(folder, "trace_slices").select(slice="begin_ns").unique().sort("slice")
    told = trace.join_asof(slices, left_on="begin_ns", right_on="slice").drop_nulls("slice")
    return (
        told.group_by("slice")
        .agg(
            pl.col("end_ns").max(), pl.len().alias("rows"),
            pl.struct("processor", "job", "task").filter(pl.col("job").is_not_null()).n_unique().alias("tasks"),
        )
        .rename({"slice": "begin_ns"})
        .sort("begin_ns")
        .collect()
    )  # fmt: skip
