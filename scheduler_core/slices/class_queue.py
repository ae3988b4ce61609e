"""The waiting jobs of a class: planned ones in the order of the plan, then the others in the order of submission."""

from scheduler_core.kernel.jit import kernel
from scheduler_core.kernel.linked import insert_before, remove
from scheduler_core.slices.state import PLANNED, UNPLANNED, WAITING, Cluster


@kernel
def first_in_queue(kind: int, cluster: Cluster) -> int:
    """Return the first waiting job of a class; -1 when no job waits."""
    planned = cluster.lines[kind, PLANNED].first
    return planned if planned >= 0 else cluster.lines[kind, UNPLANNED].first


@kernel
def next_in_queue(job: int, kind: int, cluster: Cluster) -> int:
    """Return the waiting job behind another; -1 behind the last."""
    state = cluster.state[job]
    return cluster.lines[kind, UNPLANNED].first if state.next < 0 and state.planned else state.next


@kernel
def join_queue(job: int, kind: int, cluster: Cluster) -> None:
    """Put a job among those that are not planned, where its position belongs."""
    line, state = cluster.lines[kind, UNPLANNED], cluster.state
    before, after = line.last, -1
    while before > job:
        before, after = state[before].previous, before
    insert_before(job, after, line, state)
    state[job].status, state[job].planned = WAITING, False
    line.count += 1


@kernel
def join_plan(job: int, kind: int, cluster: Cluster) -> None:
    """Put a job at the end of the planned ones."""
    line = cluster.lines[kind, PLANNED]
    insert_before(job, -1, line, cluster.state)
    cluster.state[job].planned = True
    line.count += 1


@kernel
def leave_queue(job: int, kind: int, cluster: Cluster) -> None:
    """Take a waiting job out of its line."""
    line = cluster.lines[kind, PLANNED if cluster.state[job].planned else UNPLANNED]
    remove(job, line, cluster.state)
    line.count -= 1
