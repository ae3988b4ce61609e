"""Two ways to run a space-sharing policy on a list of jobs: the oracle and the engine."""

from __future__ import annotations

from collections.abc import Callable

import polars as pl

from scheduler_core import simulate
from scheduler_core.contracts import WORKLOAD_COLUMNS, Machine, Workload
from scheduler_core.policy import Policy
from tests.oracles.space_sharing.oracle import Job, Schedule
from tests.oracles.space_sharing.oracle import schedule as oracle

Runner = Callable[[Policy, list[Job], int], Schedule]


def workload_of(jobs: list[Job], processors: int) -> Workload:
    """Make a workload of the jobs, which are in the order of submission, then job number."""
    rows = [(job.job, job.submit, job.runtime, job.estimate, job.size) for job in jobs]
    return Workload(pl.DataFrame(rows, schema=WORKLOAD_COLUMNS, orient="row"), Machine(processors))


def engine(policy: Policy, jobs: list[Job], processors: int) -> Schedule:
    """Run the engine and give its schedule in the oracle's form."""
    table = simulate(workload_of(jobs, processors), policy).jobs
    times = table.select("job", "start_us", "finish_us", "outcome").rows()
    return {job: None if outcome == "rejected" else (start, finish) for job, start, finish, outcome in times}


RUNNERS: dict[str, Runner] = {"oracle": oracle, "engine": engine}
