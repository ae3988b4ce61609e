"""Disks: each serves the requests of its processor's tasks, first come, first served."""

from scheduler_core.concurrent_gang.agenda import put_down, strike_out
from scheduler_core.concurrent_gang.state import DISK_DONE, SUM_DISK, World
from scheduler_core.concurrent_gang.trace import trace_disk
from scheduler_core.kernel.jit import kernel


@kernel
def ask_disk(task: int, now: int, world: World) -> None:
    """Send the request of a task's statement to its processor's disk."""
    place = world.tasks[task].processor
    disk = world.processors[place]
    begin = max(now, disk.disk_free)
    disk.disk_free = begin + world.tasks[task].left
    world.tasks[task].end_at_disk = disk.disk_free
    world.tasks[task].behind_at_disk = -1
    world.tasks[task].asked = 1
    if disk.first_at_disk < 0:
        disk.first_at_disk = task
        serve_next(place, now, world)
    else:
        world.tasks[disk.last_at_disk].behind_at_disk = task
    disk.last_at_disk = task
    trace_disk(task, now, begin, disk.disk_free, world)


@kernel
def serve_next(place: int, now: int, world: World) -> None:
    """Begin serving the first request."""
    disk = world.processors[place]
    disk.disk_since = now
    first = disk.first_at_disk
    world.jobs[world.tasks[first].job].requests += 1
    put_down(place, world.tasks[first].end_at_disk, DISK_DONE, world)


@kernel
def add_disk_time(place: int, now: int, world: World) -> None:
    """Add the disk's time since it was last summed up, if it serves a request."""
    disk = world.processors[place]
    if disk.first_at_disk >= 0:
        world.sums[place, SUM_DISK] += now - disk.disk_since
        world.job_sums[world.tasks[disk.first_at_disk].job, SUM_DISK] += now - disk.disk_since
        disk.disk_since = now


@kernel
def end_request(place: int, now: int, world: World) -> int:
    """End the current request and begin the next; return the task that has its data now."""
    add_disk_time(place, now, world)
    disk = world.processors[place]
    task = disk.first_at_disk
    disk.first_at_disk = world.tasks[task].behind_at_disk
    if disk.first_at_disk < 0:
        strike_out(place, world)
    else:
        serve_next(place, now, world)
    return task
