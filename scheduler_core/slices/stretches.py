"""Stretches in which a job runs: started or put back on its processors, and ended by its completion or the slice's end."""

from scheduler_core.kernel.jit import kernel, kernel_step
from scheduler_core.kernel.processor_sets import contains, join, leave, take_lowest_outside
from scheduler_core.slices.class_plan import change_plan, give_back
from scheduler_core.slices.class_queue import leave_queue
from scheduler_core.slices.frames import is_booked
from scheduler_core.slices.state import DONE, FREE_SET, HELD_SETS, NODE_SETS, RUNNING, SUSPENDED, Cluster


@kernel_step
def begin_stretch(job: int, kind: int, cluster: Cluster) -> None:
    """Let a job run on its processors from now on; in another class's slice it takes them out of that class's plan."""
    clock, state, asked = cluster.clock, cluster.state[job], cluster.asked[job]
    now, slice_kind = clock.now, clock.slice
    leave(cluster.sets[FREE_SET], cluster.sets[NODE_SETS + job])
    clock.free -= asked.processors
    state.status, state.begin, state.end = RUNNING, now, now + state.left
    state.stretches += 1
    cluster.running[clock.runners] = job
    clock.runners += 1
    if kind != slice_kind:
        begin = cluster.classes[slice_kind].clock
        state.lent_end = begin + min(state.rest, clock.slice_end - now)
        change_plan(slice_kind, begin, state.lent_end, -asked.processors, cluster)


@kernel_step
def start(job: int, kind: int, cluster: Cluster) -> None:
    """Start a waiting job; what it has of its class's plan it must have got before."""
    clock, state, own = cluster.clock, cluster.state[job], cluster.classes[kind]
    leave_queue(job, kind, cluster)
    held = cluster.sets[NODE_SETS + job]
    take_lowest_outside(cluster.sets[FREE_SET], cluster.sets[HELD_SETS + kind], held, cluster.asked[job].processors)
    join(cluster.sets[HELD_SETS + kind], held)
    cluster.started[kind, own.started] = job
    own.started += 1
    state.start, state.reserved = clock.now, -1
    if is_booked(job, cluster):
        clock.booked -= 1
    state.plan_end = own.clock + state.rest
    begin_stretch(job, kind, cluster)


@kernel
def processors_are_free(job: int, cluster: Cluster) -> bool:
    """Return whether no job runs on the processors a started job holds."""
    return contains(cluster.sets[FREE_SET], cluster.sets[NODE_SETS + job])


@kernel_step
def end_stretch(job: int, kind: int, cluster: Cluster) -> None:
    """Take a job off its processors and write its stretch down; give back what it no longer needs of the plans."""
    clock, state, size = cluster.clock, cluster.state[job], cluster.asked[job].processors
    now, slice_kind = clock.now, clock.slice
    row = cluster.rows.held[clock.held_rows]
    row.job, row.begin, row.end, row.slot = job, state.begin, now, slice_kind
    clock.held_rows += 1
    ran = now - state.begin
    state.left -= ran
    state.rest -= ran
    join(cluster.sets[FREE_SET], cluster.sets[NODE_SETS + job])
    clock.free += size
    own = cluster.classes[kind]
    done = state.left == 0
    if done or kind != slice_kind:
        needed = own.clock if done else own.clock + state.rest
        give_back(kind, needed, state.plan_end, size, cluster)
        state.plan_end = needed
    if kind != slice_kind:
        give_back(slice_kind, cluster.classes[slice_kind].clock, state.lent_end, size, cluster)
    state.status = DONE if done else SUSPENDED


@kernel_step
def forget_job(job: int, kind: int, cluster: Cluster) -> None:
    """Take a job that is done off the list of its class's started ones."""
    clock, own = cluster.clock, cluster.classes[kind]
    leave(cluster.sets[HELD_SETS + kind], cluster.sets[NODE_SETS + job])
    place = 0
    while cluster.started[kind, place] != job:
        place += 1
    own.started -= 1
    for k in range(place, own.started):
        cluster.started[kind, k] = cluster.started[kind, k + 1]
    cluster.state[job].finish = clock.now
    clock.last_finish = clock.now
    clock.present -= 1
    clock.left_now += 1
    if cluster.state[job].booking >= 0:
        end_following(cluster.state[job].booking, cluster)


@kernel_step
def end_following(booking: int, cluster: Cluster) -> None:
    """Take a job that is done off the list of those that are booked or followed; note that it is done."""
    clock, bookings = cluster.clock, cluster.bookings
    bookings[clock.ended].ended = booking
    clock.ended += 1
    place = 0
    while bookings[place].live != booking:
        place += 1
    clock.live -= 1
    for k in range(place, clock.live):
        bookings[k].live = bookings[k + 1].live


@kernel_step
def complete(cluster: Cluster) -> None:
    """Let the jobs leave whose work is done now, in order of position."""
    clock, running = cluster.clock, cluster.running
    clock.left_now = 0
    while True:
        first = -1
        for k in range(clock.runners):
            if cluster.state[running[k]].end == clock.now and (first < 0 or running[k] < running[first]):
                first = k
        if first < 0:
            return
        job = running[first]
        clock.runners -= 1
        running[first] = running[clock.runners]
        kind = cluster.asked[job].job_class
        end_stretch(job, kind, cluster)
        forget_job(job, kind, cluster)


@kernel_step
def suspend_all(cluster: Cluster) -> None:
    """Suspend all running jobs: the slice has ended."""
    clock = cluster.clock
    for k in range(clock.runners):
        job = cluster.running[k]
        end_stretch(job, cluster.asked[job].job_class, cluster)
    clock.runners = 0
