"""A stepped machine goes from instant to instant: submitted jobs in the event loop, bookings around it."""

from scheduler_core.common.units import NEVER_US
from scheduler_core.kernel.jit import kernel, kernel_entry, kernel_step
from scheduler_core.space_sharing import stepped_state as state
from scheduler_core.space_sharing.bookings import (
    bound_of,
    bring_forward,
    follow,
    look_at_late,
    next_of_bookings,
    start_due,
)
from scheduler_core.space_sharing.event_loop import run_events
from scheduler_core.space_sharing.state import World
from scheduler_core.space_sharing.stepped_state import Blocks, Machine, Tasks


@kernel_entry
def go_on(blocks: Blocks, tasks: Tasks, until: int, to_completion: bool, watched: int) -> int:
    """Let everything happen up to a time, or the first completion of a followed job, or the start of the job ``watched``.

    ``step.at`` says how far the machine came. Returns whether the caller must do something before it goes on from there.
    """
    machine, step = state.machine_of(blocks), tasks.step[0]
    step.done = 0
    while not (to_completion and step.done > 0) and not (watched >= 0 and machine.world.start[watched] >= 0):
        now = next_time(machine, tasks)
        if now > until:
            step.at = until
            break
        ends = instant(now, machine, tasks)
        if ends != state.CAME_SO_FAR:
            return ends
    return state.CAME_SO_FAR


@kernel
def next_time(machine: Machine, tasks: Tasks) -> int:
    """Return the time of the next instant."""
    time = min(state.next_event(machine.world), next_of_bookings(tasks))
    if tasks.step[0].taken < tasks.step[0].given:
        time = min(time, tasks.coming[tasks.step[0].taken].submit)
    return time


@kernel
def instant(now: int, machine: Machine, tasks: Tasks) -> int:
    """Go through an instant, or as far as possible until the caller must do something."""
    step, moved = tasks.step[0], True
    step.at, step.last_instant, step.called = now, now, 0
    take_submitted(now, machine, tasks)
    if step.waiting > 0:
        step.unplaced = look_at_late(now, machine.world, tasks)
        if step.unplaced >= 0:
            step.called = 1
            return state.NEEDS_HOLD
    while moved:
        if step.slides + 2 * step.waiting > len(tasks.slides):
            step.called = 1
            return state.NEEDS_ROOM
        run_events(machine.world, now)
        moved = False
        if step.waiting > 0:
            start_due(now, machine, tasks)
            moved = bring_forward(now, machine, tasks)
    if step.following > 0:
        take_done(now, machine.world, tasks)
    return state.CAME_SO_FAR


@kernel_step
def take_submitted(now: int, machine: Machine, tasks: Tasks) -> None:
    """Put the jobs that are submitted now behind those the event loop knows."""
    world, jobs, step = machine.world, machine.world.jobs, tasks.step[0]
    while step.taken < step.given and tasks.coming[step.taken].submit <= now:
        job, place = tasks.coming[step.taken], step.known
        machine.number[place] = job.job
        jobs.submit[place], jobs.run[place], jobs.estimate[place] = job.submit, job.run, job.estimate
        jobs.tested[place], jobs.size[place] = job.tested, job.processors
        world.queue.key[place] = job.key
        if world.rules[0].own_candidates:
            world.candidates.key[place] = job.candidate_key
        step.taken += 1
        step.known += 1
        if job.followed > 0:
            follow(place, step.next_joined, tasks)
            step.next_joined += 1
            step.to_follow -= 1


@kernel_step
def take_done(now: int, world: World, tasks: Tasks) -> None:
    """Move the followed jobs that are done by now to the list of finished ones."""
    step, kept = tasks.step[0], 0
    for k in range(step.following):
        job = tasks.followed[k]
        if 0 <= world.start[job.place] <= now - world.jobs.run[job.place]:
            tasks.done[step.done] = job
            step.done += 1
        else:
            tasks.followed[kept] = job
            kept += 1
    step.following = kept


@kernel_entry
def first_completion(blocks: Blocks, tasks: Tasks) -> int:
    """Return a time before which no followed job is done."""
    world, step, best = state.machine_of(blocks).world, tasks.step[0], NEVER_US
    now = max(step.at, 0)
    for k in range(step.following):
        place = tasks.followed[k].place
        start = world.start[place]
        best = min(best, (start if start >= 0 else now) + world.jobs.run[place])
    for k in range(step.waiting):
        booking = tasks.booked[tasks.waiting[k]]
        if booking.ready >= 0:
            best = min(best, max(now, bound_of(booking)) + booking.run)
    one = step.taken
    while step.to_follow > 0 and one < step.given and tasks.coming[one].submit < best:
        if tasks.coming[one].followed > 0:
            best = min(best, tasks.coming[one].submit + tasks.coming[one].run)
        one += 1
    return best
