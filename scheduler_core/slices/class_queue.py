"""The waiting jobs of a class: planned ones in the order of the plan, then the others in the order of submission."""

from __future__ import annotations

from scheduler_core.kernel.jit import kernel
from scheduler_core.slices.state import WAITING, Cluster


@kernel
def first_in_queue(kind: int, cluster: Cluster) -> int:
    """Give the first waiting job of a class; -1 when nobody waits."""
    own = cluster.classes[kind]
    return own.plan_head if own.plan_head >= 0 else own.head


@kernel
def next_in_queue(job: int, kind: int, cluster: Cluster) -> int:
    """Give the waiting job behind another; -1 behind the last."""
    state = cluster.state[job]
    return cluster.classes[kind].head if state.next < 0 and state.planned else state.next


@kernel
def join_queue(job: int, kind: int, cluster: Cluster) -> None:
    """Put a job among those that are not planned, where its position belongs."""
    own, state = cluster.classes[kind], cluster.state
    before = own.tail
    while before > job:
        before = state[before].previous
    after = own.head if before < 0 else state[before].next
    state[job].status, state[job].planned = WAITING, False
    state[job].previous, state[job].next = before, after
    if before < 0:
        own.head = job
    else:
        state[before].next = job
    if after < 0:
        own.tail = job
    else:
        state[after].previous = job
    own.queued += 1


@kernel
def join_plan(job: int, kind: int, cluster: Cluster) -> None:
    """Put a job at the end of the planned ones."""
    own, state = cluster.classes[kind], cluster.state
    state[job].planned = True
    state[job].previous, state[job].next = own.plan_tail, -1
    if own.plan_tail < 0:
        own.plan_head = job
    else:
        state[own.plan_tail].next = job
    own.plan_tail = job
    own.planned += 1


@kernel
def leave_queue(job: int, kind: int, cluster: Cluster) -> None:
    """Take a waiting job out of its line."""
    own, state = cluster.classes[kind], cluster.state
    before, after, planned = state[job].previous, state[job].next, state[job].planned
    if before >= 0:
        state[before].next = after
    elif planned:
        own.plan_head = after
    else:
        own.head = after
    if after >= 0:
        state[after].previous = before
    elif planned:
        own.plan_tail = before
    else:
        own.tail = before
    if planned:
        own.planned -= 1
    else:
        own.queued -= 1
