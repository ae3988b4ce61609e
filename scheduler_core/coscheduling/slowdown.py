"""The slowdown of two jobs on the same processors (LOMARC, section 4.1), believed and actual.

Jobs are records with the fields of :data:`~scheduler_core.coscheduling.state.ASKED`.
"""

import numpy as np

from scheduler_core.coscheduling.state import ADDITIVE, PRINTED, REPLACE, TABLE, UNSHARED_COUNTED
from scheduler_core.coscheduling.work import WHOLE
from scheduler_core.kernel.jit import kernel, kernel_step
from scheduler_core.kernel.records import Record

LARGEST = 2.0
"""Slowdown of two jobs that always want the same: they take turns."""

PAGING = 2.5
"""Slowdown by paging, as measured (section 4.2)."""


@kernel
def together(phase: float, other: float) -> float:
    """Return the fractional part of the sum of two phases."""
    total = phase + other
    return total - 1.0 if total >= 1.0 else total


@kernel
def are_compatible(one: Record, other: Record, rules: Record) -> bool:
    """Return whether two jobs compute well together on a hyperthreaded processor."""
    return together(one.cpu_phase, other.cpu_phase) < rules.compatible_share


@kernel
def cpu_factor(one: Record, other: Record, rules: Record) -> float:
    """Return the time to compute both, relative to the time to compute one."""
    if not rules.standard_cpu and are_compatible(one, other, rules):
        return rules.shared_compatible
    return LARGEST


@kernel
def by_formula(one: Record, other: Record, rules: Record) -> float:
    """Return the slowdown that follows from the behaviour of both jobs."""
    factor = cpu_factor(one, other, rules)
    cpu, network, disk = min(one.cpu, other.cpu), min(one.network, other.network), min(one.disk, other.disk)
    if rules.slowdown == UNSHARED_COUNTED:
        return min(LARGEST, 1.0 + (factor - 1.0) * cpu + network + disk)
    printed = min(LARGEST, factor * cpu + 2.0 * network + 2.0 * disk)
    return max(1.0, printed) if rules.slowdown == PRINTED else printed


@kernel
def in_conflict(one: Record, other: Record, rules: Record) -> bool:
    """Return whether a processor has too little memory for both."""
    return rules.memory > 0 and one.memory + other.memory > rules.memory


@kernel
def with_paging(slowdown: float, rules: Record) -> float:
    """Return the slowdown of two jobs that do not fit into memory."""
    if rules.memory_conflict == ADDITIVE:
        return slowdown + PAGING
    if rules.memory_conflict == REPLACE:
        return max(slowdown, PAGING)
    return slowdown + (PAGING - 1.0)


@kernel
def in_millionths(slowdown: float) -> int:
    """Return a slowdown in whole millionths, at least one."""
    return max(1, int(np.floor(1_000_000.0 * slowdown + 0.5)))


@kernel_step
def believed_slowdown(one: Record, other: Record, slowdowns: np.ndarray, rules: Record) -> int:
    """Return the slowdown that the scheduler expects of a pair, in millionths."""
    if rules.slowdown == TABLE:
        expected = max(slowdowns[one.application, other.application], slowdowns[other.application, one.application])
    else:
        expected = by_formula(one, other, rules)
    if in_conflict(one, other, rules):
        expected = with_paging(expected, rules)
    return in_millionths(expected)


@kernel_step
def actual_slowdown(believed: int, one: Record, other: Record, rules: Record) -> int:
    """Return the slowdown during execution, in millionths."""
    if rules.model_error == 0.0:
        return believed
    drawn = together(one.error_phase, other.error_phase)
    if rules.both_sides:
        drawn = 2.0 * drawn - 1.0
    return in_millionths(max(1.0, (believed / WHOLE) * (1.0 + rules.model_error * drawn)))
