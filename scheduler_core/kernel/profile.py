"""The availability profile: how many processors are free now and at every later time.

A step function in two flat arrays: ``free[k]`` processors are free from ``times[k]`` until ``times[k + 1]``, the last
step goes on for ever. ``bounds`` holds the index of the first step and one past the last; steps before the first lie in
the past. Neighbouring steps never have the same height, so the arrays stay as short as the plan allows.
"""

from typing import NamedTuple

import numpy as np

from scheduler_core.common.units import NEVER_US
from scheduler_core.kernel.jit import kernel

FIRST, LAST = 0, 1


class Profile(NamedTuple):
    """Steps of free processors over time; see the module's text."""

    times: np.ndarray
    free: np.ndarray
    bounds: np.ndarray


def new_profile(steps: int, begin: int, processors: int) -> Profile:
    """Make the profile of an idle machine, with room for ``steps`` steps."""
    profile = Profile(np.empty(steps + 8, np.int64), np.empty(steps + 8, np.int64), np.array([0, 1], np.int64))
    profile.times[0] = begin
    profile.free[0] = processors
    return profile


@kernel
def step_at(profile: Profile, time: int) -> int:
    """Find the step in which ``time`` lies (the first step for times before it)."""
    low, high = profile.bounds[FIRST], profile.bounds[LAST] - 1
    times = profile.times
    while low < high:
        middle = (low + high + 1) >> 1
        if times[middle] <= time:
            low = middle
        else:
            high = middle - 1
    return low


@kernel
def forget_before(profile: Profile, now: int) -> None:
    """Drop the steps that ended by ``now``; move the rest to the front when half of the room is behind it."""
    bounds, times, free = profile.bounds, profile.times, profile.free
    first, last = bounds[FIRST], bounds[LAST]
    while first + 1 < last and times[first + 1] <= now:
        first += 1
    if first > 64 and 2 * first > last:
        for k in range(first, last):
            times[k - first] = times[k]
            free[k - first] = free[k]
        last -= first
        first = 0
    bounds[FIRST], bounds[LAST] = first, last


@kernel
def split_at(profile: Profile, time: int) -> int:
    """Make a step begin at ``time``; return its index."""
    step = step_at(profile, time)
    times, free = profile.times, profile.free
    if times[step] >= time:
        return step
    last = profile.bounds[LAST]
    for k in range(last, step + 1, -1):
        times[k] = times[k - 1]
        free[k] = free[k - 1]
    times[step + 1] = time
    free[step + 1] = free[step]
    profile.bounds[LAST] = last + 1
    return step + 1


@kernel
def join_at(profile: Profile, step: int) -> None:
    """Join ``step`` with the one before it when both have the same height."""
    bounds, times, free = profile.bounds, profile.times, profile.free
    if step <= bounds[FIRST] or step >= bounds[LAST] or free[step] != free[step - 1]:
        return
    for k in range(step, bounds[LAST] - 1):
        times[k] = times[k + 1]
        free[k] = free[k + 1]
    bounds[LAST] -= 1


@kernel
def add(profile: Profile, begin: int, end: int, processors: int) -> None:
    """Add ``processors`` (negative: take them away) to the free ones from ``begin`` until ``end``."""
    if end <= begin:
        return
    low = split_at(profile, begin)
    high = split_at(profile, end)
    for k in range(low, high):
        profile.free[k] += processors
    join_at(profile, high)
    join_at(profile, low)


@kernel
def fits_from(profile: Profile, now: int, processors: int, length: int) -> bool:
    """Return whether ``processors`` stay free from ``now`` on for ``length``."""
    times, free, last = profile.times, profile.free, profile.bounds[LAST]
    step = step_at(profile, now)
    while step < last and times[step] < now + length:
        if free[step] < processors:
            return False
        step += 1
    return True


@kernel
def earlier(profile: Profile, now: int, processors: int, length: int, reserved: int) -> int:
    """Find the earliest time a reservation at ``reserved`` can move to; ``reserved`` itself when it cannot.

    The reservation is still on the profile. A window that begins before ``reserved`` and overlaps the reservation does so
    where the reservation's own processors count as free, so only the steps before ``reserved`` decide.
    """
    times, free, last = profile.times, profile.free, profile.bounds[LAST]
    step = step_at(profile, now)
    begin = -1
    while step < last and times[step] < reserved:
        if free[step] < processors:
            begin = -1
        else:
            if begin < 0:
                begin = max(times[step], now)
            if step + 1 == last or times[step + 1] >= begin + length:
                return begin
        step += 1
    return reserved if begin < 0 else begin


@kernel
def earliest(profile: Profile, now: int, processors: int, length: int) -> int:
    """Find the earliest time, from ``now`` on, at which ``processors`` of the machine stay free for ``length``."""
    return earlier(profile, now, processors, length, NEVER_US)
