"""The state of one cluster whose machine belongs to one class of jobs at a time: flat arrays and plain numbers.

A :class:`Cluster` is everything there is: nothing is kept in globals, so that several clusters can be stepped side by side.
"""

from typing import NamedTuple

import numpy as np

from scheduler_core.common.units import NEVER_US
from scheduler_core.kernel.records import Record, record, records

SHORT, MEDIUM, LONG = range(CLASSES := 3)
"""Classes of jobs; also the slices' numbers."""

COMING, WAITING, RUNNING, SUSPENDED, DONE = range(5)
"""The states of a job."""

IDLE, SWITCHING, AT_WORK, BETWEEN = range(4)
"""The phases of the machine: no interval is in force; a slice is being switched to, or at work; between two slices."""

CONSERVATIVE, EASY, FIRST_FIT = range(3)
"""Which waiting jobs of a class without a group have reservations: all, the first, none."""

FINISHED, PAUSED, MORE_ROWS, GROUP_FORMED, FOLLOWED_DONE = range(5)
"""Why the event loop returns: no job is left; the time asked for is reached; a table needs room; a group needs an order; a
followed job is done."""

CLOCK = np.dtype(
    [
        ("now", np.int64),
        ("phase", np.int64),  # what the machine is doing: IDLE, SWITCHING, AT_WORK or BETWEEN
        ("slice", np.int64),  # class of the slice
        ("interval_end", np.int64),  # of the interval in force
        ("work_begin", np.int64),  # of the slice
        ("slice_end", np.int64),
        ("next_reservation", np.int64),  # the slice's class clock at the next reservation of its class
        ("known", np.int64),  # jobs known so far; what is kept of jobs may have room for more
        ("next_arrival", np.int64),  # next job to be submitted
        ("present", np.int64),  # jobs submitted and unfinished
        ("runners", np.int64),  # jobs that run
        ("free", np.int64),  # free processors
        ("requests", np.int64),
        ("left_now", np.int64),  # jobs done at this instant
        ("last_finish", np.int64),  # so far
        ("groups", np.int64),  # formed so far
        ("wake", np.int64),  # begin of the next interval, where no job but a booking asks for it
        ("intervals", np.int64),  # laid out so far
        ("wanted", np.int64),  # next instant that a booking asks for; NEVER_US: none
        ("made", np.int64),  # jobs booked or followed so far
        ("live", np.int64),  # those of them that are not done
        ("booked", np.int64),  # booked jobs that wait
        ("ended", np.int64),  # booked or followed jobs that are done,
        ("told", np.int64),  # and those of them that the caller knows of
        ("lost", np.int64),  # slots that were reached, or whose bound passed, in vain
        ("slide_rows", np.int64),
        ("held_rows", np.int64),  # rows of the tables so far
        ("slice_rows", np.int64),
        ("promise_rows", np.int64),
        ("goes_on", np.bool_),  # whether slices end though no job is present or to come
        ("wants_order", np.bool_),  # whether a pass has stopped for the order of a group
        ("stops", np.bool_),  # whether to come back when a followed job is done that the caller does not know of
    ]
)
"""Where a cluster is in time, and what is counted of it at present; one record per cluster."""

COUNTERS = (
    "passes",
    "slices",
    "backfilled",
    "resumed_elsewhere",
    "started_elsewhere",
    "planned_elsewhere",
    "dynamic",
    "requests",
    "groups_medium",
    "groups_long",
    "grouped",
    "searches",
    "orders",
    "tree_nodes",
    "pruned",
    "pruned_leaves",
    "placements",
)
COUNTED = np.dtype([(name, np.int64) for name in COUNTERS])

ASKED = np.dtype(
    [
        ("submit", np.int64),
        ("work", np.int64),  # min(run time, estimate)
        ("estimate", np.int64),
        ("processors", np.int64),
        ("job_class", np.int64),
    ]
)
"""The request of a job; times in microseconds."""

STATE = np.dtype(
    [
        ("status", np.int64),
        ("left", np.int64),  # work left when it last began to run
        ("rest", np.int64),  # the same by estimate
        ("begin", np.int64),  # when it last began to run
        ("end", np.int64),  # when its work will be done if it goes on
        ("plan_end", np.int64),  # until when, on its class's clock, it has processors of its class's plan
        ("lent_end", np.int64),  # until when, on the slice's clock, it has processors of another class's plan
        ("start", np.int64),
        ("finish", np.int64),
        ("stretches", np.int64),
        ("reserved", np.int64),  # class clock of its reservation; -1: none
        ("request", np.int64),  # the slice's clock at its request; -1: none
        ("booking", np.int64),  # its place in BOOKING; UNFOLLOWED: none; TO_FOLLOW: it gets one at its submission
        ("next", np.int64),  # neighbours in its line: the planned jobs of its class, or the other waiting ones
        ("previous", np.int64),
        ("planned", np.bool_),
    ],
    align=True,
)
"""The state of a job."""

UNFOLLOWED, TO_FOLLOW = -1, -2

BOOKING = np.dtype(
    [
        ("job", np.int64),
        ("earliest", np.int64),
        ("expected", np.int64),
        ("latest", np.int64),
        ("ready", np.int64),  # HELD_BACK until it is released
        ("least_clock", np.int64),  # class clock before which its slot does not slide
        ("freed", np.int64),  # when it was released, or its bound after that; -1: not yet
        ("before", np.int64),  # begin of its slot before reservations were made anew; -1: it had none
        ("least", np.int64),  # class clock from which its slot was last looked for
        ("live", np.int64),  # in the first records: places of the jobs that are not done, as they joined
        ("ended", np.int64),  # likewise: of the jobs that are done, in that order
        ("booked", np.bool_),  # whether it is booked, and not only followed
        ("pinned", np.bool_),
        ("kept", np.bool_),  # whether its slot was kept free when reservations were last made anew
        ("moved", np.bool_),  # whether its slot was moved in the bringing forward that goes on
    ]
)
"""A job that is booked, or followed until it is done.

The records also hold two lists of such jobs, because every further array slows down each call of a step.
"""

HELD_BACK = -1

CLASS = np.dtype(
    [
        ("clock", np.int64),  # how long slices of the class have worked
        ("work", np.int64),  # how long its slice of this interval works
        ("least_work", np.int64),  # how long its slice works at least in any interval
        ("laid_out", np.int64),  # how long its slices have been laid out to work, summed
        ("share", np.float64),  # of the machine's time, for estimated response times
        ("group_min", np.int64),  # fewest and most jobs of a group
        ("group_max", np.int64),
        ("group_size", np.float64),  # processors that waiting jobs must ask for
        ("group_work", np.float64),  # work that they must ask for, in processor-microseconds
        ("started", np.int64),  # started, unfinished jobs
        ("group", np.int64),  # number of its group; 0: none
        ("members", np.int64),  # jobs of the group
        ("finish_job", np.int64),
        ("given", np.bool_),  # whether its plan was given something
    ]
)
"""The state of a class of jobs."""

UNPLANNED, PLANNED = 0, 1
"""The lines of a class's waiting jobs: those that are not planned, by position; the planned ones, in the order of the plan."""

LINE = np.dtype([("first", np.int64), ("last", np.int64), ("count", np.int64)])
"""A line of waiting jobs; its links stand in :data:`STATE`."""

HELD_ROW = np.dtype([("job", np.int64), ("begin", np.int64), ("end", np.int64), ("slot", np.int64)])
SLICE_ROW = np.dtype([("begin", np.int64), ("end", np.int64), ("slot", np.int64)])
PROMISE_ROW = np.dtype(
    [("job", np.int64), ("made", np.int64), ("group", np.int64), ("clock", np.int64), ("finish", np.int64)]
)
SLIDE_ROW = np.dtype(
    [("job", np.int64), ("at", np.int64), ("start", np.int64), ("finish", np.int64), ("cause", np.int64)]
)
"""Rows of the tables."""

BOOKED, ROOM, FREED, NOT_READY, SLID_DOWN, RECALCULATED = range(6)
"""Causes of slides."""


class Rules(NamedTuple):
    """The parameters of the policy as plain numbers, times in microseconds; those of a class by its number."""

    processors: int
    interval: int
    switch: int
    short_slice: int
    day_medium: int  # shares in millionths
    day_long: int
    night_medium: int
    night_long: int
    night_begins: int  # hours
    night_ends: int
    backfilling: int
    smart: bool
    guard: bool
    promises: bool
    groups: bool
    dynamic: bool
    search: bool  # whether every pass searches the orders of own jobs
    queue_most: int
    tree_nodes: int
    bound: int
    finish_dip: float
    finish_utilisation: float
    finish_jobs: float
    nominal_mean: bool
    slide_backfill: bool
    slide_preemption: bool
    recalculates: bool  # reservations and slots are made anew at every instant
    keeps: bool  # and slots are kept free until the latest finish


class Rows(NamedTuple):
    """The rows of the tables."""

    held: np.ndarray
    slices: np.ndarray
    promises: np.ndarray
    slides: np.ndarray
    ended: np.ndarray  # when each group ended; -1: it has not


class Cluster(NamedTuple):
    """One cluster: its jobs, its processors, the queues and plans of its classes, its clock.

    ``plans`` and ``bounds`` are the plans of the classes: profiles (``kernel/profile.py``) over their clocks.
    """

    asked: np.ndarray
    state: np.ndarray
    sets: np.ndarray  # sets of processors, as rows of 64-bit words: see FREE_SET
    classes: np.ndarray
    lines: np.ndarray  # of LINE: a row per class, with its unplanned and its planned jobs
    started: np.ndarray  # of each class, in order of start
    members: np.ndarray  # of each class's group, in the order of the plan
    running: np.ndarray
    requests: np.ndarray  # jobs, in the order in which they made them
    bookings: np.ndarray  # of BOOKING
    plans: np.ndarray
    bounds: np.ndarray
    clock: Record  # of CLOCK
    counters: Record  # of COUNTED
    rules: Rules
    rows: Rows


FREE_SET, HELD_SETS, NODE_SETS = 0, 1, 1 + CLASSES
"""Rows of :attr:`Cluster.sets`: processors on which no job runs; those that started, unfinished jobs of each class hold; those of
each job that has started."""

MOST_GROUPED = 64
WORD = 64


def new_cluster(asked: np.ndarray, rules: Rules) -> Cluster:
    """Make the cluster of jobs that are all still to come, at time 0."""
    total, processors = len(asked), rules.processors
    words = -(-processors // WORD)
    whole = np.zeros(words * WORD, np.uint8)
    whole[:processors] = 1
    sets = np.zeros((NODE_SETS + total, words), np.uint64)
    sets[FREE_SET] = np.packbits(whole, bitorder="little").view("<u8")
    steps = 4 * processors + 2 * total + 64
    state, classes = records(total, STATE), records(CLASSES, CLASS)
    state["reserved"] = state["request"] = state["start"] = state["finish"] = -1
    state["booking"] = UNFOLLOWED
    state["left"], state["rest"] = asked["work"], asked["estimate"]
    classes["finish_job"] = -1
    lines = records((CLASSES, 2), LINE)
    lines["first"] = lines["last"] = -1
    bounds = np.zeros((CLASSES, 2), np.int64)
    bounds[:, 1] = 1
    plans = np.zeros((CLASSES, 2, steps), np.int64)
    plans[:, 1, 0] = processors
    clock = record(CLOCK)
    clock.free, clock.next_reservation = processors, NEVER_US
    clock.wake, clock.wanted, clock.slice = NEVER_US, NEVER_US, -1
    clock.known = total
    rows = Rows(
        held=records(4 * total + 64, HELD_ROW),
        slices=records(1024, SLICE_ROW),
        promises=records(3 * total + 64, PROMISE_ROW),
        slides=records(0, SLIDE_ROW),
        ended=np.full(256, -1, np.int64),
    )
    return Cluster(
        asked=asked,
        state=state,
        sets=sets,
        classes=classes,
        lines=lines,
        started=np.zeros((CLASSES, processors), np.int64),
        members=np.zeros((CLASSES, MOST_GROUPED), np.int64),
        running=np.zeros(processors, np.int64),
        requests=np.zeros(total, np.int64),
        bookings=records(0, BOOKING),
        plans=plans,
        bounds=bounds,
        clock=clock,
        counters=record(COUNTED),
        rules=rules,
        rows=rows,
    )
