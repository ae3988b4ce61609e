"""Fast forward: run the owners of a slice to its end at once, where nothing else can intervene.

Tasks that only compute and use their disk neither send to other processors nor wait for them. So a processor with only such
tasks depends on itself alone, and all its events of the slice happen before those of the next (:func:`run_to_tick`): at the
same times and counted in the same way, but without asking the agenda which processor is next. Elsewhere the owners are run:

An owner that the gang scheduler runs keeps its processor until it blocks or ends, whatever becomes ready meanwhile. While
it does neither, it depends only on its own program, on messages from its job's other tasks and, for its spin limit, on
when an I/O-bound task becomes ready beside it. That is known, because nothing else runs there. So the owners of a job
are run without the agenda, each as far as possible: to the first statement that does not end before the slice, to a message
not sent yet, to a wait that would reach its limit, or to the end of its program. The agenda holds the event with which the
rest begins; nothing of the rest has been done. Every statement ends at the same time as event by event, so every sum and count
is the same.

There is no fast forward where events without length could make the order of events at one instant matter (a network without
latency or overhead), where the window of the trace begins, or where a period of the sums ends within the slice.
"""

from scheduler_core.concurrent_gang.agenda import KIND_BITS, keys_of, settle
from scheduler_core.concurrent_gang.disk import end_request
from scheduler_core.concurrent_gang.execute import proceed
from scheduler_core.concurrent_gang.forward_messages import exchange_ahead
from scheduler_core.concurrent_gang.forward_supersteps import step_ahead
from scheduler_core.concurrent_gang.local_task_scheduler import dispatch
from scheduler_core.concurrent_gang.processors import account, become_ready, leave_to_dispatch
from scheduler_core.concurrent_gang.state import ACT_SWITCH, BARRIERS, CONTROLLED, MESSAGES, RUNNING, SUPERSTEPS, World
from scheduler_core.kernel.jit import kernel, kernel_step


@kernel_step
def run_to_tick(processor: int, world: World) -> None:
    """Run all events of a processor from now to the tick; no task there is the partner of another."""
    clock, state, now = world.clock, world.processors[processor], world.clock.now
    clock.unsettled = 1
    while True:
        disk, own = keys_of(processor, world)
        time = min(disk, own) >> KIND_BITS
        task = -1
        if state.to_dispatch != 0 and now < min(time, clock.tick):
            leave_to_dispatch(processor, world)
            task = dispatch(processor, now, world)
        elif time > clock.tick:
            break
        else:
            now = time
            if disk < own:
                become_ready(end_request(processor, now, world), now, world)
            else:
                task = end_of_turn(processor, now, world)
        world.counters.events += 1
        if task >= 0:
            proceed(task, 0, now, world)
    if state.to_dispatch != 0:  # at the tick, when all processors dispatch anew
        leave_to_dispatch(processor, world)
    clock.unsettled = 0
    settle(processor, world)


@kernel
def end_of_turn(processor: int, now: int, world: World) -> int:
    """End the current activity of the running task; return the task, which continues."""
    state = world.processors[processor]
    account(processor, now, world)
    if state.activity != ACT_SWITCH:
        world.tasks[state.running].left = 0
    return state.running


@kernel
def is_within_borders(world: World) -> bool:
    """Return whether no period ends within the present slice, and none of it is traced."""
    rules, clock = world.rules, world.clock
    traced = rules.trace_begin <= clock.tick and clock.now < rules.trace_end
    return clock.border >= clock.tick and not traced


@kernel
def may_be_forwarded(world: World) -> bool:
    """Return whether owners may be run at once."""
    rules = world.rules
    mixed = rules.waiting == CONTROLLED and len(world.steps) > 0  # programs may block elsewhere than at their disks
    return rules.latency > 0 and rules.overhead > 0 and not mixed


@kernel_step
def fast_forward(world: World) -> None:
    """Run the slice ahead, in which all processors have dispatched, until a job's messages want room: the clock says so."""
    world.clock.wanted = -1
    if not is_within_borders(world):
        return
    for processor in range(world.rules.processors):
        if world.processors[processor].partners == 0:
            run_to_tick(processor, world)
    if not may_be_forwarded(world):
        return
    for processor in range(world.rules.processors):
        state = world.processors[processor]
        if state.running < 0 or state.local != 0 or state.forwarded != 0:
            continue
        position = world.tasks[state.running].job
        application = world.jobs[position].application
        if application == MESSAGES:
            exchange_ahead(position, world)
        elif application in (SUPERSTEPS, BARRIERS) and all_owners_run(position, world):
            step_ahead(position, world)
        if world.clock.wanted >= 0:
            return
    for processor in range(world.rules.processors):
        world.processors[processor].forwarded = 0


@kernel
def all_owners_run(position: int, world: World) -> bool:
    """Return whether the gang scheduler runs all tasks of a job; the job is not examined again in this slice."""
    job, all_run = world.jobs[position], True
    for task in range(job.first, job.first + job.width):
        processor = world.processors[world.tasks[task].processor]
        if world.tasks[task].state != RUNNING or processor.local != 0:
            all_run = False
        processor.forwarded = 1
    return all_run
