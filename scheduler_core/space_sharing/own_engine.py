"""The engine of policies that users write in Python: it calls the function and makes the schedule."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, TypeVar

import numpy as np
import polars as pl

from scheduler_core.common.units import MICROSECONDS
from scheduler_core.contracts import Schedule, Workload
from scheduler_core.kernel.tables import dedicated_allocations
from scheduler_core.space_sharing.family import FAMILY, PROMISES_COLUMNS
from scheduler_core.space_sharing.own_policy import is_compiled
from scheduler_core.space_sharing.own_view import NUMBERS, Job
from scheduler_core.space_sharing.own_world import PROGRESS_CALLS, Outcome, World
from scheduler_core.stepping.engine_shell import Became, Shell

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from scheduler_core.declarations.policy import Progress
    from scheduler_core.space_sharing.own_policy import Choose, OwnPolicy


AnyWorld = TypeVar("AnyWorld", bound=World)


def run(policy: OwnPolicy, workload: Workload, progress: Progress | None = None) -> Schedule:
    """Simulate a workload; raise :class:`PolicyError` when the function fails, or returns what cannot be done."""
    shell = Shell(FAMILY, policy, workload)
    choose, report = policy.choose(), progress or no_report
    if is_compiled(choose):
        from scheduler_core.space_sharing.own_compiled import run_compiled

        return schedule_of(shell, run_compiled(choose, shell, partial(world_of, kind=World), report))
    return schedule_of(shell, run_in_python(choose, shell, report, World).outcome)


def no_report(done: int, total: int) -> None:
    """Report no progress."""


def run_in_python(choose: Choose, shell: Shell, report: Progress, kind: Callable[..., AnyWorld]) -> AnyWorld:
    """Call a policy at each instant of a new world; return that world after the last instant."""
    world = world_of(shell, kind)
    with shell.kernel():
        for now in world.instants():
            try:
                chosen = choose(now / MICROSECONDS, world.waiting, world.running, world.free)
            except Exception as error:
                raise world.raised(error) from error
            except KeyboardInterrupt as stop:  # most likely the policy does not end
                raise world.interrupted(stop) from None
            world.take(chosen)
            if not world.calls % PROGRESS_CALLS:
                report(world.coming, len(world.jobs))
    return world


def world_of(shell: Shell, kind: Callable[..., AnyWorld]) -> AnyWorld:
    """Return the world of the jobs that take part, before the first of them is submitted."""
    processors = shell.workload.machine.processors
    submit_us = shell.column("submit_us").tolist()
    standstills = shell.workload.companions.get("standstills")
    periods = () if standstills is None else standstills.select("begin_us", "end_us").rows()
    file = getattr(shell.policy, "file", "")
    return kind(shell.policy.title, jobs_of(shell), submit_us, shell.run_us.tolist(), processors, periods, file)


def jobs_of(shell: Shell) -> list[Job]:
    """Return the jobs that take part, in the order of the workload."""
    table = shell.jobs
    count = table.height
    known = [table[name].to_list() if name in table.columns else [None] * count for name in NUMBERS]
    seconds = [(table[name] / MICROSECONDS).to_list() for name in ("submit_us", "estimate_us")]
    columns = (table["job"].to_list(), seconds[0], table["size"].to_list(), seconds[1], *known, range(count))
    return list(map(Job, *columns))


def schedule_of(shell: Shell, outcome: Outcome) -> Schedule:
    """Return the schedule of jobs that have all started."""
    start, numbers = np.asarray(outcome.start_us, np.int64), shell.column("job")
    counters = {"passes": outcome.calls, "candidates_looked_at": 0, "backfilled": 0, "reservations_moved": 0}
    processors = {int(numbers[position]): places for position, places in outcome.placed.items()}
    became, tables = Became(start, start + shell.run_us), promises_table(shell, outcome)
    return shell.schedule(became, counters, partial(allocations_on, processors), tables=tables)


def promises_table(shell: Shell, outcome: Outcome) -> dict[str, pl.DataFrame]:
    """Return the table of promises by its name; nothing if the policy made none."""
    numbers = shell.column("job")
    promised = [(int(numbers[position]), made, latest) for position, made, latest in outcome.promises]
    return {"promises": pl.DataFrame(promised, PROMISES_COLUMNS, orient="row")} if promised else {}


def allocations_on(processors: Mapping[int, tuple[int, ...]], jobs: pl.DataFrame) -> pl.DataFrame:
    """Return the allocations of jobs, on the processors that the policy gave each if it named any."""
    table = dedicated_allocations(jobs)
    if not processors:
        return table
    named = pl.Series("processor_ids", [processors[job] for job in table["job"]], pl.List(pl.Int32))
    return table.with_columns(named)
