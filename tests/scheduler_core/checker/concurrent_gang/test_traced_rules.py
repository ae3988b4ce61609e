"""Runs of Concurrent Gang that the checker must pass, and its own reading of draws and windows."""

import dataclasses

import pytest

from scheduler_core.checker import check
from scheduler_core.checker.concurrent_gang.draws import parts_of_the_exponential
from scheduler_core.common.errors import ContractError
from scheduler_core.concurrent_gang.draws import EXPONENTIAL
from scheduler_core.declarations.policy import get_policy
from tests.oracles.job import Does, Job
from tests.scheduler_core.checker.broken_schedules import table
from tests.scheduler_core.checker.concurrent_gang.mutations import PROCESSORS, SCALE, made
from tests.scheduler_core.checker.oracle_runs import by_oracle
from tests.scheduler_core.concurrent_gang.draws import draw_jobs
from tests.scheduler_core.examples import Case, SeededChooser


@pytest.mark.parametrize("begin_s", [0.0, 0.0071, 0.02])
def test_a_window_may_begin_and_end_anywhere(begin_s):
    jobs = draw_jobs(SeededChooser(7), "mixed", PROCESSORS, 14)
    window = {**SCALE, "trace_from_s": begin_s, "trace_s": 0.0123}
    for preset in ("cg_prio", "gang_rt", "cg_rr"):
        certificate = check(*by_oracle(Case(jobs, PROCESSORS, get_policy(preset, **window))))
        assert certificate.legal, f"{preset}: {certificate.describe()}"


def test_a_job_whose_disk_has_done_the_rest_may_be_unfinished():
    # Both compute for 1 ms in turns of 1 ms, then ask the disk; the first is done with it at 2 ms, and has no turn until 3 ms.
    does = Does("io", seed=1, burst=1000, disk=1000)
    jobs = [Job(1, 0, 2000, 2000, 1, does=does), Job(2, 0, 9000, 9000, 1, does=dataclasses.replace(does, seed=2))]
    policy = get_policy("cg_gang", slice_ms=1.0, switch_us=0.0, until_s=0.002)
    workload, schedule = by_oracle(Case(jobs, 1, policy))
    assert schedule.jobs["outcome"].to_list() == ["unfinished", "unfinished"]
    assert (
        schedule.tables["job_activity"]["disk_ns"][0] == schedule.tables["job_activity"]["compute_ns"][0] == 1_000_000
    )
    assert check(workload, schedule).legal


def test_the_means_of_the_exponential_are_those_of_the_engine():
    assert parts_of_the_exponential().tolist() == EXPONENTIAL.tolist()


def test_a_task_without_a_number_is_refused():
    workload, schedule = made("priorities")
    with pytest.raises(ContractError, match="trace_disks table: column 'task' has no value"):
        check(workload, table(schedule, "trace_disks", task=None))
