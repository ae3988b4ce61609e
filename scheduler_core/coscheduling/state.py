"""The state that LOMARC's event loop works on: one :class:`World` of records and flat arrays.

Records instead of an array per field, because a kernel takes each array as seven arguments and a record as one: with
records it compiles several times faster.
"""

from typing import NamedTuple

import numpy as np

from scheduler_core.kernel.records import Record, record, records

SHORT, MEDIUM, LONG = 2, 1, 0
"""Classes by their levels."""

CPU, NETWORK, DISK = 0, 1, 2
"""Kinds of jobs, as ``Resource`` of the companion tables numbers them."""

MATCH_NONE, ALWAYS, ADJACENT, FIRST, BEST, BEST_OF_THREE, ABOVE = range(7)
UTILISATION_1, UTILISATION_2, RESPONSE = range(3)
PRINTED, PRINTED_RAW, UNSHARED_COUNTED, TABLE = range(4)
ADDITIVE, REPLACE, EXCESS = range(3)
NO_FUTURE, AVERAGE, CLASSES, CUMULATIVE = range(4)
AGING_OFF, AGING_FIXED, AGING_MEAN = range(3)

RULES = np.dtype(
    [
        ("processors", np.int64),
        ("memory", np.int64),  # per processor; 0: there is room for all
        ("match", np.int64),
        ("profit", np.int64),
        ("profit_above", np.float64),
        ("first_needs_gain", np.bool_),
        ("standard_cpu", np.bool_),
        ("slowdown", np.int64),
        ("memory_conflict", np.int64),
        ("max_slowdown", np.int64),  # millionths
        ("network_limit", np.float64),  # infinite: there is none
        ("weak_load", np.float64),
        ("match_running", np.bool_),
        ("match_backfilling", np.bool_),
        ("all_beyond_shadow", np.bool_),  # a partner that ends after the shadow time counts, too
        ("replace_forbidden", np.bool_),
        ("improvement_printed", np.bool_),  # the holder's own time, not what the pair saves
        ("by_difference", np.bool_),  # profits are divided by the difference of the numbers of jobs, not by their sum
        ("future", np.int64),
        ("all_waiting", np.bool_),  # the forecast's backlog: of all waiting jobs, not of the holder and those behind
        ("future_so_far", np.bool_),
        ("model_error", np.float64),
        ("both_sides", np.bool_),
        ("preempt_above", np.int64),  # millionths; 0: pairs stay
        ("shared_compatible", np.float64),
        ("compatible_share", np.float64),
        ("aging", np.int64),
        ("aging_time", np.int64),
    ]
)
"""The parameters of the policy: words as numbers, times in microseconds."""

ASKED = np.dtype(
    [
        ("submit", np.int64),
        ("work", np.int64),  # min(run time, estimate)
        ("estimate", np.int64),
        ("processors", np.int64),  # its size (`size` is what every NumPy scalar calls its own)
        ("job_class", np.int64),
        ("memory", np.int64),
        ("kind", np.int64),
        ("application", np.int64),  # row of the table of slowdowns
        ("cpu", np.float64),  # every fraction that contains the resource
        ("network", np.float64),
        ("disk", np.float64),
        ("cpu_phase", np.float64),
        ("error_phase", np.float64),
    ]
)
"""What a job asks for, and how it behaves."""

STATE = np.dtype(
    [
        ("mate", np.int64),  # the job it shares processors with; -1: none
        ("host", np.int64),  # the job it joined; -1: it was given processors
        ("place", np.int64),
        ("order", np.int64),  # jobs started before it
        ("begin", np.int64),  # when its row began
        ("left", np.int64),  # work left then, and by estimate
        ("estimate_left", np.int64),
        ("slowdown", np.int64),  # millionths
        ("end", np.int64),  # of the row, if nothing happens before
        ("expected", np.int64),  # predicted end
        ("release", np.int64),  # when processors are predicted to come free at its end
        ("finish", np.int64),
        ("preemptions", np.int64),
    ]
)
"""The state of a job that has started."""

CLOCK = np.dtype(
    [
        ("now", np.int64),  # time of the present instant
        ("next_arrival", np.int64),  # next job to be submitted
        ("free", np.int64),  # processors that no job has
        ("running", np.int64),  # jobs that have started and not ended
        ("started", np.int64),  # jobs started so far, and the sum of their waits
        ("waited", np.int64),
        ("first", np.int64),  # waiting jobs: from the first to before the last of the array
        ("last", np.int64),
        ("asked", np.int64),  # processors asked by waiting jobs, and the work of these jobs by estimates
        ("waiting_work", np.int64),
        ("ends", np.int64),  # entries of the heap of ends
        ("releases", np.int64),
        ("alone", np.int64),  # jobs others may join
        ("late", np.int64),  # partners to be suspended
        ("behind", np.int64),  # jobs summed for the response impact
        ("rows", np.int64),
        ("matches", np.int64),
        ("shorts", np.int64),  # jobs submitted so far that are short; work by estimates of these, and of the others
        ("short_work", np.int64),
        ("other_work", np.int64),
    ]
)
"""The present time and the current counts of jobs, processors and rows."""

RELEASE = np.dtype([("time", np.int64), ("job", np.int64), ("processors", np.int64)])
"""Processors that are predicted to become free."""

SUMS = np.dtype([("reached", np.float64), ("inverse", np.float64), ("work", np.float64)])
"""Of a job in the queue: R and H of the response impact, and its work over the processors of the machine."""

FORECAST = np.dtype(
    [
        ("known", np.bool_),
        ("between", np.float64),  # mean time between submissions
        ("share_short", np.float64),
        ("work", np.float64),  # mean work of all, of short and of other jobs; 0 where there are none
        ("short_work", np.float64),
        ("other_work", np.float64),
    ]
)

FOUND = np.dtype(
    [
        ("job", np.int64),  # the one chosen; -1: none
        ("running", np.bool_),  # whether it runs already
        ("slowdown", np.int64),  # believed, in millionths
        ("profit", np.float64),
        ("rank", np.int64),
        ("place", np.int64),  # number among those looked at
        ("looked_at", np.int64),
        ("medium_long", np.int64),
        ("size_fits", np.int64),
        ("memory_fits", np.int64),
        ("types_match", np.int64),
        ("slowdown_fits", np.int64),
    ]
)
"""The result of a search, and how many jobs passed each test."""

TURN = np.dtype(
    [
        ("place", np.int64),  # of the job in turn, in the order of the pass
        ("count", np.int64),  # jobs in that order
        ("backfilling", np.bool_),
        ("shadow", np.int64),  # shadow time of the head of the queue while backfilling, else NEVER_US
        ("extra", np.int64),  # processors that the head leaves at that time
    ]
)
"""The progress of a pass."""

HELD_ROW = np.dtype(
    [
        ("job", np.int64),
        ("begin", np.int64),
        ("end", np.int64),
        ("slot", np.int64),
        ("slowdown", np.int64),
        ("work", np.int64),
    ]
)

MATCH_ROW = np.dtype(
    [
        ("begin", np.int64),
        ("job", np.int64),
        ("partner", np.int64),
        ("running", np.bool_),
        ("backfilling", np.bool_),
        ("looked_at", np.int32),
        ("medium_long", np.int32),
        ("size_fits", np.int32),
        ("memory_fits", np.int32),
        ("types_match", np.int32),
        ("slowdown_fits", np.int32),
        ("rank", np.int32),
        ("profit", np.float64),
        ("slowdown", np.int64),
    ]
)

COUNTERS = (
    "passes",
    "searches_waiting",
    "searches_running",
    "weak_load_passes",
    "backfilled",
    "pushed_down",
    "pulled_up",
    "suspended",
)
COUNTED = np.dtype([(name, np.int64) for name in COUNTERS])

ROWS_PER_JOB = 5
"""The most rows per job, on average over all jobs.

Every job joins at most one pair as its partner. A pair breaks off the holder's row when it is formed, both rows when the
partner is suspended, and the other job's row when one ends. Each job also has its last row.
"""


class Rows(NamedTuple):
    """The tables of the schedule as they grow; the clock counts their rows."""

    held: np.ndarray  # of HELD_ROW
    matches: np.ndarray  # of MATCH_ROW


class World(NamedTuple):
    """All that a run works on."""

    rules: Record  # of RULES
    clock: Record  # of CLOCK
    counters: Record  # of COUNTED
    turn: Record  # of TURN
    found: Record  # of FOUND
    forecast: Record  # of FORECAST
    asked: np.ndarray  # of ASKED, by job
    slowdowns: np.ndarray  # of pairs of applications, where they were measured
    state: np.ndarray  # of STATE, by job
    start: np.ndarray  # by job; -1: it waits
    end_times: np.ndarray  # a heap of the ends of rows; ends of rows broken off since then stay in it
    end_jobs: np.ndarray
    releases: np.ndarray  # of RELEASE, in order of time, then job
    alone: np.ndarray  # jobs others may join, in the order in which they started
    late: np.ndarray  # partners that are slowed down so much that they will be suspended
    waiting: np.ndarray  # waiting jobs in order of position
    order: np.ndarray  # waiting jobs in the order of the pass
    level_1: np.ndarray  # scratch for putting them in order
    level_0: np.ndarray
    sums: np.ndarray  # of SUMS
    rows: Rows


def new_world(rules: Record, asked: np.ndarray, slowdowns: np.ndarray, matched: int) -> World:
    """Return an idle machine and an empty queue; ``matched`` is the number of jobs that may form pairs.

    A running job shares a processor with at most one other job, which limits how many can run at once.
    """
    total = len(asked)
    room = min(total, 2 * int(rules.processors)) + 1
    clock = record(CLOCK)
    clock.free = rules.processors
    return World(
        rules=rules,
        clock=clock,
        counters=record(COUNTED),
        turn=record(TURN),
        found=record(FOUND),
        forecast=record(FORECAST),
        asked=asked,
        slowdowns=slowdowns,
        state=np.empty(total, STATE).view(np.recarray),
        start=np.full(total, -1, np.int64),
        end_times=np.empty(ROWS_PER_JOB * total + 1, np.int64),
        end_jobs=np.empty(ROWS_PER_JOB * total + 1, np.int64),
        releases=records(room, RELEASE),
        alone=np.empty(room, np.int64),
        late=np.empty(room, np.int64),
        waiting=np.empty(total, np.int64),
        order=np.empty(total, np.int64),
        level_1=np.empty(total, np.int64),
        level_0=np.empty(total, np.int64),
        sums=records(total + 1, SUMS),
        rows=new_rows(matched),
    )


def new_rows(total: int) -> Rows:
    """Return the empty tables; memory that no row is written to is never taken."""
    return Rows(records(ROWS_PER_JOB * total, HELD_ROW), records(total, MATCH_ROW))
