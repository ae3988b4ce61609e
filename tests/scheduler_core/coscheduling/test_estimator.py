"""The estimator: slowdowns by number and by application, assumed until they are measured."""

import pytest

from scheduler_core.coscheduling.directory import Directory
from scheduler_core.coscheduling.estimator import Estimator
from tests.scheduler_core.coscheduling.share_cases import application, asks, rules

TABLE = "scojo_c3(slowdown='table')"
LEARNS = "scojo_c3(slowdown='table', learns=True)"


def estimator(call: str) -> Estimator:
    """Return an estimator with an empty directory."""
    set_by = rules(call)
    return Estimator(set_by, Directory(set_by.learns))


@pytest.mark.parametrize(
    ("own", "beside", "slowdown"),
    [
        ("Central", "Grid-2400", 3.1),
        ("Grid-2400", "Central", 1.0),
        ("Grid-1200", "Central", 1.1),
        ("Grid-1200", "Grid-2400", 1.4),
        ("Random", "Random", 2.0),
        ("Grid-300", "Stream", 1.8),
        ("Stream", "Grid-300", 0.8),
    ],
)
def test_slowdown_of_table_5_2(own: str, beside: str, slowdown: float) -> None:
    jobs = [asks(20, of=application(own)), asks(20, of=application(beside))]
    assert estimator(TABLE).actual(jobs)[0] == round(1e6 * slowdown)


def test_three_jobs_are_slowed_down_as_in_the_worst_pair() -> None:
    jobs = [asks(20, of=application(name)) for name in ("Grid-1200", "Central", "Stream")]
    assert estimator(TABLE).actual(jobs) == [1_300_000, 2_500_000, 800_000]


def test_constants_go_by_the_number_of_jobs() -> None:
    found = estimator("scojo_c3")
    assert [found.actual([asks(20)] * number) for number in (1, 2, 3)] == [
        [1_000_000],
        [1_200_000] * 2,
        [1_300_000] * 3,
    ]


def test_pairs_with_a_significant_slowdown_of_one_of_them_are_avoided() -> None:
    found = estimator(TABLE)
    central, grid, stream = (asks(20, of=application(name)) for name in ("Central", "Grid-2400", "Stream"))
    assert not found.coschedulable([grid, central])
    assert not found.coschedulable([central, stream])
    assert found.coschedulable([grid, stream])


def test_more_jobs_than_may_run_at_once_are_not_coschedulable() -> None:
    assert not estimator("scojo_c2").coschedulable([asks(20), asks(20), asks(20)])


def test_shares_that_together_pass_all_are_not_coschedulable() -> None:
    assert estimator("scojo_c2").coschedulable([asks(60), asks(40)])
    assert not estimator("scojo_c2").coschedulable([asks(61), asks(40)])


def test_slowdown_is_assumed_until_the_two_applications_have_run_beside_each_other() -> None:
    found = estimator(LEARNS)
    central, grid = asks(20, of=application("Central")), asks(20, of=application("Grid-2400"))
    assert found.believed([central, grid]) == [1_200_000, 1_200_000]
    assert found.coschedulable([central, grid])
    found.directory.record_slowdown(central.application, grid.application, 3_100_000)
    assert found.believed([central, grid]) == [3_100_000, 1_200_000]
    assert found.believed([grid, central, asks(20, of=application("Stream"))]) == [1_300_000, 3_100_000, 1_300_000]
    assert not found.coschedulable([central, grid])
