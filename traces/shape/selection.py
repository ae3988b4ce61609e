"""The jobs of some partitions or queues of a log, and the part of a machine that they can use."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from scheduler_core.common.errors import ParameterError

if TYPE_CHECKING:
    from scheduler_core.contracts import Workload

SHOWN = 8
"""Numbers of a column that an error names, those with most jobs."""


def only(workload: Workload, column: str, numbers: Collection[int]) -> Workload:
    """Return the jobs whose ``column``, ``partition`` or ``queue``, has one of these numbers of the log; the machine stays.

    Raise :class:`ParameterError` when the log names none, or when a number has no job.
    """
    import polars as pl

    known = workload.jobs[column].drop_nulls() if column in workload.jobs.columns else pl.Series([], dtype=pl.Int32)
    if known.is_empty():
        raise ParameterError(f"{column}: no job of the workload names one; leave the option out")
    missing = sorted(set(numbers) - set(known.unique()))
    if missing:
        most = known.value_counts(sort=True).head(SHOWN).rows()
        found = ", ".join(f"{number} ({jobs:,} jobs)" for number, jobs in most)
        more = known.n_unique() - len(most)
        raise ParameterError(
            f"{column}: no job is of {missing[0]}; found {found}{f', and {more} more' if more else ''}"
        )
    kept = workload.jobs.filter(pl.col(column).is_in(list(numbers)))
    return workload.transformed(kept, {"step": column, "numbers": sorted(set(numbers)), "jobs_before": len(workload)})


def usable(workload: Workload, processors: int) -> Workload:
    """Return the jobs on the part of a machine that can really be used; a wider job takes all of it.

    Recorded logs rarely keep the whole machine busy: nodes are down, drained or held back. A workload whose jobs and machine
    are no larger is returned as it is. Raise :class:`ParameterError` for more processors than the machine has.
    """
    import polars as pl

    if processors > workload.machine.processors:
        raise ParameterError(
            f"usable: the machine has {workload.machine.processors:,} processors; found {processors:,}"
        )
    if processors == workload.machine.processors:
        return workload
    wide = int((workload.jobs["size"] > processors).sum())
    jobs = workload.jobs.with_columns(pl.col("size").clip(upper_bound=processors))
    step = {"step": "usable", "processors": processors, "of": workload.machine.processors, "jobs_narrowed": wide}
    return workload.transformed(jobs, step, workload.machine.altered(processors=processors))
