"""The simulator against queueing theory: N tasks that compute and use one disk in turn, for ever, on one processor."""

import pytest

from scheduler_core import simulate
from scheduler_core.declarations.policy import get_policy
from tests.oracles.job import Does, Job
from tests.scheduler_core.examples import Case

HORIZON_S = 2000


@pytest.mark.parametrize("tasks", [1, 2, 5, 10])
@pytest.mark.parametrize("call", ["cg_prio", "cg_rr"])
def test_a_closed_network_of_processor_and_disk_is_busy_as_theory_says(tasks: int, call: str) -> None:
    """With exponential bursts of one mean on both, each is busy for N / (N + 1) of the time.

    The processor shares itself among tasks in slices, the disk serves in order; both have this in product form. 200,000 bursts
    leave an error below 0.005; the lengths that are drawn have a variance 0.1 % below the exponential's.
    """
    does = [Does("io", seed=seed, burst=10_000, disk=10_000, spread="exponential") for seed in range(tasks)]
    whole = HORIZON_S * 1_000_000
    jobs = [Job(n, 0, whole, whole, 1, does=each) for n, each in enumerate(does, start=1)]
    policy = get_policy(f"{call}(switch_us=0, resume_owner=True, until_s={HORIZON_S}, sums_s={HORIZON_S})")
    sums = simulate(Case(jobs, 1, policy).workload, policy).tables["processor_activity"]
    expected = tasks / (tasks + 1)
    assert sums["compute_ns"].sum() / (1000 * whole) == pytest.approx(expected, abs=0.01)
    assert sums["disk_ns"].sum() / (1000 * whole) == pytest.approx(expected, abs=0.01)
