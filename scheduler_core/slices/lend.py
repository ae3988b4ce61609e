"""Smart backfilling: lend the idle processors of a slice to jobs of the other classes (Kanavallil 2007, 6.6.1)."""

from scheduler_core.kernel import profile
from scheduler_core.kernel.jit import kernel, kernel_step
from scheduler_core.kernel.processor_sets import count_outside
from scheduler_core.slices.class_plan import cancel_reservation, change_plan, delays_no_reservation, plan_of
from scheduler_core.slices.class_queue import next_in_queue
from scheduler_core.slices.frames import may_start
from scheduler_core.slices.state import CLASSES, FREE_SET, HELD_SETS, MEDIUM, PLANNED, SUSPENDED, UNPLANNED, Cluster
from scheduler_core.slices.stretches import begin_stretch, processors_are_free, start


@kernel
def fits_slice(job: int, cluster: Cluster) -> bool:
    """Return whether a job's size is free in the plan of the slice's class for its rest or what is left of the slice."""
    clock, kind = cluster.clock, cluster.clock.slice
    length = min(cluster.state[job].rest, clock.slice_end - clock.now)
    return profile.fits_from(plan_of(kind, cluster), cluster.classes[kind].clock, cluster.asked[job].processors, length)


@kernel
def overtakes(job: int, kind: int, cluster: Cluster) -> bool:
    """Return whether a job of its class that was submitted before it still waits when a job starts."""
    first, earlier = cluster.lines[kind, UNPLANNED].first, False
    if first >= 0 and first < job:
        return True
    other = cluster.lines[kind, PLANNED].first
    while other >= 0 and not earlier:
        earlier = other < job
        other = cluster.state[other].next
    return earlier


@kernel_step
def start_elsewhere(job: int, kind: int, cluster: Cluster) -> None:
    """Start a waiting job in another class's slice: what it uses replaces its reservation."""
    own, counters = cluster.classes[kind], cluster.counters
    counters.started_elsewhere += 1
    counters.planned_elsewhere += cluster.state[job].planned
    counters.backfilled += overtakes(job, kind, cluster)
    cancel_reservation(job, kind, cluster)
    change_plan(kind, own.clock, own.clock + cluster.state[job].rest, -cluster.asked[job].processors, cluster)
    own.given = True
    start(job, kind, cluster)


@kernel_step
def may_start_elsewhere(job: int, kind: int, room: int, cluster: Cluster) -> bool:
    """Return whether a waiting job may start now in the slice of another class, where ``room`` processors are left to its own."""
    if cluster.asked[job].processors > room or not fits_slice(job, cluster):
        return False
    if cluster.state[job].booking >= 0 and not may_start(job, cluster):
        return False
    return not cluster.rules.guard or delays_no_reservation(job, kind, cluster)


@kernel_step
def start_line(first: int, kind: int, cluster: Cluster) -> None:
    """Start those jobs of a line of waiting jobs that may start, from ``first`` on."""
    planned = first >= 0 and cluster.state[first].planned
    room = count_outside(cluster.sets[FREE_SET], cluster.sets[HELD_SETS + kind]) if first >= 0 else 0
    job = first
    while job >= 0 and room > 0 and cluster.state[job].planned == planned:
        after = next_in_queue(job, kind, cluster)
        if cluster.state[job].request < 0 and may_start_elsewhere(job, kind, room, cluster):
            start_elsewhere(job, kind, cluster)
            room -= cluster.asked[job].processors
        job = after


@kernel_step
def lend(cluster: Cluster) -> None:
    """Let jobs of other classes use free processors: suspended jobs first, then planned jobs, then the other waiting jobs."""
    clock, kind = cluster.clock, cluster.clock.slice
    for other in range(CLASSES):
        if other == kind:
            continue
        for k in range(cluster.classes[other].started):
            job = cluster.started[other, k]
            if cluster.state[job].status != SUSPENDED or cluster.asked[job].processors > clock.free:
                continue
            if processors_are_free(job, cluster) and fits_slice(job, cluster):
                begin_stretch(job, other, cluster)
                cluster.counters.resumed_elsewhere += 1
    for other in range(MEDIUM, CLASSES):
        if other != kind:
            start_line(cluster.lines[other, PLANNED].first, other, cluster)
    for other in range(CLASSES):
        if other != kind:
            start_line(cluster.lines[other, UNPLANNED].first, other, cluster)
