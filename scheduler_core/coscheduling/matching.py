"""How a pass serves the job in turn: it searches a partner, then starts the job alone or in a pair."""

from scheduler_core.coscheduling.execution import join, may_be_paired, start_alone
from scheduler_core.coscheduling.match_running import match_running
from scheduler_core.coscheduling.match_waiting import count_waiting, match_waiting
from scheduler_core.coscheduling.slowdown import actual_slowdown
from scheduler_core.coscheduling.state import ADJACENT, ALWAYS, MATCH_NONE, World
from scheduler_core.kernel.jit import kernel, kernel_step
from scheduler_core.kernel.records import Record


@kernel
def is_weakly_loaded(clock: Record, rules: Record) -> bool:
    """Return whether all waiting jobs ask for clearly fewer processors than are free, so that none needs to share."""
    return rules.match != ALWAYS and clock.asked <= rules.weak_load * clock.free


@kernel
def joins_running(rules: Record) -> bool:
    """Return whether jobs that do not fit on free processors may join running ones."""
    return rules.match_running and rules.match != MATCH_NONE and rules.match != ADJACENT


@kernel_step
def form_pair(holder: int, partner: int, world: World) -> None:
    """Let the partner join its holder, and record what the search found."""
    rules, clock, found = world.rules, world.clock, world.found
    actual = actual_slowdown(found.slowdown, world.asked[holder], world.asked[partner], rules)
    join(holder, partner, found.slowdown, actual, world)
    if rules.preempt_above > 0 and actual > rules.preempt_above:
        world.late[clock.late] = partner
        clock.late += 1
    row = world.rows.matches[clock.matches]
    row.begin, row.running, row.backfilling = clock.now, found.running, world.turn.backfilling
    row.job = partner if found.running else holder
    row.partner = holder if found.running else partner
    row.looked_at, row.medium_long, row.size_fits = found.looked_at, found.medium_long, found.size_fits
    row.memory_fits, row.types_match, row.slowdown_fits = found.memory_fits, found.types_match, found.slowdown_fits
    row.rank, row.profit, row.slowdown = found.rank, found.profit, found.slowdown
    clock.matches += 1


@kernel_step
def start_in_turn(job: int, world: World) -> bool:
    """Start the job in turn on free processors, with a partner if there is one.

    Return whether the search was omitted because the machine was weakly loaded.
    """
    paired, weak = False, False
    if (world.rules.match_backfilling or not world.turn.backfilling) and may_be_paired(world.asked[job], world.rules):
        weak = is_weakly_loaded(world.clock, world.rules)
        if not weak:
            world.counters.searches_waiting += 1
            paired = match_waiting(job, world)
    start_alone(job, world)
    if paired:
        behind = count_waiting(world)
        world.counters.pushed_down += world.found.place - 1
        world.counters.pulled_up += behind - world.found.place
        form_pair(job, world.found.job, world)
    return weak


@kernel_step
def join_in_turn(job: int, world: World) -> bool:
    """Let the job in turn join a running one, if a search finds one; return whether it did."""
    world.counters.searches_running += 1
    if not match_running(job, world):
        return False
    form_pair(world.found.job, job, world)
    return True
