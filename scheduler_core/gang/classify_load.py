"""Whether the load is low, normal or high (Huang 2004, section 6.9.1)."""

from __future__ import annotations

from scheduler_core.gang.state import (
    HIGH,
    LOW,
    MALLEABLE,
    NORMAL,
    Jobs,
    Matrix,
    Rules,
)
from scheduler_core.kernel.jit import kernel_step


@kernel_step
def classify_load(jobs: Jobs, matrix: Matrix, rules: Rules) -> int:
    """Compare what running and queued jobs need with the machine: one slot of it, and all its slots."""
    clock = matrix.clock
    needed = clock.queued_demand
    twice_increase = clock.queued_increase
    for k in range(clock.running):
        job = matrix.running[k]
        if jobs.asked[job].estimate >= rules.reconfiguration_us:
            needed += jobs.asked[job].best_size if rules.demand_optimum else matrix.state[job].held
        if jobs.asked[job].flexibility == MALLEABLE:
            twice_increase += jobs.asked[job].size_max - matrix.state[job].held
    if 2 * needed + twice_increase < 2 * rules.processors:
        return LOW
    if needed > rules.processors * rules.level:
        return HIGH
    return NORMAL
