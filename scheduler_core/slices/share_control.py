"""The slices of an interval, and when a class clock reaches a time at the latest (Kanavallil 2007, chapter 4)."""

from __future__ import annotations

from scheduler_core.kernel.jit import kernel, kernel_step
from scheduler_core.slices.class_plan import cancel_reservation, reserve
from scheduler_core.slices.class_queue import first_in_queue, next_in_queue
from scheduler_core.slices.state import (
    BETWEEN,
    EASY,
    IDLE,
    LONG,
    MEDIUM,
    SHORT,
    SLICES,
    Cluster,
    Rules,
)
from scheduler_core.units import MICROSECONDS

HOUR = 3600 * MICROSECONDS
HOURS_A_DAY = 24


@kernel
def is_night(time: int, rules: Rules) -> bool:
    """Return whether an interval that begins at ``time`` is one of the night."""
    hour = time // HOUR % HOURS_A_DAY
    if rules.night_begins <= rules.night_ends:
        return rules.night_begins <= hour < rules.night_ends
    return hour >= rules.night_begins or hour < rules.night_ends


@kernel_step
def short_need(cluster: Cluster) -> int:
    """Return how long the short jobs would take if their slice went on."""
    own, clock = cluster.classes[SHORT], cluster.classes[SHORT].clock
    latest = clock
    for k in range(own.started):
        latest = max(latest, cluster.state[cluster.started[SHORT, k]].plan_end)
    head = first_in_queue(SHORT, cluster)
    easy = cluster.rules.backfilling == EASY
    if easy and head >= 0:
        cancel_reservation(head, SHORT, cluster)
    job = head
    while job >= 0:
        if easy:
            reserve(job, SHORT, cluster)
        latest = max(latest, cluster.state[job].reserved + cluster.asked[job].estimate)
        job = next_in_queue(job, SHORT, cluster)
    if easy and head >= 0:
        job = head
        while job >= 0:
            cancel_reservation(job, SHORT, cluster)
            job = next_in_queue(job, SHORT, cluster)
        reserve(head, SHORT, cluster)
    return latest - clock


@kernel_step
def lay_out_interval(now: int, cluster: Cluster) -> None:
    """Lay out the slices of the interval that begins now, and write them down."""
    clock, classes, rules = cluster.clock, cluster.classes, cluster.rules
    clock.interval_end = now + rules.interval
    short = classes[SHORT].started > 0 or first_in_queue(SHORT, cluster) >= 0
    classes[SHORT].work = min(rules.short_slice, max(MICROSECONDS, short_need(cluster))) if short else 0
    switches = 3 if short else 2
    remaining = rules.interval - classes[SHORT].work - switches * rules.switch
    night = is_night(now, rules)
    medium = rules.night_medium if night else rules.day_medium
    long = rules.night_long if night else rules.day_long
    classes[MEDIUM].work = remaining * medium // (medium + long)
    classes[LONG].work = remaining - classes[MEDIUM].work
    begin = now
    for kind in range(SHORT if short else MEDIUM, LONG + 1):
        row = cluster.rows.slices[clock.slice_rows]
        row.begin, row.end, row.slot = begin, begin + rules.switch + classes[kind].work, kind
        begin = row.end
        clock.slice_rows += 1
        cluster.counters[SLICES] += 1
    clock.phase, clock.slice = BETWEEN, (SHORT if short else MEDIUM) - 1
    clock.slice_end = now


@kernel_step
def latest_time(now: int, kind: int, reading: int, cluster: Cluster) -> int:
    """Return the time at which a class clock reaches ``reading`` at the latest, however many short jobs come."""
    clock, own, rules = cluster.clock, cluster.classes[kind], cluster.rules
    missing = reading - own.clock
    begin = now
    if clock.phase != IDLE and now < clock.interval_end:
        begin = clock.interval_end
        from_there, to_come = begin, 0
        if kind > clock.slice:
            from_there = begin - cluster.classes[LONG].work
            if kind == MEDIUM:
                from_there -= rules.switch + own.work
            to_come = own.work
        elif kind == clock.slice:
            from_there = max(now, clock.work_begin)
            to_come = clock.slice_end - from_there
        if missing <= to_come:
            return from_there + missing
        missing -= to_come
    least = rules.short_slice if kind == SHORT else own.least_work
    intervals = (missing - 1) // least
    missing -= intervals * least
    begin += intervals * rules.interval
    if kind == SHORT:
        return begin + rules.switch + missing
    if kind == MEDIUM:
        return begin + 2 * rules.switch + rules.short_slice + missing
    return begin + rules.interval - least + missing
