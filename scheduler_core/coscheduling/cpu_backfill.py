"""Backfilling of shares, and the projection of the site by which it delays no job ahead."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from scheduler_core.coscheduling.schedule_plan import is_admissible, join, priority_allows, start_element
from scheduler_core.coscheduling.site import Running, Site
from scheduler_core.coscheduling.work import WHOLE, time_needed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scheduler_core.coscheduling.share_jobs import ShareJob
    from scheduler_core.coscheduling.site import Site


def foreseen(site: Site, also: ShareJob | None = None) -> Site:
    """Return a copy of the site as the scheduler believes it, with one more job started if given.

    All rows begin now, and the remaining work is the predicted one.
    """
    directory = site.estimator.directory

    def believed(one: Running) -> Running:
        row = one.broken_off(site.now)
        row.left = directory.work_left(one.job, row.done)
        return row

    running = [believed(one) for one in site.running]
    queue = [job for job in site.queue if job is not also]
    copy = Site(site.estimator, True, site.now, running, queue, list(site.reserved))
    if also is not None:
        copy.start(also)
    return copy


def instants(site: Site) -> Iterator[tuple[list[ShareJob], list[ShareJob]]]:
    """Yield the jobs that end and the jobs that start at each foreseen instant."""
    site.assign()
    while True:
        site.now = site.next_instant()
        ended = [one.job for one in site.running if one.end == site.now]
        site.running = [one.broken_off(site.now) for one in site.running if one.end > site.now]
        remain = len(site.running)
        site.start_reserved()
        start_element(site)
        join(site)
        yield ended, [one.job for one in site.running[remain:]]
        site.assign()


class Foretold:
    """The predicted starts and ends of jobs, computed on demand; it consumes its copy of the site."""

    def __init__(self, site: Site) -> None:
        self.site, self.instants = site, instants(site)
        self.starts: dict[ShareJob, int] = {}
        self.ends: dict[ShareJob, int] = {}

    def start(self, job: ShareJob) -> int:
        """Return when a waiting job starts."""
        while job not in self.starts:
            self.go_on()
        return self.starts[job]

    def end(self, job: ShareJob) -> int:
        """Return when a job ends."""
        while job not in self.ends:
            self.go_on()
        return self.ends[job]

    def go_on(self) -> None:
        """Advance to the next instant."""
        ended, started = next(self.instants)
        self.ends.update((job, self.site.now) for job in ended)
        self.starts.update((job, self.site.now) for job in started)


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
