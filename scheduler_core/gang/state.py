"""What the event loop of the matrix keeps: the jobs, the slots, the segments, the rules; flat arrays or plain numbers."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from scheduler_core.common.units import NEVER_US
from scheduler_core.kernel.records import Record, record, records

RIGID, MOLDABLE, MALLEABLE = 0, 1, 2
SHORT, MEDIUM, LONG = 0, 1, 2
NORMAL, LOW, HIGH = 0, 1, 2
"""States of the load; also the rows of :attr:`Jobs.target`."""

FIRST_FIT, BEST_FIT, ONE_JOB, MEMORY_FIT, MEMORY_BEST_FIT = 0, 1, 2, 3, 4
NO_BACKFILL, PROTECT_HEAD, PROTECT_ALL, GREEDY = 0, 1, 2, 3
REPACK_NEVER, REPACK_ARRIVALS, REPACK_CHANGES = 0, 1, 2

MATRIX, BUDDY, STATIC, EQUIPARTITION, FOLDING, COMPRESSION, LAZY = range(7)
"""Systems: the rules by which a pass decides which processors queued jobs get."""

DONE, MORE_ROWS, MORE_LEVELS, MORE_PLACES = 0, 1, 2, 3
"""What the event loop comes back with: finished, or which table wants room before it can go on."""

CLOCK = np.dtype(
    [
        ("last_pass", np.int64),  # its time
        ("row_begin", np.int64),  # time and slot clock at which the current row of `levels` began
        ("row_clock", np.int64),
        ("level", np.int64),
        ("slice", np.int64),  # length of a slice, and a boundary from which slices are counted
        ("phase", np.int64),
        ("next_arrival", np.int64),  # next job to be submitted
        ("running", np.int64),  # running jobs
        ("slots", np.int64),
        ("queued", np.int64),  # queued jobs
        (
            "queued_demand",
            np.int64,
        ),  # what queued jobs add to the demand, and twice what they add to the possible increase
        ("queued_increase", np.int64),
        ("load", np.int64),  # NORMAL, LOW or HIGH, and when sizes were last adapted to it
        ("adapted", np.int64),
        ("first_start", np.int64),  # -1: none so far
        ("last_finish", np.int64),
        ("held", np.int64),  # processors held, over all slots
        ("rows", np.int64),  # rows of the tables so far
        ("level_rows", np.int64),
        ("places", np.int64),  # copies that fill slots, and how many of them there may be
        ("places_needed", np.int64),
    ]
)
"""Where the matrix is in time, and what is counted of it at present; one record."""

LONG_AGO_US = -NEVER_US
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


ASKED = np.dtype(
    [
        ("submit", np.int64),
        ("work", np.int64),  # min(run time, estimate)
        ("estimate", np.int64),
        ("memory", np.int64),  # per processor
        ("best_size", np.int64),  # optimum of the speed-up curve (`size` is what every NumPy scalar calls its own)
        ("size_min", np.int64),
        ("size_max", np.int64),
        ("flexibility", np.int64),
        ("job_class", np.int64),
        ("longest_wait", np.int64),  # before it may preempt others
        ("least_run", np.int64),  # before it may be preempted
    ]
)
"""What a job asks; times in microseconds."""

STATE = np.dtype(
    [
        ("slot", np.int64),
        ("next", np.int64),  # neighbours in the slot, in the order of placement
        ("previous", np.int64),
        ("held", np.int64),  # processors
        ("places", np.int64),  # slots it runs in
        ("copy_begin", np.int64),  # where its places stand among the copies that fill slots; -1: nowhere
        ("left", np.int64),  # work left when the segment began
        ("stall", np.int64),  # stall due when the segment began
        ("begin", np.int64),  # time and slot clock at which the segment began
        ("begin_clock", np.int64),
        ("end_clock", np.int64),  # slot clock at which the segment ends the job
        ("expected_clock", np.int64),  # the same, by estimate
        ("start", np.int64),
        ("finish", np.int64),
        ("first_size", np.int64),
        ("preemptions", np.int64),
        ("rate", np.float64),
    ]
)
"""What a job in the matrix is doing."""

SLOT = np.dtype(
    [
        ("used", np.int64),  # whether the slot's number is in use
        ("free", np.int64),  # processors
        ("first", np.int64),  # first and last job in the order of placement
        ("last", np.int64),
        ("gangs", np.int64),  # of a controller of the tree: its own gangs, and rows of its cycle
        ("rows", np.int64),
        ("turn", np.int64),  # the row of its own cycle that it has in a row of the machine's; -1: disabled
        ("busy_to", np.int64),  # first of its processors that no controller above it uses
    ]
)
"""A slot; or a fixed block of the machine: a partition, a controller of the tree."""

LINES = 3
"""Lines of the queue: one per class."""

LINE = np.dtype([("first", np.int64), ("last", np.int64)])
"""A line of the queue."""

LINK = np.dtype([("next", np.int32), ("previous", np.int32)])
"""A job's neighbours in its line; small, because backfilling goes through a long queue in every pass."""

HELD_ROW = np.dtype(
    [
        ("job", np.int64),
        ("begin", np.int64),
        ("end", np.int64),
        ("slot", np.int64),
        ("processors", np.int64),
        ("rate", np.float64),
        ("work", np.int64),
        ("turn", np.int64),
        ("overhead", np.int64),
    ]
)
LEVEL_ROW = np.dtype([("begin", np.int64), ("end", np.int64), ("level", np.int64), ("share", np.float64)])


class Jobs(NamedTuple):
    """What is asked, by position."""

    asked: np.ndarray  # of ASKED
    target: np.ndarray  # a row per state of the load: size a queued job is given


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
    stall_us: float  # per processor given or taken
    system: int
    blocks: int  # fixed partitions of the machine, leaves of the tree of controllers; 0: none
    selective_disabling: bool
    alternative: bool


class Matrix(NamedTuple):
    """The Ousterhout matrix and the segments its jobs are in.

    Records instead of an array per field, because a kernel takes each array as seven arguments: with records it compiles four
    times faster.
    """

    clock: Record  # of CLOCK
    order: np.ndarray  # slots in the order of their creation
    slots: np.ndarray  # of SLOT, by number
    free_mask: np.ndarray  # free processors of a slot by number, a bit per processor
    running: np.ndarray  # jobs in the matrix, in the order of re-packing
    memory: np.ndarray  # memory left on each processor
    state: np.ndarray  # of STATE, by job
    mask: np.ndarray  # processors of a job by number
    copy_slot: np.ndarray  # copies that fill slots, grouped by job
    copy_mask: np.ndarray
    fresh_begin: np.ndarray  # scratch from here on
    fresh_slot: np.ndarray
    fresh_mask: np.ndarray
    new_mask: np.ndarray
    scratch: np.ndarray
    scratch_job: np.ndarray
    scratch_mask: np.ndarray


class Waiting(NamedTuple):
    """The queue: a linked line in order of submission for each class (one for all in ``fcfs``)."""

    lines: np.ndarray  # of LINE
    links: np.ndarray  # of LINK, by job
    ahead: np.ndarray  # the next job of each line, while the queue is gone through; looked at for every candidate


class Rows(NamedTuple):
    """The tables as they grow."""

    held: np.ndarray  # of HELD_ROW
    mask: np.ndarray
    levels: np.ndarray  # of LEVEL_ROW


class Plan(NamedTuple):
    """For ``backfill="all"``: an availability profile of each slot over future slot clock (see kernel/profile.py)."""

    time: np.ndarray
    free: np.ndarray
    bounds: np.ndarray
    behind: np.ndarray  # like `ahead` of the queue: the next job of each line that is not in the plan yet


def new_waiting(total: int) -> Waiting:
    """Make an empty queue for ``total`` jobs."""
    lines = records(LINES, LINE)
    lines["first"] = lines["last"] = -1
    return Waiting(lines, records(total, LINK), np.full(LINES, -1, np.int64))


def new_matrix(total: int, processors: int, memory: int, slots: int, words: int, sharing: bool) -> Matrix:
    """Make an empty matrix for ``total`` jobs with room for ``slots`` slots; ``words`` of 64 processors are named.

    ``sharing`` says whether jobs can have copies in other slots.
    """
    clock = record(CLOCK)
    clock.first_start = clock.last_finish = -1
    clock.adapted = LONG_AGO_US
    state = records(total, STATE)
    for name in ("slot", "next", "previous", "copy_begin", "start", "finish"):
        state[name] = -1
    state["places"] = 1
    scratch = max(total, processors, slots) + 1
    return Matrix(
        clock=clock,
        order=np.zeros(slots, np.int64),
        slots=records(slots, SLOT),
        free_mask=np.zeros((slots, words), np.uint64),
        running=np.zeros(total, np.int64),
        memory=np.full(processors, memory, np.int64),
        state=state,
        mask=np.zeros((total, words), np.uint64),
        copy_slot=np.zeros(0, np.int64),
        copy_mask=np.zeros((0, words), np.uint64),
        fresh_begin=np.zeros((2, total if sharing else 0), np.int64),
        fresh_slot=np.zeros(0, np.int64),
        fresh_mask=np.zeros((0, words), np.uint64),
        new_mask=np.zeros((total, words), np.uint64),
        scratch=np.zeros(scratch, np.int64),
        scratch_job=np.zeros(scratch, np.int64),
        scratch_mask=np.zeros(words, np.uint64),
    )
