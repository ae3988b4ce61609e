"""Projection of the site: its future if no job arrives, none is backfilled and the scheduler's beliefs are right."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scheduler_core.coscheduling.schedule_plan import join, start_element
from scheduler_core.coscheduling.site import Running, Site

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scheduler_core.coscheduling.share_jobs import ShareJob


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
