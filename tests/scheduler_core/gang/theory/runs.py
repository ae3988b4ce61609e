"""Runs of the gang engine as the theory speaks of them: fluid turns, no costs, as many slots as it takes."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import polars as pl

from scheduler_core import simulate
from scheduler_core.contracts import WORKLOAD_COLUMNS, Machine, Schedule, Workload

TICK = 1_000_000_000_000
"""Microseconds in a unit of time of the theory: so many that whole microseconds do not show in a ratio."""

IDEAL = {"level": "unlimited", "slice_s": 0.0}
"""Gang scheduling without costs: every change is acted on at once, and slots may be as many as are needed."""

FIRST_FIT_DECREASING = {"packing": "first_fit_decreasing"}

PACKINGS: dict[str, dict[str, Any]] = {
    "first fit": {"packing": "first_fit"},
    "best fit": {"packing": "best_fit"},
    "first fit, migration": {"packing": "first_fit", "repack": "arrivals"},
    "best fit, migration": {"packing": "best_fit", "repack": "arrivals"},
    "first fit, packed at every change": {"packing": "first_fit", "repack": "changes"},
    "best fit, packed at every change": {"packing": "best_fit", "repack": "changes"},
    "first fit decreasing": FIRST_FIT_DECREASING,
    "first fit decreasing, filled": {**FIRST_FIT_DECREASING, "fill": True},
    "first fit, filled": {"packing": "first_fit", "fill": True},
    "memory fit": {"packing": "memory_fit"},
    "memory fit, a new slot always competes": {"packing": "memory_fit", "new_slot": "always"},
    "memory best fit": {"packing": "memory_best_fit"},
    "one job a slot": {"packing": "one_job"},
}
"""Every way to pack that chapters 3 to 5 of da Silva 2000 speak of."""


class Arrival(NamedTuple):
    """A job: when it comes, its size and its time alone, in ticks."""

    submit: int
    size: int
    time: int


def workload_of(arrivals: Sequence[Arrival], processors: int, tick: int = TICK) -> Workload:
    """Make a workload of arrivals in the order they come."""
    rows = [(n, job.submit * tick, job.time * tick, job.time * tick, job.size) for n, job in enumerate(arrivals, 1)]
    return Workload(pl.DataFrame(rows, schema=WORKLOAD_COLUMNS, orient="row"), Machine(processors))


def run(arrivals: Sequence[Arrival], processors: int, tick: int = TICK, **parameters: Any) -> Schedule:
    """Run arrivals under ideal gang scheduling with the packing that ``parameters`` say."""
    return simulate(workload_of(arrivals, processors, tick), "gang", **{**IDEAL, **parameters})


def at_once(jobs: Sequence[tuple[int, int]]) -> list[Arrival]:
    """Let jobs, given as size and time, all come at time 0."""
    return [Arrival(0, size, time) for size, time in jobs]


def finishes(schedule: Schedule, tick: int = TICK) -> list[float]:
    """Return when each job finished, in ticks."""
    return [finish / tick for finish in schedule.jobs["finish_us"].to_list()]


def makespan(schedule: Schedule, tick: int = TICK) -> float:
    """Return when the last job finished, in ticks."""
    return max(finishes(schedule, tick))


def slots_at_arrivals(schedule: Schedule) -> list[tuple[int, list[int]]]:
    """Return for each instant of arrival the slots right after it, and the sizes of all jobs present then."""
    jobs = schedule.jobs.filter(pl.col("outcome") != "rejected")
    instants = jobs.select("submit_us").unique().sort("submit_us")
    levels = instants.join_asof(schedule.tables["levels"], left_on="submit_us", right_on="begin_us")
    found = []
    for instant, level in levels.select("submit_us", "level").iter_rows():
        present = jobs.filter((pl.col("submit_us") <= instant) & (pl.col("finish_us") > instant))
        found.append((level, present["size"].to_list()))
    return found


def first_period(schedule: Schedule) -> list[list[int]]:
    """Return the slots at the first instant, each with the numbers of its jobs, counted from 0."""
    held = schedule.allocations
    begun = held.filter(pl.col("begin_us") == held["begin_us"].min())
    slots = begun.sort("slot", "job").group_by("slot", maintain_order=True).agg("job")
    return [[job - 1 for job in jobs] for jobs in slots["job"].to_list()]
