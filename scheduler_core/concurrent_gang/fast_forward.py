"""Fast forward: run the owners of a slice to its end at once, where nothing else can intervene.

Processors whose tasks need no others are run to the tick one by one, with their local task scheduler
(:mod:`scheduler_core.concurrent_gang.forward_processors`). Elsewhere the owners are run:

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

from __future__ import annotations

from scheduler_core.concurrent_gang.forward_messages import exchange_ahead
from scheduler_core.concurrent_gang.forward_processors import run_to_tick
from scheduler_core.concurrent_gang.forward_supersteps import step_ahead
from scheduler_core.concurrent_gang.state import CONTROLLED, MESSAGES, RUNNING, SUPERSTEPS, World
from scheduler_core.kernel.jit import kernel, kernel_step


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
        elif application == SUPERSTEPS and all_owners_run(position, world):
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
