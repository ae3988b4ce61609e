"""The instants of a machine under shares: jobs leave, are submitted, start, and get their shares."""

from __future__ import annotations

from bisect import insort
from typing import TYPE_CHECKING, Any

from scheduler_core.common.units import NEVER_US
from scheduler_core.coscheduling.cpu_backfill import backfill
from scheduler_core.coscheduling.directory import Directory, Monitor
from scheduler_core.coscheduling.estimator import Estimator
from scheduler_core.coscheduling.offers import offered_share, slots
from scheduler_core.coscheduling.schedule_plan import join, start_element
from scheduler_core.coscheduling.share_jobs import ShareRules, next_rise, put_in_order
from scheduler_core.coscheduling.site import Running, Site
from scheduler_core.coscheduling.work import WHOLE

if TYPE_CHECKING:
    from scheduler_core.coscheduling.share_jobs import ShareJob

COUNTERS = ("passes", "elements", "joined", "backfilled", "reserved", "statistics_asked", "forecast_error_ppm")

Row = tuple[int, int, int, int, int, int, int]
"""Position, begin, end, place, work, share and slowdown."""


class ShareScheduler:
    """A machine under shares, from its first job to its last."""

    def __init__(self, rules: ShareRules, jobs: list[ShareJob]) -> None:
        self.rules, self.jobs = rules, jobs
        self.directory = Directory(rules.learns)
        self.site = Site(Estimator(rules, self.directory))
        begin = jobs[0].submit if jobs else 0
        self.monitor = Monitor(rules.sample_time, begin, available=WHOLE)
        self.submitted = 0
        self.counters = dict.fromkeys(COUNTERS, 0)
        self.rows: list[Row] = []
        self.offers: list[tuple[Any, ...]] = []

    def next_instant(self) -> int:
        """Return when something happens next."""
        arrival = self.jobs[self.submitted].submit if self.submitted < len(self.jobs) else NEVER_US
        return min(arrival, self.site.next_instant(), next_rise(self.rules, self.site.queue, self.site.now))

    def advance(self) -> None:
        """Go on to the next instant."""
        site, before = self.site, list(self.site.running)
        site.now = self.next_instant()
        self.monitor.observe(site.now)
        self.leave()
        self.submit()
        self.counters["reserved"] += site.start_reserved()
        self.make_pass()
        if site.running != before:
            site.running = [self.broken_off(one) for one in site.running]
            site.assign()
            self.measure(before)
        self.monitor.available = WHOLE - sum(one.share for one in site.running)

    def leave(self) -> None:
        """Let the jobs leave that are done."""
        done = [one for one in self.site.running if one.end == self.site.now]
        if not done:
            return
        for one in sorted(done, key=lambda one: one.job.position):
            self.close(one, one.left)
            self.directory.record_run(one.job, one.job.due)
        self.site.running = [one for one in self.site.running if one.end > self.site.now]

    def submit(self) -> None:
        """Take in the jobs that are submitted now, and make them their offers."""
        site = self.site
        if self.rules.aging != "off":
            put_in_order(self.rules, site.queue, site.now)
        while self.submitted < len(self.jobs) and self.jobs[self.submitted].submit == site.now:
            job = self.jobs[self.submitted]
            self.submitted += 1
            self.directory.register(job)
            self.counters["statistics_asked"] += job.cross_site
            if job.asks == "nothing" or not self.offer(job):
                insort(site.queue, job, key=lambda one: (-one.priority, one.position))

    def offer(self, job: ShareJob) -> bool:
        """Offer slots to a job; return whether it has a reservation now."""
        found = slots(self.site, job)
        taken = {"reserves": "reserved", "picks": "picked"}[job.asks]
        for number, slot in enumerate(found, start=1):
            told = offered_share(self.rules, slot), slot.slowdown, taken if number == 1 else "no"
            self.offers.append((job.position, number, self.site.now, slot.start, *told))
        if job.asks != "reserves" or not found:
            return False
        job.guaranteed = found[0].share
        insort(self.site.reserved, (found[0].start, job), key=lambda entry: (entry[0], entry[1].position))
        return True

    def make_pass(self) -> None:
        """Start waiting jobs: the first element of the plan, those that join running jobs, those that are backfilled."""
        self.counters["passes"] += 1
        if self.site.queue:
            self.counters["elements"] += start_element(self.site) > 0
            self.counters["joined"] += join(self.site)
            self.counters["backfilled"] += backfill(self.site)

    def broken_off(self, one: Running) -> Running:
        """Return a running job with a row that begins now."""
        if one.begin == self.site.now:
            return one
        self.close(one, one.work_until(self.site.now))
        return one.broken_off(self.site.now)

    def close(self, one: Running, work: int) -> None:
        """Keep a row that ends now."""
        self.rows.append((one.job.position, one.begin, self.site.now, one.place, work, one.share, one.slowdown))

    def measure(self, before: list[Running]) -> None:
        """Take down the slowdowns in rows that have ended, where two jobs ran beside each other."""
        if len(before) == 2:
            for one, other in (before, before[::-1]):
                self.directory.record_slowdown(one.job.application, other.job.application, one.slowdown)

    def counted(self) -> dict[str, int]:
        """Return the counters of the run."""
        return self.counters | {"forecast_error_ppm": self.monitor.error}

    @property
    def finished(self) -> bool:
        """Whether all jobs have left."""
        site = self.site
        return self.submitted == len(self.jobs) and not (site.running or site.queue or site.reserved)
