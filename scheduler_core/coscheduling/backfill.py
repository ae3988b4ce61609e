"""EASY backfilling with matching: who may start behind the head of the queue without delaying it."""

from __future__ import annotations

from scheduler_core.coscheduling.execution import may_be_paired
from scheduler_core.coscheduling.match_running import ends_too_late
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
def last_end(job: int, machine: Machine) -> int:
    """Return when the last of what was started with a job is predicted to end."""
    mate = machine.state[job].mate
    ends = machine.state[job].expected
    return ends if mate < 0 else max(ends, machine.state[mate].expected)


@kernel_step
def backfill(
    now: int,
    jobs: Jobs,
    machine: Machine,
    waiting: Waiting,
    search: Search,
    rows: Rows,
    counted: Record,
) -> bool:
    """Go through the queue behind the job in turn, which has the reservation.

    Returns whether a job went without a search because the machine was weakly loaded.
    """
    rules, clock, turn, asked = machine.rules, machine.clock, search.turn, jobs.asked
    turn.shadow, turn.extra = reserve(now, asked[waiting.order[turn.place]].processors, machine)
    turn.backfilling = True
    before, weak = clock.started, False
    joins = joins_running(machine) and rules.match_backfilling
    for place in range(turn.place + 1, turn.count):
        if clock.free == 0 and not (joins and clock.alone > 0):
            break
        job = waiting.order[place]
        if machine.start[job] >= 0:
            continue
        size = asked[job].processors
        alone_ends = now + asked[job].estimate
        if size <= clock.free and (alone_ends <= turn.shadow or size <= turn.extra):
            turn.place = place
            weak |= start_in_turn(now, job, jobs, machine, waiting, search, rows, counted)
            ends = last_end(job, machine) if rules.all_beyond_shadow else alone_ends
            if ends > turn.shadow:
                turn.extra -= size
        elif joins and clock.alone > 0 and may_be_paired(job, jobs, machine):
            if ends_too_late(alone_ends, turn.shadow, rules):  # what most searches would end with
                counted.searches_running += 1
                continue
            turn.place = place
            join_in_turn(now, job, jobs, machine, waiting, search, rows, counted)
    counted.backfilled += clock.started - before
    return weak
