"""The LOMARC oracle: who runs beside whom, who waits, and what a pass does."""

from collections import Counter
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

from scheduler_core.common.units import seconds_to_us
from scheduler_core.declarations.policy import Policy
from tests.oracles.coscheduling.machine import MILLION, Machine
from tests.oracles.coscheduling.profit import Forecast, forecast_from
from tests.oracles.coscheduling.search import Chosen, Search
from tests.oracles.coscheduling.slowdown import Slowdowns
from tests.oracles.job import Job


class Match(NamedTuple):
    """A pair that was formed, as a row of the schedule's ``matches``."""

    begin: int
    job: int
    partner: int
    among: str
    backfilling: bool
    looked_at: int
    medium_long: int
    size_fits: int
    memory_fits: int
    types_match: int
    slowdown_fits: int
    rank: int
    profit: float
    slowdown: int


@dataclass(frozen=True)
class Group:
    """A job that has processors, the one that joined it, and when each is predicted to end."""

    holder: Job
    holder_end: int
    partner: Job | None = None
    partner_end: int = -1
    slowdown: int = MILLION
    suspended: bool = False

    @property
    def last_end(self) -> int:
        """When the last of both is predicted to end."""
        return max(self.holder_end, self.partner_end)

    def releases(self, now: int) -> list[tuple[int, int]]:
        """List when how many processors are predicted to come free."""
        behind = self.partner.size if self.partner else 0
        ends = [(self.holder_end, self.holder.size - behind), (self.last_end, behind)]
        return [(max(now, end), size) for end, size in ends if size]


@dataclass
class Reservation:
    """What a pass promises the first of the queue that does not fit."""

    shadow: int
    extra: int


@dataclass
class Lomarc:
    """LOMARC at an instant: the queue, the groups in no order, and what was counted so far."""

    policy: Policy
    machine: Machine
    slowdowns: Slowdowns
    all_jobs: list[Job]
    queue: list[Job] = field(default_factory=list)
    groups: list[Group] = field(default_factory=list)
    matches: list[Match] = field(default_factory=list)
    counters: Counter[str] = field(default_factory=Counter)
    reservation: Reservation | None = None
    forecasts: dict[int, Forecast | None] = field(default_factory=dict)

    @cached_property
    def limits(self) -> tuple[int, int]:
        """The longest estimates of a short and of a medium job."""
        return seconds_to_us(self.policy.short_limit_s), seconds_to_us(self.policy.medium_limit_s)

    def level(self, job: Job) -> int:
        """Return the level of a job's class: 2 short, 1 medium, 0 long."""
        return sum(job.estimate <= limit for limit in self.limits)

    def left(self, job: Job) -> int:
        """Return T: the estimate less the work done."""
        one = self.machine.held.get(job)
        return job.estimate if one is None else job.estimate - one.work_until(self.machine.now)

    # What happens

    def submit(self, job: Job) -> None:
        """Put a job into the queue."""
        self.queue.append(job)

    def end_all(self, jobs: list[Job]) -> None:
        """Let all jobs go that end now; who stays is alone from now on."""
        for job in jobs:
            self.machine.end(job)
        for group in list(self.groups):
            there = [job for job in (group.holder, group.partner) if job is not None]
            stays = [job for job in there if job in self.machine.held]
            if stays != there:
                self.groups.remove(group)
                for job in stays:
                    self.machine.change(job, MILLION, MILLION)
                    self.groups.append(Group(job, self.machine.now + self.left(job)))

    def start_alone(self, job: Job) -> Group:
        """Start a job on free processors."""
        self.queue.remove(job)
        self.machine.start(job, self.machine.free())
        group = Group(job, self.machine.now + job.estimate)
        self.groups.append(group)
        return group

    def join(self, group: Group, job: Job) -> Group:
        """Start a job on the processors of another, which is alone."""
        self.queue.remove(job)
        pair = self.paired(group, job)
        self.groups[self.groups.index(group)] = pair
        self.machine.start(job, self.machine.held[pair.holder].processors)
        for one in (pair.holder, job):
            self.machine.change(one, MILLION, pair.slowdown)
        return pair

    def paired(self, group: Group, partner: Job) -> Group:
        """Return the pair that a job would form with one that joins it now."""
        holder, now = group.holder, self.machine.now
        a, b = self.left(holder), self.left(partner)
        first = now - (-min(a, b) * self.slowdowns.believed(holder, partner) // MILLION)
        ends = (first + max(0, a - b), first + max(0, b - a))
        return Group(holder, ends[0], partner, ends[1], self.slowdowns.actual(holder, partner))

    def suspend(self) -> None:
        """Suspend the partners of pairs that are slowed down too much."""
        if self.policy.preempt_above == "off":
            return
        for number, group in enumerate(self.groups):
            if group.partner and not group.suspended and group.slowdown / MILLION > self.policy.preempt_above:
                end = self.machine.now + self.left(group.holder)
                end_of_partner = end + self.left(group.partner)
                self.groups[number] = replace(group, holder_end=end, partner_end=end_of_partner, suspended=True)
                self.machine.change(group.holder, MILLION, MILLION)
                self.machine.change(group.partner, 0, MILLION)
                self.counters["suspended"] += 1

    # A pass

    def make_pass(self) -> None:
        """Start whom the policy starts now."""
        self.counters["passes"] += 1
        self.put_in_order()
        self.suspend()
        loaded_weakly = self.counters["weak"]
        self.start_heads()
        if self.queue:
            self.backfill()
        self.counters["weak_load_passes"] += self.counters["weak"] > loaded_weakly

    def put_in_order(self) -> None:
        """Order the queue by level, then by position."""
        age, now = self.aging_time(), self.machine.now

        def level(job: Job) -> int:
            return self.level(job) if age is None else min(2, self.level(job) + (now - job.submit) // age)

        self.queue.sort(key=lambda job: (-level(job), job.position))

    def aging_time(self) -> int | None:
        """Return the time a job must wait to rise by a level, None when waiting does not count."""
        if self.policy.aging == "off":
            return None
        if self.policy.aging == "fixed":
            return seconds_to_us(self.policy.aging_fixed_s)
        waits = [start - job.submit for job, start in self.machine.starts.items()]
        mean = sum(waits) // len(waits) if waits else 0
        return max(mean, seconds_to_us(self.policy.aging_min_s))

    def may_be_paired(self, job: Job) -> bool:
        """Tell whether a partner is searched for a job."""
        if self.policy.match in ("none", "always"):
            return self.policy.match == "always"
        return self.level(job) < 2

    def free(self) -> int:
        """Count the free processors."""
        return len(self.machine.free())

    def weakly_loaded(self) -> bool:
        """Tell whether so little is asked for that a job is not to be paired."""
        weak = sum(job.size for job in self.queue) <= self.policy.weak_load * self.free()
        found = weak and self.policy.match != "always" and self.policy.weak_load > 0
        self.counters["weak"] += found
        return found

    def start_heads(self) -> None:
        """Start the first of the queue, alone, with a partner or as one, while that is possible."""
        while self.queue:
            job = self.queue[0]
            if job.size <= self.free():
                searches = self.may_be_paired(job) and not self.weakly_loaded()
                chosen = self.search_waiting(job, backfilling=False) if searches else None
                group = self.start_alone(job)
                if chosen:
                    self.join(group, chosen.job)
            else:
                found = self.search_running(job, backfilling=False) if self.may_be_paired(job) else None
                if found is None:
                    return
                self.join(found, job)

    def backfill(self) -> None:
        """Start jobs that do not delay the first of the queue."""
        self.reservation = self.reserve()
        for job in list(self.queue[1:]):
            if job in self.queue:
                self.look_at(job, self.reservation)
        self.reservation = None

    def reserve(self) -> Reservation:
        """Find when the first of the queue is predicted to fit, and what is free then beside it."""
        now, head, free = self.machine.now, self.queue[0], self.free()
        releases = [release for group in self.groups for release in group.releases(now)]
        for shadow in sorted({end for end, _ in releases}):
            then = free + sum(size for end, size in releases if end <= shadow)
            if then >= head.size:
                return Reservation(shadow, then - head.size)
        raise AssertionError("a job that is as large as the machine fits when all have gone")

    def look_at(self, job: Job, reserved: Reservation) -> None:
        """Backfill one job, if that is allowed."""
        before, now, matching = len(self.queue), self.machine.now, self.policy.match_backfilling
        by_shadow = now + job.estimate <= reserved.shadow
        may = matching and self.may_be_paired(job)
        if job.size <= self.free() and (by_shadow or job.size <= reserved.extra):
            chosen = self.search_waiting(job, backfilling=True) if may and not self.weakly_loaded() else None
            group = self.start_alone(job)
            if chosen:
                group = self.join(group, chosen.job)
            if group.last_end > reserved.shadow and (self.policy.beyond_shadow == "counts" or not by_shadow):
                reserved.extra -= job.size
        elif may:
            found = self.search_running(job, backfilling=True)
            if found is not None:
                self.join(found, job)
        self.counters["backfilled"] += before - len(self.queue)

    # Searches

    def forecast(self) -> Forecast | None:
        """Say what is expected of future jobs, now."""
        jobs, all_known = self.all_jobs, self.policy.future_from == "workload"
        known = len(jobs) if all_known else sum(job.submit <= self.machine.now for job in jobs)
        if known not in self.forecasts:
            told = [(job.submit, job.estimate * job.size, self.level(job) == 2) for job in jobs[:known]]
            self.forecasts[known] = forecast_from(told) if all_known or known >= 100 else None
        return self.forecasts[known]

    def search_waiting(self, job: Job, *, backfilling: bool) -> Chosen | None:
        """Look for a partner of a job among those behind it."""
        self.counters["searches_waiting"] += 1
        behind = self.queue[self.queue.index(job) + 1 :]
        alone = Group(job, self.machine.now + job.estimate)

        def allowed(partner: Job) -> bool:
            if not backfilling or job.size <= self.reservation.extra:
                return True
            return self.paired(alone, partner).last_end <= self.reservation.shadow

        chosen = Search(self, allowed, self.policy.forbidden_partner == "dropped").among_waiting(job, behind)
        if chosen:
            place = behind.index(chosen.job)
            self.counters["pushed_down"] += place
            self.counters["pulled_up"] += len(behind) - place - 1
            self.note(job, chosen.job, "waiting", backfilling, chosen)
        return chosen

    def search_running(self, job: Job, *, backfilling: bool) -> Group | None:
        """Look for a job that runs alone and which a waiting job joins."""
        if not self.policy.match_running or self.policy.match == "adjacent":
            return None
        alone = {group.holder: group for group in self.groups if group.partner is None}
        alone = {holder: group for holder, group in alone.items() if self.may_be_paired(holder)}
        if not alone:
            return None
        self.counters["searches_running"] += 1
        order = list(self.machine.starts)  # dictionaries remember in which order jobs started
        running = sorted(alone, key=order.index)

        def allowed(holder: Job) -> bool:
            return not backfilling or self.paired(alone[holder], job).last_end <= self.reservation.shadow

        behind = self.queue[self.queue.index(job) + 1 :]
        chosen = Search(self, allowed, drops=False).among_running(job, running, behind)
        if chosen is None:
            return None
        self.note(job, chosen.job, "running", backfilling, chosen)
        return alone[chosen.job]

    def note(self, job: Job, partner: Job, among: str, backfilling: bool, chosen: Chosen) -> None:
        """Write a pair into the table of matches."""
        slowdown = self.slowdowns.believed(job, partner)
        self.matches.append(
            Match(
                *(self.machine.now, job.job, partner.job, among, backfilling),
                *chosen.counts,
                *(chosen.rank, chosen.profit, slowdown),
            )
        )
