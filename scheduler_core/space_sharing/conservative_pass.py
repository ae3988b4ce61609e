"""One pass of conservative backfilling: plan the arrivals, move reservations forward, start what is due."""

from scheduler_core.common.units import NEVER_US
from scheduler_core.kernel.jit import kernel
from scheduler_core.kernel.profile import add, earlier, earliest
from scheduler_core.kernel.queue import FIRST, LAST
from scheduler_core.space_sharing.ceilings import Ceilings
from scheduler_core.space_sharing.passing_over import is_held
from scheduler_core.space_sharing.state import World, start_job


@kernel
def plan_queue(now: int, compress: bool, world: World) -> None:
    """Go once over the queue: give each arrival a reservation; with ``compress``, move the others forward."""
    jobs, queue, profile, reserved = world.jobs, world.queue, world.profile, world.reserved
    for k in range(queue.bounds[FIRST], queue.bounds[LAST]):
        job = queue.jobs[k]
        if reserved[job] < 0:
            if not is_held(now, job, world, world.ceilings):
                plan_arrival(now, job, world)
        elif compress and reserved[job] > now:
            size, length = jobs.size[job], jobs.tested[job]
            begin = earlier(profile, now, size, length, reserved[job])
            if begin < reserved[job]:
                add(profile, reserved[job], reserved[job] + length, size)
                add(profile, begin, begin + length, -size)
                reserved[job] = begin
                world.clock[0].reservations_moved += 1


@kernel
def give_up_plan(world: World) -> None:
    """Take the reservations of all waiting jobs back, so that the next pass plans them anew."""
    queue = world.queue
    for k in range(queue.bounds[FIRST], queue.bounds[LAST]):
        give_up(queue.jobs[k], world)


@kernel
def give_up_held(now: int, world: World, ceilings: Ceilings | None) -> bool:
    """Take the reservations of the jobs back that a ceiling holds; return whether there were any."""
    if ceilings is None or not world.rules[0].holds_jobs:
        return False
    queue, found = world.queue, False
    for k in range(queue.bounds[FIRST], queue.bounds[LAST]):
        if is_held(now, queue.jobs[k], world, ceilings):
            found |= give_up(queue.jobs[k], world)
    return found


@kernel
def give_up(job: int, world: World) -> bool:
    """Take the reservation of a waiting job back; return whether it had one."""
    begin = world.reserved[job]
    if begin < 0:
        return False
    add(world.profile, begin, begin + world.jobs.tested[job], world.jobs.size[job])
    world.reserved[job] = -1
    return True


@kernel
def plan_arrival(now: int, job: int, world: World) -> None:
    """Give a job that has just arrived its reservation."""
    size, length = world.jobs.size[job], world.jobs.tested[job]
    begin = earliest(world.profile, now, size, length)
    add(world.profile, begin, begin + length, -size)
    world.reserved[job] = begin


@kernel
def start_due(now: int, world: World) -> int:
    """Start every job whose reservation begins now; return the begin of the next reservation.

    A job that a ceiling holds since another one has just started gives its reservation up: ``clock.given`` says so.
    """
    due = NEVER_US
    queue, reserved = world.queue, world.reserved
    waiting = queue.jobs
    first, last = queue.bounds[FIRST], queue.bounds[LAST]
    kept = first
    for k in range(first, last):
        job = waiting[k]
        if reserved[job] == now and is_held(now, job, world, world.ceilings):
            give_up(job, world)
            world.clock[0].given = 1
        if reserved[job] == now:
            start_job(now, job, world)
        else:
            due = min(due, reserved[job] if reserved[job] >= 0 else NEVER_US)
            waiting[kept] = job
            kept += 1
    if kept == first:
        queue.bounds[FIRST] = last
    else:
        queue.bounds[LAST] = kept
    return due
