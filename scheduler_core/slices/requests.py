"""Dynamic backfilling: place submitted jobs around the plan of the slice's group (Kanavallil 2007, 6.6.2)."""

from scheduler_core.kernel import profile
from scheduler_core.kernel.jit import kernel_step
from scheduler_core.kernel.processor_sets import count_outside
from scheduler_core.kernel.profile import LAST, step_at
from scheduler_core.slices.class_plan import change_plan, delays_no_reservation, plan_of
from scheduler_core.slices.lend import may_start_elsewhere, start_elsewhere
from scheduler_core.slices.state import FREE_SET, HELD_SETS, Cluster


@kernel_step
def drop_request(place: int, cluster: Cluster) -> int:
    """Take a request off the list, and its use out of the plan; return the job."""
    clock, job = cluster.clock, cluster.requests[place]
    clock.requests -= 1
    for k in range(place, clock.requests):
        cluster.requests[k] = cluster.requests[k + 1]
    kind, state = clock.slice, cluster.state[job]
    slice_end = cluster.classes[kind].clock + clock.slice_end - clock.now
    end = min(state.request + state.rest, slice_end)
    change_plan(kind, state.request, end, cluster.asked[job].processors, cluster)
    state.request = -1
    return job


@kernel_step
def serve_requests(cluster: Cluster) -> None:
    """Start the jobs whose requests are for now, if they still may."""
    clock = cluster.clock
    kind = clock.slice
    reading = cluster.classes[kind].clock
    place = 0
    while place < clock.requests:
        if cluster.state[cluster.requests[place]].request != reading:
            place += 1
            continue
        job = drop_request(place, cluster)
        other = cluster.asked[job].job_class
        room = count_outside(cluster.sets[FREE_SET], cluster.sets[HELD_SETS + other])
        if may_start_elsewhere(job, other, room, cluster):
            start_elsewhere(job, other, cluster)
            cluster.counters.dynamic += 1
        else:
            cluster.classes[kind].given = True


@kernel_step
def cancel_requests(cluster: Cluster) -> None:
    """Cancel all requests: the slice has ended, and with it what they took out of the plan."""
    for k in range(cluster.clock.requests):
        cluster.state[cluster.requests[k]].request = -1
    cluster.clock.requests = 0


@kernel_step
def earliest_in_slice(job: int, cluster: Cluster) -> int:
    """Return the class clock from which a job's size is free for its rest or up to the slice's end; -1 if there is none."""
    clock, kind = cluster.clock, cluster.clock.slice
    plan, reading = plan_of(kind, cluster), cluster.classes[kind].clock
    slice_end = reading + clock.slice_end - clock.now
    size, rest = cluster.asked[job].processors, cluster.state[job].rest
    step = step_at(plan, reading)
    while step < plan.bounds[LAST] and plan.times[step] < slice_end:
        begin = max(plan.times[step], reading)
        if plan.free[step] >= size and profile.fits_from(plan, begin, size, min(rest, slice_end - begin)):
            return begin
        step += 1
    return -1


@kernel_step
def place_dynamically(job: int, cluster: Cluster) -> None:
    """Start a job submitted just now, or make its request, in the slice of a class with a group that is not its own."""
    clock, kind, other = cluster.clock, cluster.clock.slice, cluster.asked[job].job_class
    if other == kind:
        return
    begin, reading = earliest_in_slice(job, cluster), cluster.classes[kind].clock
    slice_end = reading + clock.slice_end - clock.now
    if begin < 0:
        return
    size, state = cluster.asked[job].processors, cluster.state[job]
    if begin > reading:
        change_plan(kind, begin, min(begin + state.rest, slice_end), -size, cluster)
        state.request = begin
        cluster.requests[clock.requests] = job
        clock.requests += 1
        cluster.counters.requests += 1
    elif size <= count_outside(cluster.sets[FREE_SET], cluster.sets[HELD_SETS + other]) and (
        not cluster.rules.guard or delays_no_reservation(job, other, cluster)
    ):
        start_elsewhere(job, other, cluster)
        cluster.counters.dynamic += 1
