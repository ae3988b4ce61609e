"""Messages and barriers: when what a task waits for arrives, who is notified, and how long a task spins until then."""

from scheduler_core.concurrent_gang.agenda import put_down
from scheduler_core.concurrent_gang.state import (
    ACT_SPIN,
    ARRIVAL,
    BLOCKED,
    CONTROLLED,
    MESSAGES,
    NEVER,
    RECEIVE,
    RUNNING,
    SPIN_BLOCK,
    SUPERSTEPS,
    TURN_OF_TASK,
    World,
)
from scheduler_core.concurrent_gang.trace import trace_arrival, trace_received, trace_sent
from scheduler_core.kernel.event_queue import insert
from scheduler_core.kernel.jit import kernel
from scheduler_core.kernel.records import Record


@kernel
def spin_limit(processor: int, now: int, world: World) -> int:
    """Return the time at which a task blocks that spins from now on; NEVER if it does not.

    The task itself runs, and a job has one task per processor, so a ready I/O-bound task belongs to another job.
    """
    rules = world.rules
    if rules.waiting == SPIN_BLOCK:
        return now + rules.spin
    if rules.waiting == CONTROLLED:
        left = world.clock.tick - now
        if world.processors[processor].ready_io > 0 and left >= rules.least_left:
            return now + rules.spin
    return NEVER


@kernel
def letter(job: Record, message: int, world: World) -> Record:
    """Return the record of a message of a job's list or program."""
    return world.mail[job.mail + (message & (job.room - 1))]


@kernel
def partner(task: Record, job: Record, direction: int) -> int:
    """Return the task to which a task sends in its superstep (direction 1), or from which it receives (-1)."""
    shift = job.shift_1 if task.index & 1 else job.shift_0
    number = task.number + direction * shift
    if number >= job.width:
        number -= job.width
    elif number < 0:
        number += job.width
    return job.first + number


@kernel
def comes_at(task: int, world: World) -> int:
    """Return when the task's receive, barrier or phase is satisfied: its message, its release, or the end of the phase comes.

    NEVER while that is not known.
    """
    state = world.tasks[task]
    job = world.jobs[state.job]
    if state.statement != RECEIVE:
        return job.release if job.barriers > state.barriers else NEVER
    if job.application == SUPERSTEPS:
        return comes_at_receive(task, world)
    sent = letter(job, state.message, world).sent
    return sent + world.rules.latency if sent >= 0 else NEVER


@kernel
def comes_at_receive(task: int, world: World) -> int:
    """Return when the message of a task's present superstep arrives; NEVER while it has not been sent."""
    state = world.tasks[task]
    sender = world.tasks[partner(state, world.jobs[state.job], -1)]
    if sender.sends <= state.index:
        return NEVER
    return int((sender.sent_1 if state.index & 1 else sender.sent_0) + world.rules.latency)


@kernel
def send(task: int, now: int, world: World) -> None:
    """End a send: the message is under way, and a waiting receiver is notified."""
    state = world.tasks[task]
    job = world.jobs[state.job]
    state.exchanged += 1
    if job.application == SUPERSTEPS:
        receiver = partner(state, job, 1)
        row = -1
        if world.clock.tracing != 0:
            row = trace_sent(state.index * job.width + state.number, task, receiver, now, world)
        if state.index & 1:
            state.sent_1, state.row_1 = now, row
        else:
            state.sent_0, state.row_0 = now, row
        state.sends += 1
        expected = world.tasks[receiver].index == state.index
    else:
        mail = letter(job, state.message, world)
        receiver = mail.receiver
        mail.sent, mail.row = now, -1
        if world.clock.tracing != 0:
            mail.row = trace_sent(numbered(job, state.message), task, receiver, now, world)
        expected = world.tasks[receiver].message == state.message
    if expected and world.tasks[receiver].statement == RECEIVE and world.tasks[receiver].waiting != 0:
        announce(receiver, now + world.rules.latency, world)


@kernel
def numbered(job: Record, message: int) -> int:
    """Return the number of a message in the workload's tables; messages of programs are numbered from 1."""
    return message if job.application == MESSAGES else message + 1


@kernel
def receive(task: int, now: int, world: World) -> None:
    """End a receive."""
    state = world.tasks[task]
    job = world.jobs[state.job]
    state.exchanged += 1
    job.messages += 1
    if world.clock.tracing == 0 and world.clock.messages_traced == 0:
        return
    if job.application == SUPERSTEPS:
        sender = partner(state, job, -1)
        odd = state.index & 1
        row = world.tasks[sender].row_1 if odd else world.tasks[sender].row_0
        sent = world.tasks[sender].sent_1 if odd else world.tasks[sender].sent_0
        number = state.index * job.width + world.tasks[sender].number
        trace_received(row, number, sender, task, sent, now, world)
    else:
        mail = letter(job, state.message, world)
        trace_received(mail.row, numbered(job, state.message), mail.sender, task, mail.sent, now, world)


@kernel
def announce(task: int, when: int, world: World) -> None:
    """Notify a task that is blocked or spins when its wait ends; any other task finds out by itself."""
    state = world.tasks[task]
    if state.state == BLOCKED:
        insert(when, ARRIVAL, task, world.arrivals)
    elif state.state == RUNNING:
        place = state.processor
        if world.processors[place].activity == ACT_SPIN and when <= world.processors[place].end:
            put_down(world.rules.processors + place, when, ARRIVAL, world)


@kernel
def arrive(task: int, at_barrier: bool, now: int, world: World) -> None:
    """Let a task arrive at its barrier or at the end of its phase; the last arrival releases all."""
    state = world.tasks[task]
    job = world.jobs[state.job]
    state.arrived = 1
    state.exchanged += 1
    if world.clock.tracing != 0:
        trace_arrival(task, now, world)
    if at_barrier:
        job.arrived += 1
        if job.arrived == job.width:
            job.arrived = 0
            release(state.job, now + world.rules.baseline, task, world)


@kernel
def release(position: int, when: int, last: int, world: World) -> None:
    """Complete the present barrier or phase of a job; notify all its tasks except the ``last``."""
    job = world.jobs[position]
    job.barriers += 1
    job.release = when
    for task in range(job.first, job.first + job.width):
        if world.tasks[task].barrier_row >= 0:
            world.trace.barriers[world.tasks[task].barrier_row].released = when
            world.tasks[task].barrier_row = -1
        if task != last and world.tasks[task].waiting != 0:
            announce(task, when, world)


@kernel
def begin_wait(task: int, when: int, now: int, world: World) -> None:
    """Let a running task spin until ``when``, when its wait ends, or until its spin limit."""
    place = world.tasks[task].processor
    state = world.processors[place]
    world.tasks[task].waited = 1
    state.activity, state.end = ACT_SPIN, spin_limit(place, now, world)
    if when <= state.end and when < NEVER:
        put_down(world.rules.processors + place, when, ARRIVAL, world)
    else:
        put_down(world.rules.processors + place, state.end, TURN_OF_TASK, world)  # no event where there is no limit
