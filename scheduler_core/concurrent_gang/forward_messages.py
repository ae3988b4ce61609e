"""Owners that exchange messages, run ahead of the event loop: see :mod:`scheduler_core.concurrent_gang.fast_forward`."""

from __future__ import annotations

from scheduler_core.concurrent_gang.agenda import put_down
from scheduler_core.concurrent_gang.ahead import add_ahead, leave_off, may_spin, wait_ahead
from scheduler_core.concurrent_gang.network import announce, letter, receive
from scheduler_core.concurrent_gang.programs import EXCHANGE, GAP, list_message, put_away
from scheduler_core.concurrent_gang.state import (
    ACT_COMPUTE,
    ACT_RECEIVE,
    ACT_SEND,
    ACT_SPIN,
    ACT_SWITCH,
    ARRIVAL,
    COMPUTE,
    DISK,
    NEVER,
    RECEIVE,
    RUNNING,
    SEND,
    World,
)
from scheduler_core.kernel.jit import kernel, kernel_step

NO_ROOM, STOP = -1, -2
"""Why a task is not run ahead any further."""


@kernel_step
def exchange_ahead(position: int, world: World) -> bool:
    """Run the owners of a job ahead; return False if its messages want room first."""
    job, line, count = world.jobs[position], world.line, 0
    for task in range(job.first, job.first + job.width):
        processor = world.processors[world.tasks[task].processor]
        if world.tasks[task].state == RUNNING and processor.local == 0:
            processor.forwarded, processor.awaits = 1, -1
            line[count] = task
            count += 1
    while count > 0:
        count = go_on(line[count - 1], count - 1, world)
    if count == NO_ROOM:
        for task in range(job.first, job.first + job.width):
            world.processors[world.tasks[task].processor].forwarded = 0
        return False
    world.counters.fast_slices += 1
    return True


@kernel_step
def go_on(task: int, count: int, world: World) -> int:
    """Run one task ahead as far as it gets; return how many stand in line then, receivers of what it sent among them.

    NO_ROOM if the list of messages is to be enlarged first.
    """
    place = world.tasks[task].processor
    processor = world.processors[place]
    activity, since, end = processor.activity, processor.since, processor.end
    if activity == ACT_SPIN:
        since = end_spinning(task, world)
        if since == NEVER:
            return count
        activity, end = ACT_RECEIVE, since + world.tasks[task].left
    while end <= world.clock.tick:
        following, message, begin, time = what_follows(task, activity, end, world)
        if following < 0:
            count = NO_ROOM if following == NO_ROOM else count
            break
        add_ahead(place, world.tasks[task].job, activity, end - since, world)
        if activity == ACT_SEND:
            count = send_ahead(task, end, count, world)
        elif activity == ACT_RECEIVE:
            receive(task, end, world)
        if begin > end:
            wait_ahead(task, end, begin, world)
        if message >= 0:
            begin_exchange(task, activity, following, world)
        elif activity != ACT_SWITCH or world.tasks[task].statement == DISK:
            begin_gap(task, world)
        activity, since, end = following, begin, begin + time
    if since > processor.since:
        leave_off(task, activity, since, end, world)
    return count


@kernel
def end_spinning(task: int, world: World) -> int:
    """End the wait of a task that has spun since the slice began; return when, NEVER if it is not known or not in this slice."""
    rules, state = world.rules, world.tasks[task]
    processor = world.processors[state.processor]
    sent = letter(world.jobs[state.job], state.message, world).sent
    if sent < 0:
        processor.awaits = state.message
        return NEVER
    arrival = sent + rules.latency
    if arrival > min(processor.end, world.clock.tick):
        if arrival <= processor.end:
            put_down(rules.processors + state.processor, arrival, ARRIVAL, world)
        return NEVER
    wait_ahead(task, processor.since, arrival, world)
    state.waiting = 0
    return int(arrival)


@kernel
def what_follows(task: int, activity: int, end: int, world: World) -> tuple[int, int, int, int]:
    """Return what a task's processor is at after its present activity, the message it is for (-1: none), when, and how long.

    Instead of what it is at, NO_ROOM or STOP: the task is not run ahead any further. Nothing has come of it yet.
    """
    state = world.tasks[task]
    if activity == ACT_COMPUTE:
        if state.part != EXCHANGE:
            return STOP, -1, end, 0
        return exchange_follows(task, state.first_message, end, world)
    if activity == ACT_SWITCH and state.statement != DISK:
        if state.statement == RECEIVE and state.waiting != 0:
            return exchange_follows(task, state.message, end, world)
        return activity_of(state.statement), -1, end, state.left
    return gap_follows(task, end, world)


@kernel
def activity_of(statement: int) -> int:
    """Return what a processor is at whose task executes a statement that keeps it busy."""
    if statement == COMPUTE:
        return ACT_COMPUTE
    return ACT_SEND if statement == SEND else ACT_RECEIVE


@kernel
def exchange_follows(task: int, message: int, end: int, world: World) -> tuple[int, int, int, int]:
    """Tell what follows where a task is to send or receive a message; a receiver awaits one that has not been sent."""
    rules, state = world.rules, world.tasks[task]
    mail = letter(world.jobs[state.job], message, world)
    if mail.receiver != task:
        return ACT_SEND, message, end, rules.overhead
    if mail.sent < 0:
        world.processors[state.processor].awaits = message
        return STOP, message, end, 0
    begin = max(end, mail.sent + rules.latency)
    if begin > end and not may_spin(state.processor, end, begin, world):
        return STOP, message, end, 0
    return ACT_RECEIVE, message, begin, rules.overhead


@kernel
def gap_follows(task: int, end: int, world: World) -> tuple[int, int, int, int]:
    """Tell what follows where a task is to compute before its next message, which may have to be listed first."""
    state = world.tasks[task]
    job = world.jobs[state.job]
    while state.first_message < 0 and job.list_ended == 0:
        if job.head - job.tail == job.room:
            return NO_ROOM, -1, end, 0
        list_message(job, world)
    if state.first_message < 0:
        return STOP, -1, end, 0
    mail = letter(job, state.first_message, world)
    return ACT_COMPUTE, -1, end, mail.gap_of_sender if mail.sender == task else mail.gap_of_receiver


@kernel
def begin_exchange(task: int, activity: int, following: int, world: World) -> None:
    """Begin to send or receive a message, which may have been waited for in earlier slices."""
    state = world.tasks[task]
    state.statement, state.waiting = SEND if following == ACT_SEND else RECEIVE, 0
    if activity == ACT_COMPUTE:
        mail = letter(world.jobs[state.job], state.first_message, world)
        state.message, state.part = state.first_message, GAP
        state.first_message = mail.next_of_sender if following == ACT_SEND else mail.next_of_receiver


@kernel
def begin_gap(task: int, world: World) -> None:
    """Begin to compute before the next message; the last one is done with."""
    state = world.tasks[task]
    if state.message >= 0:
        put_away(task, world)
    state.statement, state.part, state.waiting = COMPUTE, EXCHANGE, 0


@kernel
def send_ahead(task: int, when: int, count: int, world: World) -> int:
    """End a send; put a receiver that was run ahead to where it needs the message in line, or tell it as the event loop does."""
    state = world.tasks[task]
    job = world.jobs[state.job]
    mail = letter(job, state.message, world)
    mail.sent, mail.row = when, -1
    state.exchanged += 1
    receiver = world.tasks[mail.receiver]
    processor = world.processors[receiver.processor]
    if processor.running == mail.receiver and processor.awaits == state.message and processor.forwarded != 0:
        processor.awaits = -1
        world.line[count] = mail.receiver
        return count + 1
    if receiver.message == state.message and receiver.statement == RECEIVE and receiver.waiting != 0:
        announce(mail.receiver, when + world.rules.latency, world)
    return count
