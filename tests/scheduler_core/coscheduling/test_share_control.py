"""Shares of running jobs: guaranteed, promoted, effective, and the clear cut."""

import dataclasses

import pytest

from scheduler_core import simulate
from scheduler_core.common.errors import ContractError, ParameterError
from scheduler_core.coscheduling.estimator import effective_share
from scheduler_core.declarations.policy import get_policy
from tests.scheduler_core.coscheduling.share_cases import PERCENT, job
from tests.scheduler_core.examples import Case


def test_effective_share_of_forty_percent_at_slowdown_one_point_two_is_forty_eight() -> None:
    assert effective_share(40 * PERCENT, 1_200_000) == 48 * PERCENT


def test_effective_share_of_a_job_that_coscheduling_speeds_up_is_less() -> None:
    assert effective_share(40 * PERCENT, 800_000) == 32 * PERCENT


def test_settings_that_contradict_each_other_are_refused() -> None:
    with pytest.raises(ParameterError, match="equal shares are assigned as they are"):
        get_policy("scojo_pricob", accounting="effective")
    with pytest.raises(
        ParameterError, match=r"slowdown_of_three must not be below slowdown_of_two; found 1\.1 and 1\.2"
    ):
        get_policy("scojo_c3", slowdown_of_three=1.1)
    with pytest.raises(ParameterError, match="needs slowdowns that are known"):
        get_policy("scojo_c3", learns=True, slowdown="table", accounting="effective")


def test_share_of_a_whole_processor_is_refused_with_the_job_named() -> None:
    case = Case([job(1, 0, 10, "long", 0.4), job(2, 0, 10, "long", 0.4, 1.0)], 2, get_policy("scojo_c2"))
    with pytest.raises(ContractError, match=r"share_high is 1 or more.* the first of them job 2"):
        simulate(case.workload, case.policy)


def test_schedule_that_would_not_end_is_refused() -> None:
    jobs = [job(number, 0, 3e11, "long", 0.4) for number in (1, 2)]
    case = Case(jobs, 2, get_policy("scojo_c2", slowdown_of_two=900, slowdown_of_three=900, slowdown_limit=1000))
    with pytest.raises(
        ParameterError, match=r"last beyond .* set smaller slowdowns, .* than job 1 does \(a share of 0\.4\)"
    ):
        simulate(case.workload, dataclasses.replace(case.policy, reclaim="off"))
