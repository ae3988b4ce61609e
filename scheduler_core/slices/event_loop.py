"""The event loop of slices: from one instant to the next, as the docstring of the policy numbers its steps."""

from scheduler_core.common.units import NEVER_US
from scheduler_core.kernel.jit import kernel, kernel_step
from scheduler_core.kernel.profile import forget_before
from scheduler_core.slices import state
from scheduler_core.slices.bookings import attend_bounds, attend_slots, note_next_bound, slide_down
from scheduler_core.slices.class_plan import bring_forward, keeps_all, keeps_first, plan_of, reserve
from scheduler_core.slices.class_queue import first_in_queue, join_queue
from scheduler_core.slices.groups import begin_group, end_group, follow_plan, group_has_ended, may_form_group
from scheduler_core.slices.lend import lend
from scheduler_core.slices.own_jobs import resume_own, start_own
from scheduler_core.slices.promises import promise
from scheduler_core.slices.recalculation import recalculate
from scheduler_core.slices.requests import cancel_requests, place_dynamically, serve_requests
from scheduler_core.slices.search_own import search_own
from scheduler_core.slices.share_control import lay_out_interval
from scheduler_core.slices.state import Cluster
from scheduler_core.slices.stretches import complete, suspend_all
from scheduler_core.slices.virtual_schedule import Search


@kernel
def next_arrival(cluster: Cluster) -> int:
    """Return the time of the next submission."""
    number = cluster.clock.next_arrival
    return cluster.asked[number].submit if number < cluster.clock.known else NEVER_US


@kernel_step
def next_instant(cluster: Cluster) -> int:
    """Return the time at which something happens next; NEVER_US if nothing does."""
    clock, arrival = cluster.clock, next_arrival(cluster)
    if clock.phase == state.IDLE:
        return min(
            clock.wake, arrival // cluster.rules.interval * cluster.rules.interval if arrival < NEVER_US else NEVER_US
        )
    if clock.phase == state.SWITCHING:
        return min(arrival, clock.work_begin, clock.wanted)
    instant = min(arrival, clock.slice_end, clock.wanted)
    for k in range(clock.runners):
        instant = min(instant, cluster.state[cluster.running[k]].end)
    reading = cluster.classes[clock.slice].clock
    if clock.next_reservation < NEVER_US:
        instant = min(instant, clock.now + clock.next_reservation - reading)
    for k in range(clock.requests):
        instant = min(instant, clock.now + cluster.state[cluster.requests[k]].request - reading)
    return instant


@kernel_step
def room_is_short(instant: int, cluster: Cluster) -> bool:
    """Return whether a table could overflow at the next instant."""
    clock, rows = cluster.clock, cluster.rows
    arriving = clock.next_arrival
    while arriving < clock.known and cluster.asked[arriving].submit <= instant:
        arriving += 1
    waiting = arriving - clock.next_arrival
    for kind in range(state.CLASSES):
        waiting += cluster.lines[kind, state.UNPLANNED].count + cluster.lines[kind, state.PLANNED].count
    return (
        clock.held_rows + clock.runners + 8 > len(rows.held)
        or clock.slice_rows + state.CLASSES > len(rows.slices)
        or clock.promise_rows + 3 * waiting + 8 > len(rows.promises)
        or (clock.booked > 0 and clock.slide_rows + 3 * clock.booked + waiting > len(rows.slides))
        or clock.groups + 2 > len(rows.ended)
    )


@kernel_step
def follow(job: int, cluster: Cluster) -> None:
    """Put a job that has joined its queue on the list of those that are booked or followed."""
    clock, place = cluster.clock, cluster.clock.made
    cluster.bookings[place].job = job
    cluster.state[job].booking = place
    cluster.bookings[clock.live].live = place
    clock.made += 1
    clock.live += 1


@kernel_step
def arrive(cluster: Cluster) -> None:
    """Let the jobs submitted now join their queues, each with its reservation."""
    clock = cluster.clock
    while clock.next_arrival < clock.known and cluster.asked[clock.next_arrival].submit == clock.now:
        job = clock.next_arrival
        kind = cluster.asked[job].job_class
        join_queue(job, kind, cluster)
        clock.present += 1
        clock.next_arrival += 1
        if cluster.state[job].booking == state.TO_FOLLOW:
            follow(job, cluster)
        if keeps_all(kind, cluster) or (keeps_first(kind, cluster) and first_in_queue(kind, cluster) == job):
            reserve(job, kind, cluster)
            promise(job, kind, 0, cluster)


@kernel_step
def begin_what_is_due(cluster: Cluster) -> bool:
    """Begin the interval and the slice that are due; return whether the work of a slice begins now."""
    clock, rules = cluster.clock, cluster.rules
    now = clock.now
    if clock.phase == state.BETWEEN and now == clock.interval_end:
        clock.phase = state.IDLE
    if clock.phase == state.IDLE and (clock.present > 0 or next_arrival(cluster) < now + rules.interval):
        lay_out_interval(now, cluster)
        clock.wake = NEVER_US
    if clock.phase == state.BETWEEN:
        kind = clock.slice + 1
        clock.phase, clock.slice = state.SWITCHING, kind
        clock.work_begin = now + rules.switch
        clock.slice_end = clock.work_begin + cluster.classes[kind].work
    if clock.phase == state.SWITCHING and now == clock.work_begin:
        clock.phase = state.AT_WORK
        return True
    return False


@kernel_step
def begin_pass(first: bool, arrived_from: int, cluster: Cluster) -> bool:
    """Do the first steps of a pass; return whether a group was formed, which must be ordered before the pass goes on."""
    clock, rules = cluster.clock, cluster.rules
    kind = clock.slice
    cluster.counters.passes += 1
    if first:
        resume_own(cluster)
    if clock.booked > 0 and not rules.recalculates:
        attend_slots(cluster)
    if not rules.groups:
        return False
    serve_requests(cluster)
    if rules.dynamic and cluster.classes[kind].group > 0:
        for job in range(arrived_from, clock.next_arrival):
            place_dynamically(job, cluster)
    if kind == state.SHORT:
        return False
    if cluster.classes[kind].group > 0 and group_has_ended(kind, cluster):
        end_group(kind, cluster)
    if cluster.lines[kind, state.PLANNED].count == 0 and may_form_group(kind, cluster):
        begin_group(kind, cluster)
        return True
    return False


@kernel_step
def finish_pass(cluster: Cluster, search: Search) -> None:
    """Start own jobs, then lend what is free."""
    if cluster.rules.search:
        search_own(cluster, search)
    start_own(cluster)
    if cluster.rules.slide_backfill and cluster.clock.booked > 0:
        slide_down(cluster)
    if cluster.rules.smart:
        lend(cluster)


@kernel_step
def advance_clocks(instant: int, cluster: Cluster) -> None:
    """Let time pass up to the next instant."""
    clock = cluster.clock
    if clock.phase == state.AT_WORK:
        kind = clock.slice
        cluster.classes[kind].clock += instant - clock.now
        forget_before(plan_of(kind, cluster), cluster.classes[kind].clock)
    clock.now = instant


@kernel
def begin_instant(instant: int, cluster: Cluster) -> None:
    """Let finished jobs leave and slices end; bring reservations forward."""
    clock = cluster.clock
    advance_clocks(instant, cluster)
    complete(cluster)
    if clock.phase == state.AT_WORK and instant == clock.slice_end:
        suspend_all(cluster)
        cancel_requests(cluster)
        clock.phase, clock.next_reservation = state.BETWEEN, NEVER_US
    if clock.booked > 0:
        attend_bounds(cluster)
    for kind in range(state.CLASSES):
        if cluster.rules.recalculates:
            if cluster.classes[kind].given or clock.booked > 0:
                recalculate(kind, cluster)
        elif cluster.classes[kind].given:
            bring_forward(kind, cluster)


@kernel_step
def run_events(cluster: Cluster, search: Search, until: int, most: int) -> int:
    """Go on until no job is left, nothing more happens by ``until``, or the caller has to do something.

    Stops after ``most`` instants as if ``until`` were reached. :data:`~scheduler_core.slices.state.FINISHED` and the words after
    it are what it comes back with.
    """
    clock = cluster.clock
    if clock.wants_order:
        clock.wants_order = False
        follow_plan(cluster)
        finish_pass(cluster, search)
    for _ in range(most):
        if clock.stops and clock.ended > clock.told:
            return state.FOLLOWED_DONE
        if clock.present == 0 and not clock.goes_on and next_arrival(cluster) == NEVER_US:
            return state.FINISHED
        instant = next_instant(cluster)
        if instant > until:
            return state.PAUSED
        if room_is_short(instant, cluster):
            return state.MORE_ROWS
        begin_instant(instant, cluster)
        arrived_from = clock.next_arrival
        arrive(cluster)
        first = begin_what_is_due(cluster)
        if clock.phase == state.AT_WORK and clock.slice_end > instant:
            if begin_pass(first, arrived_from, cluster):
                clock.wants_order = True
                return state.GROUP_FORMED
            finish_pass(cluster, search)
        if clock.wanted < NEVER_US or clock.booked > 0:
            note_next_bound(cluster)
    return state.PAUSED
