"""Jobs and parameters of the policy of shares, in whole microseconds and millionths; windows, and priorities in the queue."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from scheduler_core.common.units import NEVER_US, seconds_to_us
from scheduler_core.coscheduling.work import WHOLE

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import polars as pl

    from scheduler_core.coscheduling.policies.scojo_shares import ScojoShares
    from scheduler_core.stepping.engine_shell import Shell

PRIORITIES = {"long": 0, "medium": 5, "short": 10, "special": 15}
HIGHEST = max(PRIORITIES.values())

ROUNDING_US = 1_000
"""Work that a window allows for rounding, which costs less than a microsecond per row."""


def ppm(value: float) -> int:
    """Return a share or a slowdown in whole millionths."""
    return max(1, math.floor(WHOLE * value + 0.5))


@dataclass(slots=True, eq=False)
class ShareJob:
    """A job's request; ``position`` is its place among the jobs that take part.

    ``due`` is its work, ``guaranteed`` the share it always gets (a reservation may raise it), ``most`` the largest share it
    asks for, ``priority`` its priority in the queue or when it started.
    """

    position: int
    submit: int
    due: int
    estimate: int
    guaranteed: int
    most: int
    base_priority: int
    priority: int
    application: int
    cross_site: bool
    asks: str
    wanted: int


class ShareRules:
    """The parameters of a policy, as the engine counts them, and the table of slowdowns.

    ``worst`` is the largest slowdown a job can meet where its share does not follow the slowdown, ``best`` the least that any
    can; ``endless``: slowdowns are not known, so that windows do not end.
    """

    def __init__(self, policy: ScojoShares, slowdowns: pl.DataFrame | None) -> None:
        self.at_once = policy.at_once
        self.by_priority = policy.order == "priority"
        self.backfilling, self.no_delay = policy.backfilling, policy.backfill_rule == "no_delay"
        self.joins, self.priority_rule = policy.joins, policy.priority_rule
        self.reclaim, self.learns = policy.reclaim, policy.learns
        self.equal, self.effective = policy.assignment == "equal", policy.accounting == "effective"
        self.constants = (0, WHOLE, ppm(policy.slowdown_of_two), ppm(policy.slowdown_of_three))
        self.limit = ppm(policy.slowdown_limit)
        self.table: Mapping[tuple[int, int], int] | None = None
        if policy.slowdown == "table" and slowdowns is not None:
            cells = slowdowns.select("application", "beside", "slowdown").rows()
            self.table = {(own, beside): ppm(slowdown) for own, beside, slowdown in cells}
        self.aging, self.aging_time, self.aging_step = policy.aging, seconds_to_us(policy.aging_s), policy.aging_step
        self.offers, self.sample_time = policy.offers, seconds_to_us(policy.sample_s)
        if self.effective or self.at_once == 1:
            self.worst = WHOLE
        elif self.table is None:
            self.worst = max(self.constants[1 : self.at_once + 1])
        else:
            self.worst = self.limit
        self.best = min((*self.constants[1:], *(self.table or {}).values()))
        self.endless = self.learns and self.table is not None


class Window(NamedTuple):
    """The time in which a job may hold its place: from its start to the latest end it can have."""

    begin: int
    end: int
    job: ShareJob


def window(rules: ShareRules, job: ShareJob, begin: int, done: int = 0) -> Window:
    """Return the window of a job that starts or continues at a time, with this work done."""
    if rules.endless:
        return Window(begin, NEVER_US, job)
    work = job.estimate - done + ROUNDING_US
    return Window(begin, begin - (-work * rules.worst // job.guaranteed), job)


def share_jobs(rules: ShareRules, shell: Shell) -> list[ShareJob]:
    """Return the jobs that take part, in the order of the workload."""
    companions = shell.workload.companions
    jobs = shell.jobs.join(companions["shares"], on="job", how="left", maintain_order="left")
    applications = [0] * jobs.height
    if "behaviour" in (shell.policy.companions or ()):
        own = jobs.join(companions["behaviour"], on="job", how="left", maintain_order="left")
        applications = own["application"].to_list()
    found = []
    for position, job in enumerate(jobs.iter_rows(named=True)):
        priority = PRIORITIES[job["level"]] if rules.by_priority else 0
        equal = WHOLE // rules.at_once if rules.equal else None
        found.append(
            ShareJob(
                position=position,
                submit=job["submit_us"],
                due=min(job["runtime_us"], job["estimate_us"]),
                estimate=job["estimate_us"],
                guaranteed=equal or ppm(job["share_low"]),
                most=equal or ppm(job["share_high"]),
                base_priority=priority,
                priority=priority,
                application=applications[position],
                cross_site=job["site"] == "cross_site",
                asks=job["asks"],
                wanted=job["wanted_us"],
            )
        )
    return found


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
