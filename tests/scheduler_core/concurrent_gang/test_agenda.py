"""The agenda: the earliest event of disks and running tasks, and who is first at one instant."""

import numpy as np
import pytest

from scheduler_core.concurrent_gang import state
from scheduler_core.concurrent_gang.agenda import KIND_BITS, put_down
from scheduler_core.concurrent_gang.state import ARRIVAL, DISK_DONE, TURN_OF_TASK
from scheduler_core.kernel.jit import kernel_entry
from tests.scheduler_core.concurrent_gang.worlds import empty_world


@kernel_entry
def put_all_down(places: np.ndarray, times: np.ndarray, kinds: np.ndarray, world: state.World) -> None:
    """Put events down, one after the other."""
    for k in range(len(places)):
        put_down(places[k], times[k], kinds[k], world)


def first(world: state.World) -> tuple[int, int, int]:
    """Return time, kind and place of the first event."""
    key = int(world.agenda.key[1])
    return key >> KIND_BITS, key & 7, int(world.agenda.place[1])


@pytest.mark.parametrize("processors", [1, 2, 3, 16, 21])
def test_first_event_is_the_earliest_then_of_the_lowest_kind_then_of_the_lowest_processor(processors: int) -> None:
    generator = np.random.default_rng(processors)
    world = empty_world(processors)
    stands: dict[int, tuple[int, int]] = {}
    for _ in range(400):
        place = int(generator.integers(2 * processors))
        kind = DISK_DONE if place < processors else TURN_OF_TASK
        time = int(generator.integers(6))
        put_all_down(np.array([place]), np.array([time]), np.array([kind]), world)
        stands[place] = (time, kind)
        assert first(world) == min((time, kind, place) for place, (time, kind) in stands.items())


def test_what_arrives_for_tasks_that_spin_goes_by_the_number_of_the_task() -> None:
    world = empty_world(4)
    world.processors["running"] = [7, 2, 9, 4]
    put_all_down(np.arange(4, 8), np.full(4, 10), np.full(4, ARRIVAL), world)
    assert first(world) == (10, ARRIVAL, 5)
    put_all_down(np.array([5]), np.array([11]), np.array([ARRIVAL]), world)
    assert first(world) == (10, ARRIVAL, 7)


def test_place_without_event_is_never_first_while_another_has_one() -> None:
    world = empty_world(3)
    assert first(world)[0] == state.NEVER
    put_all_down(np.array([4, 0]), np.array([state.LATEST, state.NEVER]), np.array([TURN_OF_TASK, 7]), world)
    assert first(world) == (state.LATEST, TURN_OF_TASK, 4)
