"""The estimator: slowdowns of Table 5-2."""

import pytest

from tests.scheduler_core.coscheduling.share_cases import application, asks, estimator

TABLE = "scojo_c3(slowdown='table')"


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
