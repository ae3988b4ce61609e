"""The programs of each application, generated statement by statement as needed."""

from scheduler_core.concurrent_gang.draws import drawn, length, one_of, shared
from scheduler_core.concurrent_gang.irregular import next_piece
from scheduler_core.concurrent_gang.network import letter
from scheduler_core.concurrent_gang.state import (
    BARRIER,
    BARRIERS,
    COMPUTE,
    COMPUTE_ONLY,
    DISK,
    END,
    IO,
    IRREGULAR,
    MESSAGES,
    RECEIVE,
    SEND,
    SUPERSTEPS,
    World,
)
from scheduler_core.kernel.jit import kernel
from scheduler_core.kernel.records import Record

HALF, REST, SENDS, RECEIVES, WAITS, LEFT = range(6)
"""Parts of a superstep; LEFT: no superstep begins any more. Between barriers there are HALF, which is all of the work, WAITS and
LEFT."""

GAP, EXCHANGE, LAST = range(3)
"""Parts of the messages of a task; LAST: its list has ended."""


@kernel
def next_statement(task: int, world: World) -> bool:
    """Make the next statement of a task its present one; return False if the job's list of messages has no room for it."""
    state = world.tasks[task]
    job = world.jobs[state.job]
    state.arrived = state.waiting = 0
    if job.application == IO:
        next_burst(state, job)
    elif job.application == MESSAGES:
        return next_exchange(task, world)
    elif job.application in (SUPERSTEPS, BARRIERS):
        next_in_superstep(state, job, world)
    elif job.application == COMPUTE_ONLY:
        compute_rest(state)
    elif job.application == IRREGULAR:
        next_piece(task, world)
    else:
        next_written(state, world)
    return True


@kernel
def compute_rest(state: Record) -> None:
    """Compute the remaining work, then end."""
    state.statement = COMPUTE if state.work > 0 else END
    state.left, state.work = state.work, 0


@kernel
def next_burst(state: Record, job: Record) -> None:
    """Alternate computing and disk requests until the work is done; the last burst is cut."""
    if state.work == 0:
        state.statement = END
        return
    if state.part == 0:
        wanted = length(job.burst, job.constant, drawn(state.stream_0, state.index))
        state.statement, state.part = COMPUTE, 1
    else:
        wanted = length(job.disk, job.constant, drawn(state.stream_1, state.index))
        state.statement, state.part = DISK, 0
        state.index += 1
    state.left = min(wanted, state.work)
    state.work -= state.left


@kernel
def next_exchange(task: int, world: World) -> bool:
    """Compute a gap, then send or receive the task's next message of the list; after the list, compute the rest."""
    state = world.tasks[task]
    job = world.jobs[state.job]
    if state.part == EXCHANGE:
        mail = letter(job, state.first_message, world)
        sends = mail.sender == task
        state.message, state.part, state.left = state.first_message, GAP, world.rules.overhead
        state.first_message = mail.next_of_sender if sends else mail.next_of_receiver
        state.statement = SEND if sends else RECEIVE
        state.waiting = 0 if sends else 1
        return True
    if state.message >= 0:
        put_away(task, world)
    if state.part == GAP:
        while state.first_message < 0 and job.list_ended == 0:
            if job.head - job.tail == job.room:
                return False
            list_message(job, world)
        if state.first_message >= 0:
            mail = letter(job, state.first_message, world)
            state.left = mail.gap_of_sender if mail.sender == task else mail.gap_of_receiver
            state.statement, state.part = COMPUTE, EXCHANGE
            return True
        state.part, state.work = LAST, state.work - state.clock
    compute_rest(state)
    return True


@kernel
def put_away(task: int, world: World) -> None:
    """Mark a message as done for the task that has sent or received it."""
    state = world.tasks[task]
    job = world.jobs[state.job]
    letter(job, state.message, world).executed += 1
    state.message = -1
    clear_list(job, world)


@kernel
def clear_list(job: Record, world: World) -> None:
    """Remove the leading messages of the list that both sender and receiver have done."""
    while job.tail < job.head and letter(job, job.tail, world).executed == 2:
        job.tail += 1


@kernel
def list_message(job: Record, world: World) -> None:
    """Draw the next message of a job's list, unless a task's clock, with the job alone, would exceed the job's work."""
    number = job.head
    sending = one_of(job.width, drawn(job.stream_a, number))
    receiving = one_of(job.width - 1, drawn(job.stream_b, number))
    if receiving >= sending:
        receiving += 1
    sender, receiver = world.tasks[job.first + sending], world.tasks[job.first + receiving]
    gap = length(job.burst, job.constant, drawn(sender.stream_0, sender.listed))
    before = length(job.burst, job.constant, drawn(receiver.stream_0, receiver.listed))
    sent = sender.clock + gap + world.rules.overhead
    received = max(receiver.clock + before, sent + world.rules.latency) + world.rules.overhead
    if sent > job.work or received > job.work:
        job.list_ended = 1
        return
    mail = letter(job, number, world)
    mail.sender, mail.receiver = job.first + sending, job.first + receiving
    mail.gap_of_sender, mail.gap_of_receiver = gap, before
    mail.next_of_sender = mail.next_of_receiver = mail.sent = mail.row = -1
    mail.executed = 0
    sender.clock, receiver.clock = sent, received
    append(job.first + sending, number, job, world)
    append(job.first + receiving, number, job, world)
    job.head += 1


@kernel
def append(task: int, message: int, job: Record, world: World) -> None:
    """Append a message to those of one of its tasks."""
    state = world.tasks[task]
    state.listed += 1
    if state.first_message < 0:
        state.first_message = message
    else:
        last = letter(job, state.last_message, world)
        if last.sender == task:
            last.next_of_sender = message
        else:
            last.next_of_receiver = message
    state.last_message = message


@kernel
def next_in_superstep(state: Record, job: Record, world: World) -> None:
    """Step through a superstep: half the work, send, the rest, receive, barrier; after the last, compute the remaining work.

    A job of barriers only computes before each.
    """
    if state.part == HALF:
        if state.index == job.steps and job.list_ended == 0:
            lay_out_superstep(job, world)
        if state.index == job.steps:
            state.part, state.work = LEFT, state.work - job.alone
        elif job.application == BARRIERS:
            state.statement, state.left, state.part = COMPUTE, share_of(state, state.index, job), WAITS
            return
        else:
            state.clock = share_of(state, state.index, job)
            state.part = SENDS
            state.statement, state.left = COMPUTE, state.clock // 2
            if state.left > 0:
                return
    if state.part == SENDS:
        state.statement, state.left, state.part = SEND, world.rules.overhead, REST
    elif state.part == REST:
        state.statement, state.left, state.part = COMPUTE, state.clock - state.clock // 2, RECEIVES
    elif state.part == RECEIVES:
        state.statement, state.left, state.part = RECEIVE, world.rules.overhead, WAITS
        state.waiting = 1
    elif state.part == WAITS:
        state.statement, state.part, state.waiting = BARRIER, HALF, 1
        state.index += 1
    else:
        compute_rest(state)


@kernel
def share_of(state: Record, superstep: int, job: Record) -> int:
    """Return a task's work in a superstep that is laid out."""
    work = job.work_1 if superstep & 1 else job.work_0
    return work if job.imbalance == 0 else shared(work, job.imbalance, drawn(state.stream_1, superstep))


@kernel
def lay_out_superstep(job: Record, world: World) -> None:
    """Draw the next superstep of a job, unless it would be released, alone, after the job's work."""
    rules, step = world.rules, job.steps
    work = length(job.burst, job.constant, drawn(job.stream_a, step))
    shift = 0 if job.application == BARRIERS else 1 + one_of(job.width - 1, drawn(job.stream_b, step))
    if step & 1:
        job.work_1, job.shift_1 = work, shift
    else:
        job.work_0, job.shift_0 = work, shift
    longest = work
    if job.application == SUPERSTEPS:
        longest = longest_exchange(shift, job, world)
    released = job.alone + longest + rules.baseline
    if released > job.work:
        job.list_ended = 1
    else:
        job.alone = released
        job.steps += 1


@kernel
def longest_exchange(shift: int, job: Record, world: World) -> int:
    """Return how long a job that is alone takes from the begin of the superstep being laid out to the last task's arrival."""
    rules, step, longest = world.rules, job.steps, 0
    for number in range(job.width if job.imbalance != 0 else 1):
        own = share_of(world.tasks[job.first + number], step, job)
        sender = number - shift if number >= shift else number - shift + job.width
        half = share_of(world.tasks[job.first + sender], step, job) // 2
        longest = max(longest, own, half + rules.latency)
    return int(longest + 2 * rules.overhead)


@kernel
def next_written(state: Record, world: World) -> None:
    """Continue with the next statement of a program."""
    if state.index == state.part:
        state.statement = END
        return
    step = world.steps[state.index]
    state.index += 1
    state.statement, state.message = step.statement, step.message
    state.left = world.rules.overhead if step.statement in (SEND, RECEIVE) else step.time
    state.waiting = 1 if step.statement in (RECEIVE, BARRIER) else 0
