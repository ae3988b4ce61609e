"""The local task scheduler of a processor: it chooses the task that runs where none does."""

from scheduler_core.concurrent_gang.processors import account, be_busy, leave_ready
from scheduler_core.concurrent_gang.state import ACT_SWITCH, LOCAL_NONE, LOCAL_PRIORITY, READY, RUNNING, World
from scheduler_core.kernel.jit import kernel


@kernel
def dispatch(processor: int, now: int, world: World) -> int:
    """Choose a task for a processor; return it if it continues at once, -1 if there is none or a switch comes first."""
    state, clock, rules = world.processors[processor], world.clock, world.rules
    task, local = -1, 0
    owner = state.owner
    if owner >= 0 and (state.fresh != 0 or rules.resume_owner != 0) and world.tasks[owner].state == READY:
        task = owner
    elif rules.local != LOCAL_NONE and state.ready > 0:
        task, local = choose(processor, world), 1
    state.fresh = 0
    if task < 0:
        return -1
    account(processor, now, world)
    leave_ready(task, world)
    state.running, state.local = task, local
    chosen = world.tasks[task]
    chosen.state = RUNNING
    clock.dispatches += 1
    chosen.dispatched = clock.dispatches
    if chosen.ran == 0:
        chosen.ran, chosen.next_ran = 1, state.first_ran
        state.first_ran = task
    if local != 0:
        world.counters.local_runs += 1
        world.jobs[chosen.job].local_runs += 1
    else:
        world.counters.gang_runs += 1
    if state.last == task:
        return task
    state.last = task
    world.counters.switches += 1
    if rules.switch == 0:
        return task
    be_busy(processor, ACT_SWITCH, now + rules.switch, world)
    return -1


@kernel
def choose(processor: int, world: World) -> int:
    """Return the ready task of highest priority, if it is above beta; -1 if none is.

    Among equals, and without priorities, it is the one dispatched longest ago, then the one placed first.
    """
    by_priority = world.rules.local == LOCAL_PRIORITY
    best, most = -1, world.rules.beta
    for place in range(world.processors[processor].ready):
        task = world.ready[processor, place]
        state = world.tasks[task]
        if by_priority:
            if state.priority < most or (best < 0 and state.priority == most):
                continue
            if best < 0 or state.priority > most:
                best, most = task, state.priority
                continue
        elif best < 0:
            best = task
            continue
        other = world.tasks[best]
        if state.dispatched < other.dispatched or (state.dispatched == other.dispatched and state.rank < other.rank):
            best = task
    return best
