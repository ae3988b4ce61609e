"""A machine that is stepped goes on: from instant to instant, jobs of its own in the event loop, bookings around it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scheduler_core.common.units import NEVER_US
from scheduler_core.kernel.jit import kernel, kernel_entry, kernel_step
from scheduler_core.space_sharing.bookings import (
    bound_of,
    bring_forward,
    follow,
    look_at_late,
    next_of_bookings,
    start_due,
)
from scheduler_core.space_sharing.stepped_state import (
    AT,
    BOOKED_RUN,
    CALLED,
    CAME_SO_FAR,
    CANDIDATE_KEY,
    COMING_CANDIDATE_KEY,
    COMING_ESTIMATE,
    COMING_FOLLOWED,
    COMING_JOB,
    COMING_KEY,
    COMING_RUN,
    COMING_SIZE,
    COMING_SUBMIT,
    COMING_TESTED,
    DONE,
    ESTIMATE,
    FOLLOWED_JOINED,
    FOLLOWED_PLACE,
    FOLLOWING,
    GIVEN_JOBS,
    KEY,
    KNOWN,
    LAST_INSTANT,
    NEEDS_HOLD,
    NEEDS_ROOM,
    NEXT_JOINED,
    NUMBER,
    READY,
    RUN,
    SIZE,
    SLIDES,
    START,
    SUBMIT,
    TAKEN,
    TESTED,
    TO_FOLLOW,
    UNPLACED,
    WAITING,
    Blocks,
    Parts,
    Tasks,
    next_event,
    parts_of,
    run_until,
)

if TYPE_CHECKING:
    import numpy as np


@kernel_entry
def go_on(machine: Blocks, tasks: Tasks, until: int, to_completion: bool, watched: int) -> int:
    """Let everything happen up to a time, or the first completion of a followed job, or the start of the job ``watched``.

    ``step[AT]`` says how far it came. What is returned says whether something must be done before it goes on from there.
    """
    parts, step = parts_of(machine), tasks.step
    step[DONE] = 0
    while not (to_completion and step[DONE] > 0) and not (watched >= 0 and parts.cluster.start[watched] >= 0):
        now = next_time(parts, tasks)
        if now > until:
            step[AT] = until
            break
        ends = instant(now, machine, parts, tasks)
        if ends != CAME_SO_FAR:
            return ends
    return CAME_SO_FAR


@kernel
def next_time(parts: Parts, tasks: Tasks) -> int:
    """Return the time of the next instant."""
    time = min(next_event(parts), next_of_bookings(tasks))
    if tasks.step[TAKEN] < tasks.step[GIVEN_JOBS]:
        time = min(time, tasks.coming[COMING_SUBMIT, tasks.step[TAKEN]])
    return time


@kernel
def instant(now: int, machine: Blocks, parts: Parts, tasks: Tasks) -> int:
    """Go through an instant, or as far as it goes until something must be done for it."""
    step, moved = tasks.step, True
    step[AT], step[LAST_INSTANT], step[CALLED] = now, now, 0
    take_submitted(now, machine, tasks)
    if step[WAITING] > 0:
        step[UNPLACED] = look_at_late(now, machine, tasks)
        if step[UNPLACED] >= 0:
            step[CALLED] = 1
            return NEEDS_HOLD
    while moved:
        if step[SLIDES] + 2 * step[WAITING] > tasks.slides.shape[1]:
            step[CALLED] = 1
            return NEEDS_ROOM
        run_until(parts, now)
        moved = False
        if step[WAITING] > 0:
            start_due(now, machine, tasks)
            moved = bring_forward(now, machine, tasks)
    if step[FOLLOWING] > 0:
        take_done(now, machine, tasks)
    return CAME_SO_FAR


@kernel_step
def take_submitted(now: int, machine: Blocks, tasks: Tasks) -> None:
    """Put the jobs that are submitted now behind those the event loop knows."""
    step, coming, times = tasks.step, tasks.coming, machine.times
    while step[TAKEN] < step[GIVEN_JOBS] and coming[COMING_SUBMIT, step[TAKEN]] <= now:
        one, place = step[TAKEN], step[KNOWN]
        times[NUMBER, place], times[SUBMIT, place] = coming[COMING_JOB, one], coming[COMING_SUBMIT, one]
        times[RUN, place], times[ESTIMATE, place] = coming[COMING_RUN, one], coming[COMING_ESTIMATE, one]
        times[TESTED, place], machine.places[SIZE, place] = coming[COMING_TESTED, one], coming[COMING_SIZE, one]
        times[KEY, place], times[CANDIDATE_KEY, place] = coming[COMING_KEY, one], coming[COMING_CANDIDATE_KEY, one]
        step[TAKEN] += 1
        step[KNOWN] += 1
        if coming[COMING_FOLLOWED, one] > 0:
            follow(place, step[NEXT_JOINED], tasks)
            step[NEXT_JOINED] += 1
            step[TO_FOLLOW] -= 1


@kernel_step
def take_done(now: int, machine: Blocks, tasks: Tasks) -> None:
    """Move the followed jobs that are done by now to the list of those."""
    step, followed, times, kept = tasks.step, tasks.followed, machine.times, 0
    for k in range(step[FOLLOWING]):
        place = followed[FOLLOWED_PLACE, k]
        if 0 <= times[START, place] <= now - times[RUN, place]:
            tasks.done[FOLLOWED_PLACE, step[DONE]] = place
            tasks.done[FOLLOWED_JOINED, step[DONE]] = followed[FOLLOWED_JOINED, k]
            step[DONE] += 1
        else:
            followed[FOLLOWED_PLACE, kept] = place
            followed[FOLLOWED_JOINED, kept] = followed[FOLLOWED_JOINED, k]
            kept += 1
    step[FOLLOWING] = kept


@kernel_entry
def first_completion(machine: Blocks, tasks: Tasks) -> int:
    """Return a time before which no followed job is done."""
    step, times, best = tasks.step, machine.times, NEVER_US
    now = max(step[AT], 0)
    for k in range(step[FOLLOWING]):
        place = tasks.followed[FOLLOWED_PLACE, k]
        start = times[START, place]
        best = min(best, (start if start >= 0 else now) + times[RUN, place])
    for k in range(step[WAITING]):
        one = tasks.waiting[k]
        if tasks.booked[READY, one] >= 0:
            best = min(best, max(now, bound_of(tasks.booked, one)) + tasks.booked[BOOKED_RUN, one])
    one = step[TAKEN]
    while step[TO_FOLLOW] > 0 and one < step[GIVEN_JOBS] and tasks.coming[COMING_SUBMIT, one] < best:
        if tasks.coming[COMING_FOLLOWED, one] > 0:
            best = min(best, tasks.coming[COMING_SUBMIT, one] + tasks.coming[COMING_RUN, one])
        one += 1
    return best


@kernel_entry
def insert_coming(job: np.ndarray, tasks: Tasks) -> None:
    """Put a job among those to come, by submission, then number."""
    coming, step = tasks.coming, tasks.step
    place = step[GIVEN_JOBS]
    while place > step[TAKEN] and (
        coming[COMING_SUBMIT, place - 1] > job[COMING_SUBMIT]
        or (coming[COMING_SUBMIT, place - 1] == job[COMING_SUBMIT] and coming[COMING_JOB, place - 1] > job[COMING_JOB])
    ):
        for row in range(len(job)):
            coming[row, place] = coming[row, place - 1]
        place -= 1
    for row in range(len(job)):
        coming[row, place] = job[row]
    step[GIVEN_JOBS] += 1
    step[TO_FOLLOW] += job[COMING_FOLLOWED]
