"""Coscheduling once more, slow and plain: what its policies must do, row by row.

Written from the docstrings of the family and its policies alone, by another route than the engines': jobs in lists, Python
integers, and what is free, who is alone and what a pair is worth worked out from scratch each time it is asked for.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from scheduler_core.declarations.policy import Policy
from tests.oracles.coscheduling.lomarc import Lomarc, Match
from tests.oracles.coscheduling.machine import Machine, Row
from tests.oracles.coscheduling.offers import Offer
from tests.oracles.coscheduling.shares_oracle import COUNTERS as SHARES_COUNTERS
from tests.oracles.coscheduling.shares_oracle import run_shares
from tests.oracles.coscheduling.slowdown import Slowdowns
from tests.oracles.job import Job

LOMARC_COUNTERS = (
    *("passes", "searches_waiting", "searches_running", "weak_load_passes"),
    *("backfilled", "pushed_down", "pulled_up", "suspended"),
)


@dataclass(frozen=True)
class Result:
    """A schedule: what became of each job (start, finish, times suspended), by number; None for a rejected one."""

    jobs: dict[int, tuple[int, int, int] | None]
    rows: list[Row]
    matches: list[Match]
    offers: list[Offer]
    counters: dict[str, int]


def simulate_lomarc(
    policy: Policy, jobs: list[Job], processors: int, memory: int, slowdowns: Mapping[tuple[int, int], float]
) -> Result:
    """Let LOMARC schedule jobs, which are in order of position."""
    coming = [job for job in jobs if job.size <= processors]
    machine = Machine(processors)
    state = Lomarc(policy, machine, Slowdowns(policy, memory, slowdowns), list(coming))
    while instants := [*(job.submit for job in coming), *machine.next_ends()]:
        machine.now = min(instants)
        state.end_all([one.job for one in machine.held.values() if one.share and one.end == machine.now])
        while coming and coming[0].submit == machine.now:
            state.submit(coming.pop(0))
        state.make_pass()
    counters = {name: state.counters[name] for name in LOMARC_COUNTERS}
    return Result(became(machine, jobs), sorted(machine.rows), state.matches, [], counters)


def simulate_shares(
    policy: Policy, jobs: list[Job], processors: int, slowdowns: Mapping[tuple[int, int], float]
) -> Result:
    """Let SCOJO schedule jobs by their shares; the jobs are in order of position."""
    run = run_shares(policy, jobs, processors, slowdowns)
    counters = {name: run.counters[name] for name in (*SHARES_COUNTERS, "forecast_error_ppm")}
    became_of = {job.job: (*run.times[job], 0) if job in run.times else None for job in jobs}
    return Result(became_of, sorted(run.rows), [], run.offers, counters)


def became(machine: Machine, jobs: list[Job]) -> dict[int, tuple[int, int, int] | None]:
    """Return start, finish and the number of suspensions of each job, by number; None for a rejected one."""
    return {
        job.job: (machine.starts[job], machine.finishes[job], machine.suspensions.get(job, 0))
        if job in machine.starts
        else None
        for job in jobs
    }
