"""How a queue is kept in its order: by fixed keys, by slowdown so far, or by priority level with aging."""

import numpy as np

from scheduler_core.kernel.jit import kernel
from scheduler_core.kernel.queue import FIRST, LAST, Queue, append, insert, sort
from scheduler_core.kernel.records import Record
from scheduler_core.space_sharing.orders import AS_SUBMITTED, BY_KEY, BY_LEVEL, BY_SLOWDOWN
from scheduler_core.space_sharing.rules import Aging
from scheduler_core.space_sharing.state import World

TOP_LEVEL = 2


@kernel
def enqueue(queue: Queue, order: int, job: int) -> None:
    """Put a job that arrives into the queue."""
    if order == BY_KEY:
        insert(queue, job)
    else:
        append(queue, job)


@kernel
def put_in_order(now: int, queue: Queue, order: int, world: World) -> None:
    """Sort a queue whose order depends on the time of the pass."""
    jobs, rules = world.jobs, world.rules[0]
    if order in (AS_SUBMITTED, BY_KEY):
        return
    if order == BY_SLOWDOWN:
        for k in range(queue.bounds[FIRST], queue.bounds[LAST]):
            job = queue.jobs[k]
            slowdown = (now - jobs.submit[job] + jobs.estimate[job]) / jobs.estimate[job]
            queue.key[job] = -order_of_float(slowdown)
    elif order == BY_LEVEL:
        aging_time = aging_interval(rules, world.clock[0])
        for k in range(queue.bounds[FIRST], queue.bounds[LAST]):
            job = queue.jobs[k]
            queue.key[job] = -level(now - jobs.submit[job], jobs.estimate[job], rules, aging_time)
    sort(queue)


@kernel
def order_of_float(value: float) -> np.int64:
    """Return an integer that orders positive floats as the floats themselves: the bits they are made of."""
    return np.float64(value).view(np.int64)


@kernel
def aging_interval(rules: Record, clock: Record) -> int:
    """Return the waiting time that raises a job by one level; 0 when levels do not rise."""
    if rules.aging == Aging.fixed:
        return rules.aging_time
    if rules.aging == Aging.running_mean:
        mean = clock.waited // clock.started if clock.started > 0 else 0
        return max(mean, rules.aging_time)
    return 0


@kernel
def level(waited: int, estimate: int, rules: Record, aging_time: int) -> int:
    """Return a job's priority level: that of its class, raised by its waiting time (LOMARC, section 5.1)."""
    base = 0
    if estimate <= rules.short_limit:
        base = 2
    elif estimate <= rules.medium_limit:
        base = 1
    if aging_time > 0:
        base = min(TOP_LEVEL, base + waited // aging_time)
    return base
