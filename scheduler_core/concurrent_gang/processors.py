"""Processors: their activities over time, and their ready tasks."""

from scheduler_core.concurrent_gang.agenda import put_down, strike_out
from scheduler_core.concurrent_gang.state import (
    ACT_BLOCKED,
    ACT_EMPTY,
    ACT_RECEIVE,
    ACT_SPIN,
    COMPUTE_ONLY,
    ENDED,
    IO,
    LOCAL_PRIORITY,
    READY,
    SUM_LOCAL,
    TURN_OF_TASK,
    World,
)
from scheduler_core.concurrent_gang.trace import trace_activity
from scheduler_core.kernel.jit import kernel
from scheduler_core.kernel.records import Record


@kernel
def need_one_another(job: Record) -> bool:
    """Return whether a job's tasks may send to or wait for one another."""
    return job.application != IO and job.application != COMPUTE_ONLY


@kernel
def add_time(processor: int, now: int, world: World) -> None:
    """Add the time since the last sum to the processor's current activity."""
    state = world.processors[processor]
    passed = now - state.since
    if passed == 0:
        return
    state.since = now
    activity = state.activity
    world.sums[processor, activity] += passed
    if state.running < 0:
        return
    job = world.tasks[state.running].job
    world.job_sums[job, activity] += passed
    if state.local != 0 and activity <= ACT_SPIN:
        world.sums[processor, SUM_LOCAL] += passed
        world.job_sums[job, SUM_LOCAL] += passed


@kernel
def account(processor: int, now: int, world: World) -> None:
    """End the processor's current activity: sum it up and trace it."""
    add_time(processor, now, world)
    if world.clock.tracing != 0:
        trace_activity(processor, now, world)


@kernel
def be_busy(processor: int, activity: int, end: int, world: World) -> None:
    """Begin an activity of the processor that lasts until ``end``."""
    state = world.processors[processor]
    state.activity, state.end = activity, end
    put_down(world.rules.processors + processor, end, TURN_OF_TASK, world)


@kernel
def be_idle(processor: int, world: World) -> None:
    """Leave the processor without a running task, to dispatch at this instant; the caller has ended its activity."""
    state = world.processors[processor]
    state.running = -1
    waits = state.owner >= 0 and world.tasks[state.owner].state != ENDED
    state.activity = ACT_BLOCKED if waits else ACT_EMPTY
    strike_out(world.rules.processors + processor, world)
    ask_to_dispatch(processor, world)


@kernel
def ask_to_dispatch(processor: int, world: World) -> None:
    """Let a processor dispatch after all other events of this instant."""
    clock = world.clock
    if world.processors[processor].to_dispatch != 0:
        return
    world.processors[processor].to_dispatch = 1
    clock.first_to_dispatch = min(clock.first_to_dispatch, processor) if clock.to_dispatch > 0 else processor
    clock.to_dispatch += 1


@kernel
def leave_to_dispatch(processor: int, world: World) -> None:
    """Remove a processor from those that are to dispatch."""
    world.processors[processor].to_dispatch = 0
    world.clock.to_dispatch -= 1


@kernel
def join_ready(task: int, world: World) -> None:
    """Add a task to the ready tasks of its processor."""
    place = world.tasks[task].processor
    state = world.processors[place]
    world.tasks[task].state = READY
    world.tasks[task].ready_at = state.ready
    world.ready[place, state.ready] = task
    state.ready += 1
    state.ready_io += world.tasks[task].io_bound


@kernel
def leave_ready(task: int, world: World) -> None:
    """Remove a task from the ready tasks; the last of these takes its place."""
    place = world.tasks[task].processor
    state = world.processors[place]
    state.ready -= 1
    state.ready_io -= world.tasks[task].io_bound
    moved = world.ready[place, state.ready]
    world.ready[place, world.tasks[task].ready_at] = moved
    world.tasks[moved].ready_at = world.tasks[task].ready_at


@kernel
def preempt(processor: int, now: int, world: World) -> None:
    """Preempt the running task; it resumes its statement later, except for a switch or a wait."""
    state = world.processors[processor]
    account(processor, now, world)
    if state.activity <= ACT_RECEIVE:
        world.tasks[state.running].left = state.end - now
    join_ready(state.running, world)
    be_idle(processor, world)


@kernel
def become_ready(task: int, now: int, world: World) -> None:
    """Make a task ready; it takes the processor where the policy allows."""
    place = world.tasks[task].processor
    state, rules = world.processors[place], world.rules
    join_ready(task, world)
    if state.running < 0:
        ask_to_dispatch(place, world)
        return
    priority = world.tasks[task].priority
    resumed = rules.resume_owner != 0 and task == state.owner
    boosted = (
        rules.boost != 0
        and rules.local == LOCAL_PRIORITY
        and state.local != 0
        and priority > rules.beta
        and priority > world.tasks[state.running].priority
    )
    if resumed or boosted:
        world.counters.preempted_local += 1
        preempt(place, now, world)
