"""LOMARC's event loop: from instant to instant, and the pass of each (figure 1)."""

from scheduler_core.common.units import NEVER_US
from scheduler_core.coscheduling.backfill import backfill
from scheduler_core.coscheduling.execution import complete_due, may_be_paired, next_end, suspend_late
from scheduler_core.coscheduling.matching import join_in_turn, joins_running, start_in_turn
from scheduler_core.coscheduling.queue import enqueue, put_in_order
from scheduler_core.coscheduling.response_impact import kernel_forecast_from
from scheduler_core.coscheduling.state import World
from scheduler_core.kernel.jit import kernel_entry, kernel_step
from scheduler_core.kernel.queue import waiting_still

LEAST_FORECAST = 100
"""Jobs that must have been submitted before their means serve as a forecast."""


@kernel_step
def forecast_so_far(world: World) -> None:
    """Forecast from the means of the jobs submitted so far."""
    clock = world.clock
    count = clock.next_arrival
    world.forecast.known = False
    if count >= LEAST_FORECAST:
        span = world.asked[count - 1].submit - world.asked[0].submit
        kernel_forecast_from(count, clock.shorts, span, clock.short_work, clock.other_work, world.forecast)


@kernel_step
def make_pass(world: World) -> None:
    """Start jobs from the head of the queue, alone or in pairs; then backfill."""
    rules, clock, turn = world.rules, world.clock, world.turn
    joins = joins_running(rules)
    if clock.first == clock.last or (clock.free == 0 and (clock.alone == 0 or not joins)):
        return
    if rules.future_so_far:
        forecast_so_far(world)
    turn.count, turn.place = put_in_order(world), 0
    turn.backfilling, turn.shadow, turn.extra = False, NEVER_US, 0
    before, weak = clock.started, False
    while turn.place < turn.count:
        job = world.order[turn.place]
        if world.start[job] >= 0:
            turn.place += 1
        elif world.asked[job].processors <= clock.free:
            weak |= start_in_turn(job, world)
        elif not (joins and clock.alone > 0 and may_be_paired(world.asked[job], rules) and join_in_turn(job, world)):
            break
    if turn.place < turn.count:
        weak |= backfill(world)
    world.counters.weak_load_passes += weak
    if clock.started > before:
        clock.first, clock.last = waiting_still(world.waiting, clock.first, clock.last, world.start)


@kernel_entry
def run_events(world: World, instants: int) -> bool:
    """Simulate up to so many instants; return whether all jobs have ended."""
    clock, total = world.clock, len(world.asked)
    for _ in range(instants):
        now = next_end(world)
        if clock.next_arrival < total:
            now = min(now, world.asked[clock.next_arrival].submit)
        if now == NEVER_US:
            return True
        clock.now = now
        complete_due(world)
        while clock.next_arrival < total and world.asked[clock.next_arrival].submit == now:
            enqueue(clock.next_arrival, world)
            clock.next_arrival += 1
        world.counters.passes += 1
        if clock.late > 0:
            world.counters.suspended += suspend_late(world)
        make_pass(world)
    return False
