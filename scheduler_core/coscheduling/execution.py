"""How jobs run: starts, joins and ends, and the rows of ``allocations`` between them."""

from __future__ import annotations

from scheduler_core.common.units import NEVER_US
from scheduler_core.coscheduling.state import ALWAYS, MATCH_NONE, SHORT, Jobs, Machine, Rows
from scheduler_core.coscheduling.work import WHOLE, kernel_time_needed, kernel_work_done
from scheduler_core.kernel import heap
from scheduler_core.kernel.jit import kernel, kernel_step


@kernel
def release_place(time: int, job: int, machine: Machine) -> int:
    """Find the place of (time, job) among the predicted releases."""
    releases = machine.releases
    low, high = 0, machine.clock.releases
    while low < high:
        middle = (low + high) >> 1
        there = releases[middle]
        if there.time < time or (there.time == time and there.job < job):
            low = middle + 1
        else:
            high = middle
    return low


@kernel_step
def predict_release(job: int, time: int, processors: int, machine: Machine) -> None:
    """Predict that processors come free when a job ends."""
    releases, clock = machine.releases, machine.clock
    place = release_place(time, job, machine)
    for k in range(clock.releases, place, -1):
        releases[k] = releases[k - 1]
    releases[place].time, releases[place].job, releases[place].processors = time, job, processors
    clock.releases += 1
    machine.state[job].release, machine.state[job].released = time, processors


@kernel_step
def forget_release(job: int, machine: Machine) -> None:
    """Take back what was predicted of a job."""
    releases, clock = machine.releases, machine.clock
    for k in range(release_place(machine.state[job].release, job, machine), clock.releases - 1):
        releases[k] = releases[k + 1]
    clock.releases -= 1


@kernel
def may_be_paired(job: int, jobs: Jobs, machine: Machine) -> bool:
    """Say whether partners are searched for a job, and whether others may join it."""
    match = machine.rules.match
    return match != MATCH_NONE and (match == ALWAYS or jobs.asked[job].job_class != SHORT)


@kernel_step
def now_alone(job: int, jobs: Jobs, machine: Machine) -> None:
    """File a job among those that others may join, in the order in which they were started."""
    if not may_be_paired(job, jobs, machine):
        return
    alone, state = machine.alone, machine.state
    place = machine.clock.alone
    while place > 0 and state[alone[place - 1]].order > state[job].order:
        alone[place] = alone[place - 1]
        place -= 1
    alone[place] = job
    machine.clock.alone += 1


@kernel_step
def not_alone(job: int, jobs: Jobs, machine: Machine) -> None:
    """Take a job out of those that others may join."""
    if not may_be_paired(job, jobs, machine):
        return
    alone = machine.alone
    place = 0
    while alone[place] != job:
        place += 1
    machine.clock.alone -= 1
    for k in range(place, machine.clock.alone):
        alone[k] = alone[k + 1]


@kernel
def begin_row(now: int, job: int, slowdown: int, machine: Machine) -> None:
    """Let a job go on at a slowdown."""
    state, clock = machine.state[job], machine.clock
    state.begin, state.slowdown = now, slowdown
    state.end = now + kernel_time_needed(state.left, WHOLE, slowdown)
    clock.ends = heap.push(machine.end_times, machine.end_jobs, clock.ends, state.end, job)


@kernel_step
def write_row(now: int, job: int, work: int, machine: Machine, rows: Rows) -> None:
    """Write the row of a job that ends now."""
    if machine.rules.match == MATCH_NONE or machine.state[job].begin == now:
        return
    row, state = rows.held[machine.clock.rows], machine.state[job]
    row.job, row.begin, row.end = job, state.begin, now
    row.slot, row.slowdown, row.work = state.place, state.slowdown, work
    machine.clock.rows += 1


@kernel_step
def break_off(now: int, job: int, machine: Machine, rows: Rows) -> None:
    """End the row of a job that goes on otherwise, or is suspended."""
    state = machine.state[job]
    work = kernel_work_done(now - state.begin, WHOLE, state.slowdown)
    write_row(now, job, work, machine, rows)
    state.left -= work
    state.estimate_left -= work
    state.begin = now


@kernel
def time_left(now: int, job: int, machine: Machine) -> int:
    """Return what is left of the estimate of a job that runs alone."""
    return machine.state[job].estimate_left - (now - machine.state[job].begin)


@kernel
def enter(now: int, job: int, jobs: Jobs, machine: Machine) -> None:
    """Make a waiting job a running one."""
    asked, state, clock = jobs.asked[job], machine.state[job], machine.clock
    state.mate, state.host, state.place, state.order = -1, -1, 0, clock.started
    state.left, state.estimate_left = asked.work, asked.estimate
    state.begin = now
    state.preemptions = 0
    machine.start[job] = now
    clock.started += 1
    clock.running += 1
    clock.waited += now - asked.submit
    clock.asked -= asked.processors


@kernel_step
def start_alone(now: int, job: int, jobs: Jobs, machine: Machine) -> None:
    """Give a job processors of its own."""
    enter(now, job, jobs, machine)
    machine.clock.free -= jobs.asked[job].processors
    begin_row(now, job, WHOLE, machine)
    machine.state[job].expected = now + jobs.asked[job].estimate
    predict_release(job, machine.state[job].expected, jobs.asked[job].processors, machine)
    now_alone(job, jobs, machine)


@kernel_step
def join(
    now: int, holder: int, partner: int, believed: int, actual: int, jobs: Jobs, machine: Machine, rows: Rows
) -> None:
    """Let a waiting job join one that is alone."""
    break_off(now, holder, machine, rows)
    not_alone(holder, jobs, machine)
    enter(now, partner, jobs, machine)
    first, second = machine.state[holder], machine.state[partner]
    second.host, second.place = holder, 1 if first.place == 0 else 0
    first.mate, second.mate = partner, holder
    begin_row(now, holder, actual, machine)
    begin_row(now, partner, actual, machine)
    sooner, later = pair_ends(now, first.estimate_left, second.estimate_left, believed)
    holder_first = first.estimate_left <= second.estimate_left
    first.expected = sooner if holder_first else later
    second.expected = later if holder_first else sooner
    predict_pair(holder, partner, jobs, machine)


@kernel
def pair_ends(now: int, time: int, other_time: int, slowdown: int) -> tuple[int, int]:
    """Return when the first and when the last of a pair is predicted to end, by what is left of their estimates."""
    sooner = now + kernel_time_needed(min(time, other_time), WHOLE, slowdown)
    return sooner, sooner + abs(time - other_time)


@kernel_step
def predict_pair(holder: int, partner: int, jobs: Jobs, machine: Machine) -> None:
    """Predict when the processors of a pair come free: the partner's when both have ended, the others with the holder."""
    size, shared = jobs.asked[holder].processors, jobs.asked[partner].processors
    ends, partner_ends = machine.state[holder].expected, machine.state[partner].expected
    forget_release(holder, machine)
    predict_release(holder, ends, size - shared, machine)
    predict_release(partner, max(ends, partner_ends), shared, machine)


@kernel_step
def go_on_alone(now: int, job: int, jobs: Jobs, machine: Machine) -> None:
    """Let a job whose partner has ended go on by itself, on its own processors; its last row has been written."""
    state = machine.state[job]
    state.mate = -1
    begin_row(now, job, WHOLE, machine)
    state.expected = now + state.estimate_left
    forget_release(job, machine)
    predict_release(job, state.expected, jobs.asked[job].processors, machine)
    now_alone(job, jobs, machine)


@kernel_step
def complete(now: int, job: int, jobs: Jobs, machine: Machine, rows: Rows) -> None:
    """End a job: its processors come free, but those that its partner keeps."""
    state, clock = machine.state[job], machine.clock
    write_row(now, job, state.left, machine, rows)
    state.finish, state.end = now, NEVER_US
    clock.running -= 1
    forget_release(job, machine)
    mate = state.mate
    state.mate = -1
    if mate < 0:
        clock.free += jobs.asked[job].processors
        not_alone(job, jobs, machine)
        return
    if machine.state[mate].host == job:
        clock.free += jobs.asked[job].processors - jobs.asked[mate].processors
    other = machine.state[mate]
    if other.end == now:  # it ends in this instant, too, and is next
        other.mate = -1
        now_alone(mate, jobs, machine)
        return
    if other.end < NEVER_US:
        break_off(now, mate, machine, rows)
    else:
        other.begin = now  # it was suspended
    go_on_alone(now, mate, jobs, machine)


@kernel_step
def complete_due(now: int, jobs: Jobs, machine: Machine, rows: Rows) -> None:
    """Let all jobs end whose last row ends now."""
    clock = machine.clock
    while clock.ends > 0 and machine.end_times[0] == now:
        job = machine.end_jobs[0]
        clock.ends = heap.pop(machine.end_times, machine.end_jobs, clock.ends)
        if machine.state[job].end == now:
            complete(now, job, jobs, machine, rows)


@kernel_step
def next_end(machine: Machine) -> int:
    """Return when the next job ends; NEVER_US if none runs. Ends of rows that were broken off are forgotten."""
    clock = machine.clock
    while clock.ends > 0:
        time, job = machine.end_times[0], machine.end_jobs[0]
        if machine.state[job].end == time:
            return time
        clock.ends = heap.pop(machine.end_times, machine.end_jobs, clock.ends)
    return NEVER_US


@kernel_step
def suspend_late(now: int, jobs: Jobs, machine: Machine, rows: Rows) -> int:
    """Suspend the partners that are slowed down too much, until their holders end; return how many."""
    clock, suspended = machine.clock, 0
    for k in range(clock.late):
        partner = machine.late[k]
        state = machine.state[partner]
        holder = state.mate
        if holder < 0:  # one of the two has ended
            continue
        break_off(now, partner, machine, rows)
        state.end = NEVER_US
        state.preemptions += 1
        break_off(now, holder, machine, rows)
        begin_row(now, holder, WHOLE, machine)
        ends = now + machine.state[holder].estimate_left
        machine.state[holder].expected, state.expected = ends, ends + state.estimate_left
        forget_release(partner, machine)
        predict_pair(holder, partner, jobs, machine)
        suspended += 1
    clock.late = 0
    return suspended
