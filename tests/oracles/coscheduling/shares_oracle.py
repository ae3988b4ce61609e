"""The oracle of SCOJO's shares: what happens at the instants of a run, what is learnt from it, and what is counted."""

import dataclasses
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from scheduler_core.common.units import seconds_to_us
from scheduler_core.declarations.policy import Policy
from tests.oracles.coscheduling.machine import MILLION, Row
from tests.oracles.coscheduling.offers import Offer, offer
from tests.oracles.coscheduling.scojo import Runs, Site
from tests.oracles.coscheduling.shares import Terms
from tests.oracles.job import Job

MEMORY = 10
"""How many of the last run times and samples are remembered."""


@dataclass
class Run:
    """A run so far."""

    site: Site
    coming: list[Job]
    places: dict[Job, int] = field(default_factory=dict)
    times: dict[Job, tuple[int, int]] = field(default_factory=dict)
    rows: list[Row] = field(default_factory=list)
    offers: list[Offer] = field(default_factory=list)
    works: dict[int, list[int]] = field(default_factory=dict)
    measured: set[tuple[int, int]] = field(default_factory=set)
    available: list[int] = field(default_factory=list)
    counters: Counter[str] = field(default_factory=Counter)

    def next_instants(self) -> list[int]:
        """List when something will happen."""
        return [
            *(job.submit for job in self.coming),
            *(one.end(one.job.stay) for one in self.site.running),
            *self.site.reserved.values(),
            *(time for job in self.site.queue for time in self.site.next_rise(job)),
        ]

    def work_of(self, job: Job) -> int:
        """Return the predicted run time of a job."""
        application = self.site.terms.application(job)
        known = self.works.get(application, [])[-MEMORY:] if application and self.site.policy.learns else []
        return min(job.estimate, sum(known) // len(known)) if known else job.estimate

    def live_through(self) -> None:
        """Take the five steps of an instant."""
        site = self.site
        site.terms = dataclasses.replace(site.terms, measured=frozenset(self.measured))
        self.leave()
        while self.coming and self.coming[0].submit == site.now:
            self.submit(self.coming.pop(0))
        self.counters["reserved"] += len(site.start_reserved())
        queue = site.in_order()
        started = site.start_element(queue)
        self.counters["elements"] += started > 0
        self.counters["joined"] += site.join(site.in_order())
        self.counters["backfilled"] += site.backfill(site.in_order(), self.work_of)
        self.counters["passes"] += 1
        for one in site.running:
            if one.job not in self.places:
                taken = {self.places[other] for other in site.jobs() if other in self.places}
                self.places[one.job] = min({0, 1, 2} - taken)
        for one, done in site.assign():
            self.write(one, done)

    def leave(self) -> None:
        """Let jobs go that are done."""
        now = self.site.now
        done = [one for one in self.site.running if one.end(one.job.stay) == now]
        for one in sorted(done, key=lambda one: one.job.position):
            self.write(one, one.job.stay)
            self.site.running.remove(one)
            self.times[one.job] = (one.start, now)
            self.works.setdefault(self.site.terms.application(one.job), []).append(one.job.stay)

    def submit(self, job: Job) -> None:
        """Offer slots to a job that asks for one; queue it unless it has reserved one."""
        site = self.site
        self.counters["statistics_asked"] += job.shares.site == "cross_site"
        slots = offer(site, job) if job.shares.asks != "nothing" else []
        self.offers += [shown for shown, _ in slots]
        if slots and job.shares.asks == "reserves":
            shown, promised = slots[0]
            site.reserved[job] = shown.start
            site.terms = dataclasses.replace(site.terms, promised={**site.terms.promised, job: promised})
        else:
            site.queue.append(job)

    def write(self, one: Runs, done: int) -> None:
        """Write the open row of a job that ends now, unless it has only begun; what it measures counts from the next instant."""
        if one.beside is None or one.begin == self.site.now:
            return
        own = (self.places[one.job], tuple(range(one.job.size)), one.share, one.slowdown, done - one.done)
        self.rows.append(Row(one.job.job, one.begin, self.site.now, *own))
        if len(one.beside) == 1:
            (other,) = one.beside
            self.measured.add((self.site.terms.application(one.job), self.site.terms.application(other)))

    def free_share(self) -> int:
        """Return the share of the processors that is not assigned."""
        return MILLION - sum(one.share for one in self.site.running)

    def forecast_error(self) -> int:
        """Return the mean distance between samples and what was forecast of them."""
        errors = []
        for number in range(1, len(self.available)):
            known = self.available[max(0, number - MEMORY) : number]
            errors.append(abs(sum(known) // len(known) - self.available[number]))
        return sum(errors) // len(errors) if errors else 0


COUNTERS = ("passes", "elements", "joined", "backfilled", "reserved", "statistics_asked")


def run_shares(policy: Policy, jobs: list[Job], processors: int, slowdowns: Mapping[tuple[int, int], float]) -> Run:
    """Let jobs, which are in order of position, share all processors."""
    coming = [job for job in jobs if job.size <= processors]
    run = Run(Site(policy, Terms(policy, slowdowns, {}, frozenset())), coming)
    step, sampled = seconds_to_us(policy.sample_s), 0
    if coming:
        sampled = coming[0].submit // step * step
    while instants := run.next_instants():
        before, run.site.now = run.site.now, min(instants)
        while before >= 0 and sampled + step <= run.site.now:
            sampled += step
            run.available.append(run.free_share())
        run.live_through()
    run.counters["forecast_error_ppm"] = run.forecast_error()
    return run
