"""How short mean response times could be at best: bounds that hold for every scheduler, and what knowing run times gains."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from scheduler_core.common.units import MICROSECONDS
from scheduler_core.runs.summary import BOUND_S
from slotwise.planning.priced import cheapest_starts
from slotwise.planning.squashed import squashed_schedule

if TYPE_CHECKING:
    import polars as pl

HOUR_S = 3600
LEAST_STEP_S = 1800.0
MOST_STEPS = 100_000
"""How finely prices change with time."""

ROUNDS = 200
FIRST_LENGTH, SHORTENED, PATIENCE, MOMENTUM = 0.3, 0.6, 5, 0.7
"""Steps of prices: their first length, by how much they shorten after so many rounds without a better bound, and how much of
the last direction is kept. They decide how good a bound is, never whether it holds."""


@dataclass(frozen=True)
class Bounds:
    """Lower bounds on the means of a set of jobs on a machine, for every schedule that runs each on its own processors."""

    response_h: float
    wait_h: float
    slowdown: float


def lower_bounds(jobs: pl.DataFrame, processors: int) -> Bounds:
    """Return lower bounds for jobs (``submit_us, runtime_us, estimate_us, size``) on a machine of ``processors``.

    A job's area is its run time times its processors. On one processor that is as fast as the whole machine, a job takes its
    area over ``processors``, and a preemptive schedule there can imitate every schedule of the machine:

    * no mean response time is below that of the shortest remaining area first (Schrage, Operations Research 16, 1968, on one
      processor; Turek et al., Scheduling parallelizable tasks to minimize average response time, SPAA 1994, on areas);
    * a job runs for its whole run time before it ends, so its completion comes half a run time or more after its mean busy
      time. The smallest area over weight first, preemptively, minimises weighted mean busy times (Goemans, Queyranne, Schulz,
      Skutella and Wang, SIAM J. Discrete Mathematics 15, 2002);
    * no job responds faster than its run time.

    The bound on the mean response time is the largest of the three. That on the bounded slowdown (10 s) is the larger of the
    second, with weights, and 1. Jobs that share processors are outside these bounds.
    """
    ordered = jobs.sort("submit_us")
    submit_s = ordered["submit_us"].to_numpy() / MICROSECONDS
    run_s = run_times(ordered)
    length_s = run_s * ordered["size"].to_numpy() / processors
    weight = 1 / np.maximum(run_s, BOUND_S)
    remaining_area_s = squashed(submit_s, length_s, length_s, by_remaining=True)[0].mean()
    busy_time_s = (squashed(submit_s, length_s, length_s)[1] + run_s / 2).mean()
    weighted_s = squashed(submit_s, length_s, length_s / weight)[1] + run_s / 2
    response_h = float(max(remaining_area_s, busy_time_s, run_s.mean()) / HOUR_S)
    return Bounds(
        response_h=response_h,
        wait_h=response_h - float(run_s.mean() / HOUR_S),
        slowdown=float(max((weight * weighted_s).mean(), 1.0)),
    )


def priced_bound(
    jobs: pl.DataFrame, processors: int, weight: np.ndarray, reached_s: float, rounds: int = ROUNDS
) -> float:
    """Return a lower bound on the weighted sum of waits, in seconds, for schedules without preemption.

    If processors had a price for each time and no limit, every job would start when its weighted wait and its processors cost
    least; the sum of these costs less the price of the whole machine is at most the sum of waits of any schedule (the
    Lagrangian relaxation of the machine's capacity; Fisher, Management Science 27, 1981). Prices start at 0 and rise where
    more processors are used than there are (subgradient steps after Polyak, USSR Computational Mathematics 9, 1969).

    Parameters
    ----------
    jobs
        ``submit_us, runtime_us, estimate_us, size``.
    weight
        The weight of each job's wait.
    reached_s
        The sum that a known schedule reaches, which says how large the steps are.
    rounds
        How often prices change; every round gives a bound, and the largest is returned.
    """
    submit_s = (jobs["submit_us"] - jobs["submit_us"].min()).to_numpy() / MICROSECONDS
    run_s, size = run_times(jobs), jobs["size"].to_numpy().astype(np.int64)
    ends_s = submit_s + squashed(submit_s, run_s * size / processors, submit_s)[0]
    horizon_s = float(max(ends_s.max(), (submit_s + run_s).max()) + run_s.max())
    step_s = max(LEAST_STEP_S, horizon_s / MOST_STEPS)
    capacity = processors * step_s
    price = np.zeros(int(horizon_s / step_s) + 1)
    best, best_price, direction, length, failed = 0.0, price, np.zeros(price.size), FIRST_LENGTH, 0
    for _ in range(rounds):
        used = np.zeros(price.size)
        cumulated = np.concatenate([[0.0], np.cumsum(price * step_s)])
        total = cheapest_starts(submit_s, run_s, size, weight, step_s, cumulated, used)
        bound = total - capacity * float(price.sum())
        if bound > best or not price.any():
            best, best_price, failed = max(bound, best), price, 0
        else:
            failed += 1
        if failed == PATIENCE:
            length, failed, price = length * SHORTENED, 0, best_price
            direction = np.zeros(price.size)
            continue
        direction = used - capacity + MOMENTUM * direction
        steps = np.where((price == 0) & (direction < 0), 0, direction)
        norm = float((steps**2).sum())
        if not norm or bound >= reached_s:
            break
        price = np.maximum(price + length * (reached_s - bound) / norm * steps, 0)
    return best


def squashed(
    submit_s: np.ndarray, length_s: np.ndarray, key: np.ndarray, by_remaining: bool = False
) -> tuple[np.ndarray, np.ndarray]:
    """Return each job's response time, and its mean busy time since submission, on one fast processor, in seconds."""
    response, busy = np.zeros(submit_s.size), np.zeros(submit_s.size)
    keys, jobs = np.zeros(submit_s.size), np.zeros(submit_s.size, np.int64)
    squashed_schedule(submit_s, length_s, key, by_remaining, keys, jobs, response, busy)
    return response, busy


def run_times(jobs: pl.DataFrame) -> np.ndarray:
    """Return how long each job runs, in seconds; a job that exceeds its estimate is killed."""
    return np.minimum(jobs["runtime_us"].to_numpy(), jobs["estimate_us"].to_numpy()) / MICROSECONDS
