"""From a workload and the settings of a policy to a schedule: prepares the arrays, runs the event loop, makes the tables."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from scheduler_core.contracts import Outcome, Schedule, Workload, asked_columns
from scheduler_core.kernel.profile import new_profile
from scheduler_core.kernel.queue import Queue, new_queue
from scheduler_core.space_sharing import state
from scheduler_core.space_sharing.event_loop import run_events
from scheduler_core.space_sharing.queue_order import fixed_key
from scheduler_core.space_sharing.state import Jobs, Rules, new_cluster
from scheduler_core.units import seconds_to_us

if TYPE_CHECKING:
    from scheduler_core.policy import Policy, Progress

BACKFILLS = {"none": state.NO_BACKFILL, "easy": state.EASY, "conservative": state.CONSERVATIVE}
INSTANTS = {
    "batch": state.BATCH,
    "completions_first": state.COMPLETIONS_FIRST,
    "submissions_first": state.SUBMISSIONS_FIRST,
}
AGING = {"off": state.AGING_OFF, "fixed": state.AGING_FIXED, "running_mean": state.AGING_MEAN}
COUNTERS = ("passes", "candidates_looked_at", "backfilled", "reservations_moved")
PROGRESS_INTERVAL_S = 0.1


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything in which policies of this family differ; the policies' docstrings say what each means."""

    backfill: str = "none"
    skip: bool = False
    order: str = "fcfs"
    backfill_order: str = "queue"
    instant: str = "batch"
    ending_now_is_free: bool = False
    extra_processors: bool = True
    reserve_once: bool = False
    ties_are_extra: bool = True
    real_runtime: bool = False
    candidates: int = 0
    reservations: int = 1
    compression: bool = True
    short_limit_s: float = 0.0
    medium_limit_s: float = 0.0
    aging: str = "off"
    aging_min_s: float = 0.0
    aging_fixed_s: float = 0.0


def run(policy: Policy, workload: Workload, settings: Settings, progress: Progress | None = None) -> Schedule:
    """Simulate a workload under the given settings; the one way in for the policies of this family."""
    begun = time.perf_counter()
    fits = workload.column("size") <= workload.machine.processors
    rejects = not fits.all()
    jobs = job_arrays(workload, settings.real_runtime, fits if rejects else None)
    kernel_begun = time.perf_counter()
    start, counters = run_kernel(jobs, workload.machine.processors, settings, progress)
    kernel_s = time.perf_counter() - kernel_begun
    finish = start + jobs.run
    if rejects:
        start, finish = scatter(start, fits), scatter(finish, fits)
    table = jobs_table(workload, start, finish, rejects)
    note = {
        "policy": {"name": policy.name, "parameters": policy.values(), "source": policy.source},
        "counters": dict(zip(COUNTERS, counters.tolist(), strict=True)),
    }
    timing = {"kernel_s": kernel_s, "wall_s": time.perf_counter() - begun}
    return Schedule(table, partial(allocations_table, table), workload.machine, note, timing)


def job_arrays(workload: Workload, real_runtime: bool, fits: np.ndarray | None) -> Jobs:
    """Give the jobs the machine is large enough for as arrays; read-only all, so that one compiled loop serves them all."""
    names = ("submit_us", "runtime_us", "estimate_us", "size")
    columns = [workload.column(name) if fits is None else workload.column(name)[fits] for name in names]
    submit, runtime, estimate, size = columns
    run_us = np.minimum(runtime, estimate)
    arrays = Jobs(submit, run_us, estimate, run_us if real_runtime else estimate, size)
    for array in arrays:
        array.flags.writeable = False
    return arrays


def run_kernel(
    jobs: Jobs, processors: int, settings: Settings, progress: Progress | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Run the event loop; give every job's start and the counters."""
    total = len(jobs.submit)
    cluster = new_cluster(total, processors)
    rules = make_rules(settings)
    queue = make_queue(jobs, settings.order)
    candidates = make_queue(jobs, candidate_order(settings)) if rules.own_candidates else queue
    conservative = rules.backfill == state.CONSERVATIVE
    deep = rules.backfill == state.EASY and rules.reservations != 1
    steps = 2 * total if conservative or deep else 0
    profile = new_profile(steps, 0, processors)
    promised = np.full(total if conservative else 0, -1, np.int64)
    reservation = np.full(3, -1, np.int64)
    counters = np.zeros(len(COUNTERS), np.int64)
    done = np.zeros(1, np.int64)
    arguments = (
        jobs,
        cluster,
        rules,
        queue,
        candidates,
        profile,
        promised,
        reservation,
        counters,
        done,
    )
    if progress is None:
        run_events(*arguments)
    else:
        watch(arguments, done, total, progress)
    return cluster.start, counters


def watch(arguments: tuple[Any, ...], done: np.ndarray, total: int, progress: Progress) -> None:
    """Run the event loop in a thread of its own and report how far it is."""
    failures: list[BaseException] = []

    def work() -> None:
        try:
            run_events(*arguments)
        except BaseException as error:
            failures.append(error)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    while thread.is_alive():
        thread.join(PROGRESS_INTERVAL_S)
        progress(int(done[0]), total)
    if failures:
        raise failures[0]


def make_queue(jobs: Jobs, name: str) -> Queue:
    """Make the empty queue of an order, with the keys it needs."""
    total = len(jobs.submit)
    key = fixed_key(name, jobs.estimate, jobs.size)
    if key is None:
        key = np.zeros(0 if name == "fcfs" else total, np.int64)
    return new_queue(total, key)


def order_code(order: str) -> int:
    """Give the kind of an order: as submitted, by fixed key, by slowdown, by level."""
    codes = {"fcfs": state.AS_SUBMITTED, "largest_slowdown": state.BY_SLOWDOWN, "priority": state.BY_LEVEL}
    return codes.get(order, state.BY_KEY)


def candidate_order(settings: Settings) -> str:
    """Give the order of the backfill candidates; that of the queue unless they have one of their own."""
    return settings.order if settings.backfill_order == "queue" else settings.backfill_order


def make_rules(settings: Settings) -> Rules:
    """Give the settings as the plain numbers the event loop reads."""
    aging_s = settings.aging_min_s if settings.aging == "running_mean" else settings.aging_fixed_s
    return Rules(
        backfill=state.SKIP if settings.skip else BACKFILLS[settings.backfill],
        order=order_code(settings.order),
        backfill_order=order_code(candidate_order(settings)),
        own_candidates=candidate_order(settings) != settings.order,
        instant=INSTANTS[settings.instant],
        ending_now_is_free=settings.ending_now_is_free,
        extra_processors=settings.extra_processors,
        reserve_once=settings.reserve_once,
        ties_are_extra=settings.ties_are_extra,
        tested_by_estimate=not settings.real_runtime,
        candidates=settings.candidates,
        reservations=settings.reservations,
        compression=settings.compression,
        short_max=seconds_to_us(settings.short_limit_s),
        medium_max=seconds_to_us(settings.medium_limit_s),
        aging=AGING[settings.aging],
        aging_time=seconds_to_us(aging_s),
    )


def scatter(values: np.ndarray, fits: np.ndarray) -> np.ndarray:
    """Put the values of the jobs that fit back among all jobs; -1 for the others."""
    scattered = np.full(len(fits), -1, np.int64)
    scattered[fits] = values
    return scattered


def jobs_table(workload: Workload, start: np.ndarray, finish: np.ndarray, rejects: bool) -> pl.DataFrame:
    """Make the schedule's ``jobs`` table."""
    asked = workload.jobs.select(asked_columns(workload.jobs))
    table = asked.with_columns(
        pl.Series("start_us", start),
        pl.Series("finish_us", finish),
        pl.col("size").alias("processors"),
        pl.lit(0, pl.Int16).alias("cluster"),
        pl.lit(0, pl.Int32).alias("preemptions"),
        pl.lit("finished", Outcome).alias("outcome"),
    )
    if (table["runtime_us"] > table["estimate_us"]).any():
        killed = pl.col("runtime_us") > pl.col("estimate_us")
        table = table.with_columns(
            pl.when(killed).then(pl.lit("killed", Outcome)).otherwise("outcome").alias("outcome")
        )
    if not rejects:
        return table
    ran = pl.col("start_us") >= 0
    return table.with_columns(
        pl.when(ran).then("start_us").alias("start_us"),
        pl.when(ran).then("finish_us").alias("finish_us"),
        pl.when(ran).then("processors").otherwise(pl.lit(0, pl.Int32)).alias("processors"),
        pl.when(ran).then("outcome").otherwise(pl.lit("rejected", Outcome)).alias("outcome"),
    )


def allocations_table(jobs: pl.DataFrame) -> pl.DataFrame:
    """Make the ``allocations`` table of space sharing: an interval a job, from its start to its end, at full rate."""
    ran = jobs.filter(pl.col("start_us").is_not_null()) if jobs["start_us"].null_count() else jobs
    return ran.select(
        "job",
        pl.col("start_us").alias("begin_us"),
        pl.col("finish_us").alias("end_us"),
        "processors",
        pl.lit(None, pl.List(pl.Int32)).alias("processor_ids"),
        "cluster",
        pl.lit(0, pl.Int32).alias("slot"),
        pl.lit(1.0).alias("rate"),
        (pl.col("finish_us") - pl.col("start_us")).alias("work_us"),
    )
