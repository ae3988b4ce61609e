"""The state that the event loop of Concurrent Gang works on: one :class:`World` of records and arrays."""

from typing import NamedTuple

import numpy as np

from scheduler_core.kernel.event_queue import EventQueue
from scheduler_core.kernel.records import Record

NEVER = (1 << 60) - 1
"""A time that does not come: 36 years in nanoseconds. An event's key is eight times its time plus its kind."""

LATEST = 1 << 59
"""The longest run: 18 years in nanoseconds."""

ARRIVAL, DISK_DONE, TURN_OF_TASK, CLOCK = 0, 1, 2, 3
"""Kinds of events, in their order at one instant; dispatches come after them."""

COMPUTE_ONLY, IO, MESSAGES, SUPERSTEPS, IRREGULAR, PROGRAM, BARRIERS = range(7)
"""Applications, in the order of the contract."""

COMPUTE, DISK, SEND, RECEIVE, BARRIER, PHASE, END = range(7)
"""Statements, the first five in the order of the contract; PHASE waits for the end of a phase, END ends the task."""

NOT_PLACED, READY, RUNNING, BLOCKED, ENDED = range(5)
"""States of a task. A running task may be in its switch, or spin; a blocked one waits or uses its disk."""

(ACT_COMPUTE, ACT_SEND, ACT_RECEIVE, ACT_SPIN, ACT_SWITCH, ACT_BLOCKED, ACT_EMPTY) = range(7)
"""Activities of a processor, in the order of the contract."""

SUM_LOCAL, SUM_DISK, SUMS = 7, 8, 9
"""Sums beside the activities: the part that the local task scheduler chose, and the disk's time."""

LOCAL_NONE, LOCAL_ROUND_ROBIN, LOCAL_PRIORITY = range(3)
NO_CLASSIFIER, COUNTING, BAYES = range(3)
SPIN, SPIN_BLOCK, CONTROLLED = range(3)

WHOLE = 1_000_000
"""Memberships and priorities are in millionths."""

DONE, FRONT_END, MORE_ROOM, TOO_LONG, PAUSE = range(5)
"""Why the event loop returns: the run is over; the workload may have changed; an array wants room; time ends; a pause."""

TRACE, PERIODS = -2, -3
"""What wants room: the tables of the trace, the sums of periods; a position stands for that job's messages."""

RULES = np.dtype(
    [
        (name, np.int64)
        for name in (
            "processors", "slice", "switch", "latency", "overhead", "baseline", "waiting", "spin", "least_left",
            "resume_owner", "boost", "local", "classifier", "less_communication", "alpha", "beta", "statements",
            "least_membership", "fills", "balance", "free_on_task_end", "until", "sums", "trace_begin", "trace_end",
            "fast_forward", "gang",
        )
    ]
)  # fmt: skip
"""The policy's parameters, times in ns. `least_left`: time that must be left of a slice for a spin limit; `beta` -1: none;
`until` NEVER: the run ends with its jobs."""

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
"""The progress of a run: `tick` is the next tick, `border` the next end of a period or border of the window of the trace.

`told`: the front end has acted at this tick, or need not; the slice begins next. `to_dispatch` processors are to dispatch, none
below `first_to_dispatch`; `dispatches` numbers the dispatches. `stalled` is a task whose next statement wants room, `wanted`
says where (-1: none). `gone` and `ended` count jobs and tasks that have ended since the front end last acted; `bound` jobs have
not left, `left` jobs have not ended. `forward`: the slice has begun, and its owners will be run ahead once all processors have
dispatched. `unsettled`: events only enter their places, while those of one processor are run.
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
"""A task, indexed by its number in the whole run.

`left` is the rest of the statement's time. `waiting`: the message, release or end of phase it needs has not come; `arrived`: it
has arrived at its barrier. `ready_at` is its place among the ready tasks of its processor. In the present slice it `asked` its
disk, `exchanged` that many statements, `waited` and `ran`; `next_ran` and `behind_at_disk` chain tasks (-1: the last).
`dispatched` is the number of its last dispatch, `rank` the number of its job's placement.

Program: `work` is the remaining work in ns; `part` and `index` determine the next statement. Messages: `listed` is the number of
the task's messages in the list, `clock` the task's clock after them with the job alone; `first_message` is its next message,
`last_message` the last listed. Supersteps: `clock` holds the work of the present one; `sends` are done, the last two at `sent_0`
and `sent_1` (even and odd), traced in the rows `row_0` and `row_1`; `barriers` are passed, `barrier_row` traces an arrival.
Irregular: `part` is its next piece, `taken` the number of its last pieces of the phase taken by others, and `index` the number
of draws of workers to take pieces from.
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

`arrived` tasks have reached its present barrier; `barriers` were completed, the last is released at `release`. Its messages are
in a ring at `mail` with `room` entries (a power of two): from `tail` to before `head`. Supersteps: `steps` are laid out; the last
two have work and shift 0 (even) and 1 (odd); `alone` is when the next would begin with the job alone. Irregular: `steps` phases
are laid out; the last has `pieces`, of which `pieces_left` have not ended, and its last piece has the length `cut` (0: as drawn);
`left` is the work of all tasks that is in no phase yet. `last_end` is when the last task that has ended did so.
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
"""A processor: `running` task (-1: none), whether the `local` task scheduler chose it, task that ran `last`, slice's `owner`.

`fresh`: nothing was dispatched in this slice. `since`: time up to which its `activity` is summed up; `end`: end of its task's
activity. `ready` tasks are ready, `ready_io` of them I/O-bound. `disk_free`: when the disk has served all requests.
`forwarded`: the task was run ahead in this slice and ``awaits`` a message (-1: none) that has not been sent.
`partners`: number of tasks that have not ended and whose job's tasks need one another.
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
"""A message: the next of its sender and of its receiver, the gaps before it, its time of sending (-1: not yet), its traced row.

Sender and receiver are numbers of tasks; `executed` counts how many of the two are done with it.
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

`following` is the message after that. `computed` and `waited` are times, `waits`, `sends` and `receives` counts, none of which
its other records contain yet.
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
"""The counters of a run; the policy's docstring defines them."""

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

    The node at k holds the earlier of its children 2k and 2k + 1; the winner is at 1, the places begin at half the length.
    """

    key: np.ndarray  # time of the event, eightfold, with its kind below; NEVER: none
    place: np.ndarray


class Trace(NamedTuple):
    """The traced events within the window; the clock counts the rows."""

    rows: np.ndarray
    disks: np.ndarray
    messages: np.ndarray
    barriers: np.ndarray
    slices: np.ndarray
    memberships: np.ndarray


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
    placed: (
        np.ndarray
    )  # positions of the jobs that have not left, in the order of placement; empty without the intelligent fill
    trace: Trace
