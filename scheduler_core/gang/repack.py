"""Packing all jobs again: migration (da Silva 2000, sections 4.4 and 5.3.4)."""

from scheduler_core.gang.packing import fit
from scheduler_core.gang.placement import append_to_slot, open_slot
from scheduler_core.gang.segments import break_segment, predict_end
from scheduler_core.gang.state import World
from scheduler_core.kernel import processor_sets as processors
from scheduler_core.kernel.jit import kernel_step


@kernel_step
def repack(world: World) -> None:
    """Empty the matrix and pack its jobs again, in the order of the running jobs.

    A job that moves to another slot or other processors begins a new segment. With fill, its copies decide that.
    """
    clock = world.clock
    for k in range(clock.slots):
        world.slots[world.order[k]].used = 0
    clock.slots = 0
    for k in range(clock.running):
        job = world.running[k]
        state, mask = world.state[job], world.new_mask[job]
        slot = fit(state.held, world)
        if slot < 0:
            slot = open_slot(world)
        for word in range(mask.shape[0]):
            mask[word] = 0
        processors.take_lowest(world.free_mask[slot], mask, state.held)
        world.slots[slot].free -= state.held
        moved = state.slot != slot or not processors.equal(mask, world.mask[job])
        if moved and not world.rules.fills:
            break_segment(job, world)
            predict_end(state, world.asked[job])
        append_to_slot(job, slot, world)
        processors.copy(world.mask[job], mask)
