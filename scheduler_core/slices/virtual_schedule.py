"""Virtual scheduling: jobs are placed one after the other on a copy of a class's plan (Kanavallil 2007, section 6.3.1).

A schedule is a stack of levels: level k is the plan after k jobs, so that orders which begin alike share their levels. There
are two stacks, that of the orders a search generates and that of the orders it makes of them by force-shifting.
"""

from typing import NamedTuple

import numpy as np

from scheduler_core.kernel.jit import kernel, kernel_step
from scheduler_core.kernel.profile import FIRST, LAST
from scheduler_core.kernel.records import Record, record, records
from scheduler_core.slices.class_plan import plan_of
from scheduler_core.slices.search_paths import WALK
from scheduler_core.slices.state import MOST_GROUPED, Cluster

OTHER_STACK = MOST_GROUPED + 1
"""Where the levels of shifted orders begin."""

CANDIDATES = 3

STEP = np.dtype([("time", np.int64), ("room", np.int64)])
"""A step of a plan: its begin on the class clock and the processors that are free from then on."""

HEURISTIC, CHOSEN, PART, ORDER, SHIFTED, SCRATCH, BRANCHES, PATH, CANDIDATE = range(9)
"""Rows of :attr:`Search.orders`: the heuristic's order, the one that is chosen, that of the part that is searched, that which is
evaluated, what force-shifting makes of it, a scratch, the search tree, the path in it; the candidates' orders from there on."""

NOTE = np.dtype(
    [
        ("count", np.int64),  # jobs of the search
        ("started", np.int64),  # started jobs of the class
        ("clock", np.int64),  # of the class
        ("holes", np.bool_),  # whether jobs may be placed in holes before jobs placed earlier
        ("placed", np.int64),  # jobs placed so far
        ("candidates", np.int64),
        ("improved", np.int64),  # rows of improvements
        ("long_wide", np.int64),  # long-wide jobs
        ("orders", np.int64),  # orders generated; while a part is searched: of the part
        ("tree_nodes", np.int64),
        ("pruned", np.int64),  # tree nodes cut above the leaves,
        ("pruned_leaves", np.int64),  # and at them
        ("valid", np.int64),  # levels of the part that are those of its last order
        ("share", np.float64),  # the class's share of the machine's time
        ("bound", np.float64),  # the shortest run time that counts
        ("longest_wait", np.float64),  # the longest wait of a job that is not excessive
        ("heuristic_total", np.float64),  # total of the heuristic's order
        ("chosen_total", np.float64),  # and of the chosen one
    ]
)
"""What is known and counted of a search."""

LEVEL = np.dtype(
    [
        ("last", np.int64),  # how many steps the plan has
        ("start", np.int64),  # when the job placed last starts on the class clock
        ("work", np.int64),  # processor-time of the jobs placed
        ("latest", np.int64),  # latest end
        ("total", np.float64),  # sum of estimated slowdowns
        ("response", np.float64),  # sum of estimated response times
        ("excess", np.float64),  # sum of excessive waits
    ]
)
"""What is known after some jobs of an order are placed."""

SEARCHED = np.dtype(
    [
        ("job", np.int64),  # position
        ("processors", np.int64),
        ("length", np.int64),  # estimate
        ("waited", np.int64),
        ("long_wide", np.bool_),
        ("used", np.bool_),
    ]
)
"""A job of the search."""

BEFORE = np.dtype([("processors", np.int64), ("rest", np.int64)])
"""A started job of the class."""

SCHEDULED = np.dtype(
    [("total", np.float64), ("makespan", np.float64), ("utilisation", np.float64), ("response", np.float64)]
)
"""What a candidate is judged by."""


class Search(NamedTuple):
    """The working memory of a search; jobs are numbered 0, 1, ... in the order of their positions."""

    steps: np.ndarray  # of each level: the steps of its plan; see kernel/profile.py
    levels: np.ndarray
    jobs: np.ndarray
    started: np.ndarray
    orders: np.ndarray
    candidates: np.ndarray
    improvements: np.ndarray  # rows: part, orders so far, total
    walk: np.ndarray  # of the path through the search tree
    note: Record  # of NOTE


def new_search(processors: int, steps: int, orders: int) -> Search:
    """Make the working memory for plans of at most ``steps`` steps and at most ``orders`` orders per part."""
    return Search(
        steps=records((2 * OTHER_STACK, steps + 2 * MOST_GROUPED + 8), STEP),
        levels=records(2 * OTHER_STACK, LEVEL),
        jobs=records(MOST_GROUPED, SEARCHED),
        started=records(processors, BEFORE),
        orders=np.zeros((CANDIDATE + CANDIDATES, MOST_GROUPED), np.int64),
        candidates=records(CANDIDATES, SCHEDULED),
        improvements=np.zeros((4 * orders + 8, 3)),
        walk=np.zeros(WALK, np.int64),
        note=record(NOTE),
    )


@kernel
def begin_search(holes: bool, share: float, bound: float, search: Search) -> None:
    """Begin the count of a search anew."""
    note = search.note
    note.count = note.started = note.placed = note.candidates = note.improved = note.long_wide = 0
    note.orders = note.tree_nodes = note.pruned = note.pruned_leaves = note.valid = 0
    note.holes, note.share, note.bound = holes, share, bound


@kernel_step
def load_plan(kind: int, search: Search, cluster: Cluster) -> None:
    """Make level 0 the plan of a class as it is, from its clock on."""
    plan, clock = plan_of(kind, cluster), cluster.classes[kind].clock
    count = 0
    for step in range(plan.bounds[FIRST], plan.bounds[LAST]):
        if step + 1 < plan.bounds[LAST] and plan.times[step + 1] <= clock:
            continue
        search.steps[0, count].time = max(plan.times[step], clock)
        search.steps[0, count].room = plan.free[step]
        count += 1
    search.note.clock = clock
    level = search.levels[0]
    level.last, level.start, level.latest, level.work = count, clock, clock, 0
    level.total = level.response = level.excess = 0.0


@kernel
def load_job(number: int, job: int, search: Search, cluster: Cluster) -> None:
    """Make a waiting job number ``number`` of the search."""
    asked, searched = cluster.asked[job], search.jobs[number]
    searched.job, searched.processors, searched.length = job, asked.processors, asked.estimate
    searched.waited = cluster.clock.now - asked.submit


@kernel
def find_step(level: int, number: int, search: Search) -> int:
    """Return the step of a level's plan in which a job would start."""
    steps, last = search.steps[level], search.levels[level].last
    processors, length = search.jobs[number].processors, search.jobs[number].length
    step = 0
    if not search.note.holes:
        while step + 1 < last and steps[step + 1].time <= search.levels[level].start:
            step += 1
    while True:
        while steps[step].room < processors:
            step += 1
        end = max(steps[step].time, search.levels[level].start if not search.note.holes else 0) + length
        following = step + 1
        while following < last and steps[following].time < end and steps[following].room >= processors:
            following += 1
        if following == last or steps[following].time >= end:
            return step
        step = following


@kernel
def find_start(level: int, number: int, search: Search) -> int:
    """Return the class clock at which a job would start on a level."""
    begin = search.steps[level, find_step(level, number, search)].time
    return begin if search.note.holes else max(begin, search.levels[level].start)


@kernel
def response_of(number: int, begin: int, search: Search) -> float:
    """Return the estimated response time of a job that starts at ``begin``: the slices of its class take a share of the time."""
    ahead = begin - search.note.clock + search.jobs[number].length
    return float(search.jobs[number].waited) + float(ahead) / search.note.share


@kernel
def slowdown_of(number: int, response: float, search: Search) -> float:
    """Return the bounded slowdown that goes with a response time."""
    return max(response / max(float(search.jobs[number].length), search.note.bound), 1.0)


@kernel_step
def place(source: int, target: int, number: int, search: Search) -> None:
    """Place a job on a level; what comes of it is the level ``target``."""
    before, after = search.levels[source], search.levels[target]
    steps, new, last = search.steps[source], search.steps[target], before.last
    processors, length = search.jobs[number].processors, search.jobs[number].length
    step = find_step(source, number, search)
    begin = steps[step].time if search.note.holes else max(steps[step].time, before.start)
    end = begin + length
    split = steps[step].time < begin
    for k in range(step + split):
        new[k] = steps[k]
    count = step + split
    room = steps[step].room
    new[count].time, new[count].room = begin, room - processors
    step += 1
    while step < last and steps[step].time < end:
        room = steps[step].room
        new[step + split].time, new[step + split].room = steps[step].time, room - processors
        step += 1
    shift = split + (step == last or steps[step].time > end)
    if shift > split:
        new[step + split].time, new[step + split].room = end, room
    for k in range(step, last):
        new[k + shift] = steps[k]
    after.last, after.start, after.latest = last + shift, begin, max(before.latest, end)
    after.work = before.work + processors * length
    response = response_of(number, begin, search)
    after.response = before.response + response
    after.total = before.total + slowdown_of(number, response, search)
    after.excess = before.excess + max(0.0, response - float(length) - search.note.longest_wait)
    search.note.placed += 1
