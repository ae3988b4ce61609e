"""Classification of the tasks that ran in a slice, by chapter 6 or 8, and the priority that follows from it."""

from scheduler_core.concurrent_gang.state import BAYES, COUNTING, NO_CLASSIFIER, READY, WHOLE, World
from scheduler_core.concurrent_gang.trace import within_window
from scheduler_core.kernel.jit import kernel
from scheduler_core.kernel.records import Record

SHOWN, NOT_SHOWN, KEPT = 4 * WHOLE // 5, WHOLE // 5, 5
"""What ``counting`` gives a class that is shown or not; one part in ``KEPT`` of the membership so far is kept."""

MEASURED = WHOLE // 2
"""What ``bayes`` gives a class that is shown; half the measurement so far is kept."""


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


@kernel
def measure(task: Record, io: bool, communication: bool, least: int) -> None:
    """Weight the memberships of a task by measurements (formula 8.3): a slice showed I/O, communication or computation."""
    task.m_io = task.m_io // 2 + (MEASURED if io else 0)
    task.m_communication = task.m_communication // 2 + (MEASURED if communication else 0)
    task.m_computation = task.m_computation // 2 + (0 if io or communication else MEASURED)
    by_io = task.m_io * task.f_io
    by_communication = task.m_communication * task.f_communication
    by_computation = task.m_computation * task.f_computation
    whole = by_io + by_communication + by_computation
    f_io = max(by_io * WHOLE // whole, least)
    f_communication = max(by_communication * WHOLE // whole, least)
    f_computation = max(by_computation * WHOLE // whole, least)
    whole = f_io + f_communication + f_computation
    task.f_io = max(1, f_io * WHOLE // whole)
    task.f_communication = max(1, f_communication * WHOLE // whole)
    task.f_computation = max(1, f_computation * WHOLE // whole)


@kernel
def count_statements(task: Record, io: bool, communication: bool) -> None:
    """Set the memberships of a task by what a slice showed (chapter 6): I/O, communication or computation."""
    task.f_io = (SHOWN if io else NOT_SHOWN) + task.f_io // KEPT
    task.f_communication = (SHOWN if communication else NOT_SHOWN) + task.f_communication // KEPT
    task.f_computation = (NOT_SHOWN if io or communication else SHOWN) + task.f_computation // KEPT
