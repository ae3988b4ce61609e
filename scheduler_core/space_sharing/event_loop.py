"""The event loop of space sharing: one loop, of which every policy of the family is a parametrisation.

It also keeps the queues in their orders: by fixed keys, by slowdown so far, by priority level with aging, or by fair share.
"""

import numpy as np

from scheduler_core.common.units import NEVER_US
from scheduler_core.kernel.jit import kernel, kernel_entry
from scheduler_core.kernel.profile import add, forget_before
from scheduler_core.kernel.queue import FIRST, LAST, Queue, append, drop_started, insert, pop, push, sort
from scheduler_core.kernel.records import Record
from scheduler_core.space_sharing import slowdown_heap
from scheduler_core.space_sharing.conservative_pass import give_up_held, give_up_plan, plan_queue, start_due
from scheduler_core.space_sharing.easy_pass import deep_pass, easy_pass, is_plain, last_that_fits, look_at_arrival
from scheduler_core.space_sharing.fair_share import key_by_share
from scheduler_core.space_sharing.orders import AS_SUBMITTED, BY_KEY, BY_LEVEL, BY_SHARE, BY_SLOWDOWN
from scheduler_core.space_sharing.passing_over import is_held, next_below, pass_over, put_back
from scheduler_core.space_sharing.rules import Aging, Backfill, EndingNow, Instant, Reservation, WhenBlocked
from scheduler_core.space_sharing.state import (
    Held,
    World,
    complete_job,
    may_start,
    next_release,
    standstill_end,
    start_job,
)

TOP_LEVEL = 2


@kernel_entry
def run_events(world: World, until: int) -> None:
    """Take all events up to ``until``, that time included; the starts are left in ``world.start``.

    The loop goes on where it stopped: jobs may have been added behind the others since. ``clock.next_job`` counts the jobs
    submitted so far.
    """
    jobs, queue, clock, rules = world.jobs, world.queue, world.clock[0], world.rules[0]
    total = len(jobs.submit)
    due = clock.due
    next_job = clock.next_job
    while True:
        now = due
        if next_job < total:
            now = min(now, jobs.submit[next_job])
        if clock.running > 0:
            now = min(now, world.running.end[0])
        now = min(now, next_release(clock, world.held))
        if now > until:
            break
        clock.now = now
        completed, arrived, early = take_events(now, next_job, world)
        next_job += arrived
        still_until = standstill_end(now, clock, world.standstills)
        if still_until >= 0:
            due, clock.head, clock.stood_still = still_until, -1, 1
            clock.next_job = next_job
            continue
        clock.passes += 1
        if rules.backfill == Backfill.conservative:
            put_in_order(now, queue, rules.order, world)
            if clock.stood_still > 0:
                give_up_plan(world)
            forget_before(world.profile, now)
            early = early or clock.given > 0
            clock.given = 1
            while clock.given > 0:
                clock.given = 0
                early = give_up_held(now, world, world.ceilings) or early
                compress = early and rules.compression
                if arrived > 0 or compress or clock.stood_still > 0 or rules.holds_jobs:
                    plan_queue(now, compress, world)
                due = start_due(now, world)
                early = True  # a job that was due gave its reservation up, if the loop goes on
            due = min(due, next_below(now, world, world.ceilings))
            clock.stood_still = 0
        else:
            due = NEVER_US
            clock.blocked = 0
            if queue.bounds[FIRST] < queue.bounds[LAST]:
                make_pass(now, completed, arrived, next_job - 1, world)
                due = next_below(now, world, world.ceilings)
        clock.next_job = next_job
    clock.due = due


@kernel
def take_events(now: int, next_job: int, world: World) -> tuple[int, int, bool]:
    """Take the events of an instant before the next pass: all of them in a batch, else one.

    Returns the numbers of completions and submissions taken, and whether a job has ended before the plan expected it to.
    """
    jobs, clock, rules = world.jobs, world.clock[0], world.rules[0]
    completed, arrived, early = 0, 0, False
    while True:
        arrival = next_job + arrived
        completion = clock.running > 0 and world.running.end[0] == now
        submission = arrival < len(jobs.submit) and jobs.submit[arrival] == now
        if completion and not (submission and rules.instant == Instant.submissions_first):
            job = complete_job(world)
            completed += 1
            if rules.backfill == Backfill.conservative and jobs.tested[job] > jobs.run[job]:
                add(world.profile, now, world.start[job] + jobs.tested[job], jobs.size[job])
                early = True
        elif submission:
            if only_head_counts(rules):
                push_job(now, arrival, world)
            else:
                enqueue(world.queue, rules.order, arrival)
            if rules.own_candidates:
                enqueue(world.candidates, rules.backfill_order, arrival)
            arrived += 1
        else:
            break
        if rules.instant != Instant.batch:
            break
    return completed, arrived, early


@kernel
def make_pass(now: int, completed: int, arrived: int, newest: int, world: World) -> None:
    """Make one pass without a plan: in list order, or with EASY backfilling. ``newest`` arrived last."""
    clock, rules = world.clock[0], world.rules[0]
    if only_arrival_matters(completed, arrived, world, world.held):
        if clock.free > 0 and look_at_arrival(now, newest, world):
            remove_started(1, world)
        return
    if only_head_counts(rules):
        if clock.free > 0:
            start_from_heap(now, world)
        return
    if starts_nothing(world):
        clock.head = -1  # what is known of the reservation of the head is of an earlier instant
        return
    put_in_order(now, world.queue, rules.order, world)
    before = clock.running
    if rules.backfill != Backfill.easy:
        behind = list_pass(now, world)
    else:
        if rules.own_candidates:
            put_in_order(now, world.candidates, rules.backfill_order, world)
        behind = easy_pass(now, world) if rules.reservations == 1 else deep_pass(now, world)
    put_back(world, world.ceilings)
    if clock.running > before:
        remove_started(behind, world)


@kernel
def only_arrival_matters(completed: int, arrived: int, world: World, held: Held | None) -> bool:
    """Return whether the pass comes down to the one job that has arrived.

    So it does with plain EASY when nothing has completed since the last pass and the same job holds the reservation. The
    shadow time is then the same and less is free, so a candidate that was refused then is refused now.
    """
    if held is not None:
        return False
    queue, rules = world.queue, world.rules[0]
    return (
        completed == 0
        and arrived == 1
        and rules.backfill == Backfill.easy
        and rules.reservations == 1
        and rules.order <= BY_KEY
        and world.clock[0].head == queue.jobs[queue.bounds[FIRST]]
        and is_plain(rules)
    )


@kernel
def starts_nothing(world: World) -> bool:
    """Return whether no waiting job fits, where a pass that starts none leaves nothing behind that a later one asks for.

    Asking is quick beside putting jobs in an order that changes with time, or looking at the ceilings of their users.
    """
    rules = world.rules[0]
    if rules.reservation != Reservation.each_pass or rules.ending_now != EndingNow.occupied:
        return False
    changes = max(rules.order, rules.backfill_order) > BY_KEY
    return (changes or rules.holds_jobs) and last_that_fits(world) < world.queue.bounds[FIRST]


@kernel
def only_head_counts(rules: Record) -> bool:
    """Return whether the queue is a heap: no job overtakes its head, and the head is not simply the first that came.

    A job that is held is overtaken.
    """
    waits = rules.backfill == Backfill.none and rules.when_blocked == WhenBlocked.wait and not rules.holds_jobs
    return waits and rules.order in (BY_KEY, BY_SLOWDOWN)


@kernel
def push_job(now: int, job: int, world: World) -> None:
    """Put a job that arrives into a queue that is a heap."""
    if world.rules[0].order == BY_KEY:
        push(world.queue, job)
    else:
        slowdown_heap.push(now, job, world.queue, world.jobs)


@kernel
def start_from_heap(now: int, world: World) -> None:
    """Start the head of a queue that is a heap while it fits."""
    queue, by_key = world.queue, world.rules[0].order == BY_KEY
    if not by_key:
        slowdown_heap.put_in_order(now, queue, world.jobs)
    while queue.bounds[LAST] > 0:
        job = queue.jobs[0]
        if world.jobs.size[job] > world.clock[0].free or not may_start(now, job, world):
            break
        start_job(now, job, world)
        if by_key:
            pop(queue)
        else:
            slowdown_heap.pop(now, queue, world.jobs)


@kernel
def list_pass(now: int, world: World) -> int:
    """Start jobs from the head while they fit; where the rules say so, go on behind one that does not.

    Returns the number of jobs started behind the head.
    """
    queue, size, clock = world.queue, world.jobs.size, world.clock[0]
    bounds = queue.bounds
    pass_over(now, world, world.ceilings)
    while bounds[FIRST] < bounds[LAST]:
        job = queue.jobs[bounds[FIRST]]
        if size[job] > clock.free or not may_start(now, job, world):
            break
        start_job(now, job, world)
        bounds[FIRST] += 1
        pass_over(now, world, world.ceilings)
    behind = 0
    if world.rules[0].when_blocked == WhenBlocked.skip:
        for k in range(bounds[FIRST], bounds[LAST]):
            if clock.free == 0:
                break
            job = queue.jobs[k]
            if size[job] > clock.free or is_held(now, job, world, world.ceilings):
                continue
            if may_start(now, job, world):
                start_job(now, job, world)
                behind += 1
    return behind


@kernel
def remove_started(behind: int, world: World) -> None:
    """Take the jobs that have started out of the queue; ``behind`` of them were behind the head.

    Those at the head are out already; candidates that are kept apart still hold them.
    """
    if behind > 0:
        drop_started(world.queue, world.start)
    if world.rules[0].own_candidates:
        drop_started(world.candidates, world.start)


@kernel
def enqueue(queue: Queue, order: int, job: int) -> None:
    """Put a job that arrives into the queue: at its place by key if the order has fixed keys, else at the end."""
    if order == BY_KEY:
        insert(queue, job)
    else:
        append(queue, job)


@kernel
def put_in_order(now: int, queue: Queue, order: int, world: World) -> None:
    """Sort a queue whose order depends on the time of the pass."""
    jobs, rules = world.jobs, world.rules[0]
    if order in (AS_SUBMITTED, BY_KEY):
        return
    if order == BY_SLOWDOWN:
        for k in range(queue.bounds[FIRST], queue.bounds[LAST]):
            job = queue.jobs[k]
            queue.key[job] = -order_of_float(slowdown_heap.slowdown(now, job, jobs))
    elif order == BY_LEVEL:
        aging_time = aging_interval(rules, world.clock[0])
        for k in range(queue.bounds[FIRST], queue.bounds[LAST]):
            job = queue.jobs[k]
            queue.key[job] = -level(now - jobs.submit[job], jobs.estimate[job], rules, aging_time)
    elif order == BY_SHARE:
        key_by_share(now, queue, world.usage, rules)
    sort(queue)


@kernel
def order_of_float(value: float) -> np.int64:
    """Return an integer that orders positive floats as the floats themselves: the bits they are made of."""
    return np.float64(value).view(np.int64)


@kernel
def aging_interval(rules: Record, clock: Record) -> int:
    """Return the waiting time that raises a job by one level; 0 when levels do not rise."""
    if rules.aging == Aging.fixed:
        return rules.aging_time
    if rules.aging == Aging.running_mean:
        mean = clock.waited // clock.started if clock.started > 0 else 0
        return max(mean, rules.aging_time)
    return 0


@kernel
def level(waited: int, estimate: int, rules: Record, aging_time: int) -> int:
    """Return a job's priority level: that of its class, raised by its waiting time (LOMARC, section 5.1)."""
    base = 0
    if estimate <= rules.short_limit:
        base = 2
    elif estimate <= rules.medium_limit:
        base = 1
    if aging_time > 0:
        base = min(TOP_LEVEL, base + waited // aging_time)
    return base
