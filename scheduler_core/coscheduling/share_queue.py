"""The queue under shares: priorities, and how waiting raises them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scheduler_core.common.units import NEVER_US
from scheduler_core.coscheduling.share_jobs import HIGHEST

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scheduler_core.coscheduling.share_jobs import ShareJob, ShareRules


def priority_at(rules: ShareRules, job: ShareJob, now: int) -> int:
    """Return the priority of a waiting job."""
    if rules.aging == "off" or not rules.by_priority:
        return job.base_priority
    if rules.aging == "per_job":
        raised = (now - job.submit) // rules.aging_time
    else:
        raised = now // rules.aging_time - job.submit // rules.aging_time
    return min(HIGHEST, job.base_priority + rules.aging_step * raised)


def next_rise(rules: ShareRules, jobs: Iterable[ShareJob], now: int) -> int:
    """Return when the priority of one of some waiting jobs rises next."""
    if rules.aging == "off" or not rules.by_priority:
        return NEVER_US
    period = rules.aging_time
    origins = (job.submit if rules.aging == "per_job" else 0 for job in jobs if job.priority < HIGHEST)
    return min((origin + ((now - origin) // period + 1) * period for origin in origins), default=NEVER_US)


def put_in_order(rules: ShareRules, queue: list[ShareJob], now: int) -> None:
    """Raise the priorities of waiting jobs, and put them in order: the highest first, then by position."""
    for job in queue:
        job.priority = priority_at(rules, job, now)
    queue.sort(key=lambda job: (-job.priority, job.position))
