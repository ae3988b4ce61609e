"""Steps shared by all ways of running tasks ahead: sum up what has been done, schedule what has not."""

from scheduler_core.concurrent_gang.agenda import put_down
from scheduler_core.concurrent_gang.state import ACT_RECEIVE, ACT_SPIN, NEVER, SPIN, SPIN_BLOCK, TURN_OF_TASK, World
from scheduler_core.kernel.jit import kernel, kernel_step


@kernel
def add_ahead(processor: int, job: int, activity: int, time: int, world: World) -> None:
    """Add time to an activity of a processor that works for an owner."""
    world.sums[processor, activity] += time
    world.job_sums[job, activity] += time


@kernel
def wait_ahead(task: int, time: int, world: World) -> None:
    """Record how long a task has waited in total, spinning."""
    state = world.tasks[task]
    add_ahead(state.processor, state.job, ACT_SPIN, time, world)
    state.waited = 1


@kernel
def hand_back(task: int, world: World) -> None:
    """Schedule the end of the task's current activity; the event loop continues from there."""
    place = world.tasks[task].processor
    processor = world.processors[place]
    if processor.activity == ACT_SPIN:
        return
    if processor.activity <= ACT_RECEIVE:
        world.tasks[task].left = processor.end - processor.since
    put_down(world.rules.processors + place, processor.end, TURN_OF_TASK, world)


@kernel_step
def first_io_bound(processor: int, world: World) -> int:
    """Return when an I/O-bound task first becomes ready beside the running owner; NEVER: not in this slice.

    A ready task stays ready while the owner runs. Any other waits for its disk, which gets no new requests meanwhile.
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
