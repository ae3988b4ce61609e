"""How long a waiting task may spin before it blocks."""

from __future__ import annotations

from scheduler_core.concurrent_gang.state import CONTROLLED, NEVER, SPIN_BLOCK, World
from scheduler_core.kernel.jit import kernel


@kernel
def spin_limit(processor: int, now: int, world: World) -> int:
    """Return the time at which a task blocks that spins from now on; NEVER if it does not.

    The task itself runs, and a job has one task per processor, so a ready I/O-bound task belongs to another job.
    """
    rules = world.rules
    if rules.waiting == SPIN_BLOCK:
        return now + rules.spin
    if rules.waiting == CONTROLLED:
        left = world.clock.tick - now
        if world.processors[processor].ready_io > 0 and left >= rules.least_left:
            return now + rules.spin
    return NEVER
