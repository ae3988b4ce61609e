"""From a workload and a policy of this family to a schedule: clusters under one clock, and the tables of the grid."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from scheduler_core.grid.clocks import Clocks
from scheduler_core.grid.coordination import Coordination
from scheduler_core.grid.event_loop import run_events
from scheduler_core.grid.family import FAMILY
from scheduler_core.grid.rars_heft import BOOKED_ENTRIES, CANDIDATE_ENTRIES, Placement
from scheduler_core.grid.tables import grid_allocations, grid_tables
from scheduler_core.grid.workflow import Clusters, Workflow, Workflows
from scheduler_core.stepping.engine_shell import Became, Shell
from scheduler_core.stepping.local_scheduler import BookingRules, LocalScheduler, Record, local_scheduler

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scheduler_core.contracts import Schedule, Workload
    from scheduler_core.declarations.policy import Policy, Progress
    from scheduler_core.grid.policies.grid import Grid

LOCAL_COLUMNS = ("job", "submit_us", "runtime_us", "estimate_us", "size", "class")
"""What a cluster is told of the jobs that are submitted to it, where the workload has it."""


def run(policy: Grid, workload: Workload, progress: Progress | None = None) -> Schedule:
    """Simulate a workload on a grid; the one way in for the policies of this family."""
    local, machine, homes = policy.local_policy(), workload.machine, workload.homes()
    given = Workflows(workload)
    clusters = Clusters(machine, given.tables["run_times"])
    workflows, rejected = admitted(given.all, clusters)
    shell = Shell(FAMILY, policy, workload, who_fits(workload, homes, clusters, rejected))
    with shell.kernel():
        schedulers = made_ready(policy, local, shell, homes[shell.fits], clusters)
        clocks = Clocks(schedulers)
        placement = Placement(policy, clusters, clocks)
        coordination = Coordination(policy, placement)
        run_events(clocks, coordination, workflows, progress)
        records = [scheduler.record() for scheduler in schedulers]
    became = outcomes(records, shell.column("job"))
    places = shell.jobs.select("job").with_row_index("place")
    tables = grid_tables(records, placement, coordination, workflows)
    counters = counted(records, placement, workflows, rejected, tables)
    return shell.schedule(became, counters, grid_allocations(records, machine, places), tables=tables)


def admitted(workflows: Sequence[Workflow], clusters: Clusters) -> tuple[list[Workflow], list[Workflow]]:
    """Return the workflows that are placed, and those that are rejected whole: no cluster fits one of their tasks.

    The source (Cao 2009, section 4.5) prints no rule to reject any.
    """
    taken: list[Workflow] = []
    rejected: list[Workflow] = []
    for workflow in workflows:
        fits = all(clusters.that_fit(task.size) for task in workflow.tasks)
        (taken if fits else rejected).append(workflow)
    return taken, rejected


def who_fits(workload: Workload, homes: np.ndarray, clusters: Clusters, rejected: Sequence[Workflow]) -> np.ndarray:
    """Return which jobs take part: local jobs that their home is large enough for, and tasks of workflows not rejected."""
    jobs = workload.column("job")
    left_out = [task.job for workflow in rejected for task in workflow.tasks]
    large_enough = np.where(homes >= 0, np.array(clusters.processors)[homes], np.iinfo(np.int32).max)
    fits: np.ndarray = (workload.column("size") <= large_enough) & ~np.isin(jobs, left_out)
    return fits


def made_ready(
    policy: Grid, local: Policy, shell: Shell, homes: np.ndarray, clusters: Clusters
) -> list[LocalScheduler]:
    """Make the clusters' schedulers, each under the same policy, and tell each its local jobs."""
    rules = BookingRules(
        policy.nominal, policy.slide_down_backfill, policy.slide_down_avoid_preemption, policy.reservations
    )
    jobs = shell.jobs.select(name for name in LOCAL_COLUMNS if name in shell.jobs.columns)
    schedulers = []
    for number, processors in enumerate(clusters.processors):
        scheduler = local_scheduler(local, processors, rules)
        scheduler.submit_many(clusters.local_jobs(jobs.filter(pl.Series(homes == number)), number))
        schedulers.append(scheduler)
    return schedulers


def outcomes(records: Sequence[Record], jobs: np.ndarray) -> Became:
    """Return the outcome of the jobs, in the order of the workload."""
    ran = pl.concat([record.jobs.with_columns(cluster=pl.lit(k, pl.Int16)) for k, record in enumerate(records)])
    found = pl.DataFrame({"job": jobs}).join(ran, on="job", how="left", maintain_order="left")
    start, finish, preemptions, cluster = (
        found[name].to_numpy() for name in ("start_us", "finish_us", "preemptions", "cluster")
    )
    return Became(start, finish, preemptions=preemptions, cluster=cluster)


def counted(
    records: Sequence[Record],
    placement: Placement,
    workflows: Sequence[Workflow],
    rejected: Sequence[Workflow],
    tables: dict[str, pl.DataFrame],
) -> dict[str, int]:
    """Return the counters of the grid, and the sums of those of the clusters."""
    sums: Counter[str] = Counter()
    for record in records:
        sums.update(record.counters)
    moved = (pl.col("start_us") - pl.col("start_us").shift(1)).over("job")
    up, down = tables["slides"].select((moved < 0).sum().alias("up"), (moved > 0).sum().alias("down")).row(0)
    late = 0
    if tables["reservations"].height:
        finishes = {task.job: task.finish_us for workflow in workflows for task in workflow.tasks}
        late = sum(
            finishes[job] > latest for job, latest in tables["reservations"].select("job", "latest_us").iter_rows()
        )
    own = {
        "workflows": len(workflows) + len(rejected),
        "rejected_workflows": len(rejected),
        "tasks": sum(len(workflow.tasks) for workflow in workflows),
        "predictions": len(placement.candidates) // len(CANDIDATE_ENTRIES),
        "bookings": len(placement.booked) // len(BOOKED_ENTRIES),
        "slides_up": up,
        "slides_down": down,
        "lost_slots": sums.pop("lost_slots", 0),
        "late_tasks": late,
    }
    return {**own, **sums}
