"""Static partitioning: fixed parts of the machine with one job in each (Huang 2004, section 2.3)."""

from scheduler_core.gang.placement import place_job
from scheduler_core.gang.places import give_own_processors
from scheduler_core.gang.queue import leave_queue
from scheduler_core.gang.state import World
from scheduler_core.kernel.jit import kernel_step


@kernel_step
def serve_parts(world: World) -> None:
    """Give the head of the queue the smallest free part that is large enough, until there is none."""
    clock, slots = world.clock, world.slots
    while clock.queued > 0:
        job = world.lines[0].first
        size = world.asked[job].best_size
        best = -1
        for part in range(world.rules.blocks):
            fits = slots[part].first < 0 and slots[part].free >= size
            if fits and (best < 0 or slots[part].free < slots[best].free):
                best = part
        if best < 0:
            break
        leave_queue(job, world)
        place_job(job, best, size, world)
    clock.slots = min(1, clock.running)


@kernel_step
def walk_parts(world: World) -> None:
    """Give every job its one place: all parts belong to one row."""
    for k in range(world.clock.running):
        give_own_processors(world.running[k], 0, world)
