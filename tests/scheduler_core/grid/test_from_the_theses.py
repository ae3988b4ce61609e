"""The engine against a program that a reader wrote from the theses, who knew neither the specification nor the engine.

The program's docstring lists the choices in which it was aligned with the specification.
"""

import dataclasses
import functools
from typing import Any

import pytest

from scheduler_core import simulate
from scheduler_core.contracts import Schedule
from tests.oracles.grid import from_the_theses
from tests.scheduler_core.examples import SeededChooser
from tests.scheduler_core.grid.cases import GridCase
from tests.scheduler_core.grid.subjects import draw_case

SMALL, LARGE = range(48), range(10)
DRAWN = [*((seed, False) for seed in SMALL), *((seed, True) for seed in LARGE)]
RULES = ("recalculated", "kept")
KNOWN = {
    "nominal": "worst_case",
    "transfers_known": "matrix",
    "ties": "first",
    "slide_down_backfill": False,
    "slide_down_avoid_preemption": False,
}
"""Values of parameters whose others the program does not know."""

COUNTED = ("tasks", "slides_up", "slides_down", "lost_slots", "late_tasks", "resumed_elsewhere", "started_elsewhere")
FRAME = ("earliest_us", "from_us", "start_us", "finish_us", "latest_us", "expected_us")


@functools.cache
def drawn(seed: int, large: bool, reservations: str) -> GridCase:
    """Draw a grid of what the program knows: clusters of one speed, jobs that fit them, no stated classes."""
    choose = SeededChooser(seed)
    case = draw_case(choose, large, "slices")
    sites = tuple(dataclasses.replace(site, speed=1.0) for site in case.sites)
    widest = max(site.processors for site in sites)
    room = {job.job: sites[case.homes[job.job]].processors if job.job in case.homes else widest for job in case.jobs}
    jobs = {job.job: dataclasses.replace(job, job_class=None) for job in case.jobs if job.size <= room[job.job]}
    workflows = tuple(
        dataclasses.replace(flow, tasks=tuple(jobs[task.job] for task in flow.tasks))
        for flow in case.workflows
        if all(task.job in jobs for task in flow.tasks)
    )
    known = {*case.homes, *(task.job for flow in workflows for task in flow.tasks)}
    values = {"frame_rule": choose.one_of(("literal", "spare_time")), "smart": choose.one_of((True, True, False))}
    policy = dataclasses.replace(case.policy, **values, **KNOWN, reservations=reservations)
    left = [job for number, job in jobs.items() if number in known]
    return dataclasses.replace(case, jobs=left, sites=sites, workflows=workflows, run_times={}, policy=policy)


@functools.cache
def schedule(seed: int, large: bool, reservations: str) -> Schedule:
    case = drawn(seed, large, reservations)
    return simulate(case.workload, case.policy)


def runs_of(made: Schedule) -> dict[int, list[list[int]]]:
    """Return when each job runs; runs that meet are one."""
    runs: dict[int, list[list[int]]] = {}
    for job, begin, end in made.allocations.select("job", "begin_us", "end_us").sort("job", "begin_us").rows():
        mine = runs.setdefault(job, [])
        if mine and mine[-1][1] == begin:
            mine[-1][1] = end
        else:
            mine.append([begin, end])
    return runs


def told(made: Schedule) -> dict[int, tuple[Any, ...]]:
    """Return of each job its cluster, start and end, its runs, and of a task what was booked for it."""
    runs = runs_of(made)
    frames = {job: tuple(frame) for job, *frame in made.tables["reservations"].select("job", *FRAME).rows()}
    jobs = made.jobs.select("job", "cluster", "start_us", "finish_us").rows()
    return {job: (*outcome, runs[job], frames.get(job)) for job, *outcome in jobs}


@pytest.mark.parametrize("reservations", RULES)
@pytest.mark.parametrize(("seed", "large"), DRAWN)
def test_engine_and_program_agree_job_by_job(seed, large, reservations):
    case = drawn(seed, large, reservations)
    by_program = from_the_theses.simulate(case.policy, case.grid)
    assert told(schedule(seed, large, reservations)) == {
        number: (job.cluster.number, job.start, job.end, job.pieces, job.frame) for number, job in by_program.items()
    }


def test_the_draws_have_much_that_may_go_wrong():
    counters = [schedule(*which, "recalculated").run["counters"] for which in DRAWN]
    for name in COUNTED:
        assert any(one[name] for one in counters), name
    rules = [[schedule(*which, rule).jobs.rows() for which in DRAWN] for rule in RULES]
    assert sum(one != other for one, other in zip(*rules, strict=True)) >= 10
