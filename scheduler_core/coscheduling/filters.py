"""The five tests a job's partner must pass in LOMARC's search (figure 4, columns of table 5), with their counters."""

from scheduler_core.coscheduling.slowdown import are_compatible, believed_slowdown, in_conflict
from scheduler_core.coscheduling.state import ALWAYS, CPU, DISK, SHORT, TABLE, World
from scheduler_core.kernel.jit import kernel, kernel_step
from scheduler_core.kernel.records import Record

FORBIDDEN = 0
"""Result of a search test: the job may not be a partner."""


@kernel
def begin_search(running: bool, found: Record) -> None:
    """Reset the result of a search, among running or waiting jobs."""
    found.job, found.profit, found.rank, found.slowdown = -1, 0.0, 0, 0
    found.place, found.running = 0, running
    found.looked_at = found.medium_long = found.size_fits = 0
    found.memory_fits = found.types_match = found.slowdown_fits = 0


@kernel
def choose(job: int, slowdown: int, profit: float, found: Record) -> None:
    """Record a job, the last that has passed, as the best so far."""
    found.job, found.slowdown, found.profit = job, slowdown, profit
    found.rank, found.place = found.slowdown_fits, found.looked_at


@kernel
def types_match(one: Record, other: Record, rules: Record) -> bool:
    """Return whether the kinds of two jobs match."""
    if rules.standard_cpu:
        return (one.kind == CPU and other.kind == DISK) or (one.kind == DISK and other.kind == CPU)
    return one.kind != other.kind or one.kind == CPU


@kernel
def is_acceptable(slowdown: int, one: Record, other: Record, rules: Record) -> bool:
    """Return whether neither job is slowed down too much."""
    if slowdown > rules.max_slowdown or one.network + other.network > rules.network_limit:
        return False
    both_compute = one.kind == CPU and other.kind == CPU
    return rules.slowdown == TABLE or not both_compute or are_compatible(one, other, rules)


@kernel_step
def test(holder: int, partner: int, looked_at: int, world: World) -> int:
    """Test a pair, for a search that examines one of the two; return the pair's slowdown, or FORBIDDEN."""
    rules, found = world.rules, world.found
    one, other, looked = world.asked[holder], world.asked[partner], world.asked[looked_at]
    found.looked_at += 1
    tested = rules.match != ALWAYS
    if tested and looked.job_class == SHORT:
        return FORBIDDEN
    found.medium_long += 1
    if other.processors > one.processors:
        return FORBIDDEN
    found.size_fits += 1
    if tested and in_conflict(one, other, rules):
        return FORBIDDEN
    found.memory_fits += 1
    if tested and not types_match(one, other, rules):
        return FORBIDDEN
    found.types_match += 1
    slowdown = believed_slowdown(one, other, world.slowdowns, rules)
    if tested and not is_acceptable(slowdown, one, other, rules):
        return FORBIDDEN
    found.slowdown_fits += 1
    return slowdown
