"""From a workload and a policy of space sharing to a schedule: prepares the arrays, runs the event loop, makes the tables."""

from __future__ import annotations

import threading
from collections import deque
from itertools import compress
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from scheduler_core.common.units import NEVER_US
from scheduler_core.contracts import Schedule, Workload
from scheduler_core.contracts.companions import CLOSED_TO, is_closed_to, merged_periods, widest
from scheduler_core.kernel.tables import dedicated_allocations
from scheduler_core.space_sharing.ceilings import ClosedHours, new_ceilings
from scheduler_core.space_sharing.event_loop import run_events
from scheduler_core.space_sharing.fair_share import new_usage
from scheduler_core.space_sharing.family import FAMILY
from scheduler_core.space_sharing.rules import Setup, setup_of
from scheduler_core.space_sharing.state import COUNTERS, Jobs, World, new_world, standstills_of
from scheduler_core.stepping.engine_shell import Became, Shell

if TYPE_CHECKING:
    from collections.abc import Callable

    from scheduler_core.declarations.policy import Progress
    from scheduler_core.space_sharing.policy import SpaceSharingPolicy

    Hopeless = Callable[[int, np.ndarray], bool]
    """Says of a time and the starts up to it (-1: none yet) whether the rest of the simulation can be left out."""

Changes = deque[tuple[int, int]]
"""Times at which the usable processors change, in microseconds, and how many more can be used from then on."""

PROGRESS_INTERVAL_S = 0.1

LOOKS = 16
"""How often a simulation that may be left out is looked at."""


def run(policy: SpaceSharingPolicy, workload: Workload, progress: Progress | None = None) -> Schedule:
    """Simulate a workload; the one way in for the policies of this family."""
    shell = shell_of(policy, workload)
    with shell.kernel():
        world, changes = world_of(policy, shell)
        if progress is None:
            advance(world, changes)
        else:
            watch(world, changes, progress)
    start = world.start
    return shell.schedule(Became(start, start + world.jobs.run), counters_of(world), dedicated_allocations)


def starts_of(policy: SpaceSharingPolicy, workload: Workload, hopeless: Hopeless | None = None) -> np.ndarray | None:
    """Return the start of each job of a workload in microseconds, -1 of a rejected one: a simulation that makes no tables.

    On the way ``hopeless`` is asked some times (:data:`LOOKS`) of the time so far and the starts up to it. Once it agrees,
    nothing is returned.
    """
    shell = shell_of(policy, workload)
    world, changes = world_of(policy, shell)
    starts = np.full(len(workload), -1)
    looks = world.jobs.submit[:: len(world.jobs.submit) // LOOKS + 1] if hopeless is not None else ()
    for time in (*looks, NEVER_US - 1):
        advance(world, changes, time)
        starts[shell.fits] = world.start
        if hopeless is not None and hopeless(time, starts):
            return None
    return starts


def shell_of(policy: SpaceSharingPolicy, workload: Workload) -> Shell:
    """Return the shell of a run: the jobs take part that fit on the processors that can be used from their submission on."""
    most = widest(workload.column("submit_us"), workload.machine.processors, workload.companions.get("out_of_use"))
    return Shell(FAMILY, policy, workload, workload.column("size") <= most)


def world_of(policy: SpaceSharingPolicy, shell: Shell) -> tuple[World, Changes]:
    """Return the idle machine of a run, and the changes of its usable processors."""
    workload, setup = shell.workload, setup_of({**policy.fixed, **policy.values()})
    jobs = job_arrays(shell, setup)
    submitted = jobs.submit
    if "credit_us" in workload.jobs.columns:
        submitted = jobs.submit - shell.column("credit_us")
        setup = setup.in_order_of(submitted)
    closed = closed_hours_of(shell)
    setup = setup if closed is None else setup.with_closed_hours()
    standstills, ceilings, usage = standstills_of(workload), None, None
    if looked_at := len(standstills) > 0 or setup.rules.holds_jobs or setup.shares:
        users = users_of(shell)
        ceilings, usage = new_ceilings(users, closed), new_usage(users, submitted)
    world = new_world(jobs, workload.machine.processors, setup, standstills if looked_at else None, ceilings, usage)
    return world, changes_of_use(workload.companions.get("out_of_use"))


def counters_of(world: World) -> dict[str, int]:
    """Return the counters of the event loop by name."""
    return {name: int(world.clock[name][0]) for name in COUNTERS}


def changes_of_use(out_of_use: pl.DataFrame | None) -> Changes:
    """Return the times at which processors go out of use or come back, in microseconds, and how many more can be used then."""
    rows = [] if out_of_use is None else out_of_use.select("begin_us", "end_us", "processors").rows()
    more: dict[int, int] = {}
    for begin, end, processors in rows:
        more[begin] = more.get(begin, 0) - processors
        more[end] = more.get(end, 0) + processors
    return deque(sorted(more.items()))


def advance(world: World, changes: Changes, until: int = NEVER_US - 1) -> None:
    """Take all events up to a time, that time included, and the changes of the usable processors up to it off the list.

    At a change the loop stops, and goes on with a pass at that time.
    """
    clock, profile = world.clock[0], world.profile
    while changes and changes[0][0] <= until:
        time, more = changes.popleft()
        run_events(world, time - 1)
        clock["free"] += more
        profile.free[slice(*profile.bounds)] += more
        clock["head"], clock["stood_still"], clock["due"] = -1, 1, min(clock["due"], time)
    run_events(world, until)


def closed_hours_of(shell: Shell) -> ClosedHours | None:
    """Return the closed hours of jobs, grouped by what is closed to them; None when there are none."""
    table = shell.workload.companions.get("closed_hours")
    if table is None or table.is_empty() or shell.jobs.is_empty():
        return None
    closings = table.partition_by(*CLOSED_TO, as_dict=True)
    held = shell.jobs.select(is_closed_to(*key).alias(str(key)) for key in closings)
    groups = held.unique(maintain_order=True).filter(pl.any_horizontal(held.columns)).with_row_index("group")
    if groups.is_empty():
        return None
    of_jobs = held.join(groups, on=held.columns, how="left", maintain_order="left")["group"]
    periods = [
        merged_periods(pl.concat(list(compress(closings.values(), holds))).select("begin_us", "end_us"))
        for _, *holds in groups.rows()
    ]
    last = np.cumsum([len(one) for one in periods], dtype=np.int64)
    first = last - [len(one) for one in periods]
    begin, end = (pl.concat(periods)[name].to_numpy(writable=True) for name in ("begin_us", "end_us"))
    return ClosedHours(of_jobs.cast(pl.Int64).fill_null(-1).to_numpy(writable=True), first, last, begin, end)


def users_of(shell: Shell) -> np.ndarray:
    """Return the user of each job that takes part, counted from 0; -1 where it is unknown."""
    if "user" not in shell.jobs.columns:
        return np.full(shell.jobs.height, -1, np.int64)
    return shell.jobs["user"].rank("dense").cast(pl.Int64).fill_null(0).to_numpy() - 1


def job_arrays(shell: Shell, setup: Setup) -> Jobs:
    """Return the jobs that take part as arrays."""
    submit, estimate, size = (shell.column(name) for name in ("submit_us", "estimate_us", "size"))
    run_us = shell.run_us
    return read_only(Jobs(submit, run_us, estimate, run_us if setup.tests_run_times else estimate, size))


def read_only(jobs: Jobs) -> Jobs:
    """Return the jobs as arrays that are read-only all, so that one compiled loop serves them all."""
    for array in jobs:
        array.flags.writeable = False
    return jobs


def watch(world: World, changes: Changes, progress: Progress) -> None:
    """Run the event loop in a thread of its own and report how far it is."""
    failures: list[BaseException] = []

    def work() -> None:
        try:
            advance(world, changes)
        except BaseException as error:
            failures.append(error)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    while thread.is_alive():
        thread.join(PROGRESS_INTERVAL_S)
        progress(int(world.clock["next_job"][0]), len(world.jobs.submit))
    if failures:
        raise failures[0]
