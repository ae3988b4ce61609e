"""The agenda: the next event of every disk and every running task; the earliest is always known.

A disk or a running task has one event at a time, in a fixed place; a tournament among the places finds the first in fewer steps
than a heap. Disks stand to the left of processors, so that among events of one time and kind the lower processor wins; but what
arrives for tasks that spin (kind 0) goes by the number of the task.
"""

import numpy as np

from scheduler_core.concurrent_gang.state import ARRIVAL, NEVER, Agenda, World
from scheduler_core.kernel.jit import kernel

KIND_BITS = 3
KINDS = (1 << KIND_BITS) - 1
NO_EVENT = (NEVER << KIND_BITS) + KINDS


def new_agenda(processors: int) -> Agenda:
    """Return an agenda without events."""
    places = 1 << max(1, (2 * processors - 1).bit_length())
    place = np.arange(2 * places) - places
    for node in range(places - 1, 0, -1):
        place[node] = place[2 * node]
    return Agenda(np.full(2 * places, NO_EVENT), place)


@kernel
def put_down(place: int, time: int, kind: int, world: World) -> None:
    """Set the next event of a disk or processor; it replaces the previous one."""
    keys, places = world.agenda.key, world.agenda.place
    key = (time << KIND_BITS) + kind
    node = (len(keys) >> 1) + place
    keys[node] = key
    if world.clock.unsettled != 0:
        return
    winner = place
    while node > 1:
        other = keys[node ^ 1]
        if other < key or (other == key and goes_first(places[node ^ 1], winner, key, world)):
            key, winner = other, places[node ^ 1]
        node >>= 1
        if keys[node] == key and places[node] == winner:
            return
        keys[node], places[node] = key, winner


@kernel
def goes_first(place: int, other: int, key: int, world: World) -> bool:
    """Return whether the event of one place comes before that of another of the same time and kind."""
    if key & KINDS == ARRIVAL:
        count = world.rules.processors
        return world.processors[place - count].running < world.processors[other - count].running
    return place < other


@kernel
def keys_of(processor: int, world: World) -> tuple[int, int]:
    """Return the keys of the next events of a processor's disk and of its running task."""
    keys = world.agenda.key
    place = (len(keys) >> 1) + processor
    return keys[place], keys[place + world.rules.processors]


@kernel
def settle(processor: int, world: World) -> None:
    """Replay the tournament for a processor and its disk, whose events were set without it."""
    disk, own = keys_of(processor, world)
    put_down(processor, disk >> KIND_BITS, disk & KINDS, world)
    put_down(world.rules.processors + processor, own >> KIND_BITS, own & KINDS, world)


@kernel
def strike_out(place: int, world: World) -> None:
    """Remove the event of a disk or processor."""
    put_down(place, NEVER, KINDS, world)
