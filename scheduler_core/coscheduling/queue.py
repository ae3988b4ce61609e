"""The waiting jobs, and the order in which a pass looks at them: by priority level with aging (LOMARC, section 5.1)."""

from scheduler_core.common.units import NEVER_US
from scheduler_core.coscheduling.state import AGING_FIXED, AGING_MEAN, LONG, SHORT, World
from scheduler_core.kernel.jit import kernel, kernel_step
from scheduler_core.kernel.records import Record


@kernel
def enqueue(job: int, world: World) -> None:
    """Let a job join the queue, and count it among those submitted so far."""
    clock, asked = world.clock, world.asked[job]
    world.waiting[clock.last] = job
    clock.last += 1
    work = asked.estimate * asked.processors
    clock.asked += asked.processors
    clock.waiting_work += work
    if world.rules.future_so_far:
        if asked.job_class == SHORT:
            clock.shorts += 1
            clock.short_work += work
        else:
            clock.other_work += work


@kernel
def aging_interval(clock: Record, rules: Record) -> int:
    """Return the wait that raises a job by one level, in microseconds; NEVER_US where levels do not rise."""
    if rules.aging == AGING_FIXED:
        return rules.aging_time
    if rules.aging == AGING_MEAN:
        return max(rules.aging_time, clock.waited // max(1, clock.started))
    return NEVER_US


@kernel_step
def put_in_order(world: World) -> int:
    """Write the order of the pass; return the number of jobs.

    Jobs of one level stay in the order of submission, so one walk through the queue makes the order.
    """
    clock = world.clock
    interval = aging_interval(clock, world.rules)
    once = clock.now - interval  # submissions up to here have risen by one level
    twice = once - interval  # by two
    asked, order, level_1, level_0 = world.asked, world.order, world.level_1, world.level_0
    top, middle, bottom = 0, 0, 0
    for k in range(clock.first, clock.last):
        job = world.waiting[k]
        level = asked[job].job_class
        submit = asked[job].submit
        if level == SHORT or submit <= twice or (level > LONG and submit <= once):
            order[top] = job
            top += 1
        elif level > LONG or submit <= once:
            level_1[middle] = job
            middle += 1
        else:
            level_0[bottom] = job
            bottom += 1
    for k in range(middle):
        order[top + k] = level_1[k]
    for k in range(bottom):
        order[top + middle + k] = level_0[k]
    return top + middle + bottom
