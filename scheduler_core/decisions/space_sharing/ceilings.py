"""When a ceiling of its user held a waiting job, counted from the schedule and the users of the workload."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl

from scheduler_core.common.units import HOUR_US
from scheduler_core.decisions.causes import pieces
from scheduler_core.declarations.words import counted
from scheduler_core.space_sharing.facts import SpaceSharingFacts

if TYPE_CHECKING:
    from scheduler_core.contracts import Schedule, Workload
    from scheduler_core.declarations.policy import Policy


def ceilings_of(policy: Policy) -> SpaceSharingFacts | None:
    """Return the ceilings for each user of a policy; None if there are none."""
    facts = policy.facts()
    return facts if isinstance(facts, SpaceSharingFacts) and facts != SpaceSharingFacts() else None


def words_of_ceilings(ceilings: SpaceSharingFacts) -> str:
    """Return ceilings in words."""
    jobs = "" if ceilings.user_jobs is None else counted(ceilings.user_jobs, "running job")
    hours = "" if ceilings.user_time is None else f"{ceilings.user_time / HOUR_US:,g} requested processor hours"
    return " or ".join(filter(None, (jobs, hours)))


def knows_users(workload: Workload) -> bool:
    """Return whether a workload tells the users of jobs."""
    return "user" in workload.jobs.columns and workload.jobs["user"].null_count() < workload.jobs.height


def held_by_ceiling(
    workload: Workload, schedule: Schedule, ceilings: SpaceSharingFacts, job: dict[str, Any]
) -> list[tuple[int, int]] | None:
    """Return the stretches of a job's wait in which a ceiling held it; None where its user is unknown.

    A job is held while its user has a running job, and one more would exceed a ceiling: the number of running jobs, or the
    remaining requested time of the user's running jobs with the whole of its own.
    """
    users = workload.jobs.select("job", "user")
    own = users.filter(pl.col("job") == job["job"])["user"].to_list()
    if own in ([], [None]):
        return None
    submit, start, limit = job["submit_us"], job["start_us"], ceilings.user_time
    asked = job["size"] * job["estimate_us"]
    same = (
        schedule.jobs.join(users.filter(user=own[0]), on="job", how="semi")
        .filter(pl.col("job") != job["job"], pl.col("start_us") < start, pl.col("finish_us") > submit)
        .select("start_us", "finish_us", "estimate_us", "size")
        .rows()
    )
    held = []
    for begin, end in pieces((time for row in same for time in row[:2]), submit, start):
        running = [(size, first + estimate - begin) for first, last, estimate, size in same if first <= begin < last]
        if not running:
            continue
        if ceilings.user_jobs is not None and len(running) >= ceilings.user_jobs:
            held.append((begin, end))
        elif limit is not None:
            excess = sum(size * left for size, left in running) + asked - limit
            processors = sum(size for size, _ in running)
            held.append((begin, begin + min(max(-(-excess // processors), 0), end - begin)))
    return held
