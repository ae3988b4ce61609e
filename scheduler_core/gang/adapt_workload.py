"""Adaptation of sizes: to the load (Huang 2004, section 6.9), and of jobs just placed to free processors (section 6.12)."""

from scheduler_core.gang.placement import grow, shrink
from scheduler_core.gang.segments import break_segment, predict_end
from scheduler_core.gang.state import HIGH, LOW, MALLEABLE, MEDIUM, MOLDABLE, NORMAL, World
from scheduler_core.kernel.jit import kernel, kernel_step
from scheduler_core.kernel.records import Record


@kernel
def needed_by(jobs: int, counted: int, sizes: int, rules: Record) -> int:
    """Return the processors that some jobs need, of which ``counted`` are not very short and have these sizes together."""
    return sizes * jobs // counted if rules.very_short_counted and counted > 0 else sizes


@kernel_step
def classify_load(world: World) -> int:
    """Compare the demand of running and queued jobs with one slot of the machine, and with all slots that count."""
    rules, clock = world.rules, world.clock
    sizes, counted = 0, 0
    twice_increase = clock.queued_increase
    for k in range(clock.running):
        job = world.running[k]
        asked, held = world.asked[job], world.state[job].held
        if asked.estimate >= rules.reconfiguration_us:
            sizes += asked.best_size if rules.demand_optimum else held
            counted += 1
        if asked.flexibility == MALLEABLE:
            twice_increase += asked.size_max - held
    needed = needed_by(clock.running, counted, sizes, rules)
    needed += needed_by(clock.queued, clock.queued_counted, clock.queued_demand, rules)
    if 2 * needed + twice_increase < 2 * rules.processors:
        return LOW
    if needed > rules.processors * rules.load_level:
        return HIGH
    return NORMAL


@kernel
def adapted_size(load: int, held: int, free: int, asked: Record) -> int:
    """Return the size a running malleable job should have: halfway to its bound, at most what its slot has free."""
    if load == HIGH:
        return min(held, (held - asked.size_min) // 2 + asked.size_min)
    return min(held + free, (asked.size_max - held + 1) // 2 + held)


@kernel_step
def resize(job: int, size: int, world: World) -> None:
    """Change a running job's size; the resulting stall becomes due."""
    state, counters = world.state[job], world.counters
    held = state.held
    change = abs(size - held)
    break_segment(job, world)
    if size > held:
        grow(job, change, world)
    else:
        shrink(job, change, world)
    stall = round(world.rules.stall_us * change)
    state.stall += stall
    predict_end(state, world.asked[job])
    counters.resizings += 1
    counters.resized_processors += change
    counters.resizing_us += stall * max(size, held)


@kernel_step
def adapt_workload(world: World) -> None:
    """Resize all running malleable jobs to the load, slot by slot in order of placement."""
    load = world.clock.load
    if load != LOW and load != HIGH:
        return
    for k in range(world.clock.slots):
        slot = world.slots[world.order[k]]
        job = slot.first
        while job >= 0:
            asked, held = world.asked[job], int(world.state[job].held)
            if asked.flexibility == MALLEABLE:
                size = adapted_size(load, held, slot.free, asked)
                if size != held:
                    resize(job, size, world)
            job = world.state[job].next


@kernel_step
def eliminate_fragmentation(world: World) -> None:
    """Grow the moldable jobs placed in this pass in all slots, then the malleable jobs of class medium."""
    for flexibility in (MOLDABLE, MALLEABLE):
        for k in range(world.clock.slots):
            slot = world.slots[world.order[k]]
            job = slot.first
            while job >= 0 and slot.free > 0:
                asked, state = world.asked[job], world.state[job]
                eligible = asked.flexibility == flexibility and state.start == world.clock.now
                if eligible and (flexibility == MOLDABLE or asked.job_class == MEDIUM):
                    gain = min(slot.free, asked.size_max - state.held)
                    if gain > 0:
                        grow(job, gain, world)
                job = state.next
