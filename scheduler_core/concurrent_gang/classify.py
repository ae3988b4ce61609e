"""Classification of the tasks that ran in a slice, and the priority that follows from it."""

from __future__ import annotations

from scheduler_core.concurrent_gang.classify_bayes import measure
from scheduler_core.concurrent_gang.classify_fuzzy import count_statements
from scheduler_core.concurrent_gang.state import BAYES, COUNTING, NO_CLASSIFIER, READY, WHOLE, World
from scheduler_core.concurrent_gang.trace import within_window
from scheduler_core.kernel.jit import kernel
from scheduler_core.kernel.records import Record


@kernel
def learn(processor: int, now: int, world: World) -> None:
    """Classify every task that ran on a processor in the slice that ends; no task is running."""
    state = world.processors[processor]
    task = state.first_ran
    state.first_ran = -1
    while task >= 0:
        ran = world.tasks[task]
        if world.rules.classifier != NO_CLASSIFIER:
            before = ran.io_bound
            classify(task, now, world)
            if ran.state == READY:
                state.ready_io += ran.io_bound - before
        ran.asked = ran.exchanged = ran.waited = ran.ran = 0
        task = ran.next_ran


@kernel
def classify(task: int, now: int, world: World) -> None:
    """Update the memberships and the priority of a task from its behaviour in the slice."""
    state, rules = world.tasks[task], world.rules
    io = state.asked != 0
    communication = state.exchanged >= rules.statements or state.waited != 0
    traced = within_window(now, world)
    if traced:
        row = world.trace.memberships[world.clock.memberships_traced]
        row.at, row.task, row.io_seen, row.communication_seen = now, task, io, communication
        row.io_before, row.communication_before = state.f_io, state.f_communication
        row.computation_before = state.f_computation
    if rules.classifier == COUNTING:
        count_statements(state, io, communication)
    elif rules.classifier == BAYES:
        measure(state, io, communication, rules.least_membership)
    state.io_bound = state.f_io > state.f_communication and state.f_io > state.f_computation
    state.communicating = state.f_communication > state.f_io and state.f_communication > state.f_computation
    state.priority = priority(state, rules)
    if traced:
        row.io_measured, row.communication_measured = state.m_io, state.m_communication
        row.computation_measured = state.m_computation
        row.io, row.communication, row.computation = state.f_io, state.f_communication, state.f_computation
        row.priority = state.priority
        world.clock.memberships_traced += 1


@kernel
def priority(state: Record, rules: Record) -> int:
    """Return a task's priority: formula 6.1 or 8.4."""
    io = state.f_io - state.f_communication if rules.less_communication != 0 else state.f_io
    return max(rules.alpha * io // WHOLE, state.f_computation)
