"""The shell around engines: who takes part, and what is made of what became of the jobs."""

import numpy as np
import polars as pl
import pytest

from scheduler_core.contracts import WORKLOAD_COLUMNS, Machine, Workload
from scheduler_core.declarations.policy import get_policy
from scheduler_core.kernel.tables import dedicated_allocations
from scheduler_core.space_sharing.family import FAMILY
from scheduler_core.stepping.engine_shell import Became, Shell, counted

JOBS = [(1, 0, 10, 10, 2), (2, 0, 10, 10, 5), (3, 1, 10, 7, 3)]
"""Job 2 is larger than a machine of 4; job 3 runs past its estimate."""


@pytest.fixture
def workload() -> Workload:
    """Three jobs on four processors."""
    return Workload(pl.DataFrame(JOBS, schema=WORKLOAD_COLUMNS, orient="row"), Machine(4))


def test_jobs_that_do_not_fit_take_no_part(workload):
    shell = Shell(FAMILY, get_policy("fcfs"), workload)
    assert shell.fits.tolist() == [True, False, True]
    assert shell.jobs["job"].to_list() == shell.column("job").tolist() == [1, 3]
    everything = Shell(FAMILY, get_policy("fcfs"), workload, np.ones(3, bool))
    assert everything.jobs is workload.jobs


def test_what_became_of_the_jobs_stands_in_their_table(workload):
    shell = Shell(FAMILY, get_policy("fcfs"), workload)
    became = Became(np.array([0, 10]), np.array([10, 17]), processors=np.array([2, 1]), preemptions=np.array([0, 4]))
    schedule = shell.schedule(became, {}, dedicated_allocations)
    columns = ("start_us", "finish_us", "processors", "preemptions", "outcome")
    assert schedule.jobs.select(columns).rows() == [
        (0, 10, 2, 0, "finished"),
        (None, None, 0, 0, "rejected"),
        (10, 17, 1, 4, "killed"),
    ]


def test_a_job_that_the_run_ended_before_has_no_finish_and_perhaps_no_start(workload):
    workload = Workload(workload.jobs.with_columns(size=pl.Series([2, 3, 5], dtype=pl.Int32)), workload.machine)
    shell = Shell(FAMILY, get_policy("fcfs"), workload)
    became = Became(np.array([3, -1]), np.array([20, 20]), unfinished=np.array([True, True]))
    columns = ("start_us", "finish_us", "processors", "outcome")
    assert shell.jobs_table(became).select(columns).rows() == [
        (3, None, 2, "unfinished"),
        (None, None, 0, "unfinished"),
        (None, None, 0, "rejected"),
    ]
    some = shell.jobs_table(became._replace(unfinished=np.array([True, False]), start=np.array([3, 4])))
    assert some["outcome"].to_list() == ["unfinished", "finished", "rejected"]
    assert some["finish_us"].to_list() == [None, 20, None]


def test_a_job_holds_its_size_where_nothing_else_is_said(workload):
    shell = Shell(FAMILY, get_policy("fcfs"), workload)
    with shell.kernel():
        became = Became(np.array([0, 10]), np.array([10, 17]))
    schedule = shell.schedule(
        became, counted(("passes",), np.array([3])), dedicated_allocations, timing={"other_s": 1.0}
    )
    assert schedule.jobs["processors"].to_list() == [2, 0, 3]
    assert schedule.jobs["preemptions"].to_list() == [0, 0, 0]
    assert schedule.allocations["job"].to_list() == [1, 3]
    assert schedule.run["policy"]["name"] == "fcfs"
    assert schedule.run["counters"] == {"passes": 3}
    assert set(schedule.timing) == {"kernel_s", "wall_s", "other_s"}
    assert 0 <= schedule.timing["kernel_s"] <= schedule.timing["wall_s"]
