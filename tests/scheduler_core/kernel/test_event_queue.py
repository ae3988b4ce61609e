"""The event queue: order by time, kind and number, whatever the order of insertion."""

import heapq

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core.common.units import NEVER_US
from scheduler_core.kernel import event_queue
from scheduler_core.kernel.event_queue import EventQueue, new_event_queue
from tests.from_python import all_from_python

kernels = all_from_python(event_queue)

Event = tuple[int, int, int]
EVENTS = st.tuples(st.integers(0, 3), st.integers(0, 2), st.integers(0, 3)) | st.tuples(
    st.integers(0, NEVER_US - 1), st.integers(0, 9), st.integers(0, 2**40)
)


def filled(events: list[Event], room: int | None = None) -> EventQueue:
    """Return a queue into which events were inserted in this order."""
    queue = new_event_queue(len(events) if room is None else room)
    for event in events:
        kernels.insert(*event, queue)
    return queue


def emptied(queue: EventQueue) -> list[Event]:
    """Remove all events, and return them in the order in which they came."""
    removed = []
    while queue.length.count:
        assert kernels.next_time(queue) == queue.events[0].time
        removed.append(kernels.remove_next(queue))
    return removed


def test_an_empty_queue_has_no_next_time():
    assert kernels.next_time(new_event_queue(0)) == NEVER_US
    queue = filled([(5, 1, 7)])
    assert kernels.next_time(queue) == 5
    assert kernels.remove_next(queue) == (5, 1, 7)
    assert kernels.next_time(queue) == NEVER_US


@pytest.mark.parametrize(
    ("first", "second"),
    [((1, 9, 9), (2, 0, 0)), ((4, 0, 9), (4, 1, 0)), ((4, 3, 1), (4, 3, 2))],
    ids=["time", "kind at one time", "number of one kind"],
)
def test_time_decides_then_kind_then_number(first, second):
    assert emptied(filled([first, second])) == [first, second]
    assert emptied(filled([second, first])) == [first, second]


@given(st.lists(EVENTS, max_size=40))
def test_events_come_in_the_order_of_a_sorted_list(events):
    assert emptied(filled(events)) == sorted(events)


@given(st.lists(EVENTS | st.none(), max_size=60))
def test_insertions_and_removals_in_any_order(steps):
    """None stands for the removal of the next event."""
    queue, expected = new_event_queue(len(steps)), []
    for step in steps:
        if step is not None:
            kernels.insert(*step, queue)
            heapq.heappush(expected, step)
        elif expected:
            assert kernels.remove_next(queue) == heapq.heappop(expected)
        assert queue.length.count == len(expected)
        assert kernels.next_time(queue) == (expected[0][0] if expected else NEVER_US)
    assert emptied(queue) == sorted(expected)


def test_the_order_of_a_long_queue_is_total():
    draw = np.random.default_rng(3)
    events = [tuple(int(value) for value in row) for row in draw.integers(0, (50, 4, 30), (5000, 3))]
    assert emptied(filled(events)) == sorted(events)
