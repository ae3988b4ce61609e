"""The state that the event loop of gang scheduling works on: one :class:`World` of records and flat arrays."""

from typing import NamedTuple

import numpy as np

from scheduler_core.common.units import NEVER_US
from scheduler_core.kernel.records import Record, record, records

RIGID, MOLDABLE, MALLEABLE = 0, 1, 2
SHORT, MEDIUM, LONG = 0, 1, 2
NORMAL, LOW, HIGH = 0, 1, 2
"""States of the load."""

FIRST_FIT, BEST_FIT, ONE_JOB, MEMORY_FIT, MEMORY_BEST_FIT = 0, 1, 2, 3, 4
NO_BACKFILL, PROTECT_HEAD, PROTECT_ALL, GREEDY = 0, 1, 2, 3
REPACK_NEVER, REPACK_ARRIVALS, REPACK_CHANGES = 0, 1, 2

MATRIX, BUDDY, STATIC, EQUIPARTITION, FOLDING, COMPRESSION, LAZY = range(7)
"""Systems: the rules by which a pass decides which processors queued jobs get."""

DONE, MORE_ROWS, MORE_LEVELS, MORE_PLACES = 0, 1, 2, 3
"""What the event loop returns: finished, or which table needs more room before it can go on."""

RULES = np.dtype(
    [
        ("processors", np.int64),
        ("level", np.int64),  # 0: unlimited
        ("packing", np.int64),
        ("packs_by_memory", np.bool_),
        ("new_slot_competes", np.bool_),
        ("repack", np.int64),
        ("largest_first", np.bool_),
        ("fills", np.bool_),
        ("slice_us", np.int64),
        ("scaled", np.bool_),
        ("switch_cost", np.float64),
        ("switch_slows", np.bool_),
        ("priority", np.bool_),
        ("aging_us", np.int64),  # 0: off
        ("backfill", np.int64),
        ("depth", np.int64),  # 0: all
        ("adapt", np.bool_),
        ("resize_running", np.bool_),
        ("eliminate_fragmentation", np.bool_),
        ("demand_optimum", np.bool_),
        ("very_short_counted", np.bool_),  # with the mean size of the others
        ("load_level", np.int64),  # slots by which the load is classified
        ("reconfiguration_us", np.int64),
        ("stall_us", np.float64),  # per processor given or taken
        ("system", np.int64),
        ("blocks", np.int64),  # fixed partitions of the machine, or leaves of the tree of controllers; 0: none
        ("selective_disabling", np.bool_),
        ("alternative", np.bool_),
    ]
)
"""The parameters of a policy: words as numbers, times in microseconds."""

CLOCK = np.dtype(
    [
        ("now", np.int64),  # time of the current pass, or of the last one
        ("slot_time", np.int64),  # slot clock at that time
        ("row_begin", np.int64),  # time at which the current row of `levels` began
        ("row_slot_time", np.int64),  # slot clock at which it began
        ("level", np.int64),
        ("slice", np.int64),  # length of a slice
        ("phase", np.int64),  # the boundary from which slices are counted
        ("next_arrival", np.int64),  # next job to be submitted
        ("running", np.int64),  # running jobs
        ("slots", np.int64),
        ("queued", np.int64),  # queued jobs
        ("queued_demand", np.int64),  # processors that queued jobs add to the demand
        ("queued_counted", np.int64),  # queued jobs that are not very short
        ("queued_increase", np.int64),  # twice what they add to the possible increase
        ("load", np.int64),  # NORMAL, LOW or HIGH
        ("adapted", np.int64),  # when sizes were last adapted to the load
        ("first_start", np.int64),  # -1: none so far
        ("last_finish", np.int64),
        ("held", np.int64),  # processors held, over all slots
        ("rows", np.int64),  # rows written to `allocations`
        ("level_rows", np.int64),  # rows written to `levels`
        ("places", np.int64),  # copies that fill slots
        ("places_needed", np.int64),  # the most copies there may be
        ("fresh_places", np.int64),  # places that this pass has given
        ("noted", np.int64),  # submitted jobs whose waits are noted (lazy gang scheduling, as the next two)
        ("foremost", np.int64),  # rank in the queue of the job preempted last; 0: none yet
        ("overdue", np.int64),  # waiting jobs that have waited too long
    ]
)
"""The present time and the current counts of everything in the matrix."""

LONG_AGO_US = -NEVER_US
"""A time before every run."""

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
COUNTED = np.dtype([(name, np.int64) for name in COUNTERS])


ASKED = np.dtype(
    [
        ("submit", np.int64),
        ("work", np.int64),  # min(run time, estimate)
        ("estimate", np.int64),
        ("memory", np.int64),  # per processor
        ("normal_size", np.int64),  # size it is given from the queue under each load
        ("low_size", np.int64),
        ("high_size", np.int64),
        ("best_size", np.int64),  # optimum of the speed-up curve (`size` is what every NumPy scalar calls its own)
        ("size_min", np.int64),
        ("size_max", np.int64),
        ("flexibility", np.int64),
        ("job_class", np.int64),
        ("longest_wait", np.int64),  # before it may preempt others
        ("least_run", np.int64),  # before it may be preempted
    ]
)
"""What a job asks for; times in microseconds."""

STATE = np.dtype(
    [
        ("slot", np.int64),
        ("next", np.int64),  # neighbours in the slot, in the order of placement
        ("previous", np.int64),
        ("held", np.int64),  # processors
        ("places", np.int64),  # slots it runs in
        ("copy_begin", np.int64),  # index of its first copy among those that fill slots; -1: none
        ("left", np.int64),  # work left when the segment began
        ("stall", np.int64),  # stall due when the segment began
        ("begin", np.int64),  # time at which the segment began
        ("begin_slot_time", np.int64),  # slot clock at which the segment began
        ("end_slot_time", np.int64),  # slot clock at which the segment ends the job
        ("expected_slot_time", np.int64),  # the same, by estimate
        ("start", np.int64),
        ("finish", np.int64),
        ("first_size", np.int64),
        ("preemptions", np.int64),
        ("rank", np.int64),  # in the queue of lazy gang scheduling, smaller first
        ("rate", np.float64),
    ]
)
"""What a job in the matrix is doing."""

SLOT = np.dtype(
    [
        ("used", np.int64),  # whether the slot's number is in use
        ("free", np.int64),  # processors
        ("first", np.int64),  # first job in the order of placement
        ("last", np.int64),  # last job
        ("block_begin", np.int64),  # of a fixed block: its first processor
        ("block_end", np.int64),  # the processor after its last
        ("gangs", np.int64),  # of a controller of the tree: its own gangs
        ("rows", np.int64),  # rows of its cycle
        ("turn", np.int64),  # row of its own cycle during a row of the machine's cycle; -1: disabled
        ("busy_to", np.int64),  # first of its processors that no controller above it uses
    ]
)
"""A slot, or a fixed block of the machine: a partition or a controller of the tree."""

FRESH = np.dtype([("places", np.int64), ("first", np.int64), ("last", np.int64)])
"""The places that a pass gives to a job: how many, and the first and the last of a list that ``fresh_next`` links."""

SCRATCH = np.dtype([("job", np.int64), ("value", np.int64), ("fewest", np.int64), ("most", np.int64)])
"""An entry of a list that one step makes: a job and its size or end; a planned job also has bounds of its size."""

AHEAD, BEHIND = 0, 1
"""Walks through the queue: the one that all backfilling makes, and the one over jobs that are not planned yet."""

LINES = 3
"""Lines of the queue, one per class."""

LINE = np.dtype([("first", np.int64), ("last", np.int64)])
"""A line of the queue."""

LINK = np.dtype([("next", np.int32), ("previous", np.int32)])
"""A job's neighbours in its line; small, because backfilling walks a long queue in every pass."""

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


class Rows(NamedTuple):
    """The tables of the schedule as they grow; the clock counts their rows."""

    held: np.ndarray  # of HELD_ROW
    mask: np.ndarray  # processors of a row of `held`
    levels: np.ndarray  # of LEVEL_ROW


class SlotPlans(NamedTuple):
    """For ``backfill="all"``: an availability profile of each slot over future slot clock (see kernel/profile.py)."""

    times: np.ndarray
    free: np.ndarray
    bounds: np.ndarray


class Waits(NamedTuple):
    """The waiting jobs of lazy gang scheduling by how long they have waited: a queue is long, and few of it are overdue.

    A line for each class has those not overdue yet, in the order in which they began to wait, so the next to be overdue is at the
    front of a line. The overdue ones are a heap by their rank in the queue.
    """

    lines: np.ndarray  # of LINE
    links: np.ndarray  # of LINK
    rank: np.ndarray  # of the overdue ones, and their jobs
    job: np.ndarray


class World(NamedTuple):
    """All that a run works on.

    Records instead of an array per field, because a kernel takes each array as seven arguments and a record as one: with
    records it compiles four times faster.
    """

    rules: Record  # of RULES
    clock: Record  # of CLOCK
    counters: Record  # of COUNTED
    asked: np.ndarray  # of ASKED, by job
    state: np.ndarray  # of STATE, by job
    order: np.ndarray  # slots in the order of their creation
    slots: np.ndarray  # of SLOT, by number
    free_mask: np.ndarray  # free processors of a slot by number, a bit per processor
    running: np.ndarray  # jobs in the matrix, in the order of re-packing
    memory: np.ndarray  # memory left on each processor
    mask: np.ndarray  # processors of a job by number
    lines: np.ndarray  # of LINE: the queue, in order of submission, a line for each class (one for all in ``fcfs``)
    links: np.ndarray  # of LINK, by job
    waits: Waits
    fronts: np.ndarray  # next job of each line during a walk through the queue, a row per walk: AHEAD and BEHIND
    copy_slot: np.ndarray  # copies that fill slots, grouped by job
    copy_mask: np.ndarray
    rows: Rows
    fresh: np.ndarray  # of FRESH, by job; scratch from here on
    fresh_slot: np.ndarray  # places that a pass gives, in the order of giving
    fresh_next: np.ndarray  # the next place of the same job
    fresh_mask: np.ndarray
    new_mask: np.ndarray
    scratch: np.ndarray  # of SCRATCH
    scratch_mask: np.ndarray


def new_clock() -> Record:
    """Return the clock of a run that has not begun."""
    clock = record(CLOCK)
    clock.first_start = clock.last_finish = -1
    clock.adapted = LONG_AGO_US
    return clock


def new_states(total: int) -> np.ndarray:
    """Return the states of ``total`` jobs that have not started."""
    state = records(total, STATE)
    for name in ("slot", "next", "previous", "copy_begin", "start", "finish"):
        state[name] = -1
    state["places"] = 1
    return state


def new_lines() -> np.ndarray:
    """Return the lines of an empty queue."""
    lines = records(LINES, LINE)
    lines["first"] = lines["last"] = -1
    return lines


def new_waits(total: int) -> Waits:
    """Return the waits of ``total`` jobs that are still to come."""
    return Waits(new_lines(), records(total, LINK), np.zeros(total, np.int64), np.zeros(total, np.int32))


def new_rows(total: int, words: int) -> Rows:
    """Return the empty tables, with room for a run of ``total`` jobs in which little changes."""
    count = 2 * total + 64
    return Rows(records(count, HELD_ROW), np.zeros((count, words), np.uint64), records(total + 64, LEVEL_ROW))


def new_plans(slots: int, steps: int) -> SlotPlans:
    """Return empty plans of ``slots`` slots, each with room for ``steps`` steps."""
    shape = (slots, steps)
    return SlotPlans(np.zeros(shape, np.int64), np.zeros(shape, np.int64), np.zeros((slots, 2), np.int64))
