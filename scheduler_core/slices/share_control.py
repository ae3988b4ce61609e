"""The slices of an interval (Kanavallil 2007, chapter 4)."""

from scheduler_core.common.units import MICROSECONDS
from scheduler_core.kernel.jit import kernel_step
from scheduler_core.slices.class_plan import cancel_reservation, keeps_first, reserve
from scheduler_core.slices.class_queue import first_in_queue, next_in_queue
from scheduler_core.slices.course import medium_work
from scheduler_core.slices.frames import asks_for_a_slice
from scheduler_core.slices.state import BETWEEN, CONSERVATIVE, LONG, MEDIUM, SHORT, Cluster


@kernel_step
def short_need(cluster: Cluster) -> int:
    """Return how long the short jobs would take if their slice went on."""
    own, clock = cluster.classes[SHORT], cluster.classes[SHORT].clock
    latest = clock
    for k in range(own.started):
        latest = max(latest, cluster.state[cluster.started[SHORT, k]].plan_end)
    head = first_in_queue(SHORT, cluster)
    anew = cluster.rules.backfilling != CONSERVATIVE
    if anew and head >= 0:
        cancel_reservation(head, SHORT, cluster)
    job = head
    while job >= 0:
        if anew:
            reserve(job, SHORT, cluster)
        if asks_for_a_slice(job, cluster):
            latest = max(latest, cluster.state[job].reserved + cluster.asked[job].estimate)
        job = next_in_queue(job, SHORT, cluster)
    if anew and head >= 0:
        job = head
        while job >= 0:
            cancel_reservation(job, SHORT, cluster)
            job = next_in_queue(job, SHORT, cluster)
        if keeps_first(SHORT, cluster):
            reserve(head, SHORT, cluster)
    return latest - clock


@kernel_step
def a_waiting_one_asks(cluster: Cluster) -> bool:
    """Return whether any waiting short job asks for a short slice in the interval that is being laid out."""
    job = first_in_queue(SHORT, cluster)
    while job >= 0 and not asks_for_a_slice(job, cluster):
        job = next_in_queue(job, SHORT, cluster)
    return job >= 0


@kernel_step
def lay_out_interval(now: int, cluster: Cluster) -> None:
    """Lay out the slices of the interval that begins now, and write them down."""
    clock, classes, rules = cluster.clock, cluster.classes, cluster.rules
    clock.interval_end = now + rules.interval
    short = classes[SHORT].started > 0 or a_waiting_one_asks(cluster)
    classes[SHORT].work = min(rules.short_slice, max(MICROSECONDS, short_need(cluster))) if short else 0
    switches = 3 if short else 2
    remaining = rules.interval - classes[SHORT].work - switches * rules.switch
    classes[MEDIUM].work = medium_work(now, remaining, rules)
    classes[LONG].work = remaining - classes[MEDIUM].work
    clock.intervals += 1
    begin = now
    for kind in range(SHORT if short else MEDIUM, LONG + 1):
        row = cluster.rows.slices[clock.slice_rows]
        row.begin, row.end, row.slot = begin, begin + rules.switch + classes[kind].work, kind
        begin = row.end
        classes[kind].laid_out += classes[kind].work
        clock.slice_rows += 1
        cluster.counters.slices += 1
    clock.phase, clock.slice = BETWEEN, (SHORT if short else MEDIUM) - 1
    clock.slice_end = now
