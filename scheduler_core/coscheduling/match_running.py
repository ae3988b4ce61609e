"""The search for a running job that the next job in turn joins (LOMARC, figure 2)."""

from scheduler_core.coscheduling.execution import pair_ends, time_left
from scheduler_core.coscheduling.filters import FORBIDDEN, begin_search, choose, test
from scheduler_core.coscheduling.match_waiting import ends_choice, is_better, takes_first
from scheduler_core.coscheduling.response_impact import Pair, gain_1, gain_2, impact_running
from scheduler_core.coscheduling.state import ALWAYS, FIRST, PRINTED, RESPONSE, UNSHARED_COUNTED, UTILISATION_2, World
from scheduler_core.coscheduling.work import WHOLE
from scheduler_core.kernel.jit import kernel, kernel_step
from scheduler_core.kernel.records import Record


@kernel_step
def list_work(world: World) -> int:
    """List the work of the job in turn and the jobs waiting behind it, over the machine's processors; return their number."""
    listed, processors = 0, world.rules.processors
    for k in range(world.turn.place, world.turn.count):
        job = world.order[k]
        if world.start[job] < 0:
            listed += 1
            world.sums[listed].work = world.asked[job].estimate * world.asked[job].processors / processors
    return listed


@kernel
def ends_too_late(ends: int, shadow: int, rules: Record) -> bool:
    """Return whether a job with this end when alone ends after the shadow time beside any other job."""
    never_speeds_up = rules.slowdown == PRINTED or rules.slowdown == UNSHARED_COUNTED
    return never_speeds_up and ends > shadow


@kernel
def match_running(job: int, world: World) -> bool:
    """Search a running job for the job in turn to join, in ``world.found``; return whether there is one.

    Neither may be predicted to end after the shadow time.
    """
    now = world.clock.now
    rules, found, asked = world.rules, world.found, world.asked
    begin_search(True, found)
    listed, candidates = 0, 0
    smaller, own_time = asked[job].processors, asked[job].estimate
    for k in range(world.clock.alone):
        holder = world.alone[k]
        slowdown = test(holder, job, holder, world)
        if slowdown == FORBIDDEN:
            continue
        larger, time = asked[holder].processors, time_left(holder, world)
        if pair_ends(now, time, own_time, slowdown)[1] > world.turn.shadow:
            continue
        if rules.match == ALWAYS or rules.match == FIRST:
            if takes_first(larger, smaller, slowdown, rules):
                choose(holder, slowdown, 0.0, found)
                break
            continue
        candidates += 1
        if rules.profit == RESPONSE:
            if listed == 0:
                listed = list_work(world)
            pair = Pair(larger, time, smaller, own_time, slowdown / WHOLE)
            profit = impact_running(pair, listed, world.clock.waiting_work, world.sums, world.forecast, rules)
        elif rules.profit == UTILISATION_2:
            profit = gain_2(larger, smaller, slowdown)
        else:
            profit = gain_1(larger, smaller, slowdown, time, own_time)
        if is_better(profit, found, rules):
            choose(holder, slowdown, profit, found)
        if ends_choice(profit, candidates, rules):
            break
    return found.job >= 0
