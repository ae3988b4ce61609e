"""The search for a running job that the next job in turn joins (LOMARC, figure 2)."""

from __future__ import annotations

from scheduler_core.coscheduling.execution import pair_ends, time_left
from scheduler_core.coscheduling.filters import FORBIDDEN, begin_search, choose, test
from scheduler_core.coscheduling.match_waiting import ends_choice, is_better, takes_first
from scheduler_core.coscheduling.response_impact import impact_running
from scheduler_core.coscheduling.state import (
    ALWAYS,
    FIRST,
    PRINTED,
    RESPONSE,
    UNSHARED_COUNTED,
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


@kernel_step
def list_work(jobs: Jobs, machine: Machine, waiting: Waiting, search: Search) -> int:
    """List the work of the job in turn and those waiting behind it, over the processors of the machine; return their number."""
    listed, processors = 0, machine.rules.processors
    for k in range(search.turn.place, search.turn.count):
        job = waiting.order[k]
        if machine.start[job] < 0:
            listed += 1
            search.sums[listed].work = jobs.asked[job].estimate * jobs.asked[job].processors / processors
    return listed


@kernel
def ends_too_late(ends: int, shadow: int, rules: Record) -> bool:
    """Say whether a job that alone would end at a time does so after the shadow time beside whatever other job."""
    never_speeds_up = rules.slowdown == PRINTED or rules.slowdown == UNSHARED_COUNTED
    return never_speeds_up and ends > shadow


@kernel_step
def match_running(
    now: int,
    job: int,
    jobs: Jobs,
    machine: Machine,
    waiting: Waiting,
    search: Search,
) -> bool:
    """Search a running job that the job in turn joins; it is left in ``search.found``. Say whether there is one.

    The last of both is not to be predicted to end after the shadow time.
    """
    rules, found, asked = machine.rules, search.found, jobs.asked
    begin_search(True, found)
    listed, candidates = 0, 0
    smaller, own_time = asked[job].processors, asked[job].estimate
    for k in range(machine.clock.alone):
        holder = machine.alone[k]
        slowdown = test(holder, job, holder, jobs, machine, found)
        if slowdown == FORBIDDEN:
            continue
        larger, time = asked[holder].processors, time_left(now, holder, machine)
        if pair_ends(now, time, own_time, slowdown)[1] > search.turn.shadow:
            continue
        if rules.match == ALWAYS or rules.match == FIRST:
            if takes_first(larger, smaller, slowdown, rules):
                choose(holder, slowdown, 0.0, found)
                break
            continue
        candidates += 1
        if rules.profit == RESPONSE:
            if listed == 0:
                listed = list_work(jobs, machine, waiting, search)
            profit = impact_running(
                larger, time, smaller, own_time, slowdown / WHOLE, listed, search.sums, search.forecast, rules
            )
        elif rules.profit == UTILISATION_2:
            profit = gain_2(larger, smaller, slowdown)
        else:
            profit = gain_1(larger, smaller, slowdown, time, own_time)
        if is_better(profit, found, rules):
            choose(holder, slowdown, profit, found)
        if ends_choice(profit, candidates, rules):
            break
    return found.job >= 0
