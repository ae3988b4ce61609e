"""Execution of statements: a running task proceeds until it is busy, waits, blocks or ends."""

from scheduler_core.concurrent_gang.disk import ask_disk
from scheduler_core.concurrent_gang.irregular import end_piece
from scheduler_core.concurrent_gang.network import arrive, begin_wait, comes_at, receive, send
from scheduler_core.concurrent_gang.processors import be_busy, be_idle, need_one_another
from scheduler_core.concurrent_gang.programs import next_statement
from scheduler_core.concurrent_gang.state import (
    ACT_COMPUTE,
    ACT_RECEIVE,
    ACT_SEND,
    ARRIVAL,
    BARRIER,
    BLOCKED,
    COMPUTE,
    DISK,
    END,
    ENDED,
    IRREGULAR,
    NEVER,
    PHASE,
    RECEIVE,
    SEND,
    TRACE,
    World,
)
from scheduler_core.kernel.event_queue import insert
from scheduler_core.kernel.jit import kernel

SPINS, LEAVES, IS_DONE = -1, -2, -3
"""What comes of a statement, beside what a processor is busy with: the task spins; it leaves its processor; the next follows."""


@kernel
def proceed(task: int, step: int, now: int, world: World) -> None:
    """Continue a running task with its present statement or, if ``step``, with the next one.

    The caller has ended the processor's activity. Statements without remaining time end at once. If there is no room
    for what the next statement is drawn from, or for its trace, the clock keeps the task as stalled.
    """
    state, clock = world.tasks[task], world.clock
    does = IS_DONE
    while does == IS_DONE:
        if step != 0:
            clock.wanted = TRACE if clock.tracing != 0 and trace_is_full(world) else -1
            if clock.wanted == -1 and not next_statement(task, world):
                clock.wanted = state.job
            if clock.wanted != -1:
                clock.stalled = task
                return
        step = 1
        does = perform(task, now, world)
    if does >= 0:
        be_busy(state.processor, does, now + state.left, world)
    elif does == LEAVES:
        be_idle(state.processor, world)


@kernel
def perform(task: int, now: int, world: World) -> int:
    """Continue a task's present statement; return the outcome."""
    state = world.tasks[task]
    statement = state.statement
    if statement == COMPUTE:
        if state.left > 0:
            return ACT_COMPUTE
        if world.jobs[state.job].application == IRREGULAR:
            end_piece(task, now, world)
        return IS_DONE
    if statement == SEND:
        if state.left > 0:
            return ACT_SEND
        send(task, now, world)
        return IS_DONE
    if statement == DISK:
        if state.left == 0:
            return IS_DONE
        ask_disk(task, now, world)
        state.state, state.left = BLOCKED, 0
        return LEAVES
    if statement == END:
        end_task(task, now, world)
        return LEAVES
    return await_other(task, now, world)


@kernel
def await_other(task: int, now: int, world: World) -> int:
    """Continue a receive, a barrier or the end of a phase, where a task may have to wait; return the outcome."""
    state = world.tasks[task]
    statement = state.statement
    when = now
    if state.waiting != 0:
        if statement != RECEIVE and state.arrived == 0:
            arrive(task, statement == BARRIER, now, world)
        when = comes_at(task, world)
    if when > now:
        if statement == PHASE:
            state.waited = 1
            block(task, when, world)
            return LEAVES
        begin_wait(task, when, now, world)
        return SPINS
    state.waiting = 0
    if statement != RECEIVE:
        state.barriers += 1
    elif state.left > 0:
        return ACT_RECEIVE
    else:
        receive(task, now, world)
    return IS_DONE


@kernel
def trace_is_full(world: World) -> bool:
    """Return whether a table of the trace may be too small for what one statement and a tick can add."""
    clock, trace, most = world.clock, world.trace, 8 * world.rules.processors + 64
    return (
        clock.rows_traced + most > len(trace.rows)
        or clock.disks_traced + most > len(trace.disks)
        or clock.messages_traced + most > len(trace.messages)
        or clock.barriers_traced + most > len(trace.barriers)
        or clock.slices_traced + most > len(trace.slices)
        or clock.memberships_traced + world.ready.size > len(trace.memberships)
    )


@kernel
def block(task: int, when: int, world: World) -> None:
    """Block a task until ``when``, when what it waits for arrives; the caller takes it off its processor."""
    state = world.tasks[task]
    state.state = BLOCKED
    world.jobs[state.job].blocked += 1
    if when < NEVER:
        insert(when, ARRIVAL, task, world.arrivals)


@kernel
def end_task(task: int, now: int, world: World) -> None:
    """End a task, and its job with its last task; the caller takes it off its processor."""
    state, clock = world.tasks[task], world.clock
    state.state = ENDED
    world.ended[clock.ended] = task
    clock.ended += 1
    job = world.jobs[state.job]
    world.processors[state.processor].partners -= need_one_another(job)
    job.ended += 1
    job.last_end = max(job.last_end, now)  # tasks that are run ahead do not end in the order of time
    if job.ended == job.width:
        job.finish = job.last_end
        world.gone[clock.gone] = state.job
        clock.gone += 1
        clock.left -= 1
