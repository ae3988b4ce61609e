"""Backfilling of shares: jobs behind the head of the queue fill shares freed beside the jobs that still run."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from scheduler_core.coscheduling.projection import Foretold, foreseen
from scheduler_core.coscheduling.schedule_plan import is_admissible, priority_allows
from scheduler_core.coscheduling.work import WHOLE, time_needed

if TYPE_CHECKING:
    from scheduler_core.coscheduling.share_jobs import ShareJob
    from scheduler_core.coscheduling.site import Site


def backfill(site: Site) -> int:
    """Start waiting jobs beside the running ones without delaying jobs ahead of them; return their number."""
    rules, number = site.estimator.rules, len(site.running)
    if not rules.backfilling or number == rules.at_once:
        return 0
    plan = Plan(site)
    for job in site.queue:
        if len(site.running) == rules.at_once or not priority_allows(site, job):
            break  # no job behind it has a higher priority
        if is_admissible(site, job) and plan.allows(site, job):
            site.start(job)
            site.queue = [one for one in site.queue if one is not job]
    return len(site.running) - number


class Plan:
    """The planned starts of waiting jobs before any of them is backfilled, computed on demand."""

    def __init__(self, site: Site) -> None:
        self.site = replace(site, running=list(site.running))
        self.foretold: Foretold | None = None

    def start(self, job: ShareJob) -> int:
        """Return when a job starts."""
        self.foretold = self.foretold or Foretold(foreseen(self.site))
        return self.foretold.start(job)

    def allows(self, site: Site, job: ShareJob) -> bool:
        """Return whether a job may start without delaying the jobs ahead of it, as the policy defines delay."""
        first = site.queue[0]
        if job is first:
            return True
        rules = site.estimator.rules
        if not rules.no_delay:
            least = time_needed(site.estimator.directory.run_time(job), WHOLE, rules.best)
            if site.now + least > self.start(first):
                return False  # too late even alone: no projection needed
        with_it = Foretold(foreseen(site, job))
        if not rules.no_delay:
            return with_it.end(job) <= self.start(first)
        ahead = site.queue[: site.queue.index(job)]
        return all(with_it.start(one) <= self.start(one) for one in ahead)
