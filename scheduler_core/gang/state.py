"""What the event loop of the matrix keeps: the jobs, the slots, the segments, the rules; flat arrays or plain numbers."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

RIGID, MOLDABLE, MALLEABLE = 0, 1, 2
SHORT, MEDIUM, LONG = 0, 1, 2
NORMAL, LOW, HIGH = 0, 1, 2
"""States of the load; also the rows of :attr:`Jobs.target`."""

FIRST_FIT, BEST_FIT, ONE_JOB, MEMORY_FIT, MEMORY_BEST_FIT = 0, 1, 2, 3, 4
NO_BACKFILL, PROTECT_HEAD, PROTECT_ALL, GREEDY = 0, 1, 2, 3
NEVER, ARRIVALS, CHANGES = 0, 1, 2

DONE, MORE_ROWS, MORE_LEVELS, MORE_PLACES = 0, 1, 2, 3
"""What the event loop comes back with: finished, or which table wants room before it can go on."""

(
    LAST_PASS,
    ROW_BEGIN,
    ROW_CLOCK,
    LEVEL,
    SLICE,
    PHASE,
    NEXT_ARRIVAL,
    RUNNING,
    SLOTS,
    QUEUED,
    STATUS,
    ADAPTED,
    FIRST_START,
    LAST_FINISH,
    HELD,
    ROWS,
    LEVEL_ROWS,
    PLACES,
    PLACES_NEEDED,
    QUEUED_DEMAND,
    QUEUED_INCREASE,
) = range(21)
"""Places in :attr:`Matrix.clock`.

Time of the last pass; begin and slot clock of the current row of ``levels``; level; slice and phase of its boundaries;
next job to arrive; numbers of running jobs, slots and queued jobs; state of the load and when it was last adapted to; first
start and last finish; processors held over all slots; rows of the tables so far; copies that fill slots; how many of them
there may be; what queued jobs add to the demand, and twice what they add to the possible increase.
"""

NONE = -(2**62)
"""A time that has not been."""

(
    PASSES,
    BACKFILLED,
    RESIZINGS,
    RESIZED_PROCESSORS,
    SLOTS_OPENED,
    BUSY,
    IDLE,
    RESIZING,
    NORMAL_TIME,
    LOW_TIME,
    HIGH_TIME,
) = range(11)
"""Places in the counters."""

COUNTERS = (
    "passes",
    "backfilled",
    "resizings",
    "resized_processors",
    "slots_opened",
    "busy_us",
    "idle_us",
    "resizing_us",
    "normal_us",
    "low_us",
    "high_us",
)


class Jobs(NamedTuple):
    """What is asked, by position; times in microseconds."""

    submit: np.ndarray
    work: np.ndarray  # min(run time, estimate)
    estimate: np.ndarray
    size: np.ndarray  # optimum of the speed-up curve
    size_min: np.ndarray
    size_max: np.ndarray
    flexibility: np.ndarray
    job_class: np.ndarray
    memory: np.ndarray  # a processor
    target: np.ndarray  # a row a state of the load: size a queued job is given


class Rules(NamedTuple):
    """The parametrisation of the loop."""

    processors: int
    level: int  # 0: unlimited
    packing: int
    new_slot_competes: bool
    repack: int
    largest_first: bool
    fill: bool
    slice_us: int
    scaled: bool
    switch_cost: float
    switch_slows: bool
    priority: bool
    aging_us: int  # 0: off
    backfill: int
    depth: int  # 0: all
    adapt: bool
    resize_running: bool
    eliminate_fragmentation: bool
    demand_optimum: bool
    reconfiguration_us: int
    stall_us: float  # for each processor given or taken
    reconfigures: bool  # whether sizes may change at all


class Matrix(NamedTuple):
    """The Ousterhout matrix and the segments its jobs are in."""

    clock: np.ndarray
    order: np.ndarray  # slots in the order of their creation
    used: np.ndarray  # whether a slot number is in use
    free: np.ndarray  # free processors of a slot
    free_mask: np.ndarray  # the same by number, a bit a processor
    first: np.ndarray  # first and last job of a slot, in the order of placement
    last: np.ndarray
    running: np.ndarray  # jobs in the matrix, in the order of re-packing
    memory: np.ndarray  # memory left on each processor
    # by job
    slot: np.ndarray
    mask: np.ndarray
    next: np.ndarray  # neighbours in the slot
    previous: np.ndarray
    held: np.ndarray  # processors
    rate: np.ndarray
    places: np.ndarray  # slots it runs in
    left: np.ndarray  # work left when the segment began
    stall: np.ndarray  # stall due when the segment began
    begin: np.ndarray  # time and slot clock at which the segment began
    begin_clock: np.ndarray
    end_clock: np.ndarray  # slot clock at which the segment ends the job
    expected_clock: np.ndarray  # the same, by estimate
    start: np.ndarray
    finish: np.ndarray
    first_size: np.ndarray
    # copies that fill slots, grouped by job
    copy_begin: np.ndarray
    copy_slot: np.ndarray
    copy_mask: np.ndarray
    # scratch
    new_slot: np.ndarray
    new_mask: np.ndarray
    fresh_begin: np.ndarray
    fresh_slot: np.ndarray
    fresh_mask: np.ndarray
    scratch: np.ndarray
    scratch_job: np.ndarray
    scratch_mask: np.ndarray


class Waiting(NamedTuple):
    """The queue: a list linked in order of submission for each class (one for all in ``fcfs``)."""

    head: np.ndarray
    tail: np.ndarray
    next: np.ndarray
    previous: np.ndarray
    line: np.ndarray  # which list a job belongs to


class Rows(NamedTuple):
    """The tables as they grow."""

    job: np.ndarray
    begin: np.ndarray
    end: np.ndarray
    slot: np.ndarray
    processors: np.ndarray
    rate: np.ndarray
    work: np.ndarray
    turn: np.ndarray
    overhead: np.ndarray
    mask: np.ndarray
    level_begin: np.ndarray
    level_end: np.ndarray
    level: np.ndarray
    level_share: np.ndarray


class Plan(NamedTuple):
    """Free processors of each slot over future slot clock, for ``backfill="all"``."""

    time: np.ndarray
    free: np.ndarray
    steps: np.ndarray


def new_matrix(total: int, processors: int, memory: int, slots: int, words: int, sharing: bool) -> Matrix:
    """Make an empty matrix for ``total`` jobs with room for ``slots`` slots; ``words`` of 64 processors are named."""
    clock = np.zeros(21, np.int64)
    clock[FIRST_START] = clock[LAST_FINISH] = -1
    clock[ADAPTED] = NONE
    whole = np.zeros((slots, words), np.uint64)
    scratch = max(total, processors, slots) + 1
    per_job = {
        "slot": np.full(total, -1, np.int32),
        "mask": np.zeros((total, words), np.uint64),
        "next": np.full(total, -1, np.int32),
        "previous": np.full(total, -1, np.int32),
        "held": np.zeros(total, np.int32),
        "rate": np.ones(total),
        "places": np.ones(total, np.int32),
        "start": np.full(total, -1, np.int64),
        "finish": np.full(total, -1, np.int64),
        "first_size": np.zeros(total, np.int32),
    }
    times = ("left", "stall", "begin", "begin_clock", "end_clock", "expected_clock")
    return Matrix(
        clock=clock,
        order=np.zeros(slots, np.int32),
        used=np.zeros(slots, np.bool_),
        free=np.zeros(slots, np.int32),
        free_mask=whole,
        first=np.full(slots, -1, np.int32),
        last=np.full(slots, -1, np.int32),
        running=np.zeros(total, np.int32),
        memory=np.full(processors, memory, np.int64),
        **per_job,
        **{name: np.zeros(total, np.int64) for name in times},
        copy_begin=np.full(total if sharing else 0, -1, np.int32),
        copy_slot=np.zeros(0, np.int32),
        copy_mask=np.zeros((0, words), np.uint64),
        new_slot=np.zeros(total, np.int32),
        new_mask=np.zeros((total, words), np.uint64),
        fresh_begin=np.zeros(total if sharing else 0, np.int32),
        fresh_slot=np.zeros(0, np.int32),
        fresh_mask=np.zeros((0, words), np.uint64),
        scratch=np.zeros(scratch, np.int64),
        scratch_job=np.zeros(scratch, np.int32),
        scratch_mask=np.zeros(words, np.uint64),
    )
