"""Bookings in space sharing: tasks of workflows hold processors until they run. This page is their specification.

A *booking* is a job (size, run time, estimate) with the start of its frame (``earliest_us``, EST), the end of it (``latest_us``,
LFT: a statistic, nothing is cancelled past it), the time at which its data are expected (``expected_us``), and whether it is
*pinned*. Machines under ``conservative`` and under ``easy`` with one reservation take bookings; other policies take none. Jobs
of the machine itself are submitted as ever, and without bookings nothing here changes a schedule.

The *length* of a booking is its estimate (under ``conservative(plan_by="runtime")`` what the plan knows: its run time, at most
its estimate). It runs for ``min(runtime, estimate)``.

**Bound.** A booking is *held back* until it is released with the time at which its data are there (``ready_us``) and the EST
then in force; it may be released as it is booked. Its bound is max(EST, expected) while it is held back, and max(EST, ready)
once it is released. It *may start* at t when it is released and its bound is t or earlier. One that is still held back when its
bound lies in the past, or is booked so, is *set aside*: its data are late, and it has no hold until it is released.
(At the bound itself it is not late: a predecessor on the same machine may be done at that very time, and the release follows.)

**Hold.** A booking holds processors for its length, from the *begin* of its hold on. No job may start that would need them by
the estimates: under ``conservative`` a hold is taken off *free(t)* as reservations are; under ``easy`` a job starts (as head, or
as a candidate) only if, for its estimate, what running jobs hold until their expected ends and what is held leave it its
processors. A hold under ``easy`` counts for the head's reservation, too: the shadow time is the earliest time, now or later,
from which the expected ends of the running jobs and the holds leave the head its processors for its estimate; the extra
processors are the fewest that are left beside it in that time.

**Place.** The begin of a hold that is made at t, for a bound b, with x = max(t, b):

* ``conservative``: the earliest time, x or later, from which *free(t)* has the processors for the length.
* ``easy``: the time at which a job submitted at x, behind all others, would start if no further job came, every job ran for its
  estimate, and every other hold stayed until it has lasted its length.

That is also what is predicted for a request with its earliest time b (but that a request has no run time: its estimate is its
length). Jobs whose submission is later than t are not known at t.

**An instant t.** It happens at completions and submissions, at the begin of a hold, at the bound of a released booking, a
microsecond after the bound of one held back, and at the time of a call (a booking, a release) when the
machine goes on. In order:

1. In order of booking: one held back whose bound is earlier than t is set aside. One that is released and whose hold begins at t,
   but whose bound is later (its data come later than its hold), gets a new hold at its place. One that was set aside and has been
   released gets a hold at its place. Who lost a hold so is pinned no more.
2. Completions, submissions and the pass of the policy, as without bookings; also a pass when the plan was given processors, or
   when under ``easy`` a hold is gone whose booking has not started on time.
3. Bookings whose hold begins at t and that may start, start, in order of booking. From then on they are running jobs, expected to
   end with their hold; by position they stand behind the jobs that have come, or have been started so, before.
4. Bookings that have a hold and are not pinned are brought forward, in order of booking:

   * ``conservative`` with ``compression``: off the plan and back at its place, which is never later than it was; where that is t
     and it may start, it starts.
   * ``easy``: one that may start, starts if it fits on the free processors, leaves every other hold its processors and does not
     delay the head (where a job waits): it is expected to end by the shadow time, or takes no more than the extra processors.
     The head's reservation is computed anew for each. One that may not start keeps its hold.
5. Where step 4 moved or started one, the instant is gone through again from step 2.

So jobs of the machine come first where a hole opens, and bookings take what these leave, in order of booking.

**Calls** go by what has happened and been planned: a job submitted at t counts in a prediction made at t once the machine has
gone on (be it to t). What is booked at t gets its hold at once, before the next call; the answer is the begin of it, and the
begin plus the length. A release shows its effects when the machine goes on.

**Slides.** Each time a hold is made or moved is a slide, with its cause: booked (made as it was booked), not_ready (made anew, in
step 1), freed (brought forward for the first time since its release), room (brought forward otherwise). A booking that starts
before the begin of its hold slides to t as it starts.
"""

from __future__ import annotations

import numpy as np

from scheduler_core.common.units import NEVER_US
from scheduler_core.kernel.jit import kernel, kernel_entry, kernel_step
from scheduler_core.kernel.profile import add, earlier, fits_from
from scheduler_core.kernel.queue import FIRST, LAST
from scheduler_core.space_sharing.easy_pass import EXTRA_LEFT, SHADOW, free_beside_holds, reserve_beside
from scheduler_core.space_sharing.state import (
    CONSERVATIVE,
    DUE,
    FREE,
    GIVEN,
    HELD,
    NEXT_JOB,
    start_job,
)
from scheduler_core.space_sharing.stepped_state import (
    AT,
    BEGIN,
    BOOKED_ESTIMATE,
    BOOKED_JOB,
    BOOKED_RUN,
    BOOKED_SIZE,
    BY_RELEASE,
    BY_ROOM,
    CALLED,
    EARLIEST,
    ESTIMATE,
    EXPECTED_DATA,
    FOLLOWED_JOINED,
    FOLLOWED_PLACE,
    FOLLOWING,
    FRESH,
    HOLDS,
    JOINED,
    KNOWN,
    LAST_INSTANT,
    LENGTH,
    LOST,
    NUMBER,
    PINNED,
    READY,
    RUN,
    SET_ASIDE,
    SIZE,
    SLIDE_AT,
    SLIDE_CAUSE,
    SLIDE_FINISH,
    SLIDE_JOB,
    SLIDE_START,
    SLIDES,
    STARTED,
    STATE,
    SUBMIT,
    TESTED,
    WAITING,
    Blocks,
    Parts,
    Tasks,
    parts_of,
    rules_of,
)


@kernel
def bound_of(booked: np.ndarray, one: int) -> int:
    """Return the time before which a booking must not start, as far as it is known."""
    data = booked[READY, one] if booked[READY, one] >= 0 else booked[EXPECTED_DATA, one]
    return max(booked[EARLIEST, one], data)


@kernel
def next_of_bookings(tasks: Tasks) -> int:
    """Return the next time at which bookings make an instant of their own."""
    booked, step = tasks.booked, tasks.step
    if step[CALLED] > 0:
        return max(step[AT], 0)
    time = NEVER_US
    for k in range(step[WAITING]):
        one = tasks.waiting[k]
        if booked[STATE, one] == HOLDS:
            bound = bound_of(booked, one) + (1 if booked[READY, one] < 0 else 0)
            for due in (booked[BEGIN, one], bound):
                if due > step[LAST_INSTANT]:
                    time = min(time, due)
    return time


@kernel
def write_slide(one: int, at: int, cause: int, tasks: Tasks) -> None:
    """Write down where a hold stands."""
    booked, slides, row = tasks.booked, tasks.slides, tasks.step[SLIDES]
    slides[SLIDE_JOB, row] = booked[BOOKED_JOB, one]
    slides[SLIDE_AT, row] = at
    slides[SLIDE_START, row] = booked[BEGIN, one]
    slides[SLIDE_FINISH, row] = booked[BEGIN, one] + booked[LENGTH, one]
    slides[SLIDE_CAUSE, row] = cause
    tasks.step[SLIDES] += 1


@kernel_entry
def hold_at(begin: int, one: int, cause: int, machine: Blocks, tasks: Tasks) -> None:
    """Make a hold for a booking that has none."""
    booked, parts = tasks.booked, parts_of(machine)
    booked[STATE, one], booked[BEGIN, one] = HOLDS, begin
    if parts.rules.backfill == CONSERVATIVE:
        add(parts.profile, begin, begin + booked[LENGTH, one], -booked[BOOKED_SIZE, one])
    show_holds(parts, tasks)
    write_slide(one, tasks.step[AT], cause, tasks)


@kernel_step
def drop(one: int, at: int, parts: Parts, tasks: Tasks) -> None:
    """Take the hold of a booking away; waiting jobs are looked at."""
    booked, clock = tasks.booked, parts.cluster.clock
    booked[STATE, one] = SET_ASIDE
    if parts.rules.backfill == CONSERVATIVE:
        begin = booked[BEGIN, one]
        add(parts.profile, max(at, begin), begin + booked[LENGTH, one], booked[BOOKED_SIZE, one])
        clock[GIVEN] = 1
    clock[DUE] = at
    show_holds(parts, tasks)


@kernel
def show_holds(parts: Parts, tasks: Tasks) -> None:
    """Let the event loop see the holds; conservative backfilling has them in its plan."""
    if parts.rules.backfill == CONSERVATIVE:
        return
    count, booked = 0, tasks.booked
    for k in range(tasks.step[WAITING]):
        one = tasks.waiting[k]
        if booked[STATE, one] == HOLDS:
            parts.held.begin[count] = booked[BEGIN, one]
            parts.held.end[count] = booked[BEGIN, one] + booked[LENGTH, one]
            parts.held.size[count] = booked[BOOKED_SIZE, one]
            count += 1
    parts.cluster.counts[HELD] = count


@kernel_step
def look_at_late(now: int, machine: Blocks, tasks: Tasks) -> int:
    """Set aside whose data are late; return the first that now needs a hold, -1 where none does (step 1)."""
    booked, parts = tasks.booked, parts_of(machine)
    for k in range(tasks.step[WAITING]):
        one = tasks.waiting[k]
        bound, held_back = bound_of(booked, one), booked[READY, one] < 0
        missed = booked[STATE, one] == HOLDS and (bound < now if held_back else booked[BEGIN, one] == now < bound)
        if missed:
            drop(one, now, parts, tasks)
            booked[PINNED, one] = 0
            tasks.step[LOST] += 1
        if booked[STATE, one] == SET_ASIDE and not held_back:
            return one
    return -1


@kernel_step
def start_due(now: int, machine: Blocks, tasks: Tasks) -> None:
    """Start the bookings whose hold begins now and that may start (step 3)."""
    booked, k = tasks.booked, 0
    while k < tasks.step[WAITING]:
        one = tasks.waiting[k]
        due = booked[STATE, one] == HOLDS and booked[BEGIN, one] == now
        if due and booked[READY, one] >= 0 and bound_of(booked, one) <= now:
            start_booking(now, k, machine, tasks)
        else:
            k += 1


@kernel_step
def start_booking(now: int, k: int, machine: Blocks, tasks: Tasks) -> None:
    """Start the booking at a place in the list of those that wait: it is a running job, and its hold is over."""
    parts, booked, step, one = parts_of(machine), tasks.booked, tasks.step, tasks.waiting[k]
    place = step[KNOWN]
    times = machine.times
    times[NUMBER, place], times[SUBMIT, place] = booked[BOOKED_JOB, one], now
    times[RUN, place], times[ESTIMATE, place] = booked[BOOKED_RUN, one], booked[BOOKED_ESTIMATE, one]
    times[TESTED, place], machine.places[SIZE, place] = booked[LENGTH, one], booked[BOOKED_SIZE, one]
    step[KNOWN] += 1
    parts.cluster.clock[NEXT_JOB] = step[KNOWN]
    start_job(now, place, parts.jobs, parts.cluster, parts.rules)
    booked[STATE, one] = STARTED
    for rest in range(k + 1, step[WAITING]):
        tasks.waiting[rest - 1] = tasks.waiting[rest]
    step[WAITING] -= 1
    show_holds(parts, tasks)
    follow(place, booked[JOINED, one], tasks)


@kernel
def follow(place: int, joined: int, tasks: Tasks) -> None:
    """Watch for the completion of a job."""
    count = tasks.step[FOLLOWING]
    tasks.followed[FOLLOWED_PLACE, count], tasks.followed[FOLLOWED_JOINED, count] = place, joined
    tasks.step[FOLLOWING] += 1


@kernel_step
def bring_forward(now: int, machine: Blocks, tasks: Tasks) -> bool:
    """Bring bookings forward (step 4); return whether one was moved, or started."""
    booked, rules, moved, k = tasks.booked, rules_of(machine.rules), False, 0
    if rules.backfill == CONSERVATIVE and not rules.compression:
        return False
    while k < tasks.step[WAITING]:
        one = tasks.waiting[k]
        k += 1
        if booked[STATE, one] != HOLDS or booked[PINNED, one] > 0 or booked[BEGIN, one] <= now:
            continue
        before = tasks.step[WAITING]
        if rules.backfill == CONSERVATIVE:
            moved = move_in_plan(now, k - 1, machine, tasks) or moved
        else:
            moved = start_early(now, k - 1, machine, tasks) or moved
        k -= before - tasks.step[WAITING]
    return moved


@kernel
def move_in_plan(now: int, k: int, machine: Blocks, tasks: Tasks) -> bool:
    """Move a hold to the earliest place in the plan, and start the booking where that is now; return whether it moved."""
    parts, booked, one = parts_of(machine), tasks.booked, tasks.waiting[k]
    size, length, begin = booked[BOOKED_SIZE, one], booked[LENGTH, one], booked[BEGIN, one]
    bound = bound_of(booked, one)
    found = earlier(parts.profile, max(now, bound), size, length, begin)
    if found >= begin:
        return False
    add(parts.profile, begin, begin + length, size)
    add(parts.profile, found, found + length, -size)
    parts.cluster.clock[GIVEN], parts.cluster.clock[DUE] = 1, now
    slide_to(found, now, one, tasks)
    if found == now and booked[READY, one] >= 0:
        start_booking(now, k, machine, tasks)
    return True


@kernel
def slide_to(begin: int, now: int, one: int, tasks: Tasks) -> None:
    """Let a hold begin earlier."""
    tasks.booked[BEGIN, one] = begin
    write_slide(one, now, BY_RELEASE if tasks.booked[FRESH, one] > 0 else BY_ROOM, tasks)
    tasks.booked[FRESH, one] = 0


@kernel
def start_early(now: int, k: int, machine: Blocks, tasks: Tasks) -> bool:
    """Start a booking before its hold where it fits and delays neither the head nor another hold; return whether it started."""
    parts, booked, one = parts_of(machine), tasks.booked, tasks.waiting[k]
    size, length = booked[BOOKED_SIZE, one], booked[LENGTH, one]
    if size > parts.cluster.counts[FREE] or booked[READY, one] < 0 or bound_of(booked, one) > now:
        return False
    booked[STATE, one] = SET_ASIDE  # its own hold does not stand in its way
    show_holds(parts, tasks)
    profile, queue = parts.profile, parts.queue
    free_beside_holds(now, parts.cluster, parts.held, profile)
    fits = fits_from(profile, now, size, length)
    if fits and queue.bounds[FIRST] < queue.bounds[LAST]:
        reserve_beside(now, queue.jobs[queue.bounds[FIRST]], parts.jobs, profile, parts.reservation)
        fits = now + length <= parts.reservation[SHADOW] or size <= parts.reservation[EXTRA_LEFT]
    booked[STATE, one] = HOLDS
    if fits:
        slide_to(now, now, one, tasks)
        start_booking(now, k, machine, tasks)
        parts.cluster.clock[DUE] = now
    else:
        show_holds(parts, tasks)
    return fits
