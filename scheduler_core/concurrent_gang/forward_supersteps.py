"""Owners that work in supersteps or between barriers, run ahead of the event loop.

See :mod:`scheduler_core.concurrent_gang.fast_forward`. Between barriers tasks neither send nor receive; else what is said of
supersteps holds there, too.

All tasks of the job run. They go to their barrier one by one; once all are there it is known when it releases them. From a
barrier on they are in step, and if all do the same work they stay in step: then a superstep is the same sum for each of them.
"""

from scheduler_core.concurrent_gang.ahead import add_ahead, hand_back, may_spin, wait_ahead
from scheduler_core.concurrent_gang.forward_messages import activity_of
from scheduler_core.concurrent_gang.network import announce, comes_at, comes_at_receive, partner, receive
from scheduler_core.concurrent_gang.programs import LEFT, RECEIVES, REST, SENDS, WAITS, lay_out_superstep, share_of
from scheduler_core.concurrent_gang.state import (
    ACT_COMPUTE,
    ACT_RECEIVE,
    ACT_SEND,
    ACT_SPIN,
    ACT_SWITCH,
    BARRIER,
    BARRIERS,
    COMPUTE,
    DISK,
    NEVER,
    RECEIVE,
    SEND,
    SPIN,
    SUPERSTEPS,
    World,
)
from scheduler_core.kernel.jit import kernel, kernel_step
from scheduler_core.kernel.records import Record


@kernel_step
def step_ahead(position: int, world: World) -> None:
    """Run a job ahead, superstep by superstep."""
    job = world.jobs[position]
    world.counters.fast_slices += 1
    passed = True
    while passed:
        for _ in range(2):  # the second time all have sent what others wait for
            for task in range(job.first, job.first + job.width):
                go_to_barrier(task, world)
        passed = pass_barrier(position, world)
    for task in range(job.first, job.first + job.width):
        hand_back(task, world)


@kernel
def has_superstep(superstep: int, job: Record, world: World) -> bool:
    """Return whether a job has this superstep; lay it out if it is the next one."""
    if superstep == job.steps and job.list_ended == 0:
        lay_out_superstep(job, world)
    return superstep < job.steps


@kernel
def begin_superstep(task: int, world: World) -> tuple[int, int]:
    """Begin a task's next superstep, already laid out; return its first activity and how long that lasts."""
    state = world.tasks[task]
    state.clock = share_of(state, state.index, world.jobs[state.job])
    state.waiting = state.arrived = 0
    if world.jobs[state.job].application == BARRIERS:
        state.statement, state.part = COMPUTE, WAITS
        return ACT_COMPUTE, state.clock
    if state.clock // 2 > 0:
        state.statement, state.part = COMPUTE, SENDS
        return ACT_COMPUTE, state.clock // 2
    state.statement, state.part = SEND, REST
    return ACT_SEND, world.rules.overhead


@kernel_step
def go_to_barrier(task: int, world: World) -> None:
    """Run one task ahead until it waits at a barrier that does not release it yet, or as far as possible."""
    state, place = world.tasks[task], world.tasks[task].processor
    processor = world.processors[place]
    activity, since, end = processor.activity, processor.since, processor.end
    if activity == ACT_SPIN:  # since the slice began
        end = since
    while end <= world.clock.tick:
        waits = activity == ACT_SPIN or (activity == ACT_SWITCH and state.waiting != 0)
        begin = end
        if waits or (activity == ACT_COMPUTE and state.part == RECEIVES):
            begin = wait_ends(task, activity, end, world)
        if begin == NEVER or not goes_on(task, activity, waits, world):
            break
        if activity != ACT_SPIN:
            add_ahead(place, state.job, activity, end - since, world)
            world.counters.events += 1
        if begin > end:
            wait_ahead(task, begin - end, world)
            world.counters.events += 1
        if activity == ACT_SEND:
            send_in_superstep(task, end, world)
        following, time = begin_part(task, activity, waits, world)
        activity, since, end = following, begin, begin + time
    if since > processor.since:
        processor.activity, processor.since, processor.end = activity, since, end


@kernel
def wait_ends(task: int, activity: int, now: int, world: World) -> int:
    """Return when a task continues that reaches its receive now, or is again at its receive or at a barrier.

    NEVER if it is not known, or not within the slice and the spin limit.
    """
    place = world.tasks[task].processor
    comes = comes_at_receive(task, world) if activity == ACT_COMPUTE else comes_at(task, world)
    if comes <= now:
        return now
    if activity == ACT_SPIN:
        return comes if comes <= min(world.processors[place].end, world.clock.tick) else NEVER
    return comes if may_spin(place, now, comes, world) else NEVER


@kernel
def comes_to_barrier(activity: int, part: int) -> bool:
    """Return whether a task arrives at a barrier as its activity ends; ``part`` is the next of its superstep."""
    return activity == ACT_RECEIVE or (activity == ACT_COMPUTE and part == WAITS)


@kernel
def goes_on(task: int, activity: int, waits: bool, world: World) -> bool:
    """Return whether a task continues after its present activity with something other than a barrier or the end of its work."""
    state = world.tasks[task]
    if comes_to_barrier(activity, state.part) or (activity == ACT_COMPUTE and state.part == LEFT):
        return False
    if state.statement == DISK or (waits and state.statement == BARRIER):
        return has_superstep(state.index, world.jobs[state.job], world)
    return True


@kernel
def begin_part(task: int, activity: int, waits: bool, world: World) -> tuple[int, int]:
    """Begin a task's next activity within its superstep, or within the next one; return the activity and its length."""
    rules, state = world.rules, world.tasks[task]
    if activity == ACT_SEND:
        state.statement, state.part = COMPUTE, RECEIVES
        return ACT_COMPUTE, state.clock - state.clock // 2
    if activity == ACT_COMPUTE and state.part == SENDS:
        state.statement, state.part = SEND, REST
        return ACT_SEND, rules.overhead
    if activity == ACT_COMPUTE:
        state.statement, state.part, state.waiting = RECEIVE, WAITS, 0
        return ACT_RECEIVE, rules.overhead
    if state.statement == DISK or state.statement == BARRIER:
        state.barriers += waits
        return begin_superstep(task, world)
    state.waiting = 0
    return activity_of(state.statement), state.left


@kernel
def send_in_superstep(task: int, when: int, world: World) -> None:
    """End a send of a superstep."""
    state = world.tasks[task]
    job = world.jobs[state.job]
    if state.index & 1:
        state.sent_1, state.row_1 = when, -1
    else:
        state.sent_0, state.row_0 = when, -1
    state.sends += 1
    state.exchanged += 1
    receiver = partner(state, job, 1)
    other = world.tasks[receiver]
    if other.index == state.index and other.statement == RECEIVE and other.waiting != 0:
        announce(receiver, when + world.rules.latency, world)


@kernel_step
def pass_barrier(position: int, world: World) -> bool:
    """Pass the barrier with all tasks of a job if all are released within the slice; return whether they are."""
    rules, job = world.rules, world.jobs[position]
    release = released_at(position, world)
    if release == NEVER:
        return False
    superstep = job.barriers + 1
    if not has_superstep(superstep, job, world):
        return False
    job.barriers += 1
    job.arrived = 0
    job.release = release
    in_step = job.imbalance == 0 and (rules.waiting == SPIN or rules.spin >= rules.baseline)
    for task in range(job.first, job.first + job.width):
        in_step = arrive_ahead(task, release, world) == release and in_step
    if in_step:
        leap(position, superstep, release, world)
    for task in range(job.first, job.first + job.width):
        processor = world.processors[world.tasks[task].processor]
        processor.activity, time = begin_superstep(task, world)
        processor.end = processor.since + time
    return True


@kernel
def released_at(position: int, world: World) -> int:
    """Return when the present barrier of a job releases its tasks; NEVER if not in this slice, or if one would block there.

    Those that have arrived in an earlier slice wait there again, spinning or still in their switch.
    """
    job, release = world.jobs[position], 0
    for task in range(job.first, job.first + job.width):
        state, processor = world.tasks[task], world.processors[world.tasks[task].processor]
        if state.barriers < job.barriers or (processor.activity != ACT_SPIN and processor.end > world.clock.tick):
            return NEVER
        if state.statement != BARRIER:
            if not comes_to_barrier(processor.activity, state.part):
                return NEVER
            release = max(release, processor.end)
    release += world.rules.baseline
    for task in range(job.first, job.first + job.width):
        place = world.tasks[task].processor
        processor = world.processors[place]
        if processor.activity == ACT_SPIN:
            if release > min(processor.end, world.clock.tick):
                return NEVER
        elif release > processor.end and not may_spin(place, processor.end, release, world):
            return NEVER
    return int(release)


@kernel
def arrive_ahead(task: int, release: int, world: World) -> int:
    """Let a task arrive at its barrier once its processor is free, and wait for the release; return when it continues."""
    state, place = world.tasks[task], world.tasks[task].processor
    processor = world.processors[place]
    if processor.activity != ACT_SPIN:
        add_ahead(place, state.job, processor.activity, processor.end - processor.since, world)
        processor.since = processor.end
        world.counters.events += 1
    if state.statement != BARRIER:
        if state.statement == RECEIVE:
            receive(task, processor.end, world)
        state.exchanged += 1
        state.index += 1
    elif state.barrier_row >= 0:
        world.trace.barriers[state.barrier_row].released = release
        state.barrier_row = -1
    if release > processor.since:
        wait_ahead(task, release - processor.since, world)
        processor.since = release
        world.counters.events += 1
    state.barriers += 1
    return int(processor.since)


@kernel_step
def leap(position: int, superstep: int, now: int, world: World) -> None:
    """Run supersteps of a job whose tasks are in step and do the same, as long as they are released within the slice."""
    rules, job = world.rules, world.jobs[position]
    exchanges = job.application == SUPERSTEPS
    first, computed, spun, events = superstep, 0, 0, 0
    sent_before, sent = -1, -1
    while True:
        work = job.work_1 if superstep & 1 else job.work_0
        wait = max(0, rules.latency - (work - work // 2)) if exchanges else 0
        release = now + work + wait + rules.baseline + (2 * rules.overhead if exchanges else 0)
        if release > world.clock.tick or not has_superstep(superstep + 1, job, world):
            break
        computed += work
        spun += wait + rules.baseline
        events += 4 + (work > 1) + (wait > 0) if exchanges else 2
        sent_before, sent = sent, now + work // 2 + rules.overhead
        now = release
        superstep += 1
    steps = superstep - first
    if steps == 0:
        return
    for task in range(job.first, job.first + job.width):
        state, place = world.tasks[task], world.tasks[task].processor
        add_ahead(place, position, ACT_COMPUTE, computed, world)
        add_ahead(place, position, ACT_SPIN, spun, world)
        world.processors[place].since = now
        state.index, state.waited = superstep, 1
        state.barriers += steps
        state.exchanged += steps
        if exchanges:
            last_0, last_1 = (sent_before, sent) if superstep & 1 == 0 else (sent, sent_before)
            exchange_in_leap(task, steps, last_0, last_1, world)
    job.barriers += steps
    job.release = now
    world.counters.events += events * job.width


@kernel
def exchange_in_leap(task: int, steps: int, last_0: int, last_1: int, world: World) -> None:
    """Let a task send and receive in each of so many supersteps; its last sends ended at these times (-1: none)."""
    state, overhead = world.tasks[task], world.rules.overhead
    add_ahead(state.processor, state.job, ACT_SEND, steps * overhead, world)
    add_ahead(state.processor, state.job, ACT_RECEIVE, steps * overhead, world)
    state.sends += steps
    state.exchanged += 2 * steps
    world.jobs[state.job].messages += steps
    if last_0 >= 0:
        state.sent_0, state.row_0 = last_0, -1
    if last_1 >= 0:
        state.sent_1, state.row_1 = last_1, -1
