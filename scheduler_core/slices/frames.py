"""Frames of booked jobs: their bounds, whether they may start, and the times of their slots (see ``bookings.py``)."""

from scheduler_core.common.units import NEVER_US
from scheduler_core.kernel.jit import kernel, kernel_step
from scheduler_core.kernel.records import Record
from scheduler_core.slices.course import Course, reading_at, slot_times
from scheduler_core.slices.state import FREED, HELD_BACK, ROOM, WAITING, Cluster


@kernel
def bound_of(booking: Record) -> int:
    """Return the time before which a booked job must not start, as far as is known."""
    return max(booking.earliest, booking.expected if booking.ready == HELD_BACK else booking.ready)


@kernel
def keeps_slot(place: int, cluster: Cluster) -> bool:
    """Return whether the slot of a booking is kept free for its job (see ``recalculation.py``)."""
    return cluster.rules.keeps and cluster.bookings[place].latest >= cluster.clock.now


@kernel
def held_until(booking: Record, cluster: Cluster) -> int:
    """Return the last time at which a booked job that is held back has its slot."""
    bound = bound_of(booking)
    return max(bound, booking.latest) if cluster.rules.keeps else bound


@kernel
def is_booked(job: int, cluster: Cluster) -> bool:
    """Return whether a job is booked."""
    place = cluster.state[job].booking
    return place >= 0 and cluster.bookings[place].booked


@kernel_step
def may_start(job: int, cluster: Cluster) -> bool:
    """Return whether a job may start now as far as its frame goes."""
    if not is_booked(job, cluster):
        return True
    booking = cluster.bookings[cluster.state[job].booking]
    return booking.ready != HELD_BACK and bound_of(booking) <= cluster.clock.now


@kernel
def waits_booked(place: int, kind: int, cluster: Cluster) -> bool:
    """Return whether the job of a booking is a waiting booked one of a class."""
    booking = cluster.bookings[place]
    return (
        booking.booked and cluster.state[booking.job].status == WAITING and cluster.asked[booking.job].job_class == kind
    )


@kernel_step
def asks_for_a_slice(job: int, cluster: Cluster) -> bool:
    """Return whether a waiting short job asks for a short slice in the interval that is being laid out."""
    if not is_booked(job, cluster):
        return True
    bound = bound_of(cluster.bookings[cluster.state[job].booking])
    return cluster.state[job].reserved >= 0 and bound < cluster.clock.interval_end


@kernel_step
def least_reading(job: int, course: Course, cluster: Cluster) -> int:
    """Return the class clock before which a booked job's slot must not be, now that its class goes on as ``course`` says."""
    booking = cluster.bookings[cluster.state[job].booking]
    return max(reading_at(max(cluster.clock.now, bound_of(booking)), course), booking.least_clock)


@kernel_step
def slides_from(job: int, clock: int, course: Course, cluster: Cluster) -> int:
    """Return the class clock before which a job is not brought forward that is booked or followed; NEVER_US if it stays.

    ``clock`` is what its class's clock shows now.
    """
    booking = cluster.bookings[cluster.state[job].booking]
    if not booking.booked:
        return clock
    if booking.pinned or cluster.state[job].reserved < 0:
        return NEVER_US
    return least_reading(job, course, cluster)


@kernel_step
def write_slide(job: int, cause: int, course: Course, cluster: Cluster) -> None:
    """Write down where a booked job's slot is now."""
    clock, state = cluster.clock, cluster.state[job]
    time = max(clock.now, bound_of(cluster.bookings[state.booking]))
    row = cluster.rows.slides[clock.slide_rows]
    row.job, row.at, row.cause = job, clock.now, cause
    begin = max(state.reserved, reading_at(time, course)) if cluster.rules.keeps else state.reserved
    row.start, row.finish = slot_times(begin, cluster.asked[job].estimate, time, course)
    clock.slide_rows += 1


@kernel_step
def write_moved(kind: int, course: Course, cluster: Cluster) -> None:
    """Write down the slots of a class that were brought forward."""
    for k in range(cluster.clock.live):
        place = cluster.bookings[k].live
        booking = cluster.bookings[place]
        if booking.moved and waits_booked(place, kind, cluster):
            booking.moved = False
            write_slide(booking.job, FREED if booking.freed == cluster.clock.now else ROOM, course, cluster)
