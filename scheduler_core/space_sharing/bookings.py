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

from scheduler_core.common.units import NEVER_US
from scheduler_core.kernel.jit import kernel, kernel_entry, kernel_step
from scheduler_core.kernel.profile import add, earlier, fits_from
from scheduler_core.kernel.queue import FIRST, LAST
from scheduler_core.kernel.records import Record
from scheduler_core.space_sharing import stepped_state as state
from scheduler_core.space_sharing.easy_pass import free_beside_holds, reserve_beside
from scheduler_core.space_sharing.rules import Backfill
from scheduler_core.space_sharing.state import World, start_job
from scheduler_core.space_sharing.stepped_state import Blocks, Machine, Tasks


@kernel
def bound_of(booking: Record) -> int:
    """Return the time before which a booking must not start, as far as it is known."""
    return max(booking.earliest, booking.ready if booking.ready >= 0 else booking.expected)


@kernel
def next_of_bookings(tasks: Tasks) -> int:
    """Return the next time at which bookings make an instant of their own."""
    step = tasks.step[0]
    if step.called > 0:
        return max(step.at, 0)
    time = NEVER_US
    for k in range(step.waiting):
        booking = tasks.booked[tasks.waiting[k]]
        if booking.state == state.HOLDS:
            bound = bound_of(booking) + (1 if booking.ready < 0 else 0)
            for due in (booking.begin, bound):
                if due > step.last_instant:
                    time = min(time, due)
    return time


@kernel
def write_slide(one: int, at: int, cause: int, tasks: Tasks) -> None:
    """Record where the hold of a booking is now, and why."""
    booking, slide = tasks.booked[one], tasks.slides[tasks.step[0].slides]
    slide.job, slide.at, slide.cause = booking.job, at, cause
    slide.start, slide.finish = booking.begin, booking.begin + booking.length
    tasks.step[0].slides += 1


@kernel_entry
def hold_at(begin: int, one: int, cause: int, blocks: Blocks, tasks: Tasks) -> None:
    """Make a hold for a booking that has none."""
    world, booking = state.machine_of(blocks).world, tasks.booked[one]
    booking.state, booking.begin = state.HOLDS, begin
    if world.rules[0].backfill == Backfill.conservative:
        add(world.profile, begin, begin + booking.length, -booking.processors)
    show_holds(world, tasks)
    write_slide(one, tasks.step[0].at, cause, tasks)


@kernel_step
def drop(one: int, at: int, world: World, tasks: Tasks) -> None:
    """Remove the hold of a booking; the waiting jobs get a pass."""
    booking, clock = tasks.booked[one], world.clock[0]
    booking.state = state.SET_ASIDE
    if world.rules[0].backfill == Backfill.conservative:
        add(world.profile, max(at, booking.begin), booking.begin + booking.length, booking.processors)
        clock.given = 1
    clock.due = at
    show_holds(world, tasks)


@kernel
def show_holds(world: World, tasks: Tasks) -> None:
    """Show the event loop the holds; conservative backfilling has them in its plan."""
    if world.rules[0].backfill == Backfill.conservative:
        return
    count, held = 0, world.held
    for k in range(tasks.step[0].waiting):
        booking = tasks.booked[tasks.waiting[k]]
        if booking.state == state.HOLDS:
            held.begin[count], held.end[count] = booking.begin, booking.begin + booking.length
            held.size[count] = booking.processors
            count += 1
    world.clock[0].held = count


@kernel_step
def look_at_late(now: int, world: World, tasks: Tasks) -> int:
    """Set bookings aside whose data are late (step 1); return the first that now needs a hold, -1 where none does."""
    for k in range(tasks.step[0].waiting):
        one = tasks.waiting[k]
        booking = tasks.booked[one]
        bound, held_back = bound_of(booking), booking.ready < 0
        missed = booking.state == state.HOLDS and (bound < now if held_back else booking.begin == now < bound)
        if missed:
            drop(one, now, world, tasks)
            booking.pinned = 0
            tasks.step[0].lost += 1
        if booking.state == state.SET_ASIDE and not held_back:
            return one
    return -1


@kernel_step
def start_due(now: int, machine: Machine, tasks: Tasks) -> None:
    """Start the bookings whose hold begins now and that may start (step 3)."""
    k = 0
    while k < tasks.step[0].waiting:
        booking = tasks.booked[tasks.waiting[k]]
        due = booking.state == state.HOLDS and booking.begin == now
        if due and booking.ready >= 0 and bound_of(booking) <= now:
            start_booking(now, k, machine, tasks)
        else:
            k += 1


@kernel_step
def start_booking(now: int, k: int, machine: Machine, tasks: Tasks) -> None:
    """Start the waiting booking at place ``k``: it becomes a running job, and its hold is over."""
    world, jobs, step = machine.world, machine.world.jobs, tasks.step[0]
    booking, place = tasks.booked[tasks.waiting[k]], step.known
    machine.number[place] = booking.job
    jobs.submit[place], jobs.run[place], jobs.estimate[place] = now, booking.run, booking.estimate
    jobs.tested[place], jobs.size[place] = booking.length, booking.processors
    step.known += 1
    world.clock[0].next_job = step.known
    start_job(now, place, world)
    booking.state = state.STARTED
    for rest in range(k + 1, step.waiting):
        tasks.waiting[rest - 1] = tasks.waiting[rest]
    step.waiting -= 1
    show_holds(world, tasks)
    follow(place, booking.joined, tasks)


@kernel
def follow(place: int, joined: int, tasks: Tasks) -> None:
    """Watch for the completion of a job."""
    followed = tasks.followed[tasks.step[0].following]
    followed.place, followed.joined = place, joined
    tasks.step[0].following += 1


@kernel_step
def bring_forward(now: int, machine: Machine, tasks: Tasks) -> bool:
    """Bring bookings forward (step 4); return whether one was moved, or started."""
    rules, moved, k = machine.world.rules[0], False, 0
    if rules.backfill == Backfill.conservative and not rules.compression:
        return False
    while k < tasks.step[0].waiting:
        booking = tasks.booked[tasks.waiting[k]]
        k += 1
        if booking.state != state.HOLDS or booking.pinned > 0 or booking.begin <= now:
            continue
        before = tasks.step[0].waiting
        if rules.backfill == Backfill.conservative:
            moved = move_in_plan(now, k - 1, machine, tasks) or moved
        else:
            moved = start_early(now, k - 1, machine, tasks) or moved
        k -= before - tasks.step[0].waiting
    return moved


@kernel
def move_in_plan(now: int, k: int, machine: Machine, tasks: Tasks) -> bool:
    """Move a hold to the earliest place in the plan, and start the booking where that is now; return whether it moved."""
    world, one = machine.world, tasks.waiting[k]
    booking = tasks.booked[one]
    begin, length = booking.begin, booking.length
    found = earlier(world.profile, max(now, bound_of(booking)), booking.processors, length, begin)
    if found >= begin:
        return False
    add(world.profile, begin, begin + length, booking.processors)
    add(world.profile, found, found + length, -booking.processors)
    world.clock[0].given, world.clock[0].due = 1, now
    slide_to(found, now, one, tasks)
    if found == now and booking.ready >= 0:
        start_booking(now, k, machine, tasks)
    return True


@kernel
def slide_to(begin: int, now: int, one: int, tasks: Tasks) -> None:
    """Let a hold begin earlier."""
    booking = tasks.booked[one]
    booking.begin = begin
    write_slide(one, now, state.BY_RELEASE if booking.fresh > 0 else state.BY_ROOM, tasks)
    booking.fresh = 0


@kernel
def start_early(now: int, k: int, machine: Machine, tasks: Tasks) -> bool:
    """Start a booking before its hold where it fits and delays neither the head nor another hold; return whether it started."""
    world, one = machine.world, tasks.waiting[k]
    booking, clock, queue = tasks.booked[one], world.clock[0], world.queue
    if booking.processors > clock.free or booking.ready < 0 or bound_of(booking) > now:
        return False
    booking.state = state.SET_ASIDE  # its own hold must not be in its way
    show_holds(world, tasks)
    free_beside_holds(now, world, world.held)
    fits = fits_from(world.profile, now, booking.processors, booking.length)
    if fits and queue.bounds[FIRST] < queue.bounds[LAST]:
        reserve_beside(now, queue.jobs[queue.bounds[FIRST]], world)
        fits = now + booking.length <= clock.shadow or booking.processors <= clock.extra
    booking.state = state.HOLDS
    if fits:
        slide_to(now, now, one, tasks)
        start_booking(now, k, machine, tasks)
        clock.due = now
    else:
        show_holds(world, tasks)
    return fits
