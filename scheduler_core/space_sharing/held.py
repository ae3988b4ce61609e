"""The holds of bookings: no job may start that would need their processors."""

from __future__ import annotations

from scheduler_core.common.units import NEVER_US
from scheduler_core.kernel.jit import kernel, kernel_step
from scheduler_core.kernel.records import Record
from scheduler_core.space_sharing.state import Held, World, job_of


@kernel
def may_start(now: int, job: int, world: World) -> bool:
    """Return whether a job that fits on the free processors leaves every hold its processors."""
    return leaves_any(now, job, world, world.held)


@kernel
def leaves_any(now: int, job: int, world: World, held: Held | None) -> bool:
    """Return what :func:`leaves_held` does, and True where nothing can be held."""
    if held is None:
        return True
    return leaves_held(now, job, world, held)


@kernel_step
def leaves_held(now: int, job: int, world: World, held: Held) -> bool:
    """Return whether a job that runs from now on for its estimate leaves every hold its processors.

    What running jobs use only falls over time, so it is enough to look at now and at the begin of each hold. The
    processors of running jobs that are expected to have ended by then count as free.
    """
    jobs, running, clock = world.jobs, world.running, world.clock[0]
    ends = now + jobs.estimate[job]
    for k in range(clock.held):
        time = max(now, held.begin[k])
        if time >= ends or held.end[k] <= now:
            continue
        free = clock.free - jobs.size[job]
        for place in range(clock.running):
            other = job_of(running.end_tie[place], running, world.rules[0])
            if world.start[other] + jobs.estimate[other] <= time:
                free += jobs.size[other]
        for other in range(clock.held):
            if held.begin[other] <= time < held.end[other]:
                free -= held.size[other]
        if free < 0:
            clock.blocked = 1
            return False
    return True


@kernel
def next_release(clock: Record, held: Held | None) -> int:
    """Return the next time at which a hold ends; NEVER_US where the last pass left no job waiting for one."""
    if held is None or clock.blocked == 0:
        return NEVER_US
    release = NEVER_US
    for k in range(clock.held):
        if held.end[k] > clock.now:
            release = min(release, held.end[k])
    return release
