"""The state of the event loop of space sharing: a world of flat arrays, and a record of its place in time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from scheduler_core.common.units import NEVER_US
from scheduler_core.kernel import heap
from scheduler_core.kernel.jit import kernel, kernel_step
from scheduler_core.kernel.profile import Profile, new_profile
from scheduler_core.kernel.queue import Queue, new_queue
from scheduler_core.kernel.records import Record, records
from scheduler_core.space_sharing.ceilings import Ceilings, count_end, count_start
from scheduler_core.space_sharing.fair_share import Usage, count_processors
from scheduler_core.space_sharing.orders import AS_SUBMITTED, Order
from scheduler_core.space_sharing.rules import KINDS, Backfill, Rules, Setup, TiedCompletions

if TYPE_CHECKING:
    from scheduler_core.contracts import Workload

COUNTERS = ("passes", "candidates_looked_at", "backfilled", "reservations_moved")

CLOCK = np.dtype(
    [
        ("now", np.int64),  # time of the last instant
        ("next_job", np.int64),  # the next job to arrive
        ("due", np.int64),  # when a pass is due although nothing ends and no job comes
        ("given", np.int64),  # 1: the plan was given processors since the last pass
        ("free", np.int64),  # processors
        ("running", np.int64),  # jobs
        ("started", np.int64),  # jobs so far
        ("waited", np.int64),  # the sum of their waits
        ("held", np.int64),  # holds of bookings
        ("standstill", np.int64),  # the standstill that lasts, or comes next
        ("stood_still", np.int64),  # 1: no pass has been made since a standstill
        ("blocked", np.int64),  # 1: the last pass left a job waiting for the sake of a hold
        ("head", np.int64),  # the job that holds the reservation of EASY; -1: none does
        ("shadow", np.int64),  # its shadow time
        ("extra", np.int64),  # the extra processors left
        *((name, np.int64) for name in COUNTERS),
    ]
)
"""Where a machine is in time, and what is counted of it; one record per machine."""


RULES = np.dtype([(name, np.bool_ if kind is bool else np.int64) for name, kind in KINDS.items()])
"""The rules as one record: a compiled call takes it as one argument."""


class Jobs(NamedTuple):
    """The requests of jobs, by position; times in microseconds."""

    submit: np.ndarray
    run: np.ndarray  # min(run time, estimate): how long the job will hold its processors
    estimate: np.ndarray
    tested: np.ndarray  # what a candidate's end is computed from, or the plan counts on: the estimate, or the run
    size: np.ndarray


class Running(NamedTuple):
    """The running jobs by actual end (a heap) and by expected end (sorted).

    ``end_tie`` orders the completions of one instant: by the job itself, or by how many jobs had started before it; then
    ``started_as`` lists the jobs in the order of their starts.
    """

    end: np.ndarray
    end_tie: np.ndarray
    started_as: np.ndarray
    expected: np.ndarray
    expected_job: np.ndarray
    expected_size: np.ndarray


class Held(NamedTuple):
    """The holds of bookings; ``clock.held`` says how many there are."""

    begin: np.ndarray
    end: np.ndarray
    size: np.ndarray


class World(NamedTuple):
    """One machine under one policy. Nothing is kept elsewhere, so several machines can run side by side.

    ``held`` is None where nothing can be booked. ``standstills``, ``ceilings`` and ``usage`` are None together, where jobs may
    start at any time, none is held and no order asks for usage. The loop is then compiled without the look at them; that at holds
    would cost EASY a tenth of its speed. Where one of the three is needed, the look at the others takes no time that counts, and
    compiling the loop for each of them would take 10 s.
    """

    jobs: Jobs
    running: Running
    start: np.ndarray  # of every job; -1 until it starts
    queue: Queue  # the waiting jobs in their order: queue.jobs[bounds[FIRST]:bounds[LAST]]
    candidates: Queue  # the queue itself, unless the candidates have an order of their own
    profile: Profile
    reserved: np.ndarray  # begin of each job's reservation in the plan; -1: none yet
    held: Any  # Held, or None
    standstills: Any  # begin and end of each, or None
    ceilings: Any  # Ceilings, or None
    usage: Any  # Usage, or None
    clock: np.ndarray  # of CLOCK, one entry, as rules: no compiled function can return a record itself
    rules: np.ndarray  # of RULES


def new_world(
    jobs: Jobs,
    processors: int,
    setup: Setup,
    standstills: np.ndarray | None,
    ceilings: Ceilings | None,
    usage: Usage | None,
) -> World:
    """Make an idle machine to which all jobs are still to come, and on which nothing can be booked.

    A running job holds a processor, so at most as many jobs run as there are processors; twice that where the processors of
    jobs that end now are given away before their completions are taken.
    """
    total, rules = len(jobs.submit), setup.rules
    room = min(total, 2 * processors) + 1
    conservative = rules.backfill == Backfill.conservative
    deep = rules.backfill == Backfill.easy and rules.reservations != 1
    queue = empty_queue(jobs, setup.order)
    return World(
        jobs=jobs,
        running=new_running(room, total if rules.tied_completions == TiedCompletions.start else 0),
        start=np.full(total, -1, np.int64),
        queue=queue,
        candidates=empty_queue(jobs, setup.backfill_order) if rules.own_candidates else queue,
        profile=new_profile(2 * total if conservative or deep else 0, 0, processors),
        reserved=np.full(total if conservative else 0, -1, np.int64),
        held=None,
        standstills=standstills,
        ceilings=ceilings,
        usage=usage,
        clock=new_clock(processors),
        rules=rules_record(rules),
    )


def standstills_of(workload: Workload) -> np.ndarray:
    """Return begin and end of each standstill, in microseconds.

    It is a copy, row by row: for an array that numba may not write, or that lies otherwise, it would compile the loop again.
    """
    table = workload.companions.get("standstills")
    rows = np.empty((0, 2), np.int64) if table is None else table.select("begin_us", "end_us").to_numpy()
    return np.array(rows, order="C")


def new_clock(processors: int) -> np.ndarray:
    """Make the record of an idle machine."""
    clock = records(1, CLOCK)
    clock[0].free, clock[0].due, clock[0].head = processors, NEVER_US, -1
    return clock


def rules_record(rules: Rules) -> np.ndarray:
    """Return the rules as a record."""
    made = records(1, RULES)
    made[0] = tuple(rules)
    return made


def new_running(room: int, starts: int) -> Running:
    """Make room for running jobs, and for the order of so many starts."""
    return Running(
        end=np.empty(room, np.int64),
        end_tie=np.empty(room, np.int32),
        started_as=np.empty(starts, np.int32),
        expected=np.empty(room, np.int64),
        expected_job=np.empty(room, np.int32),
        expected_size=np.empty(room, np.int64),
    )


def empty_queue(jobs: Jobs, order: Order) -> Queue:
    """Make the empty queue of an order, with the keys it needs."""
    total = len(jobs.submit)
    if order.key is not None:
        return new_queue(total, order.keys(jobs.estimate, jobs.size))
    return new_queue(total, np.zeros(0 if order.code == AS_SUBMITTED else total, np.int64))


@kernel
def expected_place(running: Running, count: int, time: int, job: int) -> int:
    """Find the place of (expected end, position) among the running jobs."""
    low, high = 0, count
    while low < high:
        middle = (low + high) >> 1
        there = running.expected[middle]
        if there < time or (there == time and running.expected_job[middle] < job):
            low = middle + 1
        else:
            high = middle
    return low


@kernel
def start_job(now: int, job: int, world: World) -> None:
    """Give a job its processors; EASY also files it under its expected end."""
    jobs, running, clock = world.jobs, world.running, world.clock[0]
    size, count = jobs.size[job], clock.running
    if world.rules[0].backfill == Backfill.easy:
        ends = now + jobs.estimate[job]
        place = expected_place(running, count, ends, job)
        for k in range(count, place, -1):
            running.expected[k] = running.expected[k - 1]
            running.expected_job[k] = running.expected_job[k - 1]
            running.expected_size[k] = running.expected_size[k - 1]
        running.expected[place] = ends
        running.expected_job[place] = job
        running.expected_size[place] = size
    tie = job
    if world.rules[0].tied_completions == TiedCompletions.start:
        tie = clock.started
        running.started_as[tie] = job
    clock.running = heap.push(running.end, running.end_tie, count, now + jobs.run[job], tie)
    clock.free -= size
    clock.started += 1
    clock.waited += now - jobs.submit[job]
    world.start[job] = now
    count_start(now, job, size, jobs.estimate[job], world.ceilings)
    count_processors(now, job, size, world.usage, world.rules[0])


@kernel
def job_of(tie: int, running: Running, rules: Record) -> int:
    """Return the job that an entry of ``end_tie`` stands for."""
    return running.started_as[tie] if rules.tied_completions == TiedCompletions.start else tie


@kernel
def complete_job(world: World) -> int:
    """Take the next completion, which frees the job's processors; return the job."""
    running, clock = world.running, world.clock[0]
    job = job_of(running.end_tie[0], running, world.rules[0])
    if world.rules[0].backfill == Backfill.easy:
        place = expected_place(running, clock.running, world.start[job] + world.jobs.estimate[job], job)
        for k in range(place, clock.running - 1):
            running.expected[k] = running.expected[k + 1]
            running.expected_job[k] = running.expected_job[k + 1]
            running.expected_size[k] = running.expected_size[k + 1]
    clock.running = heap.pop(running.end, running.end_tie, clock.running)
    clock.free += world.jobs.size[job]
    count_end(clock.now, job, world.jobs.size[job], world.start[job] + world.jobs.estimate[job], world.ceilings)
    count_processors(clock.now, job, -world.jobs.size[job], world.usage, world.rules[0])
    return job


@kernel
def may_start(now: int, job: int, world: World) -> bool:
    """Return whether a job that fits on the free processors leaves every hold its processors."""
    return leaves_any(now, job, world, world.held)


@kernel
def leaves_any(now: int, job: int, world: World, held: Held | None) -> bool:
    """Return what :func:`leaves_held` does, and True where nothing can be held."""
    if held is None:
        return True
    return leaves_held(now, job, world, held)


@kernel_step
def leaves_held(now: int, job: int, world: World, held: Held) -> bool:
    """Return whether a job that runs from now on for its estimate leaves every hold its processors.

    What running jobs use only falls over time, so it is enough to look at now and at the begin of each hold. The
    processors of running jobs that are expected to have ended by then count as free.
    """
    jobs, running, clock = world.jobs, world.running, world.clock[0]
    ends = now + jobs.estimate[job]
    for k in range(clock.held):
        time = max(now, held.begin[k])
        if time >= ends or held.end[k] <= now:
            continue
        free = clock.free - jobs.size[job]
        for place in range(clock.running):
            other = job_of(running.end_tie[place], running, world.rules[0])
            if world.start[other] + jobs.estimate[other] <= time:
                free += jobs.size[other]
        for other in range(clock.held):
            if held.begin[other] <= time < held.end[other]:
                free -= held.size[other]
        if free < 0:
            clock.blocked = 1
            return False
    return True


@kernel
def standstill_end(now: int, clock: Record, standstills: np.ndarray | None) -> int:
    """Return the end of the standstill that lasts now; -1 if jobs may start."""
    if standstills is None:
        return -1
    while clock.standstill < len(standstills) and standstills[clock.standstill, 1] <= now:
        clock.standstill += 1
    if clock.standstill == len(standstills) or standstills[clock.standstill, 0] > now:
        return -1
    return standstills[clock.standstill, 1]


@kernel
def next_release(clock: Record, held: Held | None) -> int:
    """Return the next time at which a hold ends; NEVER_US where the last pass left no job waiting for one."""
    if held is None or clock.blocked == 0:
        return NEVER_US
    release = NEVER_US
    for k in range(clock.held):
        if held.end[k] > clock.now:
            release = min(release, held.end[k])
    return release
