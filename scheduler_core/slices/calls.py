"""Calls to a running cluster from outside: go on with jobs that come, predict, book, release."""

from typing import NamedTuple

import numpy as np

from scheduler_core.common.units import NEVER_US
from scheduler_core.kernel import profile
from scheduler_core.kernel.jit import kernel, kernel_entry, kernel_step
from scheduler_core.kernel.records import Record, records
from scheduler_core.slices.bookings import place_slot
from scheduler_core.slices.class_plan import plan_of
from scheduler_core.slices.class_queue import join_queue
from scheduler_core.slices.course import course_of, reading_at, slot_times
from scheduler_core.slices.event_loop import advance_clocks, follow, run_events
from scheduler_core.slices.frames import bound_of, keeps_slot, least_reading
from scheduler_core.slices.state import (
    ASKED,
    BOOKED,
    FINISHED,
    FOLLOWED_DONE,
    FREED,
    HELD_BACK,
    PAUSED,
    RUNNING,
    SUSPENDED,
    SWITCHING,
    TO_FOLLOW,
    UNFOLLOWED,
    Cluster,
)
from scheduler_core.slices.virtual_schedule import Search

COMING = np.dtype([*ASKED.descr, ("job", np.int64), ("followed", np.bool_)])
"""A job that was given and is not submitted yet: what it asks, its number, whether it is followed."""


class Coming(NamedTuple):
    """The jobs that were given and are not submitted yet, by submission, then number."""

    jobs: np.ndarray  # of COMING
    place: np.ndarray  # one entry: the next one to be submitted
    numbers: np.ndarray  # of the jobs that the cluster knows, by position


def no_jobs() -> Coming:
    """Return the jobs that come to a cluster that knows all jobs from the start: none."""
    return Coming(records(0, COMING), np.array([0]), np.zeros(0, np.int64))


class Frame(NamedTuple):
    """The time frame of a booking, in microseconds; ``ready`` is HELD_BACK until the job is released."""

    earliest: int
    expected: int
    latest: int
    ready: int
    pinned: bool


@kernel
def next_coming(coming: Coming) -> int:
    """Return when the next job is submitted that the cluster does not know."""
    place = coming.place[0]
    return coming.jobs[place].submit if place < len(coming.jobs) else NEVER_US


@kernel_step
def put_behind(cluster: Cluster, takes: Record, numbers: np.ndarray) -> int:
    """Put a job behind those that a cluster knows; return its position."""
    clock, job = cluster.clock, cluster.clock.known
    asks, state = cluster.asked[job], cluster.state[job]
    asks.submit, asks.work, asks.estimate = takes.submit, takes.work, takes.estimate
    asks.processors, asks.job_class = takes.processors, takes.job_class
    state.left, state.rest = takes.work, takes.estimate
    numbers[job] = takes.job
    clock.known += 1
    return job


@kernel_step
def make_known(cluster: Cluster, coming: Coming) -> None:
    """Put the jobs that are submitted next, all at one time, behind those that the cluster knows."""
    submit = next_coming(coming)
    while next_coming(coming) == submit:
        takes = coming.jobs[coming.place[0]]
        job = put_behind(cluster, takes, coming.numbers)
        cluster.state[job].booking = TO_FOLLOW if takes.followed else UNFOLLOWED
        coming.place[0] += 1


@kernel_entry
def go_on_with(
    cluster: Cluster, search: Search, coming: Coming, until: int, most: int, stops: bool, told: int
) -> tuple[int, int, int, int]:
    """Let a cluster go on up to a time, with the jobs that come; ``stops``: or until more than ``told`` followed jobs are done.

    Where no job comes, it goes on for ``most`` instants. Returns what :func:`~scheduler_core.slices.event_loop.run_events` comes
    back with, the time of the last instant, how many followed jobs are done, and how many jobs are present.
    """
    clock = cluster.clock
    clock.stops, clock.told = stops, told
    while True:
        if clock.next_arrival == clock.known and next_coming(coming) <= until:
            make_known(cluster, coming)
        limit = until
        if clock.next_arrival < clock.known and next_coming(coming) <= until:
            limit = min(until, cluster.asked[clock.next_arrival].submit)
        found = run_events(cluster, search, limit, most)
        if found == FOLLOWED_DONE:  # what comes later may have to stand behind a job that is booked now
            coming.place[0] -= clock.known - clock.next_arrival
            clock.known = clock.next_arrival
        if found not in (FINISHED, PAUSED) or next_coming(coming) > until:
            return found, clock.now, clock.ended, clock.present


@kernel_entry
def predict_slot(cluster: Cluster, processors: int, estimate: int, kind: int, time: int, now: int) -> tuple[int, int]:
    """Return when a job that starts at ``time`` at the earliest would start and finish by the slot that it would get now."""
    course = course_of(kind, now, True, cluster)
    begin = profile.earliest(plan_of(kind, cluster), reading_at(time, course), processors, estimate)
    return slot_times(begin, estimate, time, course)


@kernel_step
def come_to(now: int, cluster: Cluster) -> None:
    """Let time pass up to now, where nothing happens before; nothing but clocks change."""
    if now > cluster.clock.now:
        advance_clocks(now, cluster)


@kernel_entry
def book_job(cluster: Cluster, numbers: np.ndarray, takes: np.ndarray, now: int, frame: Frame) -> tuple[int, int, int]:
    """Book the job of one row of :data:`COMING`.

    Returns when it is predicted to start and to finish (NEVER_US where it has no slot, -1 where there was no row for one), and
    the place of its booking.
    """
    clock = cluster.clock
    if clock.slide_rows == len(cluster.rows.slides):
        return -1, -1, -1
    come_to(now, cluster)
    job = put_behind(cluster, takes[0], numbers)
    kind = cluster.asked[job].job_class
    clock.next_arrival += 1
    clock.present += 1
    clock.booked += 1
    join_queue(job, kind, cluster)
    follow(job, cluster)
    place = cluster.state[job].booking
    booking = cluster.bookings[place]
    booking.earliest, booking.expected = frame.earliest, frame.expected
    booking.latest, booking.ready = frame.latest, frame.ready
    booking.booked, booking.pinned, booking.least_clock, booking.freed = True, frame.pinned, 0, -1
    clock.wanted = now
    if frame.ready == HELD_BACK and bound_of(booking) < now:
        clock.lost += 1
        return NEVER_US, NEVER_US, place
    course = course_of(kind, now, True, cluster)
    least = reading_at(max(now, bound_of(booking)), course)
    booking.least, booking.kept = least, keeps_slot(place, cluster)
    place_slot(job, kind, least, BOOKED, course, cluster)
    row = cluster.rows.slides[clock.slide_rows - 1]
    return row.start, row.finish, place


@kernel_entry
def release_job(cluster: Cluster, place: int, now: int, ready: int, earliest: int) -> bool:
    """Release a booked job: its data arrive at ``ready``, and it must not start before ``earliest``.

    Returns whether there was a row for its slot.
    """
    clock, booking = cluster.clock, cluster.bookings[place]
    if clock.slide_rows == len(cluster.rows.slides):
        return False
    come_to(now, cluster)
    job = booking.job
    kind = cluster.asked[job].job_class
    booking.ready, booking.earliest, booking.freed = ready, earliest, now
    clock.wanted = now
    if cluster.state[job].reserved < 0:
        booking.pinned = False
        course = course_of(kind, now, True, cluster)
        place_slot(job, kind, least_reading(job, course, cluster), FREED, course, cluster)
    return True


@kernel_entry
def first_completion(cluster: Cluster, now: int) -> int:
    """Return a time before which no booked or followed job is done if none is booked or released meanwhile."""
    clock, found = cluster.clock, NEVER_US
    for k in range(clock.live):
        booking = cluster.bookings[cluster.bookings[k].live]
        state = cluster.state[booking.job]
        if state.status == RUNNING:
            found = min(found, state.end if state.end <= clock.slice_end else state.end + cluster.rules.switch)
            continue
        begin = max(now, clock.work_begin) if clock.phase == SWITCHING else now
        if state.status != SUSPENDED and booking.booked:
            if booking.ready == HELD_BACK:
                continue
            begin = max(begin, bound_of(booking))
        found = min(found, begin + state.left)
    return found
