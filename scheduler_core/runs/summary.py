"""A quick summary of a schedule: the numbers that the command line prints. The report's metrics are SQL (reports/measure/sql)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import polars as pl

from scheduler_core.common.units import MICROSECONDS

if TYPE_CHECKING:
    from scheduler_core.contracts import Schedule

BOUND_S = 10.0


class JobTimes(NamedTuple):
    """A job's run time, response time and wait in seconds, and its bounded slowdown, from rows of ``jobs``."""

    run_s: pl.Expr
    response_s: pl.Expr
    wait_s: pl.Expr
    bounded_slowdown: pl.Expr


def job_times(schedule: Schedule) -> JobTimes:
    """Return the times of jobs as expressions of the ``jobs`` table; null for jobs that did not end.

    The family defines the wait. Slowdowns are bounded as :func:`summarise` says.
    """
    run_s = pl.min_horizontal("runtime_us", "estimate_us") / MICROSECONDS
    response_s = (pl.col("finish_us") - pl.col("submit_us")) / MICROSECONDS
    first_start_s = (pl.col("start_us") - pl.col("submit_us")) / MICROSECONDS
    wait_s = first_start_s if schedule.family.wait == "to_first_start" else response_s - run_s
    bounded = pl.max_horizontal(response_s / pl.max_horizontal(run_s, pl.lit(BOUND_S)), pl.lit(1.0))
    return JobTimes(run_s, response_s, wait_s, bounded)


def summarise(
    schedule: Schedule, jobs: pl.DataFrame, tasks: pl.DataFrame | None, *, sharing: bool, unfinished: bool
) -> dict[str, float | int | None]:
    """Return the usual metrics of jobs of a schedule by name; the name ends in the unit.

    Response time comes first, because it means the same under every policy. Metrics cover the jobs that ended; without any they
    are None. ``did_not_run`` counts jobs of the workload without a start: those larger than the machine, and those that a run
    ended before without starting them. Lines that a log's reader left out are no jobs. Slowdowns are bounded from below: (wait +
    run) / max(run, 10 s), and at least 1 (Feitelson, Rudolph, Schwiegelshohn, Sevcik and Wong, Theory and practice in parallel
    job scheduling, JSSPP 1997). If the run may have ended before its jobs, utilisation covers the length of the run; the makespan
    requires that all jobs ended.

    Parameters
    ----------
    jobs
        Rows of the ``jobs`` table. Processor time is the column ``processor_us`` (:func:`with_processor_time`) if the table has
        it, else run time x processors.
    tasks
        ``job, workflow`` of the tasks that a grid placed (:func:`tasks_placed`). If there are any, the metrics include how many
        workflows ran, their makespan (first start of a task to last finish) and their response time (from submission).
    sharing
        Whether to add the utilisation efficiency: work, in time alone, over capacity. If jobs share processors, a lower
        utilisation is no loss, because the same work may take less processor time; the efficiency shows that.
    unfinished
        Whether to add how many jobs the run ended before.
    """
    processors, length_us = schedule.machine.processors, length_of(schedule)
    ran = jobs.filter(pl.col("start_us").is_not_null())
    ended = jobs.filter(pl.col("finish_us").is_not_null())
    left = jobs["outcome"].cast(pl.String) == "unfinished"
    times = job_times(schedule)
    run_s, response_s, wait_s, bounded = times.run_s, times.response_s, times.wait_s, times.bounded_slowdown
    measured = "processor_us" in jobs.columns
    work_s = run_s * pl.col("processors")
    used_s = pl.col("processor_us") / MICROSECONDS if measured else work_s
    makespan_s = (pl.col("finish_us").max() - pl.col("submit_us").min()) / MICROSECONDS
    span_s = makespan_s if length_us is None else pl.lit(length_us / MICROSECONDS)
    efficiency = {"utilisation_efficiency": work_s.sum() / (span_s * processors)} if sharing else {}
    workflows = {} if tasks is None or tasks.is_empty() else workflow_metrics(ended, tasks)
    usual = ended.select(
        jobs=pl.len(),
        did_not_run=pl.lit(jobs.height - ran.height),
        **({"unfinished": pl.lit(left.sum())} if unfinished else {}),
        killed=(pl.col("outcome").cast(pl.String) == "killed").sum(),
        mean_response_s=response_s.mean(),
        median_response_s=response_s.median(),
        p95_response_s=response_s.quantile(0.95, "linear"),
        mean_bounded_slowdown=bounded.mean(),
        median_bounded_slowdown=bounded.median(),
        p95_bounded_slowdown=bounded.quantile(0.95, "linear"),
        mean_wait_s=wait_s.mean(),
        median_wait_s=wait_s.median(),
        p95_wait_s=wait_s.quantile(0.95, "linear"),
        max_wait_s=wait_s.max(),
        makespan_s=pl.lit(None, pl.Float64) if left.any() else makespan_s,
        utilisation=pl.lit(ran.select(used_s.sum()).item()) / (span_s * processors),
        **efficiency,
    ).row(0, named=True)
    return {**usual, **workflows}


def workflow_metrics(ran: pl.DataFrame, tasks: pl.DataFrame) -> dict[str, float | int | None]:
    """Return metrics of the workflows of the jobs that ran; ``tasks`` maps jobs to workflows."""
    lengths = (
        ran.join(tasks, on="job")
        .group_by("workflow")
        .agg(pl.col("submit_us", "start_us").min(), pl.col("finish_us").max())
    )
    return lengths.select(
        workflows=pl.len(),
        mean_workflow_makespan_s=(pl.col("finish_us") - pl.col("start_us")).mean() / MICROSECONDS,
        mean_workflow_response_s=(pl.col("finish_us") - pl.col("submit_us")).mean() / MICROSECONDS,
    ).row(0, named=True)


def tasks_placed(schedule: Schedule) -> pl.DataFrame | None:
    """Return ``job, workflow`` of the tasks that a grid placed; None if the family has no such table."""
    candidates = schedule.tables.get("candidates")
    return None if candidates is None else candidates.select("job", "workflow").unique()


def with_processor_time(schedule: Schedule) -> pl.DataFrame:
    """Return the ``jobs`` table, with ``processor_us`` if jobs did not use run time x processors.

    It is what their tasks computed, sent and received, if the schedule has sums of that; else the column of allocations that the
    family names; else, if jobs share processors, each job's part of them (:func:`parted`).
    """
    activity = schedule.tables.get("job_activity")
    worked = schedule.family.processor_time
    if activity is not None:
        used = activity.select("job", processor_us=(pl.col("compute_ns") + pl.col("message_ns")) / 1000)
    elif worked is not None:
        used = schedule.allocations.group_by("job").agg(processor_us=(pl.col("processors") * pl.col(worked)).sum())
    elif schedule.family.sharing == "jobs" and not schedule.allocations["processor_ids"].null_count():
        used = parted(schedule.allocations)
    else:
        return schedule.jobs
    return schedule.jobs.join(used, on="job", how="left", maintain_order="left")


def length_of(schedule: Schedule) -> int | None:
    """Return how long a run took from time 0, if it may have ended before its jobs; else None."""
    activity = schedule.tables.get("processor_activity")
    return None if activity is None else activity["end_us"].max()  # type: ignore[return-value]


def parted(allocations: pl.DataFrame) -> pl.DataFrame:
    """Return the processor time of jobs that share processors, divided equally: ``job, processor_us``.

    Jobs that share have their lowest-numbered processors in common, and their allocations begin together, because a row ends when
    one of the jobs comes or goes. All of them share the processors of the narrowest job; all but that one share the next wider
    job's other processors, and so on.
    """
    own = allocations.filter(pl.col("end_us") > pl.col("begin_us")).select(
        "job", "cluster", "begin_us", pl.col("processor_ids").list.min().alias("first"), "processors",
        (pl.col("end_us") - pl.col("begin_us")).alias("length_us"),
    )  # fmt: skip
    together = ["cluster", "first", "begin_us"]
    widest = own.sort(*together, "processors", "job", descending=[False, False, False, True, False])
    more = pl.col("processors") - pl.col("processors").shift(-1).over(together).fill_null(0)
    wider = (more / pl.int_range(1, pl.len() + 1).over(together)).alias("part")
    parts = widest.with_columns(wider).with_columns(pl.col("part").cum_sum(reverse=True).over(together))
    return parts.group_by("job").agg(processor_us=(pl.col("part") * pl.col("length_us")).sum())


def summarise_schedule(schedule: Schedule) -> dict[str, float | int | None]:
    """Return the usual metrics of a schedule by name; see :func:`summarise`.

    For a grid they include how many workflows were rejected, and how many booked tasks finished after their frame.
    """
    usual = summarise(
        schedule,
        with_processor_time(schedule),
        tasks_placed(schedule),
        sharing=schedule.family.sharing == "jobs",
        unfinished=length_of(schedule) is not None,
    )
    counters = schedule.run.get("counters", {})
    rejected = {"rejected_workflows": counters["rejected_workflows"]} if counters.get("workflows") else {}
    late = {"late_tasks": counters["late_tasks"]} if counters.get("bookings") else {}
    return {**usual, **rejected, **late}
