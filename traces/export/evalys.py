"""Schedules as the CSV that evalys 4.0 reads (``JobSet.from_csv``), a row per job.

Source: ``evalys/jobset.py`` of evalys 4.0.7 (https://gitlab.inria.fr/batsim/evalys). In earlier versions the last column was
``allocated_processors``, and the size ``requested_number_of_processors``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import polars as pl

from scheduler_core.common.comma_separated import comma_separated
from scheduler_core.common.errors import ContractError
from scheduler_core.common.units import MICROSECONDS
from scheduler_core.contracts import Schedule
from traces.export.exported import Exported, Loss, job_losses
from traces.export.header import machine_losses
from traces.export.numbering import Interval, counted_only, numbered
from traces.export.swf import count, moved

COLUMNS = (
    *("jobID", "workload_name", "profile", "submission_time", "requested_number_of_resources", "requested_time"),
    *("success", "starting_time", "execution_time", "finish_time", "waiting_time", "turnaround_time", "stretch"),
    "allocated_resources",
)
"""The columns, in the order of the file."""


def schedule_as_evalys(schedule: Schedule, name: str) -> Exported:
    """Return a schedule of the workload ``name`` as CSV under :data:`COLUMNS`, a row per job that started and ended.

    Times are exact decimal seconds on the workload's clock. ``success`` is 1 for a finished and 0 for a killed job, ``stretch``
    the response time over the time from start to end, and ``allocated_resources`` the processors of the first allocation as
    intervals such as ``0-3 7``, numbered from 0 (:func:`~traces.export.numbering.numbered`). Raise :class:`ContractError` when
    no job has ended, or when jobs share processors that the policy only counts.
    """
    ended = schedule.jobs.filter(pl.col("finish_us").is_not_null())
    if not ended.height:
        raise ContractError("no job of the schedule has ended; evalys shows only jobs with a start and an end")
    held = numbered(schedule)
    rows = [row_of(job, name, intervals(held[job["job"]])) for job in ended.iter_rows(named=True)]
    return Exported(comma_separated(rows), ended.height, tuple(losses_of(schedule, ended)))


def losses_of(schedule: Schedule, ended: pl.DataFrame) -> list[Loss]:
    """Return what of a schedule the CSV does not hold as it was."""
    elapsed, asked = pl.col("finish_us") - pl.col("start_us"), pl.min_horizontal("runtime_us", "estimate_us")
    counts = {
        "no_times": schedule.jobs.height - ended.height,
        "stretched": count(ended, elapsed != asked),
        "moved": count(ended, pl.col("job").is_in(moved(schedule.allocations).implode())),
        "numbered": count(ended, pl.col("job").is_in(counted_only(schedule).implode())),
    }
    return [*job_losses(counts), *(loss for loss in machine_losses(schedule.machine) if loss.rule == "clusters")]


def row_of(job: dict[str, Any], name: str, processors: str) -> dict[str, Any]:
    """Return the row of a job that ended."""
    submit, start, finish = job["submit_us"], job["start_us"], job["finish_us"]
    values = (
        *(job["job"], name, "", decimal_seconds(submit), job["size"], decimal_seconds(job["estimate_us"])),
        *(int(job["outcome"] == "finished"), decimal_seconds(start), decimal_seconds(finish - start)),
        *(decimal_seconds(finish), decimal_seconds(start - submit), decimal_seconds(finish - submit)),
        *(f"{(finish - submit) / (finish - start):.6f}", processors),
    )
    return dict(zip(COLUMNS, values, strict=True))


def decimal_seconds(time_us: int) -> str:
    """Return a time in seconds, exactly: whole seconds without a point, others with up to six decimals."""
    whole, fraction = divmod(time_us, MICROSECONDS)
    return f"{whole}.{fraction:06}".rstrip("0") if fraction else str(whole)


def intervals(processors: Iterable[Interval]) -> str:
    """Return processors as text: ``0-3 7``."""
    return " ".join(str(first) if first == last else f"{first}-{last}" for first, last in processors)
