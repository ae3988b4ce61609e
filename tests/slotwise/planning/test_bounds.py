"""Lower bounds hold for every schedule: against the best of all orders, and against every policy."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core.runs.simulation import simulate
from slotwise.planning.bounds import lower_bounds, priced_bound, squashed
from slotwise.planning.priced import cheapest_starts
from slotwise.planning.waits import waits_of
from tests.profiles import searching
from tests.scheduler_core.all_subjects import SUBJECTS, seeded
from tests.slotwise.planning.small_jobs import jobs, workload
from traces.ingest import read_log

PROCESSORS = 4
SHORTEST_H = 1e-6 / 3600
"""A microsecond, to which engines round."""

ROWS = st.lists(
    st.tuples(st.integers(0, 20_000), st.integers(1, 30_000), st.integers(1, PROCESSORS)), min_size=1, max_size=5
).map(sorted)


def least_sum(rows, weights):
    """Return the least weighted sum of waits: one of the schedules that place jobs in some order, each as early as it fits."""
    return min(sum_of_waits(rows, weights, order) for order in permutations(range(len(rows))))


def sum_of_waits(rows, weights, order):
    placed, total = [], 0.0
    for job in order:
        submit, run, size = rows[job]
        ends = sorted({submit, *[end for _, end, _ in placed if end > submit]})
        start = next(now for now in ends if fits(placed, now, run, size))
        placed.append((start, start + run, size))
        total += weights[job] * (start - submit)
    return total


def fits(placed, start, run, size):
    instants = [start, *[begin for begin, _, _ in placed if start < begin < start + run]]
    return all(
        sum(other for begin, end, other in placed if begin <= now < end) + size <= PROCESSORS for now in instants
    )


@given(ROWS)
@searching(60)
def test_no_order_of_jobs_beats_the_bounds(rows):
    table, ones = jobs(*rows), [1.0] * len(rows)
    least = least_sum(rows, ones)
    bounds = lower_bounds(table, PROCESSORS)
    assert bounds.wait_h * 3600 * len(rows) <= least + 1e-6
    assert priced_bound(table, PROCESSORS, np.array(ones), least) <= least * (1 + 1e-9) + 1e-6


@given(ROWS)
@searching(40)
def test_no_order_of_jobs_beats_the_weighted_bounds(rows):
    weights = [1 / max(run, 10) for _, run, _ in rows]
    least = least_sum(rows, weights)
    assert priced_bound(jobs(*rows), PROCESSORS, np.array(weights), least) <= least * (1 + 1e-9) + 1e-9
    slowdown = sum(
        max((least_wait + run) / max(run, 10), 1) for least_wait, (_, run, _) in zip([0] * len(rows), rows, strict=True)
    )
    assert lower_bounds(jobs(*rows), PROCESSORS).slowdown * len(rows) <= max(
        slowdown, least + sum(run / max(run, 10) for _, run, _ in rows) + len(rows)
    )


def test_a_priced_bound_is_tight_where_jobs_exclude_one_another():
    """Ten jobs of the whole machine at once: the k-th waits k run times, whatever their order."""
    table = jobs(*[(0, 3600, PROCESSORS)] * 10)
    least = 3600 * sum(range(10))
    assert least * 0.8 < priced_bound(table, PROCESSORS, np.ones(10), least) <= least


def test_a_job_starts_when_its_wait_and_its_processors_cost_least():
    """A processor costs 3, 0.5 and 2 per second in three steps of 10 s. Both jobs start at 10 s.

    The first waits 10 s and pays for 2 processors for 10 s at 0.5. The second waits 7 s, of which each costs 0.8, and pays for
    10 s at 0.5 and 5 s at 2.
    """
    cumulated, used = np.array([0.0, 30.0, 35.0, 55.0]), np.zeros(3)
    submit, run, size, weight = np.array([0.0, 3.0]), np.array([10.0, 15.0]), np.array([2, 1]), np.array([1.0, 0.8])
    cost = cheapest_starts(submit, run, size, weight, 10.0, cumulated, used)
    assert cost == pytest.approx((10 + 2 * 10 * 0.5) + (7 * 0.8 + 10 * 0.5 + 5 * 2))
    assert used.tolist() == [0.0, 30.0, 5.0]


def test_one_fast_processor_takes_the_shortest_remaining_job_first():
    """Two jobs of length 4 and 1, the short one a second later: it preempts, ends at 2, and the long one at 5."""
    submit, length = np.array([0.0, 1.0]), np.array([4.0, 1.0])
    response, busy = squashed(submit, length, length, by_remaining=True)
    assert response.tolist() == [5.0, 1.0]
    assert busy.tolist() == [pytest.approx((0.5 * 1 + 3.5 * 3) / 4), pytest.approx(0.5)]


@pytest.mark.parametrize("policy", ["fcfs", "easy", "conservative", "easy_sjbf", "sjf", "smallest_first"])
def test_no_policy_beats_the_bounds_on_the_drawn_log(policy):
    log = read_log("drawn")
    waits = waits_of(simulate(log, policy))
    ended = log.jobs.join(waits, on="job", how="semi", maintain_order="left")
    total_s = float(waits["wait_h"].sum()) * 3600
    bounds = lower_bounds(ended, log.machine.processors)
    priced_s = priced_bound(ended, log.machine.processors, np.ones(ended.height), total_s, rounds=60)
    assert 0 < priced_s <= total_s
    assert waits["response_h"].mean() >= bounds.response_h
    assert waits["slowdown"].mean() >= bounds.slowdown >= 1


RIGID = [name for name in SUBJECTS if name.startswith(("space_sharing-", "gang-", "slices-"))]


@pytest.mark.parametrize("name", RIGID)
def test_no_policy_of_any_options_beats_the_bounds(name):
    """Preemption and time slices do not, either; only jobs that change their sizes have other areas."""
    compared = 0
    for seed in range(1, 9):
        case, _ = seeded(name, seed)
        waits = waits_of(simulate(case.workload, case.policy))
        ended = case.workload.jobs.join(waits, on="job", how="semi", maintain_order="left")
        if "flexibility" in ended.columns or ended.is_empty():
            continue
        compared += 1
        bounds = lower_bounds(ended, case.workload.machine.processors)
        assert waits["response_h"].mean() >= bounds.response_h - SHORTEST_H
        assert waits["wait_h"].mean() >= bounds.wait_h - SHORTEST_H
        assert waits["slowdown"].mean() >= bounds.slowdown - 1e-9
    assert compared


def test_jobs_on_an_empty_machine_have_a_bound_of_nothing():
    table = jobs((0, 100, 1), (1000, 100, 1))
    assert priced_bound(table, PROCESSORS, np.ones(2), 0.0) == 0
    assert lower_bounds(table, PROCESSORS).response_h == pytest.approx(100 / 3600)
    assert workload(table, PROCESSORS).machine.processors == PROCESSORS
