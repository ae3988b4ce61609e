"""The state of a machine that is stepped: the event loop's arrays as rows of a few blocks, and what is booked on it.

Each array costs a call from Python about as much as a whole instant takes in the event loop; so calls take blocks, and the
event loop's arrays (:mod:`scheduler_core.space_sharing.state`) are made of their rows inside.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scheduler_core.common.units import NEVER_US
from scheduler_core.kernel.jit import kernel
from scheduler_core.kernel.profile import Profile
from scheduler_core.kernel.queue import Queue
from scheduler_core.space_sharing.event_loop import run_events
from scheduler_core.space_sharing.held import next_release
from scheduler_core.space_sharing.settings import make_rules
from scheduler_core.space_sharing.state import DUE, FREE, HELD, NEXT_JOB, RUNNING, Cluster, Held, Jobs, Rules

if TYPE_CHECKING:
    from scheduler_core.space_sharing.settings import Settings

(
    NUMBER,
    SUBMIT,
    RUN,
    ESTIMATE,
    TESTED,
    START,
    RESERVED,
    KEY,
    CANDIDATE_KEY,
    END,
    EXPECTED,
    EXPECTED_SIZE,
    HELD_BEGIN,
    HELD_END,
    HELD_SIZE,
) = range(TIMES := 15)
"""Rows of :attr:`Blocks.times`: the number of each job and what the event loop keeps in whole microseconds."""

SIZE, QUEUE, CANDIDATES, END_TIE, STARTED_AS, EXPECTED_JOB, MOVED_TO, REPORTED = range(PLACES := 8)
"""Rows of :attr:`Blocks.places`: what the event loop keeps in 32 bits; where a job stands in a prediction's copy; reported."""

COUNTS, CLOCK, QUEUE_BOUNDS, CANDIDATE_BOUNDS, PROFILE_BOUNDS, RESERVATION, COUNTERS = range(FEW := 7)
"""Rows of :attr:`Blocks.few`: the short arrays of the event loop."""


(
    COMING_JOB,
    COMING_SUBMIT,
    COMING_RUN,
    COMING_ESTIMATE,
    COMING_TESTED,
    COMING_SIZE,
    COMING_KEY,
    COMING_CANDIDATE_KEY,
    COMING_FOLLOWED,
) = range(COMING := 9)
"""Rows of :attr:`Tasks.coming`: a column per job that was given, by submission, then number."""

(
    BOOKED_JOB,
    BOOKED_RUN,
    BOOKED_ESTIMATE,
    LENGTH,
    BOOKED_SIZE,
    EARLIEST,
    EXPECTED_DATA,
    READY,
    PINNED,
    STATE,
    BEGIN,
    FRESH,
    JOINED,
) = range(BOOKED := 13)
"""Rows of :attr:`Tasks.booked`: a column per booking, in order of booking.

``READY`` is -1 while it is held back; ``STATE`` is one of the words below; ``FRESH``: released, and not brought forward since.
"""

HOLDS, SET_ASIDE, STARTED = range(3)

FOLLOWED_PLACE, FOLLOWED_JOINED = range(FOLLOWED := 2)
"""Rows of :attr:`Tasks.followed` and :attr:`Tasks.done`: where a followed job stands, and the order in which they joined."""

SLIDE_JOB, SLIDE_AT, SLIDE_START, SLIDE_FINISH, SLIDE_CAUSE = range(SLIDE := 5)
BY_BOOKING, BY_ROOM, BY_RELEASE, NOT_READY = range(4)
"""Rows of :attr:`Tasks.slides`, and the causes in the order of :data:`~scheduler_core.stepping.local_scheduler.Cause`."""

(
    AT,
    LAST_INSTANT,
    CALLED,
    KNOWN,
    OLDEST,
    GIVEN_JOBS,
    TAKEN,
    TO_FOLLOW,
    BOOKINGS,
    WAITING,
    FOLLOWING,
    DONE,
    NEXT_JOINED,
    SLIDES,
    LOST,
    UNPLACED,
) = range(STEPS := 16)
"""Entries of :attr:`Tasks.step`.

The time the machine is at, and the last instant; whether a call wants another one; jobs that the event loop knows, the first of
them that may not be done, jobs that were given, and those of them the loop knows; followed jobs to come; bookings, and those that
wait; followed jobs that are there, and those just done; the next place in the order of joining; slides; slots lost;
the booking that needs a hold.
"""


CAME_SO_FAR, NEEDS_ROOM, NEEDS_HOLD = range(3)
"""How a call to go on ends: where it was to; the table of slides must be made larger first; a booking must get a hold first."""


class Blocks(NamedTuple):
    """A machine; ``given_times`` and ``given_places`` show the same numbers, read-only, as the event loop takes its jobs."""

    times: np.ndarray
    given_times: np.ndarray
    places: np.ndarray
    given_places: np.ndarray
    plan: np.ndarray
    few: np.ndarray
    rules: np.ndarray


class Tasks(NamedTuple):
    """What a machine is given beside its state: jobs to come, bookings (and which of them wait), whom another waits for."""

    coming: np.ndarray
    booked: np.ndarray
    waiting: np.ndarray
    followed: np.ndarray
    done: np.ndarray
    slides: np.ndarray
    step: np.ndarray


class Parts(NamedTuple):
    """The same machine as the event loop knows it."""

    jobs: Jobs
    cluster: Cluster
    rules: Rules
    queue: Queue
    candidates: Queue
    profile: Profile
    reserved: np.ndarray
    reservation: np.ndarray
    counters: np.ndarray
    held: Held


def new_blocks(room: int, processors: int, settings: Settings) -> Blocks:
    """Make an idle machine with room for so many jobs and holds."""
    times = np.zeros((TIMES, room), np.int64)
    times[[SUBMIT, START, RESERVED]] = [[NEVER_US], [-1], [-1]]
    few = np.zeros((FEW, 8), np.int64)
    few[COUNTS, FREE], few[CLOCK, DUE], few[PROFILE_BOUNDS, 1] = processors, NEVER_US, 1
    few[RESERVATION] = -1
    plan = np.zeros((2, 2 * room + 8), np.int64)
    plan[1, 0] = processors
    rules = np.array(make_rules(settings), np.int64)
    return with_given(times, np.zeros((PLACES, room), np.int32), plan, few, rules)


def with_given(times: np.ndarray, places: np.ndarray, plan: np.ndarray, few: np.ndarray, rules: np.ndarray) -> Blocks:
    """Return the blocks with their read-only views."""
    given_times, given_places = times.view(), places.view()
    given_times.flags.writeable = given_places.flags.writeable = False
    return Blocks(times, given_times, places, given_places, plan, few, rules)


def enlarged_blocks(blocks: Blocks, room: int) -> Blocks:
    """Return a machine with room for so many jobs and holds."""
    times = np.zeros((TIMES, room), np.int64)
    times[[SUBMIT, START, RESERVED]] = [[NEVER_US], [-1], [-1]]
    times[:, : blocks.times.shape[1]] = blocks.times
    places, plan = enlarged(blocks.places, room), enlarged(blocks.plan, 2 * room + 8)
    return with_given(times, places, plan, blocks.few, blocks.rules)


def enlarged(rows: np.ndarray, room: int) -> np.ndarray:
    """Return rows with room for so many entries."""
    larger = np.zeros((len(rows), room), rows.dtype)
    larger[:, : rows.shape[1]] = rows
    return larger


def new_tasks(room: int) -> Tasks:
    """Make what a machine is given, empty, with room for so many jobs, bookings and slides."""
    blocks = [np.zeros((rows, room), np.int64) for rows in (COMING, BOOKED, 1, FOLLOWED, FOLLOWED, SLIDE)]
    coming, booked, waiting, followed, done, slides = blocks
    return Tasks(coming, booked, waiting[0], followed, done, slides, np.zeros(STEPS, np.int64))


def enlarged_tasks(tasks: Tasks, room: int, slides: int) -> Tasks:
    """Return it with room for so many jobs and bookings, and for so many slides."""
    coming, booked, waiting, followed, done, written, step = tasks
    return Tasks(
        enlarged(coming, room),
        enlarged(booked, room),
        enlarged(waiting[np.newaxis], room)[0],
        enlarged(followed, room),
        enlarged(done, room),
        enlarged(written, slides),
        step,
    )


@kernel
def rules_of(numbers: np.ndarray) -> Rules:
    """Return the rules from their numbers."""
    n = numbers
    return Rules(
        n[0], n[1], n[2], n[3], n[4] != 0, n[5], n[6], n[7], n[8] != 0, n[9], n[10], n[11], n[12], n[13], n[14] != 0, n[15],
        n[16], n[17], n[18],
    )  # fmt: skip


@kernel
def parts_of(blocks: Blocks) -> Parts:
    """Return a machine as the event loop knows it."""
    times, places, few, given = blocks.times, blocks.places, blocks.few, blocks.given_times
    rules = rules_of(blocks.rules)
    row = CANDIDATES if rules.own_candidates else QUEUE
    bounds = CANDIDATE_BOUNDS if rules.own_candidates else QUEUE_BOUNDS
    key = CANDIDATE_KEY if rules.own_candidates else KEY
    return Parts(
        Jobs(given[SUBMIT], given[RUN], given[ESTIMATE], given[TESTED], blocks.given_places[SIZE]),
        Cluster(
            few[COUNTS],
            few[CLOCK],
            times[END],
            places[END_TIE],
            places[STARTED_AS],
            times[EXPECTED],
            places[EXPECTED_JOB],
            times[EXPECTED_SIZE],
            times[START],
        ),
        rules,
        Queue(places[QUEUE], few[QUEUE_BOUNDS], times[KEY]),
        Queue(places[row], few[bounds], times[key]),
        Profile(blocks.plan[0], blocks.plan[1], few[PROFILE_BOUNDS]),
        times[RESERVED],
        few[RESERVATION],
        few[COUNTERS],
        Held(times[HELD_BEGIN], times[HELD_END], times[HELD_SIZE]),
    )


@kernel
def run_until(parts: Parts, until: int) -> None:
    """Let the event loop go on up to a time, that time included."""
    run_events(
        parts.jobs,
        parts.cluster,
        parts.rules,
        parts.queue,
        parts.candidates,
        parts.profile,
        parts.reserved,
        parts.reservation,
        parts.counters,
        until,
        parts.held,
    )


@kernel
def next_event(parts: Parts) -> int:
    """Return the next time at which something happens in the event loop."""
    jobs, cluster = parts.jobs, parts.cluster
    time = min(cluster.clock[DUE], jobs.submit[cluster.clock[NEXT_JOB]])
    if cluster.counts[RUNNING] > 0:
        time = min(time, cluster.end[0])
    if cluster.counts[HELD] > 0:
        time = min(time, next_release(cluster, parts.held))
    return time
