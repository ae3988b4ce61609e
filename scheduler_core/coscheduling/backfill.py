"""EASY backfilling with matching: who may start behind the head of the queue without delaying it."""

from scheduler_core.coscheduling.execution import may_be_paired
from scheduler_core.coscheduling.match_running import ends_too_late
from scheduler_core.coscheduling.matching import join_in_turn, joins_running, start_in_turn
from scheduler_core.coscheduling.state import World
from scheduler_core.kernel.jit import kernel, kernel_step


@kernel_step
def reserve(needed: int, world: World) -> tuple[int, int]:
    """Return the shadow time of a job that needs more processors than are free, and how many it leaves then."""
    now = world.clock.now
    releases, count = world.releases, world.clock.releases
    available, shadow, k = world.clock.free, now, 0
    while available < needed:
        available += releases[k].processors
        shadow = max(now, releases[k].time)
        k += 1
    while k < count and releases[k].time <= shadow:
        available += releases[k].processors
        k += 1
    return shadow, available - needed


@kernel
def last_end(job: int, world: World) -> int:
    """Return when a job just started and its partner, if any, are both predicted to have ended."""
    mate = world.state[job].mate
    ends = world.state[job].expected
    return ends if mate < 0 else max(ends, world.state[mate].expected)


@kernel_step
def backfill(world: World) -> bool:
    """Go through the queue behind the job in turn, which has the reservation.

    Return whether a search was omitted because the machine was weakly loaded.
    """
    rules, clock, turn, asked = world.rules, world.clock, world.turn, world.asked
    turn.shadow, turn.extra = reserve(asked[world.order[turn.place]].processors, world)
    turn.backfilling = True
    before, weak = clock.started, False
    joins = joins_running(rules) and rules.match_backfilling
    for place in range(turn.place + 1, turn.count):
        if clock.free == 0 and not (joins and clock.alone > 0):
            break
        job = world.order[place]
        if world.start[job] >= 0:
            continue
        size = asked[job].processors
        alone_ends = clock.now + asked[job].estimate
        if size <= clock.free and (alone_ends <= turn.shadow or size <= turn.extra):
            turn.place = place
            weak |= start_in_turn(job, world)
            ends = last_end(job, world) if rules.all_beyond_shadow else alone_ends
            if ends > turn.shadow:
                turn.extra -= size
        elif joins and clock.alone > 0 and may_be_paired(asked[job], rules):
            if ends_too_late(alone_ends, turn.shadow, rules):  # most searches would come to this
                world.counters.searches_running += 1
                continue
            turn.place = place
            join_in_turn(job, world)
    world.counters.backfilled += clock.started - before
    return weak
