"""What waiting jobs are promised: the class clock at which they start and the time at which they finish at the latest."""

from __future__ import annotations

from scheduler_core.kernel import profile
from scheduler_core.kernel.jit import kernel_entry, kernel_step
from scheduler_core.slices.class_plan import cancel_all, plan_of, reserve_all
from scheduler_core.slices.class_queue import first_in_queue, next_in_queue
from scheduler_core.slices.share_control import latest_time
from scheduler_core.slices.state import Cluster


@kernel_step
def promise(job: int, kind: int, group: int, cluster: Cluster) -> None:
    """Write down what a job with a reservation is promised, if the policy keeps reservations."""
    if not cluster.rules.promises:
        return
    clock, reserved = cluster.clock, cluster.state[job].reserved
    row = cluster.rows.promises[clock.promise_rows]
    row.job, row.made, row.group, row.clock = job, clock.now, group, reserved
    row.finish = latest_time(clock.now, kind, reserved + cluster.asked[job].estimate, cluster)
    clock.promise_rows += 1


@kernel_step
def make_anew(kind: int, group: int, cluster: Cluster) -> None:
    """Make all reservations of a class anew because a group was formed or ended; promise them."""
    cancel_all(kind, cluster)
    reserve_all(kind, cluster)
    job = first_in_queue(kind, cluster)
    while job >= 0:
        promise(job, kind, group, cluster)
        job = next_in_queue(job, kind, cluster)


@kernel_entry
def plan_ahead(
    processors: int, estimate: int, kind: int, first: int, now: int, cluster: Cluster
) -> tuple[int, int, int]:
    """Find the earliest time of a class's plan, from a reading ``first`` of its clock on, for some processors and a length.

    Returns the class clock at the begin, and the times by which the clock has reached it and the end at the latest, told at
    the time ``now``.
    """
    begin = profile.earliest(plan_of(kind, cluster), max(first, cluster.classes[kind].clock), processors, estimate)
    begins = latest_time(now, kind, begin + 1, cluster) - 1
    return begin, begins, latest_time(now, kind, begin + estimate, cluster)
