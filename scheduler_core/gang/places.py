"""The places that a pass gives to jobs that may run in several slots."""

from scheduler_core.gang.state import World
from scheduler_core.kernel import processor_sets as processors
from scheduler_core.kernel.jit import kernel


@kernel
def forget_places(world: World) -> None:
    """Let no job have any of the places that an earlier pass gave."""
    clock = world.clock
    clock.fresh_places = 0
    for k in range(clock.running):
        world.fresh[world.running[k]].places = 0


@kernel
def give_place(job: int, slot: int, world: World) -> int:
    """Give a job a further place, in a slot; return it, whose processors are still to be set."""
    clock, fresh = world.clock, world.fresh[job]
    place = clock.fresh_places
    clock.fresh_places += 1
    if fresh.places == 0:
        fresh.first = place
    else:
        world.fresh_next[fresh.last] = place
    fresh.last = place
    fresh.places += 1
    world.fresh_slot[place] = slot
    return place


@kernel
def give_own_processors(job: int, slot: int, world: World) -> None:
    """Give a job a further place, in a slot, on the processors on which it began."""
    processors.copy(world.fresh_mask[give_place(job, slot, world)], world.mask[job])


@kernel
def same_places(job: int, world: World) -> bool:
    """Return whether the places that this pass gave to a job are those that it has."""
    begin = world.state[job].copy_begin
    if begin < 0 or world.fresh[job].places != world.state[job].places:
        return False
    place = world.fresh[job].first
    for k in range(begin, begin + world.state[job].places):
        if world.copy_slot[k] != world.fresh_slot[place]:
            return False
        if not processors.equal(world.copy_mask[k], world.fresh_mask[place]):
            return False
        place = world.fresh_next[place]
    return True


@kernel
def move_to_places(job: int, world: World) -> None:
    """Let a job run in the places that this pass gave it; they are listed behind those of the jobs before it."""
    clock, state, fresh = world.clock, world.state[job], world.fresh[job]
    clock.held += (fresh.places - state.places) * state.held
    state.places = fresh.places
    state.copy_begin = clock.places
    place = fresh.first
    for k in range(clock.places, clock.places + fresh.places):
        world.copy_slot[k] = world.fresh_slot[place]
        processors.copy(world.copy_mask[k], world.fresh_mask[place])
        place = world.fresh_next[place]
    clock.places += fresh.places
