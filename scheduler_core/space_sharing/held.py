"""Reservations that are held for jobs from elsewhere: no job starts that could stand in the way of one."""

from __future__ import annotations

from scheduler_core.kernel.jit import kernel, kernel_step
from scheduler_core.space_sharing.state import BLOCKED, FREE, HELD, NOW, RUNNING, Cluster, Jobs, Rules, job_of
from scheduler_core.units import NEVER_US


@kernel
def may_start(now: int, job: int, jobs: Jobs, cluster: Cluster, rules: Rules) -> bool:
    """Say whether a job that fits on the free processors may start: the reservations held must keep theirs."""
    return cluster.counts[HELD] == 0 or leaves_held(now, job, jobs, cluster, rules)


@kernel_step
def leaves_held(now: int, job: int, jobs: Jobs, cluster: Cluster, rules: Rules) -> bool:
    """Say whether a job that runs from now on for its estimate leaves every reservation its processors.

    What running jobs use falls over time; so it is enough to look at now and at the begin of each reservation. The
    processors of running jobs that are expected to have ended by then count as free.
    """
    ends = now + jobs.estimate[job]
    for k in range(cluster.counts[HELD]):
        time = max(now, cluster.held_begin[k])
        if time >= ends or cluster.held_end[k] <= now:
            continue
        free = cluster.counts[FREE] - jobs.size[job]
        for place in range(cluster.counts[RUNNING]):
            other = job_of(cluster.end_tie[place], cluster, rules)
            if cluster.start[other] + jobs.estimate[other] <= time:
                free += jobs.size[other]
        for other in range(cluster.counts[HELD]):
            if cluster.held_begin[other] <= time < cluster.held_end[other]:
                free -= cluster.held_size[other]
        if free < 0:
            cluster.counts[BLOCKED] = 1
            return False
    return True


@kernel_step
def next_release(cluster: Cluster) -> int:
    """Return the next time at which a reservation ends."""
    release = NEVER_US
    for k in range(cluster.counts[HELD]):
        if cluster.held_end[k] > cluster.clock[NOW]:
            release = min(release, cluster.held_end[k])
    return release
