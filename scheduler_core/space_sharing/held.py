"""Reservations that are held for jobs from elsewhere: no job starts that could stand in the way of one."""

from __future__ import annotations

from scheduler_core.common.units import NEVER_US
from scheduler_core.kernel.jit import kernel, kernel_step
from scheduler_core.space_sharing.state import BLOCKED, FREE, HELD, NOW, RUNNING, Cluster, Held, Jobs, Rules, job_of


@kernel
def may_start(now: int, job: int, jobs: Jobs, cluster: Cluster, rules: Rules, held: Held | None) -> bool:
    """Say whether a job that fits on the free processors may start: the reservations must keep theirs, where any are held."""
    if held is None:
        return True
    return leaves_held(now, job, jobs, cluster, rules, held)


@kernel_step
def leaves_held(now: int, job: int, jobs: Jobs, cluster: Cluster, rules: Rules, held: Held) -> bool:
    """Say whether a job that runs from now on for its estimate leaves every reservation its processors.

    What running jobs use falls over time; so it is enough to look at now and at the begin of each reservation. The
    processors of running jobs that are expected to have ended by then count as free.
    """
    ends = now + jobs.estimate[job]
    for k in range(cluster.counts[HELD]):
        time = max(now, held.begin[k])
        if time >= ends or held.end[k] <= now:
            continue
        free = cluster.counts[FREE] - jobs.size[job]
        for place in range(cluster.counts[RUNNING]):
            other = job_of(cluster.end_tie[place], cluster, rules)
            if cluster.start[other] + jobs.estimate[other] <= time:
                free += jobs.size[other]
        for other in range(cluster.counts[HELD]):
            if held.begin[other] <= time < held.end[other]:
                free -= held.size[other]
        if free < 0:
            cluster.counts[BLOCKED] = 1
            return False
    return True


@kernel
def next_release(cluster: Cluster, held: Held | None) -> int:
    """Return the next time at which a reservation ends; never where the last pass left no job waiting for one."""
    if held is None or cluster.counts[BLOCKED] == 0:
        return NEVER_US
    release = NEVER_US
    for k in range(cluster.counts[HELD]):
        if held.end[k] > cluster.clock[NOW]:
            release = min(release, held.end[k])
    return release
