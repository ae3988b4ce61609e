"""LOMARC's event loop: from instant to instant, and the pass of each (figure 1)."""

from __future__ import annotations

from scheduler_core.common.units import NEVER_US
from scheduler_core.coscheduling.backfill import backfill
from scheduler_core.coscheduling.execution import complete_due, may_be_paired, next_end, suspend_late
from scheduler_core.coscheduling.matching import join_in_turn, joins_running, start_in_turn
from scheduler_core.coscheduling.queue import drop_started, enqueue, put_in_order
from scheduler_core.coscheduling.response_impact import kernel_forecast_from
from scheduler_core.coscheduling.state import Jobs, Machine, Rows, Search, Waiting
from scheduler_core.kernel.jit import kernel_entry, kernel_step
from scheduler_core.kernel.records import Record

LEAST_FORECAST = 100
"""Jobs that must have been submitted before their means say anything of those to come."""


@kernel_step
def forecast_so_far(jobs: Jobs, machine: Machine, search: Search) -> None:
    """Take the means of the jobs submitted so far."""
    clock = machine.clock
    count = clock.next_arrival
    search.forecast.known = False
    if count >= LEAST_FORECAST:
        span = jobs.asked[count - 1].submit - jobs.asked[0].submit
        kernel_forecast_from(count, clock.shorts, span, clock.short_work, clock.other_work, search.forecast)


@kernel_step
def make_pass(
    now: int,
    jobs: Jobs,
    machine: Machine,
    waiting: Waiting,
    search: Search,
    rows: Rows,
    counted: Record,
) -> None:
    """Start jobs from the head of the queue, alone or in pairs; then backfill."""
    rules, clock, turn = machine.rules, machine.clock, search.turn
    joins = joins_running(machine)
    if clock.first == clock.last or (clock.free == 0 and (clock.alone == 0 or not joins)):
        return
    if rules.future_so_far:
        forecast_so_far(jobs, machine, search)
    turn.count, turn.place = put_in_order(now, jobs, machine, waiting), 0
    turn.backfilling, turn.shadow, turn.extra = False, NEVER_US, 0
    before, weak = clock.started, False
    while turn.place < turn.count:
        job = waiting.order[turn.place]
        if machine.start[job] >= 0:
            turn.place += 1
        elif jobs.asked[job].processors <= clock.free:
            weak |= start_in_turn(now, job, jobs, machine, waiting, search, rows, counted)
        elif not (
            joins
            and clock.alone > 0
            and may_be_paired(job, jobs, machine)
            and join_in_turn(now, job, jobs, machine, waiting, search, rows, counted)
        ):
            break
    if turn.place < turn.count:
        weak |= backfill(now, jobs, machine, waiting, search, rows, counted)
    counted.weak_load_passes += weak
    if clock.started > before:
        drop_started(machine.start, machine, waiting)


@kernel_entry
def run_events(
    jobs: Jobs, machine: Machine, waiting: Waiting, search: Search, rows: Rows, counted: Record, instants: int
) -> bool:
    """Let up to so many instants happen; return whether all is done."""
    clock, total = machine.clock, len(jobs.asked)
    for _ in range(instants):
        now = next_end(machine)
        if clock.next_arrival < total:
            now = min(now, jobs.asked[clock.next_arrival].submit)
        if now == NEVER_US:
            return True
        complete_due(now, jobs, machine, rows)
        while clock.next_arrival < total and jobs.asked[clock.next_arrival].submit == now:
            enqueue(clock.next_arrival, jobs, machine, waiting)
            clock.next_arrival += 1
        counted.passes += 1
        if clock.late > 0:
            counted.suspended += suspend_late(now, jobs, machine, rows)
        make_pass(now, jobs, machine, waiting, search, rows, counted)
    return False
