"""The schedule plan: waiting jobs as elements that start together, and who may join running jobs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scheduler_core.coscheduling.offers import is_safe

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scheduler_core.coscheduling.estimator import Estimator
    from scheduler_core.coscheduling.share_jobs import ShareJob
    from scheduler_core.coscheduling.site import Site


def elements(queue: Sequence[ShareJob], estimator: Estimator) -> Iterator[list[ShareJob]]:
    """Yield the elements of the plan: a job goes to the last one if that stays coschedulable, else to another."""
    element: list[ShareJob] = []
    for job in queue:
        if not estimator.coschedulable([*element, job]):
            yield element
            element = []
        element.append(job)
    if element:
        yield element


def start_element(site: Site) -> int:
    """Where nothing runs, start the first element of the plan, as far as that is safe; return how many jobs started."""
    if site.running or not site.queue:
        return 0
    started = 0
    for job in next(elements(site.queue, site.estimator)):
        if not is_safe(site, job):
            break
        site.start(job)
        started += 1
    site.queue = site.queue[started:]
    return started


def join(site: Site) -> int:
    """Let jobs at the head of the queue join the running jobs while the rule allows; return their number."""
    joins, joined = site.estimator.rules.joins, 0
    while joined < len(site.queue) and joins != "never":
        head = site.queue[joined]
        if (joins == "arrivals" and (site.foreseen or head.submit < site.now)) or not is_admissible(site, head):
            break
        site.start(head)
        joined += 1
    site.queue = site.queue[joined:]
    return joined


def is_admissible(site: Site, job: ShareJob) -> bool:
    """Return whether a job may run beside the running jobs."""
    return priority_allows(site, job) and site.estimator.coschedulable([*site.jobs(), job]) and is_safe(site, job)


def priority_allows(site: Site, job: ShareJob) -> bool:
    """Return whether a job's priority allows it to run beside the running jobs."""
    rule = site.estimator.rules.priority_rule
    if rule == "any":
        return True
    others = site.running if rule == "equal_or_higher_than_all" else site.running[:1]
    return all(job.priority >= other.job.priority for other in others)
