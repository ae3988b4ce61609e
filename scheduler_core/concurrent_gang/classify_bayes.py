"""The classifier of chapter 8: it weights the previous memberships by measurements (formula 8.3)."""

from __future__ import annotations

from scheduler_core.concurrent_gang.state import WHOLE
from scheduler_core.kernel.jit import kernel
from scheduler_core.kernel.records import Record

SHOWN = WHOLE // 2
"""What a class is given that is shown; half the measurement so far is kept."""


@kernel
def measure(task: Record, io: bool, communication: bool, least: int) -> None:
    """Learn from a slice whether it showed I/O, communication, or, without both, computation."""
    task.m_io = task.m_io // 2 + (SHOWN if io else 0)
    task.m_communication = task.m_communication // 2 + (SHOWN if communication else 0)
    task.m_computation = task.m_computation // 2 + (0 if io or communication else SHOWN)
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
