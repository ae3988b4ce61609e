"""Jobs that ask for shares, as the tests of SCOJO's parts are told of them."""

from scheduler_core.coscheduling.directory import Directory
from scheduler_core.coscheduling.estimator import Estimator
from scheduler_core.coscheduling.share_jobs import ShareJob, ShareRules
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


def asks(low: int, high: int | None = None, *, of: int = 0) -> ShareJob:
    """Return a job of 100 s that asks for a share, in percent."""
    fixed = {"position": 0, "submit": 0, "due": us(100), "estimate": us(100), "base_priority": 0, "priority": 0}
    offered = {"cross_site": False, "asks": "nothing", "wanted": 0, "memory": 0}
    most = low if high is None else high
    return ShareJob(guaranteed=low * PERCENT, most=most * PERCENT, application=of, **fixed, **offered)


def estimator(call: str) -> Estimator:
    """Return the estimator of a policy, with an empty directory, and Table 5-2 where it reads a table."""
    policy = get_policy(call)
    rules = ShareRules(policy, TABLE_5_2.companion() if policy.slowdown == "table" else None)
    return Estimator(rules, Directory(rules.learns))


def job(
    number: int, submit: float, runtime: float, level: str, low: float, high: float | None = None, **more: object
) -> Job:
    """Return a job of a workload, times in seconds; ``more`` are fields of what it asks for."""
    asked = Shares(level, low, low if high is None else high, **more)
    return Job(number, us(submit), us(runtime), us(runtime), 2, shares=asked)
