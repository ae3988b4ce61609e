"""Shares of running jobs: guaranteed, promoted, effective, and the clear cut."""

import dataclasses

import pytest

from scheduler_core import simulate
from scheduler_core.common.errors import ContractError, ParameterError
from scheduler_core.coscheduling.estimator import effective_share
from scheduler_core.declarations.policy import get_policy
from tests.scheduler_core.coscheduling.share_cases import PERCENT, asks, in_percent, job, site
from tests.scheduler_core.examples import Case


def test_effective_share_of_forty_percent_at_slowdown_one_point_two_is_forty_eight() -> None:
    assert effective_share(40 * PERCENT, 1_200_000) == 48 * PERCENT


def test_effective_share_of_a_job_that_coscheduling_speeds_up_is_less() -> None:
    assert effective_share(40 * PERCENT, 800_000) == 32 * PERCENT


def test_three_jobs_get_forty_forty_and_twenty_percent() -> None:
    found = site("scojo_c3(reclaim='off')", asks(20, 40), asks(20, 40), asks(20, 40))
    assert in_percent(found.running) == [40, 40, 20]


def test_third_job_is_promoted_when_one_of_the_first_ends_and_the_next_gets_twenty() -> None:
    found = site("scojo_c3(reclaim='off')", asks(20, 40), asks(20, 40), third := asks(20, 40))
    del found.running[0]
    found.assign()
    assert in_percent(found.running) == [40, 40]
    found.start(asks(20, 40))
    found.assign()
    assert in_percent(found.running) == [40, 40, 20]
    assert found.running[1].job is third


def test_no_job_gets_less_than_it_asks_for_though_those_before_it_ask_for_more() -> None:
    found = site("scojo_c3(reclaim='off')", asks(20, 90), asks(30, 90), asks(25, 90))
    assert in_percent(found.running) == [45, 30, 25]


def test_equal_shares_are_those_of_as_many_jobs_as_may_run() -> None:
    found = site("scojo_pricob(reclaim='off')", asks(20, 40))
    assert in_percent(found.running) == [50]


@pytest.mark.parametrize(
    ("reclaim", "alone", "two", "three"),
    [
        ("off", [40], [40, 40], [40, 40, 20]),
        ("alone", [100], [40, 40], [40, 40, 20]),
        ("all", [100], [50, 50], [40, 40, 20]),
    ],
)
def test_share_of_a_job_alone_beside_one_and_beside_two(
    reclaim: str, alone: list[int], two: list[int], three: list[int]
) -> None:
    jobs = asks(40), asks(40), asks(20)
    found = [site(f"scojo_c3(reclaim='{reclaim}')", *jobs[:number]) for number in (1, 2, 3)]
    assert [in_percent(one.running) for one in found] == [alone, two, three]


def test_effective_accounting_assigns_the_share_times_the_slowdown() -> None:
    found = site("scojo_c2(accounting='effective', reclaim='off')", asks(40), asks(40))
    assert in_percent(found.running) == [48, 48]
    assert [one.slowdown for one in found.running] == [1_200_000] * 2
    assert [one.end for one in found.running] == [250_000_000] * 2  # 100 s at 40 %, which is what was asked for


def test_effective_shares_of_three_jobs_that_ask_for_forty_forty_and_twenty_pass_a_hundred() -> None:
    found = site("scojo_c3(accounting='effective')")
    jobs = [asks(40), asks(40), asks(20)]
    assert found.estimator.needed(jobs) == [52 * PERCENT, 52 * PERCENT, 26 * PERCENT]
    assert not found.estimator.coschedulable(jobs)
    assert site("scojo_c3").estimator.coschedulable(jobs)


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
