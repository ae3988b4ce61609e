"""Lazy gang scheduling: jobs run until another job has waited too long (da Silva 2000, section 3.4.4)."""

from scheduler_core.common.units import NEVER_US
from scheduler_core.gang.placement import open_slot, place_job, remove_job
from scheduler_core.gang.queue import count_demand, leave_queue
from scheduler_core.gang.segments import break_segment, predict_end
from scheduler_core.gang.state import LINES, World
from scheduler_core.kernel import heap
from scheduler_core.kernel.jit import kernel, kernel_step
from scheduler_core.kernel.linked import insert_before, remove
from scheduler_core.kernel.records import Record


@kernel
def overdue_at(state: Record, asked: Record) -> int:
    """Return the time from which a waiting job has waited too long; each preemption restarts its wait."""
    since = state.begin if state.start >= 0 else asked.submit
    return since + asked.longest_wait


@kernel
def preemptable_at(state: Record, asked: Record) -> int:
    """Return the time from which a running job may be preempted."""
    return state.begin + asked.least_run


@kernel
def begin_wait(job: int, rank: int, world: World) -> None:
    """Note that a job begins to wait, at a rank in the queue."""
    world.state[job].rank = rank
    insert_before(job, -1, world.waits.lines[world.asked[job].job_class], world.waits.links)


@kernel
def next_to_be_overdue(world: World) -> int:
    """Return the job that is overdue next of those that are not yet; -1 if there is none."""
    best = -1
    for line in range(LINES):
        job = world.waits.lines[line].first
        if job >= 0 and (best < 0 or due(job, world) < due(best, world)):
            best = job
    return best


@kernel
def due(job: int, world: World) -> int:
    """Return the time from which a waiting job has waited too long."""
    return overdue_at(world.state[job], world.asked[job])


@kernel_step
def note_waits(world: World) -> None:
    """Note the jobs that have been submitted since the last pass, and those that are overdue now."""
    clock, waits = world.clock, world.waits
    while clock.noted < clock.next_arrival:
        begin_wait(clock.noted, clock.noted, world)
        clock.noted += 1
    job = next_to_be_overdue(world)
    while job >= 0 and due(job, world) <= clock.now:
        remove(job, waits.lines[world.asked[job].job_class], waits.links)
        clock.overdue = heap.push(waits.rank, waits.job, clock.overdue, world.state[job].rank, job)
        job = next_to_be_overdue(world)


@kernel_step
def next_claim(world: World) -> int:
    """Return the next time at which a waiting job becomes overdue or, while any job waits, a running job preemptable."""
    clock = world.clock
    waiting = next_to_be_overdue(world)
    first = due(waiting, world) if waiting >= 0 else NEVER_US
    if clock.queued > 0:
        for k in range(clock.running):
            running = world.running[k]
            time = preemptable_at(world.state[running], world.asked[running])
            if time > clock.now:
                first = min(first, time)
    return first


@kernel_step
def preempt(job: int, world: World) -> None:
    """Take a job off its processors and put it at the head of the queue; it keeps the work it has done."""
    break_segment(job, world)
    remove_job(job, world)
    for word in range(world.mask.shape[1]):
        world.mask[job, word] = 0
    world.state[job].preemptions += 1
    insert_before(job, world.lines[0].first, world.lines[0], world.links)
    world.clock.foremost -= 1
    begin_wait(job, world.clock.foremost, world)
    world.clock.queued += 1
    count_demand(1, world.asked[job], world.clock, world.rules)


@kernel_step
def run_job(job: int, world: World) -> None:
    """Take a job from the queue and start it, or resume it if it was preempted."""
    state = world.state[job]
    left, start = state.left, state.start
    leave_queue(job, world)
    place_job(job, world.order[0], world.asked[job].best_size, world)
    if start >= 0:
        state.left, state.start = left, start
        predict_end(state, world.asked[job])


@kernel_step
def victim(world: World) -> int:
    """Return the job to preempt: the lowest priority and, among equals, the last placed; -1 if none may be preempted."""
    best = -1
    for k in range(world.clock.running):
        job = world.running[k]
        asked = world.asked[job]
        if preemptable_at(world.state[job], asked) <= world.clock.now and (
            best < 0 or asked.job_class >= world.asked[best].job_class
        ):
            best = job
    return best


@kernel_step
def make_room(job: int, world: World) -> bool:
    """Preempt jobs until an overdue one fits, or none if that is not enough; return whether there is room."""
    slot, size = world.slots[world.order[0]], world.asked[job].best_size
    within_reach = slot.free
    for k in range(world.clock.running):
        running = world.running[k]
        if preemptable_at(world.state[running], world.asked[running]) <= world.clock.now:
            within_reach += world.state[running].held
    if within_reach < size:
        return False
    while slot.free < size:
        preempt(victim(world), world)
    return True


@kernel_step
def serve_lazily(world: World) -> None:
    """Serve the jobs that have waited too long, by preemption where that helps, then the queue from its head."""
    clock = world.clock
    if clock.queued > 0 and clock.slots == 0:
        world.counters.slots_opened += 1
        open_slot(world)
    note_waits(world)
    waits = world.waits
    while clock.overdue > 0:
        job = waits.job[0]
        if not make_room(job, world):
            return
        clock.overdue = heap.pop(waits.rank, waits.job, clock.overdue)
        run_job(job, world)
    while clock.queued > 0:
        job = world.lines[0].first
        if world.slots[world.order[0]].free < world.asked[job].best_size:
            return
        remove(job, waits.lines[world.asked[job].job_class], waits.links)
        run_job(job, world)
