"""Backfilling in the matrix: which jobs may overtake the blocked head (Huang 2004, section 6.11)."""

import math

from scheduler_core.common.units import NEVER_US
from scheduler_core.gang.packing import find_slot
from scheduler_core.gang.placement import place_job
from scheduler_core.gang.queue import begin_walk, leave_queue, next_in_walk, queue_head, target_size
from scheduler_core.gang.segments import rate_at
from scheduler_core.gang.state import AHEAD, BEHIND, GREEDY, ONE_JOB, PROTECT_HEAD, SlotPlans, World
from scheduler_core.kernel import profile
from scheduler_core.kernel.jit import kernel, kernel_step
from scheduler_core.kernel.profile import Profile
from scheduler_core.kernel.records import Record


@kernel
def plan_of(slot: int, plans: SlotPlans) -> Profile:
    """Return the plan of one slot as a profile over slot clock."""
    return Profile(plans.times[slot], plans.free[slot], plans.bounds[slot])


@kernel_step
def begin_plans(world: World, plans: SlotPlans) -> None:
    """Plan every slot from the expected ends of its jobs."""
    for k in range(world.clock.slots):
        slot = world.order[k]
        plan = plan_of(slot, plans)
        plan.times[0] = world.clock.slot_time
        plan.free[0] = world.slots[slot].free
        plan.bounds[0], plan.bounds[1] = 0, 1
        job = world.slots[slot].first
        while job >= 0:
            state = world.state[job]
            profile.add(plan, state.expected_slot_time, NEVER_US, state.held)
            job = state.next


@kernel
def planned_length(size: int, asked: Record) -> int:
    """Return how long a job is expected to hold ``size`` processors, in slot clock."""
    return math.ceil(asked.estimate / rate_at(size, asked))


@kernel
def room_now(world: World, plans: SlotPlans) -> int:
    """Return the most processors that the plans leave free now in any slot."""
    room = 0
    for k in range(world.clock.slots):
        room = max(room, plans.free[world.order[k], 0])
    return room


@kernel_step
def slot_from_now(size: int, length: int, world: World, plans: SlotPlans) -> int:
    """Return the first slot whose plan has ``size`` processors free from now on for ``length``; or -1."""
    for k in range(world.clock.slots):
        slot = world.order[k]
        free_now = plans.free[slot, 0] >= size
        if free_now and profile.fits_from(plan_of(slot, plans), world.clock.slot_time, size, length):
            return slot
    return -1


@kernel_step
def is_settled(plan: Profile, until: int) -> bool:
    """Return whether no reservation can begin in a slot before a slot clock: its free processors do not grow until then."""
    for step in range(1, plan.bounds[1]):
        if plan.times[step] >= until:
            return True
        if plan.free[step] > plan.free[step - 1]:
            return False
    return True


@kernel
def next_to_plan(world: World) -> int:
    """Return the next job of the queue that is not in the plans yet."""
    job = next_in_walk(world.fronts[BEHIND], world)
    while world.state[job].slot >= 0:
        job = next_in_walk(world.fronts[BEHIND], world)
    return job


@kernel_step
def reserve(job: int, world: World, plans: SlotPlans) -> None:
    """Plan a job that cannot begin now: it takes the earliest interval in any slot, ties the first."""
    size = target_size(world.asked[job], world.clock)
    length = planned_length(size, world.asked[job])
    best, begin = -1, 0
    for k in range(world.clock.slots):
        slot = world.order[k]
        earliest = profile.earliest(plan_of(slot, plans), world.clock.slot_time, size, length)
        if best < 0 or earliest < begin:
            best, begin = slot, earliest
    profile.add(plan_of(best, plans), begin, begin + length, -size)


@kernel_step
def slot_for(job: int, size: int, length: int, world: World, plans: SlotPlans) -> int:
    """Return the slot in which a job can begin now without delaying an earlier job; or -1.

    Plans those of the earlier jobs that this depends on.
    """
    slot = slot_from_now(size, length, world, plans)
    while slot >= 0 and not is_settled(plan_of(slot, plans), world.clock.slot_time + length):
        earlier = next_to_plan(world)
        if earlier == job:
            break
        reserve(earlier, world, plans)
        slot = slot_from_now(size, length, world, plans)
    return slot


@kernel_step
def place_candidate(job: int, slot: int, size: int, world: World) -> None:
    """Take a job from the queue and place it."""
    leave_queue(job, world)
    place_job(job, slot, size, world)
    world.counters.backfilled += 1


@kernel_step
def backfill_protecting_all(world: World, plans: SlotPlans) -> None:
    """Reserve the earliest interval for one queued job after another, and place each job whose interval begins now.

    Each pass makes the plans again, for itself alone, so they hold only what decides which jobs begin now.
    Plans only fill up: a job without room from now on when its turn comes will have none later in this pass. It is not
    planned until a later job depends on it. A later job that has room from now on in a slot depends on earlier jobs only if
    the slot's free processors grow before it would end. Otherwise no reservation can begin there in between: a job that
    could begin in between could begin now.
    """
    slot_time = world.clock.slot_time
    begin_plans(world, plans)
    begin_walk(world.fronts[AHEAD], world.lines)
    begin_walk(world.fronts[BEHIND], world.lines)
    room = room_now(world, plans)
    seen = 0
    while room > 0 and (world.rules.depth == 0 or seen < world.rules.depth):
        job = next_in_walk(world.fronts[AHEAD], world)
        if job < 0:
            break
        seen += 1
        size = target_size(world.asked[job], world.clock)
        if size > room:
            continue
        length = planned_length(size, world.asked[job])
        slot = slot_for(job, size, length, world, plans)
        if slot >= 0:
            profile.add(plan_of(slot, plans), slot_time, slot_time + length, -size)
            place_candidate(job, slot, size, world)
            room = room_now(world, plans)


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


@kernel
def next_candidate(head: int, room: int, world: World) -> int:
    """Return the next job behind the head that asks for at most ``room`` processors; or -1."""
    job = next_in_walk(world.fronts[AHEAD], world)
    while job >= 0 and (job == head or target_size(world.asked[job], world.clock) > room):
        job = next_in_walk(world.fronts[AHEAD], world)
    return job


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
        job = next_candidate(head, room, world)
        if job < 0:
            break
        asked = world.asked[job]
        size = target_size(asked, world.clock)
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
        job = next_candidate(head, room, world)
        if job < 0:
            break
        size = target_size(world.asked[job], world.clock)
        slot = find_slot(job, size, world)
        if slot < 0:
            continue
        place_candidate(job, slot, size, world)
        if not opens:
            room = most_free(world)
