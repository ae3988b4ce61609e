"""Virtual scheduling: jobs are placed one after the other on a copy of a class's plan (Kanavallil 2007, section 6.3.1).

A schedule is a stack of levels: level k is the plan after k jobs, so that orders which begin alike share their levels. There
are two stacks, that of the orders a search generates and that of the orders it makes of them by force-shifting.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from scheduler_core.kernel.jit import kernel, kernel_step
from scheduler_core.kernel.profile import FIRST, LAST
from scheduler_core.slices.class_plan import plan_of
from scheduler_core.slices.search_paths import WALK
from scheduler_core.slices.state import MOST_GROUPED, NEVER, NOW, Cluster

OTHER_STACK = MOST_GROUPED + 1
"""Where the levels of shifted orders begin."""

CANDIDATES = 3

COUNT, STARTED, CLOCK, HOLES, PLACED, CANDIDATES_FOUND, IMPROVED, LONG_WIDE = range(NUMBERS := 8)
"""Places in :attr:`Search.number`: jobs of the search; started jobs of the class; its clock; whether jobs may be placed in holes
before jobs placed earlier; jobs placed so far; candidates; rows of improvements; long-wide jobs."""

SHARE, BOUND, LONGEST_WAIT = range(3)
"""Places in :attr:`Search.real`: the class's share of the machine's time, the shortest run time that counts, and the longest
wait of a job that is not excessive."""


class Search(NamedTuple):
    """The working memory of a search; jobs are numbered 0, 1, ... in the order of their positions."""

    times: np.ndarray  # of each level: its steps of free processors, see kernel/profile.py
    free: np.ndarray
    last: np.ndarray  # and how many
    start: np.ndarray  # when the job placed last starts on the class clock
    total: np.ndarray  # sum of estimated slowdowns
    response: np.ndarray  # sum of estimated response times
    excess: np.ndarray  # sum of excessive waits
    work: np.ndarray  # processor-time of the jobs placed
    latest: np.ndarray  # latest end
    job: np.ndarray  # of each job of the search: its position
    size: np.ndarray
    length: np.ndarray  # its estimate
    waited: np.ndarray
    long_wide: np.ndarray
    used: np.ndarray
    started_size: np.ndarray  # of each started job of the class
    started_rest: np.ndarray
    heuristic: np.ndarray  # orders: the heuristic's,
    chosen: np.ndarray  # the one that is chosen,
    part: np.ndarray  # of the part that is searched,
    order: np.ndarray  # that is evaluated,
    shifted: np.ndarray  # that is made of it by force-shifting,
    scratch: np.ndarray
    branches: np.ndarray  # the search tree and the path in it
    path: np.ndarray
    walk: np.ndarray
    best_total: np.ndarray  # of each candidate
    best_order: np.ndarray
    best_makespan: np.ndarray
    best_utilisation: np.ndarray
    best_response: np.ndarray
    improvements: np.ndarray  # rows: part, orders so far, total
    number: np.ndarray
    real: np.ndarray
    counts: np.ndarray  # orders, nodes, pruned, pruned_leaves


def new_search(processors: int, steps: int, orders: int) -> Search:
    """Make the working memory for plans of at most ``steps`` steps and at most ``orders`` orders a part."""
    most, levels = MOST_GROUPED, 2 * OTHER_STACK
    whole = {
        name: np.zeros(most, np.int64) for name in ("job", "size", "length", "waited", "heuristic", "chosen", "part")
    }
    whole |= {name: np.zeros(most, np.int64) for name in ("order", "shifted", "scratch", "branches", "path")}
    whole |= {name: np.zeros(levels, np.int64) for name in ("last", "start", "work", "latest")}
    real = {name: np.zeros(levels) for name in ("total", "response", "excess")}
    real |= {f"best_{name}": np.zeros(CANDIDATES) for name in ("total", "makespan", "utilisation", "response")}
    return Search(
        times=np.zeros((levels, steps + 2 * most + 8), np.int64),
        free=np.zeros((levels, steps + 2 * most + 8), np.int64),
        long_wide=np.zeros(most, np.bool_),
        used=np.zeros(most, np.bool_),
        started_size=np.zeros(processors, np.int64),
        started_rest=np.zeros(processors, np.int64),
        walk=np.zeros(WALK, np.int64),
        best_order=np.zeros((CANDIDATES, most), np.int64),
        improvements=np.zeros((4 * orders + 8, 3)),
        number=np.zeros(NUMBERS, np.int64),
        real=np.zeros(3),
        counts=np.zeros(4, np.int64),
        **whole,
        **real,
    )


@kernel_step
def load_plan(kind: int, search: Search, cluster: Cluster) -> None:
    """Make level 0 the plan of a class as it is, from its clock on."""
    plan, clock = plan_of(kind, cluster), cluster.classes[kind].clock
    count = 0
    for step in range(plan.bounds[FIRST], plan.bounds[LAST]):
        if step + 1 < plan.bounds[LAST] and plan.times[step + 1] <= clock:
            continue
        search.times[0, count] = max(plan.times[step], clock)
        search.free[0, count] = plan.free[step]
        count += 1
    search.last[0] = count
    search.start[0] = search.latest[0] = search.number[CLOCK] = clock
    search.work[0] = 0
    search.total[0] = search.response[0] = search.excess[0] = 0.0


@kernel
def load_job(number: int, job: int, search: Search, cluster: Cluster) -> None:
    """Make a waiting job number ``number`` of the search."""
    asked = cluster.asked[job]
    search.job[number], search.size[number], search.length[number] = job, asked.processors, asked.estimate
    search.waited[number] = cluster.clock[NOW] - asked.submit


@kernel
def find_start(level: int, number: int, search: Search) -> int:
    """Give the class clock at which a job would start on a level."""
    times, free, last = search.times[level], search.free[level], search.last[level]
    size, length = search.size[number], search.length[number]
    soonest = search.number[CLOCK] if search.number[HOLES] else search.start[level]
    begin = -1
    for step in range(last):
        following = times[step + 1] if step + 1 < last else NEVER
        if following <= soonest:
            continue
        if free[step] < size:
            begin = -1
            continue
        if begin < 0:
            begin = max(times[step], soonest)
        if following >= begin + length:
            break
    return begin


@kernel
def response_of(number: int, begin: int, search: Search) -> float:
    """Give the estimated response time of a job that starts at ``begin``: the slices of its class take a share of the time."""
    ahead = begin - search.number[CLOCK] + search.length[number]
    return float(search.waited[number]) + float(ahead) / search.real[SHARE]


@kernel
def slowdown_of(number: int, response: float, search: Search) -> float:
    """Give the bounded slowdown that goes with a response time."""
    return max(response / max(float(search.length[number]), search.real[BOUND]), 1.0)


@kernel_step
def place(source: int, target: int, number: int, search: Search) -> None:
    """Place a job on a level; what comes of it is the level ``target``."""
    size, begin = search.size[number], find_start(source, number, search)
    end = begin + search.length[number]
    times, free, last = search.times[source], search.free[source], search.last[source]
    new_times, new_free = search.times[target], search.free[target]
    count = 0
    for step in range(last):
        since, until, room = times[step], times[step + 1] if step + 1 < last else NEVER, free[step]
        if until <= begin or since >= end:
            new_times[count], new_free[count] = since, room
            count += 1
            continue
        if since < begin:
            new_times[count], new_free[count] = since, room
            count += 1
        new_times[count], new_free[count] = max(since, begin), room - size
        count += 1
        if end < until:
            new_times[count], new_free[count] = end, room
            count += 1
    search.last[target] = count
    search.start[target] = begin
    search.latest[target] = max(search.latest[source], end)
    search.work[target] = search.work[source] + size * search.length[number]
    response = response_of(number, begin, search)
    search.response[target] = search.response[source] + response
    search.total[target] = search.total[source] + slowdown_of(number, response, search)
    wait = response - float(search.length[number])
    search.excess[target] = search.excess[source] + max(0.0, wait - search.real[LONGEST_WAIT])
    search.number[PLACED] += 1
