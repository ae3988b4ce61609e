"""How jobs run: starts, joins and ends, and the rows of ``allocations`` that they leave."""

import numpy as np

from scheduler_core.common.units import NEVER_US
from scheduler_core.coscheduling.state import ALWAYS, MATCH_NONE, SHORT, World
from scheduler_core.coscheduling.work import WHOLE, kernel_time_needed, kernel_work_done
from scheduler_core.kernel import heap
from scheduler_core.kernel.jit import kernel, kernel_step
from scheduler_core.kernel.records import Record


@kernel
def release_place(time: int, job: int, releases: np.ndarray, count: int) -> int:
    """Return the place of (time, job) among so many predicted releases."""
    low, high = 0, count
    while low < high:
        middle = (low + high) >> 1
        there = releases[middle]
        if there.time < time or (there.time == time and there.job < job):
            low = middle + 1
        else:
            high = middle
    return low


@kernel_step
def predict_release(job: int, time: int, processors: int, world: World) -> None:
    """Predict that processors come free when a job ends."""
    releases, clock = world.releases, world.clock
    place = release_place(time, job, releases, clock.releases)
    for k in range(clock.releases, place, -1):
        releases[k] = releases[k - 1]
    releases[place].time, releases[place].job, releases[place].processors = time, job, processors
    clock.releases += 1
    world.state[job].release = time


@kernel_step
def forget_release(job: int, world: World) -> None:
    """Withdraw the release predicted for a job."""
    releases, clock = world.releases, world.clock
    place = release_place(world.state[job].release, job, releases, clock.releases)
    for k in range(place, clock.releases - 1):
        releases[k] = releases[k + 1]
    clock.releases -= 1


@kernel
def may_be_paired(asked: Record, rules: Record) -> bool:
    """Return whether partners are searched for a job, and whether others may join it."""
    return rules.match != MATCH_NONE and (rules.match == ALWAYS or asked.job_class != SHORT)


@kernel_step
def now_alone(job: int, world: World) -> None:
    """Add a job to the jobs that others may join, in the order in which they started."""
    if not may_be_paired(world.asked[job], world.rules):
        return
    alone, state = world.alone, world.state
    place = world.clock.alone
    while place > 0 and state[alone[place - 1]].order > state[job].order:
        alone[place] = alone[place - 1]
        place -= 1
    alone[place] = job
    world.clock.alone += 1


@kernel_step
def not_alone(job: int, world: World) -> None:
    """Remove a job from the jobs that others may join."""
    if not may_be_paired(world.asked[job], world.rules):
        return
    alone = world.alone
    place = 0
    while alone[place] != job:
        place += 1
    world.clock.alone -= 1
    for k in range(place, world.clock.alone):
        alone[k] = alone[k + 1]


@kernel
def begin_row(job: int, slowdown: int, world: World) -> None:
    """Begin a job's next row, at a slowdown."""
    state, clock = world.state[job], world.clock
    state.begin, state.slowdown = clock.now, slowdown
    state.end = clock.now + kernel_time_needed(state.left, WHOLE, slowdown)
    clock.ends = heap.push(world.end_times, world.end_jobs, clock.ends, state.end, job)


@kernel_step
def write_row(job: int, work: int, world: World) -> None:
    """Write the row of a job that ends now."""
    now = world.clock.now
    if world.rules.match == MATCH_NONE or world.state[job].begin == now:
        return
    row, state = world.rows.held[world.clock.rows], world.state[job]
    row.job, row.begin, row.end = job, state.begin, now
    row.slot, row.slowdown, row.work = state.place, state.slowdown, work
    world.clock.rows += 1


@kernel_step
def break_off(job: int, world: World) -> None:
    """End the row of a job that continues in another row, or is suspended."""
    now = world.clock.now
    state = world.state[job]
    work = kernel_work_done(now - state.begin, WHOLE, state.slowdown)
    write_row(job, work, world)
    state.left -= work
    state.estimate_left -= work
    state.begin = now


@kernel
def time_left(job: int, world: World) -> int:
    """Return the rest of the estimate of a job that runs alone."""
    now = world.clock.now
    return world.state[job].estimate_left - (now - world.state[job].begin)


@kernel
def enter(job: int, world: World) -> None:
    """Make a waiting job a running one."""
    asked, state, clock = world.asked[job], world.state[job], world.clock
    state.mate, state.host, state.place, state.order = -1, -1, 0, clock.started
    state.left, state.estimate_left = asked.work, asked.estimate
    state.begin = clock.now
    state.preemptions = 0
    world.start[job] = clock.now
    clock.started += 1
    clock.running += 1
    clock.waited += clock.now - asked.submit
    clock.asked -= asked.processors
    clock.waiting_work -= asked.estimate * asked.processors


@kernel_step
def start_alone(job: int, world: World) -> None:
    """Start a job on free processors."""
    now = world.clock.now
    enter(job, world)
    world.clock.free -= world.asked[job].processors
    begin_row(job, WHOLE, world)
    world.state[job].expected = now + world.asked[job].estimate
    predict_release(job, world.state[job].expected, world.asked[job].processors, world)
    now_alone(job, world)


@kernel_step
def join(holder: int, partner: int, believed: int, actual: int, world: World) -> None:
    """Let a waiting job join one that is alone."""
    now = world.clock.now
    break_off(holder, world)
    not_alone(holder, world)
    enter(partner, world)
    first, second = world.state[holder], world.state[partner]
    second.host, second.place = holder, 1 if first.place == 0 else 0
    first.mate, second.mate = partner, holder
    begin_row(holder, actual, world)
    begin_row(partner, actual, world)
    sooner, later = pair_ends(now, first.estimate_left, second.estimate_left, believed)
    holder_first = first.estimate_left <= second.estimate_left
    first.expected = sooner if holder_first else later
    second.expected = later if holder_first else sooner
    predict_pair(holder, partner, world)


@kernel
def pair_ends(now: int, time: int, other_time: int, slowdown: int) -> tuple[int, int]:
    """Return when the first and the last of a pair are predicted to end, by the rest of their estimates."""
    sooner = now + kernel_time_needed(min(time, other_time), WHOLE, slowdown)
    return sooner, sooner + abs(time - other_time)


@kernel_step
def predict_pair(holder: int, partner: int, world: World) -> None:
    """Predict when the processors of a pair become free: the shared ones when both have ended, the others with the holder."""
    size, shared = world.asked[holder].processors, world.asked[partner].processors
    ends, partner_ends = world.state[holder].expected, world.state[partner].expected
    forget_release(holder, world)
    predict_release(holder, ends, size - shared, world)
    predict_release(partner, max(ends, partner_ends), shared, world)


@kernel_step
def go_on_alone(job: int, world: World) -> None:
    """Let a job continue alone after its partner has ended; its last row has been written."""
    now = world.clock.now
    state = world.state[job]
    state.mate = -1
    begin_row(job, WHOLE, world)
    state.expected = now + state.estimate_left
    forget_release(job, world)
    predict_release(job, state.expected, world.asked[job].processors, world)
    now_alone(job, world)


@kernel_step
def complete(job: int, world: World) -> None:
    """End a job; the processors its partner does not keep become free."""
    state, clock = world.state[job], world.clock
    write_row(job, state.left, world)
    state.finish, state.end = clock.now, NEVER_US
    clock.running -= 1
    forget_release(job, world)
    mate = state.mate
    state.mate = -1
    if mate < 0:
        clock.free += world.asked[job].processors
        not_alone(job, world)
        return
    if world.state[mate].host == job:
        clock.free += world.asked[job].processors - world.asked[mate].processors
    other = world.state[mate]
    if other.end == clock.now:  # it also ends at this instant, and is next
        other.mate = -1
        now_alone(mate, world)
        return
    if other.end < NEVER_US:
        break_off(mate, world)
    else:
        other.begin = clock.now  # it was suspended
    go_on_alone(mate, world)


@kernel_step
def complete_due(world: World) -> None:
    """End all jobs whose last row ends now."""
    clock = world.clock
    while clock.ends > 0 and world.end_times[0] == clock.now:
        job = world.end_jobs[0]
        clock.ends = heap.pop(world.end_times, world.end_jobs, clock.ends)
        if world.state[job].end == clock.now:
            complete(job, world)


@kernel_step
def next_end(world: World) -> int:
    """Return when the next job ends, NEVER_US if none runs; drop the ends of rows that were broken off."""
    clock = world.clock
    while clock.ends > 0:
        time, job = world.end_times[0], world.end_jobs[0]
        if world.state[job].end == time:
            return time
        clock.ends = heap.pop(world.end_times, world.end_jobs, clock.ends)
    return NEVER_US


@kernel_step
def suspend_late(world: World) -> int:
    """Suspend the partners that are slowed down too much, until their holders end; return their number."""
    clock, suspended = world.clock, 0
    for k in range(clock.late):
        partner = world.late[k]
        state = world.state[partner]
        holder = state.mate
        if holder < 0:  # one of the two has ended
            continue
        break_off(partner, world)
        state.end = NEVER_US
        state.preemptions += 1
        break_off(holder, world)
        begin_row(holder, WHOLE, world)
        ends = clock.now + world.state[holder].estimate_left
        world.state[holder].expected, state.expected = ends, ends + state.estimate_left
        forget_release(partner, world)
        predict_pair(holder, partner, world)
        suspended += 1
    clock.late = 0
    return suspended
