"""The clock: the steps on all processors at every tick, and the begin and end of sums and traces."""

from scheduler_core.concurrent_gang.classify import learn
from scheduler_core.concurrent_gang.disk import add_disk_time
from scheduler_core.concurrent_gang.fill import fill_slice
from scheduler_core.concurrent_gang.processors import account, add_time, ask_to_dispatch, preempt
from scheduler_core.concurrent_gang.state import ACT_BLOCKED, ACT_EMPTY, ENDED, NEVER, SUMS, World
from scheduler_core.concurrent_gang.trace import trace_activity, trace_slice
from scheduler_core.kernel.jit import kernel


@kernel
def end_slice(now: int, world: World) -> None:
    """Preempt all running tasks and classify them: the clock's first two steps."""
    for processor in range(world.rules.processors):
        if world.processors[processor].running >= 0:
            preempt(processor, now, world)
        else:
            account(processor, now, world)
        learn(processor, now, world)


@kernel
def workload_may_change(now: int, world: World) -> bool:
    """Return whether the front end must act at this tick."""
    clock = world.clock
    freed = world.rules.free_on_task_end != 0 and clock.ended > 0
    return clock.gone > 0 or clock.next_submit <= now or freed


@kernel
def begin_slice(now: int, world: World) -> None:
    """Name the owners of the slice that begins, and let all processors dispatch: the clock's last steps."""
    rules, clock = world.rules, world.clock
    clock.tick = now + rules.slice
    clock.forward = rules.fast_forward
    world.counters.slices += 1
    without = 0
    for processor in range(rules.processors):
        owner = world.rows[clock.turn, processor] if clock.turn >= 0 and rules.gang != 0 else -1
        if owner >= 0 and world.tasks[owner].state == ENDED:
            owner = -1
        world.processors[processor].owner = owner
        without += owner < 0 and world.processors[processor].ready > 0
    if rules.fills != 0 and without > 0:
        fill_slice(world.placed[: clock.bound], world.jobs, world.tasks, world.processors)
    for processor in range(rules.processors):
        state = world.processors[processor]
        state.fresh = 1
        state.activity = ACT_BLOCKED if state.owner >= 0 else ACT_EMPTY
        ask_to_dispatch(processor, world)
    trace_slice(now, world)


@kernel
def cross_border(world: World) -> None:
    """End a period of the sums, or begin or end the trace, before what happens at this instant."""
    rules, clock = world.rules, world.clock
    now = clock.border
    for processor in range(rules.processors):
        add_time(processor, now, world)
        add_disk_time(processor, now, world)
        if now == rules.trace_begin:
            world.processors[processor].row_begin = now
        elif now == rules.trace_end and clock.tracing != 0:
            trace_activity(processor, now, world)
    clock.tracing = rules.trace_begin <= now < rules.trace_end
    if now == clock.period_begin + rules.sums:
        end_period(now, world)
    clock.border = clock.period_begin + rules.sums
    if rules.trace_begin > now:
        clock.border = min(clock.border, rules.trace_begin)
    elif rules.trace_end > now:
        clock.border = min(clock.border, rules.trace_end)


@kernel
def end_period(now: int, world: World) -> None:
    """Store the sums of the period that ends, and begin the next."""
    clock = world.clock
    for processor in range(world.rules.processors):
        for activity in range(SUMS):
            world.periods[clock.period, processor, activity] = world.sums[processor, activity]
            world.sums[processor, activity] = 0
    clock.period += 1
    clock.period_begin = now


@kernel
def end_run(now: int, world: World) -> None:
    """Sum up and trace the current activities at the end of the run."""
    for processor in range(world.rules.processors):
        account(processor, now, world)
        add_disk_time(processor, now, world)
    if now > world.clock.period_begin:
        end_period(now, world)


@kernel
def is_over(now: int, world: World) -> bool:
    """Return whether the run ends at this tick."""
    if world.rules.until < NEVER:
        return now >= world.rules.until
    return world.clock.left == 0


@kernel
def skip_idle_slices(now: int, world: World) -> int:
    """Return the next tick at which anything can happen on an empty machine, counting the slices before it as begun."""
    rules, clock = world.rules, world.clock
    end = min(clock.next_submit, rules.until)
    if clock.bound > 0 or end >= NEVER:
        return now
    if rules.trace_begin < rules.trace_end and now < rules.trace_end:
        end = min(end, rules.trace_begin - rules.slice)
    idle = max(0, (end - now + rules.slice - 1) // rules.slice)
    world.counters.slices += idle
    world.counters.events += idle * rules.processors
    return now + idle * rules.slice
