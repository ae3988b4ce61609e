"""The state of the machine under shares: running, waiting and reserved jobs, and the progress of work."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from scheduler_core.common.units import NEVER_US
from scheduler_core.coscheduling.estimator import assigned_shares
from scheduler_core.coscheduling.share_jobs import window
from scheduler_core.coscheduling.work import time_needed, work_done

if TYPE_CHECKING:
    from scheduler_core.coscheduling.estimator import Estimator
    from scheduler_core.coscheduling.share_jobs import ShareJob


@dataclass(slots=True, eq=False)
class Running:
    """A running job and its open row: work done and left when the row began, and when all work will be done.

    ``latest``: the latest end it can have, by what was known as its rows began.
    """

    job: ShareJob
    place: int
    begin: int
    done: int
    left: int
    share: int = 0
    slowdown: int = 0
    end: int = NEVER_US
    latest: int = NEVER_US

    def work_until(self, now: int) -> int:
        """Return the work of the row if it is broken off now."""
        return work_done(now - self.begin, self.share, self.slowdown) if now > self.begin else 0

    def broken_off(self, now: int) -> Running:
        """Return the running job with a row that begins now."""
        work = self.work_until(now)
        return replace(self, begin=now, done=self.done + work, left=self.left - work)


@dataclass(slots=True, eq=False)
class Site:
    """The running jobs in order of start, the waiting jobs in queue order, the jobs with a reserved start in order of start.

    ``foreseen``: this is a projection and not the site itself.
    """

    estimator: Estimator
    foreseen: bool = False
    now: int = 0
    running: list[Running] = field(default_factory=list)
    queue: list[ShareJob] = field(default_factory=list)
    reserved: list[tuple[int, ShareJob]] = field(default_factory=list)

    def jobs(self) -> list[ShareJob]:
        """Return the running jobs."""
        return [one.job for one in self.running]

    def start(self, job: ShareJob) -> None:
        """Start a job now, on the lowest free place."""
        taken = [one.place for one in self.running]
        place = next(number for number in range(len(taken) + 1) if number not in taken)
        work = self.estimator.directory.run_time(job) if self.foreseen else job.due
        latest = window(self.estimator.rules, job, self.now).end
        self.running.append(Running(job, place, self.now, 0, work, latest=latest))

    def start_reserved(self) -> int:
        """Start the jobs whose reserved start has come; return their number."""
        due = [job for start, job in self.reserved if start == self.now]
        for job in due:
            self.start(job)
        self.reserved = self.reserved[len(due) :]
        return len(due)

    def assign(self) -> None:
        """Assign shares to the running jobs, whose rows all begin now."""
        if not self.running:
            return
        jobs, estimator = self.jobs(), self.estimator
        shares = assigned_shares(jobs, estimator)
        slowdowns = estimator.believed(jobs) if self.foreseen else estimator.actual(jobs)
        for one, share, slowdown in zip(self.running, shares, slowdowns, strict=True):
            one.share, one.slowdown = share, slowdown
            one.end = self.now + time_needed(one.left, share, slowdown)
            one.latest = min(one.latest, window(estimator.rules, one.job, self.now, one.done).end)

    def next_instant(self) -> int:
        """Return when the next running job is done or the next reserved start comes."""
        ends = min((one.end for one in self.running), default=NEVER_US)
        return min(ends, self.reserved[0][0]) if self.reserved else ends
