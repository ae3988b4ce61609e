"""A queue by slowdown as a heap gives the schedule that sorting it in every pass gives."""

import numpy as np
import polars as pl
import pytest

from scheduler_core.contracts import WORKLOAD_COLUMNS, Machine, Workload
from scheduler_core.runs.simulation import simulate

SIZE = 3  # with four processors one job runs at a time, so each start is a choice among all that wait


def sorted_anew(submit: list[int], estimate: list[int]) -> list[int]:
    """Return the starts on a machine for one job at a time: the largest slowdown first, ties by position."""
    waiting, start, now = list(range(len(submit))), [-1] * len(submit), 0
    while waiting:
        there = [job for job in waiting if submit[job] <= now]
        if not there:
            now = min(submit[job] for job in waiting)
            continue
        job = max(there, key=lambda j: ((now - submit[j] + estimate[j]) / estimate[j], -j))
        waiting.remove(job)
        start[job] = now
        now += estimate[job]
    return start


def starts(submit: list[int], estimate: list[int]) -> list[int]:
    """Return the starts that the engine finds for the same jobs."""
    rows = [
        (number, at, length, length, SIZE) for number, (at, length) in enumerate(zip(submit, estimate, strict=True))
    ]
    workload = Workload(pl.DataFrame(rows, schema=WORKLOAD_COLUMNS, orient="row"), Machine(4))
    return simulate(workload, "lxf").jobs["start_us"].to_list()


@pytest.mark.parametrize("spread", [1, 3, 1_000, 10**12])
@pytest.mark.parametrize("seed", range(5))
def test_starts_are_those_of_a_queue_sorted_anew(seed: int, spread: int) -> None:
    draws = np.random.default_rng(seed)
    submit = np.sort(draws.integers(0, 60 * spread, 150)).tolist()
    estimate = draws.integers(1, spread + 2, 150).tolist()
    assert starts(submit, estimate) == sorted_anew(submit, estimate)


def test_jobs_whose_slowdowns_differ_by_less_than_rounding_stand_by_position() -> None:
    hour_us = 3_600_000_000
    base = 10**15
    submit, estimate = [0, 1, 2, 3], [hour_us * 1000, base + 1, base, base - 1]
    assert starts(submit, estimate) == sorted_anew(submit, estimate)
