"""The event loop of the matrix: from one pass to the next, with the steps that ``gang/__init__.py`` specifies."""

from __future__ import annotations

import numpy as np

from scheduler_core.common.units import NEVER_US
from scheduler_core.gang.adapt_workload import adapt_workload
from scheduler_core.gang.backfill import backfill
from scheduler_core.gang.buddy import map_gangs
from scheduler_core.gang.classify_load import classify_load
from scheduler_core.gang.eliminate_fragmentation import eliminate_fragmentation
from scheduler_core.gang.fixed_parts import serve_parts
from scheduler_core.gang.lazy import next_claim, serve_lazily
from scheduler_core.gang.packing import find_slot
from scheduler_core.gang.placement import place_job, remove_empty_slots, remove_job
from scheduler_core.gang.queue import join_queue, leave_queue, queue_head
from scheduler_core.gang.repack import fill_idle_slots, repack
from scheduler_core.gang.segments import write_segment
from scheduler_core.gang.share_space import share_space
from scheduler_core.gang.slot_clock import boundary, end_row, slot_clock, time_of, update_level
from scheduler_core.gang.state import (
    BUDDY,
    BUSY,
    DONE,
    IDLE,
    LAZY,
    MATRIX,
    MORE_LEVELS,
    MORE_PLACES,
    MORE_ROWS,
    NO_BACKFILL,
    NORMAL_TIME,
    PASSES,
    REPACK_ARRIVALS,
    REPACK_CHANGES,
    STATIC,
    Jobs,
    Matrix,
    Plan,
    Rows,
    Rules,
    Waiting,
)
from scheduler_core.kernel.jit import kernel_entry, kernel_step


@kernel_step
def next_pass(jobs: Jobs, matrix: Matrix, waiting: Waiting, rules: Rules) -> int:
    """Return the time of the next pass: the boundary at or after the next completion or submission; NEVER_US if none comes.

    Lazy gang scheduling also makes a pass when a job has waited too long, or when a job may be preempted for one that has.
    """
    clock = matrix.clock
    event = NEVER_US
    first = NEVER_US
    for k in range(clock.running):
        first = min(first, matrix.state[matrix.running[k]].end_clock)
    if first < NEVER_US:
        event = time_of(first, matrix, rules)
    if clock.next_arrival < len(jobs.asked):
        event = min(event, jobs.asked[clock.next_arrival].submit)
    if rules.system == LAZY:
        event = min(event, next_claim(jobs, matrix, waiting))
    return boundary(event, matrix) if event < NEVER_US else NEVER_US


@kernel_step
def room_wanted(now: int, jobs: Jobs, matrix: Matrix, rules: Rules, rows: Rows) -> int:
    """Return which table could overflow in a pass at ``now``, so that there is room before it begins."""
    clock = matrix.clock
    segments = clock.places + clock.running
    if clock.rows + 2 * segments + 8 > len(rows.held):
        return MORE_ROWS
    if clock.level_rows + 4 > len(rows.levels):
        return MORE_LEVELS
    if rules.fill:
        arriving = clock.next_arrival
        while arriving < len(jobs.asked) and jobs.asked[arriving].submit <= now:
            arriving += 1
        present = clock.running + clock.queued + arriving - clock.next_arrival
        clock.places_needed = present * min(present, rules.processors)
        if clock.places_needed > len(matrix.copy_slot):
            return MORE_PLACES
    return DONE


@kernel_step
def complete(now: int, reading: int, jobs: Jobs, matrix: Matrix, rules: Rules, rows: Rows) -> int:
    """Take all completions up to a pass; return the processor-time of slot clock that the completed left idle since."""
    clock = matrix.clock
    idle = 0
    k = 0
    while k < clock.running:
        job = matrix.running[k]
        end = matrix.state[job].end_clock
        if end > reading:
            k += 1
            continue
        finish = time_of(end, matrix, rules)
        matrix.state[job].finish = finish
        clock.last_finish = max(clock.last_finish, finish)
        write_segment(job, finish, end, matrix.state[job].left, matrix.state[job].stall, matrix, rows)
        idle += (reading - end) * matrix.state[job].held * matrix.state[job].places
        remove_job(job, jobs, matrix, rules)
    return idle


@kernel_step
def account(
    now: int, before: int, reading: int, unused: int, held: int, matrix: Matrix, rules: Rules, counters: np.ndarray
) -> None:
    """Count busy and idle processor-time since the last pass, and the time by load.

    ``before`` and ``reading`` are the slot clock then and now; ``unused`` is what completed jobs did not use of ``held``.
    """
    clock = matrix.clock
    if clock.first_start < 0:
        return
    turn = reading - before
    busy = held * turn - unused
    counters[BUSY] += busy
    if clock.level == 0:
        counters[IDLE] += rules.processors * (now - clock.last_pass)
    else:
        counters[IDLE] += rules.processors * clock.level * turn - busy
    counters[NORMAL_TIME + clock.load] += now - clock.last_pass


@kernel_step
def serve_queue(
    now: int, reading: int, jobs: Jobs, matrix: Matrix, waiting: Waiting, rules: Rules, counters: np.ndarray
) -> None:
    """Place jobs from the head of the queue until one finds no slot."""
    clock = matrix.clock
    while clock.queued > 0:
        head = queue_head(now, jobs, waiting, rules)
        size = jobs.target[clock.load, head]
        slot = find_slot(head, size, jobs, matrix, rules, counters)
        if slot < 0:
            return
        leave_queue(head, jobs, matrix, waiting, rules)
        place_job(head, slot, size, now, reading, jobs, matrix, rules)


@kernel_step
def begin_pass(
    now: int,
    reading: int,
    jobs: Jobs,
    matrix: Matrix,
    waiting: Waiting,
    rules: Rules,
    rows: Rows,
    counters: np.ndarray,
) -> bool:
    """Make a pass up to where queued jobs are placed; return whether there is anything left to do."""
    clock = matrix.clock
    held = clock.held
    before = slot_clock(clock.last_pass, matrix, rules)
    unused = complete(now, reading, jobs, matrix, rules, rows)
    if rules.blocks == 0:
        remove_empty_slots(matrix)
    arrived = clock.next_arrival
    while clock.next_arrival < len(jobs.asked) and jobs.asked[clock.next_arrival].submit <= now:
        join_queue(clock.next_arrival, jobs, matrix, waiting, rules)
        clock.next_arrival += 1
    counters[PASSES] += 1
    if clock.running == 0 and clock.queued == 0 and clock.next_arrival == len(jobs.asked):
        last = clock.last_finish
        ended = slot_clock(last, matrix, rules)
        account(last, before, ended, unused - (reading - ended) * held, held, matrix, rules, counters)
        end_row(last, matrix, rules, rows)
        return False
    account(now, before, reading, unused, held, matrix, rules, counters)
    if rules.repack == REPACK_ARRIVALS and clock.next_arrival > arrived:
        repack(now, reading, jobs, matrix, rules, rows)
    if rules.adapt and now - clock.adapted >= rules.reconfiguration_us:
        clock.adapted = now
        clock.load = classify_load(jobs, matrix, rules)
        if rules.resize_running:
            adapt_workload(clock.load, now, reading, jobs, matrix, rules, rows, counters)
    return True


@kernel_step
def end_pass(now: int, reading: int, jobs: Jobs, matrix: Matrix, rules: Rules, rows: Rows) -> None:
    """Make a pass from where queued jobs have been placed."""
    if rules.eliminate_fragmentation:
        eliminate_fragmentation(now, jobs, matrix)
    if rules.repack == REPACK_CHANGES:
        repack(now, reading, jobs, matrix, rules, rows)
    if rules.fill:
        fill_idle_slots(now, reading, jobs, matrix, rules, rows)
    note_first_sizes(now, matrix)
    update_level(now, matrix, rules, rows, reading)
    matrix.clock.last_pass = now


@kernel_step
def note_first_sizes(now: int, matrix: Matrix) -> None:
    """Keep the size at which the jobs placed in this pass begin."""
    for k in range(matrix.clock.running):
        job = matrix.running[k]
        if matrix.state[job].start == now:
            matrix.state[job].first_size = matrix.state[job].held


@kernel_entry
def run_events(
    jobs: Jobs,
    matrix: Matrix,
    waiting: Waiting,
    rules: Rules,
    plan: Plan,
    rows: Rows,
    counters: np.ndarray,
    passes: int,
) -> tuple[int, bool]:
    """Make up to ``passes`` passes; return the table that wants room (:data:`DONE` if none), and whether all is done.

    The systems are called from here and not from a step of their own: each level of calls would optimise all they do
    once more, which takes the compiler five seconds.
    """
    for _ in range(passes):
        now = next_pass(jobs, matrix, waiting, rules)
        if now == NEVER_US:
            return DONE, True
        wanted = room_wanted(now, jobs, matrix, rules, rows)
        if wanted != DONE:
            return wanted, False
        reading = slot_clock(now, matrix, rules)
        if not begin_pass(now, reading, jobs, matrix, waiting, rules, rows, counters):
            return DONE, True
        if rules.system == BUDDY:
            map_gangs(now, reading, jobs, matrix, waiting, rules)
        elif rules.system == STATIC:
            serve_parts(now, reading, jobs, matrix, waiting, rules)
        elif rules.system == LAZY:
            serve_lazily(now, reading, jobs, matrix, waiting, rules, rows, counters)
        elif rules.system != MATRIX:
            share_space(now, reading, jobs, matrix, waiting, rules, rows, counters)
        else:
            serve_queue(now, reading, jobs, matrix, waiting, rules, counters)
            if rules.backfill != NO_BACKFILL and matrix.clock.queued > 1:
                backfill(now, reading, jobs, matrix, waiting, rules, plan, counters)
        end_pass(now, reading, jobs, matrix, rules, rows)
    return DONE, False
