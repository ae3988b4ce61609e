"""The trace: a row for each event within its window; the loop has made sure that there is room."""

from scheduler_core.concurrent_gang.state import NEVER, World
from scheduler_core.kernel.jit import kernel


@kernel
def trace_activity(processor: int, now: int, world: World) -> None:
    """Record the processor's activity up to now."""
    state = world.processors[processor]
    if now > state.row_begin:
        row = world.trace.rows[world.clock.rows_traced]
        row.processor, row.begin, row.end = processor, state.row_begin, now
        row.activity, row.task, row.local = state.activity, state.running, state.local
        world.clock.rows_traced += 1
        state.row_begin = now


@kernel
def within_window(now: int, world: World) -> bool:
    """Return whether an instant lies within the window."""
    return world.rules.trace_begin <= now < world.rules.trace_end


@kernel
def trace_disk(task: int, now: int, begin: int, end: int, world: World) -> None:
    """Record a disk request."""
    if not within_window(now, world):
        return
    row = world.trace.disks[world.clock.disks_traced]
    row.processor, row.task, row.issued, row.begin, row.end = world.tasks[task].processor, task, now, begin, end
    world.clock.disks_traced += 1


@kernel
def trace_sent(number: int, sender: int, receiver: int, now: int, world: World) -> int:
    """Record a sent message; return its row, -1 outside the window."""
    if not within_window(now, world):
        return -1
    at = world.clock.messages_traced
    row = world.trace.messages[at]
    row.number, row.sender, row.receiver, row.sent, row.received = number, sender, receiver, now, NEVER
    world.clock.messages_traced += 1
    return at


@kernel
def trace_received(row: int, number: int, sender: int, receiver: int, sent: int, now: int, world: World) -> None:
    """Record a received message, in the row of its sending if there is one."""
    if row < 0 and within_window(now, world):
        row = trace_sent(number, sender, receiver, now, world)
        world.trace.messages[row].sent = sent
    if row >= 0:
        world.trace.messages[row].received = now


@kernel
def trace_arrival(task: int, now: int, world: World) -> None:
    """Record the arrival of a task at a barrier or at the end of a phase."""
    world.tasks[task].barrier_row = -1
    if not within_window(now, world):
        return
    row = world.trace.barriers[world.clock.barriers_traced]
    row.task, row.barrier, row.arrived, row.released = task, world.tasks[task].barriers, now, NEVER
    if world.jobs[world.tasks[task].job].barriers > world.tasks[task].barriers:
        row.released = now  # a phase that ended before its worker came
    else:
        world.tasks[task].barrier_row = world.clock.barriers_traced
    world.clock.barriers_traced += 1


@kernel
def trace_slice(begin: int, world: World) -> None:
    """Record the owners of a slice, if it overlaps the window."""
    rules, clock = world.rules, world.clock
    if begin >= rules.trace_end or begin + rules.slice <= rules.trace_begin:
        return
    for processor in range(rules.processors):
        row = world.trace.slices[clock.slices_traced]
        row.begin, row.row, row.processor, row.task = begin, clock.turn, processor, world.processors[processor].owner
        clock.slices_traced += 1
