"""Irregular jobs: phases of pieces of work, shared among workers, and balanced among them."""

import pytest

from scheduler_core import simulate
from scheduler_core.checker import check
from scheduler_core.contracts import Schedule
from scheduler_core.declarations.policy import get_policy
from tests.oracles.job import Does, Job
from tests.scheduler_core.examples import Case

MS = 1000
SECOND = 1000 * MS
MACHINE = {"switch_us": 0.0, "trace_s": 1000.0}


def alone(tasks: int, most_tasks: int, *, seed: int = 1, spread: str = "constant", **parameters) -> Schedule:
    """Return the schedule of one irregular job, of ten seconds a task in pieces of a second, which has the machine for itself."""
    does = Does("irregular", seed=seed, burst=SECOND, disk=0, spread=spread, imbalance=0.0, most_tasks=most_tasks)
    job = Job(1, 0, 10 * SECOND, 10 * SECOND, tasks, does=does)
    case = Case([job], tasks, get_policy("cg_gang", **{**MACHINE, **parameters}))
    schedule = simulate(case.workload, case.policy)
    certificate = check(case.workload, schedule)
    assert certificate.legal, certificate.describe()
    return schedule


def finish_s(schedule: Schedule) -> float:
    """Return when the job ended."""
    return schedule.jobs["finish_us"][0] / SECOND


@pytest.mark.parametrize("tasks", [1, 3, 8])
@pytest.mark.parametrize("balance", [False, True])
def test_the_work_of_all_pieces_is_that_of_the_job(tasks, balance):
    for seed in range(5):
        schedule = alone(tasks, 3 * tasks, seed=seed, spread="exponential", balance=balance)
        assert schedule.tables["job_activity"]["compute_ns"].to_list() == [tasks * 10 * SECOND * 1000]
        assert finish_s(schedule) >= 10


def test_phases_of_one_piece_are_one_after_the_other():
    schedule = alone(4, 1)
    assert finish_s(schedule) == 40  # worker 0 has all of it
    assert schedule.tables["job_activity"]["barriers"].to_list() == [40]
    computing = schedule.tables["processor_activity"].group_by("processor").sum().sort("processor")["compute_ns"]
    assert computing.to_list() == [40 * SECOND * 1000, 0, 0, 0]


def test_workers_wait_for_the_end_of_the_phase_without_spinning():
    activity = alone(4, 6).tables["job_activity"]
    assert activity["spin_ns"].to_list() == [0]
    assert activity["blocked"][0] > 0


def test_a_single_worker_never_waits():
    activity = alone(1, 7).tables["job_activity"]
    assert activity["blocked"].to_list() == [0]


def test_balancing_shortens_a_job_whose_pieces_differ():
    plain, balanced = (
        sum(finish_s(alone(6, 60, seed=seed, spread="exponential", balance=balance)) for seed in range(20))
        for balance in (False, True)
    )
    assert balanced < plain


def test_jobs_of_two_workers_are_not_balanced():
    plain, balanced = (alone(2, 40, spread="exponential", balance=balance) for balance in (False, True))
    assert plain.tables["trace"].equals(balanced.tables["trace"])
