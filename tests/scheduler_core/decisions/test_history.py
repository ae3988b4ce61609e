"""Explanations of several jobs of one schedule share what they need, and say what each of them says alone."""

import json

import pytest

from scheduler_core.decisions.explanation import explain, explained
from scheduler_core.decisions.history import History
from scheduler_core.runs.simulation import simulate
from tests.scheduler_core.all_subjects import seeded

DRAWN = (
    "space_sharing-easy",
    "space_sharing-priority",
    "gang-backfilling",
    "gang-packing",
    "slices-groups",
    "coscheduling-profit",
    "coscheduling-shares",
    "grid-slices",
    "concurrent_gang-mixed",
)


def plain(found):
    return json.dumps([found.to_dict(), found.brief()])


@pytest.mark.parametrize("name", DRAWN)
def test_a_job_is_explained_after_others_as_it_is_alone(name):
    """Every job is asked for after all others were, in either direction."""
    asked = 0
    for seed in range(5):
        case, _ = seeded(name, seed)
        schedule = simulate(case.workload, case.policy)
        jobs = schedule.jobs.drop_nulls("start_us")["job"].to_list()
        alone = {job: plain(explain(case.workload, schedule, job, alternatives=False)) for job in jobs}
        for order in (jobs, jobs[::-1]):
            history = History(case.workload, schedule)
            assert {job: plain(explained(history, job)) for job in order} == alone
        asked += len(jobs)
    assert asked > 5


def test_what_jobs_share_is_made_once_for_the_same_arguments():
    case, _ = seeded("space_sharing-easy", 1)
    history, made = History(case.workload, simulate(case.workload, case.policy)), []

    def doubled(_, number):
        made.append(number)
        return 2 * number

    assert [history.once(doubled, number) for number in (3, 4, 3, 4)] == [6, 8, 6, 8]
    assert made == [3, 4]
