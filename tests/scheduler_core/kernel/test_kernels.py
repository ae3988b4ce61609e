"""The shared structures against plain Python lists."""

import heapq

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core.kernel import heap, profile, queue
from tests.from_python import all_from_python

heap, profile, queue = map(all_from_python, (heap, profile, queue))

times = st.integers(0, 20)


@given(st.lists(st.one_of(times, st.none()), max_size=60))
def test_the_heap_gives_times_in_order_ties_by_job(operations):
    at, job_at, count, plain = np.empty(64, np.int64), np.empty(64, np.int32), 0, []
    for number, time in enumerate(operations):
        if time is not None:
            count = heap.push(at, job_at, count, time, number)
            heapq.heappush(plain, (time, number))
        elif plain:
            assert (at[0], job_at[0]) == heapq.heappop(plain)
            count = heap.pop(at, job_at, count)
    assert count == len(plain)


reservations = st.lists(st.tuples(times, st.integers(1, 10), st.integers(1, 6)), max_size=25)


def plain_free(taken, time, processors):
    return processors - sum(size for begin, end, size in taken if begin <= time < end)


@given(reservations, st.integers(6, 8))
def test_the_profile_finds_the_earliest_interval(wanted, processors):
    steps, taken = profile.new_profile(200, 0, processors), []
    for now, length, size in sorted(wanted):
        profile.forget_before(steps, now)
        plain = next(
            begin
            for begin in range(now, 10_000)
            if all(plain_free(taken, t, processors) >= size for t in range(begin, begin + length))
        )
        fits_now = plain == now
        assert profile.fits_from(steps, now, size, length) == fits_now
        assert profile.earliest(steps, now, size, length) == plain
        profile.add(steps, plain, plain + length, -size)
        taken.append((plain, plain + length, size))
    heights = steps.free[steps.bounds[0] : steps.bounds[1]]
    assert (np.diff(heights) != 0).all()


@given(reservations, st.data())
def test_a_reservation_moves_to_the_earliest_interval_it_can_have(wanted, data):
    processors, taken = 6, []
    steps = profile.new_profile(200, 0, processors)
    for _, length, size in wanted:
        begin = profile.earliest(steps, 0, size, length)
        profile.add(steps, begin, begin + length, -size)
        taken.append((begin, begin + length, size))
    if len(taken) < 2:
        return
    gone = taken.pop(data.draw(st.integers(0, len(taken) - 1)))
    profile.add(steps, gone[0], gone[1], gone[2])
    begin, end, size = taken.pop(data.draw(st.integers(0, len(taken) - 1)))
    moved = profile.earlier(steps, 0, size, end - begin, begin)
    profile.add(steps, begin, end, size)
    assert moved == profile.earliest(steps, 0, size, end - begin)


def test_the_past_is_forgotten_and_the_room_used_again():
    steps = profile.new_profile(200, 0, 10)
    for now in range(0, 5000, 2):
        profile.forget_before(steps, now)
        profile.add(steps, now + 1, now + 2, -3)
        assert steps.bounds[1] - steps.bounds[0] <= 3
    assert steps.bounds[1] < len(steps.times)


@given(st.lists(st.integers(-3, 3), min_size=1, max_size=40))
def test_a_queue_by_key_is_sorted_with_ties_in_order_of_arrival(keys):
    waiting = queue.new_queue(len(keys), np.array(keys, np.int64))
    for job in range(len(keys)):
        queue.insert(waiting, job)
    assert list(waiting.jobs) == sorted(range(len(keys)), key=lambda job: (keys[job], job))


@given(st.lists(st.integers(-3, 3), min_size=1, max_size=40), st.data())
def test_a_queue_whose_keys_changed_is_sorted_again_and_drops_who_started(keys, data):
    changing = np.zeros(len(keys), np.int64)
    waiting = queue.new_queue(len(keys), changing)
    for job in range(len(keys)):
        queue.append(waiting, job)
    changing[:] = keys
    queue.sort(waiting)
    in_order = sorted(range(len(keys)), key=lambda job: (keys[job], job))
    assert list(waiting.jobs) == in_order
    start = np.array(data.draw(st.lists(st.sampled_from([-1, 5]), min_size=len(keys), max_size=len(keys))), np.int64)
    queue.drop_started(waiting, start)
    assert list(waiting.jobs[waiting.bounds[0] : waiting.bounds[1]]) == [job for job in in_order if start[job] < 0]
