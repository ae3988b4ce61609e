"""From a workload and a policy of space sharing to a schedule: prepares the arrays, runs the event loop, makes the tables."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from scheduler_core.common.units import NEVER_US
from scheduler_core.contracts import Schedule, Workload
from scheduler_core.kernel.profile import new_profile
from scheduler_core.kernel.queue import Queue, new_queue
from scheduler_core.space_sharing import state
from scheduler_core.space_sharing.easy_pass import PLACES
from scheduler_core.space_sharing.event_loop import run_events
from scheduler_core.space_sharing.family import FAMILY
from scheduler_core.space_sharing.orders import AS_SUBMITTED, order_named
from scheduler_core.space_sharing.settings import Settings, make_rules, settings_of
from scheduler_core.space_sharing.state import Jobs, State, new_cluster, new_held
from scheduler_core.stepping.engine_shell import Became, Shell, counted

if TYPE_CHECKING:
    from scheduler_core.declarations.policy import Progress
    from scheduler_core.space_sharing.policy import SpaceSharingPolicy

COUNTERS = ("passes", "candidates_looked_at", "backfilled", "reservations_moved")
PROGRESS_INTERVAL_S = 0.1


def advance(machine: State, until_us: int) -> None:
    """Let everything happen on a machine that happens up to a time, that time included."""
    run_events(
        machine.jobs,
        machine.cluster,
        machine.rules,
        machine.queue,
        machine.candidates,
        machine.profile,
        machine.reserved,
        machine.reservation,
        machine.counters,
        until_us,
        machine.held if machine.cluster.counts[state.HELD] > 0 else None,
    )


def new_state(jobs: Jobs, processors: int, settings: Settings, held: int = 0) -> State:
    """Make an idle machine to which the jobs are still to come, with room for ``held`` reservations from outside."""
    total = len(jobs.submit)
    rules = make_rules(settings)
    queue = make_queue(jobs, settings.order)
    conservative = rules.backfill == state.CONSERVATIVE
    deep = rules.backfill == state.EASY and rules.reservations != 1
    return State(
        jobs=jobs,
        cluster=new_cluster(total, processors, rules.tied_completions == state.BY_START),
        held=new_held(held),
        rules=rules,
        queue=queue,
        candidates=make_queue(jobs, settings.candidate_order) if rules.own_candidates else queue,
        profile=new_profile(2 * (total + held) if conservative or deep else 0, 0, processors),
        reserved=np.full(total if conservative else 0, -1, np.int64),
        reservation=np.full(PLACES, -1, np.int64),
        counters=np.zeros(len(COUNTERS), np.int64),
    )


def make_queue(jobs: Jobs, name: str) -> Queue:
    """Make the empty queue of an order, with the keys it needs."""
    total, order = len(jobs.submit), order_named(name)
    if order.key is not None:
        return new_queue(total, order.key(jobs.estimate, jobs.size))
    return new_queue(total, np.zeros(0 if order.code == AS_SUBMITTED else total, np.int64))


def run(policy: SpaceSharingPolicy, workload: Workload, progress: Progress | None = None) -> Schedule:
    """Simulate a workload; the one way in for the policies of this family."""
    shell, settings = Shell(FAMILY, policy, workload), settings_of(policy)
    jobs = job_arrays(shell, settings)
    with shell.kernel():
        machine = new_state(jobs, workload.machine.processors, settings)
        if progress is None:
            advance(machine, NEVER_US - 1)
        else:
            watch(machine, progress)
    start = machine.cluster.start
    return shell.schedule(Became(start, start + jobs.run), counted(COUNTERS, machine.counters), allocations_table)


def job_arrays(shell: Shell, settings: Settings) -> Jobs:
    """Return the jobs that take part as arrays."""
    submit, runtime, estimate, size = (shell.column(n) for n in ("submit_us", "runtime_us", "estimate_us", "size"))
    run_us = np.minimum(runtime, estimate)
    return read_only(Jobs(submit, run_us, estimate, run_us if settings.tests_run_times else estimate, size))


def read_only(jobs: Jobs) -> Jobs:
    """Return the jobs as arrays that are read-only all, so that one compiled loop serves them all."""
    for array in jobs:
        array.flags.writeable = False
    return jobs


def watch(machine: State, progress: Progress) -> None:
    """Run the event loop in a thread of its own and report how far it is."""
    failures: list[BaseException] = []

    def work() -> None:
        try:
            advance(machine, NEVER_US - 1)
        except BaseException as error:
            failures.append(error)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    while thread.is_alive():
        thread.join(PROGRESS_INTERVAL_S)
        progress(int(machine.cluster.clock[state.NEXT_JOB]), len(machine.jobs.submit))
    if failures:
        raise failures[0]


def allocations_table(jobs: pl.DataFrame) -> pl.DataFrame:
    """Make the ``allocations`` table of space sharing: a row per job, from its start to its end, at full rate."""
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
