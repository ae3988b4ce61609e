"""The classifier of chapter 6: memberships go by the statements that a slice has shown."""

from __future__ import annotations

from scheduler_core.concurrent_gang.state import WHOLE
from scheduler_core.kernel.jit import kernel
from scheduler_core.kernel.records import Record

SHOWN, NOT_SHOWN, KEPT = 4 * WHOLE // 5, WHOLE // 5, 5
"""What a class is given that is shown or not shown, and which part of the membership so far is kept: one in so many."""


@kernel
def count_statements(task: Record, io: bool, communication: bool) -> None:
    """Learn from a slice whether it showed I/O, communication, or, without both, computation."""
    task.f_io = (SHOWN if io else NOT_SHOWN) + task.f_io // KEPT
    task.f_communication = (SHOWN if communication else NOT_SHOWN) + task.f_communication // KEPT
    task.f_computation = (NOT_SHOWN if io or communication else SHOWN) + task.f_computation // KEPT
