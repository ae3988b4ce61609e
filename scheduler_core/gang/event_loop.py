"""The event loop of gang scheduling: from one pass to the next, with the steps that ``gang/__init__.py`` specifies."""

import numpy as np

from scheduler_core.common.units import NEVER_US
from scheduler_core.gang.adapt_workload import adapt_workload, classify_load, eliminate_fragmentation
from scheduler_core.gang.backfill import backfill
from scheduler_core.gang.buddy import map_gangs
from scheduler_core.gang.fill import fill_idle_slots
from scheduler_core.gang.fixed_parts import serve_parts
from scheduler_core.gang.lazy import next_claim, serve_lazily
from scheduler_core.gang.packing import find_slot
from scheduler_core.gang.placement import place_job, remove_empty_slots, remove_job
from scheduler_core.gang.queue import join_queue, leave_queue, queue_head, target_size
from scheduler_core.gang.repack import repack
from scheduler_core.gang.segments import write_segment
from scheduler_core.gang.share_space import share_space
from scheduler_core.gang.slot_clock import boundary, end_row, slot_time_at, time_at, update_level
from scheduler_core.gang.state import (
    BUDDY,
    DONE,
    HIGH,
    LAZY,
    LOW,
    MATRIX,
    MORE_LEVELS,
    MORE_PLACES,
    MORE_ROWS,
    NO_BACKFILL,
    REPACK_ARRIVALS,
    REPACK_CHANGES,
    STATIC,
    SlotPlans,
    World,
)
from scheduler_core.kernel.jit import kernel, kernel_entry, kernel_step
from scheduler_core.kernel.records import Record


@kernel_step
def next_pass(world: World) -> int:
    """Return the time of the next pass: the boundary at or after the next completion or submission; NEVER_US if none comes.

    Lazy gang scheduling also makes a pass when a job has waited too long, or when a job may be preempted for one that has.
    """
    clock = world.clock
    event = NEVER_US
    first = NEVER_US
    for k in range(clock.running):
        first = min(first, world.state[world.running[k]].end_slot_time)
    if first < NEVER_US:
        event = time_at(first, clock, world.rules)
    if clock.next_arrival < len(world.asked):
        event = min(event, world.asked[clock.next_arrival].submit)
    if world.rules.system == LAZY:
        event = min(event, next_claim(world))
    return boundary(event, clock) if event < NEVER_US else NEVER_US


@kernel
def has_arrived(now: int, job: int, asked: np.ndarray) -> bool:
    """Return whether there is a job at this position, submitted by now."""
    return job < len(asked) and asked[job].submit <= now


@kernel_step
def room_wanted(now: int, world: World) -> int:
    """Return which table could overflow in a pass at ``now``, so that there is room before it begins."""
    clock = world.clock
    segments = clock.places + clock.running
    if clock.rows + 2 * segments + 8 > len(world.rows.held):
        return MORE_ROWS
    if clock.level_rows + 4 > len(world.rows.levels):
        return MORE_LEVELS
    if world.rules.fills:
        arriving = clock.next_arrival
        while has_arrived(now, arriving, world.asked):
            arriving += 1
        present = clock.running + clock.queued + arriving - clock.next_arrival
        clock.places_needed = present * min(present, world.rules.processors)
        if clock.places_needed > len(world.copy_slot):
            return MORE_PLACES
    return DONE


@kernel_step
def complete(world: World) -> int:
    """Remove all jobs that have ended by this pass; return the processor-time of slot clock they left idle since."""
    clock = world.clock
    idle = 0
    k = 0
    while k < clock.running:
        job = world.running[k]
        state = world.state[job]
        end = state.end_slot_time
        if end > clock.slot_time:
            k += 1
            continue
        state.finish = time_at(end, clock, world.rules)
        clock.last_finish = max(clock.last_finish, state.finish)
        write_segment(job, state.finish, end, state.left, state.stall, world)
        idle += (clock.slot_time - end) * state.held * state.places
        remove_job(job, world)
    return idle


@kernel_step
def account(passed: int, turn: int, busy: int, processors: int, clock: Record, counters: Record) -> None:
    """Count busy and idle processor-time since the last pass, and the time by load.

    ``passed`` is the time since then, ``turn`` the slot clock since then, ``busy`` the processor-time of slot clock used.
    """
    if clock.first_start < 0:
        return
    counters.busy_us += busy
    counters.idle_us += processors * passed if clock.level == 0 else processors * clock.level * turn - busy
    if clock.load == LOW:
        counters.low_us += passed
    elif clock.load == HIGH:
        counters.high_us += passed
    else:
        counters.normal_us += passed


@kernel_step
def serve_queue(world: World) -> None:
    """Place jobs from the head of the queue until one finds no slot."""
    while world.clock.queued > 0:
        head = queue_head(world)
        size = target_size(world.asked[head], world.clock)
        slot = find_slot(head, size, world)
        if slot < 0:
            return
        leave_queue(head, world)
        place_job(head, slot, size, world)


@kernel_step
def receive(world: World) -> int:
    """Let the jobs that have been submitted join the queue; return how many they are."""
    clock = world.clock
    before = clock.next_arrival
    while has_arrived(clock.now, clock.next_arrival, world.asked):
        join_queue(clock.next_arrival, world)
        clock.next_arrival += 1
    return clock.next_arrival - before


@kernel_step
def finish(passed: int, turn: int, busy: int, world: World) -> None:
    """Close the accounts and the levels at the last finish, which the last pass may come after."""
    clock = world.clock
    late = clock.slot_time - slot_time_at(clock.last_finish, clock, world.rules)
    passed -= clock.now - clock.last_finish
    account(passed, turn - late, busy, world.rules.processors, clock, world.counters)
    end_row(clock.last_finish, clock, world.rules, world.rows.levels)


@kernel_step
def begin_pass(now: int, world: World) -> bool:
    """Make a pass up to where queued jobs are placed; return whether there is anything left to do."""
    rules, clock = world.rules, world.clock
    slot_time = slot_time_at(now, clock, rules)
    passed, turn, held = now - clock.now, slot_time - clock.slot_time, clock.held
    clock.now, clock.slot_time = now, slot_time
    busy = held * turn - complete(world)
    if rules.blocks == 0:
        remove_empty_slots(world)
    arrived = receive(world)
    world.counters.passes += 1
    if clock.running == 0 and clock.queued == 0 and clock.next_arrival == len(world.asked):
        finish(passed, turn, busy, world)
        return False
    account(passed, turn, busy, rules.processors, clock, world.counters)
    if rules.repack == REPACK_ARRIVALS and arrived > 0:
        repack(world)
    if rules.adapt and now - clock.adapted >= rules.reconfiguration_us:
        clock.adapted = now
        clock.load = classify_load(world)
        if rules.resize_running:
            adapt_workload(world)
    return True


@kernel_step
def end_pass(world: World) -> None:
    """Make a pass from where queued jobs have been placed."""
    rules = world.rules
    if rules.eliminate_fragmentation:
        eliminate_fragmentation(world)
    if rules.repack == REPACK_CHANGES:
        repack(world)
    if rules.fills:
        fill_idle_slots(world)
    note_first_sizes(world)
    update_level(world.clock, rules, world.rows.levels)


@kernel_step
def note_first_sizes(world: World) -> None:
    """Record the size at which the jobs placed in this pass begin."""
    for k in range(world.clock.running):
        state = world.state[world.running[k]]
        if state.start == world.clock.now:
            state.first_size = state.held


@kernel_entry
def run_events(world: World, plans: SlotPlans, passes: int) -> tuple[int, bool]:
    """Make up to ``passes`` passes; return the table that wants room (:data:`DONE` if none), and whether all is done.

    The systems are called from here and not from a step of their own: each level of calls would optimise their code once
    more, which takes the compiler five seconds.
    """
    for _ in range(passes):
        now = next_pass(world)
        if now == NEVER_US:
            return DONE, True
        wanted = room_wanted(now, world)
        if wanted != DONE:
            return wanted, False
        if not begin_pass(now, world):
            return DONE, True
        system = world.rules.system
        if system == BUDDY:
            map_gangs(world)
        elif system == STATIC:
            serve_parts(world)
        elif system == LAZY:
            serve_lazily(world)
        elif system != MATRIX:
            share_space(world)
        else:
            serve_queue(world)
            if world.rules.backfill != NO_BACKFILL and world.clock.queued > 1:
                backfill(world, plans)
        end_pass(world)
    return DONE, False
