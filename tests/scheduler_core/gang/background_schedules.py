"""Workloads written by hand and drawn ones, schedules of them that the checker has proved, and ways to read these."""

import random

import polars as pl

from scheduler_core import simulate
from scheduler_core.checker import check
from scheduler_core.contracts import Schedule, Workload
from tests.scheduler_core.scenario import SECOND, Asked, Scenario, asked

ROUNDING_US = 3


def workload_of(processors: int, *jobs: Asked) -> Workload:
    """Return a workload of jobs, numbered from 1."""
    return Scenario(processors, jobs).case("fcfs").workload


def legal(workload: Workload, call: str) -> Schedule:
    """Simulate, and let the checker prove the schedule."""
    schedule = simulate(workload, call)
    certificate = check(workload, schedule)
    assert certificate.legal, [finding for finding in certificate.findings if finding.violations]
    return schedule


def times(schedule: Schedule) -> list[tuple[float, float] | None]:
    """Return start and finish of every job in seconds, None for a rejected one."""
    rows = schedule.jobs.sort("job").select("start_us", "finish_us").rows()
    return [None if start is None else (start / SECOND, finish / SECOND) for start, finish in rows]


def agree(found: list[tuple[float, float] | None], worked: list[tuple[float, float] | None]) -> bool:
    """Whether times agree but for the rounding of work to whole microseconds."""
    close = ROUNDING_US / SECOND
    return len(found) == len(worked) and all(
        one == other
        if one is None or other is None
        else max(abs(a - b) for a, b in zip(one, other, strict=True)) < close
        for one, other in zip(found, worked, strict=True)
    )


def drawing(schedule: Schedule, processors: int, instant: float) -> list[str]:
    """Draw the rows just after an instant: a row per slot, a column per processor, the job's number where it is."""
    time = round(instant * SECOND)
    there = schedule.allocations.filter((pl.col("begin_us") <= time) & (time < pl.col("end_us")))
    rows = [["."] * processors for _ in range(int(there["slot"].max()) + 1)]  # type: ignore[arg-type]
    for job, slot, processor_ids in there.select("job", "slot", "processor_ids").rows():
        for node in processor_ids:
            rows[slot][node] = str(job)
    return ["".join(row) for row in rows]


def sizes(schedule: Schedule, job: int) -> list[tuple[float, int]]:
    """Return when a job's intervals begin, in seconds rounded to the millisecond, and how many processors it then has."""
    rows = schedule.allocations.filter(pl.col("job") == job).sort("begin_us").select("begin_us", "processors").rows()
    return [(round(begin / SECOND, 3), processors) for begin, processors in rows]


def drawn(seed: int) -> Workload:
    """Draw a workload of all kinds of jobs on a machine of 4 to 40 processors."""
    draw = random.Random(seed)
    machine = draw.choice((4, 7, 13, 16, 40))
    jobs, submit = [], 0.0
    for _ in range(draw.randint(1, 50)):
        submit += draw.choice((0, 0, draw.random() * 30, draw.random() * 400))
        size = draw.randint(1, machine + (draw.random() < 0.1))
        runtime = draw.random() * 200 + 0.01
        bounds = {"size_min": draw.randint(1, size), "size_max": draw.randint(size, max(size, machine))}
        estimate = runtime * draw.choice((0.7, 1, 1.5))
        flexibility = draw.choice(("rigid", "moldable", "malleable"))
        more = {"flexibility": flexibility, "memory": draw.randint(0, 60), **bounds}
        jobs.append(asked(submit, runtime, size, estimate=estimate, **more))
    return workload_of(machine, *jobs)
