"""Who shares processors with whom, and which test of LOMARC a pair of jobs fails. A pair's tests do not depend on the time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from scheduler_core.checker.coscheduling.slowdown import Behaviour
from scheduler_core.common.units import seconds_to_us

TESTS = ("medium_long", "size_fits", "memory_fits", "types_match", "slowdown_fits")
"""The tests of a partner in their order, by the columns of ``matches``."""


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


def sharings_of(holdings: pl.DataFrame, numbers: Sequence[set[int]], job: int) -> list[Sharing]:
    """Return with whom a job shares processors, and when, in order of time; ``numbers`` are the processors of ``holdings``."""
    jobs, begins, ends = (holdings[name].to_numpy() for name in ("job", "begin_us", "end_us"))
    own = int(np.flatnonzero(jobs == job)[0])
    low, high = int(begins[own]), int(ends[own])
    near = np.flatnonzero((jobs != job) & (begins < high) & (ends > low)).tolist()
    found = [
        Sharing(int(jobs[row]), max(low, int(begins[row])), min(high, int(ends[row])))
        for row in near
        if not numbers[own].isdisjoint(numbers[row])
    ]
    return sorted(found, key=lambda one: (one.begin_us, one.job))


def alone_stretches(holdings: pl.DataFrame, numbers: Sequence[set[int]], job: int) -> list[tuple[int, int]]:
    """Return begin and end of each stretch in which a job holds its processors alone."""
    own = int(np.flatnonzero(holdings["job"].to_numpy() == job)[0])
    found, at, end = [], holdings["begin_us"][own], holdings["end_us"][own]
    for one in sharings_of(holdings, numbers, job):
        if one.begin_us > at:
            found.append((at, one.begin_us))
        at = max(at, one.end_us)
    return [*found, (at, end)] if at < end else found


def failed_tests(
    behaviour: Behaviour, holders: Sequence[int], partners: Sequence[int], *, holder_looked_at: bool
) -> list[str]:
    """Return the first test that each pair fails, empty if it passes all: a partner joins a holder, and one is looked at.

    The tests are the checker's reading of the policy's docstring.
    """
    parameters, jobs = behaviour.parameters, behaviour.asked
    numbers = jobs["job"].to_numpy()
    by_number = np.argsort(numbers)
    one, two = (by_number[np.searchsorted(numbers, side, sorter=by_number)] for side in (holders, partners))
    sizes, estimates = jobs["size"].to_numpy(), jobs["estimate_us"].to_numpy()
    fits = sizes[two] <= sizes[one]
    if parameters["match"] == "always":
        return ["" if fit else "size_fits" for fit in fits]
    looked_at = one if holder_looked_at else two
    passed = (
        estimates[looked_at] > seconds_to_us(parameters["short_limit_s"]),
        fits,
        behaviour.memory_fits(one, two),
        behaviour.kinds_match(one, two),
        ~behaviour.slowed_too_much(one, two),
    )
    return [
        next((name for name, ok in zip(TESTS, row, strict=True) if not ok), "") for row in zip(*passed, strict=True)
    ]
