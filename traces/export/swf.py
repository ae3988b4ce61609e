"""Workloads and schedules as text in the Standard Workload Format, version 2.2 (:mod:`traces.swf` names its source).

The format counts whole seconds and holds one machine. :class:`~traces.export.exported.Loss` counts what it cannot hold.
"""

from __future__ import annotations

import polars as pl

from scheduler_core.common.units import MICROSECONDS
from scheduler_core.contracts import WORKLOAD_COLUMNS, WORKLOAD_OPTIONAL, Schedule, Workload
from scheduler_core.declarations.words import counted
from traces.export.exported import Exported, Loss, job_losses
from traces.export.header import machine_losses, schedule_header, workload_header

FIELDS = (
    *("job", "submit_us", "wait", "runtime", "allocated", "processor_time", "used_memory", "size", "estimate_us"),
    *("memory", "status", "user", "group", "executable", "queue", "partition", "after_job", "think_us"),
)
"""The 18 fields, in the order of the format."""

HELD = {
    *WORKLOAD_COLUMNS,
    *("user", "group", "executable", "queue", "partition", "status", "recorded_wait_us", "memory_kb"),
    *("after_job", "think_us"),
}
"""Columns of a workload that the format has fields for."""

COMPLETED, FAILED, CANCELLED, UNKNOWN = 1, 0, 5, -1
HALF = MICROSECONDS // 2
STATUS = {"finished": COMPLETED, "killed": FAILED, "rejected": CANCELLED, "unfinished": UNKNOWN}
"""The status of each outcome; a job that reached its limit has failed, as in imported logs."""


def workload_as_swf(workload: Workload) -> Exported:
    """Return the text of a workload's jobs; reading it gives the same jobs, except for the losses.

    Fields 5 and 8 are the size, 9 the estimate, 10 the memory, and 3 the wait that a log recorded.
    """
    jobs = complete(workload.jobs)
    fields = jobs.with_columns(
        seconds("submit_us"),
        seconds("recorded_wait_us").alias("wait"),
        seconds("runtime_us", 1).alias("runtime"),
        seconds("estimate_us", 1),
        seconds("think_us"),
        pl.col("size").alias("allocated"),
        *memory_fields(),
    )
    losses = [*workload_losses(jobs, fields), *column_losses(workload.jobs), *machine_losses(workload.machine)]
    losses += [
        Loss("table", table.height, f"the table of {name} ({counted(table.height, 'row')}): no field holds it")
        for name, table in sorted(workload.companions.items())
    ]
    return Exported(workload_header(workload, losses) + lines(fields), jobs.height, tuple(losses))


def schedule_as_swf(schedule: Schedule, name: str, replication: int = 0) -> Exported:
    """Return the text of a schedule of the workload ``name``.

    Points in time are rounded, and waits and run times are their differences, so a legal schedule stays legal. The wait lasts
    until the first start, the run time from there to the end, and field 5 has the processors of the first allocation. Outcomes
    become a status (:data:`STATUS`).
    """
    jobs = complete(schedule.jobs)
    submit, start, finish = (rounded(column) for column in ("submit_us", "start_us", "finish_us"))
    held = pl.when(pl.col("start_us").is_not_null()).then(pl.col("processors"))
    fields = jobs.with_columns(
        submit,
        (start - submit).alias("wait"),
        (finish - start).alias("runtime"),
        seconds("estimate_us", 1),
        held.alias("allocated"),
        *memory_fields(),
        pl.col("outcome").cast(pl.String).replace_strict(STATUS, return_dtype=pl.Int64).alias("status"),
    )
    losses = [*schedule_losses(jobs, fields, schedule.allocations), *machine_losses(schedule.machine)]
    losses += column_losses(jobs.select(name for name in schedule.jobs.columns if name in WORKLOAD_OPTIONAL))
    text = schedule_header(schedule, name, replication, losses) + lines(fields)
    return Exported(text, jobs.height, tuple(losses))


def complete(jobs: pl.DataFrame) -> pl.DataFrame:
    """Return jobs with every column that the format has a field for; unknown columns are null."""
    kinds = WORKLOAD_COLUMNS | WORKLOAD_OPTIONAL
    missing = [name for name in WORKLOAD_OPTIONAL if name in HELD and name not in jobs.columns]
    return jobs.with_columns(pl.lit(None, kinds[name]).alias(name) for name in missing)


def rounded(name: str) -> pl.Expr:
    """Return a column of microseconds in whole seconds, half a second up."""
    return (pl.col(name) + HALF) // MICROSECONDS


def seconds(name: str, least: int = 0) -> pl.Expr:
    """Return a column of microseconds in whole seconds, at least ``least``."""
    return pl.max_horizontal(rounded(name), pl.when(pl.col(name).is_not_null()).then(least)).alias(name)


def memory_fields() -> tuple[pl.Expr, pl.Expr]:
    """Return fields 7 and 10 of the memory; zero goes to field 7, because the reader takes zero in field 10 for unknown."""
    memory = pl.col("memory_kb")
    return pl.when(memory == 0).then(memory).alias("used_memory"), pl.when(memory > 0).then(memory).alias("memory")


def lines(fields: pl.DataFrame) -> str:
    """Return the line of every job; fields without a column and null values are -1."""
    known = [
        pl.col(name).cast(pl.Int64).fill_null(UNKNOWN).cast(pl.String)
        if name in fields.columns
        else pl.lit(str(UNKNOWN))
        for name in FIELDS
    ]
    written = fields.select(pl.concat_str(known, separator=" ").alias("line"))["line"]
    return "".join(f"{line}\n" for line in written)


def workload_losses(jobs: pl.DataFrame, fields: pl.DataFrame) -> list[Loss]:
    """Return what of a workload's jobs the format does not hold as it was."""
    times = ("submit_us", "runtime_us", "estimate_us", "recorded_wait_us", "think_us")
    return job_losses(
        {
            "rounded_time": fractions(jobs, times),
            "one_second": count(jobs, (pl.col("runtime_us") < HALF) | (pl.col("estimate_us") < HALF)),
            "estimate_below_runtime": count(fields, pl.col("estimate_us") < pl.col("runtime")),
            "negative_number": count(jobs, pl.col("job") < 0),
        }
    )


def schedule_losses(jobs: pl.DataFrame, fields: pl.DataFrame, allocations: pl.DataFrame) -> list[Loss]:
    """Return what of a schedule the format does not hold as it was."""
    ran = pl.col("finish_us").is_not_null()
    elapsed = pl.col("finish_us") - pl.col("start_us")
    asked = pl.min_horizontal("runtime_us", "estimate_us")
    return job_losses(
        {
            "rounded_time": fractions(jobs, ("submit_us", "start_us", "finish_us", "estimate_us")),
            "zero_runtime": count(fields, pl.col("runtime") == 0),
            "never_started": count(jobs, pl.col("outcome") == "rejected"),
            "unfinished": count(jobs, pl.col("outcome") == "unfinished"),
            "stretched": count(jobs, ran & (elapsed != asked)),
            "moved": moved(allocations).len(),
            "negative_number": count(jobs, pl.col("job") < 0),
        }
    )


def moved(allocations: pl.DataFrame) -> pl.Series:
    """Return the jobs with a gap between allocations, or with allocations of different processors, by number."""
    ordered = allocations.filter(pl.len().over("job") > 1).sort("job", "begin_us")
    gap = (pl.col("begin_us") > pl.col("end_us").shift(1)).any()
    named = pl.col("processor_ids").list.sort().list.eval(pl.element().cast(pl.String)).list.join(",")
    changed = (
        (pl.col("processors").n_unique() > 1) | (pl.col("cluster").n_unique() > 1) | (pl.col("names").n_unique() > 1)
    )
    per_job = ordered.with_columns(named.alias("names")).group_by("job", maintain_order=True).agg(moved=gap | changed)
    return per_job.filter("moved")["job"]


def column_losses(jobs: pl.DataFrame) -> list[Loss]:
    """Return the columns of a workload that no field holds."""
    lost = ((name, jobs.height - jobs[name].null_count()) for name in jobs.columns if name not in HELD)
    return [
        Loss(name, known, f"column {name} of {counted(known, 'job')}: no field holds it")
        for name, known in lost
        if known
    ]


def fractions(jobs: pl.DataFrame, times: tuple[str, ...]) -> int:
    """Return how many jobs have a time with a fraction of a second."""
    return count(jobs, pl.any_horizontal((pl.col(name) % MICROSECONDS != 0).fill_null(value=False) for name in times))


def count(jobs: pl.DataFrame, condition: pl.Expr) -> int:
    """Return the number of jobs for which a condition holds."""
    return jobs.filter(condition).height
