"""What the rules of slices read besides: the slices and class clocks, and the jobs with their runs.

A *run* of a job is one of its allocations; it lies within a slice.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl

from scheduler_core.checker.evidence import Evidence, aligned, column_of
from scheduler_core.common.units import NEVER_US, seconds_to_us
from scheduler_core.contracts import JobClass
from scheduler_core.slices.facts import SliceFacts

CLASSES = range(3)
SHORT, MEDIUM, LONG = CLASSES
HOURS_A_DAY = 24


@dataclass(frozen=True)
class ClassTime:
    """The slices in order of time, and the jobs with their runs.

    Parameters
    ----------
    kind, begin, work, end
        An entry per slice: the number of its class, and when it begins, begins to work and ends.
    jobs
        A row per job that the machine is large enough for, in queue order (submission, then position): ``job, kind, submit_us,
        estimate_us, size, start_us, finish_us``; start and finish follow from its allocations, NEVER_US if it has none.
        Tasks of workflows have further columns (:data:`OF_TASKS`): ``booked``; ``may_start_us``, the earliest possible start
        (NEVER_US if the task may have to wait even then); ``counts_us``, from when on it certainly counts when an interval is
        laid out.
    runs
        A row per allocation of these jobs, in order of job and begin: ``row`` (in the allocations), ``position`` (in ``jobs``),
        ``begin_us, end_us, cluster, slot``, ``slice`` (the last that begins no later, -1 if none), ``own`` (whether the slot is
        that of the job's class), ``first`` (whether it is the job's first).
    """

    parameters: dict[str, Any]
    kind: np.ndarray
    begin: np.ndarray
    work: np.ndarray
    end: np.ndarray
    jobs: pl.DataFrame
    runs: pl.DataFrame

    def setting_us(self, name: str) -> int:
        """Return a parameter in seconds as whole microseconds."""
        return seconds_to_us(self.parameters[name])

    def clock(self, kind: np.ndarray, time_us: np.ndarray) -> np.ndarray:
        """Return each class's clock at an instant: the time its slices have worked until then."""
        clock = np.zeros(len(time_us), np.int64)
        for number in CLASSES:
            asked, own = kind == number, self.kind == number
            if not own.any():
                continue
            work, length = self.work[own], np.maximum(self.end[own] - self.work[own], 0)
            row = np.searchsorted(work, time_us[asked], side="right") - 1
            inside = np.clip(time_us[asked] - work[row], 0, length[row])
            clock[asked] = np.where(row >= 0, (np.cumsum(length) - length)[row] + inside, 0)
        return clock

    def time_of(self, kind: np.ndarray, clock: np.ndarray) -> np.ndarray:
        """Return the first instant at which a class's clock reaches a value; NEVER_US if it never does."""
        time = np.full(len(clock), NEVER_US)
        for number in CLASSES:
            asked, own = np.flatnonzero(kind == number), self.kind == number
            length = np.maximum(self.end[own] - self.work[own], 0)
            reached = np.cumsum(length)
            row = np.searchsorted(reached, clock[asked], side="left")
            known = row < len(reached)
            asked, row = asked[known], row[known]
            time[asked] = self.work[own][row] + clock[asked] - (reached - length)[row]
        return time

    def slice_of(self, time_us: np.ndarray) -> np.ndarray:
        """Return the last slice that begins no later than an instant; -1 before the first."""
        return np.searchsorted(self.begin, time_us, side="right") - 1

    def works_at(self, kind: np.ndarray, time_us: np.ndarray) -> np.ndarray:
        """Return whether a slice of the class works at an instant: from the begin of its work until just before its end."""
        row = self.slice_of(time_us)
        if not len(self.kind):
            return np.zeros(len(time_us), bool)
        return (row >= 0) & (self.kind[row] == kind) & (self.work[row] <= time_us) & (time_us < self.end[row])

    def column(self, name: str) -> np.ndarray:
        """Return a column of ``jobs``."""
        return self.jobs[name].to_numpy()

    @cached_property
    def run_order(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """When runs begin, each run as one integer (job, then instant), and the time the job has run before it."""
        instants = np.unique(self.runs["begin_us"].to_numpy())
        rank = np.searchsorted(instants, self.runs["begin_us"].to_numpy())
        length = self.runs["end_us"].to_numpy() - self.runs["begin_us"].to_numpy()
        numbers = self.runs["position"].to_numpy() * (len(instants) + 1) + rank
        return instants, numbers, np.concatenate([[0], np.cumsum(length)])

    def done(self, position: np.ndarray, time_us: np.ndarray) -> np.ndarray:
        """Return how long jobs (by position in ``jobs``) have run up to an instant."""
        instants, numbers, before = self.run_order
        base = position * (len(instants) + 1)
        first, last = (np.searchsorted(numbers, base + rank) for rank in (0, np.searchsorted(instants, time_us)))
        latest_end = np.concatenate([[0], self.runs["end_us"].to_numpy()])[last]
        return before[last] - before[first] - np.where(last > first, np.maximum(latest_end - time_us, 0), 0)


OF_TASKS = {"booked": pl.lit(False), "may_start_us": pl.col("submit_us"), "counts_us": pl.col("submit_us")}
"""The columns of jobs that may be tasks of workflows, with their values for all other jobs."""


class SlicesEvidence(Evidence):
    """The evidence of a schedule whose machine belongs to one class of jobs at a time."""

    facts: SliceFacts

    @cached_property
    def class_time(self) -> ClassTime:
        """The slices, the class clocks, and the jobs with their runs."""
        processors = self.machine.processors
        return class_time(self.asked, self.allocations, processors, self.tables["slices"], self.parameters)

    @property
    def processors_of_clusters(self) -> np.ndarray:
        """Processors of each machine that :meth:`cluster_at` distinguishes by time."""
        return np.array([self.machine.processors])

    def cluster_at(self, time_us: np.ndarray) -> np.ndarray:
        """Return the machine that instants belong to: the only one."""
        return np.zeros(len(time_us), np.int64)

    @property
    def guards(self) -> bool:
        """Whether no start may delay a reservation."""
        return bool(self.parameters["guard"])

    @property
    def suspensions(self) -> pl.Expr:
        """How often a job was suspended: once between two runs, even when one slice follows the other immediately."""
        return pl.col("allocations").fill_null(1) - 1


def class_time(
    asked: pl.DataFrame, allocations: pl.DataFrame, processors: int, slices: pl.DataFrame, parameters: dict[str, Any]
) -> ClassTime:
    """Return slices, jobs and runs in order, each with its class."""
    ordered = slices.sort("begin_us", "end_us")
    begin, overhead, end = (column_of(ordered, name) for name in ("begin_us", "overhead_us", "end_us"))
    kind = ordered["class"].to_physical().cast(pl.Int64).to_numpy()
    held = allocations.group_by("job").agg(start_us=pl.col("begin_us").min(), finish_us=pl.col("end_us").max())
    of_tasks = {name: pl.col(name) if name in asked.columns else plain for name, plain in OF_TASKS.items()}
    columns = ("job", "submit_us", "runtime_us", "estimate_us", "size")
    jobs = asked.filter(pl.col("size") <= processors)
    jobs = jobs.select(*columns, kind=class_of_job(parameters, asked), **of_tasks)
    jobs = aligned(jobs, held, "job").with_columns(pl.col("start_us", "finish_us").fill_null(NEVER_US))
    runs = (
        allocations.select("job", "begin_us", "end_us", "cluster", pl.col("slot").cast(pl.Int64))
        .with_row_index("row")
        .join(jobs.select("job", "kind").with_row_index("position"), on="job")
        .sort("position", "begin_us", "end_us")
        .select(
            pl.col("row", "position").cast(pl.Int64),
            *("job", "kind", "begin_us", "end_us", "cluster", "slot"),
            own=pl.col("slot") == pl.col("kind"),
            first=(pl.col("position") != pl.col("position").shift(1)).fill_null(True),
        )
    )
    last = np.searchsorted(begin, column_of(runs, "begin_us"), side="right") - 1
    runs = runs.with_columns(slice=pl.Series(last, dtype=pl.Int64))
    return ClassTime(parameters, kind, begin, begin + overhead, end, jobs, runs)


def class_of_job(parameters: Mapping[str, Any], asked: pl.DataFrame) -> pl.Expr:
    """Return the number of a job's class: as stated, else by its estimate."""
    short, medium = (seconds_to_us(parameters[f"{name}_limit_s"]) for name in ("short", "medium"))
    estimate = pl.col("estimate_us")
    by_estimate = pl.when(estimate < short).then(SHORT).when(estimate < medium).then(MEDIUM).otherwise(LONG)
    stated = pl.col("class").to_physical().cast(pl.Int64) if "class" in asked.columns else pl.lit(None, pl.Int64)
    return pl.coalesce(stated, by_estimate).cast(pl.Int64)


def class_name(kind: np.ndarray | pl.Series) -> pl.Series:
    """Return the names of classes by their numbers."""
    return pl.Series("class", JobClass.categories, dtype=JobClass).gather(pl.Series(kind, dtype=pl.UInt32))


def covered(first: np.ndarray, last: np.ndarray) -> np.ndarray:
    """List the integers that lie in any of the ranges ``first`` to ``last``, ascending, each once."""
    some = first <= last
    order = np.argsort(first[some], kind="stable")
    first, last = first[some][order], np.maximum.accumulate(last[some][order])
    if not len(first):
        return np.zeros(0, np.int64)
    apart = np.concatenate([[True], first[1:] > last[:-1]])
    ends = np.concatenate([np.flatnonzero(apart)[1:] - 1, [len(first) - 1]])
    return expanded(first[apart], last[ends])[1]


def expanded(first: np.ndarray, last: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """List the integers of each range ``first`` to ``last``, one range after another: its row, and the integer."""
    count = np.maximum(last - first + 1, 0)
    row = np.repeat(np.arange(len(count)), count)
    return row, first[row] + np.arange(len(row)) - (np.cumsum(count) - count)[row]


def meets(low: np.ndarray, high: np.ndarray, begin: np.ndarray, end: np.ndarray) -> np.ndarray:
    """Return whether any of the times from ``low`` to ``high`` overlaps each of the times from ``begin`` to ``end``."""
    some = low < high
    low, high = np.sort(low[some]), np.sort(high[some])
    # Count those that began before the end, less those that ended by the begin.
    return np.searchsorted(low, end, side="left") > np.searchsorted(high, begin, side="right")
