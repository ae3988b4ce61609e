"""What the event loop of Concurrent Gang works on: arrays of records, and the plain numbers that stand for words."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from scheduler_core.kernel.event_queue import EventQueue
from scheduler_core.kernel.records import Record

NEVER = (1 << 60) - 1
"""A time that does not come: 36 years in nanoseconds. Times of events are kept eightfold, with their kind below."""

LATEST = 1 << 59
"""A run may last so long: 18 years."""

ARRIVAL, DISK_DONE, TURN_OF_TASK, CLOCK = 0, 1, 2, 3
"""Kinds of events, in their order at one instant; to dispatch comes after them."""

COMPUTE_ONLY, IO, MESSAGES, SUPERSTEPS, IRREGULAR, PROGRAM = range(6)
"""Applications, in the order of the contract."""

COMPUTE, DISK, SEND, RECEIVE, BARRIER, PHASE, END = range(7)
"""Statements, the first five in the order of the contract; PHASE waits for the end of a phase, END ends the task."""

NOT_PLACED, READY, RUNNING, BLOCKED, ENDED = range(5)
"""States of a task. A running task may be in its switch, or spin; one that is blocked waits or has asked its disk."""

(ACT_COMPUTE, ACT_SEND, ACT_RECEIVE, ACT_SPIN, ACT_SWITCH, ACT_BLOCKED, ACT_EMPTY) = range(7)
"""What a processor does, in the order of the contract."""

SUM_LOCAL, SUM_DISK, SUMS = 7, 8, 9
"""Beside the activities: what of them is the local scheduler's, and the disk's time."""

LOCAL_NONE, LOCAL_ROUND_ROBIN, LOCAL_PRIORITY = range(3)
NO_CLASSIFIER, COUNTING, BAYES = range(3)
SPIN, SPIN_BLOCK, CONTROLLED = range(3)

WHOLE = 1_000_000
"""Memberships and priorities are in millionths."""

DONE, FRONT_END, MORE_ROOM, TOO_LONG, PAUSE = range(5)
"""Why the event loop returns: the run is over; the workload may have changed; an array wants room; time ends; for a breath."""

TRACE, PERIODS = -2, -3
"""What wants room, beside a job's messages (the job's position): the tables of the trace, the sums of periods."""

RULES = np.dtype(
    [
        (name, np.int64)
        for name in (
            "processors", "slice", "switch", "latency", "overhead", "baseline", "waiting", "spin", "least_left",
            "resume_owner", "boost", "local", "classifier", "less_communication", "alpha", "beta", "statements",
            "least_membership", "fill", "balance", "free_on_task_end", "until", "sums", "trace_begin", "trace_end",
            "fast_forward",
        )
    ]
)  # fmt: skip
"""The policy's parameters, times in ns. `least_left`: what must be left of a slice for a spin limit; `beta` -1: none; `until`
NEVER: the run ends with its jobs."""

CLOCK_STATE = np.dtype(
    [
        (name, np.int64)
        for name in (
            "now", "tick", "border", "period", "period_begin", "turn", "rows", "to_dispatch", "first_to_dispatch",
            "dispatches", "stalled", "told", "tracing", "gone", "ended", "bound", "left", "next_submit",
            "wanted", "rows_traced", "disks_traced", "messages_traced", "barriers_traced", "slices_traced",
            "memberships_traced", "forward", "unsettled",
        )
    ]
)  # fmt: skip
"""Where the run stands: `tick` is the next tick, `border` the next end of a period or border of the window of the trace.

`told`: the front end has been told of this tick, or need not be; the slice is to begin. `to_dispatch` processors are to dispatch,
none below `first_to_dispatch`. `dispatches` numbers them. `stalled` is a task whose next statement wants room, `wanted` where
(-1: none). `gone` and `ended` count jobs and tasks that have ended since the front end was told; `bound` jobs have not left,
`left` ones have not ended. `forward`: the slice has begun, and its owners are to be run ahead once all have been dispatched.
`unsettled`: events are put down in their places alone, while those of one processor happen.
"""

TASK = np.dtype(
    [
        (name, np.int32)
        for name in (
            "job", "number", "processor", "state", "statement", "waiting", "arrived", "ready_at", "asked", "exchanged",
            "waited", "ran", "next_ran", "behind_at_disk", "io_bound", "communicating", "rank", "taken",
        )
    ]
    + [
        (name, np.int64)
        for name in ("left", "dispatched", "priority", "work", "part", "index", "message", "clock", "first_message")
    ]
    + [("stream_0", np.uint64), ("stream_1", np.uint64)]
    + [
        (name, np.int64)
        for name in (
            "end_at_disk", "listed", "last_message", "barriers", "sends", "sent_0", "sent_1", "row_0", "row_1",
            "barrier_row", "f_io", "f_communication", "f_computation", "m_io", "m_communication", "m_computation",
        )
    ]
)  # fmt: skip
"""A task, at the place of its number in the whole run.

`left` is what is left of the statement's time; `waiting` says that what a receive, barrier or phase needs has not been found
there; `arrived` that it has arrived at its barrier. `ready_at` is its place among the ready tasks of its processor. In the
slice it `asked` its disk, `exchanged` so many statements, `waited`, `ran`; `next_ran` and `behind_at_disk` chain tasks (-1: the
last). `dispatched` is the number of its last dispatch, `rank` that of its job's placement.

What it does: `work` is left in ns, `part` and `index` say which statement is next. Messages of the list: `listed` so many are the
task's, which alone has come to `clock` with them; `first_message` is its next, `last_message` the last listed. Supersteps: the
work of the present one is in `clock`; `sends` are done, the last two at `sent_0` and `sent_1` (even and odd), traced in the rows
`row_0` and `row_1`. `barriers` are passed, `barrier_row` traces its arrival at one. Irregular: `part` is its next piece, others
took so many as `taken` of its last of the phase, and `index` draws were made for whom to take some from.
"""

JOB = np.dtype(
    [
        (name, np.int64)
        for name in (
            "first", "width", "work", "application", "seed", "burst", "disk", "constant", "imbalance", "most_tasks",
            "start", "finish", "row", "ended", "arrived", "barriers", "release", "mail", "room", "head", "tail",
            "list_ended", "steps", "work_0", "work_1", "shift_0", "shift_1", "alone", "messages", "requests", "blocked",
            "local_runs", "left", "pieces", "pieces_left", "cut", "last_end",
        )
    ]
    + [("stream_a", np.uint64), ("stream_b", np.uint64)]
)  # fmt: skip
"""A job: `first` is the number of its first task, `width` its size; times in ns.

At its present barrier `arrived` tasks have; `barriers` were completed, the last is released at `release`. Its messages lie at
`mail`, in a ring of `room` (a power of two): from `tail` to before `head`. Supersteps: `steps` are laid out; the last two have
work and shift 0 (even) and 1 (odd); `alone` is when the next begins, alone. Irregular: of `steps` phases laid out, the last
has `pieces`, of which `pieces_left` have not ended, the last of them of length `cut` (0: as drawn); `left` is work of all
tasks that is in none. Of the tasks that have ended, the last did at `last_end`.
"""

PROCESSOR = np.dtype(
    [
        (name, np.int64)
        for name in (
            "running", "local", "last", "owner", "fresh", "to_dispatch", "activity", "since", "row_begin", "end",
            "first_ran", "ready", "ready_io", "first_at_disk", "last_at_disk", "disk_since", "disk_free", "forwarded", "awaits",
            "partners",
        )
    ]
)  # fmt: skip
"""A processor: which task runs (-1: none), whether the `local` scheduler chose it, which ran `last`, the slice's `owner`.

`fresh`: nothing was dispatched in this slice. `since`: its `activity` is summed up to there; `end`: of what its task does.
`ready` tasks are ready, `ready_io` of them I/O-bound. `disk_free`: when the disk has served what was asked.
`forwarded`: the task was run ahead in this slice, and ``awaits`` a message (-1: none) that has not been sent.
`partners`: so many tasks have not ended whose job's tasks need one another.
"""

MAIL = np.dtype(
    [
        (name, np.int64)
        for name in (
            "next_of_sender",
            "next_of_receiver",
            "gap_of_sender",
            "gap_of_receiver",
            "sent",
            "row",
            "executed",
        )
    ]
    + [(name, np.int32) for name in ("sender", "receiver")]
)
"""A message: the next of its sender and its receiver, the gaps before it, when it was sent (-1: not yet), its row in the trace.

Sender and receiver are numbers of tasks; `executed` counts which of the two are done with it.
"""

AHEAD = np.dtype(
    [
        (name, np.int64)
        for name in (
            "flows", "next", "following", "since", "end", "computed", "waited", "waits", "sends", "receives",
        )
    ]
)  # fmt: skip
"""A task that exchanges messages ahead of the events: it `flows`, and computes from `since` to `end` before its `next` message.

`following` comes after that. It has `computed` and `waited` so long, the latter in so many `waits`, with so many `sends` and
`receives`, which its other records do not know yet.
"""

STEP = np.dtype([("statement", np.int64), ("time", np.int64), ("message", np.int64)])
"""A statement of a program."""

COUNTERS = (
    "slices",
    "workload_changes",
    "gang_runs",
    "local_runs",
    "switches",
    "messages",
    "barriers",
    "requests",
    "blocked",
    "preempted_local",
    "events",
    "fast_slices",
)
"""What a run counts; see the policy."""

COUNTED = np.dtype([(name, np.int64) for name in COUNTERS])

TRACED_ROW = np.dtype([(n, np.int64) for n in ("processor", "begin", "end", "activity", "task", "local")])
TRACED_DISK = np.dtype([(n, np.int64) for n in ("processor", "task", "issued", "begin", "end")])
TRACED_MESSAGE = np.dtype([(n, np.int64) for n in ("number", "sender", "receiver", "sent", "received")])
TRACED_BARRIER = np.dtype([(n, np.int64) for n in ("task", "barrier", "arrived", "released")])
TRACED_SLICE = np.dtype([(n, np.int64) for n in ("begin", "row", "processor", "task")])
TRACED_MEMBERSHIPS = np.dtype(
    [
        (name, np.int64)
        for name in (
            "at", "task", "io_seen", "communication_seen", "io_before", "communication_before", "computation_before",
            "io_measured", "communication_measured", "computation_measured", "io", "communication", "computation",
            "priority",
        )
    ]
)  # fmt: skip


class Agenda(NamedTuple):
    """The next event of every disk (places 0 to P - 1) and every processor (P to 2P - 1), as a tournament.

    A node at k has the earlier of its children 2k and 2k + 1; the winner stands at 1, the places begin at half the length.
    """

    key: np.ndarray  # time of the event, eightfold, with its kind below; NEVER: none
    place: np.ndarray


class Trace(NamedTuple):
    """What was traced within the window; the clock counts the rows."""

    rows: np.ndarray
    disks: np.ndarray
    messages: np.ndarray
    barriers: np.ndarray
    slices: np.ndarray
    memberships: np.ndarray


class Filling(NamedTuple):
    """What the intelligent fill works on; empty arrays without it."""

    owner: np.ndarray  # of the slice, by processor; -1: none
    placed: np.ndarray  # positions of the jobs that have not left, in the order in which they were placed
    first_task: np.ndarray  # number of the first task, by position of the job, and of all tasks
    bound_to: np.ndarray  # processor, by task
    candidate: np.ndarray  # what a task is to the fill


class World(NamedTuple):
    """All that a run works on."""

    rules: Record
    clock: Record
    counters: Record
    tasks: np.ndarray
    jobs: np.ndarray
    processors: np.ndarray
    rows: np.ndarray  # the front end's: a row per turn, a column per processor
    ready: np.ndarray  # a row per processor: the tasks that are ready, in no order
    sums: np.ndarray  # a row per processor: time by activity in this period
    job_sums: np.ndarray  # a row per job: time by activity
    periods: np.ndarray  # sums of the periods that have ended
    gone: np.ndarray  # jobs that have ended since the front end was told
    ended: np.ndarray  # tasks that have
    agenda: Agenda
    arrivals: EventQueue  # for tasks that are blocked
    mail: np.ndarray
    steps: np.ndarray  # statements of all programs
    ahead: np.ndarray  # tasks of one job at a time, by their number
    filling: Filling
    trace: Trace
