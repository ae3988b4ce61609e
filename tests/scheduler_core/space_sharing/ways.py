"""Space sharing: the oracle, and how a schedule is compared with it."""

from scheduler_core.contracts import Schedule
from tests.oracles.space_sharing import oracle
from tests.scheduler_core.examples import Case
from tests.scheduler_core.subjects import Ways

ELSEWHERE: frozenset[str] = frozenset()
"""Policies and parameters that need not be shown by a scenario."""


def by_oracle(case: Case) -> oracle.Schedule:
    """Let the oracle schedule an example."""
    return oracle.schedule(case.policy, case.jobs, case.processors, case.standstills, case.closed, case.out_of_use)


def in_form(case: Case, schedule: Schedule) -> oracle.Schedule:
    """Put an engine's schedule into the oracle's form."""
    rows = schedule.jobs.select("job", "start_us", "finish_us", "outcome").rows()
    return {job: None if outcome == "rejected" else (start, finish) for job, start, finish, outcome in rows}


WAYS = Ways(by_oracle, in_form)


def times(found: oracle.Schedule) -> oracle.Schedule:
    """Return start and finish of each job, all that a schedule is."""
    return found
