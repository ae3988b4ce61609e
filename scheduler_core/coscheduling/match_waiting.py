"""The search for a partner among the waiting jobs (LOMARC, figures 3 and 4)."""

from scheduler_core.coscheduling.execution import pair_ends
from scheduler_core.coscheduling.filters import FORBIDDEN, begin_search, choose, test
from scheduler_core.coscheduling.response_impact import Pair, add_to_sums, begin_sums, gain_1, gain_2, impact
from scheduler_core.coscheduling.state import (
    ABOVE,
    ADJACENT,
    ALWAYS,
    BEST_OF_THREE,
    FIRST,
    UTILISATION_1,
    UTILISATION_2,
    World,
)
from scheduler_core.coscheduling.work import WHOLE
from scheduler_core.kernel.jit import kernel, kernel_step
from scheduler_core.kernel.records import Record

CANDIDATES = 3
"""Candidates among which match=best_of_three chooses."""


@kernel
def ends_choice(profit: float, candidates: int, rules: Record) -> bool:
    """Return whether a search stops at a candidate with this profit."""
    if rules.match == ABOVE:
        return profit > 0.0 and profit >= rules.profit_above
    return rules.match == BEST_OF_THREE and candidates == CANDIDATES


@kernel
def is_better(profit: float, found: Record, rules: Record) -> bool:
    """Return whether a candidate is better than the best so far; its profit must be positive."""
    if rules.match == ABOVE and profit < rules.profit_above:
        return False
    return profit > 0.0 and (found.job < 0 or profit > found.profit)


@kernel
def takes_first(larger: int, smaller: int, slowdown: int, rules: Record) -> bool:
    """Return whether a search that computes no profit takes a job that has passed the tests."""
    return rules.match != FIRST or not rules.first_needs_gain or gain_2(larger, smaller, slowdown) > 0.0


@kernel
def keeps_reservation(holder: int, partner: int, slowdown: int, world: World) -> bool:
    """Return whether a pair formed now leaves the head of the queue its processors at the shadow time."""
    now = world.clock.now
    one, other = world.asked[holder], world.asked[partner]
    last = pair_ends(now, one.estimate, other.estimate, slowdown)[1]
    return one.processors <= world.turn.extra or last <= world.turn.shadow


@kernel_step
def sum_up(holder: int, world: World) -> int:
    """Sum up the work of the jobs that wait behind a holder that starts now; return their number."""
    asked, processors = world.asked, world.rules.processors
    begin_sums(asked[holder].estimate * asked[holder].processors, processors, world.sums)
    behind = 0
    for k in range(world.turn.place + 1, world.turn.count):
        job = world.order[k]
        if world.start[job] < 0:
            behind += 1
            add_to_sums(behind, asked[job].estimate * asked[job].processors, processors, world.sums)
    return behind


@kernel_step
def profit_of(holder: int, partner: int, slowdown: int, world: World) -> float:
    """Return the profit of a pair whose partner is the last job the search has examined."""
    rules, clock, asked = world.rules, world.clock, world.asked
    larger, smaller = asked[holder].processors, asked[partner].processors
    time, other_time = asked[holder].estimate, asked[partner].estimate
    if rules.profit == UTILISATION_1:
        return gain_1(larger, smaller, slowdown, time, other_time)
    if rules.profit == UTILISATION_2:
        return gain_2(larger, smaller, slowdown)
    if clock.behind == 0:
        clock.behind = sum_up(holder, world)
    pair = Pair(larger, time, smaller, other_time, slowdown / WHOLE)
    return impact(pair, world.found.looked_at, clock.behind, clock.waiting_work, world.sums, world.forecast, rules)


@kernel
def match_waiting(holder: int, world: World) -> bool:
    """Search a partner for the job in turn, in ``world.found``; return whether there is one.

    While backfilling, the pair must keep the head's reservation.
    """
    rules, found, turn, asked = world.rules, world.found, world.turn, world.asked
    begin_search(False, found)
    world.clock.behind, candidates = 0, 0
    by_profit = not (rules.match == ALWAYS or rules.match == ADJACENT or rules.match == FIRST)
    for k in range(turn.place + 1, turn.count):
        job = world.order[k]
        if world.start[job] >= 0:
            continue
        slowdown = test(holder, job, job, world)
        allowed = slowdown != FORBIDDEN
        if allowed and turn.backfilling and rules.replace_forbidden:
            allowed = keeps_reservation(holder, job, slowdown, world)
        if allowed and by_profit:
            candidates += 1
            profit = profit_of(holder, job, slowdown, world)
            if is_better(profit, found, rules):
                choose(job, slowdown, profit, found)
            if ends_choice(profit, candidates, rules):
                break
        elif allowed and takes_first(asked[holder].processors, asked[job].processors, slowdown, rules):
            choose(job, slowdown, 0.0, found)
            break
        if rules.match == ADJACENT:
            break
    found_one = found.job >= 0
    return found_one and (not turn.backfilling or keeps_reservation(holder, found.job, found.slowdown, world))


@kernel_step
def count_waiting(world: World) -> int:
    """Count the jobs that wait behind the one in turn."""
    behind = 0
    for k in range(world.turn.place + 1, world.turn.count):
        behind += world.start[world.order[k]] < 0
    return behind
