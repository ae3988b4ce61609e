"""Promises to waiting jobs: the class clock at which they start, and the time at which they finish, at the latest."""

from scheduler_core.kernel.jit import kernel_step
from scheduler_core.slices.class_plan import cancel_all, reserve_all
from scheduler_core.slices.class_queue import first_in_queue, next_in_queue
from scheduler_core.slices.course import course_of, time_of
from scheduler_core.slices.state import Cluster


@kernel_step
def promise(job: int, kind: int, group: int, cluster: Cluster) -> None:
    """Record the promise to a job with a reservation, if the policy keeps reservations."""
    if not cluster.rules.promises:
        return
    clock, reserved = cluster.clock, cluster.state[job].reserved
    row = cluster.rows.promises[clock.promise_rows]
    row.job, row.made, row.group, row.clock = job, clock.now, group, reserved
    row.finish = time_of(reserved + cluster.asked[job].estimate, course_of(kind, clock.now, False, cluster))
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
