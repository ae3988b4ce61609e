"""The engine of policies that users write in Python: it calls the function and makes the schedule."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from scheduler_core.common.errors import PolicyError
from scheduler_core.common.units import MICROSECONDS
from scheduler_core.contracts import Schedule, Workload
from scheduler_core.kernel.tables import dedicated_allocations
from scheduler_core.space_sharing.family import FAMILY, PROMISES_COLUMNS
from scheduler_core.space_sharing.own_policy import line_of
from scheduler_core.space_sharing.own_view import Job
from scheduler_core.space_sharing.own_world import World
from scheduler_core.stepping.engine_shell import Became, Shell

if TYPE_CHECKING:
    from scheduler_core.declarations.policy import Progress
    from scheduler_core.space_sharing.own_policy import OwnPolicy

NUMBERS = ("user", "group", "queue", "partition", "executable")

PROGRESS_CALLS = 4096
"""Calls of the policy between two reports of progress."""


def run(policy: OwnPolicy, workload: Workload, progress: Progress | None = None) -> Schedule:
    """Simulate a workload; raise :class:`PolicyError` when the function fails, or returns what cannot be done."""
    shell = Shell(FAMILY, policy, workload)
    world, choose = world_of(shell), policy.choose()
    with shell.kernel():
        for now in world.instants():
            try:
                chosen = choose(now / MICROSECONDS, world.waiting, world.running, world.free)
            except Exception as error:
                raise PolicyError(
                    f"{world.where()}it raised {type(error).__name__}: {error}{line_of(error, policy.file)}"
                ) from error
            world.take(chosen)
            if progress is not None and not world.calls % PROGRESS_CALLS:
                progress(world.coming, len(world.jobs))
    return schedule_of(shell, world)


def world_of(shell: Shell) -> World:
    """Return the world of the jobs that take part, before the first of them is submitted."""
    run_us = np.minimum(shell.column("runtime_us"), shell.column("estimate_us"))
    processors = shell.workload.machine.processors
    submit_us = shell.column("submit_us").tolist()
    standstills = shell.workload.companions.get("standstills")
    periods = () if standstills is None else standstills.select("begin_us", "end_us").rows()
    return World(shell.policy.title, jobs_of(shell), submit_us, run_us.tolist(), processors, periods)


def jobs_of(shell: Shell) -> list[Job]:
    """Return the jobs that take part, in the order of the workload."""
    table = shell.jobs
    count = table.height
    known = [table[name].to_list() if name in table.columns else [None] * count for name in NUMBERS]
    seconds = [(table[name] / MICROSECONDS).to_list() for name in ("submit_us", "estimate_us")]
    columns = (table["job"].to_list(), seconds[0], table["size"].to_list(), seconds[1], *known, range(count))
    return list(map(Job, *columns))


def schedule_of(shell: Shell, world: World) -> Schedule:
    """Return the schedule of a world in which all jobs have started."""
    start = np.array(world.start_us, np.int64)
    counters = {"passes": world.calls, "candidates_looked_at": 0, "backfilled": 0, "reservations_moved": 0}
    numbers = [job.number for job in world.jobs]
    processors = {numbers[position]: places for position, places in world.placed.items()}

    def allocations(jobs: pl.DataFrame) -> pl.DataFrame:
        table = dedicated_allocations(jobs)
        if not processors:
            return table
        named = pl.Series("processor_ids", [processors[job] for job in table["job"]], pl.List(pl.Int32))
        return table.with_columns(named)

    promised = [(numbers[position], made, latest) for position, made, latest in world.promises]
    tables = {"promises": pl.DataFrame(promised, PROMISES_COLUMNS, orient="row")} if promised else None
    became = Became(start, start + np.array(world.run_us, np.int64))
    return shell.schedule(became, counters, allocations, tables=tables)
