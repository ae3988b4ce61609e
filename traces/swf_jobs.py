"""From the lines of an SWF file to jobs: lines rejected, lines repaired, and the columns of the workload.

Every rule is a mask over the readable lines. The masks, in the order of
:data:`traces.accounting.REJECTIONS` and :data:`traces.accounting.REPAIRS`, are the accounting.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from scheduler_core.contracts import WORKLOAD_COLUMNS, WORKLOAD_OPTIONAL
from traces.accounting import REJECTIONS, REPAIRS
from traces.swf_kernel import MILLION

if TYPE_CHECKING:
    from traces.accounting import IngestOptions
    from traces.swf import SwfTable

JOB, SUBMIT, WAIT, RUNTIME, ALLOCATED, _CPU, USED_MEMORY, REQUESTED, ESTIMATE = range(1, 10)
REQUESTED_MEMORY, STATUS, USER, GROUP, EXECUTABLE, QUEUE, PARTITION, AFTER_JOB, THINK = range(10, 19)
"""The fields by their number in the format."""

TIMES = (SUBMIT, WAIT, RUNTIME, ESTIMATE, THINK)
WHOLE = (JOB, ALLOCATED, REQUESTED, STATUS, USER, GROUP, EXECUTABLE, QUEUE, PARTITION, AFTER_JOB)
SHORT = {
    "user": USER,
    "group": GROUP,
    "executable": EXECUTABLE,
    "queue": QUEUE,
    "partition": PARTITION,
    "status": STATUS,
}
"""Optional 32-bit columns and their fields."""

LONGEST_US = 10**10 * MILLION
"""The longest time, about 317 years: sums over many jobs must fit an int64."""

CANCELLED = 5
UNKNOWN = -MILLION
Masks = dict[str, np.ndarray]


@dataclass(frozen=True)
class Judged:
    """The readable lines of a log after the rules: rejections, repairs and jobs.

    ``rejected`` maps a rule to rows of the SWF table, each row under its first rule only. ``accepted`` lists the rows
    that became jobs, in the file's order; ``repairs`` maps a rule to a mask over ``accepted``; ``jobs`` is the workload's
    table.
    """

    rejected: Masks
    accepted: np.ndarray
    repairs: Masks
    jobs: pl.DataFrame


def judge(table: SwfTable, options: IngestOptions, processors: int) -> Judged:
    """Return the jobs of the readable lines, for a machine of ``processors`` processors.

    By default (:class:`~traces.accounting.IngestOptions`) lines without a submission time or a positive run time are rejected
    rather than these times invented. But an estimate that is missing or below the run time becomes the run time. A line counts
    under the first rule that it breaks.
    """
    whole = {number: table.field(number) // MILLION for number in WHOLE}
    submit, filled = known_submit(table.field(SUBMIT), options.missing_submit == "previous")
    masks = rejections(table, options, processors, whole, submit)
    rejected, accepted = first_rules(masks, table.numbers.size)
    taken = {number: values[accepted] for number, values in whole.items()}
    columns, repairs = repaired_columns(table, options, accepted, taken, submit[accepted])
    repairs["submit_from_previous"] = filled[accepted]
    jobs = columns | optional_columns(table, accepted, taken)
    ordered = {rule: repairs[rule] for rule in REPAIRS if repairs[rule].any()}
    return Judged(rejected, accepted, ordered, job_frame(jobs))


def known_submit(submit: np.ndarray, fill: bool) -> tuple[np.ndarray, np.ndarray]:
    """Return submission times, and which missing ones now have that of the job before (with ``fill``)."""
    missing = submit == UNKNOWN
    if not fill or not missing.any():
        return submit, np.zeros(submit.size, bool)
    before = np.maximum.accumulate(np.where(submit >= 0, np.arange(submit.size), -1))
    filled = missing & (before >= 0)
    return np.where(filled, submit[before], submit), filled


def rejections(
    table: SwfTable, options: IngestOptions, processors: int, whole: dict[int, np.ndarray], submit: np.ndarray
) -> Masks:
    """Return a mask over the rows for each rule that rejects readable lines."""
    runtime, allocated = table.field(RUNTIME), whole[ALLOCATED]
    size = sizes(whole)
    cancelled = (whole[STATUS] == CANCELLED) & (allocated <= 0)
    nothing = np.zeros(runtime.size, bool)
    return {
        "overflow": any_of(np.abs(table.field(n)) > LONGEST_US for n in TIMES)
        | any_of(whole[n] > np.iinfo(np.int32).max for n in SHORT.values()),
        "fractional_number": any_of(values * MILLION != table.field(n) for n, values in whole.items()),
        "partial_execution": partial_executions(whole[JOB], whole[STATUS]),
        "missing_submit": submit == UNKNOWN,
        "negative_submit": (submit < 0) & (submit != UNKNOWN),
        "cancelled_before_start": nothing if options.cancelled_before_start == "keep" else cancelled,
        "no_processors": size <= 0,
        "unknown_runtime": nothing if options.nonpositive_runtime == "one_second" else runtime < 0,
        "zero_runtime": runtime == 0 if options.nonpositive_runtime == "reject" else nothing,
        "larger_than_machine": size > processors,
    }


def sizes(whole: dict[int, np.ndarray]) -> np.ndarray:
    """Return the processors of each job: those it held, else those it asked for."""
    return np.where(whole[ALLOCATED] > 0, whole[ALLOCATED], whole[REQUESTED])


def any_of(masks: object) -> np.ndarray:
    """Return a mask that is true where any of some masks is."""
    return np.logical_or.reduce(list(masks))  # type: ignore[call-overload]


def partial_executions(job: np.ndarray, status: np.ndarray) -> np.ndarray:
    """Return which lines are a part (status 2, 3, 4) of a job whose whole has another line."""
    partial = (status >= 2) & (status <= 4)
    return partial & np.isin(job, job[~partial]) if partial.any() else partial


def first_rules(masks: Masks, rows: int) -> tuple[Masks, np.ndarray]:
    """Return the rejected rows under the first rule that each breaks, and the rows that break none."""
    free = np.ones(rows, bool)
    rejected = {}
    for rule in REJECTIONS:
        if rule in masks and (found := np.flatnonzero(masks[rule] & free)).size:
            rejected[rule] = found
            free[found] = False
    return rejected, np.flatnonzero(free)


def repaired_columns(
    table: SwfTable, options: IngestOptions, rows: np.ndarray, whole: dict[int, np.ndarray], submit: np.ndarray
) -> tuple[dict[str, np.ndarray], Masks]:
    """Return the required columns of the accepted rows, and a mask over those rows for each repair."""
    runtime, estimate = table.field(RUNTIME)[rows], table.field(ESTIMATE)[rows]
    repairs: Masks = {"rounded_time": table.rounded[rows], "processors_from_request": whole[ALLOCATED] <= 0}
    repairs["one_second_runtime"] = runtime <= 0
    runtime = np.where(runtime <= 0, MILLION, runtime)
    repairs["estimate_from_runtime"] = estimate <= 0
    repairs["estimate_raised"] = (estimate > 0) & (estimate < runtime) & (options.overrun == "raise_estimate")
    estimate = np.where(repairs["estimate_from_runtime"] | repairs["estimate_raised"], runtime, estimate)
    latest = np.maximum.accumulate(submit)
    repairs["out_of_order"] = submit < latest
    largest = int(table.field(JOB).max()) // MILLION
    job, repairs["missing_job_number"], repairs["duplicate_job"] = unique_numbers(whole[JOB], max(largest, 0) + 1)
    return dict(zip(WORKLOAD_COLUMNS, (job, submit, runtime, estimate, sizes(whole)), strict=True)), repairs


def unique_numbers(job: np.ndarray, fresh: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return unique job numbers, new ones from ``fresh`` on; and which numbers were missing or duplicates."""
    missing = job < 0
    duplicate = np.zeros(job.size, bool)
    if not (job[1:] > job[:-1]).all():
        _, first = np.unique(job, return_index=True)
        duplicate[:] = True
        duplicate[first] = False
        duplicate &= ~missing
    renumbered = missing | duplicate
    job = job.copy()
    job[renumbered] = fresh + np.arange(np.count_nonzero(renumbered))
    return job, missing, duplicate


def optional_columns(table: SwfTable, rows: np.ndarray, whole: dict[int, np.ndarray]) -> dict[str, np.ndarray]:
    """Return the optional columns of the accepted rows; a negative value means unknown."""
    columns = {name: whole[number] for name, number in SHORT.items()}
    columns["recorded_wait_us"] = table.field(WAIT)[rows]
    requested, used = table.field(REQUESTED_MEMORY)[rows], table.field(USED_MEMORY)[rows]
    columns["memory_kb"] = np.where(requested > 0, requested, used) // MILLION
    after = whole[AFTER_JOB]
    columns["after_job"] = np.where(after > 0, after, -1)
    columns["think_us"] = np.where(after > 0, table.field(THINK)[rows], -1)
    return columns


def job_frame(columns: dict[str, np.ndarray]) -> pl.DataFrame:
    """Return the workload's table: typed and sorted, with null for unknown values, without empty columns."""
    known = {name: values for name, values in columns.items() if name in WORKLOAD_COLUMNS or (values >= 0).any()}
    order = [*WORKLOAD_COLUMNS, *(name for name in WORKLOAD_OPTIONAL if name in known)]
    kinds = WORKLOAD_COLUMNS | WORKLOAD_OPTIONAL
    frame = pl.DataFrame({name: known[name] for name in order})
    return frame.select(
        pl.when(pl.col(name) >= 0).then(pl.col(name)).cast(kinds[name]).alias(name) for name in order
    ).sort("submit_us", "job")
