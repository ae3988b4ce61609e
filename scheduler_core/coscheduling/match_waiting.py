"""The search for a partner among the waiting jobs (LOMARC, figures 3 and 4)."""

from __future__ import annotations

from scheduler_core.coscheduling.execution import pair_ends
from scheduler_core.coscheduling.filters import FORBIDDEN, begin_search, choose, test
from scheduler_core.coscheduling.response_impact import add_to_sums, begin_sums, impact
from scheduler_core.coscheduling.state import (
    ABOVE,
    ADJACENT,
    ALWAYS,
    BEST_OF_THREE,
    FIRST,
    UTILISATION_1,
    UTILISATION_2,
    Jobs,
    Machine,
    Search,
    Waiting,
)
from scheduler_core.coscheduling.utilisation_gain import gain_1, gain_2
from scheduler_core.coscheduling.work import WHOLE
from scheduler_core.kernel.jit import kernel, kernel_step
from scheduler_core.kernel.records import Record

CANDIDATES = 3
"""How many with match=best_of_three are chosen among."""


@kernel
def ends_choice(profit: float, candidates: int, rules: Record) -> bool:
    """Say whether a search that has come to a candidate with this profit looks no further."""
    if rules.match == ABOVE:
        return profit > 0.0 and profit >= rules.profit_above
    return rules.match == BEST_OF_THREE and candidates == CANDIDATES


@kernel
def is_better(profit: float, found: Record, rules: Record) -> bool:
    """Say whether a candidate is to be taken before the best so far; profit must be positive."""
    if rules.match == ABOVE and profit < rules.profit_above:
        return False
    return profit > 0.0 and (found.job < 0 or profit > found.profit)


@kernel
def takes_first(larger: int, smaller: int, slowdown: int, rules: Record) -> bool:
    """Say whether a search that computes no profit takes a job that has passed."""
    return rules.match != FIRST or not rules.first_needs_gain or gain_2(larger, smaller, slowdown) > 0.0


@kernel
def keeps_reservation(now: int, holder: int, partner: int, slowdown: int, jobs: Jobs, search: Search) -> bool:
    """Say whether a pair formed now uses no processors that the head of the queue needs at its shadow time."""
    one, other = jobs.asked[holder], jobs.asked[partner]
    last = pair_ends(now, one.estimate, other.estimate, slowdown)[1]
    return one.processors <= search.turn.extra or last <= search.turn.shadow


@kernel_step
def sum_up(holder: int, jobs: Jobs, machine: Machine, waiting: Waiting, search: Search) -> int:
    """Sum up the work of the jobs that wait behind a holder that starts now; return how many they are."""
    asked, processors = jobs.asked, machine.rules.processors
    begin_sums(asked[holder].estimate * asked[holder].processors, processors, search.sums)
    behind = 0
    for k in range(search.turn.place + 1, search.turn.count):
        job = waiting.order[k]
        if machine.start[job] < 0:
            behind += 1
            add_to_sums(behind, asked[job].estimate * asked[job].processors, processors, search.sums)
    return behind


@kernel_step
def profit_of(
    holder: int,
    partner: int,
    slowdown: int,
    jobs: Jobs,
    machine: Machine,
    waiting: Waiting,
    search: Search,
) -> float:
    """Return the profit of a pair whose partner is the last that the search has looked at."""
    rules, clock, asked = machine.rules, machine.clock, jobs.asked
    larger, smaller = asked[holder].processors, asked[partner].processors
    time, other_time = asked[holder].estimate, asked[partner].estimate
    if rules.profit == UTILISATION_1:
        return gain_1(larger, smaller, slowdown, time, other_time)
    if rules.profit == UTILISATION_2:
        return gain_2(larger, smaller, slowdown)
    if clock.behind == 0:
        clock.behind = sum_up(holder, jobs, machine, waiting, search)
    return impact(
        larger,
        time,
        smaller,
        other_time,
        slowdown / WHOLE,
        search.found.looked_at,
        clock.behind,
        search.sums,
        search.forecast,
        rules,
    )


@kernel_step
def match_waiting(
    now: int,
    holder: int,
    jobs: Jobs,
    machine: Machine,
    waiting: Waiting,
    search: Search,
) -> bool:
    """Search a partner for the job in turn; it is left in ``search.found``. Say whether there is one.

    While backfilling, the pair must keep the head's reservation.
    """
    rules, found, turn, asked = machine.rules, search.found, search.turn, jobs.asked
    begin_search(False, found)
    machine.clock.behind, candidates = 0, 0
    by_profit = not (rules.match == ALWAYS or rules.match == ADJACENT or rules.match == FIRST)
    for k in range(turn.place + 1, turn.count):
        job = waiting.order[k]
        if machine.start[job] >= 0:
            continue
        slowdown = test(holder, job, job, jobs, machine, found)
        allowed = slowdown != FORBIDDEN
        if allowed and turn.backfilling and rules.replace_forbidden:
            allowed = keeps_reservation(now, holder, job, slowdown, jobs, search)
        if allowed and by_profit:
            candidates += 1
            profit = profit_of(holder, job, slowdown, jobs, machine, waiting, search)
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
    return found_one and (
        not turn.backfilling or keeps_reservation(now, holder, found.job, found.slowdown, jobs, search)
    )


@kernel_step
def count_waiting(machine: Machine, waiting: Waiting, search: Search) -> int:
    """Count the jobs that wait behind the one in turn."""
    behind = 0
    for k in range(search.turn.place + 1, search.turn.count):
        behind += machine.start[waiting.order[k]] < 0
    return behind
