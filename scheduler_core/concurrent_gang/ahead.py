"""What running tasks ahead has in common, whatever they do: what is done is summed up, what is not is put down."""

from __future__ import annotations

from scheduler_core.concurrent_gang.agenda import put_down
from scheduler_core.concurrent_gang.state import (
    ACT_RECEIVE,
    ACT_SPIN,
    NEVER,
    SPIN,
    SPIN_BLOCK,
    TURN_OF_TASK,
    World,
)
from scheduler_core.kernel.jit import kernel, kernel_step


@kernel
def add_ahead(processor: int, job: int, activity: int, time: int, world: World) -> None:
    """Add time to what a processor does for an owner."""
    world.sums[processor, activity] += time
    world.job_sums[job, activity] += time


@kernel
def wait_ahead(task: int, time: int, world: World) -> None:
    """Let a task have waited, spinning, so long in all."""
    state = world.tasks[task]
    add_ahead(state.processor, state.job, ACT_SPIN, time, world)
    state.waited = 1


@kernel
def hand_back(task: int, world: World) -> None:
    """Put down when what a task's processor is at ends: the event loop goes on with it."""
    place = world.tasks[task].processor
    processor = world.processors[place]
    if processor.activity == ACT_SPIN:
        return
    if processor.activity <= ACT_RECEIVE:
        world.tasks[task].left = processor.end - processor.since
    put_down(world.rules.processors + place, processor.end, TURN_OF_TASK, world)


@kernel_step
def first_io_bound(processor: int, world: World) -> int:
    """Return from when on a task that is I/O-bound is ready beside the owner that runs; NEVER: not in this slice.

    One that is ready stays so as long as the owner runs. One that is not waits for its disk, which nothing else asks meanwhile.
    """
    state = world.processors[processor]
    if state.ready_io > 0:
        return 0
    task = state.first_at_disk
    while task >= 0:
        if world.tasks[task].io_bound != 0:
            return world.tasks[task].end_at_disk
        task = world.tasks[task].behind_at_disk
    return NEVER


@kernel
def may_spin(processor: int, begin: int, end: int, world: World) -> bool:
    """Return whether an owner that waits from ``begin`` on, not before now, does not block before ``end`` in this slice."""
    rules, clock = world.rules, world.clock
    if end > clock.tick:
        return False
    if rules.waiting == SPIN or end <= begin + rules.spin:
        return True
    if rules.waiting == SPIN_BLOCK:
        return False
    return clock.tick - begin < rules.least_left or first_io_bound(processor, world) > begin
