"""Scaling the gaps between submissions to a given offered load or mean gap."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from scheduler_core.common.errors import ParameterError, SlotwiseError
from scheduler_core.common.units import MICROSECONDS

if TYPE_CHECKING:
    import polars as pl

    from scheduler_core.contracts import Workload


LONGEST_US = 10**16
"""The longest time from first to last submission, about 317 years."""


def check_positive(name: str, value: Any, kind: str = "a number") -> Any:
    """Return a value; raise :class:`ParameterError` unless it is a finite number above 0."""
    if type(value) not in (int, float) or not math.isfinite(value) or value <= 0:
        raise ParameterError(f"{name} must be {kind} above 0; found {value!r}")
    return value


def check_load(load: Any) -> Any:
    """Return an offered load; raise :class:`ParameterError` for anything else."""
    return check_positive("load", load)


def check_mean_gap(seconds: Any) -> Any:
    """Return a mean gap between submissions; raise :class:`ParameterError` for anything else."""
    return check_positive("mean_gap_s", seconds, "a number of seconds")


def scale_load(workload: Workload, load: float) -> Workload:
    """Return the jobs with all gaps between submissions multiplied by one factor, so that the offered load is ``load``.

    The offered load is the work requested over the capacity between first and last submission; 1 keeps the whole machine busy.
    The first submission, run times and sizes do not change. Submissions are rounded to microseconds, so the load is exact to
    half a microsecond of the span. The daily cycle is stretched or compressed as well.

    If jobs are submitted to clusters, the jobs of each cluster are scaled separately: each cluster has this load. A workload
    without jobs is returned unchanged. Raise :class:`ParameterError` when ``load`` is not a finite number above 0, or all jobs
    are submitted at once.
    """
    check_load(load)

    def step(stream: Workload) -> dict[str, Any]:
        offered = stream.offered_load
        return {"load": float(load), "offered_before": offered, "gap_factor": offered / load}

    return scale(workload, "load", step)


def multiply_load(workload: Workload, factor: float) -> Workload:
    """Return the jobs with all gaps between submissions divided by ``factor``: the offered load is that many times as high.

    The rest is as in :func:`scale_load`.
    """
    check_positive("load factor", factor)

    def step(stream: Workload) -> dict[str, Any]:
        return {"load_factor": float(factor), "offered_before": stream.offered_load, "gap_factor": 1 / factor}

    return scale(workload, "load", step)


def scale_mean_gap(workload: Workload, mean_gap_s: float) -> Workload:
    """Return the jobs with all gaps between submissions multiplied by one factor, so that their mean is ``mean_gap_s``.

    This serves publications that print a mean interarrival time but no load. The mean is the time from first to last
    submission over the number of jobs minus one, exact to half a microsecond of that time. The rest is as in
    :func:`scale_load`.
    """
    check_mean_gap(mean_gap_s)

    def step(stream: Workload) -> dict[str, Any]:
        submit = stream.jobs["submit_us"]
        before = (submit[-1] - submit[0]) / (len(stream) - 1) / MICROSECONDS
        return {"mean_gap_s": float(mean_gap_s), "mean_before_s": before, "gap_factor": mean_gap_s / before}

    return scale(workload, "mean_gap_s", step)


def scale(workload: Workload, key: str, step: Callable[[Workload], dict[str, Any]]) -> Workload:
    """Return the jobs, or those of each cluster, with gaps multiplied by the ``gap_factor`` that ``step`` returns for them.

    Standstills and closed hours are stretched or compressed as well.
    """
    import polars as pl

    from traces.shape.standstills import moved_periods

    if not len(workload):
        return workload
    name = key.removesuffix("_s")
    if "home" in workload.jobs.columns:
        return of_each_cluster(workload, name, lambda stream: scale(stream, key, step))
    if workload.jobs["submit_us"][-1] == workload.jobs["submit_us"][0]:
        raise ParameterError(
            f"{key}: all {len(workload)} jobs are submitted at one instant, so there are no gaps to scale; "
            f"take more jobs, or leave the {name.replace('_', ' ')} out"
        )
    done = step(workload)
    factor, first_us = done["gap_factor"], int(workload.jobs["submit_us"][0])
    periods = moved_periods(
        workload, lambda time: first_us + ((time - first_us) * factor).round(mode="half_to_even").cast(pl.Int64)
    )
    return workload.transformed(with_gaps(workload.jobs, factor), {"step": name, **done}, companions=periods)


def of_each_cluster(workload: Workload, name: str, scale: Callable[[Workload], Workload]) -> Workload:
    """Return the jobs with those of each cluster scaled separately; the step ``name`` records each factor."""
    import polars as pl

    if "tasks" in workload.companions:
        raise ParameterError("gaps are scaled before jobs are split into workflows, whose tasks belong to no cluster")
    scaled = []
    for home, stream in enumerate(streams_of(workload)):
        try:
            scaled.append(scale(stream))
        except SlotwiseError as error:
            raise ParameterError(f"cluster {workload.machine.clusters[home].name or home}: {error}") from error
    jobs = pl.concat(stream.jobs.with_columns(home=pl.lit(home, pl.Int16)) for home, stream in enumerate(scaled))
    steps = [stream.provenance["transformations"][-1] for stream in scaled if len(stream)]
    return workload.transformed(
        jobs.select(workload.jobs.columns).sort("submit_us", "job"), {"step": name, "clusters": steps}
    )


def streams_of(workload: Workload) -> list[Workload]:
    """Return a workload for each cluster, with the jobs submitted to it."""
    import polars as pl

    from scheduler_core.contracts import Machine, Workload

    return [
        Workload(workload.jobs.filter(pl.col("home") == home).drop("home"), Machine(clusters=(cluster,)))
        for home, cluster in enumerate(workload.machine.clusters)
    ]


def with_gaps(jobs: pl.DataFrame, factor: float) -> pl.DataFrame:
    """Return jobs with all gaps between submissions multiplied by ``factor``; the first submission does not move."""
    import polars as pl

    submit = pl.col("submit_us")
    since_first = (submit - submit.first()).cast(pl.Float64)
    span_us = (jobs["submit_us"][-1] - jobs["submit_us"][0]) * factor
    if not 1 <= span_us <= LONGEST_US:
        raise ParameterError(
            f"all submissions would lie within {span_us / MICROSECONDS:g} s; expected at least a microsecond and at most "
            f"{LONGEST_US // MICROSECONDS:,} s; ask for a load or gap that is nearer to that of the jobs"
        )
    moved = submit.first() + (since_first * factor).round(mode="half_to_even").cast(pl.Int64)
    return jobs.with_columns(submit_us=moved).sort("submit_us", "job")
