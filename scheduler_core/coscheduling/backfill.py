"""EASY backfilling with matching: who may start behind the head of the queue without delaying it."""

from __future__ import annotations

from scheduler_core.coscheduling.execution import may_be_paired
from scheduler_core.coscheduling.matching import join_in_turn, joins_running, start_in_turn
from scheduler_core.coscheduling.state import Jobs, Machine, Rows, Search, Waiting
from scheduler_core.kernel.jit import kernel, kernel_step
from scheduler_core.kernel.records import Record


@kernel_step
def reserve(now: int, needed: int, machine: Machine) -> tuple[int, int]:
    """Return the shadow time of a job that needs more than is free, and the processors it leaves then."""
    releases, count = machine.releases, machine.clock.releases
    available, shadow, k = machine.clock.free, now, 0
    while available < needed:
        available += releases[k].processors
        shadow = max(now, releases[k].time)
        k += 1
    while k < count and releases[k].time <= shadow:
        available += releases[k].processors
        k += 1
    return shadow, available - needed


@kernel
def last_end(now: int, job: int, jobs: Jobs, machine: Machine) -> int:
    """Return when the last of what was started with a job is predicted to end."""
    mate = machine.state[job].mate
    ends = machine.state[job].expected
    return ends if mate < 0 else max(ends, machine.state[mate].expected)


@kernel_step
def backfill(
    now: int,
    head: int,
    count: int,
    jobs: Jobs,
    machine: Machine,
    waiting: Waiting,
    search: Search,
    rows: Rows,
    counted: Record,
) -> bool:
    """Go through the queue behind the head; say whether a job went without a search because the machine was weakly loaded."""
    rules, clock, asked = machine.rules, machine.clock, jobs.asked
    shadow, extra = reserve(now, asked[waiting.order[head]].processors, machine)
    before, weak = clock.started, False
    joins = joins_running(True, machine)
    for k in range(head + 1, count):
        if clock.free == 0 and not (joins and clock.alone > 0):
            break
        job = waiting.order[k]
        if machine.start[job] >= 0:
            continue
        size = asked[job].processors
        alone_ends = now + asked[job].estimate
        if size <= clock.free and (alone_ends <= shadow or size <= extra):
            weak |= start_in_turn(
                now, job, k, count, True, shadow, extra, jobs, machine, waiting, search, rows, counted
            )
            ends = last_end(now, job, jobs, machine) if rules.all_beyond_shadow else alone_ends
            if ends > shadow:
                extra -= size
        elif joins and clock.alone > 0 and may_be_paired(job, jobs, machine):
            join_in_turn(now, job, k, count, True, shadow, jobs, machine, waiting, search, rows, counted)
    counted.backfilled += clock.started - before
    return weak
