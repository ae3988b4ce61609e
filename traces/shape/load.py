"""Load scaling: the same jobs, closer together or farther apart."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from scheduler_core.errors import ParameterError

if TYPE_CHECKING:
    from scheduler_core.contracts import Workload


def check_load(load: Any) -> None:
    """Raise :class:`ParameterError` when ``load`` cannot be an offered load."""
    if type(load) not in (int, float) or not math.isfinite(load) or load <= 0:
        raise ParameterError(f"load must be a number above 0; found {load!r}")


def scale_load(workload: Workload, load: float) -> Workload:
    """Multiply all gaps between submissions by one factor, so that the offered load becomes ``load``.

    The offered load is the work asked over the capacity between first and last submission. The first submission stays
    where it is; run times and sizes stay as they are. Submissions are rounded to microseconds, so the load is met to
    half a microsecond of the span. The daily cycle is stretched or compressed with everything else.

    Parameters
    ----------
    workload
        Jobs with at least two instants of submission; a workload without jobs stays as it is.
    load
        Offered load asked for, above 0; 1 asks for the whole machine.

    Raises
    ------
    ParameterError
        When ``load`` is no finite number above 0, or all jobs are submitted at one instant.
    """
    import polars as pl

    check_load(load)
    if not len(workload):
        return workload
    offered = workload.offered_load
    if math.isnan(offered):
        raise ParameterError(
            f"load: all {len(workload)} jobs are submitted at one instant, so there are no gaps to scale; "
            "take more jobs, or leave the load out"
        )
    factor = offered / load
    submit = pl.col("submit_us")
    since_first = (submit - submit.first()).cast(pl.Float64)
    moved = submit.first() + (since_first * factor).round(mode="half_to_even").cast(pl.Int64)
    jobs = workload.jobs.with_columns(submit_us=moved).sort("submit_us", "job")
    step = {"step": "load", "load": float(load), "offered_before": offered, "gap_factor": factor}
    return workload.transformed(jobs, step)
