"""One cluster stepped from outside: the same schedule whatever the steps, and predictions that hold."""

from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core import simulate
from scheduler_core.contracts import WORKLOAD_COLUMNS, Machine, Workload
from scheduler_core.slices.engine import SliceScheduler
from scheduler_core.slices.local_scheduler import Local
from scheduler_core.slices.policies.pect import Pect
from scheduler_core.slices.policies.pect_o import GroupOptimisation
from scheduler_core.stepping.local_scheduler import Job, Request
from tests.profiles import searching

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
GROUPS: dict[str, Any] = {
    "group_min_medium": 2,
    "group_min_long": 2,
    "group_max_medium": 4,
    "group_max_long": 4,
    "group_size_factor_medium": 0.5,
    "group_size_factor_long": 0.5,
    "group_work_factor_medium": 0.1,
    "group_work_factor_long": 0.1,
    "group_run_s_medium": 5.0,
    "group_run_s_long": 10.0,
    "orders": 30,
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


def test_only_tables_that_are_full_grow():
    jobs = workload_of([(0, 60_000, 0, 1)]).jobs
    scheduler = SliceScheduler(Pect(**SMALL), jobs, PROCESSORS)
    before = scheduler.cluster.rows
    while not scheduler.finished:
        scheduler.advance()
    after = scheduler.cluster.rows
    assert len(after.slices) > len(before.slices)
    assert len(after.held) > len(before.held)
    assert (len(after.promises), len(after.slides)) == (len(before.promises), len(before.slides))


@pytest.mark.parametrize("groups", [False, True])
@given(jobs=drawn_jobs, steps=st.lists(st.integers(1, 90), min_size=1, max_size=12))
@searching(40)
def test_steps_do_not_change_the_schedule(
    groups: bool, jobs: list[tuple[int, int, int, int]], steps: list[int]
) -> None:
    """Stepping to arbitrary times and then to the end gives what running in one go gives."""
    workload = workload_of(jobs)
    policy = GroupOptimisation(**SMALL, **GROUPS) if groups else Pect(**SMALL)
    scheduler, until = SliceScheduler(policy, workload.jobs, PROCESSORS), 0
    for step in steps:
        until += step * S
        scheduler.advance(until)
        assert scheduler.now_us <= until
    scheduler.advance()
    assert scheduler.finished
    expected = simulate(workload, policy)
    assert scheduler.cluster.state["start"].tolist() == expected.jobs["start_us"].to_list()
    assert scheduler.cluster.state["finish"].tolist() == expected.jobs["finish_us"].to_list()
    assert list(scheduler.cluster.counters.tolist()) == list(expected.run["counters"].values())


def test_two_clusters_do_not_share_anything() -> None:
    """Two clusters stepped in turn behave as each does alone."""
    one, other = workload_of([(0, 20, 0, 4), (1, 3, 0, 6), (2, 9, 0, 3)]), workload_of([(0, 9, 0, 6), (5, 30, 0, 2)])
    policy = Pect(**SMALL)
    pair = [SliceScheduler(policy, workload.jobs, PROCESSORS) for workload in (one, other)]
    for until in range(0, 400, 7):
        for scheduler in pair:
            scheduler.advance(until * S)
    for scheduler, workload in zip(pair, (one, other), strict=True):
        expected = simulate(workload, policy).jobs["finish_us"].to_list()
        assert scheduler.cluster.state["finish"].tolist() == expected


@given(jobs=drawn_jobs, size=st.integers(1, PROCESSORS), run=st.integers(1, 25))
@searching(60)
def test_predictions_are_never_earlier_than_what_is_achieved(
    jobs: list[tuple[int, int, int, int]], size: int, run: int
) -> None:
    """A job submitted behind all others finishes no later than it is promised then."""
    last_s = max(submit for submit, *_ in jobs)
    workload = workload_of([*jobs, (last_s, run, 0, size)])
    number = workload.jobs["job"].max()
    schedule = simulate(workload, Pect(**SMALL))
    promised = schedule.tables["promises"].filter(pl.col("job") == number).row(0, named=True)
    assert schedule.jobs.filter(pl.col("job") == number)["finish_us"].item() <= promised["finish_us"]


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
