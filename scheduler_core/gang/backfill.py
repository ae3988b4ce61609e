"""Backfilling in the matrix: which jobs may overtake the blocked head (Huang 2004, section 6.11)."""

from __future__ import annotations

from scheduler_core.gang.packing import find_slot
from scheduler_core.gang.placement import place_job
from scheduler_core.gang.plan_all import backfill_protecting_all, planned_length
from scheduler_core.gang.queue import begin_walk, leave_queue, next_in_walk, queue_head, target_size
from scheduler_core.gang.state import AHEAD, GREEDY, ONE_JOB, PROTECT_HEAD, SlotPlans, World
from scheduler_core.kernel.jit import kernel, kernel_step


@kernel
def most_free(world: World) -> int:
    """Return the largest number of free processors in any slot."""
    most = 0
    for k in range(world.clock.slots):
        most = max(most, world.slots[world.order[k]].free)
    return most


@kernel_step
def sort_ends(slot: int, world: World) -> int:
    """Sort the jobs of a slot by expected end, into ``scratch``; return how many they are."""
    sorted_jobs = world.scratch
    count = 0
    job = world.slots[slot].first
    while job >= 0:
        end = world.state[job].expected_slot_time
        place = count
        while place > 0 and sorted_jobs[place - 1].value > end:
            sorted_jobs[place] = sorted_jobs[place - 1]
            place -= 1
        sorted_jobs[place].value, sorted_jobs[place].job = end, job
        count += 1
        job = world.state[job].next
    return count


@kernel_step
def shadow_of(slot: int, size: int, world: World) -> tuple[int, int]:
    """Return the expected end by which a slot has ``size`` processors free, and how many it then has."""
    count, sorted_jobs = sort_ends(slot, world), world.scratch
    free = int(world.slots[slot].free)
    k = 0
    while k < count and free < size:
        free += world.state[sorted_jobs[k].job].held
        k += 1
    shadow = sorted_jobs[k - 1].value
    while k < count and sorted_jobs[k].value == shadow:
        free += world.state[sorted_jobs[k].job].held
        k += 1
    return shadow, free


@kernel_step
def admitting_slot(size: int, ends: int, protected: int, shadow: int, extra: int, world: World) -> int:
    """Return the first slot that takes a candidate without delaying the head, which waits for ``protected``; or -1."""
    for k in range(world.clock.slots):
        slot = world.order[k]
        if world.slots[slot].free >= size and (slot != protected or ends <= shadow or size <= extra):
            return slot
    return -1


@kernel_step
def backfill(world: World, plans: SlotPlans) -> None:
    """Place jobs behind the blocked head, as the rule allows."""
    if world.rules.backfill == PROTECT_HEAD:
        backfill_protecting_head(world)
    elif world.rules.backfill == GREEDY:
        backfill_greedily(world)
    else:
        backfill_protecting_all(world, plans)


@kernel_step
def place_candidate(job: int, slot: int, size: int, world: World) -> None:
    """Take a job from the queue and place it."""
    leave_queue(job, world)
    place_job(job, slot, size, world)
    world.counters.backfilled += 1


@kernel_step
def backfill_protecting_head(world: World) -> None:
    """Place candidates that do not delay the head's earliest slot."""
    room = most_free(world)
    if room == 0:
        return
    head = queue_head(world)
    needed = target_size(world.asked[head], world.clock)
    protected, shadow, extra = -1, 0, 0
    for k in range(world.clock.slots):
        slot = world.order[k]
        earliest, free = shadow_of(slot, needed, world)
        if protected < 0 or earliest < shadow:
            protected, shadow, extra = slot, earliest, free - needed
    begin_walk(world.fronts[AHEAD], world.lines)
    while room > 0:
        job = next_in_walk(world.fronts[AHEAD], world)
        if job < 0:
            break
        size = target_size(world.asked[job], world.clock)
        if job == head or size > room:
            continue
        asked = world.asked[job]
        ends = world.clock.slot_time + planned_length(size, asked)
        slot = admitting_slot(size, ends, protected, shadow, extra, world)
        if slot < 0:
            continue
        if slot == protected and ends > shadow:
            extra -= size
        place_candidate(job, slot, size, world)
        room = most_free(world)


@kernel_step
def backfill_greedily(world: World) -> None:
    """Place every candidate for which there is a slot."""
    head = queue_head(world)
    opens = world.rules.packs_by_memory or world.rules.packing == ONE_JOB
    room = world.rules.processors if opens else most_free(world)
    begin_walk(world.fronts[AHEAD], world.lines)
    while room > 0:
        job = next_in_walk(world.fronts[AHEAD], world)
        if job < 0:
            break
        size = target_size(world.asked[job], world.clock)
        if job == head or size > room:
            continue
        slot = find_slot(job, size, world)
        if slot < 0:
            continue
        place_candidate(job, slot, size, world)
        if not opens:
            room = most_free(world)
