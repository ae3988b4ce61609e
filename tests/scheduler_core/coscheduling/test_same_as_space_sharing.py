"""Where no two jobs run at once on a processor, coscheduling is space sharing by priority, job by job."""

import dataclasses

from hypothesis import given
from hypothesis import strategies as st

from scheduler_core import simulate
from scheduler_core.declarations.policy import get_policy
from tests.oracles.job import Shares
from tests.profiles import searching
from tests.scheduler_core.coscheduling.subjects import draw_blocked, draw_classes, draw_jobs
from tests.scheduler_core.examples import Case, HypothesisChooser

BECAME = ("job", "start_us", "finish_us", "processors", "preemptions", "outcome")


def assert_same_jobs(case: Case, policy: str, parameters: dict[str, object]) -> None:
    """Hold what became of the jobs against a policy of space sharing."""
    other = dataclasses.replace(case, policy=get_policy(policy, **parameters))
    found, expected = (simulate(each.workload, each.policy).jobs.select(BECAME) for each in (case, other))
    assert found.equals(expected)


@st.composite
def examples(draw: st.DrawFn) -> Case:
    """Draw jobs without pairs, under any limits of classes and any aging."""
    choose = HypothesisChooser(draw)
    processors = choose.one_of((1, 2, 3, 4, 6, 8, 10, 16))
    tick = choose.one_of((1, 7, 1_000_000, 999_983))
    if choose.one_of((False, True)):
        jobs = draw_blocked(choose, tick, processors)
    else:
        jobs = draw_jobs(choose, tick, (processors, 0), (1, 3, 8, 14, 25), crowd=choose.one_of((False, True)))
    return Case(jobs, processors, get_policy("lomarc_pss", **draw_classes(choose, tick)))


@searching(150)
@given(case=examples())
def test_lomarc_without_matching_is_priority_with_backfilling(case: Case) -> None:
    classes = ("short_limit_s", "medium_limit_s", "aging", "aging_min_s", "aging_fixed_s")
    assert_same_jobs(case, "priority", {name: getattr(case.policy, name) for name in classes})


@searching(60)
@given(case=examples())
def test_lomarc_that_finds_no_pair_below_its_limit_is_priority_with_backfilling(case: Case) -> None:
    """A slowdown is at least a millionth; so none is below a limit of 0."""
    searching_in_vain = dataclasses.replace(case.policy, match="best", max_slowdown=0.0)
    case = dataclasses.replace(case, policy=searching_in_vain)
    classes = ("short_limit_s", "medium_limit_s", "aging", "aging_min_s", "aging_fixed_s")
    assert_same_jobs(case, "priority", {name: getattr(case.policy, name) for name in classes})


@st.composite
def jobs_by_shares(draw: st.DrawFn) -> tuple[Case, dict[str, float]]:
    """Draw jobs that need all processors, with the levels of their estimates, and the limits between these in seconds."""
    choose = HypothesisChooser(draw)
    tick, short = choose.one_of((1, 1_000_000, 999_983)), choose.integer(1, 5)
    limits = (short * tick, (short + choose.integer(0, 8)) * tick)
    drawn = draw_jobs(choose, tick, (1, 0), (1, 3, 8, 14, 25), crowd=choose.one_of((False, True)))
    jobs = []
    for job in drawn:
        level = ("short", "medium", "long")[sum(job.estimate > limit for limit in limits)]
        jobs.append(dataclasses.replace(job, shares=Shares(level, 0.4, 0.6)))
    words = choose.one_of(("scojo_pri", "scojo_prico", "scojo_pricob", "scojo_c3"))
    names = ("short_limit_s", "medium_limit_s")
    return Case(jobs, 1, get_policy(words, at_once=1)), {
        name: limit / 1_000_000 for name, limit in zip(names, limits, strict=True)
    }


@searching(150)
@given(drawn=jobs_by_shares())
def test_one_job_at_a_time_by_shares_is_priority_scheduling(drawn: tuple[Case, dict[str, float]]) -> None:
    """A job of all processors leaves nothing to backfill."""
    case, limits = drawn
    assert_same_jobs(case, "priority", {**limits, "aging": "off"})


@searching(50)
@given(drawn=jobs_by_shares())
def test_one_job_at_a_time_by_shares_in_order_of_submission_is_fcfs(drawn: tuple[Case, dict[str, float]]) -> None:
    case, _ = drawn
    assert_same_jobs(dataclasses.replace(case, policy=dataclasses.replace(case.policy, order="fcfs")), "fcfs", {})
