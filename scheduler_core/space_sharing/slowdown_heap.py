"""The queue by slowdown so far as a kinetic heap, for passes that look at nothing but its head.

A job's slowdown grows with time as a line of slope 1 / estimate, so two jobs change places at most once. Every place of the heap
knows until when the order in and below it holds surely (``queue.key``, by place). A pass puts those places in order whose time is
over, and touches no others. So a pass costs the logarithm of the queue's length, and the queue's length only where that many
jobs change places.

The order is that of the slowdowns as double-precision numbers, ties by position, as sorting in every pass would make it. Rounding
keeps the order of two numbers or makes them equal; so wherever two slowdowns are closer than ``CLEAR``, or may soon be, the order
is looked at again in the next pass.
"""

from scheduler_core.common.units import NEVER_US
from scheduler_core.kernel.jit import kernel, kernel_step
from scheduler_core.kernel.queue import FIRST, LAST, Queue
from scheduler_core.space_sharing.state import Jobs

CLEAR = 2.0**-46
"""Relative difference from which rounding cannot matter: a hundred times the error of the arithmetic here."""

FAR_US = 1e18
"""Beyond every run, and within int64."""


@kernel
def slowdown(now: int, job: int, jobs: Jobs) -> float:
    """Return (wait so far + estimate) / estimate."""
    return (now - jobs.submit[job] + jobs.estimate[job]) / jobs.estimate[job]


@kernel
def is_ahead(now: int, job: int, other: int, jobs: Jobs) -> bool:
    """Return whether a job comes before another."""
    own, others = slowdown(now, job, jobs), slowdown(now, other, jobs)
    return own > others or (own == others and job < other)


@kernel
def holds_until(now: int, job: int, own: float, other: int, jobs: Jobs) -> int:
    """Return until when a job, of slowdown ``own``, surely comes before another; a time before ``now`` if not even now."""
    first, second, others = jobs.estimate[job], jobs.estimate[other], slowdown(now, other, jobs)
    if first == second:
        return NEVER_US if job < other else now - 1
    if others > own or (others == own and other < job):
        return now - 1
    if own - others <= CLEAR * own:
        return now
    if first < second:
        return NEVER_US
    ratio = second / (first - second)
    earlier = jobs.submit[other] - jobs.submit[job]
    passed = ratio * earlier  # from the other's submission to the crossing
    margin = 1.0 + CLEAR * (1.0 + ratio) * (passed + earlier + first)
    return max(now, jobs.submit[other] + int(min(max(passed - margin, -FAR_US), FAR_US)))


@kernel_step
def write_until(now: int, place: int, queue: Queue, jobs: Jobs) -> None:
    """Write until when the order in and below a place holds."""
    job, until = queue.jobs[place], NEVER_US
    own = slowdown(now, job, jobs)
    for below in range(2 * place + 1, min(2 * place + 3, queue.bounds[LAST])):
        until = min(until, queue.key[below], holds_until(now, job, own, queue.jobs[below], jobs))
    queue.key[place] = until


@kernel_step
def write_upwards(now: int, place: int, top: int, queue: Queue, jobs: Jobs) -> None:
    """Write until when the order holds in a place and those above it, up to ``top``."""
    while place > top:
        write_until(now, place, queue, jobs)
        place = (place - 1) >> 1
    write_until(now, top, queue, jobs)


@kernel_step
def sink(now: int, job: int, top: int, queue: Queue, jobs: Jobs) -> None:
    """Put a job into the heap below ``top``, whose own place is free."""
    waiting, count, place = queue.jobs, queue.bounds[LAST], top
    while True:
        below = 2 * place + 1
        if below >= count:
            break
        if below + 1 < count and is_ahead(now, waiting[below + 1], waiting[below], jobs):
            below += 1
        if is_ahead(now, job, waiting[below], jobs):
            break
        waiting[place] = waiting[below]
        place = below
    waiting[place] = job
    write_upwards(now, place, top, queue, jobs)


@kernel_step
def push(now: int, job: int, queue: Queue, jobs: Jobs) -> None:
    """Put a job into the queue."""
    waiting, until, last = queue.jobs, queue.key, queue.bounds[LAST]
    queue.bounds[LAST] = last + 1
    place = last
    while place > 0 and is_ahead(now, job, waiting[(place - 1) >> 1], jobs):
        waiting[place] = waiting[(place - 1) >> 1]
        place = (place - 1) >> 1
    waiting[place] = job
    write_upwards(now, last, place, queue, jobs)
    while place > 0:
        above = (place - 1) >> 1
        other = waiting[above]
        holds = min(until[place], holds_until(now, other, slowdown(now, other, jobs), waiting[place], jobs))
        if holds >= until[above]:
            break
        until[above] = holds
        place = above


@kernel_step
def pop(now: int, queue: Queue, jobs: Jobs) -> None:
    """Take the head out of a queue that is in order."""
    queue.bounds[LAST] -= 1
    last = queue.bounds[LAST]
    if last > 0:
        sink(now, queue.jobs[last], 0, queue, jobs)


@kernel_step
def put_in_order(now: int, queue: Queue, jobs: Jobs) -> None:
    """Put the queue in the order of now."""
    count, until, place = queue.bounds[LAST], queue.key, 0
    if count == 0 or until[0] >= now:
        return
    while True:
        left, right = 2 * place + 1, 2 * place + 2
        if left < count and until[left] < now:
            place = left
        elif right < count and until[right] < now:
            place = right
        else:
            write_until(now, place, queue, jobs)
            if until[place] < now:
                sink(now, queue.jobs[place], place, queue, jobs)
            if place == 0:
                return
            place = (place - 1) >> 1


@kernel
def forget_times(queue: Queue) -> None:
    """Let the next pass look at every place."""
    for place in range(queue.bounds[FIRST], queue.bounds[LAST]):
        queue.key[place] = -1
