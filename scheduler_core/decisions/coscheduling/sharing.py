"""Who shares processors with whom, and which test of LOMARC a pair of jobs fails. A pair's tests do not depend on the time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from scheduler_core.checker.coscheduling.slowdown import RESOURCES, Behaviour, in_ppm
from scheduler_core.common.units import seconds_to_us

if TYPE_CHECKING:
    from scheduler_core.contracts import Schedule

TESTS = ("medium_long", "size_fits", "memory_fits", "types_match", "slowdown_fits")
"""The tests of a partner in their order, by the columns of ``matches``."""

CPU, _, DISK = range(len(RESOURCES))


@dataclass(frozen=True)
class Sharing:
    """A time in which another job holds processors that the job holds too: from ``begin_us`` until ``end_us``."""

    job: int
    begin_us: int
    end_us: int


def holdings_of(schedule_jobs: pl.DataFrame, allocations: pl.DataFrame) -> pl.DataFrame:
    """Return ``job, begin_us, end_us, processor_ids``: which processors each job holds from start to finish."""
    first = allocations.unique("job", keep="first", maintain_order=True).select("job", "processor_ids")
    started = schedule_jobs.filter(pl.col("start_us").is_not_null())
    return started.select("job", begin_us="start_us", end_us="finish_us").join(first, on="job", maintain_order="left")


def sharings_of(holdings: pl.DataFrame, number: int) -> list[Sharing]:
    """Return with whom a job shares processors, and when, in order of time."""
    own = holdings.row(by_predicate=pl.col("job") == number, named=True)
    low, high, numbers = own["begin_us"], own["end_us"], set(own["processor_ids"])
    near = holdings.filter((pl.col("job") != number) & (pl.col("begin_us") < high) & (pl.col("end_us") > low))
    found = [
        Sharing(row["job"], max(low, row["begin_us"]), min(high, row["end_us"]))
        for row in near.to_dicts()
        if not numbers.isdisjoint(row["processor_ids"])
    ]
    return sorted(found, key=lambda one: (one.begin_us, one.job))


def alone_within(holdings: pl.DataFrame, low: int, high: int) -> list[int]:
    """Return the jobs that held their processors alone for some time from ``low`` until ``high``."""
    near = holdings.filter((pl.col("begin_us") < high) & (pl.col("end_us") > low))
    found = []
    for row in near.to_dicts():
        at, until = max(low, row["begin_us"]), min(high, row["end_us"])
        for one in sharings_of(near, row["job"]):
            if one.begin_us > at:
                break
            at = max(at, one.end_us)
        if at < until:
            found.append(row["job"])
    return found


def failed_tests(
    jobs: pl.DataFrame,
    companions: Mapping[str, pl.DataFrame],
    schedule: Schedule,
    holders: Sequence[int],
    partners: Sequence[int],
    *,
    holder_looked_at: bool,
) -> list[str]:
    """Return the first test that each pair fails, empty if it passes all: a partner joins a holder, and one is looked at.

    The tests are the checker's reading of the policy's docstring.
    """
    parameters = schedule.run["policy"]["parameters"]
    places = {number: place for place, number in enumerate(jobs["job"].to_list())}
    one, two = (np.array([places[number] for number in side], dtype=np.int64) for side in (holders, partners))
    sizes, estimates = jobs["size"].to_numpy(), jobs["estimate_us"].to_numpy()
    fits = sizes[two] <= sizes[one]
    if parameters["match"] == "always":
        return ["" if fit else "size_fits" for fit in fits]
    behaviour = Behaviour(jobs, companions, schedule.machine, parameters)
    of_one, of_two = behaviour.kind[one], behaviour.kind[two]
    if parameters["cpu"] == "standard":
        kinds = ((of_one == CPU) & (of_two == DISK)) | ((of_one == DISK) & (of_two == CPU))
    else:
        kinds = (of_one != of_two) | (of_one == CPU)
    looked_at = one if holder_looked_at else two
    passed = (
        estimates[looked_at] > seconds_to_us(parameters["short_limit_s"]),
        fits,
        behaviour.memory_fits(one, two),
        kinds,
        ~slowed_too_much(behaviour, one, two),
    )
    return [
        next((name for name, ok in zip(TESTS, row, strict=True) if not ok), "") for row in zip(*passed, strict=True)
    ]


def slowed_too_much(behaviour: Behaviour, one: np.ndarray, two: np.ndarray) -> np.ndarray:
    """Return which pairs are slowed down beyond the limit, compute incompatibly, or use the network too much."""
    parameters = behaviour.parameters
    too_much = behaviour.pair_slowdown(one, two) > in_ppm(np.array(parameters["max_slowdown"]))
    if parameters["slowdown"] != "table":
        both_compute = (behaviour.kind[one] == CPU) & (behaviour.kind[two] == CPU)
        too_much |= both_compute & ~behaviour.compatible(one, two)
    if not isinstance(parameters["network_limit"], str):
        network = behaviour.fractions["network"]
        too_much |= network[one] + network[two] > parameters["network_limit"]
    return too_much
