"""Reservations and slots that are made anew at every instant (Cao 2009, sections 4.1 and 4.4.5).

This page changes what :mod:`~scheduler_core.slices.bookings` says of clusters whose rule for ``reservations`` is not
``rebooked``. Nothing is promised to any job there, booked or not: ``promises`` has no rows. This holds without bookings, too, so
that the cluster is no longer the policy ``pect``, which never moves a reservation to a later time.

**Recalculated.** In step 2 of every instant nothing is brought forward. Instead all reservations and slots of each class, in the
order short, medium, long, are cancelled and made anew in queue order: a waiting job gets the earliest time of the plan that the
jobs before it leave, from the clock of its class on, or from R(bound) on if it is booked. A job that is set aside gets none. A
booked job keeps its place in the order of submission, even if its slot moves. The time before its bound is free for other jobs.

**Kept.** As recalculated, except that a slot is *kept* as long as t <= ``latest``. Step 2 has three parts for each class.
First, in queue order, each kept slot stays or moves on with the clock: it gets the earliest time that the kept slots before
it leave, from its begin on, or from the clock of its class if that is later. Second, the other waiting jobs get theirs as
above. Third, in queue order, each kept slot that is not pinned moves to the earliest time, from R(bound) on, that the plan
has with all others in place, if that is earlier. If one moved, the jobs of the second part are cancelled, and the second and
the third part follow again. A job with a kept slot is not set aside: its slot waits for it at the clock, and its processors
idle. Once it may start it starts there. From the first instant with t > ``latest`` on it is a job like the others, and is set
aside if it is held back past its bound. Instead of the microsecond after the bound of a job that is held back and has a slot,
there is an instant in the microsecond after the later of its bound and ``latest``.

In both, the first step of a pass in :mod:`~scheduler_core.slices.bookings` (slots that are reached in vain are made anew, jobs
wait for the next slice) and ``slide_down_backfill`` are left out.

**Slides**: one for each booked job whose slot begins at another time of the clock when step 2 is over for its class, in the order
in which the jobs were booked. Its cause is ``freed`` at the time of its release or of its bound after that; else ``recalculated``
if the slot moved to a later time, and ``room`` if to an earlier one. A kept slot that began before the clock and begins at the
clock now is not written down. If the clock reaches a kept slot before the bound, start and finish are predicted as of a slot that
begins at R(bound).

Choices made here. ``recalculated``: a task is submitted when it is booked. Section 4.1 "allows a reserved job to be scheduled
after its earliest start time, which means the job may run later than some other jobs even though it is submitted before those
jobs": its earliest start holds it back, and its place in the order stays. That plans are made anew is inferred from the group
optimiser of the same simulator, where "Recalculation is done at each point of time" (Kanavallil 2007, 6.3.2); it gives up
that a response is "never worse than the predicted" (section 3). ``kept``: "guaranteed availability of resources" (4.5), up to
the latest finish, past which tasks are "processed as normal jobs" (4.2). No sentence says that processors idle for a task
that is not ready, or that kept slots go before jobs that were submitted earlier. Neither does one say that a job that is held
back past its bound is set aside, so that those behind it use the room. Plans are made anew once in an instant, before an
interval is laid out, and then hold for bookings and for jobs that start in another class's slice. A kept slot is as long as the
estimate, in time of its class, and slides up to any room that the plan promises.

**Cost.** Made anew from an equal plan, reservations stay where they are: each job fits where it was, and found nothing earlier.
Jobs that start as reserved, come, or are booked leave that so. So a class is skipped unless its plan was given something, or a
booked job must look elsewhere (:func:`first_that_moves`). A kept slot that goes along with the clock moves no other if the plan
has room for it. Jobs before the first that must look elsewhere stay, if no slots are kept. With q waiting jobs, an instant
costs O(live bookings). A class that is made anew costs O(q x steps of the plan) more, at the end of most slices and at releases
and bounds.
"""

from scheduler_core.kernel import profile
from scheduler_core.kernel.jit import kernel, kernel_step
from scheduler_core.slices.class_plan import (
    cancel_reservation,
    change_plan,
    move_reservation,
    plan_of,
    reserve,
    reserve_from,
)
from scheduler_core.slices.class_queue import first_in_queue, next_in_queue
from scheduler_core.slices.course import Course, course_of
from scheduler_core.slices.frames import is_booked, keeps_slot, least_reading, waits_booked, write_slide
from scheduler_core.slices.state import FREED, RECALCULATED, ROOM, Cluster


@kernel_step
def recalculate(kind: int, cluster: Cluster) -> None:
    """Make the reservations and slots of a class anew, from the first on that may change."""
    booked = cluster.clock.booked > 0
    course = course_of(kind, cluster.clock.now, True, cluster) if booked else Course(0, 0, 0, 0, 0, 0, 0)
    first = first_in_queue(kind, cluster)
    if not cluster.classes[kind].given:
        mover = first_that_moves(kind, course, cluster)
        if mover < 0:
            return
        if not cluster.rules.keeps:
            first = mover
    cluster.classes[kind].given = False
    note_slots(kind, cluster)
    cancel_slots(first, kind, False, cluster)
    if booked and cluster.rules.keeps:
        keep_slots(kind, cluster)
    reserve_in_order(first, kind, course, cluster)
    while booked and cluster.rules.keeps and slide_kept_slots(kind, course, cluster):
        cancel_slots(first, kind, True, cluster)
        reserve_in_order(first, kind, course, cluster)
    if booked:
        write_changed(kind, course, cluster)


@kernel_step
def first_that_moves(kind: int, course: Course, cluster: Cluster) -> int:
    """Return the first job in queue order whose slot may move though its class's plan was given nothing; -1: none.

    A slot stays that is not before its least reading, if it was looked for from that reading or an earlier one. One that is kept
    may be before its least reading, but not before the clock; a pinned one does not look for an earlier time.
    """
    for k in range(cluster.clock.live):
        place = cluster.bookings[k].live
        if not waits_booked(place, kind, cluster):
            continue
        booking = cluster.bookings[place]
        reserved = cluster.state[booking.job].reserved
        if reserved < 0:
            continue
        least, kept = least_reading(booking.job, course, cluster), keeps_slot(place, cluster)
        if kept and booking.kept and goes_along(booking.job, kind, cluster):
            continue
        begins_late = reserved >= (cluster.classes[kind].clock if kept else least)
        looked = least >= booking.least or (kept and booking.pinned)
        if kept != booking.kept or not (begins_late and looked):
            return int(booking.job)
    return -1


@kernel_step
def goes_along(job: int, kind: int, cluster: Cluster) -> bool:
    """Let a kept slot that the clock has passed go along with it if the plan has room for that, and no other moves.

    Return whether it went along. The plan only shrinks, so that others find nothing earlier.
    """
    asked, clock, reserved = cluster.asked[job], cluster.classes[kind].clock, cluster.state[job].reserved
    if reserved >= clock:
        return False
    end = clock + asked.estimate
    begin = max(clock, reserved + asked.estimate)
    if not profile.fits_from(plan_of(kind, cluster), begin, asked.processors, end - begin):
        return False
    change_plan(kind, begin, end, -asked.processors, cluster)
    cluster.state[job].reserved = clock
    return True


@kernel_step
def note_slots(kind: int, cluster: Cluster) -> None:
    """Note where the slots of the waiting booked jobs of a class begin, and which are kept."""
    for k in range(cluster.clock.live):
        place = cluster.bookings[k].live
        if waits_booked(place, kind, cluster):
            cluster.bookings[place].before = cluster.state[cluster.bookings[place].job].reserved
            cluster.bookings[place].kept = keeps_slot(place, cluster)


@kernel
def is_kept(job: int, cluster: Cluster) -> bool:
    """Return whether a waiting job has a slot that is kept free for it."""
    place = cluster.state[job].booking
    return is_booked(job, cluster) and cluster.bookings[place].before >= 0 and keeps_slot(place, cluster)


@kernel_step
def cancel_slots(first: int, kind: int, but_kept: bool, cluster: Cluster) -> None:
    """Cancel what the waiting jobs of a class have of its plan, from a job on; ``but_kept`` without the slots that are kept."""
    job = first
    while job >= 0:
        if not (but_kept and is_kept(job, cluster)):
            cancel_reservation(job, kind, cluster)
        job = next_in_queue(job, kind, cluster)


@kernel_step
def keep_slots(kind: int, cluster: Cluster) -> None:
    """Put kept slots back where they were, or on to the clock."""
    clock = cluster.classes[kind].clock
    job = first_in_queue(kind, cluster)
    while job >= 0:
        if is_kept(job, cluster):
            before = cluster.bookings[cluster.state[job].booking].before
            reserve_from(max(before, clock), job, kind, cluster)
        job = next_in_queue(job, kind, cluster)


@kernel_step
def reserve_in_order(first: int, kind: int, course: Course, cluster: Cluster) -> None:
    """Give every waiting job from one on that has no slot and is not set aside its reservation, in queue order."""
    job = first
    while job >= 0:
        if not is_booked(job, cluster):
            reserve(job, kind, cluster)
        elif cluster.state[job].reserved < 0 and cluster.bookings[cluster.state[job].booking].before >= 0:
            look_from(least_reading(job, course, cluster), job, kind, cluster)
        job = next_in_queue(job, kind, cluster)


@kernel_step
def look_from(least: int, job: int, kind: int, cluster: Cluster) -> None:
    """Give a booked job the earliest slot from a reading of its class's clock on; note the reading."""
    cluster.bookings[cluster.state[job].booking].least = least
    reserve_from(least, job, kind, cluster)


@kernel_step
def slide_kept_slots(kind: int, course: Course, cluster: Cluster) -> bool:
    """Move kept slots up where the plan has room for them; return whether one moved."""
    plan, moved = plan_of(kind, cluster), False
    job = first_in_queue(kind, cluster)
    while job >= 0:
        if is_kept(job, cluster) and not cluster.bookings[cluster.state[job].booking].pinned:
            asked, reserved = cluster.asked[job], cluster.state[job].reserved
            least = least_reading(job, course, cluster)
            cluster.bookings[cluster.state[job].booking].least = least
            begin = profile.earlier(plan, least, asked.processors, asked.estimate, reserved)
            if begin < reserved:
                move_reservation(job, kind, begin, cluster)
                moved = True
        job = next_in_queue(job, kind, cluster)
    return moved


@kernel_step
def write_changed(kind: int, course: Course, cluster: Cluster) -> None:
    """Write down the slots of a class that begin elsewhere now."""
    now, clock = cluster.clock.now, cluster.classes[kind].clock
    for k in range(cluster.clock.live):
        place = cluster.bookings[k].live
        if not waits_booked(place, kind, cluster):
            continue
        booking = cluster.bookings[place]
        before, reserved = booking.before, cluster.state[booking.job].reserved
        waits_on = before < clock and reserved == clock
        if reserved == before or (waits_on and keeps_slot(place, cluster)):
            continue
        cause = RECALCULATED if reserved > before else ROOM
        write_slide(booking.job, FREED if booking.freed == now else cause, course, cluster)
