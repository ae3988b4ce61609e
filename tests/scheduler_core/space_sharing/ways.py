"""Space sharing: the oracle, and how a schedule is compared with it and with what was worked out by hand."""

from __future__ import annotations

from scheduler_core.contracts import Schedule
from tests.oracles.space_sharing import oracle
from tests.scheduler_core.examples import Case
from tests.scheduler_core.scenario import us
from tests.scheduler_core.subjects import Ways

ELSEWHERE: frozenset[str] = frozenset()
"""Policies and parameters that need not be shown by a scenario."""

Starts = tuple[int | None, ...]
"""What is worked out by hand: the start of every job in seconds, None for a rejected one."""


def by_oracle(case: Case) -> oracle.Schedule:
    """Let the oracle schedule an example."""
    return oracle.schedule(case.policy, case.jobs, case.processors)


def in_form(case: Case, schedule: Schedule) -> oracle.Schedule:
    """Put an engine's schedule into the oracle's form."""
    rows = schedule.jobs.select("job", "start_us", "finish_us", "outcome").rows()
    return {job: None if outcome == "rejected" else (start, finish) for job, start, finish, outcome in rows}


WAYS = Ways(by_oracle, in_form)


def times(case: Case, starts: Starts) -> oracle.Schedule:
    """Return start and finish of every job, from the starts worked out."""
    pairs = zip(case.jobs, starts, strict=True)
    return {job.job: None if start is None else (us(start), us(start) + job.stay) for job, start in pairs}


def assert_worked(case: Case, found: oracle.Schedule, starts: Starts) -> None:
    """Hold a schedule against what was worked out by hand."""
    assert found == times(case, starts)
