"""Whether the load is low, normal or high (Huang 2004, section 6.9.1)."""

from __future__ import annotations

from scheduler_core.gang.state import HIGH, LOW, MALLEABLE, NORMAL, World
from scheduler_core.kernel.jit import kernel_step


@kernel_step
def classify_load(world: World) -> int:
    """Compare the demand of running and queued jobs with one slot of the machine, and with all its slots."""
    rules, clock = world.rules, world.clock
    needed = clock.queued_demand
    twice_increase = clock.queued_increase
    for k in range(clock.running):
        job = world.running[k]
        asked, held = world.asked[job], world.state[job].held
        if asked.estimate >= rules.reconfiguration_us:
            needed += asked.best_size if rules.demand_optimum else held
        if asked.flexibility == MALLEABLE:
            twice_increase += asked.size_max - held
    if 2 * needed + twice_increase < 2 * rules.processors:
        return LOW
    if needed > rules.processors * rules.level:
        return HIGH
    return NORMAL
