"""The future of a class's clock: the time its slices will get, at the least or by the mean of its slices so far."""

from typing import NamedTuple

from scheduler_core.common.units import HOUR_US
from scheduler_core.kernel.jit import kernel, kernel_step
from scheduler_core.slices.state import IDLE, LONG, MEDIUM, SHORT, Cluster, Rules

HOURS_A_DAY = 24


class Course(NamedTuple):
    """The times at which a class's clock will run: in the interval in force as laid out, and in every later one."""

    clock: int  # what the clock shows at ``begin``
    begin: int  # from when on it goes in the interval in force,
    work: int  # and for how long
    after: int  # begin of the next interval
    interval: int
    offset: int  # from the begin of each interval to come to the begin of the class's work,
    share: int  # and how long it works there


@kernel
def is_night(time: int, rules: Rules) -> bool:
    """Return whether an interval that begins at ``time`` is one of the night."""
    hour = time // HOUR_US % HOURS_A_DAY
    if rules.night_begins <= rules.night_ends:
        return rules.night_begins <= hour < rules.night_ends
    return hour >= rules.night_begins or hour < rules.night_ends


@kernel
def medium_work(begin: int, remaining: int, rules: Rules) -> int:
    """Return what medium slices get of what remains for medium and long ones, in an interval that begins at ``begin``."""
    night = is_night(begin, rules)
    medium = rules.night_medium if night else rules.day_medium
    long = rules.night_long if night else rules.day_long
    return remaining * medium // (medium + long)


@kernel
def least_times(kind: int, cluster: Cluster) -> tuple[int, int]:
    """Return when a class works in each interval to come, and for how long, if it gets the least it can get."""
    rules = cluster.rules
    if kind == SHORT:
        return rules.switch, rules.short_slice
    least = cluster.classes[kind].least_work
    return (2 * rules.switch + rules.short_slice if kind == MEDIUM else rules.interval - least), least


@kernel
def mean_times(kind: int, cluster: Cluster) -> tuple[int, int]:
    """Return when medium or long jobs work in each interval to come, and for how long, by the mean of their slices so far."""
    intervals, rules = cluster.clock.intervals, cluster.rules
    long = cluster.classes[LONG].laid_out // intervals
    if kind == LONG:
        return rules.interval - long, long
    medium = cluster.classes[MEDIUM].laid_out // intervals
    return rules.interval - long - rules.switch - medium, medium


@kernel_step
def in_force(kind: int, cluster: Cluster) -> tuple[int, int]:
    """Return from when on, and for how long, a class still works in the interval that was laid out last."""
    clock = cluster.clock
    if kind < clock.slice:
        return clock.now, 0
    if kind == clock.slice:
        begin = max(clock.now, clock.work_begin)
        return begin, clock.slice_end - begin
    begin = clock.interval_end - cluster.classes[LONG].work
    if kind == MEDIUM:
        begin -= cluster.rules.switch + cluster.classes[MEDIUM].work
    elif kind == SHORT:
        return clock.now, 0
    return begin, cluster.classes[kind].work


@kernel_step
def course_of(kind: int, now: int, nominal: bool, cluster: Cluster) -> Course:
    """Return how a class's clock goes on from now on; with ``nominal`` as bookings take it, else at the least.

    The cluster's last instant may lie before ``now``, because nothing happens while no job is present. Then the interval around
    ``now`` counts as it would be laid out for a job that comes now.
    """
    clock, rules = cluster.clock, cluster.rules
    if nominal and rules.nominal_mean and kind != SHORT and clock.intervals > 0:
        offset, share = mean_times(kind, cluster)
    else:
        offset, share = least_times(kind, cluster)
    reading = cluster.classes[kind].clock
    if clock.phase != IDLE:
        begin, work = in_force(kind, cluster)
        if now < clock.interval_end:
            return Course(reading, begin, work, clock.interval_end, rules.interval, offset, share)
        reading += work
    first = now // rules.interval * rules.interval
    begin = end = first
    if first < now and kind != SHORT:
        remaining = rules.interval - 2 * rules.switch
        medium = medium_work(first, remaining, rules)
        begin += rules.switch if kind == MEDIUM else 2 * rules.switch + medium
        end = begin + (medium if kind == MEDIUM else remaining - medium)
    after = first if first == now else first + rules.interval
    return Course(reading, begin, end - begin, after, rules.interval, offset, share)


@kernel
def reading_at(time: int, course: Course) -> int:
    """Return what the clock shows at a time to come."""
    reading = course.clock + min(max(0, time - course.begin), course.work)
    if time <= course.after:
        return reading
    ahead = time - course.after
    whole = ahead // course.interval
    rest = ahead - whole * course.interval - course.offset
    return reading + whole * course.share + min(max(0, rest), course.share)


@kernel
def time_of(reading: int, course: Course) -> int:
    """Return the time at which the clock comes to show a reading that it does not show yet."""
    missing = reading - course.clock
    if missing <= course.work:
        return course.begin + missing
    missing -= course.work
    whole = (missing - 1) // course.share
    return course.after + whole * course.interval + course.offset + missing - whole * course.share


@kernel
def slot_times(begin: int, estimate: int, time: int, course: Course) -> tuple[int, int]:
    """Return when a job with a slot from a reading on is predicted to start, at ``time`` at the earliest, and to finish."""
    start = max(time, time_of(begin + 1, course) - 1)
    return start, max(start + estimate, time_of(begin + estimate, course))
