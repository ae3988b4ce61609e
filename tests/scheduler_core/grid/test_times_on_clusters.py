"""How long jobs take on clusters of other speeds, and where the workload says it itself."""

import polars as pl

from scheduler_core.contracts.workflows import RUN_TIMES_COLUMNS
from scheduler_core.grid.workflow import Clusters
from tests.scheduler_core.grid.workloads import S, grid_of


def run_times(rows: list[tuple[int, int, int]]) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=RUN_TIMES_COLUMNS, orient="row")


def test_times_are_divided_by_the_speed_and_rounded_up():
    clusters = Clusters(grid_of(8, 8, speeds=(1, 1.5)), run_times([]))
    assert clusters.times(1, 10, 11, 0) == (10, 11)
    assert clusters.times(1, 10, 11, 1) == (7, 8)


def test_estimates_follow_run_times_that_are_stated():
    clusters = Clusters(grid_of(8, 8, speeds=(1, 3)), run_times([(5, 0, 20), (5, 1, 7)]))
    assert clusters.times(5, 10, 15, 0) == (20, 30)
    assert clusters.times(5, 10, 15, 1) == (7, 11)  # 10.5, rounded up
    long = 10**15
    assert clusters.times(5, long, 3 * long + 1, 0) == (20, 61)


def test_local_jobs_take_what_tasks_of_the_same_kind_would():
    clusters = Clusters(grid_of(8, 8, speeds=(2, 3)), run_times([(5, 0, 20 * S), (5, 1, 7 * S)]))
    jobs = pl.DataFrame({"job": [4, 5, 6], "runtime_us": [S, 10 * S, 7], "estimate_us": [2 * S, 10 * S, 9]})
    for cluster in range(2):
        there = clusters.local_jobs(jobs, cluster)
        expected = [clusters.times(*row, cluster) for row in jobs.rows()]
        assert there.select("runtime_us", "estimate_us").rows() == expected
    assert Clusters(grid_of(8), run_times([])).local_jobs(jobs, 0).equals(jobs)
