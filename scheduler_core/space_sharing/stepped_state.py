"""The state of a stepped machine: the world of the event loop, the jobs to come, and bookings."""

from typing import NamedTuple

import numpy as np

from scheduler_core.common.units import NEVER_US
from scheduler_core.kernel.jit import kernel
from scheduler_core.kernel.profile import Profile
from scheduler_core.kernel.queue import Queue
from scheduler_core.kernel.records import enlarged, records
from scheduler_core.space_sharing.rules import Setup
from scheduler_core.space_sharing.state import Held, Jobs, Running, World, new_clock, next_release, rules_record

COMING = np.dtype(
    [
        ("job", np.int64),
        ("submit", np.int64),
        ("run", np.int64),
        ("estimate", np.int64),
        ("tested", np.int64),
        ("processors", np.int64),
        ("key", np.int64),  # in the queue, and among the candidates, where these are kept by keys
        ("candidate_key", np.int64),
        ("followed", np.int64),
    ]
)
"""A job that was given to the machine, in order of submission, then number."""

BOOKED = np.dtype(
    [
        ("job", np.int64),
        ("run", np.int64),
        ("estimate", np.int64),
        ("length", np.int64),
        ("processors", np.int64),
        ("earliest", np.int64),
        ("expected", np.int64),
        ("ready", np.int64),  # -1 while it is held back
        ("pinned", np.int64),
        ("state", np.int64),  # HOLDS, SET_ASIDE or STARTED
        ("begin", np.int64),  # of its hold
        ("fresh", np.int64),  # 1: released, and not brought forward since
        ("joined", np.int64),  # its place in the order of joining
    ]
)
"""A booking, in order of booking; see :mod:`scheduler_core.space_sharing.bookings`."""

HOLDS, SET_ASIDE, STARTED = range(3)

FOLLOWED = np.dtype([("place", np.int64), ("joined", np.int64)])
"""A followed job: its position, and its place in the order of joining."""

SLIDE = np.dtype([("job", np.int64), ("at", np.int64), ("start", np.int64), ("finish", np.int64), ("cause", np.int64)])
BY_BOOKING, BY_ROOM, BY_RELEASE, NOT_READY = range(4)
"""Causes of slides, in the order of :data:`~scheduler_core.stepping.local_scheduler.Cause`."""

STEP = np.dtype(
    [
        ("at", np.int64),  # the time the machine has reached
        ("last_instant", np.int64),
        ("called", np.int64),  # 1: a call wants another instant
        ("known", np.int64),  # jobs that the event loop knows
        ("oldest", np.int64),  # the first of them that may be unfinished
        ("given", np.int64),  # jobs that were given,
        ("taken", np.int64),  # and those of them that the event loop knows
        ("to_follow", np.int64),  # followed jobs that are still to come
        ("bookings", np.int64),
        ("waiting", np.int64),  # bookings that have not started
        ("following", np.int64),  # followed jobs in the event loop
        ("done", np.int64),  # followed jobs just done
        ("next_joined", np.int64),
        ("slides", np.int64),
        ("lost", np.int64),  # slots lost
        ("unplaced", np.int64),  # the booking that needs a hold
    ]
)
"""Where a machine that is stepped is, and how much is in its tables."""

CAME_SO_FAR, NEEDS_ROOM, NEEDS_HOLD = range(3)
"""How a call to go on ends: the time was reached; the table of slides is full; a booking must get a hold first."""


class Blocks(NamedTuple):
    """A machine as Python hands it over: an array costs each call about as much as an instant takes in the event loop.

    :func:`machine_of` gives the rows of the blocks their names.
    """

    times: np.ndarray
    places: np.ndarray
    plan: np.ndarray
    bounds: np.ndarray
    clock: np.ndarray  # of CLOCK, one entry, as rules
    rules: np.ndarray

    @property
    def room(self) -> int:
        """For how many jobs and holds there is room."""
        return int(self.times.shape[1])


TIMES, PLACES = 15, 7
"""Rows of the blocks."""


class Machine(NamedTuple):
    """A machine: its world, and by position the numbers of its jobs and their places in a prediction's copy."""

    world: World
    number: np.ndarray
    moved_to: np.ndarray


def named(blocks: Blocks) -> Machine:
    """Return the machine that blocks hold."""
    times, places, bounds = blocks.times, blocks.places, blocks.bounds
    queue = Queue(places[1], bounds[0], times[7])
    candidates = Queue(places[2], bounds[1], times[8]) if blocks.rules[0].own_candidates else queue
    world = World(
        Jobs(times[1], times[2], times[3], times[4], places[0]),
        Running(times[9], places[3], places[4], times[10], places[5], times[11]),
        times[5],
        queue,
        candidates,
        Profile(blocks.plan[0], blocks.plan[1], bounds[2]),
        times[6],
        Held(times[12], times[13], times[14]),
        None,
        None,
        None,
        blocks.clock,
        blocks.rules,
    )
    return Machine(world, times[0], places[6])


machine_of = kernel(named)


class Tasks(NamedTuple):
    """The tables of outside requests: jobs to come, bookings (and which of them wait), followed jobs, slides."""

    coming: np.ndarray  # of COMING
    booked: np.ndarray  # of BOOKED
    waiting: np.ndarray  # places of bookings
    followed: np.ndarray  # of FOLLOWED, as is done
    done: np.ndarray
    slides: np.ndarray  # of SLIDE
    step: np.ndarray  # of STEP, one entry


def new_blocks(room: int, processors: int, setup: Setup) -> Blocks:
    """Make an idle machine with room for so many jobs and holds."""
    plan, bounds = np.zeros((2, 2 * room + 8), np.int64), np.zeros((3, 2), np.int64)
    blocks = Blocks(
        np.zeros((TIMES, room), np.int64),
        np.zeros((PLACES, room), np.int32),
        plan,
        bounds,
        new_clock(processors),
        rules_record(setup.rules),
    )
    world = named(blocks).world
    world.jobs.submit[:], world.start[:], world.reserved[:] = NEVER_US, -1, -1
    world.profile.free[0], world.profile.bounds[1] = processors, 1
    return blocks


def enlarged_blocks(blocks: Blocks, room: int, processors: int, setup: Setup) -> Blocks:
    """Return a machine with room for so many jobs and holds."""
    larger = new_blocks(room, processors, setup)
    for before, after in zip(blocks[:3], larger[:3], strict=True):
        after[:, : before.shape[1]] = before
    return Blocks(*larger[:3], *blocks[3:])


def new_tasks(room: int) -> Tasks:
    """Make empty tables with room for so many jobs, bookings and slides."""
    coming, booked, followed, done, slides = (
        records(room, kind) for kind in (COMING, BOOKED, FOLLOWED, FOLLOWED, SLIDE)
    )
    return Tasks(coming, booked, np.zeros(room, np.int64), followed, done, slides, records(1, STEP))


def enlarged_tasks(tasks: Tasks, room: int, slides: int) -> Tasks:
    """Return the tables with room for so many jobs and bookings, and for so many slides."""
    rows = {name: enlarged(getattr(tasks, name), room) for name in ("coming", "booked", "waiting", "followed", "done")}
    return tasks._replace(**rows, slides=enlarged(tasks.slides, slides))


def plain(table: np.ndarray) -> np.ndarray:
    """Return a table of records as numpy has it, which Python reads several times faster."""
    return table.view(np.ndarray).view(np.dtype(table.dtype.descr))


@kernel
def next_event(world: World) -> int:
    """Return the next time at which something happens in the event loop."""
    clock = world.clock[0]
    time = min(clock.due, world.jobs.submit[clock.next_job])
    if clock.running > 0:
        time = min(time, world.running.end[0])
    if clock.held > 0:
        time = min(time, next_release(clock, world.held))
    return time
