"""Jobs that ask for shares, as the tests of SCOJO's parts are told of them."""

from scheduler_core.coscheduling.directory import Directory
from scheduler_core.coscheduling.estimator import Estimator
from scheduler_core.coscheduling.policies.scojo_shares import ScojoShares
from scheduler_core.coscheduling.share_jobs import ShareJob, ShareRules
from scheduler_core.coscheduling.site import Running, Site
from scheduler_core.declarations.policy import get_policy
from tests.oracles.job import Job, Shares
from tests.scheduler_core.scenario import us
from traces.shape.slowdowns import published_slowdowns

PERCENT = 10_000
"""Millionths in a hundredth."""

TABLE_5_2 = published_slowdowns("huang_2004")


def application(name: str) -> int:
    """Return the number of one of the applications of Table 5-2."""
    return TABLE_5_2.number(name)


def rules(call: str, *, measured: bool = False) -> ShareRules:
    """Return what a policy sets, with Table 5-2 where it reads a table."""
    policy = get_policy(call)
    assert isinstance(policy, ScojoShares)
    return ShareRules(policy, TABLE_5_2.companion() if policy.slowdown == "table" else None)


def asks(low: int, high: int | None = None, *, of: int = 0, position: int = 0, **more: int | bool | str) -> ShareJob:
    """Return a job of 100 s that asks for a share, in percent."""
    fixed = {
        "submit": 0,
        "due": us(100),
        "estimate": us(100),
        "base_priority": 0,
        "priority": 0,
        "cross_site": False,
        "asks": "nothing",
        "wanted": 0,
    }
    most = (low if high is None else high) * PERCENT
    return ShareJob(position=position, guaranteed=low * PERCENT, most=most, application=of, **{**fixed, **more})  # type: ignore[arg-type]


def site(call: str, *jobs: ShareJob, now: float = 0) -> Site:
    """Return a site on which jobs begin to run now."""
    set_by = rules(call)
    directory = Directory(set_by.learns)
    found = Site(Estimator(set_by, directory), now=us(now))
    for job in jobs:
        directory.register(job)
        found.start(job)
    found.assign()
    return found


def in_percent(running: list[Running]) -> list[int]:
    """Return the shares of running jobs, in percent, rounded down."""
    return [one.share // PERCENT for one in running]


def job(
    number: int, submit: float, runtime: float, level: str, low: float, high: float | None = None, **more: object
) -> Job:
    """Return a job of a workload, times in seconds; ``more`` are fields of what it asks for."""
    asked = Shares(level, low, low if high is None else high, **more)  # type: ignore[arg-type]
    return Job(number, us(submit), us(runtime), us(runtime), 2, shares=asked)
