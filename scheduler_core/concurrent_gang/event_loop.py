"""The event loop: it takes the next event and carries out its consequences."""

from scheduler_core.concurrent_gang.agenda import KIND_BITS, KINDS
from scheduler_core.concurrent_gang.clock import (
    begin_slice,
    cross_border,
    end_run,
    end_slice,
    is_over,
    skip_idle_slices,
    workload_may_change,
)
from scheduler_core.concurrent_gang.disk import end_request
from scheduler_core.concurrent_gang.execute import block, proceed, trace_is_full
from scheduler_core.concurrent_gang.fast_forward import fast_forward
from scheduler_core.concurrent_gang.local_task_scheduler import dispatch
from scheduler_core.concurrent_gang.network import comes_at
from scheduler_core.concurrent_gang.processors import account, be_idle, become_ready, leave_to_dispatch
from scheduler_core.concurrent_gang.state import (
    ACT_SPIN,
    ACT_SWITCH,
    DONE,
    FRONT_END,
    LATEST,
    MORE_ROOM,
    NEVER,
    PAUSE,
    PERIODS,
    TOO_LONG,
    TRACE,
    TURN_OF_TASK,
    World,
)
from scheduler_core.kernel.event_queue import remove_next
from scheduler_core.kernel.jit import kernel, kernel_entry


@kernel_entry
def run_events(world: World, most: int) -> int:
    """Run at most so many events; return why the loop returns.

    After FRONT_END the caller does the clock's third step; then the slice begins.
    """
    clock = world.clock
    for _ in range(most):
        task, step = clock.stalled, 1
        clock.stalled = -1
        if task < 0:
            step, why = 0, PAUSE
            if clock.told == 0:
                task, why = next_event(world)
            if why != PAUSE:
                return why
            if clock.told != 0:
                clock.told = 0
                begin_slice(clock.now, world)
        if task >= 0:
            proceed(task, step, clock.now, world)
            if clock.stalled >= 0:
                return MORE_ROOM
    return PAUSE


@kernel
def next_event(world: World) -> tuple[int, int]:
    """Process the next event; return the running task that continues (-1: none) and why the loop returns, if it does."""
    clock = world.clock
    if clock.tracing != 0 and trace_is_full(world):
        clock.wanted = TRACE
        return -1, MORE_ROOM
    if clock.forward != 0 and clock.to_dispatch == 0:
        fast_forward(world)
        if clock.wanted >= 0:
            return -1, MORE_ROOM
        clock.forward = 0
    key = world.agenda.key[1]
    blocked = arrives_first(key, world)
    time = world.arrivals.events[0].time if blocked else key >> KIND_BITS
    if clock.to_dispatch > 0 and clock.now < min(time, clock.tick):
        world.counters.events += 1
        return dispatch(next_to_dispatch(world), clock.now, world), PAUSE
    if min(time, clock.tick) >= clock.border:
        if clock.period + 1 == len(world.periods):
            clock.wanted = PERIODS
            return -1, MORE_ROOM
        cross_border(world)
    elif time > clock.tick:
        return -1, tick(time, world)
    else:
        clock.now = time
        world.counters.events += 1
        return happen(key, blocked, world), PAUSE
    return -1, PAUSE


@kernel
def tick(next_time: int, world: World) -> int:
    """Let the clock tick: end the slice, and the run if it is over; return why the loop returns, if it does."""
    clock = world.clock
    if next_time == NEVER:
        idle_until = skip_idle_slices(clock.tick, world)
        if idle_until != clock.tick:
            clock.tick = idle_until
            return PAUSE
    now = clock.now = clock.tick
    if is_over(now, world):
        end_run(now, world)
        return DONE
    if now > LATEST:
        return TOO_LONG
    end_slice(now, world)
    clock.told = 1
    if workload_may_change(now, world):
        return FRONT_END
    clock.turn = clock.turn + 1 if clock.turn + 1 < clock.rows else min(0, clock.rows - 1)
    return PAUSE


@kernel
def arrives_first(key: int, world: World) -> bool:
    """Return whether an arrival for a blocked task comes before the first event of the agenda."""
    if world.arrivals.length.count == 0:
        return False
    first = world.arrivals.events[0]
    if first.time != key >> KIND_BITS:
        return first.time < key >> KIND_BITS
    if key & KINDS != 0:
        return True
    place = world.agenda.place[1] - world.rules.processors
    return first.number < world.processors[place].running


@kernel
def next_to_dispatch(world: World) -> int:
    """Return the lowest-numbered processor that is to dispatch, and remove it from those."""
    clock = world.clock
    processor = clock.first_to_dispatch
    while world.processors[processor].to_dispatch == 0:
        processor += 1
    leave_to_dispatch(processor, world)
    clock.first_to_dispatch = processor
    return processor


@kernel
def happen(key: int, blocked: bool, world: World) -> int:
    """Process the first event of the agenda; return the running task that continues, -1 if none does."""
    now, processors = world.clock.now, world.rules.processors
    place = world.agenda.place[1]
    if blocked or place < processors:
        ready = remove_next(world.arrivals)[2] if blocked else end_request(place, now, world)
        become_ready(ready, now, world)
        return -1
    place -= processors
    state = world.processors[place]
    task = state.running
    account(place, now, world)
    if state.activity == ACT_SPIN:
        if key & KINDS == TURN_OF_TASK:
            block(task, comes_at(task, world), world)
            be_idle(place, world)
            return -1
    elif state.activity != ACT_SWITCH:
        world.tasks[task].left = 0
    return task
