"""One pass of conservative backfilling: plan the arrivals, move reservations forward, start what is due."""

from scheduler_core.common.units import NEVER_US
from scheduler_core.kernel.jit import kernel
from scheduler_core.kernel.profile import add, earlier, earliest
from scheduler_core.kernel.queue import FIRST, LAST
from scheduler_core.space_sharing.state import World, start_job


@kernel
def plan_queue(now: int, compress: bool, world: World) -> None:
    """Go once over the queue: give each arrival a reservation; with ``compress``, move the others forward."""
    jobs, queue, profile, reserved = world.jobs, world.queue, world.profile, world.reserved
    for k in range(queue.bounds[FIRST], queue.bounds[LAST]):
        job = queue.jobs[k]
        if reserved[job] < 0:
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
    jobs, queue, reserved = world.jobs, world.queue, world.reserved
    for k in range(queue.bounds[FIRST], queue.bounds[LAST]):
        job = queue.jobs[k]
        if reserved[job] >= 0:
            add(world.profile, reserved[job], reserved[job] + jobs.tested[job], jobs.size[job])
            reserved[job] = -1


@kernel
def plan_arrival(now: int, job: int, world: World) -> None:
    """Give a job that has just arrived its reservation."""
    size, length = world.jobs.size[job], world.jobs.tested[job]
    begin = earliest(world.profile, now, size, length)
    add(world.profile, begin, begin + length, -size)
    world.reserved[job] = begin


@kernel
def start_due(now: int, world: World) -> int:
    """Start every job whose reservation begins now; return the begin of the next reservation."""
    due = NEVER_US
    queue, reserved = world.queue, world.reserved
    waiting = queue.jobs
    first, last = queue.bounds[FIRST], queue.bounds[LAST]
    kept = first
    for k in range(first, last):
        job = waiting[k]
        if reserved[job] == now:
            start_job(now, job, world)
        else:
            due = min(due, reserved[job])
            waiting[kept] = job
            kept += 1
    if kept == first:
        queue.bounds[FIRST] = last
    else:
        queue.bounds[LAST] = kept
    return due
