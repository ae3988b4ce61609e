"""Processors whose tasks need no others: a whole slice is run at once, one processor after the other.

Tasks that only compute and use their disk neither send to other processors nor wait for them, and receive nothing. So a
processor with only such tasks depends on itself alone, including its local task scheduler and its disk. Every event has the
same time and is counted in the same way as in the agenda's order; the agenda just need not find out, event by event, which
processor is next.
"""

from __future__ import annotations

from scheduler_core.concurrent_gang.agenda import KIND_BITS, keys_of, settle
from scheduler_core.concurrent_gang.disk import end_request
from scheduler_core.concurrent_gang.execute import proceed
from scheduler_core.concurrent_gang.local_task_scheduler import dispatch
from scheduler_core.concurrent_gang.processors import account, become_ready, leave_to_dispatch
from scheduler_core.concurrent_gang.state import ACT_SWITCH, World
from scheduler_core.kernel.jit import kernel, kernel_step


@kernel_step
def run_to_tick(processor: int, world: World) -> None:
    """Run all events of a processor from now to the tick; no task there is the partner of another."""
    clock, state, now = world.clock, world.processors[processor], world.clock.now
    clock.unsettled = 1
    while True:
        disk, own = keys_of(processor, world)
        time = min(disk, own) >> KIND_BITS
        task = -1
        if state.to_dispatch != 0 and now < min(time, clock.tick):
            leave_to_dispatch(processor, world)
            task = dispatch(processor, now, world)
        elif time > clock.tick:
            break
        else:
            now = time
            if disk < own:
                become_ready(end_request(processor, now, world), now, world)
            else:
                task = end_of_turn(processor, now, world)
        world.counters.events += 1
        if task >= 0:
            proceed(task, 0, now, world)
    if state.to_dispatch != 0:  # at the tick, when all processors dispatch anew
        leave_to_dispatch(processor, world)
    clock.unsettled = 0
    settle(processor, world)


@kernel
def end_of_turn(processor: int, now: int, world: World) -> int:
    """End the current activity of the running task; return the task, which continues."""
    state = world.processors[processor]
    account(processor, now, world)
    if state.activity != ACT_SWITCH:
        world.tasks[state.running].left = 0
    return state.running
