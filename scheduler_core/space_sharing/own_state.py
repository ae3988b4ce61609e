"""The compiled counterpart of :mod:`own_world`: its state as arrays, and the events between two calls of a policy."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scheduler_core.common.units import MICROSECONDS, NEVER_US
from scheduler_core.kernel import heap
from scheduler_core.kernel.jit import kernel, kernel_entry
from scheduler_core.kernel.queue import FIRST, LAST, Queue, append, new_queue
from scheduler_core.kernel.records import Record, records
from scheduler_core.space_sharing.own_view import NUMBERS
from scheduler_core.space_sharing.own_world import IDLE_CALLS
from scheduler_core.space_sharing.state import standstill_end, standstills_of

if TYPE_CHECKING:
    from scheduler_core.stepping.engine_shell import Shell

UNKNOWN = -1
"""Stands for what is None in Python: a number that the log does not state, and the start of a job that waits."""

JOB = np.dtype(
    [
        ("number", np.int64),
        ("submitted", np.float64),
        ("processors", np.int64),  # its size: records of numpy have a `size` of their own
        ("estimate", np.float64),
        *((name, np.int64) for name in NUMBERS),
        ("position", np.int64),
        ("started", np.float64),
        ("expected_end", np.float64),
    ]
)
"""What a policy sees of a job; times in seconds."""

CLOCK = np.dtype(
    [
        ("now", np.int64),  # time of the last instant
        ("coming", np.int64),  # the next job to be submitted
        ("calls", np.int64),  # of the policy
        ("idle", np.int64),  # calls since the last start at which no job ran and none was to come
        ("free", np.int64),  # processors
        ("started", np.int64),  # jobs so far
        ("running", np.int64),  # jobs
        ("again", np.int64),  # further calls that the policy asks for
        ("promised", np.int64),  # promises that Python has not taken yet
        ("standstill", np.int64),  # the standstill that lasts, or comes next
        ("still_until", np.int64),  # end of the standstill that lasts; -1: jobs may start
        ("refused", np.int64),  # what an answer asks for that cannot be done: one of the words below
        ("position", np.int64),  # of the job that it names
        ("number", np.int64),  # of the job that it names
        ("seconds", np.float64),  # the time that it names
    ]
)

CALL, DONE, STUCK, REFUSED = range(4)
"""Why the events stop: for a call of the policy, at the end, as nothing would happen any more, at what cannot be done."""

NONE, START, CALL_AGAIN, PROMISE = range(4)
"""What an answer may ask for that cannot be done."""

PENDING = 1 << 20
"""Room for further calls that are pending, and for promises that Python has not taken yet."""


class State(NamedTuple):
    """A machine under a policy of the user's own; times in microseconds, by position of the jobs in the workload."""

    seen: np.ndarray  # of JOB
    submit: np.ndarray
    run: np.ndarray  # min(run time, estimate)
    start: np.ndarray  # -1 until the job starts
    waiting: Queue  # by position
    running: Queue  # by start
    ends: np.ndarray  # with end_jobs, a heap
    end_jobs: np.ndarray
    again: np.ndarray  # with again_jobs, which are 0, a heap
    again_jobs: np.ndarray
    promises: np.ndarray  # position of the job, when made, latest start
    numbers: np.ndarray  # of the jobs, sorted
    places: np.ndarray  # the position of each of these
    standstills: np.ndarray  # begin and end of each
    clock: np.ndarray  # of CLOCK, one entry


def new_state(shell: Shell) -> State:
    """Make an idle machine to which all jobs are still to come."""
    seen = jobs_seen(shell)
    total = len(seen)
    clock = records(1, CLOCK)
    clock[0].free, clock[0].still_until = shell.workload.machine.processors, -1
    places = np.argsort(seen["number"], kind="stable")
    return State(
        seen=seen,
        submit=shell.column("submit_us").copy(),
        run=shell.run_us,
        start=np.full(total, -1, np.int64),
        waiting=new_queue(total, np.arange(total)),
        running=new_queue(total, np.zeros(total, np.int64)),
        ends=np.empty(total, np.int64),
        end_jobs=np.empty(total, np.int32),
        again=np.empty(PENDING, np.int64),
        again_jobs=np.empty(PENDING, np.int32),
        promises=np.empty((PENDING, 3), np.int64),
        numbers=seen["number"][places],
        places=places,
        standstills=standstills_of(shell.workload),
        clock=clock,
    )


def jobs_seen(shell: Shell) -> np.ndarray:
    """Return what the policy sees of the jobs that take part, by position."""
    table = shell.jobs
    seen = records(table.height, JOB)
    for name in NUMBERS:
        seen[name] = table[name].fill_null(UNKNOWN).to_numpy() if name in table.columns else UNKNOWN
    seen["number"], seen["processors"], seen["position"] = table["job"], table["size"], np.arange(table.height)
    seen["submitted"], seen["estimate"] = table["submit_us"] / MICROSECONDS, table["estimate_us"] / MICROSECONDS
    seen["started"] = seen["expected_end"] = UNKNOWN
    return seen


# Entries are kept on disk. What the loop of a user's function calls is one, because each process compiles that loop again.
@kernel_entry
def next_call(state: State) -> int:
    """Take the events up to the next call of the policy; return CALL, or why there is none: DONE or STUCK."""
    clock, bounds = state.clock[0], state.waiting.bounds
    while clock.coming < len(state.submit) or bounds[FIRST] < bounds[LAST]:
        now = next_instant(state)
        if now == NEVER_US or clock.idle == IDLE_CALLS:
            return STUCK
        clock.now = now
        take_events(now, state)
        clock.still_until = standstill_end(now, clock, state.standstills)
        if bounds[FIRST] < bounds[LAST] and clock.still_until < 0:
            clock.calls += 1
            clock.idle += clock.coming == len(state.submit) and clock.running == 0
            return CALL
    return DONE


@kernel
def next_instant(state: State) -> int:
    """Return the time of the next event; NEVER_US when nothing will happen any more."""
    clock, now = state.clock[0], NEVER_US
    if clock.coming < len(state.submit):
        now = state.submit[clock.coming]
    if clock.running > 0:
        now = min(now, state.ends[0])
    if clock.again > 0:
        now = min(now, state.again[0])
    if clock.still_until >= 0:
        now = min(now, clock.still_until)
    return now


@kernel
def take_events(now: int, state: State) -> None:
    """End and submit the jobs of an instant, and forget the further calls that were due by then."""
    clock = state.clock[0]
    while clock.running > 0 and state.ends[0] <= now:
        job = state.end_jobs[0]
        clock.running = heap.pop(state.ends, state.end_jobs, clock.running)
        clock.free += state.seen[job].processors
        remove(state.running, job)
    while clock.coming < len(state.submit) and state.submit[clock.coming] <= now:
        append(state.waiting, clock.coming)
        clock.coming += 1
    while clock.again > 0 and state.again[0] <= now:
        clock.again = heap.pop(state.again, state.again_jobs, clock.again)


@kernel
def remove(queue: Queue, job: int) -> None:
    """Take a job out of a queue that is sorted by key; the fewer jobs before or behind it move up."""
    jobs, key, bounds = queue.jobs, queue.key, queue.bounds
    low, high = bounds[FIRST], bounds[LAST] - 1
    while low < high:
        middle = (low + high) >> 1
        if key[jobs[middle]] < key[job]:
            low = middle + 1
        else:
            high = middle
    if low - bounds[FIRST] < bounds[LAST] - 1 - low:
        for k in range(low, bounds[FIRST], -1):
            jobs[k] = jobs[k - 1]
        bounds[FIRST] += 1
    else:
        bounds[LAST] -= 1
        for k in range(low, bounds[LAST]):
            jobs[k] = jobs[k + 1]


@kernel_entry
def begin(position: int, number: int, state: State) -> bool:
    """Start a job now; return whether it can."""
    clock = state.clock[0]
    if not waits(position, number, state) or state.seen[position].processors > clock.free:
        return refuse(START, position, number, 0.0, clock)
    seen, now = state.seen[position], clock.now
    remove(state.waiting, position)
    state.running.key[position] = clock.started
    append(state.running, position)
    seen.started = now / MICROSECONDS
    seen.expected_end = seen.started + seen.estimate
    state.start[position] = now
    clock.running = heap.push(state.ends, state.end_jobs, clock.running, now + state.run[position], position)
    clock.free -= seen.processors
    clock.started += 1
    clock.idle = 0
    return True


@kernel_entry
def call_again(seconds: float, state: State) -> bool:
    """Keep a time at which the policy wants to be called; return whether it is later than now."""
    clock = state.clock[0]
    time = instant_of(seconds)
    if time <= clock.now or time == NEVER_US or clock.again == len(state.again):
        return refuse(CALL_AGAIN, 0, 0, seconds, clock)
    clock.again = heap.push(state.again, state.again_jobs, clock.again, time, 0)
    return True


@kernel_entry
def promise(position: int, number: int, seconds: float, state: State) -> bool:
    """Record a promise to a waiting job; return whether its time is not past."""
    clock = state.clock[0]
    latest = instant_of(seconds)
    if (
        not waits(position, number, state)
        or latest < clock.now
        or latest == NEVER_US
        or clock.promised == len(state.promises)
    ):
        return refuse(PROMISE, position, number, seconds, clock)
    row = state.promises[clock.promised]
    row[0], row[1], row[2] = position, clock.now, latest
    clock.promised += 1
    return True


@kernel
def instant_of(seconds: float) -> int:
    """Return a time in microseconds; NEVER_US for one that is no number or out of range."""
    scaled = seconds * MICROSECONDS
    return round(scaled) if -NEVER_US < scaled < NEVER_US else NEVER_US


@kernel
def waits(position: int, number: int, state: State) -> bool:
    """Return whether the job at a position waits and has this number."""
    if not 0 <= position < state.clock[0].coming:
        return False
    return state.start[position] < 0 and state.seen[position].number == number


@kernel
def position_of(number: int, state: State) -> int:
    """Return the position of the job with a number; -1 when there is none."""
    place = np.searchsorted(state.numbers, number)
    if place == len(state.numbers) or state.numbers[place] != number:
        return -1
    return state.places[place]


@kernel
def refuse(what: int, position: int, number: int, seconds: float, clock: Record) -> bool:
    """Record what cannot be done; return False."""
    clock.refused, clock.position, clock.number, clock.seconds = what, position, number, seconds
    return False
