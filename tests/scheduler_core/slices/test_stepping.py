"""One cluster stepped from outside: the same schedule whatever the steps, and predictions that hold."""

from typing import Any

import polars as pl
import pytest
from hypothesis import strategies as st

from scheduler_core import simulate
from scheduler_core.contracts import WORKLOAD_COLUMNS, Machine, Workload
from scheduler_core.slices.engine import SliceScheduler
from scheduler_core.slices.local_scheduler import Local
from scheduler_core.slices.policies.pect import Pect
from scheduler_core.stepping.local_scheduler import Job, Request

S = 1_000_000
PROCESSORS = 6
SMALL: dict[str, Any] = {
    "interval_s": 40.0,
    "switch_s": 1.0,
    "short_slice_s": 6.0,
    "share_medium": 0.4,
    "share_long": 0.5,
    "short_limit_s": 4.0,
    "medium_limit_s": 12.0,
}

drawn_jobs = st.lists(
    st.tuples(st.integers(0, 150), st.integers(1, 25), st.integers(0, 6), st.integers(1, PROCESSORS)),
    min_size=1,
    max_size=10,
)


def workload_of(jobs: list[tuple[int, int, int, int]]) -> Workload:
    """Make a workload of (submission, run time, what the estimate is above it, size), times in seconds."""
    rows = [
        (submit * S, run * S, (run + above) * S, size)
        for submit, run, above, size in sorted(jobs, key=lambda job: job[0])
    ]
    numbered = [(number, *row) for number, row in enumerate(rows, start=1)]
    return Workload(pl.DataFrame(numbered, schema=WORKLOAD_COLUMNS, orient="row"), Machine(PROCESSORS))


def test_two_clusters_do_not_share_anything() -> None:
    """Two clusters stepped in turn behave as each does alone."""
    one, other = workload_of([(0, 20, 0, 4), (1, 3, 0, 6), (2, 9, 0, 3)]), workload_of([(0, 9, 0, 6), (5, 30, 0, 2)])
    policy = Pect(**SMALL)
    pair = [SliceScheduler(policy.setting(), workload.jobs, PROCESSORS) for workload in (one, other)]
    for until in range(0, 400, 7):
        for scheduler in pair:
            scheduler.advance(until * S)
    for scheduler, workload in zip(pair, (one, other), strict=True):
        expected = simulate(workload, policy).jobs["finish_us"].to_list()
        assert scheduler.cluster.state["finish"].tolist() == expected


def test_a_prediction_is_the_promise_of_a_job_submitted_then() -> None:
    """What is predicted is what a job that is submitted next is promised."""
    jobs = [(0, 30, 0, 4), (0, 30, 0, 4), (0, 9, 0, 6)]
    scheduler = Local(Pect(**SMALL), PROCESSORS)
    for row in workload_of(jobs).jobs.rows():
        scheduler.submit(Job(*row))
    scheduler.advance(0)
    predicted = scheduler.predict(Request(3, 20 * S), 0)
    scheduler.submit(Job(4, 0, 20 * S, 20 * S, 3))
    scheduler.advance(0)
    rows = scheduler.scheduler.cluster.rows.promises[: scheduler.scheduler.cluster.clock.promise_rows]
    assert [int(row.finish) for row in rows if row.job == 3] == [predicted.finish_us]


@pytest.mark.parametrize("changes", [{"backfilling": "easy"}, {"guard": False}])
def test_without_reservations_nothing_is_predicted(changes: dict[str, Any]) -> None:
    """Without a reservation for every waiting job there is nothing to predict from."""
    assert Local(Pect(**SMALL, **changes), PROCESSORS).predict(Request(1, S), 0) is None
