"""Owners that exchange messages, run ahead of the event loop: see :mod:`scheduler_core.concurrent_gang.fast_forward`.

A job's messages are processed in the order of its list, which is the order in which every task executes its own. So each
is sent before it is received. A task is *in the flow* while it computes before its next message and nothing holds it up.
"""

from scheduler_core.concurrent_gang.agenda import put_down
from scheduler_core.concurrent_gang.ahead import add_ahead, hand_back, may_spin, wait_ahead
from scheduler_core.concurrent_gang.network import announce, letter, receive
from scheduler_core.concurrent_gang.programs import EXCHANGE, GAP, clear_list, list_message
from scheduler_core.concurrent_gang.state import (
    ACT_COMPUTE,
    ACT_RECEIVE,
    ACT_SEND,
    ACT_SPIN,
    ACT_SWITCH,
    ARRIVAL,
    COMPUTE,
    DISK,
    RECEIVE,
    RUNNING,
    SEND,
    World,
)
from scheduler_core.kernel.jit import kernel, kernel_step
from scheduler_core.kernel.records import Record

STOP = -1
"""A task is not run ahead any further."""


@kernel_step
def exchange_ahead(position: int, world: World) -> None:
    """Run the owners of a job ahead; if its messages want room first, the clock records it."""
    job, message, flowing = world.jobs[position], world.jobs[position].head, 0
    for task in range(job.first, job.first + job.width):
        state, processor = world.tasks[task], world.processors[world.tasks[task].processor]
        world.ahead[state.number].flows = 0
        if state.state == RUNNING and processor.local == 0:
            processor.forwarded, processor.awaits = 1, -1
            flowing += enter_flow(task, world)
            message = min(message, state.first_message if processor.awaits < 0 else processor.awaits)
    message = max(message, job.tail)
    while flowing > 0:
        flowing += pass_message(message, position, world)
        message += 1
    for task in range(job.first, job.first + job.width):
        processor = world.processors[world.tasks[task].processor]
        if processor.running == task and processor.forwarded != 0:
            hand_back(task, world)
            processor.forwarded = world.clock.wanted < 0
    clear_list(job, world)
    world.counters.fast_slices += world.clock.wanted < 0


@kernel
def pass_message(message: int, position: int, world: World) -> int:
    """Send and receive a message if its tasks are in the flow; return the change in the number of tasks in the flow."""
    job = world.jobs[position]
    mail = letter(job, message, world)
    sender, receiver = world.ahead[mail.sender - job.first], world.ahead[mail.receiver - job.first]
    change, sent_before = 0, mail.sent
    if sender.flows != 0 and sender.next == message:
        change -= send_in_flow(mail.sender, sender, mail, world)
    if receiver.flows != 0 and receiver.next == message:
        change -= receive_in_flow(mail.receiver, receiver, mail, world)
    elif mail.sent >= 0:
        place = world.tasks[mail.receiver].processor
        processor = world.processors[place]
        if processor.running == mail.receiver and processor.forwarded != 0 and processor.awaits == message:
            change += enter_flow(mail.receiver, world)
        elif sent_before < 0:
            tell_receiver(message, mail, world)
    return change


@kernel
def tell_receiver(message: int, mail: Record, world: World) -> None:
    """Tell a waiting receiver that is not run ahead when the message arrives."""
    state = world.tasks[mail.receiver]
    if state.message == message and state.statement == RECEIVE and state.waiting != 0:
        announce(mail.receiver, mail.sent + world.rules.latency, world)


@kernel
def send_in_flow(task: int, ahead: Record, mail: Record, world: World) -> bool:
    """Send a task's next message; return whether the task leaves the flow."""
    rules, tick = world.rules, world.clock.tick
    if ahead.end > tick:
        return leave_flow(task, ACT_COMPUTE, ahead.since, ahead.end, world)
    ahead.computed += ahead.end - ahead.since
    done = ahead.end + rules.overhead
    if done <= tick and mail.next_of_sender < 0:
        list_next(task, True, mail, world)
    ahead.following = mail.next_of_sender
    if done > tick or ahead.following < 0:
        return leave_flow(task, ACT_SEND, ahead.end, done, world)
    mail.sent = done
    mail.executed += 1
    ahead.sends += 1
    go_with_flow(task, done, ahead, world)
    return False


@kernel
def receive_in_flow(task: int, ahead: Record, mail: Record, world: World) -> bool:
    """Receive a task's next message, if it has been sent; return whether the task leaves the flow."""
    rules, tick = world.rules, world.clock.tick
    begin = max(ahead.end, mail.sent + rules.latency)
    if mail.sent < 0 or ahead.end > tick:
        return leave_flow(task, ACT_COMPUTE, ahead.since, ahead.end, world)
    if begin > ahead.end and not may_spin(world.tasks[task].processor, ahead.end, begin, world):
        return leave_flow(task, ACT_COMPUTE, ahead.since, ahead.end, world)
    ahead.computed += ahead.end - ahead.since
    ahead.waited += begin - ahead.end
    ahead.waits += begin > ahead.end
    done = begin + rules.overhead
    if done <= tick and mail.next_of_receiver < 0:
        list_next(task, False, mail, world)
    ahead.following = mail.next_of_receiver
    if done > tick or ahead.following < 0:
        return leave_flow(task, ACT_RECEIVE, begin, done, world)
    mail.executed += 1
    ahead.receives += 1
    if mail.row >= 0:
        world.trace.messages[mail.row].received = done
    go_with_flow(task, done, ahead, world)
    return False


@kernel
def go_with_flow(task: int, now: int, ahead: Record, world: World) -> None:
    """Let a task compute before its next message."""
    ahead.next = ahead.following
    mail = letter(world.jobs[world.tasks[task].job], ahead.next, world)
    ahead.since, ahead.end = now, now + (mail.gap_of_sender if mail.sender == task else mail.gap_of_receiver)


@kernel_step
def list_next(task: int, sends: bool, mail: Record, world: World) -> None:
    """List messages until the task has a next one, the list has ended, or room is short, which the clock records."""
    position = world.tasks[task].job
    job = world.jobs[position]
    while (mail.next_of_sender if sends else mail.next_of_receiver) < 0 and job.list_ended == 0:
        if has_no_room(position, world):
            return
        list_message(job, world)


@kernel
def has_no_room(position: int, world: World) -> bool:
    """Return whether a job's list of messages is full; if so the clock records it."""
    job = world.jobs[position]
    if job.head - job.tail == job.room:
        clear_list(job, world)
    if job.head - job.tail < job.room:
        return False
    world.clock.wanted = position
    return True


@kernel_step
def leave_flow(task: int, activity: int, since: int, end: int, world: World) -> bool:
    """Take a task out of the flow: its activity does not end within the slice, or not ahead of the events."""
    state, processor = world.tasks[task], world.processors[world.tasks[task].processor]
    ahead, overhead = world.ahead[state.number], world.rules.overhead
    place, position = state.processor, state.job
    add_ahead(place, position, ACT_COMPUTE, ahead.computed, world)
    add_ahead(place, position, ACT_SEND, ahead.sends * overhead, world)
    add_ahead(place, position, ACT_RECEIVE, ahead.receives * overhead, world)
    if ahead.waits > 0:
        wait_ahead(task, ahead.waited, world)
    state.exchanged += ahead.sends + ahead.receives
    world.jobs[position].messages += ahead.receives
    world.counters.events += 2 * (ahead.sends + ahead.receives) + ahead.waits + (activity != ACT_COMPUTE)
    ahead.flows = 0
    processor.activity, processor.since, processor.end = activity, since, end
    state.waiting = 0
    if activity == ACT_COMPUTE:
        state.statement, state.part, state.message, state.first_message = COMPUTE, EXCHANGE, -1, ahead.next
    else:
        state.statement = SEND if activity == ACT_SEND else RECEIVE
        state.part, state.message, state.first_message = GAP, ahead.next, ahead.following
    return True


@kernel_step
def enter_flow(task: int, world: World) -> int:
    """Run a task ahead until it computes before its next message; return 1 if it is in the flow then, else 0."""
    state, place = world.tasks[task], world.tasks[task].processor
    processor, ahead = world.processors[place], world.ahead[state.number]
    processor.awaits = -1
    if processor.activity == ACT_SPIN and not end_spinning(task, world):
        return 0
    while processor.activity != ACT_COMPUTE and processor.end <= world.clock.tick:
        activity, now = processor.activity, processor.end
        following, begin, time = what_follows(task, activity, now, world)
        if following == STOP:
            return 0
        add_ahead(place, state.job, activity, now - processor.since, world)
        world.counters.events += 1
        if activity == ACT_SEND:
            send_ahead(task, now, world)
        elif activity == ACT_RECEIVE:
            receive(task, now, world)
        if begin > now:
            wait_ahead(task, begin - now, world)
            world.counters.events += 1
        if activity != ACT_SWITCH or state.statement == DISK:
            if state.message >= 0:
                letter(world.jobs[state.job], state.message, world).executed += 1
            state.statement, state.part, state.message = COMPUTE, EXCHANGE, -1
        state.waiting = 0
        processor.activity, processor.since, processor.end = following, begin, begin + time
    if processor.activity != ACT_COMPUTE or state.part != EXCHANGE:
        return 0
    ahead.flows, ahead.next, ahead.since, ahead.end = 1, state.first_message, processor.since, processor.end
    ahead.computed = ahead.sends = ahead.receives = ahead.waited = ahead.waits = 0
    return 1


@kernel
def end_spinning(task: int, world: World) -> bool:
    """End the wait of a task that has spun since the slice began; return whether the wait is known to end in this slice."""
    rules, state = world.rules, world.tasks[task]
    processor = world.processors[state.processor]
    sent = letter(world.jobs[state.job], state.message, world).sent
    if sent < 0:
        processor.awaits = state.message
        return False
    arrival = sent + rules.latency
    if arrival > min(processor.end, world.clock.tick):
        if arrival <= processor.end:
            put_down(rules.processors + state.processor, arrival, ARRIVAL, world)
        return False
    wait_ahead(task, arrival - processor.since, world)
    world.counters.events += 1
    state.waiting = 0
    processor.activity, processor.since, processor.end = ACT_RECEIVE, arrival, arrival + state.left
    return True


@kernel
def what_follows(task: int, activity: int, now: int, world: World) -> tuple[int, int, int]:
    """Return the activity that follows a switch, a send or a receive, when it begins, and its length.

    The activity is STOP where a receiver awaits a message that has not been sent; nothing else has happened yet.
    """
    rules, state = world.rules, world.tasks[task]
    if activity != ACT_SWITCH or state.statement == DISK:
        return gap_follows(task, now, world)
    if state.statement != RECEIVE or state.waiting == 0:
        return activity_of(state.statement), now, state.left
    mail = letter(world.jobs[state.job], state.message, world)
    if mail.sent < 0:
        world.processors[state.processor].awaits = state.message
        return STOP, now, 0
    begin = max(now, mail.sent + rules.latency)
    if begin > now and not may_spin(state.processor, now, begin, world):
        return STOP, now, 0
    return ACT_RECEIVE, begin, state.left


@kernel
def activity_of(statement: int) -> int:
    """Return the activity of a processor whose task executes a statement that keeps it busy."""
    if statement == COMPUTE:
        return ACT_COMPUTE
    return ACT_SEND if statement == SEND else ACT_RECEIVE


@kernel
def gap_follows(task: int, now: int, world: World) -> tuple[int, int, int]:
    """Return what follows when a task computes before its next message, which may have to be listed first."""
    state = world.tasks[task]
    job = world.jobs[state.job]
    while state.first_message < 0 and job.list_ended == 0:
        if has_no_room(state.job, world):
            return STOP, now, 0
        list_message(job, world)
    if state.first_message < 0:
        return STOP, now, 0
    mail = letter(job, state.first_message, world)
    return ACT_COMPUTE, now, mail.gap_of_sender if mail.sender == task else mail.gap_of_receiver


@kernel
def send_ahead(task: int, when: int, world: World) -> None:
    """End a send that an earlier slice began."""
    state = world.tasks[task]
    mail = letter(world.jobs[state.job], state.message, world)
    mail.sent, mail.row = when, -1
    state.exchanged += 1
    tell_receiver(state.message, mail, world)
