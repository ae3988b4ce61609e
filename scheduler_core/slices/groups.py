"""Groups: when one forms, which job's completion ends it, and what happens then (Kanavallil 2007, 6.1, 6.3.3 and 7.2)."""

import math

from scheduler_core.kernel.jit import kernel, kernel_step
from scheduler_core.slices.class_plan import cancel_all
from scheduler_core.slices.class_queue import first_in_queue, join_plan, join_queue, leave_queue, next_in_queue
from scheduler_core.slices.promises import make_anew
from scheduler_core.slices.state import DONE, MEDIUM, PLANNED, UNPLANNED, Cluster


@kernel_step
def group_has_ended(kind: int, cluster: Cluster) -> bool:
    """Return whether the group of a class is over: all its jobs are done, or its finish job is and some job was done just now."""
    own, state = cluster.classes[kind], cluster.state
    if cluster.clock.left_now > 0 and state[own.finish_job].status == DONE:
        return True
    if cluster.lines[kind, PLANNED].count > 0:
        return False
    for k in range(own.members):
        if state[cluster.members[kind, k]].status != DONE:
            return False
    return True


@kernel_step
def end_group(kind: int, cluster: Cluster) -> None:
    """End the group of a class: its planned jobs wait like all others from now on."""
    own = cluster.classes[kind]
    group = own.group
    cluster.rows.ended[group] = cluster.clock.now
    planned = cluster.lines[kind, PLANNED]
    while planned.first >= 0:
        job = planned.first
        leave_queue(job, kind, cluster)
        join_queue(job, kind, cluster)
    own.group = own.members = 0
    own.finish_job = -1
    make_anew(kind, group, cluster)


@kernel_step
def may_form_group(kind: int, cluster: Cluster) -> bool:
    """Return whether enough waiting jobs of a class ask for enough processors and work."""
    own = cluster.classes[kind]
    if cluster.lines[kind, UNPLANNED].count < own.group_min:
        return False
    size, work = 0, 0
    job = first_in_queue(kind, cluster)
    while job >= 0:
        asked = cluster.asked[job]
        size += asked.processors
        work += asked.processors * asked.estimate
        job = next_in_queue(job, kind, cluster)
    return size > own.group_size and work > own.group_work


@kernel_step
def begin_group(kind: int, cluster: Cluster) -> None:
    """Make the first waiting jobs of a class a group, still in queue order, and clear the class's plan for its search."""
    own = cluster.classes[kind]
    cancel_all(kind, cluster)
    if own.group > 0:
        cluster.rows.ended[own.group] = cluster.clock.now
    cluster.clock.groups += 1
    own.group, own.members, own.finish_job = cluster.clock.groups, 0, -1
    job = first_in_queue(kind, cluster)
    while job >= 0 and own.members < own.group_max:
        cluster.members[kind, own.members] = job
        own.members += 1
        job = next_in_queue(job, kind, cluster)
    if kind == MEDIUM:
        cluster.counters.groups_medium += 1
    else:
        cluster.counters.groups_long += 1
    cluster.counters.grouped += own.members


@kernel_step
def follow_plan(cluster: Cluster) -> None:
    """Make the members' order, in which they stand now, the plan of the slice's class."""
    kind = cluster.clock.slice
    own = cluster.classes[kind]
    for k in range(own.members):
        job = cluster.members[kind, k]
        leave_queue(job, kind, cluster)
        join_plan(job, kind, cluster)
    make_anew(kind, own.group, cluster)
    own.finish_job = find_finish_job(kind, cluster)


@kernel
def end_of(number: int, kind: int, cluster: Cluster) -> int:
    """Return when a started job, or one of the plan behind them all, ends on the clock of its class."""
    started = cluster.classes[kind].started
    if number < started:
        return cluster.state[cluster.started[kind, number]].plan_end
    job = cluster.members[kind, number - started]
    return cluster.state[job].reserved + cluster.asked[job].estimate


@kernel_step
def utilisation_until(end: int, kind: int, cluster: Cluster) -> float:
    """Return the share of the machine that started and planned jobs use from now until ``end`` on the class clock."""
    own = cluster.classes[kind]
    used = 0.0
    for number in range(own.started + own.members):
        job = cluster.started[kind, number] if number < own.started else cluster.members[kind, number - own.started]
        begin = own.clock if number < own.started else cluster.state[job].reserved
        length = min(end_of(number, kind, cluster), end) - begin
        used += float(cluster.asked[job].processors) * float(max(0, length))
    return used / (float(cluster.rules.processors) * float(end - own.clock))


@kernel_step
def find_finish_job(kind: int, cluster: Cluster) -> int:
    """Return the job whose completion ends the group: the one before utilisation falls, or the last."""
    own, rules = cluster.classes[kind], cluster.rules
    least = math.ceil(rules.finish_jobs * own.members)
    before, used_before, planned_before = -1, 0.0, 0
    last_end, last_number = -1, -1
    for _ in range(own.started + own.members):
        # the next by end; equal ends come in the order of their numbers
        end, number = -1, -1
        for other in range(own.started + own.members):
            other_end = end_of(other, kind, cluster)
            later = other_end > last_end or (other_end == last_end and other > last_number)
            if later and (number < 0 or other_end < end):
                end, number = other_end, other
        used = utilisation_until(end, kind, cluster)
        dips = used_before - used > rules.finish_dip and used < rules.finish_utilisation
        if before >= 0 and dips and planned_before >= least:
            return before
        planned = number >= own.started
        planned_before += planned
        before = cluster.members[kind, number - own.started] if planned else cluster.started[kind, number]
        used_before, last_end, last_number = used, end, number
    return before
