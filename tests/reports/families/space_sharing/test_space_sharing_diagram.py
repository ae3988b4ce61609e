"""The diagram of space sharing shows policies of the user's own that suspend jobs, beside the others and alone."""

import duckdb
import polars as pl
import pytest

import slotwise as sw
from reports.families.space_sharing.page import contexts
from scheduler_core.contracts import WORKLOAD_COLUMNS, Machine, Workload
from tests.reports.families import stores
from tests.scheduler_core.preemptive import preemptive_policies

SECOND = 1_000_000

ROWS = [(1, 0, 100, 100, 4), (2, 10, 20, 20, 8), (3, 11, 30, 30, 2), (4, 40, 5, 5, 4)]
"""Number, submission, run time, estimate and size, times in seconds, on eight processors."""


@pytest.fixture(scope="module")
def workload():
    rows = [(job, *(value * SECOND for value in (submit, run, asked)), size) for job, submit, run, asked, size in ROWS]
    return Workload(pl.DataFrame(rows, schema=WORKLOAD_COLUMNS, orient="row"), Machine(8))


def windows_of(root, schedules, queue_under=None):
    """Return the windows of runs of one workload, by policy; one of them may have a measured queue."""
    store = stores.write_store(root, "own", {("few", policy): made for policy, made in schedules.items()})
    with duckdb.connect(str(store)) as connection:
        for policy in schedules:
            connection.execute(
                "INSERT INTO jobs BY NAME SELECT 'few' AS workload, $1 AS policy, replication, job, submit_us, runtime_us, "
                "estimate_us, size, start_us, finish_us, processors, outcome FROM read_parquet($2)",
                [policy, str(root / "runs" / "few" / policy / "jobs.parquet")],
            )
        if queue_under:
            connection.execute("INSERT INTO series VALUES ('few', ?, 0, 3600, 0.5, 2, 4)", [queue_under])
        return contexts(connection)


def of_policy(context, policy):
    """Return what the viewer gets of a policy, with the numbers of jobs in place of their places."""
    number = [job for job, *_ in context["jobs"]]
    found = next(one for one in context["policies"] if one["policy"] == policy)
    held = [(number[place], size, *rest) for place, size, *rest in found["held"]]
    return held, {number[place]: length for place, length in found["suspended"].items()}


def test_a_suspended_job_has_a_block_for_each_time_in_which_it_runs(tmp_path, workload):
    """Jobs 2 and 4 interrupt job 1, for 20 and 5 seconds."""
    suspending = sw.simulate(workload, preemptive_policies.shortest_remaining)
    [context] = windows_of(tmp_path, {"easy": sw.simulate(workload, "easy"), "mine": suspending}, "easy")
    assert context["around"] == "the longest queue under Easy"
    assert of_policy(context, "easy") == ([(1, 4, [0, 4]), (3, 2, [4, 6]), (4, 4, [4, 8]), (2, 8, [0, 8])], {})
    held, suspended = of_policy(context, "mine")
    assert held == [
        *((1, 4, [0, 4], 0.0, 10.0), (2, 8, [0, 8]), (1, 4, [0, 4], 30.0, 40.0)),
        *((3, 2, [4, 6]), (4, 4, [0, 4]), (1, 4, [0, 4], 45.0, 125.0)),
    ]
    assert suspended == {1: 25.0}


def test_policies_that_suspend_jobs_are_shown_without_others_too(tmp_path, workload):
    [context] = windows_of(tmp_path, {"mine": sw.simulate(workload, preemptive_policies.placing_resumed_jobs)})
    assert context["around"] == "the longest wait under Mine"
    assert [policy["named"] for policy in context["policies"]] == [True]
    held, suspended = of_policy(context, "mine")
    assert [runs for job, _, runs, *_ in held if job == 1] == [[0, 4], [2, 6], [2, 6]]
    assert suspended == {1: 25.0}
