"""Bookings in slices: tasks of workflows in a class's queue and plan (Cao 2009, sections 4.4.5 and 4.6 to 4.9).

This page adds bookings to the docstring of ``pect``.
:mod:`scheduler_core.stepping.local_scheduler` defines bookings, frames and releases. Bookings need reservations that are kept
for all waiting jobs: conservative backfilling with ``guard``, without groups and searches. Other policies refuse bookings.
What is said here of slots that are reached or brought forward holds where ``reservations`` is ``rebooked``; a cluster without
bookings then does what ``pect`` says. :mod:`scheduler_core.slices.recalculation` says what the other rules change.

**A booked job** has its frame (``earliest``, ``expected``, ``latest``) and, once it is *released*, ``ready``; before that it
is *held back*. Its *bound* is max(``earliest``, ``expected``) while it is held back, then max(``earliest``, ``ready``). It
*may start* at time t if it is released and t >= bound; jobs that are not booked always may. It joins the queue of its class
when it is booked, behind all jobs that joined before (its position is its place in that order; the queue of the class is in
order of position), and is present from then on. Its *slot* is its reservation in the plan of its class. It is promised
nothing: it has no rows in ``promises``.

**The time a class gets.** At time t the interval in force goes as laid out. In every interval after it the slice of class c
works from its begin + o for w. With ``nominal="worst_case"``: for short jobs o = switch, w = ``short_slice_s``; for medium
ones o = 2 x switch + ``short_slice_s``; long slices end with the interval, o = T - w; w of these two is the least their
class can get (*Promised finish* in ``pect``). With ``nominal="mean"``, once an interval was laid out: w of the medium and
long class is floor(what its slices have been laid out to work so far, summed / intervals laid out so far), the interval in
force included; the long slice ends with the interval, the medium one a switch before it begins; for short jobs as above.
(Promises to jobs that are not booked go by the worst case all the same.) If no interval is in force at t, as no job is
present: where t is a multiple of T, the interval that begins at t is one of those to come; elsewhere the interval around t
goes as it would be laid out for a job that comes at t: without a short slice.

R(x), the *reading* at x, is what the clock of c shows at time x if the class gets that time (x <= t: what it shows at t).
P(y) is the time at which it comes to show y (*promised finish* with these o and w), P+(y) = P(y + 1) - 1 the time from which
its slices go on beyond y. A slot that begins at clock b is predicted to *start* at max(x, P+(b)) with x = max(t, bound), and
to *finish* at max(start + estimate, P(b + estimate)).

**Prediction** at x >= t of a size and an estimate: b is the earliest time of the plan, from R(x) on, at which the size is
free for the estimate; start and finish are those of a slot at b with this x. It is a bound only where x = t, nothing else
comes before, and ``nominal`` is ``worst_case``.

**Booking** at t: where no interval is in force and t is no multiple of T, the interval around t is laid out first, as for a
job that comes at t. The job joins its queue. Held back with bound < t it is set aside at once; else its slot is the earliest
time of the plan from R(max(t, bound)) on.

**Set aside.** A job that is held back and whose bound has passed (bound < t) is *set aside*: its slot is given back to the
plan, and it has none until it is released; it is pinned no longer. So the predecessors have the instant of its bound itself
to be done in.

**Release** at t: ``ready`` and ``earliest`` are noted. A job that is set aside gets a slot at once: the earliest time of the
plan from R(max(t, bound)) on. Other slots stay where they are; that of a job whose bound is later than it was is made anew
when it is reached.

**Instants.** Beside those of ``pect``: the times of bookings and releases (everything that is due then happens once more, in
the same order; the slots of several bookings and releases at one time are made one after the other before that); the bound
of a released job that waits; and the microsecond after the bound of a job that is held back and has a slot. At each instant,
between steps 1 and 2, waiting booked jobs are gone through, classes in the order short, medium, long, each in queue order:
one that is held back with bound < t is set aside; a class of which one was released at t, or is released and has its bound
at t, is brought forward in step 2 as if its plan had been given something.

**Brought forward.** As in ``pect``, except: a booked job never moves to a time before R(bound) as it is at t (nor before its
least clock, see sliding down); a pinned one and one that is set aside do not move.

**A pass** in the slice of class c, at clock v of c, time t. After started jobs run again and before own jobs start:

* waiting booked jobs of c whose slot is at v are gone through in queue order. One with bound > t has its slot made anew: the
  earliest time of the plan from R(bound) on, its own slot aside; it is pinned no longer. With
  ``slide_down_avoid_preemption`` one that may start and is not pinned waits for the next slice of its class if that saves a
  suspension and keeps its frame: let e be its estimate, l what is left of the slice, w as above; if e > l and ceil(e / w) -
  1 < ceil((e - l) / w), its slot becomes the earliest time of the plan, its own slot aside, from v + l on, provided that it
  is predicted to finish there by ``latest``. Its *least clock* is v + l from then on.
* If a slot was moved so, the reservations of c are brought forward.

Own jobs whose reservation is v start as in ``pect``. One that is held back with bound = t does not: its slot stays until the
next microsecond. With ``slide_down_backfill``, then: for each waiting job j of c in queue order that may start, with
estimate e, each other waiting booked job k of c that is not pinned and whose slot begins before v + e is tried in queue
order. If, the slots of both aside, the size of j is free from v on for e, and with it taken the earliest time of the plan
for k, from the latest of v, R(bound) and its least clock on, is later than its slot and predicted to finish by its
``latest``, then k slides there and j starts; else all stays as it was. The plan has been given what j's reservation had.

Smart backfilling starts booked jobs only if they may start, lends as in ``pect`` else.

**Short jobs.** When an interval is laid out, a booked short job that waits asks for a short slice, and counts in *need*,
only if it has a slot and its bound lies before the end of the interval.

**Slides** are written down, one each time a slot is placed or moved, with start and finish as predicted then (a bringing
forward writes one for each job that it moved, in queue order, when it is over): ``booked``;
``freed``: brought forward at the time of its own release or bound, or placed after it had been set aside; ``room``: brought
forward at other instants; ``not_ready``: made anew; ``slid_down``. ``lost_slots`` counts slots made anew as they were
reached, and jobs set aside.

Choices made here: the thesis gives no rule for a slot whose time has come before its task may start (other jobs may use the
room at once), and describes both ways of sliding down in a sentence and a picture each (Figures 13 and 14). A held-back job
waits for the time that was booked until all its predecessors have finished, even if some finished early. A booked short job asks
for a short slice if its bound lies in the interval. Booked jobs may run in slices of any other class, short ones included, as
other jobs do; section 5.1 says in passing that tasks "only occupy long and mediums slices".
"""

from scheduler_core.common.units import NEVER_US
from scheduler_core.kernel import profile
from scheduler_core.kernel.jit import kernel, kernel_step
from scheduler_core.slices.class_plan import (
    bring_forward,
    cancel_reservation,
    change_plan,
    give_back,
    plan_of,
    reserve_at,
    reserve_from,
)
from scheduler_core.slices.class_queue import first_in_queue, next_in_queue
from scheduler_core.slices.course import Course, course_of, slot_times
from scheduler_core.slices.frames import bound_of, held_until, least_reading, may_start, waits_booked, write_slide
from scheduler_core.slices.lend import overtakes
from scheduler_core.slices.own_jobs import note_next_reservation
from scheduler_core.slices.state import CLASSES, HELD_BACK, NOT_READY, SLID_DOWN, WAITING, Cluster
from scheduler_core.slices.stretches import start


@kernel_step
def place_slot(job: int, kind: int, least: int, cause: int, course: Course, cluster: Cluster) -> None:
    """Make a booked job's slot at the earliest time of the plan from a reading on, and write it down."""
    reserve_from(least, job, kind, cluster)
    write_slide(job, cause, course, cluster)


@kernel_step
def attend_bounds(cluster: Cluster) -> None:
    """Set late jobs aside; mark the classes with a job released now, or at its bound, to be brought forward."""
    clock = cluster.clock
    for kind in range(CLASSES):
        for k in range(clock.live):
            if not waits_booked(cluster.bookings[k].live, kind, cluster):
                continue
            booking = cluster.bookings[cluster.bookings[k].live]
            job, bound = booking.job, bound_of(booking)
            if booking.ready == HELD_BACK:
                if cluster.state[job].reserved >= 0 and held_until(booking, cluster) < clock.now:
                    set_aside(job, kind, cluster)
                continue
            if bound == clock.now:
                booking.freed = clock.now
            if booking.freed == clock.now:
                cluster.classes[kind].given = True


@kernel
def set_aside(job: int, kind: int, cluster: Cluster) -> None:
    """Take a booked job's slot out of the plan: its bound has passed while it was held back."""
    asked, reserved = cluster.asked[job], cluster.state[job].reserved
    begin = max(reserved, cluster.classes[kind].clock)
    give_back(kind, begin, reserved + asked.estimate, asked.processors, cluster)
    cluster.state[job].reserved = -1
    cluster.clock.lost += 1


@kernel_step
def note_next_bound(cluster: Cluster) -> None:
    """Find out when a booking asks for an instant next."""
    clock = cluster.clock
    clock.wanted = NEVER_US
    for k in range(clock.live if clock.booked > 0 else 0):
        booking = cluster.bookings[cluster.bookings[k].live]
        state = cluster.state[booking.job]
        if not booking.booked or state.status != WAITING:
            continue
        bound = bound_of(booking)
        if booking.ready == HELD_BACK:
            if state.reserved >= 0:
                clock.wanted = min(clock.wanted, held_until(booking, cluster) + 1)
        elif bound > clock.now:
            clock.wanted = min(clock.wanted, bound)


@kernel_step
def attend_slots(cluster: Cluster) -> None:
    """Move slots of the slice's class that are reached now but cannot be used; then bring its reservations forward."""
    clock, kind = cluster.clock, cluster.clock.slice
    reading, moved = cluster.classes[kind].clock, False
    course = course_of(kind, clock.now, True, cluster)
    for k in range(clock.live):
        if not waits_booked(cluster.bookings[k].live, kind, cluster):
            continue
        booking = cluster.bookings[cluster.bookings[k].live]
        job = booking.job
        if cluster.state[job].reserved != reading:
            continue
        if bound_of(booking) > clock.now:
            cancel_reservation(job, kind, cluster)
            booking.pinned = False
            place_slot(job, kind, least_reading(job, course, cluster), NOT_READY, course, cluster)
            clock.lost += 1
            moved = True
        elif cluster.rules.slide_preemption and not booking.pinned and booking.ready != HELD_BACK:
            moved = avoid_preemption(job, kind, course, cluster) or moved
    if moved:
        bring_forward(kind, cluster)


@kernel_step
def avoid_preemption(job: int, kind: int, course: Course, cluster: Cluster) -> bool:
    """Let a booked job whose slot is now wait for its class's next slice if that saves a suspension and keeps its frame."""
    clock, asked = cluster.clock, cluster.asked[job]
    left, share = clock.slice_end - clock.now, course.share
    if asked.estimate <= left or -(-asked.estimate // share) - 1 >= -(-(asked.estimate - left) // share):
        return False
    reading, plan = cluster.classes[kind].clock, plan_of(kind, cluster)
    cancel_reservation(job, kind, cluster)
    begin = profile.earliest(plan, reading + left, asked.processors, asked.estimate)
    _, finish = slot_times(begin, asked.estimate, clock.now, course)
    booking = cluster.bookings[cluster.state[job].booking]
    slides = finish <= booking.latest
    reserve_at(begin if slides else reading, job, kind, cluster)
    if slides:
        booking.least_clock = reading + left
        write_slide(job, SLID_DOWN, course, cluster)
    return slides


@kernel_step
def slide_down(cluster: Cluster) -> None:
    """Let booked jobs of the slice's class make room for waiting ones that can start then, within their frames."""
    clock, kind = cluster.clock, cluster.clock.slice
    reading = cluster.classes[kind].clock
    course = course_of(kind, clock.now, True, cluster)
    job = first_in_queue(kind, cluster)
    while job >= 0:
        after = next_in_queue(job, kind, cluster)
        if cluster.state[job].reserved > reading and may_start(job, cluster):
            for k in range(clock.live):
                place = cluster.bookings[k].live
                if waits_booked(place, kind, cluster) and makes_room(place, job, kind, course, cluster):
                    cluster.classes[kind].given = True
                    cluster.counters.backfilled += overtakes(job, kind, cluster)
                    start(job, kind, cluster)
                    break
        job = after
    note_next_reservation(kind, cluster)


@kernel_step
def makes_room(place: int, job: int, kind: int, course: Course, cluster: Cluster) -> bool:
    """Slide a booked job's slot to a later time if another job of its class fits now without it; return whether it did.

    The other job then has its processors of the plan from now on.
    """
    booking, asked, clock = cluster.bookings[place], cluster.asked[job], cluster.classes[kind].clock
    other, slot, own = booking.job, cluster.state[booking.job].reserved, cluster.state[job].reserved
    if other == job or booking.pinned or slot < 0 or slot >= clock + asked.estimate:
        return False
    moving, plan = cluster.asked[other], plan_of(kind, cluster)
    cancel_reservation(other, kind, cluster)
    cancel_reservation(job, kind, cluster)
    begin, finish = -1, NEVER_US
    fits = profile.fits_from(plan, clock, asked.processors, asked.estimate)
    if fits:
        change_plan(kind, clock, clock + asked.estimate, -asked.processors, cluster)
        least = max(clock, least_reading(other, course, cluster))
        begin = profile.earliest(plan, least, moving.processors, moving.estimate)
        time = max(cluster.clock.now, bound_of(booking))
        _, finish = slot_times(begin, moving.estimate, time, course)
    slides = begin > slot and finish <= booking.latest
    if slides:
        reserve_at(begin, other, kind, cluster)
        cluster.state[job].reserved = clock
        write_slide(other, SLID_DOWN, course, cluster)
    else:
        if fits:
            change_plan(kind, clock, clock + asked.estimate, asked.processors, cluster)
        reserve_at(slot, other, kind, cluster)
        reserve_at(own, job, kind, cluster)
    return slides
