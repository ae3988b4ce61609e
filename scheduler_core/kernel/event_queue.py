"""A queue of events of many kinds, ordered by time, then kind, then number.

A binary heap of records. The kinds are the engine's own small numbers: at one instant a smaller kind comes first, and within a
kind the smaller number (a job, a processor, a reservation). So the order of events is total, and never depends on the order of
insertion. Equal events may stand in the queue more than once.
"""

from typing import NamedTuple

import numpy as np

from scheduler_core.common.units import NEVER_US
from scheduler_core.kernel.jit import kernel, kernel_step
from scheduler_core.kernel.records import Record, record, records

EVENT = np.dtype([("time", np.int64), ("kind", np.int64), ("number", np.int64)])
LENGTH = np.dtype([("count", np.int64)])


class EventQueue(NamedTuple):
    """Events as a heap: the first is the next to happen; see the module's text."""

    events: np.ndarray  # of EVENT
    length: Record  # of LENGTH: how many there are


def new_event_queue(room: int) -> EventQueue:
    """Make an empty queue with room for so many events; kernels allocate nothing, so it does not grow by itself."""
    return EventQueue(records(room, EVENT), record(LENGTH))


@kernel
def next_time(queue: EventQueue) -> int:
    """Return the time of the next event; NEVER_US if there is none."""
    return queue.events[0].time if queue.length.count > 0 else NEVER_US


@kernel
def comes_before(time: int, kind: int, number: int, other: Record) -> bool:
    """Return whether an event comes before one of the queue."""
    if time != other.time:
        return time < other.time
    if kind != other.kind:
        return kind < other.kind
    return number < other.number


@kernel
def write(place: int, time: int, kind: int, number: int, queue: EventQueue) -> None:
    """Write an event to a place of the heap."""
    queue.events[place].time = time
    queue.events[place].kind = kind
    queue.events[place].number = number


@kernel_step
def insert(time: int, kind: int, number: int, queue: EventQueue) -> None:
    """Insert an event; the caller makes sure that there is room."""
    place = queue.length.count
    while place > 0:
        above = (place - 1) >> 1
        other = queue.events[above]
        if not comes_before(time, kind, number, other):
            break
        write(place, other.time, other.kind, other.number, queue)
        place = above
    write(place, time, kind, number, queue)
    queue.length.count += 1


@kernel_step
def remove_next(queue: EventQueue) -> tuple[int, int, int]:
    """Remove the next event, of which there must be one; return its time, kind and number."""
    events = queue.events
    removed = (events[0].time, events[0].kind, events[0].number)
    queue.length.count -= 1
    count = queue.length.count
    time, kind, number = events[count].time, events[count].kind, events[count].number
    place = 0
    while True:
        below = 2 * place + 1
        if below >= count:
            break
        right = below + 1
        if right < count and comes_before(events[right].time, events[right].kind, events[right].number, events[below]):
            below = right
        other = events[below]
        if comes_before(time, kind, number, other):
            break
        write(place, other.time, other.kind, other.number, queue)
        place = below
    write(place, time, kind, number, queue)
    return removed
