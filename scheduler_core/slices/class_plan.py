"""The plan of a class: how many processors are free when, on the class's own clock, and the reservations in it."""

from scheduler_core.kernel import profile
from scheduler_core.kernel.jit import kernel, kernel_step
from scheduler_core.kernel.profile import LAST, Profile, step_at
from scheduler_core.slices.class_queue import first_in_queue, next_in_queue
from scheduler_core.slices.course import Course, course_of
from scheduler_core.slices.frames import slides_from, write_moved
from scheduler_core.slices.state import CONSERVATIVE, FIRST_FIT, Cluster


@kernel
def plan_of(kind: int, cluster: Cluster) -> Profile:
    """Return the plan of a class."""
    return Profile(cluster.plans[kind, 0], cluster.plans[kind, 1], cluster.bounds[kind])


@kernel_step
def change_plan(kind: int, begin: int, end: int, processors: int, cluster: Cluster) -> None:
    """Give processors to the plan of a class from ``begin`` until ``end`` on its clock (negative: take them)."""
    profile.add(plan_of(kind, cluster), begin, end, processors)


@kernel
def give_back(kind: int, begin: int, end: int, processors: int, cluster: Cluster) -> None:
    """Return to the plan what a job no longer needs; note that reservations may move."""
    if end > begin:
        change_plan(kind, begin, end, processors, cluster)
        cluster.classes[kind].given = True


@kernel
def keeps_all(kind: int, cluster: Cluster) -> bool:
    """Return whether every waiting job of a class has a reservation."""
    return cluster.rules.backfilling == CONSERVATIVE or cluster.classes[kind].group > 0


@kernel
def keeps_first(kind: int, cluster: Cluster) -> bool:
    """Return whether the first waiting job of a class has a reservation."""
    return cluster.rules.backfilling != FIRST_FIT or cluster.classes[kind].group > 0


@kernel
def reserve(job: int, kind: int, cluster: Cluster) -> None:
    """Reserve the earliest time of the plan for a job."""
    reserve_from(cluster.classes[kind].clock, job, kind, cluster)


@kernel_step
def reserve_from(least: int, job: int, kind: int, cluster: Cluster) -> None:
    """Reserve for a job the earliest time of the plan that is not before a reading of its class's clock."""
    asked = cluster.asked[job]
    reserve_at(profile.earliest(plan_of(kind, cluster), least, asked.processors, asked.estimate), job, kind, cluster)


@kernel
def reserve_at(begin: int, job: int, kind: int, cluster: Cluster) -> None:
    """Reserve for a job a time at which the plan has room for it."""
    asked = cluster.asked[job]
    change_plan(kind, begin, begin + asked.estimate, -asked.processors, cluster)
    cluster.state[job].reserved = begin


@kernel
def move_reservation(job: int, kind: int, begin: int, cluster: Cluster) -> None:
    """Move a job's reservation to another time, at which its plan has room for it."""
    asked, reserved = cluster.asked[job], cluster.state[job].reserved
    change_plan(kind, reserved, reserved + asked.estimate, asked.processors, cluster)
    reserve_at(begin, job, kind, cluster)


@kernel
def cancel_reservation(job: int, kind: int, cluster: Cluster) -> None:
    """Cancel a job's reservation, if it has one; the clock may be past its begin."""
    asked, begin = cluster.asked[job], cluster.state[job].reserved
    if begin >= 0:
        left = max(begin, cluster.classes[kind].clock)
        change_plan(kind, left, begin + asked.estimate, asked.processors, cluster)
        cluster.state[job].reserved = -1


@kernel_step
def cancel_all(kind: int, cluster: Cluster) -> None:
    """Cancel all reservations of a class."""
    job = first_in_queue(kind, cluster)
    while job >= 0:
        cancel_reservation(job, kind, cluster)
        job = next_in_queue(job, kind, cluster)


@kernel_step
def reserve_all(kind: int, cluster: Cluster) -> None:
    """Make the reservations of a class from nothing, in queue order."""
    job = first_in_queue(kind, cluster) if keeps_first(kind, cluster) else -1
    while job >= 0:
        reserve(job, kind, cluster)
        if not keeps_all(kind, cluster):
            break
        job = next_in_queue(job, kind, cluster)


@kernel_step
def bring_forward(kind: int, cluster: Cluster) -> None:
    """Move each reservation of a class, in queue order, to the earliest time it can: its plan was given processors."""
    cluster.classes[kind].given = False
    if not (keeps_all(kind, cluster) and cluster.rules.guard):
        cancel_all(kind, cluster)
        reserve_all(kind, cluster)
        return
    plan, clock = plan_of(kind, cluster), cluster.classes[kind].clock
    booked = cluster.clock.booked > 0
    course = course_of(kind, cluster.clock.now, True, cluster) if booked else Course(0, 0, 0, 0, 0, 0, 0)
    moved = True
    while moved:
        moved = False
        job = first_in_queue(kind, cluster)
        while job >= 0:
            asked, reserved = cluster.asked[job], cluster.state[job].reserved
            booking = cluster.state[job].booking
            least = clock if booking < 0 else slides_from(job, clock, course, cluster)
            begin = profile.earlier(plan, least, asked.processors, asked.estimate, reserved)
            if begin < reserved:
                move_reservation(job, kind, begin, cluster)
                moved = True
                if booking >= 0:
                    cluster.bookings[booking].moved = True
            job = next_in_queue(job, kind, cluster)
    if booked:
        write_moved(kind, course, cluster)


@kernel_step
def delays_no_reservation(job: int, kind: int, cluster: Cluster) -> bool:
    """Return whether a job's size is free in its class's plan from now on for its estimate, its own reservation aside."""
    asked, begin = cluster.asked[job], cluster.classes[kind].clock
    own_begin = cluster.state[job].reserved
    own_end = own_begin + asked.estimate
    plan, end = plan_of(kind, cluster), begin + asked.estimate
    times, free, last = plan.times, plan.free, plan.bounds[LAST]
    step = step_at(plan, begin)
    while step < last and times[step] < end:
        low = max(times[step], begin)
        high = min(times[step + 1], end) if step + 1 < last else end
        aside = asked.processors if own_begin >= 0 and own_begin <= low and high <= own_end else 0
        if free[step] + aside < asked.processors:
            return False
        step += 1
    return True
